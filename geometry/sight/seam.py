"""Where parts of different pieces touch, and what keeps lines from slipping between them.

Owns the search for parts that touch without overlapping, and what is laid across: it closes only lines that
meet either part or run between both. It knows neither kinds nor heights.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely

from geometry.portable import dot, dots, mean_point, norm, norms
from geometry.shape.array import following, right_of
from geometry.shape.base import Floats
from geometry.shape.constructed import gaps, settled
from geometry.shape.polygon import patch
from geometry.tolerance import ROUNDING, TOLERANCE

DEEP = 10 * TOLERANCE
"""How deep in both parts, in inches, a strip begins and ends.

It is deeper than any line that still grazes them.
"""

SHORT = 1e-3
"""A stretch of border shorter than this is as good as a point."""


def strip(start: Floats, end: Floats, before: float = 0.0, after: float = 0.0) -> Floats:
    """Return a straight wall (corners) that is as good as no thickness wide once it is shrunk.

    It may begin a little before its start and end a little after its end.
    """
    along = (end - start) / norm(*(end - start))
    aside = np.array([-along[1], along[0]]) * (TOLERANCE + ROUNDING)
    a, b = start - along * before, end + along * after
    return np.array([a - aside, b - aside, b + aside, a + aside])


def touching(parts: Sequence[Floats], owner: Sequence[int]) -> list[tuple[int, int]]:
    """Return each two convex parts of different owners that touch, or overlap very little.

    A wall of no thickness is given by its two ends.
    """
    found = []
    low = np.array([part.min(axis=0) for part in parts]).reshape(-1, 2) - TOLERANCE
    high = np.array([part.max(axis=0) for part in parts]).reshape(-1, 2) + TOLERANCE
    whose = np.array(owner, dtype=np.intp)
    near = (low[:, None] <= high).all(axis=2) & (low <= high[:, None]).all(axis=2)
    near &= whose[:, None] != whose
    for i, j in np.argwhere(np.triu(near)).tolist():
        one, two = parts[i], parts[j]
        beside = -2 * TOLERANCE - ROUNDING <= _apart(one, two) <= TOLERANCE
        if beside and gaps(_shape(one), _shape(two)) <= TOLERANCE:
            found.append((i, j))
    return found


def seam(one: Floats, two: Floats) -> Floats | None:
    """Return what is laid across the place where two convex parts touch.

    Over a stretch of border that they share it is a patch within both. Elsewhere it is a strip from inside
    the one to inside the other: a line that runs between both has one end on either side, so it crosses
    the strip. Where a wall lies on a wall it is None.
    """
    grown = shapely.buffer(_shape(one), 2 * TOLERANCE, join_style="mitre")
    contact = shapely.intersection(grown, _shape(two))
    corners = np.unique(settled(shapely.get_coordinates(contact)), axis=0)
    border = _border(corners) if min(len(one), len(two)) > 2 else None
    if border is not None:
        return patch(*border, one, two)
    at = settled(shapely.get_coordinates(shapely.centroid(contact))[0])
    start, end = _within(one, at), _within(two, at)
    if norm(*(end - start)) <= TOLERANCE:
        return None
    return strip(start, end, TOLERANCE + ROUNDING, TOLERANCE + ROUNDING)


def _border(contact: Floats) -> tuple[Floats, Floats] | None:
    """Return the ends of the stretch that this sliver of ground covers; None for a point."""
    off = contact[:, None] - contact
    apart = norms(off)
    i, j = np.unravel_index(apart.argmax(), apart.shape)
    if apart[i, j] < SHORT:
        return None
    trim = 3 * TOLERANCE * (contact[j] - contact[i]) / apart[i, j]
    return contact[i] + trim, contact[j] - trim


def _shape(part: Floats) -> shapely.Geometry:
    return shapely.LineString(part) if len(part) == 2 else shapely.Polygon(part)


def _sides(part: Floats) -> tuple[Floats, Floats]:
    """Return the unit normals of a part's sides, and how far out the sides are.

    A wall has two sides and two ends.
    """
    if len(part) == 2:
        along = (part[1] - part[0]) / norm(*(part[1] - part[0]))
        normal = np.array([along, -along, (-along[1], along[0]), (along[1], -along[0])])
        return normal, dots(normal[:, None], part).max(axis=1)
    way = following(part) - part
    normal = right_of(way) / norms(way)[:, None]
    return normal, dots(normal, part)


def _apart(one: Floats, two: Floats) -> float:
    """Return how far parts are apart across the side that divides them best.

    This is less than 0 where none does.
    """
    gaps = []
    for own, other in ((one, two), (two, one)):
        normal, offset = _sides(own)
        gaps.append(float((dots(normal[:, None], other).min(axis=1) - offset).max()))
    return max(gaps)


def _within(part: Floats, at: Floats) -> Floats:
    """Return a point well within a part, close to a point on its border."""
    middle = mean_point(part)
    if len(part) == 2:
        way = part[1] - part[0]
        on = part[0] + min(max(dot(at - part[0], way) / dot(way, way), 0.0), 1.0) * way
        left = norm(*(middle - on))
        return np.asarray(on + min(1.0, DEEP / max(left, TOLERANCE)) * (middle - on))
    normal, offset = _sides(part)
    depth = float((offset - dots(normal, middle)).min())
    return np.asarray(at + min(1.0, DEEP / max(depth, TOLERANCE)) * (middle - at))
