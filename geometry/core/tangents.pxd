from libc.math cimport sqrt
from libc.stdlib cimport free, realloc

from geometry.core.arcs cimport Arc, ArcTable, arc_facing, faces, sweep_left
from geometry.core.climb cimport climb_of, heights_along
from geometry.core.freeing cimport freed, narrowed
from geometry.core.rim cimport add_board_crossings, add_crossings, around, place_facing, point_at
from geometry.core.shapes cimport INFINITE, Shape, Shapes, ShapeTable

cdef double LINE_SLACK_INCHES, PLACE_SLACK_INCHES, ROUNDING, SLIVER_INCHES, TOLERANCE, TOUCHING_DEPTH_INCHES


cdef struct Tangent:
    double leaves
    double arrives
    double length
    double start_x
    double start_y
    double end_x
    double end_y
    int row
    int turn
    int blocker
    double climb

ctypedef Tangent* TangentTable

cdef class Tangents:
    cdef TangentTable rows
    cdef readonly Py_ssize_t count
    cdef Py_ssize_t room
    cdef Py_ssize_t shared
    cdef int _reserve(self, Py_ssize_t room) except -1
    cdef int _copy(self, Tangents other, bint same_climbs) except -1

cdef class VisibilityGraph:
    cdef readonly Shapes shapes
    cdef readonly VisibilityGraph base
    cdef readonly bint is_light
    cdef bint _leaves_out
    cdef list _tangents
    cdef list _closed
    cdef list _heights
    cdef Shapes _covers
    cdef Shapes covers(self)
    cdef readonly bint same_climbs
    cpdef VisibilityGraph freed(self, double x, double y)
    cpdef bint is_clear(self, double ax, double ay, double bx, double by) noexcept
    cdef Tangents tangents(self, Py_ssize_t row, int turn)
    cdef int _add_to(self, Tangents found, Py_ssize_t row, int turn, Py_ssize_t other, int sense) except -1
    cdef double _farther(self, ArcTable arcs, Py_ssize_t arc, ArcTable others, Py_ssize_t other, int sense, double x, double y) noexcept
    cdef int _add(self, Tangents found, Py_ssize_t row, Py_ssize_t arc, int turn, Py_ssize_t other, Py_ssize_t other_arc, int sense) except -1
    cdef Py_ssize_t blocker(self, Py_ssize_t row, int turn, Py_ssize_t index) except -3
    cdef double climb(self, Py_ssize_t row, int turn, Py_ssize_t index) except -1.0
    cdef list heights(self, Py_ssize_t row)
    cdef double open_ahead(self, Py_ssize_t row, double place, int turn) except -1.0
    cdef list closed(self, Py_ssize_t row)
    cdef bint _is_disturbed(self, Py_ssize_t row) noexcept
    cdef bint _may_meet(self, Py_ssize_t row, Py_ssize_t other) noexcept
    cdef list _closed_by(self, Py_ssize_t row, Py_ssize_t first)
