from libc.stdlib cimport free, realloc

from geometry.core.arcs cimport Arc, faces, ArcTable
from geometry.core.climb cimport climb_along, climb_of, height_at
from geometry.core.rim cimport onward, place_facing
from geometry.core.shapes cimport INFINITE, Shape, Shapes, ShapeTable
from geometry.core.tangents cimport Tangent, Tangents, VisibilityGraph, TangentTable
from geometry.core.targets cimport Stretch, Targets, StretchTable

cdef double LINE_SLACK_INCHES, PLACE_SLACK_INCHES, ROUNDING

cdef struct Entry:
    double bound
    double far
    int step
    int index

ctypedef Entry* EntryTable

cdef struct Step:
    double place
    double far
    double leaves
    double room
    double x
    double y
    int row
    int turn
    int before

ctypedef Step* StepTable

ctypedef double* LengthTable

cdef class Frontier:
    cdef readonly VisibilityGraph graph
    cdef readonly Targets targets
    cdef StepTable steps
    cdef readonly Py_ssize_t count
    cdef Py_ssize_t _step_room
    cdef EntryTable entries
    cdef Py_ssize_t waiting
    cdef Py_ssize_t _entry_room
    cdef LengthTable _best
    cdef Py_ssize_t _best_count
    cdef Py_ssize_t _best_room
    cdef list _first_best
    cdef double bound(self, double x, double y) noexcept
    cdef int _reserve_steps(self, Py_ssize_t room) except -1
    cdef int _reserve_entries(self, Py_ssize_t room) except -1
    cdef int _reserve_best(self, Py_ssize_t room) except -1
    cdef int push(self, double bound, double far, int step, int index) except -1
    cdef int pop(self) except -1
    cdef bint is_put_back(self, double bound, double climb, double x, double y, double far, int step, int index) except -1
    cdef double expand(self, int row, int turn, double place, double far, int before, double leaves, double x, double y, double limit) except -1.0
    cdef double arrive(self, int row, int turn, double place, double far, int before, double leaves, double x, double y, double limit) except -1.0
    cdef int go_on(self, int step, int index, double bound, double far, double limit) except -1
    cdef int _relax(self, Tangents tangents, Py_ssize_t first, double room, double limit) except -1
    cdef bint is_best(self, int step, Py_ssize_t index, double far) noexcept
    cdef Py_ssize_t within
    cdef VisibilityGraph tangents_of(self, int step, Py_ssize_t index)
    cdef bint is_open_tangent(self, VisibilityGraph graph, int step, Py_ssize_t index) except -1
    cdef double climb_of_tangent(self, VisibilityGraph graph, int step, Py_ssize_t index) except -1.0
    cdef bint is_clear_stretch(self, Py_ssize_t index) except -1
