# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The best outcome of a unit's move, and how an outcome becomes better.

Owns the outcome that is kept, and the spots that models take from others. How a first outcome is found is
`unit_plan.py`'s.
"""

from __future__ import annotations

import cython

from geometry.tolerance import PLACE_SLACK_INCHES

if not cython.compiled:
    from geometry.core.shapes import INFINITE
    from geometry.core.unit_contact import UnitContact

NEAR = 4.0
"""The radius in which spots are looked for first, about what a model makes for, in inches."""
POLISH_GAIN = cython.declare(cython.double, 0.01)
"""A model takes another spot that leaves it less by this, in inches."""
EXCHANGE_GAIN = cython.declare(cython.double, 0.1)
"""Models take other spots that leave them together less by this, in inches."""
EXCHANGE_FROM = cython.declare(cython.double, 0.3)
"""A model that falls short by more than this, in inches, looks for spots that others hold."""
EXCHANGES = cython.declare(cython.int, 8)
"""The number of such spots that a model tries."""
OUSTED = cython.declare(cython.int, 2)
"""The number of others that look for other spots, at the most."""
OFF_BOARD = cython.declare(cython.double, 1e6)
"""Where a model is, in inches, while its place is taken and it has no other."""

Order = list[int]
"""Rows of models."""
Outcome = list[tuple[int, float, float, float]]
"""For each model its option, counted from its first, where it ends, and what it has left."""


@cython.cclass
class UnitPolish(UnitContact):
    """The models of a unit with the best outcome that was found."""

    def forget(self) -> cython.int:
        """Forget the best outcome."""
        self.best: Outcome = []
        self.best_total = INFINITE
        return 0

    def keep(self) -> cython.int:
        """Keep the outcome, if it is the best of those that were found."""
        total: cython.double = self.total()
        if total < self.best_total - PLACE_SLACK_INCHES:
            self.best_total = total
            self.best = [
                (
                    self.models[i].option - self.models[i].first_option,
                    self.models[i].end_x,
                    self.models[i].end_y,
                    self.models[i].left,
                )
                for i in range(self.count)
            ]
        return 0

    def load(self) -> cython.int:
        """Go back to the best outcome."""
        i: cython.Py_ssize_t
        for i in range(self.count):
            option, x, y, left = self.best[i]
            self.choose(i, self.models[i].first_option + cython.cast(cython.Py_ssize_t, option))
            self.place(i, x, y, left)
        return 0

    def polish(self, order: Order, rounds: cython.int) -> cython.int:
        """Let models take better spots, as long as any finds one, for some rounds at most."""
        i: cython.Py_ssize_t
        for _ in range(rounds):
            has_gained: cython.bint = False
            for row in order:
                i = row
                less: cython.double = self.models[i].left - POLISH_GAIN
                far: cython.double = less - self.models[i].least
                # The more a model has left, the farther off a better spot may be.
                if far > 0.0 and self.take_best(i, less, True, NEAR + far):
                    has_gained = True
            if not has_gained:
                break
        return 0

    def exchange_all(self, order: Order) -> None:
        """Let models of the best outcome take spots that others hold, and polish what comes of that."""
        self.load()
        for _ in range(3):
            if not self._exchange(order):
                return
            self.polish(order, 2)
            self.keep()

    def _exchange(self, order: Order) -> cython.bint:
        """Let models take spots from others that find another; return whether any did."""
        has_gained: cython.bint = False
        i: cython.Py_ssize_t
        for row in order[::-1]:
            i = row
            if self.models[i].left > self.models[i].least + EXCHANGE_FROM and self._exchange_one(i):
                has_gained = True
        return has_gained

    def _exchange_one(self, model: cython.Py_ssize_t) -> cython.bint:
        """Let a model take a spot from one or more that find another; return whether it did."""
        i: cython.Py_ssize_t
        some: list[tuple[float, int, float, float, float, float]] = []
        bar: cython.double = self.models[model].left - EXCHANGE_GAIN
        self.lay(model, self.models[model].aim_x, self.models[model].aim_y, NEAR)
        for i in range(self.points.count):
            x: cython.double = self.points.spots[i].x
            y: cython.double = self.points.spots[i].y
            held: cython.int = self._held(model, x, y)
            if 0 < held <= OUSTED and self.stands(model, x, y):
                left: cython.double = self.left_at(model, x, y, bar)
                if left < bar:
                    off_x: cython.double = x - self.models[model].x
                    off_y: cython.double = y - self.models[model].y
                    far: cython.double = off_x * off_x + off_y * off_y
                    some.append((round(left, 6), held, round(far, 6), x, y, left))
        some.sort()
        for _, _, _, to_x, to_y, less in some[:EXCHANGES]:
            if self.reaches(model, to_x, to_y) and self._press(model, to_x, to_y, less):
                return True
        return False

    def _held(self, model: cython.Py_ssize_t, x: cython.double, y: cython.double) -> cython.int:
        """Return how many others a model at a place meets."""
        found: cython.int = 0
        i: cython.Py_ssize_t
        for i in range(self.count):
            if i != model and self.gap(model, i, x, y) < -PLACE_SLACK_INCHES:
                found += 1
        return found

    def _press(
        self, model: cython.Py_ssize_t, x: cython.double, y: cython.double, left: cython.double
    ) -> cython.bint:
        """Let a model take a spot from those that it meets there, if all together gain by that."""
        i: cython.Py_ssize_t
        before: cython.double = self.total() - EXCHANGE_GAIN
        was: list[tuple[int, float, float, float]] = []
        for i in range(self.count):
            if i == model or self.gap(model, i, x, y) < -PLACE_SLACK_INCHES:
                was.append((i, self.models[i].end_x, self.models[i].end_y, self.models[i].left))
        self._has_extra = True
        self._extra_x, self._extra_y = self.models[model].end_x, self.models[model].end_y
        ousted: list[int] = [row for row, _, _, _ in was if row != model]
        self.place(model, x, y, left)
        for row in ousted:
            i = row
            self.place(i, OFF_BOARD, OFF_BOARD, self.models[i].least)
            self.models[i].is_placed = False
        is_better: cython.bint = True
        for row in ousted:
            i = row
            below: cython.double = before - self.total() + self.models[i].left
            if not self.take_best_near(i, below, row == ousted[len(ousted) - 1], NEAR):
                is_better = False
                break
        self._has_extra = False
        if not is_better:
            for row, old_x, old_y, old_left in was:
                i = row
                self.place(i, old_x, old_y, old_left)
        return is_better
