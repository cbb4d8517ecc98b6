from libc.math cimport sqrt
from libc.stdlib cimport free, realloc

from geometry.core.arcs cimport Arc, ArcTable
from geometry.core.numeric cimport rotated, turned
from geometry.core.shapes cimport Shape, Shapes

cdef int CIRCLE
cdef int EDGE

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

cdef struct Spot:
    double x
    double y
    double left

ctypedef Spot* SpotTable

cdef class CriticalPoints:
    cdef CurveTable curves
    cdef Py_ssize_t curve_count
    cdef Py_ssize_t _curve_room
    cdef RimTable rims
    cdef Py_ssize_t rim_count
    cdef Py_ssize_t _rim_room
    cdef SpotTable spots
    cdef Py_ssize_t count
    cdef Py_ssize_t _spot_room
    cdef double _start_x
    cdef double _start_y
    cdef double _reach
    cdef double _far
    cdef int begin(self, double x, double y, double reach) except -1
    cdef int _reserve_rims(self) except -1
    cdef int _add(self, int kind, double x, double y, double radius) except -1
    cdef int offer(self, double x, double y) except -1
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
    cdef (double, double) along(self, Py_ssize_t curve, double share) noexcept
    cdef Py_ssize_t least(self) noexcept
    cdef double _square(self, Py_ssize_t spot) noexcept
    cdef int drop(self, Py_ssize_t spot) noexcept
