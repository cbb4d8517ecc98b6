from geometry.core.shapes cimport Shapes

cpdef int put_gaps(Shapes shape, double at_x, double at_y, double radius, const double[::1] points, double[::1] found, Py_ssize_t first, Py_ssize_t step) except -1
