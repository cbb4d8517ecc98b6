from geometry.core.sight_bodies cimport UprightBodies
from geometry.core.sight_height cimport LowLine
from geometry.core.sight_land cimport SightLand
from geometry.core.sight_line cimport FreeLine
from geometry.core.sight_pair cimport SightPair


cdef class Lines:
    cdef SightPair pair
    cdef FreeLine line
    cdef LowLine low

    cpdef bytearray seen(self)
    cdef bint _is_free(self)
