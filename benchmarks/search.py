"""A slow search for a unit's move: random ends, random orders, again and again.

Owns an answer to "is there any legal move" that shares nothing with `geometry.group.group_move`: ends are
drawn at random, ways are one or two straight lines, tested with shapely, and the unit is filled model by
model.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from geometry.group.group_move import Party
from geometry.measure.coherency import Spacing, is_coherent
from geometry.path.ground import Ground
from geometry.shape.base import Bools, Floats, Polygon
from geometry.shape.convex_shape import Outlines

ENDS = 240
BENDS = 12
ROUND = 48
"""The number of sides in a quarter of a polygon that is drawn round a circle.

As it holds the circle, what the search finds is legal.
"""
Left = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Draw:
    """The ends that one model may take, the best first, and how far each has left to the goal."""

    xy: Floats
    left: Floats


class Search:
    """A unit's legal ends, drawn at random."""

    def __init__(self, party: Party, ground: Ground, left: Left, seed: int) -> None:
        """Draw ends for each model."""
        self.party, self.left = party, left
        self.chance = np.random.default_rng(seed)
        self.size = ground.size
        self.draws: list[Draw] = []
        maps: dict[float, tuple[shapely.Geometry, shapely.Geometry]] = {}
        for row, radius in enumerate(party.radius.tolist()):
            if radius not in maps:
                maps[radius] = _closed(ground, radius)
            self.draws.append(self._drawn(row, *maps[radius]))

    def _drawn(self, row: int, passing: shapely.Geometry, ending: shapely.Geometry) -> Draw:
        at, radius, limit = (values[row] for values in (self.party.xy, self.party.radius, self.party.limit))
        xy = self._around(at, limit, ENDS, radius)
        xy = xy[~shapely.intersects_xy(ending, xy[:, 0], xy[:, 1])]
        reached = _clear(passing, np.broadcast_to(at, xy.shape), xy)
        for bend in self._around(at, limit, BENDS, radius):
            rest = np.flatnonzero(~reached)
            if not len(rest) or not _clear(passing, at[None], bend[None])[0]:
                continue
            far = math.dist(at, bend) + np.hypot(*(xy[rest] - bend).T)
            rest = rest[far <= limit]
            reached[rest] = _clear(passing, np.broadcast_to(bend, xy[rest].shape), xy[rest])
        xy = xy[reached]
        if not shapely.intersects_xy(ending, *at):
            xy = np.vstack([xy, at])
        left = self.left(xy)
        order = np.argsort(left, kind="stable")
        return Draw(xy[order], left[order])

    def _around(self, at: Floats, limit: float, count: int, radius: float) -> Floats:
        angle = self.chance.uniform(0, math.tau, count)
        far = limit * np.sqrt(self.chance.uniform(0, 1, count)) * (1 - 1e-9)
        far[: count // 6] = limit * (1 - 1e-9)
        xy = at + far[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        inside = (xy >= radius).all(axis=1) & (xy <= np.array(self.size) - radius).all(axis=1)
        return np.asarray(xy[inside])

    def found(self, spacing: Spacing, good: Callable[[Floats], bool], restarts: int) -> int | None:
        """Return after how many restarts a legal, coherent and good outcome turned up, or None."""
        for number in range(1, restarts + 1):
            ends = self._filled(spacing)
            if ends is None or not good(ends):
                continue
            if is_coherent(ends, ends[:, 0] * 0, self.party.radius, spacing):
                return number
        return None

    def _filled(self, spacing: Spacing) -> Floats | None:
        """Return an end for each model, in a random order, each beside those before it."""
        count = len(self.draws)
        if any(not len(draw.xy) for draw in self.draws):
            return None
        order = self.chance.permutation(count)
        if self.chance.random() < 0.5:
            order = np.argsort([draw.left[0] + self.chance.uniform(0, 2) for draw in self.draws])
        ends = np.zeros((count, 2))
        greed = float(self.chance.choice([2.0, 8.0, 40.0, 200.0]))
        for place, row in enumerate(order.tolist()):
            draw, before = self.draws[row], order[:place]
            fits = np.ones(len(draw.xy), dtype=np.bool_)
            if place:
                off = draw.xy[:, None] - ends[before][None]
                apart = (
                    np.hypot(off[..., 0], off[..., 1]) - self.party.radius[row] - self.party.radius[before]
                )
                fits = (apart >= 0).all(axis=1)
                need = min(spacing.neighbours_needed(count), place)
                fits &= (apart <= spacing.reach).sum(axis=1) >= need
            rows = np.flatnonzero(fits)
            if not len(rows):
                return None
            ends[row] = draw.xy[rows[min(int(self.chance.exponential(greed)), len(rows) - 1)]]
        return ends


def _closed(ground: Ground, radius: float) -> tuple[shapely.Geometry, shapely.Geometry]:
    """Return where a base's centre must not pass, and where it must not end, a little too large."""
    slack = 1.0 / math.cos(math.pi / 4 / ROUND)

    def grown(discs: Outlines, by: float) -> list[shapely.Geometry]:
        reach = (discs.radius + radius + by) * slack
        return list(shapely.buffer(shapely.points(discs.xy), reach, quad_segs=ROUND))

    def walled(polygons: Sequence[Polygon]) -> list[shapely.Geometry]:
        return [shapely.Polygon(p).buffer(radius * slack, quad_segs=ROUND) for p in polygons]

    passing = [*walled(ground.walls), *grown(ground.solid, 0.0), *grown(ground.avoid, 2e-6)]
    ending = [*walled(ground.no_stand), *grown(ground.no_end, 0.0), *grown(ground.end_avoid, 2e-6)]
    found = shapely.union_all(passing), shapely.union_all([*passing, *ending])
    for area in found:
        shapely.prepare(area)
    return found


def _clear(closed: shapely.Geometry, start: Floats, end: Floats) -> Bools:
    lines = shapely.linestrings(np.stack([start, end], axis=1))
    return np.asarray(~shapely.intersects(closed, lines))
