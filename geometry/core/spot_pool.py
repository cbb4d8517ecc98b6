# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The spots for bases of one kind, as bases of a set-up are set down and taken back.

Owns these spots: critical points of the ground and of the bases set down. Which of them are taken, and in
which order, is `geometry/core/unit_setup.py`'s.

Of a `FreeSpot` there are its place, how `far` a base there is from what the unit is set up by (rounded),
how many of the bases set down are `near` enough to be its neighbours, and by which of these, counted from
1, it is `taken` (0 if by none). Of a `BaseSet`, a base that is set down, there are its place, the row of
`pairs` that tells where bases of this pool meet it, and how many `spots`, `curves` and `rims` there were
before. Lengths are in inches.
"""

from __future__ import annotations

from collections.abc import Sequence

import cython

from geometry.tolerance import LINE_SLACK_INCHES, PLACE_SLACK_INCHES, TOLERANCE

if not cython.compiled:
    from math import sqrt

    from geometry.core.area import Area
    from geometry.core.critical_points import CriticalPoints
    from geometry.core.end_ground import EndGround, offer_sides
    from geometry.core.plain import free, realloc, table
    from geometry.core.plain_unit import BaseSet, BaseSetTable, FreeSpot, FreeSpotTable
    from geometry.core.shapes import INFINITE, Shapes

AIMS = cython.declare(cython.Py_ssize_t, 12)
"""The number of places toward which every curve offers a spot."""
NEAR = cython.declare(cython.double, 12.0)
"""Spots are first looked for this near to what the unit is set up by, in inches."""
WIDER = cython.declare(cython.double, 2.0)
FARTHEST_NEAR = cython.declare(cython.double, 60.0)
"""If these do not do, the distance grows by that factor; beyond this, in inches, all count."""
MILLIONTHS = cython.declare(cython.double, 1e6)
"""Lengths that are equal in these parts of an inch are equal."""
FARTHEST = cython.declare(cython.double, 1e6)
"""No spot counts as farther off than this, in inches."""

Place = tuple[float, float]
Rows = list[int]


@cython.cclass
class SpotPool(CriticalPoints):
    """The spots that are free for bases of one kind, and the bases that are set down."""

    def __init__(
        self,
        ground: EndGround,
        targets: Shapes,
        aims: Sequence[Place],
        is_front: bool,
        pairs: Shapes,
        spacing: float,
        own: Area | None,
    ) -> None:
        """Take the ground of such bases, what these are set up by, and its `aims`: places in it.

        A row of the targets, or of the pairs, is where the middle of such a base meets a target, or a
        base of the unit about (0, 0). With an area of the unit's `own` spots count by how far they lie
        beyond it.
        """
        CriticalPoints.__init__(self)
        self.ground, self.targets, self.pairs, self.spacing = ground, targets, pairs, spacing
        self.own = own
        self.aims = list(aims)
        self.is_front = is_front
        self._spot_places = self._base_places = 0
        self._measure_targets()
        # Beside bases the nearest spots are all that count, in most set-ups.
        self._lay(INFINITE if is_front or own is not None else self._held + NEAR)

    def __dealloc__(self) -> None:
        """Give the memory back."""
        free(self.free_spots)
        free(self.bases)

    def _measure_targets(self) -> cython.int:
        """Find a circle that holds what the unit is set up by, as the middles of bases meet it."""
        targets: Shapes = self.targets
        row: cython.Py_ssize_t
        self._middle_x = self._middle_y = self._held = 0.0
        for row in range(targets.count):
            self._middle_x += targets.shapes[row].middle_x / targets.count
            self._middle_y += targets.shapes[row].middle_y / targets.count
        for row in range(targets.count):
            off_x: cython.double = targets.shapes[row].middle_x - self._middle_x
            off_y: cython.double = targets.shapes[row].middle_y - self._middle_y
            far: cython.double = sqrt(off_x * off_x + off_y * off_y) + targets.shapes[row].reach
            self._held = max(self._held, far)
        return 0

    def _lay(self, near: cython.double) -> cython.int:
        """Find the spots that the ground alone offers, so near to what the unit is set up by."""
        x: cython.double = self._middle_x
        y: cython.double = self._middle_y
        self.spot_count = self.base_count = 0
        self._near = near
        self.begin(x, y, near)
        border: cython.Py_ssize_t = self.ground.lay(self, x, y, near)
        row: cython.Py_ssize_t
        if self.is_front:
            for row in range(self.targets.count):
                self.add_shape(self.targets, row, 0.0, 0.0, 0.0, x, y, near)
        for aim_x, aim_y in self.aims[:AIMS]:
            self.offer_nearest_on(0, border, aim_x, aim_y, False)
            self.offer_nearest_on(border, self.curve_count, aim_x, aim_y, True)
        for aim_x, aim_y in self.aims:
            self.offer(aim_x, aim_y)
        offer_sides(self)
        self.offer_crossings()
        return self._keep_free()

    def _widen(self, near: cython.double) -> cython.int:
        """Find the spots anew, up to another distance, beside the bases that are set down."""
        count: cython.Py_ssize_t = self.base_count
        k: cython.Py_ssize_t
        self._lay(near)
        for k in range(count):
            self.set_down(self.bases[k].pair, self.bases[k].x, self.bases[k].y)
        return 0

    def widen(self) -> cython.int:
        """Find the spots on all of the ground, if some are not known yet."""
        return self._widen(INFINITE) if self._near < INFINITE else 0

    def _is_known(self, far: cython.double) -> cython.bint:
        """Return whether all spots are known that are no farther from what the unit is set up by."""
        return self._near == INFINITE or far < self._near - self._held - TOLERANCE

    def _keep_free(self) -> cython.int:
        """Add those of the points offered on which a base may stand beside those set down."""
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        for i in range(self.count):
            x: cython.double = self.spots[i].x
            y: cython.double = self.spots[i].y
            near: cython.int = 0
            gap: cython.double = 0.0
            for k in range(self.base_count):
                gap = self._gap(k, x, y)
                if gap < -PLACE_SLACK_INCHES:
                    break
                if gap <= self.spacing + PLACE_SLACK_INCHES:
                    near += 1
            if gap < -PLACE_SLACK_INCHES or not self.ground.stands(x, y):
                continue
            row: cython.Py_ssize_t = self.spot_count
            self._reserve_spots()
            self.spot_count += 1
            self.free_spots[row].x, self.free_spots[row].y = x, y
            self.free_spots[row].far = self.far_at(x, y)
            self.free_spots[row].near, self.free_spots[row].taken = near, 0
        self.count = 0
        return 0

    def _reserve_spots(self) -> cython.int:
        """Make room for one more free spot."""
        if self.spot_count < self._spot_places:
            return 0
        room: cython.Py_ssize_t = max(2 * self._spot_places, 512)
        if not cython.compiled:
            known = self.free_spots if self._spot_places else None
            self.free_spots: FreeSpotTable = table(FreeSpot, room, known)
        else:
            self.free_spots = cython.cast(
                FreeSpotTable, realloc(self.free_spots, room * cython.sizeof(FreeSpot))
            )
            if not self.free_spots:
                raise MemoryError
        self._spot_places = room
        return 0

    def _reserve_bases(self) -> cython.int:
        """Make room for one more base that is set down."""
        if self.base_count < self._base_places:
            return 0
        room: cython.Py_ssize_t = max(2 * self._base_places, 32)
        if not cython.compiled:
            self.bases: BaseSetTable = table(BaseSet, room, self.bases if self._base_places else None)
        else:
            self.bases = cython.cast(BaseSetTable, realloc(self.bases, room * cython.sizeof(BaseSet)))
            if not self.bases:
                raise MemoryError
        self._base_places = room
        return 0

    def far_at(self, x: cython.double, y: cython.double) -> cython.double:
        """Return how far a base is from what the unit is set up by, or beyond its own area."""
        own: Area | None = self.own
        if own is not None:
            return rounded(own.gap(x, y) + self.ground.base.shapes[0].reach)
        return self.off_targets(x, y)

    def off_targets(self, x: cython.double, y: cython.double) -> cython.double:
        """Return how far a base at a place is from what the unit is set up by, rounded."""
        return rounded(max(self.targets.least_gap(x, y), 0.0))

    def _gap(self, base: cython.Py_ssize_t, x: cython.double, y: cython.double) -> cython.double:
        """Return the gap of a base at a place from one that is set down; infinite if far off."""
        x -= self.bases[base].x
        y -= self.bases[base].y
        pair: cython.Py_ssize_t = self.bases[base].pair
        off_x: cython.double = x - self.pairs.shapes[pair].middle_x
        off_y: cython.double = y - self.pairs.shapes[pair].middle_y
        reach: cython.double = self.pairs.shapes[pair].reach + self.spacing + 2 * PLACE_SLACK_INCHES
        if off_x * off_x + off_y * off_y > reach * reach:
            return INFINITE
        return self.pairs.gap(pair, x, y)

    def set_down(self, pair: cython.Py_ssize_t, x: cython.double, y: cython.double) -> cython.int:
        """Set a base down: its place is taken, and its rim offers new spots."""
        base: cython.Py_ssize_t = self.base_count
        self._reserve_bases()
        self.base_count += 1
        self.bases[base].x, self.bases[base].y, self.bases[base].pair = x, y, pair
        self.bases[base].curves, self.bases[base].rims = self.curve_count, self.rim_count
        self.bases[base].spots = self.spot_count
        i: cython.Py_ssize_t
        for i in range(self.spot_count):
            if self.free_spots[i].taken:
                continue
            gap: cython.double = self._gap(base, self.free_spots[i].x, self.free_spots[i].y)
            if gap < -PLACE_SLACK_INCHES:
                self.free_spots[i].taken = self.base_count
            elif gap <= self.spacing + PLACE_SLACK_INCHES:
                self.free_spots[i].near += 1
        curve: cython.Py_ssize_t = self.curve_count
        rim: cython.Py_ssize_t = self.rim_count
        self.add_shape(self.pairs, pair, x, y, LINE_SLACK_INCHES, x, y, INFINITE)
        for aim_x, aim_y in self.aims[:AIMS]:
            self.offer_nearest_on(curve, self.curve_count, aim_x, aim_y, True)
        self.offer_nearest_on(curve, self.curve_count, self.bases[0].x, self.bases[0].y, True)
        if self.rim_count > rim:
            self.offer_crossings_of(rim)
        return self._keep_free()

    def take_back(self) -> cython.int:
        """Take back the base that was set down last."""
        base: cython.Py_ssize_t = self.base_count - 1
        self.curve_count, self.rim_count = self.bases[base].curves, self.bases[base].rims
        self.rims[self.rim_count].first = self.curve_count
        self.spot_count = self.bases[base].spots
        i: cython.Py_ssize_t
        for i in range(self.spot_count):
            if self.free_spots[i].taken == self.base_count:
                self.free_spots[i].taken = 0
            elif not self.free_spots[i].taken:
                gap: cython.double = self._gap(base, self.free_spots[i].x, self.free_spots[i].y)
                if gap <= self.spacing + PLACE_SLACK_INCHES:
                    self.free_spots[i].near -= 1
        self.base_count = base
        return 0

    def clear(self) -> cython.int:
        """Take back all bases."""
        while self.base_count:
            self.take_back()
        return 0

    def best(self, need: cython.int) -> cython.Py_ssize_t:
        """Return the row of the best free spot with neighbours enough; -1 if there is none.

        Of several that are as good it is the nearest to the base that was set down first.
        """
        row: cython.Py_ssize_t = self._best_known(need)
        while not self._is_known(INFINITE if row < 0 else self.free_spots[row].far):
            self._widen(WIDER * self._near if self._near < FARTHEST_NEAR else INFINITE)
            row = self._best_known(need)
        return row

    def _best_known(self, need: cython.int) -> cython.Py_ssize_t:
        """Return the row of the best free spot of those that are known; -1 if there is none."""
        found: cython.Py_ssize_t = -1
        least: cython.double = INFINITE
        beside: cython.double = INFINITE
        i: cython.Py_ssize_t
        for i in range(self.spot_count):
            far: cython.double = self.free_spots[i].far
            if self.free_spots[i].taken or self.free_spots[i].near < need or far > least:
                continue
            off: cython.double = self._off(i, self.bases[0].x, self.bases[0].y)
            if far < least or off < beside:
                found, least, beside = i, far, off
        return found

    def _least_far(self) -> cython.double:
        """Return how far the nearest of the spots that are known is, infinite if there is none."""
        found: cython.double = INFINITE
        i: cython.Py_ssize_t
        for i in range(self.spot_count):
            found = min(found, self.free_spots[i].far)
        return found

    def _off(self, spot: cython.Py_ssize_t, x: cython.double, y: cython.double) -> cython.double:
        """Return how far a free spot is from a place, rounded."""
        off_x: cython.double = self.free_spots[spot].x - x
        off_y: cython.double = self.free_spots[spot].y - y
        return rounded(sqrt(off_x * off_x + off_y * off_y))

    def place_of(self, spot: cython.Py_ssize_t) -> Place:
        """Return where a free spot is."""
        return (self.free_spots[spot].x, self.free_spots[spot].y)

    def best_first(self) -> list[tuple[float, float, float, float]]:
        """Return how far each free spot is, how far from the first aim, and where: the best first."""
        self.clear()
        while not self._is_known(self._least_far()):
            self._widen(WIDER * self._near if self._near < FARTHEST_NEAR else INFINITE)
        x, y = self.aims[0]
        alike: dict[tuple[float, float], list[int]] = {}
        for i in range(self.spot_count):
            alike.setdefault((self.free_spots[i].far, self._off(i, x, y)), []).append(i)
        found: list[tuple[float, float, float, float]] = []
        for (far, aside), rows in sorted(alike.items()):
            # How far all the others are tells spots apart that are alike, wherever the table lies.
            for _, row in sorted([(self._apart(row) if len(rows) > 1 else 0.0, row) for row in rows]):
                found.append((far, aside, self.free_spots[row].x, self.free_spots[row].y))
        return found

    def _apart(self, spot: cython.Py_ssize_t) -> cython.double:
        """Return the sum of the distances of a spot from all others, rounded."""
        found: cython.double = 0.0
        i: cython.Py_ssize_t
        for i in range(self.spot_count):
            off_x: cython.double = self.free_spots[i].x - self.free_spots[spot].x
            off_y: cython.double = self.free_spots[i].y - self.free_spots[spot].y
            found += sqrt(off_x * off_x + off_y * off_y)
        return rounded(found)

    def roomiest_first(self, need: cython.int, own: cython.Py_ssize_t, are_more: bool) -> list[Place]:
        """Return the free spots with neighbours enough, first those that leave most others free.

        Row `own` of the pairs is where two bases of this pool meet. Where none are to follow all leave as
        much.
        """
        at: dict[tuple[float, float], int] = {}
        i: cython.Py_ssize_t
        for i in range(self.spot_count):
            if not self.free_spots[i].taken and self.free_spots[i].near >= need:
                at.setdefault((rounded(self.free_spots[i].x), rounded(self.free_spots[i].y)), i)
        rows: list[int] = list(at.values())
        x, y = self.aims[0]
        found: list[tuple[int, float, float, float, int]] = []
        for row in rows:
            i = row
            free_count: cython.int = 0
            apart: cython.double = 0.0
            if are_more:
                free_count, apart = self._left_free(i, own, rows)
            found.append((-free_count, self.free_spots[i].far, self._off(i, x, y), apart, i))
        return [self.place_of(place[4]) for place in sorted(found)]

    def _left_free(
        self, spot: cython.Py_ssize_t, own: cython.Py_ssize_t, rows: Rows
    ) -> tuple[cython.int, cython.double]:
        """Return the number of spots that a base on one leaves free, and the sum of the distances."""
        found: cython.int = 0
        apart: cython.double = 0.0
        reach: cython.double = self.pairs.shapes[own].reach
        k: cython.Py_ssize_t
        for row in rows:
            k = row
            off_x: cython.double = self.free_spots[k].x - self.free_spots[spot].x
            off_y: cython.double = self.free_spots[k].y - self.free_spots[spot].y
            far: cython.double = sqrt(off_x * off_x + off_y * off_y)
            apart += far
            if far >= reach or self.pairs.gap(own, off_x, off_y) >= -PLACE_SLACK_INCHES:
                found += 1
        return found, rounded(apart)


def rounded(length: cython.double) -> cython.double:
    """Return a length rounded to millionths of an inch, and no more than the farthest."""
    if length >= FARTHEST:
        return FARTHEST
    if length < 0.0:
        return -rounded(-length)
    return cython.cast(cython.longlong, length * MILLIONTHS + 0.5) / MILLIONTHS
