from geometry.core.contact_ground cimport ContactGround
from geometry.core.critical_points cimport CriticalPoints, Spot
from geometry.core.shapes cimport INFINITE, Shapes
from geometry.core.unit_ground cimport KindGround
from geometry.core.unit_models cimport Model, Option
from geometry.core.unit_spots cimport EVERYWHERE, UnitSpots

cdef int FREE
cdef int EVERY

cdef class UnitContact(UnitSpots):
    cdef readonly Py_ssize_t groups
    cdef bint is_any
    cdef double closer
    cdef bint is_kept
    cdef int duty
    cdef ContactGround _contact(self, Py_ssize_t option)
    cdef bint _does_duty(self, Py_ssize_t model, double x, double y) except -1
    cdef bint _is_closer(self, Py_ssize_t model, double x, double y) except -1
    cdef int unmet(self) except -1
    cdef bint is_met(self, Py_ssize_t group) except -1
    cdef list nearest_to_group(self, Py_ssize_t group)
    cdef list hardest_groups(self)
    cdef bint may_meet(self) except -1
    cdef bint _has_place(self) except -1
