from geometry.core.sight_shape cimport ArcShape

cdef double ROUNDING


cdef class UprightBodies:
    cdef readonly Py_ssize_t count
    cdef double tolerance
    cdef double[::1] x, y, radius, reach, inner, foot, top
    cdef int[::1] sees_over, sees_out
    cdef list shapes
    # what a landscape tells of each
    cdef int[::1] partly, wholly
    cdef unsigned long long[::1] beyond
    # what the last question left
    cdef double px, py, low, high, way_x, way_y
    cdef double[::1] crossing

    cdef double far(self, Py_ssize_t row, double nx, double ny) noexcept
    cdef void touch(self, Py_ssize_t row, double nx, double ny) noexcept
    cdef bint chord(self, Py_ssize_t row, double x, double y, double ux, double uy) noexcept
    cdef bint chord_within(self, Py_ssize_t row, double x, double y, double ux, double uy) noexcept
    cdef bint _disc_chord(
        self, Py_ssize_t row, double x, double y, double ux, double uy, double radius
    ) noexcept
    cdef Py_ssize_t crossings(self, Py_ssize_t row, double sx, double sy, double ex, double ey) noexcept
    cdef bint has_tangents(self, Py_ssize_t row, double x, double y) noexcept
    cdef bint tangent(self, Py_ssize_t row, double x, double y, double side) noexcept
    cdef bint holds(self, Py_ssize_t row, double x, double y, double margin) noexcept
    cdef bint overlaps(self, Py_ssize_t row, UprightBodies other, Py_ssize_t column) noexcept
    cdef bint crossed(self, Py_ssize_t row, double sx, double sy, double ex, double ey) noexcept


cdef double apart_from(double x, double y, double sx, double sy, double ex, double ey) noexcept
