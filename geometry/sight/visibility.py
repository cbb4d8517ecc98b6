"""Which bodies see which past what stands on the table, exactly.

A body sees another where any point of its base has a free line to any point of the other.

Owns the answers for whole groups of bodies, with what obscures each pair and a witness for each verdict; the
compiled core finds them. Cover, range and the bodies themselves as blockers are not its business.
"""

from __future__ import annotations

import msgspec
import numpy as np

from geometry.core.sight import Lines
from geometry.core.sight_view import obscuring
from geometry.measure.body import Bodies
from geometry.measure.region import Segment
from geometry.shape.base import Bools
from geometry.sight.flat import flat
from geometry.sight.landscape import Landscape

Place = tuple[float, float, float]


def visible(observers: Bodies, targets: Bodies, landscape: Landscape) -> Bools:
    """Return which targets (n observers, m targets) are visible to which observers."""
    found = _lines(observers, targets, landscape).seen()
    return np.frombuffer(found, dtype=np.bool_).reshape(len(observers), len(targets))


def sight(observers: Bodies, targets: Bodies, landscape: Landscape) -> Sight:
    """Return whether each observer sees each target, whether fully, and what obscures it."""
    lines, shape = _lines(observers, targets, landscape), (len(observers), len(targets))
    segments = {(i, j): lines.between(i, j) for i, j in np.ndindex(shape)}
    free = [line is not None for line in segments.values()]
    found = np.array(free, dtype=np.bool_).reshape(shape)
    obscured = _obscured(observers, targets, landscape)
    return Sight(found, found & ~obscured.any(axis=2), obscured, observers, targets, landscape, segments)


def hidden_by(observers: Bodies, targets: Bodies, landscape: Landscape, enough: Bools) -> Bools:
    """Return which pieces keep a target from being fully visible to any of the observers.

    The answers are (m, p), for m targets and p pieces. Of a target that one of the pieces marked as `enough`
    (p) hides in part, no more is asked.
    """
    return np.asarray(_obscured(observers, targets, landscape, enough).any(axis=0))


def clear_line(observer: Bodies, target: Bodies, landscape: Landscape) -> Segment | None:
    """Return a clear segment from one body to another, None where every line is closed."""
    line = _lines(observer, target, landscape).between(0, 0)
    return None if line is None else ((line[0], line[1]), (line[3], line[4]))


class Sight(msgspec.Struct, frozen=True):
    """What n observers see of m targets past p pieces.

    `visible` and `fully` are (n, m); `obscured_by` is (n, m, p): the pieces because of which a target is
    not fully visible.
    """

    visible: Bools
    fully: Bools
    obscured_by: Bools
    _observers: Bodies
    _targets: Bodies
    _landscape: Landscape
    _segments: dict[tuple[int, int], tuple[float, float, float, float, float, float] | None]

    def witness(self, i: int, j: int) -> Segment | tuple[str, ...]:
        """Return a clear segment from observer i to target j, or the pieces that close every line.

        Of the pieces none can be left out; a single one is named where it suffices.
        """
        line = self._segments[i, j]
        if line is not None:
            return (line[0], line[1]), (line[3], line[4])
        return closers(self._observers.take([i]), self._targets.take([j]), self._landscape)

    def line(self, i: int, j: int) -> tuple[Place, Place] | None:
        """Return a clear line in space from observer i to target j, as points (x, y, z), or None."""
        line = self._segments[i, j]
        return None if line is None else (line[:3], line[3:])


def closers(observer: Bodies, target: Bodies, landscape: Landscape) -> tuple[str, ...]:
    """Return the ids of pieces that together close every line between two bodies, none to spare."""
    lines = _lines(observer, target, landscape)
    left = sorted({piece for piece, _ in lines.blockers(0, 0)})
    for piece in left:
        if lines.closed_by(0, 0, [piece]):
            return (landscape.pieces[piece].id,)
    for piece in list(left):
        without = [other for other in left if other != piece]
        if lines.closed_by(0, 0, without):
            left = without
    return tuple(landscape.pieces[piece].id for piece in left)


def _lines(observers: Bodies, targets: Bodies, landscape: Landscape) -> Lines:
    return Lines(flat(observers), flat(targets), landscape.core)


def _obscured(observers: Bodies, targets: Bodies, landscape: Landscape, enough: Bools | None = None) -> Bools:
    """Return which pieces (n, m, p) keep each target from being fully visible to each observer."""
    told = bytes(0 if enough is None else enough.astype(np.uint8))
    found = obscuring(flat(observers), flat(targets), landscape.core, told)
    return np.frombuffer(found, dtype=np.bool_).reshape(len(observers), len(targets), len(landscape))
