from libc.math cimport sqrt
from libc.stdlib cimport free, realloc

from geometry.core.arcs cimport Arc, ArcTable
from geometry.core.numeric cimport rotated, turned
from geometry.core.shapes cimport Shape, Shapes

cdef double DIRECTION_SLACK_RADIANS, PLACE_SLACK_INCHES, ROUNDING, SLIVER_INCHES

cdef int CIRCLE
cdef int EDGE
cdef Py_ssize_t BLOCK

cdef struct Curve:
    int kind
    double x
    double y
    double radius
    double begin_x
    double begin_y
    double end_x
    double end_y
    double middle_x
    double middle_y
    double reach
    double block_x
    double block_y
    double block

ctypedef Curve* CurveTable

cdef struct Rim:
    int first
    double x
    double y
    double reach

ctypedef Rim* RimTable

cdef class Curves:
    cdef CurveTable curves
    cdef Py_ssize_t curve_count
    cdef Py_ssize_t _curve_room
    cdef RimTable rims
    cdef Py_ssize_t rim_count
    cdef Py_ssize_t _rim_room
    cdef double _start_x
    cdef double _start_y
    cdef double _far
    cdef int forget(self, double x, double y, double reach) except -1
    cdef int _reserve_rims(self) except -1
    cdef int _add(self, int kind, double x, double y, double radius) except -1
    cdef bint reaches(self, double x, double y, double radius) noexcept
    cdef int add_circle(self, double x, double y, double radius) except -1
    cdef int add_line(self, double ax, double ay, double bx, double by) except -1
    cdef int add_shape(self, Shapes shapes, Py_ssize_t row, double x, double y, double margin, double focus_x, double focus_y, double near) except -1
    cdef int _add_arc(self, ArcTable arcs, Py_ssize_t arc, double x, double y, double margin, double focus_x, double focus_y, double near) except -1
    cdef bint _is_within(self, double x, double y, double far) noexcept
    cdef int add_edge(self, double ax, double ay, double bx, double by, double focus_x, double focus_y, double near) except -1
    cdef int close_rim(self) except -1
    cdef int close_blocks(self, Py_ssize_t first) except -1
    cdef int _close_block(self, Py_ssize_t first, Py_ssize_t last) except -1
    cdef bint _faces(self, Py_ssize_t curve, double x, double y) noexcept
    cdef (double, double) along(self, Py_ssize_t curve, double share) noexcept
