from libc.math cimport sqrt

from geometry.core.arcs cimport Arc, ArcTable, faces
from geometry.core.distance_map cimport DistanceMap
from geometry.core.end_ground cimport EndGround
from geometry.core.shapes cimport INFINITE, Shape, Shapes
from geometry.core.tangents cimport VisibilityGraph
from geometry.core.targets cimport Targets

cdef double GAIN

cdef class KindGround:
    cdef readonly VisibilityGraph graph
    cdef readonly EndGround ends
    cdef readonly DistanceMap field
    cdef readonly double nearest_x
    cdef readonly double nearest_y
    cdef double crow(self, double x, double y) noexcept
    cdef DistanceMap field_from(self, double x, double y)
