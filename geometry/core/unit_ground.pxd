from libc.math cimport sqrt

from geometry.core.arcs cimport Arc, ArcTable, faces
from geometry.core.critical_points cimport CriticalPoints
from geometry.core.distance_map cimport DistanceMap
from geometry.core.frontier cimport Step, StepTable
from geometry.core.end_ground cimport EndGround
from geometry.core.shapes cimport INFINITE, Shape, Shapes
from geometry.core.tangents cimport VisibilityGraph
from geometry.core.targets cimport Targets

cdef double PLACE_SLACK_INCHES, ROUNDING

cdef int AIMS

cdef int add_rims(CriticalPoints points, Shapes shapes, Py_ssize_t count, double x, double y, double near) except -1

cdef (double, double) outward(Shapes shapes, Py_ssize_t row, double x, double y) noexcept

cdef class KindGround:
    cdef readonly VisibilityGraph graph
    cdef readonly EndGround ends
    cdef double began
    cdef double least
    cdef double aim_x
    cdef double aim_y
    cdef double next_x
    cdef double next_y
    cdef bint is_closed
    cdef bint is_wide
    cdef int expect(self, double x, double y, double limit) except -1
    cdef double left(self, double x, double y, double most, bint is_closed) except -1.0
    cdef int begin(self, double x, double y, double limit) except -1
    cdef int add_curves(self, CriticalPoints points, double x, double y, double near) except -1
    cdef int offer_aims(self, CriticalPoints points, double x, double y) except -1
    cdef int offer_feet(self, CriticalPoints points, double x, double y, double limit) except -1

cdef class TargetGround(KindGround):
    cdef readonly DistanceMap field
    cdef double nearest_x
    cdef double nearest_y
    cdef double crow(self, double x, double y) noexcept
    cdef DistanceMap _field_from(self, double x, double y)
