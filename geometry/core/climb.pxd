from libc.math cimport sqrt

from geometry.core.arcs cimport Arc, ArcTable, faces
from geometry.core.rim cimport add_crossings, around, point_at
from geometry.core.shapes cimport INFINITE, Shape, Shapes

cdef double PLACE_SLACK_INCHES, ROUNDING, TOLERANCE


cpdef double height_at(Shapes shapes, double x, double y) noexcept
cpdef double climb_of(Shapes shapes, double ax, double ay, double bx, double by) except -1.0
cdef list spans_of(Shapes shapes, double ax, double ay, double bx, double by)
cdef list profile(list spans)
cdef double _highest(list spans, double share) except -1.0
cdef (double, double) _span(Shapes shapes, Py_ssize_t row, double ax, double ay, double bx, double by) noexcept
cdef (double, double) _crossed(Shapes shapes, Py_ssize_t row, double x, double y, double along_x, double along_y) noexcept
cdef list heights_along(Shapes shapes, Shapes covers, Py_ssize_t row)
cdef double climb_along(list heights, double perimeter, double place, double far, int turn) except -1.0
