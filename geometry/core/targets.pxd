from libc.math cimport sqrt
from libc.stdlib cimport free, realloc

from geometry.core.arcs cimport Arc, ArcTable, arc_facing, faces, may_touch, sweep_left
from geometry.core.climb cimport climb_of, height_at
from geometry.core.rim cimport add_board_crossings, add_crossings, place_facing, place_near, point_at
from geometry.core.shapes cimport INFINITE, Shape, Shapes, ShapeTable
from geometry.core.tangents cimport VisibilityGraph

cdef double LINE_SLACK_INCHES, PLACE_SLACK_INCHES, ROUNDING, TOLERANCE

cdef struct Stretch:
    double leaves
    double length
    double begin_x
    double begin_y
    double end_x
    double end_y
    int row
    int turn
    int clear
    double climb

ctypedef Stretch* StretchTable

cdef class Targets:
    cdef readonly Shapes shapes
    cdef readonly Py_ssize_t rings
    cdef readonly bint are_points
    cdef StretchTable stretches
    cdef readonly Py_ssize_t count
    cdef Py_ssize_t room
    cdef _corners(self, VisibilityGraph graph, Shapes rings)
    cdef int _reserve(self, Py_ssize_t room) except -1
    cpdef double bound(self, double x, double y) noexcept
    cdef double straight(self, VisibilityGraph graph, double x, double y, double most, double slack)
    cdef double _straight_to(self, VisibilityGraph graph, double x, double y, double end_x, double end_y, double most, double slack) except -1.0
    cdef readonly double end_x
    cdef readonly double end_y
    cdef int add_from_point(self, double x, double y) except -1
    cdef int add_from_rim(self, Shapes shapes, Py_ssize_t row, int turn) except -1
    cdef int _add_on_rim(self, Shapes shapes, Py_ssize_t row, Py_ssize_t target) except -1
    cdef int _add_to_shape(self, Shapes shapes, Py_ssize_t row, int turn, Py_ssize_t target) except -1
    cdef int _add_to_arc(self, ArcTable arcs, Py_ssize_t arc, int turn, Py_ssize_t target, Py_ssize_t target_arc) except -1
    cdef int _add_to_edge(self, ArcTable arcs, Py_ssize_t arc, int turn, Py_ssize_t target, Py_ssize_t target_arc) except -1
    cdef int _append(self, double leaves, double length, double begin_x, double begin_y, double end_x, double end_y) except -1
