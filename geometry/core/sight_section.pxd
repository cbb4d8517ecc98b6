from geometry.core.sight_land cimport SightLand
from geometry.core.sight_line cimport FreeLine
from geometry.core.sight_pair cimport FAR, SightPair

cdef double ROUNDING


cdef class Section:
    cdef SightPair pair
    cdef double length, first, last, eye_foot, eye_top, goal_foot, goal_top
    cdef double[::1] enter, leave
    # a line of sight, as height over the ground line, and where it runs between two heights
    cdef double rise, foot, low, high

    cdef bint _is_free(self, FreeLine line)
    cdef list _corners(self)
    cdef void _run_between(self, double floor, double roof) noexcept
    cdef bint _shuts(self, Py_ssize_t row, double start, double end) noexcept
    cdef double _off_plates(self, double level, double step) noexcept


cdef bint free_section(FreeLine line)
