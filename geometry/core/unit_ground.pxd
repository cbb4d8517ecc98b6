from libc.math cimport sqrt

from geometry.core.arcs cimport Arc, ArcTable, faces
from geometry.core.distance_map cimport DistanceMap
from geometry.core.shapes cimport INFINITE, Shape, Shapes
from geometry.core.tangents cimport VisibilityGraph
from geometry.core.targets cimport Targets

cdef double GAIN
cdef double STAND_SLACK

cdef class KindGround:
    cdef readonly VisibilityGraph graph
    cdef readonly Shapes stand
    cdef readonly DistanceMap field
    cdef readonly list areas
    cdef bint stands(self, double x, double y) except -1
    cdef bint _is_in_area(self, double x, double y) except -1
    cdef readonly double nearest_x
    cdef readonly double nearest_y
    cdef double crow(self, double x, double y) noexcept
    cdef DistanceMap field_from(self, double x, double y)
