# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Where each model of a unit may end, and which of these spots leaves it least.

Owns the spots that are looked at: critical points about the place that a model makes for. In which order
models take theirs, and what is tried where they do not fit, is `geometry/core/unit_plan.py`'s.
"""

from __future__ import annotations

from collections.abc import Sequence

import cython

from geometry.tolerance import LINE_SLACK_INCHES, PLACE_SLACK_INCHES, ROUNDING, TOLERANCE

if not cython.compiled:
    from math import sqrt

    from geometry.core.climb import climb_of
    from geometry.core.critical_points import CriticalPoints
    from geometry.core.distance_map import DistanceMap
    from geometry.core.shapes import INFINITE, Shapes
    from geometry.core.tangents import VisibilityGraph
    from geometry.core.targets import Targets
    from geometry.core.unit_ground import KindGround
    from geometry.core.unit_models import Models

TURN_GAIN = cython.declare(cython.double, 1e-3)
"""A pivot must bring a model this much nearer, in inches."""
LOOSE = cython.declare(cython.double, 1e-3)
"""How much more a spot counts as leaving, in inches, if it touches no other model.

It counts only where models are packed.
"""
EVERYWHERE = 1000.0
"""Spots are laid this near to a place, in inches, where all of a model's reach counts."""
TRIES = cython.declare(cython.int, 400)
"""The number of a model's best spots to which it looks for a way in vain."""
BEYOND = cython.declare(cython.double, 4.0)
"""Ways that are longer than a model's limit by less, in inches, tell where its reach ends."""
HALVINGS = cython.declare(cython.int, 26)
SHORT_ARC = cython.declare(cython.double, 0.25)
"""Arcs within a circle of such a radius, in inches, are looked at as a whole."""
ARC_PARTS = cython.declare(cython.int, 2)
EDGE_PARTS = cython.declare(cython.int, 12)
"""The numbers of parts in which arcs and edges are searched for the end of a model's reach."""
SHORTFALL = cython.declare(cython.double, 8.0)
"""The part of a search's radius by which a spot may fall short of what was hoped for."""


@cython.cclass
class UnitSpots(Models):
    """The models of a unit on the ground on which they move."""

    def __init__(
        self,
        grounds: Sequence[KindGround],
        pairs: Shapes,
        places: Sequence[tuple[float, float]],
        options: Sequence[Sequence[tuple[int, float]]],
        spacing: float,
        need: int,
        stays: bool,
    ) -> None:
        """Take the ground for each kind of base, and the models as `Models` does."""
        Models.__init__(self, pairs, len(grounds), places, options, spacing, need, stays)
        self.grounds = list(grounds)
        self.points = CriticalPoints()
        self._graphs: list[VisibilityGraph | None] = [None] * self.models[self.count].first_option
        self._ways: list[DistanceMap | None] = [None] * self.models[self.count].first_option
        self.work = 0
        self.is_packed = False
        self._has_extra, self._extra_x, self._extra_y = False, 0.0, 0.0

    def ground(self, model: cython.Py_ssize_t) -> KindGround:
        """Return the ground as a model meets it."""
        return self.grounds[self.models[model].kind]

    def _graph_of(self, model: cython.Py_ssize_t) -> VisibilityGraph:
        """Return what is in the way of a model, without what holds it where it stands."""
        option: cython.Py_ssize_t = self.models[model].option
        known: VisibilityGraph | None = self._graphs[option]
        if known is None:
            graph: VisibilityGraph = self.ground(model).graph
            known = graph.freed(self.models[model].x, self.models[model].y)
            self._graphs[option] = known
        return known

    def _ways_of(self, model: cython.Py_ssize_t) -> DistanceMap:
        """Return the map of how far it is from where a model stands."""
        option: cython.Py_ssize_t = self.models[model].option
        known: DistanceMap | None = self._ways[option]
        if known is None:
            graph: VisibilityGraph = self._graph_of(model)
            x: cython.double = self.models[model].x
            y: cython.double = self.models[model].y
            limit: cython.double = self.models[model].limit
            start: Shapes = Shapes((x, y, x, y), (x,), (y,), (0.0,))
            box = (x - limit, y - limit, x + limit, y + limit)
            known = DistanceMap(graph, Targets(graph, start), box)
            self._ways[option] = known
        return known

    def measure(self) -> cython.int:
        """Work out what each model has left and where it makes for, with each option; take the best.

        An option with a limit below 0 is not open: it tells how a model stands that must turn.
        """
        i: cython.Py_ssize_t
        option: cython.Py_ssize_t
        for i in range(self.count):
            best: cython.Py_ssize_t = self.models[i].first_option
            if self.options[best].limit < 0.0:
                best += 1
            for option in range(best, self.models[i + 1].first_option):
                self._measure_option(i, option)
                if self.options[option].is_closed == self.options[best].is_closed:
                    if self.options[option].least < self.options[best].least - TURN_GAIN:
                        best = option
                elif self.options[best].is_closed:
                    best = option
            self.choose(i, best)
        return 0

    def _measure_option(self, model: cython.Py_ssize_t, option: cython.Py_ssize_t) -> cython.int:
        """Work out what a model has left with an option."""
        ground: KindGround = self.grounds[self.options[option].kind]
        ground.expect(self.models[model].x, self.models[model].y, self.options[option].limit)
        self.options[option].began, self.options[option].least = ground.began, ground.least
        self.options[option].aim_x, self.options[option].aim_y = ground.aim_x, ground.aim_y
        self.options[option].next_x, self.options[option].next_y = ground.next_x, ground.next_y
        self.options[option].is_closed = ground.is_closed
        return 0

    def stands(self, model: cython.Py_ssize_t, x: cython.double, y: cython.double) -> cython.bint:
        """Return whether a model may end at a place, whoever else does."""
        is_start: cython.bint = x == self.models[model].x and y == self.models[model].y
        if is_start and self.stays and not self.models[model].is_turned:
            return True
        return self.ground(model).ends.stands(x, y)

    def left_at(
        self, model: cython.Py_ssize_t, x: cython.double, y: cython.double, most: cython.double
    ) -> cython.double:
        """Return what a model has left at a place; infinite where that is not less than `most`."""
        if x == self.models[model].x and y == self.models[model].y:
            return self.models[model].began if self.models[model].began < most else INFINITE
        return self.ground(model).left(x, y, most, self.models[model].is_closed)

    def reaches(self, model: cython.Py_ssize_t, x: cython.double, y: cython.double) -> cython.bint:
        """Return whether a model comes to a place with what it may go."""
        start_x: cython.double = self.models[model].x
        start_y: cython.double = self.models[model].y
        limit: cython.double = self.models[model].limit + ROUNDING
        off_x: cython.double = x - start_x
        off_y: cython.double = y - start_y
        if off_x * off_x + off_y * off_y > limit * limit:
            return off_x == 0.0 and off_y == 0.0
        graph: VisibilityGraph = self._graph_of(model)
        if self._goes_straight(graph, model, x, y):
            return True
        self.work += 10
        ways: DistanceMap = self._ways_of(model)
        if not graph.shapes.is_open(x, y, LINE_SLACK_INCHES, -1):
            # It touches what is in the way, but for rounding.
            graph = graph.freed(x, y)
            if self._goes_straight(graph, model, x, y):
                return True
            start: Shapes = ways.targets.shapes.base or ways.targets.shapes
            ways = DistanceMap(graph, Targets(graph, start), (x, y, x, y))
        return ways.left(x, y, limit + PLACE_SLACK_INCHES) < INFINITE

    def _goes_straight(
        self, graph: VisibilityGraph, model: cython.Py_ssize_t, x: cython.double, y: cython.double
    ) -> cython.bint:
        """Return whether a model comes straight to a place with what it may go, climbs and all."""
        ax: cython.double = self.models[model].x
        ay: cython.double = self.models[model].y
        if not graph.is_clear(ax, ay, x, y):
            return False
        if graph.shapes.climbable == 0:
            return True
        far: cython.double = sqrt((x - ax) * (x - ax) + (y - ay) * (y - ay))
        return far + climb_of(graph.shapes, ax, ay, x, y) <= self.models[model].limit + ROUNDING

    def lay(
        self, model: cython.Py_ssize_t, x: cython.double, y: cython.double, near: cython.double
    ) -> cython.int:
        """Lay out the spots of a model about a place, this near to it."""
        points: CriticalPoints = self.points
        start_x: cython.double = self.models[model].x
        start_y: cython.double = self.models[model].y
        points.begin(start_x, start_y, self.models[model].limit)
        points.offer(x, y)
        k: cython.Py_ssize_t
        for k in range(self.count):
            # A follower may take the place that another leaves.
            points.offer(self.models[k].x, self.models[k].y)
            if self.models[k].is_placed:
                points.offer(self.models[k].end_x, self.models[k].end_y)
        if self._has_extra:
            points.offer(self._extra_x, self._extra_y)
        points.add_circle(start_x, start_y, self.models[model].limit - ROUNDING)
        self._add_friends(model, x, y, near)
        ground: KindGround = self.ground(model)
        ground.ends.lay(points, x, y, near)
        ground.begin(start_x, start_y, self.models[model].limit)
        ground.add_curves(points, x, y, near)
        if near >= EVERYWHERE and (self.count == 1 or not (self.stays or ground.is_wide)):
            # Models that must leave where they are end far from what they make for, if that is there, too.
            self._offer_bends(model)
        points.offer_nearest(x, y)
        points.offer_nearest(start_x, start_y)
        if ground.graph.shapes.climbable > 0:
            # A climb that is not paid for yet ends opposite to where the way bends next.
            option: cython.Py_ssize_t = self.models[model].option
            points.offer_nearest(self.options[option].next_x, self.options[option].next_y)
            if near >= EVERYWHERE and self.count == 1:
                ground.offer_feet(points, start_x, start_y, self.models[model].limit)
        ground.offer_aims(points, x, y)
        points.offer_crossings()
        self.work += points.count // 16
        return 0

    def _add_friends(
        self, model: cython.Py_ssize_t, x: cython.double, y: cython.double, near: cython.double
    ) -> cython.int:
        """Add the curves on which a model touches others, and those on which it is just a neighbour."""
        k: cython.Py_ssize_t
        for k in range(self.count):
            if k == model or not self.models[k].is_placed:
                continue
            row: cython.Py_ssize_t = self.models[k].kind * self.kinds + self.models[model].kind
            about: cython.double = near + self.pairs.shapes[row].reach
            end_x: cython.double = self.models[k].end_x
            end_y: cython.double = self.models[k].end_y
            self.points.add_shape(self.pairs, row, end_x, end_y, LINE_SLACK_INCHES, x, y, about)
            if self.need > 0:
                self.points.add_shape(
                    self.pairs, row, end_x, end_y, self.spacing - LINE_SLACK_INCHES, x, y, about
                )
        return 0

    def _offer_bends(self, model: cython.Py_ssize_t) -> cython.int:
        """Offer the spots on curves that are as far as a model may go, round what is in its way."""
        points: CriticalPoints = self.points
        ways: DistanceMap = self._ways_of(model)
        limit: cython.double = self.models[model].limit
        curve: cython.Py_ssize_t
        part: cython.int
        last_x: cython.double = INFINITE
        last_y: cython.double = INFINITE
        last: cython.double = INFINITE
        # The first curve is how far the model goes straight.
        for curve in range(1, points.curve_count):
            off_x: cython.double = points.curves[curve].middle_x - self.models[model].x
            off_y: cython.double = points.curves[curve].middle_y - self.models[model].y
            about: cython.double = limit + points.curves[curve].reach
            if off_x * off_x + off_y * off_y > about * about:
                continue
            parts: cython.int = ARC_PARTS if points.curves[curve].kind == 2 else EDGE_PARTS
            if points.curves[curve].reach < SHORT_ARC:
                parts = 1
            before: cython.double = INFINITE
            before_share: cython.double = 0.0
            for part in range(parts + 1):
                share: cython.double = part / cython.cast(cython.double, parts)
                x: cython.double
                y: cython.double
                x, y = points.along(curve, share)
                if part == 0 and max(max(x - last_x, last_x - x), max(y - last_y, last_y - y)) < ROUNDING:
                    # An arc begins where the last one ends, but for rounding.
                    length: cython.double = last
                else:
                    length = ways.left(x, y, limit + BEYOND)
                if part > 0 and length < INFINITE and before < INFINITE:
                    if before <= limit < length:
                        self._offer_bend(ways, limit, curve, before_share, share)
                    elif length <= limit < before:
                        self._offer_bend(ways, limit, curve, share, before_share)
                before, before_share = length, share
                last_x, last_y, last = x, y, length
        return 0

    def _offer_bend(
        self,
        ways: DistanceMap,
        limit: cython.double,
        curve: cython.Py_ssize_t,
        inside: cython.double,
        outside: cython.double,
    ) -> cython.int:
        """Offer the spot on a curve that is as far as the limit, between a nearer share and one not."""
        x: cython.double
        y: cython.double
        for _ in range(HALVINGS):
            middle: cython.double = (inside + outside) / 2
            x, y = self.points.along(curve, middle)
            if ways.left(x, y, limit + BEYOND) <= limit:
                inside = middle
            else:
                outside = middle
        x, y = self.points.along(curve, inside)
        return self.points.offer(x, y)

    def keep_good(self, model: cython.Py_ssize_t, below: cython.double) -> cython.int:
        """Keep of the spots laid out those on which a model may end, and that leave it less."""
        points: CriticalPoints = self.points
        kept: cython.Py_ssize_t = 0
        i: cython.Py_ssize_t
        for i in range(points.count):
            x: cython.double = points.spots[i].x
            y: cython.double = points.spots[i].y
            if self.fits(model, x, y) and self.stands(model, x, y):
                left: cython.double = self.left_at(model, x, y, below)
                if self.is_packed and not self._touches(model, x, y):
                    left += LOOSE
                if left < below:
                    points.spots[kept].x, points.spots[kept].y, points.spots[kept].left = x, y, left
                    kept += 1
        points.count = kept
        return 0

    def _touches(self, model: cython.Py_ssize_t, x: cython.double, y: cython.double) -> cython.bint:
        """Return whether a model at a place touches another that has its place, or is the first."""
        is_first: cython.bint = True
        k: cython.Py_ssize_t
        for k in range(self.count):
            if k != model and self.models[k].is_placed:
                is_first = False
                if self.gap(model, k, x, y) <= TOLERANCE:
                    return True
        return is_first

    def take_best(
        self,
        model: cython.Py_ssize_t,
        below: cython.double,
        together: cython.bint,
        near: cython.double,
    ) -> cython.bint:
        """Let a model take its best spot near what it makes for, if that leaves less than `below`.

        Where none is found, or none that leaves as little as was hoped for, all of its reach is looked at.
        With `together` the whole unit must stand in coherency with it.
        """
        if self.take_best_near(model, below, together, near):
            least: cython.double = self.models[model].least
            if below == INFINITE and self.models[model].left > least + near / SHORTFALL:
                self.take_best_near(model, self.models[model].left, together, EVERYWHERE)
            return True
        return below == INFINITE and self.take_best_near(model, below, together, EVERYWHERE)

    def take_best_near(
        self,
        model: cython.Py_ssize_t,
        below: cython.double,
        together: cython.bint,
        near: cython.double,
    ) -> cython.bint:
        """Let a model take the best of its spots so near to what it makes for, if there is one."""
        least: cython.double = self.models[model].least
        if below <= least + PLACE_SLACK_INCHES:
            return False
        is_wide: cython.bint = self.ground(model).is_wide
        self.lay(model, self.models[model].aim_x, self.models[model].aim_y, EVERYWHERE if is_wide else near)
        self.keep_good(model, below - PLACE_SLACK_INCHES)
        points: CriticalPoints = self.points
        was_x: cython.double = self.models[model].end_x
        was_y: cython.double = self.models[model].end_y
        was_left: cython.double = self.models[model].left
        was_placed: cython.bint = self.models[model].is_placed
        tries: cython.int = 0
        while points.count > 0 and tries < TRIES:
            row: cython.Py_ssize_t = points.least()
            x: cython.double = points.spots[row].x
            y: cython.double = points.spots[row].y
            left: cython.double = points.spots[row].left
            points.drop(row)
            if not self.reaches(model, x, y):
                tries += 1
                continue
            self.place(model, x, y, left)
            if not together or self.stand_together():
                return True
            self.place(model, was_x, was_y, was_left)
            self.models[model].is_placed = was_placed
        return False
