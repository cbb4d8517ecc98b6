from libc.math cimport sqrt

from geometry.core.arcs cimport Arc, faces, ArcTable
from geometry.core.numeric cimport TURN, rotated, turned
from geometry.core.shapes cimport INFINITE, Shape, Shapes, ShapeTable

cdef double PLACE_SLACK_INCHES, ROUNDING


cdef double around(double place, double perimeter) noexcept
cdef double onward(double place, double begin, int turn, double perimeter) noexcept
cdef double place_facing(ArcTable arcs, Py_ssize_t arc, double x, double y) noexcept
cdef double place_near(Shapes shapes, Py_ssize_t row, double x, double y) noexcept
cdef (double, double) point_at(Shapes shapes, Py_ssize_t row, double place) noexcept
cdef (double, double) _point_past(ArcTable arcs, Py_ssize_t arc, double past) noexcept
cdef double place_after(ArcTable arcs, Py_ssize_t arc) noexcept
cdef int add_crossings(Shapes shapes, Py_ssize_t row, Shapes others, Py_ssize_t other, places) except -1
cdef int add_board_crossings(Shapes shapes, Py_ssize_t row, places) except -1
cdef int _add_arc_crossings(Shapes shapes, Py_ssize_t row, ArcTable others, Py_ssize_t other, places) except -1
cdef int _add_edge_and_arc(ArcTable arcs, Py_ssize_t arc, ArcTable others, Py_ssize_t other, places) except -1
cdef int _add_line_crossings(Shapes shapes, Py_ssize_t row, double ax, double ay, double bx, double by, places) except -1
cdef int _add_edge_and_line(ArcTable arcs, Py_ssize_t arc, double ax, double ay, double along_x, double along_y, double length, places) except -1
cdef legs_along(Shapes shapes, Py_ssize_t row, int turn, double begin, double far)
