# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The move of a unit: each model ends as near to its goal as may be, all in coherency.

Owns the order of what is tried. The spots themselves are `geometry/core/unit_spots.py`'s.

If every model may end where it has least left, alone, that is the move. Else models take their best spots one
after another, the nearest first; one that finds none takes a spot without enough neighbours, and the unit is
repaired: the change that costs least for each neighbour that it brings is made, again and again. Where much
more is left than was hoped for, other beginnings are tried: all stay, or the farthest goes first. The best
outcome is polished: models take better spots, and the places of others that find another. A search counts the
spots that it judges and ends with the best that it has when its budget is spent.
"""

from __future__ import annotations

import cython

if not cython.compiled:
    from geometry.core.shapes import INFINITE
    from geometry.core.unit_ground import GAIN
    from geometry.core.unit_models import MEETING_SLACK
    from geometry.core.unit_spots import EVERYWHERE, UnitSpots

NEAR = cython.declare(cython.double, 4.0)
"""The radius in which spots are looked for first, about what a model makes for, in inches."""
POLISH_GAIN = cython.declare(cython.double, 0.01)
"""A model takes another spot that leaves it less by this, in inches."""
EXCHANGE_GAIN = cython.declare(cython.double, 0.1)
"""Two models take other spots that leave them together less by this, in inches."""
EXCHANGE_FROM = cython.declare(cython.double, 0.3)
"""A model that falls short by more than this, in inches, looks for the places of others."""
EXCHANGES = cython.declare(cython.int, 4)
"""The number of places of others that a model tries."""
GOOD_ENOUGH = cython.declare(cython.double, 0.1)
"""Other beginnings are tried where models fall short by more on average, in inches."""
LONELY = cython.declare(cython.int, 4)
FRIENDS = cython.declare(cython.int, 5)
"""The numbers of models without neighbours in a repair, and of the nearest others for each."""
OUSTINGS = cython.declare(cython.Py_ssize_t, 6)
"""The number of spots that are looked for where some oust others, for each model."""
CHANGE_TRIES = cython.declare(cython.int, 20)
"""The number of spots of a change to which a way is looked for in vain."""
OFF_BOARD = cython.declare(cython.double, 1e6)
"""Where a model is, in inches, while its place is taken and it has no other."""

Order = list[int]
"""Rows of models."""
Outcome = list[tuple[int, float, float, float]]
"""For each model its option, counted from its first, where it ends, and what it has left."""


@cython.cclass
class UnitPlan(UnitSpots):
    """The search for the move of a unit."""

    def plan(self, budget: int) -> Outcome | None:
        """Return where the models end; None where no legal outcome is found."""
        self.best: Outcome = []
        self.best_total = INFINITE
        self.measure()
        if self._all_alone():
            self._keep()
            return self.best
        order: list[int] = self._nearest_first()
        if self._begin(list(order), budget):
            self._polish(order, 3)
            self._keep()
        if self.count > 1 and self.best_total > self.least_total() + GOOD_ENOUGH * self.count:
            if self.work < budget:
                self._try_others(order)
            if self.work < budget and self.best:
                self._exchange_all(order)
        return self.best or None

    def measured(self) -> list[list[tuple[bool, float]]]:
        """Return of each model's options whether every way is closed, and what is left at least."""
        self.measure()
        return [
            [
                (bool(self.options[k].is_closed), self.options[k].least)
                for k in range(self.models[i].first_option, self.models[i + 1].first_option)
            ]
            for i in range(self.count)
        ]

    def closed(self) -> list[bool]:
        """Return which models find every way to what they make for closed."""
        return [bool(self.models[i].is_closed) for i in range(self.count)]

    def _nearest_first(self) -> list[int]:
        """Return the rows of the models, those first that have least left where they stand."""
        return [i for _, i in sorted([(round(self.models[i].began, 6), i) for i in range(self.count)])]

    def _all_alone(self) -> cython.bint:
        """Return whether every model may end where it has least left, with all others there."""
        i: cython.Py_ssize_t
        for i in range(self.count):
            least: cython.double = self.models[i].least + GAIN
            x: cython.double = self.models[i].aim_x
            y: cython.double = self.models[i].aim_y
            if self.models[i].is_closed or self.left_at(i, x, y, least + GAIN) > least:
                return False
            self.place(i, self.models[i].aim_x, self.models[i].aim_y, self.models[i].least)
        if not self.stand_together():
            return False
        for i in range(self.count):
            x, y = self.models[i].end_x, self.models[i].end_y
            if not (self.stands(i, x, y) and self.reaches(i, x, y)):
                return False
        return True

    def _begin(self, order: Order, budget: cython.longlong) -> cython.bint:
        """Find a first outcome; a model that finds no spot goes first the next time."""
        for _ in range(self.count):
            missed: cython.Py_ssize_t = self._place_all(order, False)
            if missed < 0:
                return True
            if self.count == 1:
                return False
            alone: cython.Py_ssize_t = self._place_all(order, True)
            if alone < 0 and (self._repair() or self._gather(missed)):
                return True
            if alone >= 0 and self._place_by_ousting(order) and self._repair():
                return True
            first: cython.Py_ssize_t = alone if alone >= 0 else missed
            if first == cython.cast(cython.Py_ssize_t, order[0]) or self.work >= budget:
                return False
            order.remove(first)
            order.insert(0, first)
        return False

    def _place_all(self, order: Order, is_loose: cython.bint) -> cython.Py_ssize_t:
        """Let models take spots in an order; return the row of the first without one, -1 for none.

        Those that find none in coherency take, where the search `is_loose`, one with fewer neighbours.
        """
        i: cython.Py_ssize_t
        for i in range(self.count):
            self.models[i].is_placed = False
        for row in order:
            i = row
            found: cython.bint = (
                self._take_loosely(i) if is_loose else self.take_best(i, INFINITE, False, NEAR)
            )
            if not found:
                return i
        return -1

    def _gather(self, model: cython.Py_ssize_t) -> cython.bint:
        """Let all models that are not of one's group take spots beside it, if there is room."""
        i: cython.Py_ssize_t
        for i in range(self.count):
            self.models[i].mark = 0
        self._mark_group(model)
        rest: list[int] = [i for i in self._nearest_to(model) if not self.models[i].mark]
        for row in rest:
            i = row
            self.models[i].is_placed = False
        for row in rest:
            i = row
            if not self.take_best(i, INFINITE, False, NEAR):
                return False
        return self.stand_together()

    def _take_loosely(self, model: cython.Py_ssize_t) -> cython.bint:
        """Let a model take its best spot with as many neighbours as may be, if there is one."""
        found: cython.bint = self.take_best(model, INFINITE, False, NEAR)
        while not found and self.asked > 0:
            self.asked -= 1
            found = self.take_best(model, INFINITE, False, NEAR)
        self.asked = self.need
        return found

    def _place_by_ousting(self, order: Order) -> cython.bint:
        """Let models that find no spot oust others, which look for spots anew.

        Those ousted before are ousted last, so that none is always in the way of another.
        """
        i: cython.Py_ssize_t
        waiting: list[int] = [i for i in order if not self.models[i].is_placed]
        for i in range(self.count):
            self.models[i].ousted = 0
        steps: cython.Py_ssize_t = OUSTINGS * self.count
        while waiting and steps > 0:
            i = waiting.pop(0)
            steps -= 1
            if not self._take_loosely(i) and not self._oust(i, waiting):
                return False
        return not waiting

    def _oust(self, model: cython.Py_ssize_t, waiting: Order) -> cython.bint:
        """Let a model take a spot where it meets others, which wait then, if there is one."""
        i: cython.Py_ssize_t
        self.lay(model, self.models[model].aim_x, self.models[model].aim_y, EVERYWHERE)
        kept: cython.Py_ssize_t = 0
        for i in range(self.points.count):
            x: cython.double = self.points.spots[i].x
            y: cython.double = self.points.spots[i].y
            if self.stands(model, x, y):
                self.points.spots[kept].x, self.points.spots[kept].y = x, y
                self.points.spots[kept].left = self._cost_of_ousting(model, x, y)
                kept += 1
        self.points.count = kept
        while self.points.count > 0:
            i = self.points.least()
            x, y = self.points.spots[i].x, self.points.spots[i].y
            self.points.drop(i)
            left: cython.double = self.left_at(model, x, y, INFINITE)
            if left == INFINITE or not self.reaches(model, x, y):
                continue
            for i in range(self.count):
                if i != model and self.models[i].is_placed and self.gap(model, i, x, y) < -MEETING_SLACK:
                    self.models[i].is_placed = False
                    self.models[i].ousted += 1
                    waiting.append(i)
            self.place(model, x, y, left)
            return True
        return False

    def _cost_of_ousting(self, model: cython.Py_ssize_t, x: cython.double, y: cython.double) -> cython.double:
        """Return how many models one ousts at a place; those ousted before count for more."""
        found: cython.double = 0.0
        i: cython.Py_ssize_t
        for i in range(self.count):
            if i != model and self.models[i].is_placed and self.gap(model, i, x, y) < -MEETING_SLACK:
                found += 1.0 + self.models[i].ousted
        return found

    def _try_others(self, order: Order) -> None:
        """Begin with all that stay, and with the farthest first; keep what is better."""
        if self.stays:
            self._stay()
            if self.stand_together():
                self._polish(order, 6)
                self._keep()
        if self._place_all(order[::-1], False) < 0:
            self._polish(order, 3)
            self._keep()

    def _stay(self) -> cython.int:
        """Let all models end where they stand, as they do."""
        i: cython.Py_ssize_t
        for i in range(self.count):
            self.choose(i, self.models[i].first_option)
            self.place(i, self.models[i].x, self.models[i].y, self.models[i].began)
        return 0

    def _keep(self) -> cython.int:
        """Keep the outcome, if it is the best of those that were found."""
        total: cython.double = self.total()
        if total < self.best_total - GAIN:
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

    def _load(self) -> cython.int:
        """Go back to the best outcome."""
        i: cython.Py_ssize_t
        for i in range(self.count):
            option, x, y, left = self.best[i]
            self.choose(i, self.models[i].first_option + cython.cast(cython.Py_ssize_t, option))
            self.place(i, x, y, left)
        return 0

    def _polish(self, order: Order, rounds: cython.int) -> cython.int:
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

    def _repair(self) -> cython.bint:
        """Bring models that lack neighbours to others, or others to them."""
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        for _ in range(2 * self.count):
            missing: cython.int = self.missing()
            if missing == 0:
                return self.stand_together()
            self._change_cost, self._change_model = INFINITE, -1
            lonely = [k for k in range(self.count) if self.neighbours(k) < self.need] or range(self.count)
            for row in lonely[:LONELY]:
                i = row
                self._consider_change(i, self.models[i].aim_x, self.models[i].aim_y, missing)
                x: cython.double = self.models[i].end_x
                y: cython.double = self.models[i].end_y
                for friend in self._nearest_to(i)[:FRIENDS]:
                    k = friend
                    self._consider_change(i, self.models[k].end_x, self.models[k].end_y, missing)
                    self._consider_change(k, x, y, missing)
            if self._change_model < 0:
                return False
            self.place(self._change_model, self._change_x, self._change_y, self._change_left)
        return self.missing() == 0 and self.stand_together()

    def _nearest_to(self, model: cython.Py_ssize_t) -> list[int]:
        """Return the rows of the other models, those first that end nearest to one."""
        found: list[tuple[float, int]] = []
        k: cython.Py_ssize_t
        for k in range(self.count):
            if k != model:
                off_x: cython.double = self.models[k].end_x - self.models[model].end_x
                off_y: cython.double = self.models[k].end_y - self.models[model].end_y
                found.append((round(off_x * off_x + off_y * off_y, 6), k))
        return [k for _, k in sorted(found)]

    def _consider_change(
        self, model: cython.Py_ssize_t, x: cython.double, y: cython.double, missing: cython.int
    ) -> cython.int:
        """Note the spot about a place at which a model brings neighbours, if it costs least."""
        self.lay(model, x, y, NEAR)
        self.asked = 0
        self.keep_good(model, INFINITE)
        self.asked = self.need
        return self._try_change(model, missing)

    def _try_change(self, model: cython.Py_ssize_t, missing: cython.int) -> cython.int:
        """Note the best of the spots that are kept for a model, if it is the best change."""
        was_x: cython.double = self.models[model].end_x
        was_y: cython.double = self.models[model].end_y
        was_left: cython.double = self.models[model].left
        tries: cython.int = 0
        while self.points.count > 0 and tries < CHANGE_TRIES:
            row: cython.Py_ssize_t = self.points.least()
            x: cython.double = self.points.spots[row].x
            y: cython.double = self.points.spots[row].y
            left: cython.double = self.points.spots[row].left
            self.points.drop(row)
            if (left - was_left) / missing >= self._change_cost:
                break
            self.place(model, x, y, left)
            brought: cython.int = missing - self.missing()
            if brought > 0 and (left - was_left) / brought < self._change_cost - GAIN:
                if self.reaches(model, x, y):
                    self._change_cost, self._change_model = (left - was_left) / brought, model
                    self._change_x, self._change_y, self._change_left = x, y, left
                else:
                    tries += 1
        self.place(model, was_x, was_y, was_left)
        return 0

    def _exchange_all(self, order: Order) -> None:
        """Let models of the best outcome take the places of others, and polish what comes of that."""
        self._load()
        for _ in range(3):
            if not self._exchange(order):
                return
            self._polish(order, 2)
            self._keep()

    def _exchange(self, order: Order) -> cython.bint:
        """Let models take the places of others that find another; return whether any did."""
        has_gained: cython.bint = False
        i: cython.Py_ssize_t
        for row in order[::-1]:
            i = row
            if self.models[i].left > self.models[i].least + EXCHANGE_FROM and self._exchange_one(i):
                has_gained = True
        return has_gained

    def _exchange_one(self, model: cython.Py_ssize_t) -> cython.bint:
        """Let a model take the place of one that finds another; return whether it did."""
        some: list[tuple[float, int, float]] = []
        k: cython.Py_ssize_t
        bar: cython.double = self.models[model].left - EXCHANGE_GAIN
        for k in range(self.count):
            if k != model and self.models[k].left < bar:
                left: cython.double = self.left_at(model, self.models[k].end_x, self.models[k].end_y, bar)
                if left < bar:
                    some.append((round(left, 6), k, left))
        for _, other, less in sorted(some)[:EXCHANGES]:
            k = other
            x: cython.double = self.models[k].end_x
            y: cython.double = self.models[k].end_y
            if self.stands(model, x, y) and self.reaches(model, x, y) and self._give_way(k, model, less):
                return True
        return False

    def _give_way(
        self, model: cython.Py_ssize_t, other: cython.Py_ssize_t, left: cython.double
    ) -> cython.bint:
        """Let a model give its place to another, if both together gain by that."""
        x: cython.double = self.models[model].end_x
        y: cython.double = self.models[model].end_y
        was_left: cython.double = self.models[model].left
        other_x: cython.double = self.models[other].end_x
        other_y: cython.double = self.models[other].end_y
        other_left: cython.double = self.models[other].left
        self.place(other, x, y, left)
        self.place(model, OFF_BOARD, OFF_BOARD, was_left)
        self.models[model].is_placed = False
        self._has_extra, self._extra_x, self._extra_y = True, other_x, other_y
        below: cython.double = was_left + other_left - left - EXCHANGE_GAIN
        found: cython.bint = self.take_best_near(model, below, True, NEAR)
        self._has_extra = False
        if not found:
            self.place(other, other_x, other_y, other_left)
            self.place(model, x, y, was_left)
        return found
