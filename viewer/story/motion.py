"""The motion of an event: its duration, and the place of each model on its path.

Pure arithmetic on legs and seconds; it draws nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from engine.core import event as ev
from viewer.story.source import Entry, Reason

Pair = tuple[float, float]
Leg = tuple[float, ...]

INCHES_A_SECOND = 9.0
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
    ev.Destroyed: 0.16,
    ev.UnitDestroyed: 0.4,
    ev.Shocked: 0.4,
    ev.Controlled: 0.4,
    ev.Purchased: 0.6,
    ev.BattleEnded: 0.5,
}


def seconds(entry: Entry, starts: dict[int, Pair]) -> float:
    """Return an entry's duration at speed 1; `starts` is where its models stood before it."""
    if isinstance(entry, Reason):
        return 0.9
    if isinstance(entry, ev.Moved):
        longest = max((length(polyline(starts[r], entry.paths.get(r, ()))) for r in starts), default=0.0)
        return 0.0 if longest < 0.01 else min(max(longest / INCHES_A_SECOND, 0.35), 1.6)
    return _SECONDS.get(type(entry), 0.0)
