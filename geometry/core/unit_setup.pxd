from libc.math cimport sqrt

from geometry.core.end_ground cimport EndGround
from geometry.core.numeric cimport sum_of
from geometry.core.room_search cimport RoomSearch
from geometry.core.shapes cimport INFINITE, Shape, Shapes
from geometry.core.spot_pool cimport SpotPool, rounded

cdef double TOLERANCE

cdef class UnitSetup:
    cdef list kinds
    cdef list own
    cdef list wider
    cdef list needs
    cdef bint is_front
    cdef Py_ssize_t count
    cdef list best
    cdef Py_ssize_t left_out
    cdef Py_ssize_t beyond
    cdef double first
    cdef double sum
    cdef _seeds(self, pools)
    cdef _filled(self, pools, begun, rows, bint may_stop)
    cdef _set_down(self, SpotPool pool, Py_ssize_t kind, found)
    cdef double _far_of(self, Py_ssize_t row, double x, double y) except? -1.0
    cdef _nearness(self, far)
    cdef bint _is_hopeless(self, far) except -1
    cdef _crammed(self, pools, Py_ssize_t least)
    cdef bint _consider(self, found) except -1
