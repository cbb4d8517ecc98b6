from libc.stdlib cimport free, realloc

from geometry.core.shapes cimport INFINITE, Shape, Shapes

cdef double PLACE_SLACK_INCHES


cdef struct Model:
    double x
    double y
    int first_option
    int option
    int kind
    double limit
    double began
    double least
    double aim_x
    double aim_y
    bint is_closed
    bint is_turned
    bint is_placed
    double end_x
    double end_y
    double left
    int mark
    int ousted

ctypedef Model* ModelTable

cdef struct Option:
    int kind
    double limit
    double began
    double least
    double aim_x
    double aim_y
    double next_x
    double next_y
    bint is_closed

ctypedef Option* OptionTable

cdef class Models:
    cdef readonly Py_ssize_t count
    cdef ModelTable models
    cdef OptionTable options
    cdef readonly Shapes pairs
    cdef readonly Py_ssize_t kinds
    cdef double spacing
    cdef int need
    cdef int asked
    cdef bint stays
    cdef int _reserve(self, Py_ssize_t models, Py_ssize_t options) except -1
    cdef int choose(self, Py_ssize_t model, Py_ssize_t option) noexcept
    cdef int place(self, Py_ssize_t model, double x, double y, double left) noexcept
    cdef double gap(self, Py_ssize_t model, Py_ssize_t other, double x, double y) noexcept
    cdef bint are_near(self, Py_ssize_t model, Py_ssize_t other) noexcept
    cdef bint fits(self, Py_ssize_t model, double x, double y) noexcept
    cdef bint stand_together(self) except -1
    cdef int neighbours(self, Py_ssize_t model) noexcept
    cdef int missing(self) except -1
    cdef int _groups(self) noexcept
    cdef int _mark_group(self, Py_ssize_t model, int group) noexcept
    cdef double apart(self) noexcept
    cdef double total(self) noexcept
    cdef double least_total(self) noexcept
