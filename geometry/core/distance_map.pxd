from libc.stdlib cimport free, realloc

from geometry.core.frontier cimport Frontier, Step
from geometry.core.rim cimport SHORT_LEG, onward, place_facing, point_at
from geometry.core.shapes cimport INFINITE, Arc, Shape, Shapes, faces, may_touch
from geometry.core.tangents cimport Tangents, VisibilityGraph
from geometry.core.targets cimport Stretch, Targets

cdef class DistanceMap(Frontier):
    cdef double* _rooms
    cdef Py_ssize_t _rooms_room
    cdef bint _is_seeded
    cdef double low_x
    cdef double low_y
    cdef double high_x
    cdef double high_y
    cdef Py_ssize_t _via
    cdef double _leaves
    cdef double _to_x
    cdef double _to_y
    cdef double nearest_x
    cdef double nearest_y
    cdef double bound(self, double x, double y) noexcept
    cdef double straight(self, double x, double y) noexcept
    cdef double _nearest_of(self, Py_ssize_t row, double x, double y) noexcept
    cdef double left(self, double x, double y, double most) except -1.0
    cdef double _seen(self, double x, double y, double most) noexcept
    cdef double _by_step(self, Py_ssize_t step, double x, double y, double best) noexcept
    cdef (double, double) ahead(self, double x, double y, double far)
    cdef int _seed(self) except -1
    cdef int grow(self, double upto) except -1
    cdef int _settle(self, int row, int turn, double place, double far, int before, double leaves, double x, double y) except -1
