from libc.math cimport sqrt

from geometry.core.arcs cimport Arc, ArcTable
from geometry.core.climb cimport climb_along, climb_of
from geometry.core.frontier cimport Frontier, Step, StepTable
from geometry.core.rim cimport legs_along, onward, place_facing, place_near, point_at
from geometry.core.shapes cimport INFINITE, Shape, Shapes, ShapeTable
from geometry.core.tangents cimport VisibilityGraph
from geometry.core.targets cimport Stretch, Targets, StretchTable
from geometry.core.touching cimport touch, touched_arc

cdef double LINE_SLACK_INCHES, ROUNDING

cdef class Search(Frontier):
    cdef list _ranges
    cdef readonly double length
    cdef double start_x
    cdef double start_y
    cdef int _begin(self, double limit) except -1
    cdef int _leave_rim(self, int index, double limit) except -1
    cdef int _push_touched(self, Py_ssize_t row, double limit) except -1
    cdef int _push_arc(self, Py_ssize_t row, Py_ssize_t arc, int turn, double limit) except -1
    cdef int _leave(self, int index, double bound, double far, double limit) except -1
    cdef _traced(self, int step, Py_ssize_t stretch)
