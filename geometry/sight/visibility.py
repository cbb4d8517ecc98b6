"""Who sees whom, exactly: any point of one base to any point of another past what stands on the table.

Owns the answers for whole groups of bodies, with what obscures each pair and a witness for each verdict.
Cover, range and the bodies themselves as blockers are not its business.
"""

from __future__ import annotations

import msgspec
import numpy as np

from geometry.measure.body import Bodies
from geometry.measure.region import Segment
from geometry.shape.base import Bools, Floats, distinct
from geometry.sight.culling import blocks_of, body_pairs, meetings, nowhere, standing_of
from geometry.sight.free_line_3d import free_lines
from geometry.sight.landscape import FAR, Landscape
from geometry.sight.occlusion import obscured_pieces

MOST_PAIRS = 16384
Place = tuple[float, float, float]


def visible(observers: Bodies, targets: Bodies, landscape: Landscape) -> Bools:
    """Return which targets (n observers, m targets) are visible to which observers. Rule: CORE.LOS.1"""
    answers = [_look(some, targets, landscape) for some in _few_at_once(observers, targets)]
    return np.concatenate(answers).reshape(len(observers), len(targets))


def sight(observers: Bodies, targets: Bodies, landscape: Landscape) -> Sight:
    """Return what each observer sees of each target: whether, whether fully, and what obscures it.

    Rule: CORE.LOS.1, CORE.LOS.2, CORE.TER.5, CORE.TER.6
    """
    seen, shaded = [], []
    for some in _few_at_once(observers, targets):
        pairs = body_pairs(some, targets)
        standing = standing_of(some, targets, landscape)
        blocks = blocks_of(some, targets, landscape, pairs, standing)
        seen.append(free_lines(pairs, blocks, landscape))
        shaded.append(obscured_pieces(some, targets, landscape, pairs, standing))
    shape = (len(observers), len(targets))
    found = np.concatenate([free.found for free in seen]).reshape(shape)
    segments = np.concatenate([free.segment for free in seen]).reshape(*shape, 2, 3)
    obscured = np.concatenate(shaded)
    return Sight(found, found & ~obscured.any(axis=2), obscured, observers, targets, landscape, segments)


def hidden_by(observers: Bodies, targets: Bodies, landscape: Landscape, enough: Bools) -> Bools:
    """Return which pieces (m targets, p) keep a target from being fully visible to any of the observers.

    Of a target that one of the pieces marked as `enough` (p) hides in part, no more is asked.
    """
    found = np.zeros((len(targets), len(landscape)), dtype=np.bool_)
    for some in _few_at_once(observers, targets):
        pairs, standing = body_pairs(some, targets), standing_of(some, targets, landscape)
        found |= obscured_pieces(some, targets, landscape, pairs, standing, enough).any(axis=0)
    return found


def clear_line(observer: Bodies, target: Bodies, landscape: Landscape) -> Segment | None:
    """Return a clear segment from one body to another, None where every line is closed. Rule: CORE.LOS.1"""
    pairs = body_pairs(observer, target)
    blocks = blocks_of(observer, target, landscape, pairs, standing_of(observer, target, landscape))
    free = free_lines(pairs, blocks, landscape)
    return _on_ground(free.segment[0]) if free.found[0] else None


def _on_ground(line: Floats) -> Segment:
    (ax, ay, _), (bx, by, _) = line.tolist()
    return (ax, ay), (bx, by)


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
    _segments: Floats

    def witness(self, i: int, j: int) -> Segment | tuple[str, ...]:
        """Return a clear segment from observer i to target j, or the pieces that close every line.

        Of the pieces none can be left out; a single one is named where it suffices.
        """
        if self.visible[i, j]:
            return _on_ground(self._segments[i, j])
        return closers(self._observers.take([i]), self._targets.take([j]), self._landscape)

    def line(self, i: int, j: int) -> tuple[Place, Place] | None:
        """Return a clear line in space from observer i to target j, as points (x, y, z), if there is any."""
        if not self.visible[i, j]:
            return None
        (ax, ay, az), (bx, by, bz) = self._segments[i, j].tolist()
        return (ax, ay, az), (bx, by, bz)


def closers(observer: Bodies, target: Bodies, landscape: Landscape) -> tuple[str, ...]:
    """Return the ids of pieces that together close every line between two bodies, none to spare."""
    pairs = body_pairs(observer, target)
    standing = standing_of(observer, target, landscape)
    blocks = blocks_of(observer, target, landscape, pairs, standing)
    owner, other = landscape.parts.owner[blocks.part], landscape.parts.other[blocks.part]

    def hides(pieces: list[int]) -> bool:
        kept = blocks.take(np.isin(owner, pieces) & np.isin(other, pieces))
        return not free_lines(pairs, kept, landscape).found[0]

    left = sorted(set(owner.tolist()))
    for piece in left:
        if hides([piece]):
            return (landscape.pieces[piece].id,)
    for piece in list(left):
        without = [other for other in left if other != piece]
        if hides(without):
            left = without
    return tuple(landscape.pieces[piece].id for piece in left)


def _look(observers: Bodies, targets: Bodies, landscape: Landscape) -> Bools:
    """Return which pairs see each other: those with nothing between them, and those with a free line."""
    pairs = body_pairs(observers, targets)
    met = meetings(pairs, landscape, rough=True)
    answer = np.ones(len(pairs.apart), dtype=np.bool_)
    if len(met[0]):
        asked = landscape.of("boundless").any() or bool((landscape.parts.bottom > -FAR).any())
        standing = (standing_of if asked else nowhere)(observers, targets, landscape)
        blocks = blocks_of(observers, targets, landscape, pairs, standing, met)
        rows = distinct(blocks.pair)
        if len(rows):
            answer[rows] = free_lines(pairs.take(rows), blocks.renumbered(rows), landscape).found
    return answer


def _few_at_once(observers: Bodies, targets: Bodies) -> list[Bodies]:
    """Return the observers in runs short enough that their pairs fit in memory comfortably."""
    step = max(1, MOST_PAIRS // max(len(targets), 1))
    if len(observers) <= step:
        return [observers]
    firsts = range(0, len(observers), step)
    return [observers.take(range(first, min(first + step, len(observers)))) for first in firsts]
