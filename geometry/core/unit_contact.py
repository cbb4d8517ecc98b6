# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What a move into contact asks of the models of a unit, beside what every move does.

Owns which groups of targets are within range of some model, and that a model which moves ends closer. Other
moves have no group to reach. In which order models are sent is `unit_plan.py`'s.
"""

from __future__ import annotations

from collections.abc import Sequence

import cython

if not cython.compiled:
    from geometry.core.contact_ground import ContactGround
    from geometry.core.shapes import INFINITE, Shapes
    from geometry.core.unit_ground import KindGround
    from geometry.core.unit_spots import EVERYWHERE, UnitSpots

FREE = -1
"""The duty of a model that may end out of range."""
EVERY = -2
"""The duty of a model that has to come within range of every group."""


@cython.cclass
class UnitContact(UnitSpots):
    """The models of a unit that may have to come within range of groups of targets."""

    def __init__(
        self,
        grounds: Sequence[KindGround],
        pairs: Shapes,
        places: Sequence[tuple[float, float]],
        options: Sequence[Sequence[tuple[int, float]]],
        spacing: float,
        need: int,
        stays: bool,
        contact: tuple[int, bool, float, bool] = (0, True, 0.0, True),
    ) -> None:
        """Take ground and models as `UnitSpots` does, and what is asked of a move into contact.

        That is how many groups are to be within range of some model, and by how many inches models end
        closer: to any target, or (False) to the one that is closest to a model as it stands. The last tells
        whether a model that ends where it stands has not moved, as its height is kept.
        """
        UnitSpots.__init__(self, grounds, pairs, places, options, spacing, need, stays)
        self.groups, self.is_any, self.closer, self.is_kept = contact
        self.duty = EVERY if self.groups and self.count == 1 else FREE

    def _contact(self, option: cython.Py_ssize_t) -> ContactGround:
        """Return the ground of a model with an option."""
        return cython.cast(ContactGround, self.grounds[self.options[option].kind])

    def stands(self, model: cython.Py_ssize_t, x: cython.double, y: cython.double) -> cython.bint:
        """Return whether a model may end at a place, closer to targets, and as its duty asks."""
        if not UnitSpots.stands(self, model, x, y):
            return False
        if self.groups == 0:
            return True
        if self.duty != FREE and not self._does_duty(model, x, y):
            return False
        is_start: cython.bint = x == self.models[model].x and y == self.models[model].y
        stays: cython.bint = is_start and self.is_kept and not self.models[model].is_turned
        return stays or self._is_closer(model, x, y)

    def _does_duty(self, model: cython.Py_ssize_t, x: cython.double, y: cython.double) -> cython.bint:
        """Return whether a model at a place is within range of what its duty names."""
        ground: ContactGround = self._contact(self.models[model].option)
        group: cython.Py_ssize_t
        for group in range(self.groups):
            if self.duty in (group, EVERY) and not ground.is_within(group, x, y):
                return False
        return True

    def _is_closer(self, model: cython.Py_ssize_t, x: cython.double, y: cython.double) -> cython.bint:
        """Return whether a model at a place is closer to a target than where it began.

        Each distance is that of the base as it faces there. With `is_any` any target counts, else only the
        one that was closest.
        """
        before: ContactGround = self._contact(self.models[model].first_option)
        after: ContactGround = self._contact(self.models[model].option)
        start_x: cython.double = self.models[model].x
        start_y: cython.double = self.models[model].y
        last: cython.Py_ssize_t = before.firsts[len(before.firsts) - 1]
        closest: cython.Py_ssize_t = -1
        least: cython.double = INFINITE
        row: cython.Py_ssize_t
        for row in range(last):
            gap: cython.double = before.apart(row, start_x, start_y)
            if self.is_any:
                if gap - after.apart(row, x, y) > self.closer:
                    return True
            elif gap < least:
                closest, least = row, gap
        return closest >= 0 and least - after.apart(closest, x, y) > self.closer

    def unmet(self) -> cython.int:
        """Return how many groups are within range of no model where all end."""
        found: cython.int = 0
        group: cython.Py_ssize_t
        for group in range(self.groups):
            if not self.is_met(group):
                found += 1
        return found

    def is_met(self, group: cython.Py_ssize_t) -> cython.bint:
        """Return whether a group is within range of some model that has its place."""
        i: cython.Py_ssize_t
        for i in range(self.count):
            if self.models[i].is_placed and self._contact(self.models[i].option).is_within(
                group, self.models[i].end_x, self.models[i].end_y
            ):
                return True
        return False

    def stand_together(self) -> cython.bint:
        """Return whether all models end coherent and apart, with all groups within range."""
        return UnitSpots.stand_together(self) and self.unmet() == 0

    def missing(self) -> cython.int:
        """Return how much an outcome lacks: neighbours, groups of models, and ranges.

        Ranges count before all else.
        """
        return UnitSpots.missing(self) + 3 * cython.cast(cython.int, self.count) * self.unmet()

    def nearest_to_group(self, group: cython.Py_ssize_t) -> list[int]:
        """Return the rows of the models, those first that stand nearest to a group."""
        found: list[tuple[float, int]] = []
        i: cython.Py_ssize_t
        for i in range(self.count):
            ground: ContactGround = self._contact(self.models[i].first_option)
            found.append((round(ground.range_gap(group, self.models[i].x, self.models[i].y), 6), i))
        return [i for _, i in sorted(found)]

    def hardest_groups(self) -> list[int]:
        """Return the groups, those first that are farthest from every model."""
        found: list[tuple[float, int]] = []
        group: cython.Py_ssize_t
        i: cython.Py_ssize_t
        for group in range(self.groups):
            i = self.nearest_to_group(group)[0]
            ground: ContactGround = self._contact(self.models[i].first_option)
            found.append((-round(ground.range_gap(group, self.models[i].x, self.models[i].y), 6), group))
        return [group for _, group in sorted(found)]

    def has_places(self) -> bool:
        """Return whether each group has a place within range on which some model may end."""
        self.measure()
        return bool(self.may_meet())

    def may_meet(self) -> cython.bint:
        """Return whether each group has a place within range, once models know what they make for."""
        found: cython.bint = True
        group: cython.Py_ssize_t
        was: cython.int = self.duty
        for group in range(self.groups):
            self.duty = cython.cast(cython.int, group)
            found = found and self._has_place()
        self.duty = was
        return found

    def _has_place(self) -> cython.bint:
        """Return whether some model may end where it does its duty, whatever leads there."""
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        for i in range(self.count):
            self.lay(i, self.models[i].aim_x, self.models[i].aim_y, EVERYWHERE)
            for k in range(self.points.count):
                if self.stands(i, self.points.spots[k].x, self.points.spots[k].y):
                    return True
        return False
