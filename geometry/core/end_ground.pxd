from geometry.core.area cimport Area
from geometry.core.critical_points cimport CriticalPoints
from geometry.core.curves cimport CIRCLE, EDGE, Curve, Rim
from geometry.core.shapes cimport Shape, Shapes

cdef double LINE_SLACK_INCHES, PLACE_SLACK_INCHES, TOLERANCE


cdef class EndGround:
    cdef readonly Shapes stand
    cdef readonly Shapes base
    cdef readonly Area area
    cpdef bint stands(self, double x, double y) noexcept
    cdef Py_ssize_t lay(self, CriticalPoints points, double x, double y, double near) except -1
    cdef int _drop_hidden(self, CriticalPoints points, Py_ssize_t row, Py_ssize_t first) except -1
    cdef bint _is_hidden(self, double x, double y, double reach, others) except -1

cdef int offer_sides(CriticalPoints points) except -1
