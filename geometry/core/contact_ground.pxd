from geometry.core.critical_points cimport CriticalPoints
from geometry.core.distance_map cimport DistanceMap
from geometry.core.end_ground cimport EndGround
from geometry.core.shapes cimport INFINITE, Shape, Shapes
from geometry.core.tangents cimport VisibilityGraph
from geometry.core.unit_ground cimport TargetGround, add_rims

cdef double PLACE_SLACK_INCHES

cdef class ContactGround(TargetGround):
    cdef readonly Shapes rings
    cdef readonly list firsts
    cdef readonly double reach
    cdef double untouched
    cdef double apart(self, Py_ssize_t row, double x, double y) noexcept
    cdef bint is_within(self, Py_ssize_t group, double x, double y) except -1
    cdef double range_gap(self, Py_ssize_t group, double x, double y) except? -1.0
