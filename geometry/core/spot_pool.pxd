from libc.math cimport sqrt
from libc.stdlib cimport free, realloc

from geometry.core.area cimport Area
from geometry.core.critical_points cimport CriticalPoints, Spot
from geometry.core.curves cimport Rim
from geometry.core.end_ground cimport EndGround, offer_sides
from geometry.core.shapes cimport INFINITE, Shape, Shapes

cdef double LINE_SLACK_INCHES, PLACE_SLACK_INCHES, TOLERANCE

cdef struct FreeSpot:
    double x
    double y
    double far
    int near
    int taken

ctypedef FreeSpot* FreeSpotTable

cdef struct BaseSet:
    double x
    double y
    int pair
    int curves
    int rims
    int spots

ctypedef BaseSet* BaseSetTable

cdef class SpotPool(CriticalPoints):
    cdef EndGround ground
    cdef Shapes targets
    cdef Shapes pairs
    cdef double spacing
    cdef Area own
    cdef list aims
    cdef FreeSpotTable free_spots
    cdef Py_ssize_t spot_count
    cdef Py_ssize_t _spot_places
    cdef BaseSetTable bases
    cdef Py_ssize_t base_count
    cdef Py_ssize_t _base_places
    cdef bint is_front
    cdef double _middle_x
    cdef double _middle_y
    cdef double _held
    cdef double _near
    cdef int _measure_targets(self) except -1
    cdef int _lay(self, double near) except -1
    cdef int _widen(self, double near) except -1
    cdef int widen(self) except -1
    cdef bint _is_known(self, double far) noexcept
    cdef int _keep_free(self) except -1
    cdef int _reserve_spots(self) except -1
    cdef int _reserve_bases(self) except -1
    cdef double far_at(self, double x, double y) noexcept
    cdef double off_targets(self, double x, double y) noexcept
    cdef double _gap(self, Py_ssize_t base, double x, double y) noexcept
    cdef int set_down(self, Py_ssize_t pair, double x, double y) except -1
    cdef int take_back(self) except -1
    cdef int clear(self) except -1
    cdef Py_ssize_t best(self, int need) except -2
    cdef Py_ssize_t _best_known(self, int need) noexcept
    cdef double _least_far(self) noexcept
    cdef double _apart(self, Py_ssize_t spot) noexcept
    cdef double _off(self, Py_ssize_t spot, double x, double y) noexcept
    cdef (int, double) _left_free(self, Py_ssize_t spot, Py_ssize_t own, rows)

cdef double rounded(double length) noexcept
