from geometry.core.critical_points cimport CriticalPoints, Spot
from geometry.core.shapes cimport INFINITE, Shapes
from geometry.core.tangents cimport VisibilityGraph
from geometry.core.unit_contact cimport EVERY, FREE
from geometry.core.unit_models cimport Model, Option
from geometry.core.unit_polish cimport NEAR, UnitPolish
from geometry.core.unit_ground cimport KindGround
from geometry.core.unit_spots cimport EVERYWHERE

cdef double PLACE_SLACK_INCHES, TOLERANCE

cdef class UnitPlan(UnitPolish):
    cdef double _change_cost
    cdef Py_ssize_t _change_model
    cdef double _change_x
    cdef double _change_y
    cdef double _change_left
    cdef double _apart
    cdef list _nearest_first(self)
    cdef bint _all_alone(self) except -1
    cdef Py_ssize_t _place_all(self, order, bint is_loose) except -2
    cdef bint _begin(self, order, long long budget) except -1
    cdef bint _gather(self, Py_ssize_t model) except -1
    cdef bint _take_loosely(self, Py_ssize_t model) except -1
    cdef bint _place_by_ousting(self, order) except -1
    cdef bint _oust(self, Py_ssize_t model, order) except -1
    cdef double _cost_of_ousting(self, Py_ssize_t model, double x, double y) noexcept
    cdef bint _begin_at_groups(self, order) except -1
    cdef bint _begin_with(self, rows, duties, order) except -1
    cdef bint _repair(self) except -1
    cdef int _consider_ranges(self, int missing) except -1
    cdef int _consider_neighbours(self, int missing) except -1
    cdef int _consider_change(self, Py_ssize_t model, double x, double y, double near, int missing) except -1
    cdef int _try_change(self, Py_ssize_t model, int missing) except -1
    cdef int _pack(self, order) except -1
    cdef list _seat(self, order)
    cdef int _stay(self) except -1
