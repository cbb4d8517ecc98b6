from libc.math cimport sqrt

from geometry.core.area cimport support
from geometry.core.critical_points cimport CriticalPoints, Spot
from geometry.core.end_ground cimport EndGround

cdef double LINE_SLACK_INCHES, PLACE_SLACK_INCHES

cpdef list free_stretches(EndGround ground, double ax, double ay, double bx, double by)
cdef list _on_left(EndGround ground, double x, double y, double along_x, double along_y, double length)
cdef list _cuts(EndGround ground, double x, double y, double along_x, double along_y, double room)
cdef list _joined(list stretches)
