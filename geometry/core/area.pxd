from libc.math cimport sqrt
from libc.stdlib cimport free, realloc

from geometry.core.critical_points cimport CriticalPoints
from geometry.core.arcs cimport Arc, ArcTable, faces
from geometry.core.shapes cimport INFINITE, Shape, Shapes

cdef double ROUNDING

cdef struct Border:
    double ax
    double ay
    double bx
    double by
    double along_x
    double along_y
    double length
    bint turns_right

ctypedef Border* BorderTable

cdef struct Chain:
    int first
    double x
    double y
    double reach
    double low_y
    double high_y

ctypedef Chain* ChainTable

cdef class Area:
    cdef BorderTable edges
    cdef readonly Py_ssize_t count
    cdef ChainTable chains
    cdef Py_ssize_t chain_count
    cdef int _reserve(self, Py_ssize_t edges, Py_ssize_t chains) except -1
    cdef int _add_ring(self, corners) except -1
    cdef int _add_edge(self, double ax, double ay, double bx, double by) except -1
    cdef int _add_chain(self, Py_ssize_t first, Py_ssize_t end) except -1
    cpdef bint holds(self, double x, double y) noexcept
    cpdef double gap(self, double x, double y) noexcept
    cpdef bint has_whole(self, Shapes base, double x, double y, double slack) noexcept
    cdef int lay(self, CriticalPoints points, Shapes base, double margin, double x, double y, double near) except -1
    cdef int _cross_chain(self, CriticalPoints points, Py_ssize_t first) except -1
    cdef int _lay_edge(self, CriticalPoints points, Shapes base, Py_ssize_t edge, double margin, double x, double y, double near) except -1

cdef (double, double, double) support(Shapes base, double x, double y) noexcept
