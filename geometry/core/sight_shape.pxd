cdef double ROUNDING, TOUCHING_DEPTH_INCHES
cdef class ArcShape:
    cdef readonly Py_ssize_t count
    cdef readonly double reach, inner
    cdef double first, tolerance
    cdef double[::1] arcs, keys
    # what the last question left
    cdef double way_x, way_y
    cdef bint touches

    cdef Py_ssize_t arc(self, double x, double y) noexcept
    cdef double support(self, double x, double y) noexcept
    cdef double leave(self, double level, double ux, double uy, double wide) noexcept
    cdef bint tangent(self, double x, double y, double side, double wide) noexcept
    cdef double nearness(self, double x, double y, double wide) noexcept
    cdef double _toward(self, Py_ssize_t arc, double x, double y, double side, double wide) noexcept
    cdef double _excess(self, double x, double y, double side, double wide) noexcept
    cdef double _inner(self) noexcept


cdef double bearing(double x, double y) noexcept
