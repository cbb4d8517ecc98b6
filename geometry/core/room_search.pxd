from geometry.core.spot_pool cimport SpotPool, rounded

cdef class RoomSearch:
    cdef list kinds
    cdef list pools
    cdef int need
    cdef dict known
    cdef int left
    cdef bint is_cut
    cdef _filled(self, taken, rows, int spare)
    cdef _beside(self, taken, Py_ssize_t kind, rows, int spare)
    cdef bint _is_known(self, taken, int spare) except -1
