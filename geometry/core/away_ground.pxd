from libc.math cimport sqrt

from geometry.core.critical_points cimport CriticalPoints
from geometry.core.numeric cimport rotated
from geometry.core.end_ground cimport EndGround
from geometry.core.shapes cimport INFINITE, Shape, Shapes
from geometry.core.tangents cimport VisibilityGraph
from geometry.core.unit_ground cimport AIMS, KindGround, outward

cdef double ROUNDING, TOLERANCE

cdef class AwayGround(KindGround):
    cdef readonly Shapes threats
    cdef double far
    cdef double _start_x
    cdef double _start_y
    cdef double _limit
    cdef list _nearest
    cdef int _offer_midway(self, CriticalPoints points, double length) except -1
    cdef Py_ssize_t _nearest_at(self, double off_x, double off_y) noexcept
