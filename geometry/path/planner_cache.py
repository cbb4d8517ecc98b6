"""The shortest ways of a unit's models, first sought among the walls alone, which stay for a whole battle.

Owns that shortcut: a way that is shortest among fewer obstacles (the walls, or the one disc in the straight
way), and runs into none of the others, is the shortest of all; and where ways first bend. How ways are
found is `geometry.path.planner`'s.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from geometry.measure.clear_legs import barriers, runs_into
from geometry.path.ground import Ground
from geometry.path.obstacles import SLACK, Leg, Obstacles, arc_extremes
from geometry.path.planner import Blocked, Path, Ways
from geometry.shape.array import points
from geometry.shape.base import TOLERANCE, Floats, Ints, Polygon
from geometry.shape.cached import cached_property
from geometry.shape.convex_shape import Outlines, Stance
from geometry.shape.disc import Disc

Point = tuple[float, float]


class TurnPoints(NamedTuple):
    """Where ways bend (n, 2), how far off that is, and round the rim of which of some shapes."""

    at: Floats
    far: Floats
    rim: Ints
    shapes: Outlines


class Guide(Ways):
    """The shortest ways of bases of one stance over one ground; those among its walls are kept."""

    def __init__(self, stance: Stance, ground: Ground) -> None:
        """Take how the bases stand and the ground."""
        super().__init__(stance, ground)
        self._known: dict[tuple[object, ...], Path | Blocked] = {}
        self._into: dict[tuple[object, ...], tuple[Path | Blocked, float]] = {}
        """Ways into rings, with the limit within which they were looked for."""

    def shortest(
        self, start: Sequence[float], goal: Sequence[float], limit: float = math.inf
    ) -> Path | Blocked:
        """Return the shortest way to a point, as `Ways` finds it."""
        a, b = (float(start[0]), float(start[1])), (float(goal[0]), float(goal[1]))
        asked = (a, b, limit)
        if asked not in self._known:
            self._known[asked] = self._shortest(a, b, limit)
        return self._known[asked]

    def _shortest(self, a: Point, b: Point, limit: float) -> Path | Blocked:
        if not self.stance.core.is_point:
            return super().shortest(a, b, limit)
        found = self._among_walls(a, b).shortest(a, b, limit)
        if isinstance(found, Blocked) or not len(self.obstacles.models) or self._is_clear(found, b):
            return found
        round_one = self._round_one(a, b) if found.legs == (b,) else None
        return super().shortest(a, b, limit) if round_one is None else round_one

    def _round_one(self, a: Point, b: Point) -> Path | None:
        """Return the shortest way past the one disc in the straight way, where it runs into nothing else.

        None where more than that is in the straight way, or both sides are as long.
        """
        free = self.obstacles.freed(a, b)
        rows = free.models.met(np.array([a]), np.array([b]), SLACK).nonzero()[0].tolist()
        core = free.models.core
        if len(rows) != 1 or (core and not core[rows[0]].is_point):
            return None
        (x, y), reach = free.models.xy[rows[0]].tolist(), free.models.radius.item(rows[0])
        one, other = (past_disc(a, b, (x, y, reach), turn) for turn in (1.0, -1.0))
        if abs(one.length - other.length) <= TOLERANCE:
            return None
        found = min(one, other, key=lambda each: each.length)
        return found if _is_free(found, free) else None

    def nearest(self, start: Sequence[float], rings: Outlines, limit: float = math.inf) -> Path | Blocked:
        """Return the shortest way into any of some rings, as `Ways` finds it."""
        a = (float(start[0]), float(start[1]))
        asked = (a, *_key(rings))
        found, within = self._into.get(asked, (None, 0.0))
        # What is shortest within one limit is so within any, unless it is longer.
        if found is None or (found.length if isinstance(found, Path) else limit) > min(limit, within):
            found = self._nearest(a, rings, limit)
            self._into[asked] = found, limit
        return found

    def _nearest(self, a: Point, rings: Outlines, limit: float) -> Path | Blocked:
        if not self.stance.core.is_point:
            return super().nearest(a, rings, limit)
        found = self._among_walls(a).nearest(a, rings, limit)
        if isinstance(found, Blocked) or not len(self.obstacles.models) or self._is_clear(found):
            return found
        return super().nearest(a, rings, limit)

    def first_bends(self, start: Sequence[float]) -> TurnPoints:
        """Return where ways from a point bend first that are not straight.

        What holds the start is ignored.
        """
        a = (float(start[0]), float(start[1]))
        roadmap = self._map(self.obstacles.freed(a))
        fan = roadmap.out_of(a)
        bends = points(fan.x, fan.y)
        lines = np.empty((len(bends), 2, 2))
        lines[:, 0], lines[:, 1] = a, bends
        clear = roadmap.are_clear(lines, roadmap.free.holds(a, a))
        rim = roadmap.loops.owner[fan.arc[clear]]
        return TurnPoints(bends[clear], fan.length[clear], rim, roadmap.shapes)

    def on(self, ground: Ground) -> Ways:
        return guide(self.stance, ground)

    def _among_walls(self, *points: Point) -> Ways:
        """Return the ways among walls alone: those that are kept, where no wall holds one of these points."""
        known = walled(self.stance, self.ground.size, self.ground.walls)
        return known if known.obstacles.freed(*points) is known.obstacles else self._walled

    @cached_property
    def _walled(self) -> Ways:
        return Ways(self.stance, Ground(self.ground.size, self.ground.walls))

    def _is_clear(self, found: Path, *goal: Point) -> bool:
        """Return whether a way runs into no model, nor into what is kept clear of about one."""
        models = self.obstacles.freed(found.start, *goal).models
        legs = list(zip(found.points, found.legs, strict=False))
        lines = np.array([[here, leg] for here, leg in legs if len(leg) == 2]).reshape(-1, 2, 2)
        if not models.clear(lines[:, 0], lines[:, 1], SLACK).all():
            return False
        barred = barriers(models, SLACK)
        return not any(runs_into(here, leg, barred) for here, leg in legs if len(leg) != 2)


def past_disc(a: Point, b: Point, disc: Disc, turn: float) -> Path:
    """Return the shortest way from a point round a disc to another, counter-clockwise (1) or clockwise (-1).

    Both lie outside the disc or on its rim.
    """
    x, y, reach = disc
    turns = []
    for (px, py), sign in ((a, turn), (b, -turn)):
        aside = math.acos(min(reach / max(math.dist((px, py), (x, y)), reach), 1.0))
        turns.append(math.atan2(py - y, px - x) + sign * aside)
    on, off = ((x + reach * math.cos(at), y + reach * math.sin(at)) for at in turns)
    legs: list[Leg] = [on] if math.dist(a, on) > SLACK else []
    if ((turns[1] - turns[0]) * turn) % math.tau * reach > SLACK:
        legs.append((*off, x, y, turn))
    return Path(a, (*legs, b) if math.dist(off, b) > SLACK else tuple(legs))


def _is_free(found: Path, free: Obstacles) -> bool:
    """Return whether a way of straight lines and arcs runs into nothing."""
    legs = list(zip(found.points, found.legs, strict=False))
    if not all(free.is_clear(here, leg) for here, leg in legs if len(leg) == 2):
        return False
    arcs = [(here, leg) for here, leg in legs if len(leg) != 2]
    if not all(free.holds(at, at) for here, leg in arcs for at in arc_extremes(here, leg)):
        return False
    barred = barriers(free.shapes, SLACK)
    return not any(runs_into(here, leg, barred) for here, leg in arcs)


class _Kept:
    """A ground and what of it is in the way of bases: the same as any other with as much in the way."""

    __slots__ = ("_key", "ground")

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self._key = (ground.size, ground.walls, *_key(ground.solid), *_key(ground.avoid))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Kept) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


def _key(shapes: Outlines) -> tuple[object, ...]:
    return shapes.xy.tobytes(), shapes.radius.tobytes(), shapes.core


def guide(stance: Stance, ground: Ground) -> Guide:
    """Return the shortest ways over a ground: who asks again while nothing has moved gets the same."""
    return _guide(stance, _Kept(ground))


@lru_cache(maxsize=32)
def _guide(stance: Stance, kept: _Kept) -> Guide:
    ground = kept.ground
    return Guide(stance, Ground(ground.size, ground.walls, solid=ground.solid, avoid=ground.avoid))


@lru_cache(maxsize=64)
def walled(stance: Stance, size: tuple[float, float], walls: tuple[Polygon, ...]) -> Ways:
    """Return the shortest ways among walls alone."""
    return Ways(stance, Ground(size, walls))
