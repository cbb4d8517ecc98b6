"""Lines in an upright plane: whether one from a rectangle to another misses the rectangles between.

Owns the exact question for one line on the ground: how high a line of sight over it may begin and end, over
what is low and under what is raised. Which lines on the ground are tried is `geometry.sight.free_line_3d`'s
business.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from geometry.shape.base import TOLERANCE, Bools, Floats, Ints
from geometry.sight.landscape import FAR

LEVEL = 1e-9
MOST = 2_000_000
"""So many crossings of lines and rectangles are worked out at once."""


class Profile(NamedTuple):
    """What stands along l lines on the ground, as shares s of a length along them.

    The observer takes up `q` (l, 2: from, to) between the heights `eye` (2,), the target `p` and `goal`;
    rectangle k stands from `enter` to `leave` (l, k) between `bottom` and `top` (k,), or not at all where it
    leaves before it enters.
    """

    q: Floats
    p: Floats
    eye: Floats
    goal: Floats
    enter: Floats
    leave: Floats
    bottom: Floats
    top: Floats

    def take(self, rows: slice) -> Profile:
        """Return the profile along these lines."""
        here = (self.q[rows], self.p[rows], self.eye, self.goal, self.enter[rows], self.leave[rows])
        return Profile(*here, self.bottom, self.top)


def clear_line(profile: Profile) -> tuple[int, Floats] | None:
    """Return the first line over which a line of sight is free, and its ends (2, 2: s, height)."""
    size = 4 * len(profile.bottom) + 8
    step = max(1, MOST // (size * size * max(len(profile.bottom), 1)))
    for first in range(0, len(profile.q), step):
        found = _clear(profile.take(slice(first, first + step)))
        if found is not None:
            return first + found[0], found[1]
    return None


def _clear(profile: Profile) -> tuple[int, Floats] | None:
    s, height = _corners(profile)
    one, two = np.triu_indices(s.shape[1], 1)
    run = s[:, two] - s[:, one]
    real = np.abs(run) > LEVEL  # false as well where either corner is not there
    rise = (height[:, two] - height[:, one]) / np.where(real, run, 1.0)
    rise = np.where(real & (np.abs(rise) > 1e-12), rise, 0.0)
    foot = height[:, one] - rise * s[:, one]
    low_q, start = _inside(profile.q, profile.eye, rise, foot)
    end, high_p = _inside(profile.p, profile.goal, rise, foot)
    real &= (start >= low_q - LEVEL) & (high_p >= end - LEVEL)
    line, which = np.nonzero(real)
    if not len(line):
        return None
    start, end, rise, foot = (field[line, which] for field in (start, end, rise, foot))
    free = (~_shut(profile, line, start, end, rise, foot)).nonzero()[0]
    if not len(free):
        return None
    k = int(free[0])
    return int(line[k]), np.array([(at, foot[k] + rise[k] * at) for at in (start[k], end[k])])


def _corners(profile: Profile) -> tuple[Floats, Floats]:
    """Return the corners (l, k) past which a free line may just pass, NaN where there is none."""
    q, p, enter, leave = profile.q, profile.p, profile.enter, profile.leave
    there = enter < leave
    s, height = [], []

    def add(at: Floats, level: Floats | float, exists: Bools) -> None:
        s.append(np.where(exists, at, np.nan))
        height.append(np.broadcast_to(level, at.shape))

    every = np.ones((len(q), 2), dtype=np.bool_)
    for ends, levels, sides, inside in (
        (q, profile.eye, leave, (leave > q[:, :1]) & (leave < q[:, 1:])),
        (p, profile.goal, enter, (enter > p[:, :1]) & (enter < p[:, 1:])),
    ):
        for level in levels.tolist():
            add(ends, level, every)
            add(sides, level, there & inside)
    for level in (profile.bottom, profile.top):
        finite = there & (np.abs(level) < FAR)
        add(enter, level, finite)
        add(leave, level, finite)
    every_s, every_height = np.concatenate(s, axis=1), np.concatenate(height, axis=1)
    kept = ~np.isnan(every_s).all(axis=0)
    return every_s[:, kept], every_height[:, kept]


def _inside(span: Floats, levels: Floats, rise: Floats, foot: Floats) -> tuple[Floats, Floats]:
    """Return from where to where lines (l, m) run within rectangles (l, 2 ends) between two heights."""
    low, high = _at_heights(levels[0] - LEVEL, levels[1] + LEVEL, rise, foot)
    return np.maximum(low, span[:, :1]), np.minimum(high, span[:, 1:])


def _at_heights(
    floor: Floats | float, roof: Floats | float, rise: Floats, foot: Floats
) -> tuple[Floats, Floats]:
    """Return from where to where lines are between two heights; nowhere is from +FAR to -FAR."""
    level = rise == 0
    slope = np.where(level, 1.0, rise)
    one, two = (floor - foot) / slope, (roof - foot) / slope
    within = (foot > floor) & (foot < roof)
    low = np.where(level, np.where(within, -FAR, FAR), np.minimum(one, two))
    high = np.where(level, np.where(within, FAR, -FAR), np.maximum(one, two))
    return low, high


def _shut(profile: Profile, line: Ints, start: Floats, end: Floats, rise: Floats, foot: Floats) -> Bools:
    """Return which stretches (m) of lines of sight some rectangle closes."""
    plate = profile.bottom >= profile.top
    floor = np.where(plate, profile.bottom, profile.bottom + TOLERANCE)
    roof = np.where(plate, profile.top, profile.top - TOLERANCE)
    low, high = _at_heights(floor, roof, rise[:, None], foot[:, None])
    first = np.maximum(profile.enter[line], start[:, None])
    last = np.minimum(profile.leave[line], end[:, None])
    crossed = (low > first + LEVEL) & (low < last - LEVEL)
    thick = np.minimum(last, high) - np.maximum(first, low) > LEVEL
    return np.asarray(np.where(plate, crossed, thick).any(axis=1))
