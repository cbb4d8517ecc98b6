from geometry.core.sight_bodies cimport UprightBodies
from geometry.core.sight_cells cimport Cells
from geometry.core.sight_land cimport SightLand
from geometry.core.sight_pair cimport SightPair
from geometry.core.sight_shadow cimport Umbra


cdef class View:
    cdef SightPair pair
    cdef SightLand land
    cdef UprightBodies q, p
    cdef Umbra umbra
    cdef Cells cells
    cdef readonly bytearray answer
    cdef bytes enough
    cdef bint any_enough

    cpdef void look(self)
    cdef bint _mark_alone(self)
    cdef void _mark_searched(self)
    cdef void _mark_together(self)
    cdef void _turn_to(self, Py_ssize_t i, Py_ssize_t j) noexcept
    cdef bint _is_seam(self, Py_ssize_t row) noexcept
    cdef bint _is_raised(self, Py_ssize_t row) noexcept
    cdef bint _is_straddled(self, Py_ssize_t row) noexcept
    cdef bint _is_overlapped(self, Py_ssize_t row) noexcept
    cdef bint _hides_alone(self, Py_ssize_t row) noexcept
    cdef bint _is_settled(self) noexcept
    cdef void _choose(self, Py_ssize_t piece, bint seams) noexcept
    cdef Py_ssize_t _at(self) noexcept


cpdef bytearray obscuring(UprightBodies q, UprightBodies p, SightLand land, bytes enough)
