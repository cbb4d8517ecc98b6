from libc.math cimport sqrt

from geometry.core.arcs cimport Arc, ArcTable, faces
from geometry.core.climb cimport climb_of
from geometry.core.critical_points cimport CriticalPoints, Spot
from geometry.core.curves cimport Curve
from geometry.core.distance_map cimport DistanceMap
from geometry.core.end_ground cimport EndGround
from geometry.core.frontier cimport Step, StepTable
from geometry.core.shapes cimport INFINITE, Shape, Shapes
from geometry.core.tangents cimport VisibilityGraph
from geometry.core.targets cimport Targets
from geometry.core.unit_ground cimport KindGround
from geometry.core.unit_models cimport Model, Models, Option

cdef double LINE_SLACK_INCHES, PLACE_SLACK_INCHES, ROUNDING, TOLERANCE

cdef double EVERYWHERE

cdef class UnitSpots(Models):
    cdef readonly list grounds
    cdef CriticalPoints points
    cdef list _graphs
    cdef list _ways
    cdef readonly long long work
    cdef bint is_packed
    cdef bint _has_extra
    cdef double _extra_x
    cdef double _extra_y
    cdef KindGround ground(self, Py_ssize_t model)
    cdef VisibilityGraph _graph_of(self, Py_ssize_t model)
    cdef DistanceMap _ways_of(self, Py_ssize_t model)
    cdef int measure(self) except -1
    cdef int _measure_option(self, Py_ssize_t model, Py_ssize_t option) except -1
    cdef bint stands(self, Py_ssize_t model, double x, double y) except -1
    cdef double left_at(self, Py_ssize_t model, double x, double y, double most) except -1.0
    cdef bint reaches(self, Py_ssize_t model, double x, double y) except -1
    cdef bint _goes_straight(self, VisibilityGraph graph, Py_ssize_t model, double x, double y) except -1
    cdef int lay(self, Py_ssize_t model, double x, double y, double near) except -1
    cdef int _add_friends(self, Py_ssize_t model, double x, double y, double near) except -1
    cdef int _offer_bends(self, Py_ssize_t model) except -1
    cdef int _offer_bend(self, DistanceMap ways, double limit, Py_ssize_t curve, double inside, double outside) except -1
    cdef int keep_good(self, Py_ssize_t model, double below) except -1
    cdef bint _touches(self, Py_ssize_t model, double x, double y) noexcept
    cdef bint take_best(self, Py_ssize_t model, double below, bint together, double near) except -1
    cdef bint take_best_near(self, Py_ssize_t model, double below, bint together, double near) except -1
