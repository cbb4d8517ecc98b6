from geometry.core.sight_bodies cimport UprightBodies
from geometry.core.sight_land cimport SightLand
from geometry.core.sight_line cimport FreeLine
from geometry.core.sight_pair cimport FAR, SightPair
from geometry.core.sight_section cimport free_section

cdef double LINE_SLACK_INCHES, ROUNDING, TOLERANCE


cdef class Brink:
    cdef Py_ssize_t part
    cdef double nx, ny, limit, share
    cdef bint far_q


cdef class LowLine:
    cdef FreeLine line
    cdef SightPair pair
    cdef SightLand land
    cdef UprightBodies q, p
    # a direction, as a slope against the way from middle to middle, and a line along it
    cdef double ux, uy, x, y
    cdef Py_ssize_t hold
    cdef double slope_low, slope_high

    cdef bint is_free(self)
    cdef bint _lines_past(self)
    cdef bint _is_intricate(self) noexcept
    cdef bint _one_shuts_all(self)
    cdef list _brinks(self)
    cdef void _turn(self, double slope) noexcept
    cdef void _hold_line(self, double slope) noexcept
    cdef double _beyond(self, Brink brink) noexcept
    cdef double _over(self, Brink brink, double slope) noexcept
    cdef void _find_slopes(self) noexcept
    cdef void _narrow(self, double ox, double oy, double reach) noexcept
    cdef bint _on_one(self, Brink brink)
    cdef bint _at_root(self, Brink brink, double low, double high, double at_low, double at_high)
    cdef bint _at_dip(self, Brink brink, double low, double high, double at_low, double at_high)
    cdef bint _on_two(self, Brink one, Brink two)
    cdef bint _current_is_free(self)
