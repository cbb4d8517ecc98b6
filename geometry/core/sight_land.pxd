from geometry.core.sight_bodies cimport UprightBodies


cdef class SightLand:
    cdef readonly Py_ssize_t parts, pieces, corners, borders, most_sides
    cdef readonly bint asks_where
    cdef readonly double tolerance
    # parts: their sides, and corners with them, from `first` on
    cdef int[::1] first, owner, other, closes, hangs
    cdef double[::1] bottom, top, middle_x, middle_y, reach
    cdef double[::1] normal_x, normal_y, offset, corner_x, corner_y
    # pieces: their borders from `border_first` on, those of the footprint first
    cdef int[::1] boundless, veil, solid, convex, border_first, walls_first
    cdef double[::1] piece_x, piece_y, piece_reach
    # the corners of footprints and the ends of walls
    cdef double[::1] point_x, point_y
    cdef int[::1] point_owner
    cdef double[::1] start_x, start_y, end_x, end_y
    # what the last cut left
    cdef double enter, leave

    cdef bint cut(self, Py_ssize_t part, double sx, double sy, double ex, double ey) noexcept
    cdef bint lies_under(self, Py_ssize_t part, UprightBodies bodies, Py_ssize_t row) noexcept
    cpdef void take_in(self, UprightBodies bodies)
    cdef void _stand(self, UprightBodies bodies, Py_ssize_t row, Py_ssize_t piece) noexcept
