from libc.math cimport sqrt
from libc.stdlib cimport free, realloc

from geometry.core.arcs cimport Arc, ArcTable, are_parted, faces, outmost
from geometry.core.numeric cimport TURN, turned

cdef double PLACE_SLACK_INCHES, ROUNDING

cdef double INFINITE

cdef struct Shape:
    double middle_x
    double middle_y
    double reach
    double inner
    double perimeter
    double height
    ArcTable arcs
    int first
    int count
    int cover
    bint absent

ctypedef Shape* ShapeTable

cdef class Shapes:
    cdef readonly Py_ssize_t count
    cdef readonly Py_ssize_t shared
    cdef readonly Py_ssize_t climbable
    cdef readonly double low_x
    cdef readonly double low_y
    cdef readonly double high_x
    cdef readonly double high_y
    cdef readonly Shapes base
    cdef ShapeTable shapes
    cdef ArcTable own_arcs
    cdef int count_climbable(self) except -1
    cdef int reserve(self, Py_ssize_t shapes, Py_ssize_t arcs) except -1
    cdef int _put(self, Py_ssize_t row, Py_ssize_t first, double x, double y, double radius, rim) except -1
    cdef int measure(self, Py_ssize_t row) except -1
    cdef int _share(self, Py_ssize_t row, Shapes base) except -1
    cdef double _farthest(self, Py_ssize_t row, Py_ssize_t arc) noexcept
    cdef bint _comes_near(self, Py_ssize_t row, double ax, double ay, double bx, double by, double slack) noexcept
    cdef (double, Py_ssize_t) nearest(self, Py_ssize_t row, double x, double y) noexcept
    cpdef double gap(self, Py_ssize_t row, double x, double y) noexcept
    cpdef double least_gap(self, double x, double y) noexcept
    cpdef bint is_on_board(self, double x, double y) noexcept
    cpdef Py_ssize_t holder(self, double x, double y, double slack, Py_ssize_t but, Py_ssize_t first) noexcept
    cpdef bint is_open(self, double x, double y, double slack, Py_ssize_t but) noexcept
    cpdef bint enters(self, Py_ssize_t row, double ax, double ay, double bx, double by, double slack) noexcept
    cpdef Py_ssize_t blocker(self, double ax, double ay, double bx, double by, double slack, Py_ssize_t first) noexcept
    cpdef bint is_clear(self, double ax, double ay, double bx, double by, double slack) noexcept
