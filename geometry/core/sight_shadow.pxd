from geometry.core.sight_bodies cimport UprightBodies
from geometry.core.sight_land cimport SightLand
from geometry.core.sight_pair cimport FAR

cdef double ROUNDING


cdef class Umbra:
    cdef SightLand land
    cdef readonly Py_ssize_t count
    cdef double[::1] nx, ny, limit, room

    cdef void cast(self, UprightBodies q, Py_ssize_t i, Py_ssize_t part, double low, double high) noexcept
    cdef bint falls_on(self, UprightBodies p, Py_ssize_t j) noexcept
    cdef bint _holds(self, double x, double y) noexcept
    cdef bint _disc_is_met(self, double radius) noexcept
    cdef bint _is_met(self, UprightBodies p, Py_ssize_t j) noexcept
