from libc.math cimport sqrt

from geometry.core.critical_points cimport CriticalPoints, Spot
from geometry.core.end_ground cimport EndGround, offer_sides
from geometry.core.shapes cimport Shape, Shapes

cdef double LINE_SLACK_INCHES, PLACE_SLACK_INCHES

cdef class FreePlaces:
    cdef EndGround ground
    cdef Shapes beside
    cdef list groups
    cdef list lacking
    cdef double spacing
    cdef int need
    cdef CriticalPoints points
    cdef int _lay(self, double x, double y) except -1
    cdef bint _joins(self, double x, double y) except -1
