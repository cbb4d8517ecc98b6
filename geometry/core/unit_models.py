# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The models of a unit: where each stands and ends, and whether all stand together there.

Owns overlaps and coherency of ends. Where a model may end is `geometry/core/unit_spots.py`'s.

A model may have several ways to begin, its options: as it stands, or turned at a cost. Of a `Model` there are
where it stands, its `first_option` (the next model's follow upon its own), and the `option` that it takes,
with that option's fields; then where it ends, if it `is_placed`, and what it has `left` there. Of an `Option`
there are the `kind` of base (a shape at a facing), the `limit` of the move, what the model would have left if
it did not move (`began`), the `least` that it can have left, and where it would have that (`aim_x`, `aim_y`);
`is_closed` tells that no way leads to what it makes for, and what is left is then as the crow flies. Lengths
are in inches.
"""

from __future__ import annotations

from collections.abc import Sequence

import cython

from geometry.tolerance import PLACE_SLACK_INCHES

if not cython.compiled:
    from geometry.core.plain import free, realloc, table
    from geometry.core.plain_unit import Model, ModelTable, Option, OptionTable
    from geometry.core.shapes import INFINITE, Shapes


@cython.cclass
class Models:
    """The models of a unit, and what they are to each other where they end."""

    def __init__(
        self,
        pairs: Shapes,
        kinds: int,
        places: Sequence[tuple[float, float]],
        options: Sequence[Sequence[tuple[int, float]]],
        spacing: float,
        need: int,
        stays: bool,
    ) -> None:
        """Take where models stand, and for each its kinds of base with how far it may then go.

        Row `a * kinds + b` of the pairs is where a base of kind b meets one of kind a at (0, 0). Each model
        needs `need` others within the `spacing`. With `stays` they may stay where they may not end. The
        first option of a model is to stand as it does.
        """
        self.pairs, self.kinds, self.spacing, self.need = pairs, kinds, spacing, need
        self.asked, self.stays = need, stays
        self.count = len(places)
        self._reserve(self.count, sum([len(some) for some in options]))
        row: cython.Py_ssize_t
        first: cython.Py_ssize_t = 0
        for row in range(self.count):
            x, y = places[row]
            self.models[row].x, self.models[row].y = x, y
            self.models[row].first_option = first
            self.place(row, x, y, 0.0)
            self.models[row].is_placed = False
            self.models[row].ousted = 0
            for kind, limit in options[row]:
                self.options[first].kind, self.options[first].limit = kind, limit
                first += 1
        self.models[self.count].first_option = first

    def __dealloc__(self) -> None:
        """Give the memory back."""
        free(self.models)
        free(self.options)

    def _reserve(self, models: cython.Py_ssize_t, options: cython.Py_ssize_t) -> cython.int:
        """Make room for the models, one more to end the options of the last, and their options."""
        if not cython.compiled:
            self.models: ModelTable = table(Model, models + 1)
            self.options: OptionTable = table(Option, options)
        else:
            self.models = cython.cast(ModelTable, realloc(self.models, (models + 1) * cython.sizeof(Model)))
            self.options = cython.cast(
                OptionTable, realloc(self.options, (options + 1) * cython.sizeof(Option))
            )
            if not self.models or not self.options:
                raise MemoryError
        return 0

    def choose(self, model: cython.Py_ssize_t, option: cython.Py_ssize_t) -> cython.int:
        """Let a model take an option, by its row among all options."""
        self.models[model].option = option
        self.models[model].kind = self.options[option].kind
        self.models[model].limit = self.options[option].limit
        self.models[model].began = self.options[option].began
        self.models[model].least = self.options[option].least
        self.models[model].aim_x, self.models[model].aim_y = (
            self.options[option].aim_x,
            self.options[option].aim_y,
        )
        self.models[model].is_closed = self.options[option].is_closed
        self.models[model].is_turned = option != self.models[model].first_option
        return 0

    def place(
        self, model: cython.Py_ssize_t, x: cython.double, y: cython.double, left: cython.double
    ) -> cython.int:
        """Let a model end at a place, with what it has left there."""
        self.models[model].end_x, self.models[model].end_y, self.models[model].left = x, y, left
        self.models[model].is_placed = True
        return 0

    def gap(
        self, model: cython.Py_ssize_t, other: cython.Py_ssize_t, x: cython.double, y: cython.double
    ) -> cython.double:
        """Return the gap of a model at a place from another at its end; infinite if far off."""
        x -= self.models[other].end_x
        y -= self.models[other].end_y
        row: cython.Py_ssize_t = self.models[other].kind * self.kinds + self.models[model].kind
        off_x: cython.double = x - self.pairs.shapes[row].middle_x
        off_y: cython.double = y - self.pairs.shapes[row].middle_y
        reach: cython.double = self.pairs.shapes[row].reach + self.spacing + 2 * PLACE_SLACK_INCHES
        if off_x * off_x + off_y * off_y > reach * reach:
            return INFINITE
        return self.pairs.gap(row, x, y)

    def are_near(self, model: cython.Py_ssize_t, other: cython.Py_ssize_t) -> cython.bint:
        """Return whether two models end near enough to be neighbours."""
        gap: cython.double = self.gap(model, other, self.models[model].end_x, self.models[model].end_y)
        return gap <= self.spacing + PLACE_SLACK_INCHES

    def fits(self, model: cython.Py_ssize_t, x: cython.double, y: cython.double) -> cython.bint:
        """Return whether a model at a place meets no other, and has neighbours enough.

        It needs as many as are `asked` for, or all of these where they are fewer.
        """
        near: cython.int = 0
        others: cython.int = 0
        k: cython.Py_ssize_t
        for k in range(self.count):
            if k == model or not self.models[k].is_placed:
                continue
            others += 1
            gap: cython.double = self.gap(model, k, x, y)
            if gap < -PLACE_SLACK_INCHES:
                return False
            if gap <= self.spacing + PLACE_SLACK_INCHES:
                near += 1
        return near >= min(self.asked, others)

    def stand_together(self) -> cython.bint:
        """Return whether all models end in coherency, and none meets another."""
        i: cython.Py_ssize_t
        for i in range(self.count):
            if not self.fits(i, self.models[i].end_x, self.models[i].end_y):
                return False
        return self._groups() <= 1

    def neighbours(self, model: cython.Py_ssize_t) -> cython.int:
        """Return how many neighbours a model has where all end."""
        near: cython.int = 0
        k: cython.Py_ssize_t
        for k in range(self.count):
            if k != model and self.are_near(model, k):
                near += 1
        return near

    def missing(self) -> cython.int:
        """Return how many neighbours models lack, with the groups that are too many."""
        found: cython.int = self._groups() - 1
        i: cython.Py_ssize_t
        for i in range(self.count):
            found += max(min(self.need, cython.cast(cython.int, self.count) - 1) - self.neighbours(i), 0)
        return found

    def _groups(self) -> cython.int:
        """Return how many groups of neighbours, and of their neighbours, the models form."""
        found: cython.int = 0
        i: cython.Py_ssize_t
        for i in range(self.count):
            self.models[i].mark = 0
        for i in range(self.count):
            if not self.models[i].mark:
                found += 1
                self._mark_group(i, found)
        return found

    def _mark_group(self, model: cython.Py_ssize_t, group: cython.int) -> cython.int:
        """Mark a model, and all to which its neighbours lead, with the number of a group."""
        k: cython.Py_ssize_t
        self.models[model].mark = group
        for k in range(self.count):
            if not self.models[k].mark and self.are_near(model, k):
                self._mark_group(k, group)
        return 0

    def apart(self) -> cython.double:
        """Return how much too far groups of models end from the nearest other group, in inches.

        It is the sum over all groups.
        """
        groups: cython.int = self._groups()
        found: cython.double = 0.0
        group: cython.int
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        for group in range(1, groups + 1 if groups > 1 else 1):
            least: cython.double = INFINITE
            for i in range(self.count):
                if self.models[i].mark != group:
                    continue
                for k in range(self.count):
                    if self.models[k].mark != group:
                        row: cython.Py_ssize_t = self.models[k].kind * self.kinds + self.models[i].kind
                        x: cython.double = self.models[i].end_x - self.models[k].end_x
                        y: cython.double = self.models[i].end_y - self.models[k].end_y
                        least = min(least, self.pairs.gap(row, x, y))
            found += max(least - self.spacing, 0.0)
        return found

    def total(self) -> cython.double:
        """Return what all models together have left where they end."""
        found: cython.double = 0.0
        i: cython.Py_ssize_t
        for i in range(self.count):
            found += self.models[i].left
        return found

    def least_total(self) -> cython.double:
        """Return what all models together have left at least, if none is in another's way."""
        found: cython.double = 0.0
        i: cython.Py_ssize_t
        for i in range(self.count):
            found += self.models[i].least
        return found
