from libc.math cimport sqrt
from libc.stdlib cimport free, realloc

from geometry.core.curves cimport BLOCK, CIRCLE, EDGE, Curve, Curves, Rim

cdef double ROUNDING, TOLERANCE

cdef struct Spot:
    double x
    double y
    double left

ctypedef Spot* SpotTable

cdef class CriticalPoints(Curves):
    cdef SpotTable spots
    cdef Py_ssize_t count
    cdef Py_ssize_t _spot_room
    cdef double _reach
    cdef int begin(self, double x, double y, double reach) except -1
    cdef int offer(self, double x, double y) except -1
    cdef int offer_nearest(self, double x, double y) except -1
    cdef int offer_nearest_on(self, Py_ssize_t first, Py_ssize_t end, double x, double y, bint are_ends) except -1
    cdef int offer_farthest(self, double x, double y) except -1
    cdef int offer_crossings(self) except -1
    cdef int offer_crossings_of(self, Py_ssize_t rim) except -1
    cdef bint _are_apart(self, Py_ssize_t rim, Py_ssize_t other) noexcept
    cdef int _cross_rims(self, Py_ssize_t rim, Py_ssize_t other) except -1
    cdef int cross(self, Py_ssize_t i, Py_ssize_t k) except -1
    cdef int _cross_arcs(self, Py_ssize_t one, Py_ssize_t other) except -1
    cdef int _cross_arc_and_edge(self, Py_ssize_t arc, Py_ssize_t edge) except -1
    cdef int _cross_edges(self, Py_ssize_t one, Py_ssize_t other) except -1
    cdef Py_ssize_t least(self) noexcept
    cdef double _square(self, Py_ssize_t spot) noexcept
    cdef int drop(self, Py_ssize_t spot) noexcept
