# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The move of a unit: each model ends as near to its goal as may be, all in coherency.

Owns the order of what is tried. The spots themselves are `geometry/core/unit_spots.py`'s.

If every model may end where it has least left, alone, that is the move. Else models take their best spots one
after another, the nearest first; one that finds none takes a spot without enough neighbours, and the unit is
repaired: the change that costs least for each neighbour that it brings is made, again and again; where none
brings any, the change that costs least for each inch by which it draws groups of models together. Where much
more is left than was hoped for, other beginnings are tried: all stay, or the farthest goes first; and where
nothing was found, all follow one of the farthest, or what stays is repaired. The best outcome is polished:
models take better spots, and the places of others that find another. A search counts the spots it judges.
When its budget is spent it ends with the best that it has, or with the first that the other beginnings find.
"""

from __future__ import annotations

import cython

from geometry.tolerance import PLACE_SLACK_INCHES, TOLERANCE

if not cython.compiled:
    from geometry.core.shapes import INFINITE
    from geometry.core.unit_contact import EVERY, FREE
    from geometry.core.unit_polish import NEAR, UnitPolish
    from geometry.core.unit_spots import EVERYWHERE

GOOD_ENOUGH = cython.declare(cython.double, 0.1)
"""Other beginnings are tried where models fall short by more on average, in inches."""
LONELY = cython.declare(cython.int, 4)
FRIENDS = cython.declare(cython.int, 5)
"""The numbers of models without neighbours in a repair, and of the nearest others for each."""
SPARES = cython.declare(cython.Py_ssize_t, 3)
"""The number of models tried in turn for the group that is hardest to get in range of."""
SEATED = cython.declare(cython.double, 0.01)
"""A model that has less left than this, in inches, is in contact."""
SEATINGS = cython.declare(cython.Py_ssize_t, 4)
"""The number of models without a spot in contact that are seated first in turn."""
OUSTINGS = cython.declare(cython.Py_ssize_t, 6)
"""The number of spots that are looked for where some oust others, for each model."""
CHANGE_TRIES = cython.declare(cython.int, 20)
"""The number of spots of a change to which a way is looked for in vain."""
DRAWN = cython.declare(cython.double, 0.25)
"""The least share of what groups are too far apart by which a change draws them together."""

Order = list[int]
"""Rows of models."""
Outcome = list[tuple[int, float, float, float]]
"""For each model its option, counted from its first, where it ends, and what it has left."""


@cython.cclass
class UnitPlan(UnitPolish):
    """The search for the move of a unit."""

    def plan(self, budget: int, is_first: bool = False) -> Outcome | None:
        """Return where the models end; None where no legal outcome is found.

        The outcome that `is_first` is taken as it is found, however much is left of it.
        """
        self.forget()
        self.measure()
        if self._all_alone():
            self.keep()
            return self.best
        order: list[int] = self._nearest_first()
        if self._begin(list(order), budget) or self._begin_at_groups(order):
            if not is_first:
                self.polish(order, 3)
            self.keep()
        if is_first and self.best:
            return self.best
        if self.count > 1 and self.best_total > self.least_total() + GOOD_ENOUGH * self.count:
            # A legal outcome is worth more than the budget.
            if self.work < budget or not self.best:
                self._try_others(order)
            if self.work < budget and self.best:
                self.exchange_all(order)
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

    def began(self) -> list[float]:
        """Return what each model has left where it stands, in inches."""
        return [self.models[i].began for i in range(self.count)]

    def _nearest_first(self) -> list[int]:
        """Return the rows of the models: those that may not move, then those that have least left."""
        found: list[tuple[bool, float, int]] = []
        i: cython.Py_ssize_t
        for i in range(self.count):
            found.append((self.models[i].limit > TOLERANCE, round(self.models[i].began, 6), i))
        return [row for _, _, row in sorted(found)]

    def _all_alone(self) -> cython.bint:
        """Return whether every model may end where it has least left, with all others there."""
        i: cython.Py_ssize_t
        for i in range(self.count):
            least: cython.double = self.models[i].least + PLACE_SLACK_INCHES
            x: cython.double = self.models[i].aim_x
            y: cython.double = self.models[i].aim_y
            if self.models[i].is_closed or self.left_at(i, x, y, least + PLACE_SLACK_INCHES) > least:
                return False
            self.place(i, self.models[i].aim_x, self.models[i].aim_y, self.models[i].least)
        if not self.stand_together():
            return False
        for i in range(self.count):
            x, y = self.models[i].end_x, self.models[i].end_y
            if not (self.stands(i, x, y) and self.reaches(i, x, y)):
                return False
            # Where a climb cannot be paid for in full, the way that leaves least ends before it.
            climbs: cython.bint = self.ground(i).graph.shapes.climbable > 0
            if climbs and self.left_at(i, x, y, INFINITE) > self.models[i].left + PLACE_SLACK_INCHES:
                return False
        return True

    def _begin(self, order: Order, budget: cython.longlong) -> cython.bint:
        """Find a first outcome; a model that finds no spot goes first the next time."""
        tried: list[list[int]] = []
        while order not in tried:
            tried.append(list(order))
            missed: cython.Py_ssize_t = self._place_all(order, False)
            if missed < 0:
                return self.unmet() == 0 or (self.may_meet() and self._repair())
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

    def _begin_at_groups(self, order: Order) -> cython.bint:
        """Find a first outcome by sending models to the groups that have to be within range.

        One goes to each group, or one to where it is within range of all.
        """
        if self.groups == 0 or self.count == 1 or not self.may_meet():
            return False
        groups: list[int] = self.hardest_groups()
        spare: cython.Py_ssize_t
        for spare in range(SPARES):
            rows: list[int] = []
            for group in groups:
                free = [row for row in self.nearest_to_group(group) if row not in rows]
                place: cython.Py_ssize_t = spare if len(rows) == len(groups) - 1 else 0
                rows += free[place : place + 1]
            if len(rows) == len(groups) and self._begin_with(rows, groups, order):
                return True
        for row in order[: SPARES if len(groups) > 1 else 0]:
            if self._begin_with([row], [EVERY], order):
                return True
        return False

    def _begin_with(self, rows: Order, duties: Order, order: Order) -> cython.bint:
        """Find a first outcome in which some models do duties, and the others stay with them."""
        i: cython.Py_ssize_t
        for i in range(self.count):
            self.models[i].is_placed = False
        for row, duty in zip(rows, duties, strict=True):
            i, self.duty, self.asked = row, duty, 0
            found: cython.bint = self.take_best_near(i, INFINITE, False, EVERYWHERE)
            self.duty, self.asked = FREE, self.need
            if not found:
                return False
        return self._place_by_ousting(order) and self._repair()

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
        self._mark_group(model, 1)
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
                if i != model and self.models[i].is_placed and self.gap(model, i, x, y) < -PLACE_SLACK_INCHES:
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
            if i != model and self.models[i].is_placed and self.gap(model, i, x, y) < -PLACE_SLACK_INCHES:
                found += 1.0 + self.models[i].ousted
        return found

    def _try_others(self, order: Order) -> None:
        """Begin with all that stay, and with the farthest first; keep what is better."""
        if self.stays:
            self._stay()
            if self.stand_together() or (not self.best and self._repair()):
                self.polish(order, 6)
                self.keep()
        if self.groups:
            self._pack(order)
        elif self._place_all(order[::-1], False) < 0 or (not self.best and self._begin_beside(order)):
            self.polish(order, 3)
            self.keep()

    def _begin_beside(self, order: Order) -> bool:
        """Find a first outcome in which models follow one of the last, as they stand from it."""
        for first in order[::-1][:SPARES]:
            self._stay()
            if self._place_all([first, *self._nearest_to(first)], True) < 0 and self._repair():
                return True
        return False

    def _pack(self, order: Order) -> cython.int:
        """Begin with as many models in contact as there is room for, which touch each other."""
        able: list[int] = [i for i in order if self.models[i].least <= PLACE_SLACK_INCHES][::-1]
        missed: list[int] = self._seat(able)
        best: list[int] = missed
        for row in [able[len(able) - 1], *missed[:SEATINGS]] if missed else []:
            other: list[int] = [row, *[i for i in able if i != row]]
            left_out: list[int] = self._seat(other)
            if len(left_out) < len(best):
                able, best = other, left_out
        self._seat(able)
        i: cython.Py_ssize_t
        for row in order:
            i = row
            if not self.models[i].is_placed and not self._take_loosely(i):
                return 0
        if self._repair():
            self.polish(order, 3)
            self.keep()
        return 0

    def _seat(self, order: Order) -> list[int]:
        """Let models take spots in contact, one after another, and return the rows of those without."""
        i: cython.Py_ssize_t
        missed: list[int] = []
        for i in range(self.count):
            self.models[i].is_placed = False
        self.is_packed, self.asked = True, 0
        for row in order:
            i = row
            if not self.take_best_near(i, SEATED, False, NEAR):
                missed.append(row)
        self.is_packed, self.asked = False, self.need
        for i in range(self.count):
            if self.models[i].is_placed:
                self.models[i].left = 0.0
        return missed

    def _stay(self) -> cython.int:
        """Let all models end where they stand, as they do."""
        i: cython.Py_ssize_t
        for i in range(self.count):
            self.choose(i, self.models[i].first_option)
            self.place(i, self.models[i].x, self.models[i].y, self.models[i].began)
        return 0

    def _repair(self) -> cython.bint:
        """Bring models within range of groups, and then lonely models and others together.

        A lonely model lacks neighbours.
        """
        for _ in range(2 * self.count):
            missing: cython.int = self.missing()
            if missing == 0:
                return self.stand_together()
            self._change_cost, self._change_model, self._apart = INFINITE, -1, 0.0
            if self.unmet() > 0:
                self._consider_ranges(missing)
            else:
                self._consider_neighbours(missing)
                self._apart = self.apart() if self._change_model < 0 else 0.0
                if self._apart > 0.0:
                    # No single change joins two groups: one draws nearer to the other first.
                    self._consider_neighbours(missing)
            if self._change_model < 0:
                return False
            self.place(self._change_model, self._change_x, self._change_y, self._change_left)
        return self.missing() == 0 and self.stand_together()

    def _consider_ranges(self, missing: cython.int) -> cython.int:
        """Note the change of least cost that brings a model within range of another group."""
        i: cython.Py_ssize_t
        group: cython.Py_ssize_t
        for group in range(self.groups):
            if self.is_met(group):
                continue
            self.duty = cython.cast(cython.int, group)
            for row in self.nearest_to_group(group)[:LONELY]:
                i = row
                self._consider_change(i, self.models[i].aim_x, self.models[i].aim_y, EVERYWHERE, missing)
            self.duty = FREE
        return 0

    def _consider_neighbours(self, missing: cython.int) -> cython.int:
        """Note the change that costs least of those that bring neighbours together."""
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        lonely = [k for k in range(self.count) if self.neighbours(k) < self.need] or range(self.count)
        for row in lonely[:LONELY]:
            i = row
            self._consider_change(i, self.models[i].aim_x, self.models[i].aim_y, NEAR, missing)
            x: cython.double = self.models[i].end_x
            y: cython.double = self.models[i].end_y
            for friend in self._nearest_to(i)[:FRIENDS]:
                k = friend
                self._consider_change(i, self.models[k].end_x, self.models[k].end_y, NEAR, missing)
                self._consider_change(k, x, y, NEAR, missing)
        return 0

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
        self,
        model: cython.Py_ssize_t,
        x: cython.double,
        y: cython.double,
        near: cython.double,
        missing: cython.int,
    ) -> cython.int:
        """Note the spot about a place at which a model brings what is missing, if it costs least."""
        self.lay(model, x, y, near)
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
        wanted: cython.double = self._apart if self._apart > 0.0 else missing
        least: cython.double = self._apart * DRAWN
        while self.points.count > 0 and tries < CHANGE_TRIES:
            row: cython.Py_ssize_t = self.points.least()
            x: cython.double = self.points.spots[row].x
            y: cython.double = self.points.spots[row].y
            left: cython.double = self.points.spots[row].left
            self.points.drop(row)
            if (left - was_left) / wanted >= self._change_cost:
                break
            self.place(model, x, y, left)
            brought: cython.double = missing - self.missing()
            if self._apart > 0.0:
                brought = self._apart - self.apart() if brought >= 0.0 else 0.0
            if brought > least and (left - was_left) / brought < self._change_cost - PLACE_SLACK_INCHES:
                if self.reaches(model, x, y):
                    self._change_cost, self._change_model = (left - was_left) / brought, model
                    self._change_x, self._change_y, self._change_left = x, y, left
                else:
                    tries += 1
        self.place(model, was_x, was_y, was_left)
        return 0
