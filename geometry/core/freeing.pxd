from geometry.core.arcs cimport Arc, ArcTable
from geometry.core.shapes cimport INFINITE, Shape, Shapes, ShapeTable

cdef double MOST_MITRE

cpdef int leave_out_covered(Shapes shapes, double slack) except -1
cdef bint _lies_in(Shapes shapes, Py_ssize_t row, Py_ssize_t other, double slack) noexcept
cpdef Shapes freed(Shapes shapes, double x, double y, double touch, double slack)
cdef Shapes narrowed(Shapes shapes, double depth)
cdef double _depth(Shapes shapes, Py_ssize_t row, double x, double y) noexcept
cdef int _put_inset(Shapes shapes, Py_ssize_t row, Py_ssize_t first, Py_ssize_t source, double depth) except -1
