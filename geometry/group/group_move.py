"""A unit's move, and its set-up, as one problem: legal ways, and the unit in coherency.

Owns moves toward bases, points and lines, and away. Those into contact are `geometry.group.contact`'s, a
set-up `geometry.group.setup`'s, one model's way `geometry.path.planner`'s.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np
from msgspec.structs import replace

from geometry.group.contact import move_into_contact
from geometry.group.levels import storeys
from geometry.group.outcome import Flat, Moved, in_the_way
from geometry.group.party import Party
from geometry.group.planned_move import planned
from geometry.group.setup import Front, Nearest, Placed, place_group
from geometry.measure.coherency import Spacing
from geometry.measure.region import Segment
from geometry.path.blockage import Blocked
from geometry.path.ground import Ground
from geometry.path.planner import Path
from geometry.portable import norm, sum_of
from geometry.shape.convex_shape import NOTHING, Outlines
from geometry.single.goal import Away, Goal, ToBases, ToLine
from geometry.tolerance import TOLERANCE

__all__ = [
    "Front",
    "Moved",
    "Nearest",
    "Party",
    "Placed",
    "move_away",
    "move_into_contact",
    "move_to_point",
    "move_toward",
    "place_group",
]

Point = tuple[float, float]


def move_toward(
    party: Party,
    goal: Outlines,
    ground: Ground,
    spacing: Spacing,
    stop: float = 0.0,
    stays: bool = True,
) -> Moved | Blocked:
    """Return the move that brings every model as near to the bases as possible.

    It aims at a distance of `stop` inches from them, no nearer. Without `stays` no model stays where it may
    not end: exits compete by what is left beyond them. Where no other outcome is legal nobody moves.
    """
    wanted = ToBases(goal, stop)
    return _nearest(party, ground, goal, wanted, spacing, stays)


def move_to_point(
    party: Party,
    point: Point | Segment,
    ground: Ground,
    spacing: Spacing,
    stays: bool = True,
) -> Moved | Blocked:
    """Return the move that brings every model as near as possible to a point or a segment.

    Where a base cannot be, as it would leave the board, the nearest point counts that it can. Without `stays`
    no model stays where it may not end, as in `move_toward`.
    """
    start, end = point if isinstance(point[0], tuple) else (point, point)
    goal = ToLine(_floats(start), _floats(end), ground.size)
    return _nearest(party, ground, NOTHING, goal, spacing, stays)


def _nearest(
    party: Party, ground: Ground, bases: Outlines, goal: ToBases | ToLine, spacing: Spacing, stays: bool
) -> Moved:
    def flat(some: Party, level: Ground) -> Moved | None:
        return planned(some, level, goal, spacing, stays)

    return _on_best_storey(party, ground, bases, flat, goal) or _stayed(party, goal)


def _floats(point: Sequence[float]) -> Point:
    return (float(point[0]), float(point[1]))


def move_away(party: Party, threats: Outlines, ground: Ground, spacing: Spacing) -> Moved | Blocked:
    """Return the move that ends as far as possible from the closest threat.

    It keeps clear of what is to be avoided. Ways over the threats' bases are taken only where there is no
    other.
    """
    goal = Away(threats, 100.0)

    def flat(some: Party, level: Ground) -> Moved | None:
        round_them = replace(level, solid=level.solid.joined(threats))
        return planned(some, round_them, goal, spacing, False) or planned(some, level, goal, spacing, False)

    return _on_best_storey(party, ground, NOTHING, flat) or Blocked(
        "no place outside engagement range can be reached by every model in coherency",
        partial(in_the_way, party, goal, ground),
    )


def _on_best_storey(
    party: Party, ground: Ground, bases: Outlines, flat: Flat, goal: Goal | None = None
) -> Moved | None:
    """Return the move that ends nearest to a goal, its height counted.

    Where nobody is above the ground, units that make for a goal also end on tops that are before them.
    """
    best: tuple[float, Moved] | None = None
    for storey in storeys(party, ground, bases, goal):
        found = flat(storey.party, storey.ground)
        paths = storey.lifted(found.paths) if found is not None else None
        if found is None or paths is None:
            continue
        # What is left to models that find every way closed is no way: any way is better.
        total = math.inf if found.lost else sum_of(norm(left, storey.above) for left in found.left.tolist())
        if best is None or total < best[0] - TOLERANCE:
            best = (total, replace(found, paths=paths))
        if best[0] <= TOLERANCE:
            break
    return best[1] if best else None


def _stayed(party: Party, goal: Goal) -> Moved:
    left = [float(goal.left(at[None], party.stance(row))[0]) for row, at in enumerate(party.xy)]
    z = np.zeros(len(party)) if party.z is None else party.z
    paths = tuple(Path(_floats(at), (), float(high)) for at, high in zip(party.xy, z, strict=True))
    return Moved(paths, np.array(left), np.array(left))
