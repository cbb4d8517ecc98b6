from libc.math cimport sqrt

from geometry.core.arcs cimport ArcTable
from geometry.core.shapes cimport Shapes

cdef class Leg:
    cdef bint is_arc
    cdef double begin_x
    cdef double begin_y
    cdef double end_x
    cdef double end_y
    cdef double centre_x
    cdef double centre_y
    cdef double radius
    cdef double first_x
    cdef double first_y
    cdef double last_x
    cdef double last_y
    cpdef Py_ssize_t first_entered(self, shapes, const double[::1] places, const double[::1] radii) except -2
    cdef bint _enters(self, Shapes shape, double at_x, double at_y, double margin) noexcept
    cdef bint _enters_by_arc(self, Shapes shape, double at_x, double at_y, double margin) noexcept
    cdef bint _is_inside_at(self, Shapes shape, double at_x, double at_y, double margin, double x, double y) noexcept
    cdef bint _faces(self, double x, double y) noexcept
    cpdef bint leaves(self, double low_x, double low_y, double high_x, double high_y) noexcept
