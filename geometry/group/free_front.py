"""The places along a front at which a unit that is set up may begin.

Owns the stretches of a front that are free for the smallest base of a unit, and places evenly spaced over
these. How the unit stands about a place is `geometry.group.setup`'s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from geometry.core.free_stretches import Stretches, free_stretches
from geometry.measure.region import Segment
from geometry.path.end_ground import end_ground
from geometry.path.ground import Ground
from geometry.path.path import Point
from geometry.portable import span, sum_of
from geometry.shape.convex_shape import Stance

DIGITS = 6
"""The digits after the point to which equal lengths agree."""


def places_along(
    front: Sequence[Segment], ground: Ground, stances: Sequence[Stance], most: int
) -> list[Point]:
    """Return places evenly spaced over the free stretches of a front, first those at its middle.

    The first and the last place and one in the middle of them all are among the places. Where no stretch is
    free, they lie on the whole front.
    """
    lengths = [span(start, end) for start, end in front]
    whole = sum_of(lengths)
    smallest = min(stances, key=lambda stance: stance.radius + stance.core.reach)
    free = list(_free(front, ground, smallest)) or [(0.0, whole)]
    room = sum_of([end - begin for begin, end in free])
    along = dict.fromkeys(_at(free, place * room / (most - 1)) for place in range(most))
    order = sorted(along, key=lambda far: (round(abs(far - whole / 2), DIGITS), far))
    return [_point(front, lengths, far) for far in order]


def _free(front: Sequence[Segment], ground: Ground, stance: Stance) -> Iterator[tuple[float, float]]:
    """Yield from where to where a base may stand touching the front, in inches along it."""
    ends, passed = end_ground(ground, stance), 0.0
    for start, end in front:
        found: Stretches = free_stretches(ends, *start, *end)
        yield from ((passed + first, passed + last) for first, last in found)
        passed += span(start, end)


def _at(stretches: Sequence[tuple[float, float]], far: float) -> float:
    """Return where on a front a length along its stretches alone ends."""
    for begin, end in stretches:
        if far <= end - begin:
            return begin + far
        far -= end - begin
    return stretches[-1][1]


def _point(front: Sequence[Segment], lengths: Sequence[float], far: float) -> Point:
    """Return the point at a length along a front."""
    for (start, end), length in zip(front, lengths, strict=True):
        if far <= length and length > 0.0:
            share = far / length
            return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])
        far -= length
    return front[-1][1]
