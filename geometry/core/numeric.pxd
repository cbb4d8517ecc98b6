cdef double TURN
cdef double HALF_TURN
cdef double QUARTER_TURN

cpdef double turned(double ax, double ay, double bx, double by) noexcept
cpdef (double, double) rotated(double x, double y, double angle) noexcept
