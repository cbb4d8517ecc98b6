from libc.math cimport sqrt

from geometry.core.arcs cimport Arc, ArcTable, arc_facing, faces, may_touch
from geometry.core.shapes cimport Shape, Shapes, ShapeTable

cdef double PLACE_SLACK_INCHES, TOLERANCE

cdef Py_ssize_t touched_arc(Shapes shapes, Py_ssize_t row, double x, double y, int side) noexcept
cdef (double, double, double) touch(ArcTable arcs, Py_ssize_t arc, double x, double y, int side, double slack) noexcept
