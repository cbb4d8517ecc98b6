from geometry.core.critical_points cimport CriticalPoints, Spot
from geometry.core.shapes cimport INFINITE
from geometry.core.unit_contact cimport UnitContact
from geometry.core.unit_models cimport Model, Option

cdef double PLACE_SLACK_INCHES

cdef double NEAR

cdef class UnitPolish(UnitContact):
    cdef list best
    cdef double best_total
    cdef int forget(self) except -1
    cdef int keep(self) except -1
    cdef int load(self) except -1
    cdef int polish(self, order, int rounds) except -1
    cdef bint _exchange(self, order) except -1
    cdef bint _exchange_one(self, Py_ssize_t model) except -1
    cdef int _held(self, Py_ssize_t model, double x, double y) noexcept
    cdef bint _press(self, Py_ssize_t model, double x, double y, double left) except -1
