from libc.math cimport sqrt

from geometry.core.numeric cimport TURN, turned

cdef double DIRECTION_SLACK_RADIANS, ROUNDING, TOLERANCE

cdef struct Arc:
    double centre_x
    double centre_y
    double radius
    double begin_x
    double begin_y
    double end_x
    double end_y
    double sweep
    double place
    double edge
    double held_x
    double held_y
    double held
    int following

ctypedef Arc* ArcTable

cdef bint faces(ArcTable arcs, Py_ssize_t arc, double x, double y) noexcept
cdef bint may_touch(ArcTable arcs, Py_ssize_t arc, double x, double y) noexcept
cdef Py_ssize_t arc_facing(ArcTable arcs, Py_ssize_t first, Py_ssize_t count, double x, double y) noexcept
cdef double sweep_left(ArcTable arcs, Py_ssize_t arc, double x, double y) noexcept
cdef bint _is_beyond_half(double from_x, double from_y, double x, double y) noexcept
cdef (double, Py_ssize_t) outmost(ArcTable arcs, Py_ssize_t low, Py_ssize_t high, double x, double y, double found, Py_ssize_t at) noexcept
cdef double _most_along(ArcTable arcs, Py_ssize_t low, Py_ssize_t high, double x, double y) noexcept
cdef bint are_parted(ArcTable arcs, Py_ssize_t low, Py_ssize_t high, double ax, double ay, double bx, double by, double slack) noexcept
cdef bint _arc_parts(ArcTable arcs, Py_ssize_t arc, double ax, double ay, double bx, double by, double slack) noexcept
cdef bint _parts(ArcTable arcs, Py_ssize_t arc, double near_x, double near_y, double other_x, double other_y, double radius) noexcept
