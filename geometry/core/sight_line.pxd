from geometry.core.sight_bodies cimport UprightBodies
from geometry.core.sight_land cimport SightLand
from geometry.core.sight_pair cimport FAR, SightPair


cdef class FreeLine:
    cdef SightPair pair
    cdef SightLand land
    cdef UprightBodies q, p
    # the free line that was found
    cdef double start_x, start_y, end_x, end_y, start_z, end_z
    # points on which a free line may be stuck
    cdef Py_ssize_t points
    cdef double[::1] at_x, at_y
    cdef int[::1] present
    # from which end lines over low parts may begin
    cdef bint from_far, to_far, some_low, loose
    cdef Py_ssize_t last_shut
    cdef double near_qx, near_qy, far_qx, far_qy, near_px, near_py, far_px, far_py
    cdef list tried

    cdef bint is_free(self)
    cdef bint chords(self, double x, double y, double ux, double uy, bint within) noexcept
    cdef bint shuts(self, Py_ssize_t row, double sx, double sy, double ex, double ey) noexcept
    cdef bint line_is_free(self, double x, double y, double ux, double uy)
    cdef bint joins(self, double sx, double sy, double ex, double ey)
    cdef void find_points(self) noexcept
    cdef bint _is_free_within(self, double x, double y, double ux, double uy)
    cdef bint _chords_are_free(self)
    cdef bint _stretch_is_free(self, double sx, double sy, double ex, double ey) noexcept
    cdef bint _first_lines(self)
    cdef void _add_crossings(self, UprightBodies bodies, Py_ssize_t body, Py_ssize_t border) noexcept
    cdef bint _critical_lines(self)
    cdef bint _tangents_from(self, Py_ssize_t k, UprightBodies bodies, Py_ssize_t row)
    cdef bint _comes_near(self, double x, double y, double ux, double uy, double length) noexcept
