from libc.math cimport sqrt

from geometry.core.arcs cimport Arc, ArcTable
from geometry.core.climb cimport climb_along, climb_of, profile, spans_of
from geometry.core.frontier cimport Frontier, Step, StepTable
from geometry.core.rim cimport around, onward, place_facing, place_near, point_at
from geometry.core.shapes cimport INFINITE, Shape, Shapes, ShapeTable
from geometry.core.tangents cimport VisibilityGraph
from geometry.core.targets cimport Stretch, Targets, StretchTable
from geometry.core.touching cimport touch, touched_arc

cdef double LINE_SLACK_INCHES, ROUNDING, TOUCHING_DEPTH_INCHES

cdef class DistanceMap(Frontier):
    cdef double low_x
    cdef double low_y
    cdef double high_x
    cdef double high_y
    cdef Py_ssize_t _via
    cdef double _via_place
    cdef double _slack
    cdef double _beyond
    cdef Py_ssize_t _touched
    cdef double _touched_place
    cdef readonly double next_x
    cdef readonly double next_y
    cdef int _note_slack(self, double x, double y) except -1
    cdef int _push_row(self, Py_ssize_t row) except -1
    cdef int _open_row(self, Py_ssize_t row) except -1
    cdef int _grow(self, double below) except -1
    cdef double _over(self, Py_ssize_t step, double x, double y, double best) except -1.0
    cdef double _over_arc(self, Py_ssize_t step, Py_ssize_t arc, double x, double y, double best) except -1.0
    cpdef double left(self, double x, double y, double most) except -1.0
