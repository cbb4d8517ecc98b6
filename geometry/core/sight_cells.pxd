from geometry.core.sight_bodies cimport UprightBodies
from geometry.core.sight_land cimport SightLand
from geometry.core.sight_pair cimport FAR, SightPair
from geometry.core.sight_shadow cimport Umbra

cdef double DIRECTION_SLACK_RADIANS, PLACE_SLACK_INCHES, ROUNDING, SLIVER_INCHES


cdef class Cells:
    cdef SightPair pair
    cdef SightLand land
    cdef UprightBodies q, p
    cdef Umbra umbra
    # the rows of the pair that are asked, which of them take part, and in which veils nothing is asked
    cdef Py_ssize_t count
    cdef int[::1] rows, taking, spared
    cdef bint some_low, some_high
    # points past which a line may graze
    cdef Py_ssize_t anchors
    cdef double[::1] at_x, at_y
    # lines at which the view of a point changes
    cdef Py_ssize_t lines
    cdef double[::1] nx, ny, limit
    cdef int[::1] present
    cdef int[::1] owners

    cdef bint hides(self)
    cdef bint find_hiding(self, bint first_only)
    cdef void _find_anchors(self) noexcept
    cdef void _find_lines(self)
    cdef void _add_line(self, double x, double y, double dx, double dy)
    cdef void _add_half_plane(self, double nx, double ny, double limit)
    cdef bint _is_hiding(self, double x, double y) noexcept
    cdef bint _any_hiding_on(self, Py_ssize_t k, bint first_only)
    cdef bint _any_hiding_at(self, Py_ssize_t i, Py_ssize_t k, bint first_only)
    cdef bint _is_hidden(self, double x, double y) noexcept
    cdef bint _sees_along(self, double x, double y, double ux, double uy) noexcept
    cdef bint _sees_from(self, double eye_x, double eye_y, double x, double y) noexcept
    cdef bint _sees_over(self, double x, double y, Py_ssize_t row, double share) noexcept
