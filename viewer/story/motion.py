"""The motion of an event: its duration, and the place of each model on its path.

Pure arithmetic on legs and seconds; it draws nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from engine.core import event as ev
from engine.core.dice import base_of
from viewer.story.source import Entry, Reason

Pair = tuple[float, float]
Leg = tuple[float, ...]

SECONDS_AN_INCH, LONGEST_MOVE = 0.25, 0.9
"""How long a move takes at speed 1: by its length, and at most."""
A_DIE, A_ROW = 0.04, 0.4
"""The seconds between two dice that appear, and the most for all dice of a roll."""
THROWN = ("dice", "spawn")
"""The streams of dice that a person throws; the others pick one of some things."""
WHOLE_TURN = 1e-7
"""An arc that ends this close to its start, in radians, is no whole turn but none."""


def polyline(start: Pair, legs: Sequence[Leg]) -> list[Pair]:
    """Return the points of a path from `start`, its arcs in steps of 8 degrees."""
    points = [start]
    for leg in legs:
        if len(leg) >= 5:
            points += _arc(points[-1], leg)
        else:
            points.append((leg[0], leg[1]))
    return points


def _arc(start: Pair, leg: Leg) -> list[Pair]:
    x, y, cx, cy, turn = leg[:5]
    radius = math.hypot(x - cx, y - cy)
    first = math.atan2(start[1] - cy, start[0] - cx)
    sweep = (math.atan2(y - cy, x - cx) - first) % math.tau
    if min(sweep, math.tau - sweep) < WHOLE_TURN:
        return [(x, y)]
    if turn < 0:
        sweep -= math.tau
    steps = max(1, math.ceil(abs(sweep) / math.radians(8)))
    inner = [first + sweep * i / steps for i in range(1, steps)]
    return [*((cx + radius * math.cos(a), cy + radius * math.sin(a)) for a in inner), (x, y)]


def length(points: Sequence[Pair]) -> float:
    """Return the length of a line of points."""
    return sum(math.dist(a, b) for a, b in pairwise(points))


def along(points: Sequence[Pair], part: float) -> Pair:
    """Return the point a part (0 to 1) of the way along a line of points."""
    left = length(points) * min(max(part, 0.0), 1.0)
    for a, b in pairwise(points):
        step = math.dist(a, b)
        if left <= step and step > 0:
            t = left / step
            return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t
        left -= step
    return points[-1]


def ease(part: float) -> float:
    """Return the same part, slow at both ends."""
    part = min(max(part, 0.0), 1.0)
    return part * part * (3 - 2 * part)


_SECONDS: dict[type[ev.Event], float] = {
    ev.RoundBegan: 1.4,
    ev.TurnBegan: 0.7,
    ev.PhaseBegan: 0.15,
    ev.CardRevealed: 0.8,
    ev.MissionResolved: 0.8,
    ev.SecretRevealed: 0.8,
    ev.Placed: 0.25,
    ev.Arrived: 0.5,
    ev.Disembarked: 0.4,
    ev.Targeted: 0.5,
    ev.Attacked: 0.6,
    ev.Damaged: 0.08,
    ev.Healed: 0.25,
    ev.Returned: 0.25,
    ev.Destroyed: 0.12,
    ev.UnitDestroyed: 0.4,
    ev.Shocked: 0.4,
    ev.Controlled: 0.4,
    ev.Purchased: 0.6,
    ev.BattleEnded: 0.5,
}


_READ: dict[str, float] = {
    "hit": 0.25,
    "wound": 0.25,
    "charge": 0.8,
    "advance": 0.4,
    "battle-shock": 0.8,
    "leadership": 0.8,
    "hazardous": 0.5,
    "deadly-demise": 0.4,
}
"""The seconds in which a roll is read once its dice lie there."""
_BRIEF = 0.1
"""The same for other rolls, such as one model's saving throw."""


def _roll_seconds(roll: ev.Rolled) -> float:
    """Return how long a roll is shown; what only picks one of some things is not shown."""
    if not roll.dice or roll.stream not in THROWN:
        return 0.0
    return min(A_DIE * len(roll.dice), A_ROW) + _READ.get(base_of(roll.roll), _BRIEF)


def seconds(entry: Entry, starts: dict[int, Pair]) -> float:
    """Return an entry's duration at speed 1; `starts` is where its models stood before it."""
    if isinstance(entry, Reason):
        return 0.9
    if isinstance(entry, ev.Moved):
        longest = max((length(polyline(starts[r], entry.paths.get(r, ()))) for r in starts), default=0.0)
        return 0.0 if longest < 0.01 else min(longest * SECONDS_AN_INCH, LONGEST_MOVE)
    if isinstance(entry, ev.Rolled):
        return _roll_seconds(entry)
    return _SECONDS.get(type(entry), 0.0)
