"""How far apart bases are, and every comparison of a length with a limit.

Owns horizontal gaps from edge to edge, the inclusive "within" and the strict "more than", overlap and
engagement range. It knows nothing of terrain or of what may be measured when.
"""

from __future__ import annotations

from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from geometry.base import TOLERANCE, Bools, Floats
from geometry.body import Bodies

Rows = NDArray[np.intp]


@overload
def within(distance: float, limit: float) -> bool: ...
@overload
def within(distance: Floats, limit: float | Floats) -> Bools: ...
def within(distance: Any, limit: Any) -> Any:
    """Return whether a distance is at most this limit; exactly the limit is within it."""
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
    """Return the horizontal distance of every centre in `a` (n, 2) from every centre in `b` (m, 2)."""
    delta = xy_a[:, None, :] - xy_b[None, :, :]
    answer: Floats = np.hypot(delta[..., 0], delta[..., 1])
    return answer


def gap_between(xy_a: Floats, radius_a: Floats, xy_b: Floats, radius_b: Floats) -> Floats:
    """Return the horizontal gap (n, m) between round bases, 0 where they touch or overlap."""
    apart = centre_distances(xy_a, xy_b) - radius_a[:, None] - radius_b[None, :]
    return np.maximum(apart, 0.0)


def gap(a: Bodies, b: Bodies) -> Floats:
    """Return the horizontal gap (n, m) from each base of `a` to each of `b`, edge to edge."""
    return gap_between(a.xy, a.radius, b.xy, b.radius)


def overlap(a: Bodies, b: Bodies) -> Bools:
    """Return which bases (n, m) cover a part of one another; touching bases do not."""
    return centre_distances(a.xy, b.xy) < a.radius[:, None] + b.radius[None, :] - TOLERANCE


def height_apart(a: Bodies, b: Bodies) -> Floats:
    """Return the vertical distance (n, m) between the feet of the bodies."""
    answer: Floats = np.abs(a.z[:, None] - b.z[None, :])
    return answer


def engaged(a: Bodies, b: Bodies, horizontal: float = 1.0, vertical: float = 5.0) -> Bools:
    """Return which bodies (n, m) are within engagement range of one another. Rule: CORE.ER.1"""
    return within(gap(a, b), horizontal) & within(height_apart(a, b), vertical)


def unit_gaps(gaps: Floats, starts_a: Rows, starts_b: Rows) -> Floats:
    """Return the smallest gap between the models of each two units.

    `gaps` is a matrix over models; unit i of either side begins at row `starts[i]` and ends where the next
    begins. A unit without models is infinitely far from everything.
    """
    by_row = _least(gaps, np.asarray(starts_a, dtype=np.intp))
    return _least(by_row.T, np.asarray(starts_b, dtype=np.intp)).T


def _least(values: Floats, starts: Rows) -> Floats:
    """Return the minimum of each run of rows that begins at one of `starts`."""
    ends = np.append(starts[1:], len(values))
    filled = starts < ends
    answer = np.full((len(starts), values.shape[1]), np.inf)
    if filled.any() and values.shape[1]:
        answer[filled] = np.minimum.reduceat(values, starts[filled], axis=0)
    return answer
