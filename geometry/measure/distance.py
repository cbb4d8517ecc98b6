"""How far apart bases are, and every comparison of a length with a limit.

Owns gaps from edge to edge, on the ground and in space, the inclusive "within" and the strict "more than",
overlap and engagement range. It knows nothing of terrain or of what may be measured when.
"""

from __future__ import annotations

from typing import Any, overload

import numpy as np

from geometry.measure.body import Bodies
from geometry.portable import norms
from geometry.shape.base import Bools, Floats, Ints, pairs_of
from geometry.shape.convex_shape import Outlines, Stance
from geometry.shape.core_polygon import Core
from geometry.tolerance import TOLERANCE


@overload
def within(distance: float, limit: float) -> bool: ...
@overload
def within(distance: Floats, limit: float | Floats) -> Bools: ...
def within(distance: Any, limit: Any) -> Any:
    """Return whether a distance is at most this limit; exactly the limit is within it."""
    if isinstance(distance, float) and isinstance(limit, float | int):
        return bool(distance <= limit + TOLERANCE)
    answer = np.asarray(distance) <= np.asarray(limit) + TOLERANCE
    return answer if answer.ndim else bool(answer)


@overload
def more_than(distance: float, limit: float) -> bool: ...
@overload
def more_than(distance: Floats, limit: float | Floats) -> Bools: ...
def more_than(distance: Any, limit: Any) -> Any:
    """Return whether a distance is strictly more than this limit."""
    answer = np.asarray(distance) > np.asarray(limit) + TOLERANCE
    return answer if answer.ndim else bool(answer)


def centre_distances(xy_a: Floats, xy_b: Floats) -> Floats:
    """Return the horizontal distances (n, m) of centres `xy_a` (n, 2) and `xy_b` (m, 2)."""
    a, b = (np.ascontiguousarray(xy.T, dtype=np.float64) for xy in (xy_a, xy_b))
    # Filled and then worked on in place: a third faster than one array for each step.
    off = a.repeat(len(xy_b), axis=1).reshape(2, len(xy_a), len(xy_b))
    off -= b[:, None]
    off *= off
    square = off[0]
    square += off[1]
    return np.asarray(np.sqrt(square, out=square))


def clearances(a: Outlines, b: Outlines) -> Floats:
    """Return the horizontal distance (n, m) of each base of `a` from each of `b`, edge to edge.

    It is less than 0 where they overlap, by how far one would have to be shifted to stand clear.
    """
    # Each pair is measured in the same way whoever else is measured with it, to the last digit.
    found = _of_discs(a, b)
    cored_a, cored_b = a.cored, b.cored
    if len(cored_b):
        found[:, cored_b] = b.rim_distances(a.xy) - a.radius[:, None]
    if len(cored_a):
        found[cored_a] = a.rim_distances(b.xy).T - b.radius[None]
        if len(cored_b):
            found[np.ix_(cored_a, cored_b)] = _of_shapes(a.take(cored_a), b.take(cored_b))
    return found


def _of_discs(a: Outlines, b: Outlines) -> Floats:
    apart = centre_distances(a.xy, b.xy)
    both = a.radius.repeat(len(b)).reshape(apart.shape)
    both += b.radius
    apart -= both
    return apart


def _of_shapes(a: Outlines, b: Outlines) -> Floats:
    """Return the clearances of bases none of which is round.

    Bases of one shape are measured together.
    """
    found = np.empty((len(a), len(b)))
    alike: dict[tuple[float, Core], list[int]] = {}
    for row, (radius, core) in enumerate(zip(a.radius.tolist(), a.core, strict=True)):
        alike.setdefault((radius, core), []).append(row)
    for (radius, core), rows in alike.items():
        found[rows] = b.against(Stance(radius, core)).distances(a.xy[rows])
    return found


def gaps(a: Outlines, b: Outlines) -> Floats:
    """Return the horizontal gap (n, m) from each base of `a` to each of `b`, 0 where they meet."""
    found = clearances(a, b)
    return np.maximum(found, 0.0, out=found)


def gap(a: Bodies, b: Bodies) -> Floats:
    """Return the horizontal gap (n, m) from each base of `a` to each of `b`, edge to edge."""
    return gaps(a.outlines, b.outlines)


def distances(a: Bodies, b: Bodies) -> Floats:
    """Return the distance (n, m) from each base of `a` to each of `b`, edge to edge, in space."""
    return in_space(gap(a, b), a.z, b.z)


def in_space(flat: Floats, z_a: Floats, z_b: Floats) -> Floats:
    """Return horizontal gaps (n, m) as distances between bases at these heights, (n,) and (m,)."""
    if not (np.count_nonzero(z_a) or np.count_nonzero(z_b)):
        return flat
    return norms(np.stack([flat, z_a[:, None] - z_b], axis=-1))


def overlap(a: Bodies, b: Bodies) -> Bools:
    """Return which bases (n, m) cover a part of one another; touching bases do not."""
    return clearances(a.outlines, b.outlines) < -TOLERANCE


def overlaps(bases: Outlines) -> tuple[tuple[int, int], ...]:
    """Return each two of these bases that cover a part of one another, by their rows."""
    if len(bases) < 2:
        return ()
    close = (clearances(bases, bases) < -TOLERANCE) & pairs_of(len(bases))
    return tuple((int(i), int(j)) for i, j in np.argwhere(close))


def height_apart(a: Bodies, b: Bodies) -> Floats:
    """Return the vertical distance (n, m) between the feet of the bodies."""
    answer: Floats = np.abs(a.z[:, None] - b.z[None, :])
    return answer


def engaged(a: Bodies, b: Bodies, horizontal: float = 1.0, vertical: float = 5.0) -> Bools:
    """Return which bodies (n, m) are within engagement range of one another."""
    return within(gap(a, b), horizontal) & within(height_apart(a, b), vertical)


def unit_gaps(gaps: Floats, starts_a: Ints, starts_b: Ints) -> Floats:
    """Return the smallest gap between the models of each two units.

    `gaps` is a matrix over models; unit i of either side begins at row `starts[i]` and ends where the next
    begins. A unit without models is infinitely far from everything.
    """
    by_row = _least(gaps, np.asarray(starts_a, dtype=np.intp))
    return _least(by_row.T, np.asarray(starts_b, dtype=np.intp)).T


def _least(values: Floats, starts: Ints) -> Floats:
    """Return the minimum of each run of rows that begins at one of `starts`."""
    ends = np.empty_like(starts)
    ends[:-1], ends[-1:] = starts[1:], len(values)
    filled = starts < ends
    if filled.all() and values.size:
        return np.asarray(np.minimum.reduceat(values, starts, axis=0))
    answer = np.full((len(starts), values.shape[1]), np.inf)
    if filled.any() and values.shape[1]:
        answer[filled] = np.minimum.reduceat(values, starts[filled], axis=0)
    return answer
