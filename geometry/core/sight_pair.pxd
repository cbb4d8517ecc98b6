from geometry.core.sight_bodies cimport UprightBodies
from geometry.core.sight_land cimport SightLand


cdef double FAR

cdef class SightPair:
    cdef readonly SightLand land
    cdef readonly UprightBodies q, p
    cdef Py_ssize_t i, j
    cdef double qx, qy, px, py, ex, ey, apart, widest
    cdef double eye_foot, eye_top, goal_foot, goal_top
    # what comes between
    cdef Py_ssize_t count
    cdef bint some_raised
    cdef int[::1] part, closes, lid
    cdef double[::1] low, high, bottom, top
    # what the last question left
    cdef double share_low, share_high

    cdef void look(self, Py_ssize_t i, Py_ssize_t j) noexcept
    cdef bint may_lie_between(self, Py_ssize_t part) noexcept
    cdef bint bars(self, Py_ssize_t piece) noexcept
    cdef bint veils(self, Py_ssize_t piece) noexcept
    cdef bint runs_between(self, double bottom, double top, double start, double end) noexcept
    cdef void find_blocks(self) noexcept
    cdef void find_shades(self) noexcept
    cdef void _add_raised_shades(self, Py_ssize_t part) noexcept
    cdef void _add(self, Py_ssize_t part, double low, double high, double bottom, double top) noexcept
    cdef void drop(self, Py_ssize_t row) noexcept
    cdef bint is_whole(self, Py_ssize_t row) noexcept
    cdef bint is_partial(self, Py_ssize_t row) noexcept
    cdef bint is_plate(self, Py_ssize_t row) noexcept
