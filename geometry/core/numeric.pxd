cdef double TURN
cdef double HALF_TURN
cdef double QUARTER_TURN

cpdef double turned(double ax, double ay, double bx, double by) noexcept
cpdef (double, double) rotated(double x, double y, double angle) noexcept
cpdef double angle_of(double x, double y) noexcept
cpdef (double, double) way_of(double angle) noexcept
cpdef int put_angles(const double[::1] ways, double[::1] found) except -1
cpdef int put_ways(const double[::1] angles, double[::1] found) except -1
cpdef double sum_of(numbers) except? -1.0
