"""What stands on the table and may come between two bodies.

Owns pieces (a footprint with a height and a way of hiding things) and the landscape, in which they are
cut up into arrays once. It asks no question of sight itself.

Bodies as things that stand in the way of others: prisms for a landscape.

Owns their footprints as polygons. Which bodies block whose sight is for the caller to say.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np

from geometry.core.sight_land import SightLand
from geometry.measure.body import Bodies
from geometry.portable import dot, dots, norm, norms, way_at, ways_at
from geometry.shape.array import following, right_of
from geometry.shape.base import Bools, Floats, Polygon
from geometry.shape.convex_shape import POINT, Outlines
from geometry.shape.core_polygon import Core
from geometry.shape.polygon import bulging, convex_parts, outline
from geometry.sight.flat import upright
from geometry.sight.seam import seam, strip, touching
from geometry.tolerance import TOLERANCE

Opacity = Literal["solid", "boundless", "veil", "open"]
FAR = 1e9
"""A limit that nothing on a table reaches, for the unused sides of a part."""


class Piece(msgspec.Struct, frozen=True):
    """A thing on the table: its footprint, its height above `base_z`, what it does to sight.

    `solid` closes the lines that pass below its top; `boundless` closes all lines through or over its
    footprint, but for bodies that stand in it or see over it; `veil` closes none, but nothing is fully
    visible through it or wholly inside it; `open` does nothing. A piece on the table (`base_z` 0 or less)
    reaches down for ever; below one that is raised lines may pass.

    `walls` are lines of no thickness, as high as the piece, that close what crosses them whatever the
    opacity; a gap between two is an opening. `floors` are the heights of plates over the whole footprint
    that close what passes through them.
    """

    id: str
    polygon: Polygon
    height: float
    opacity: Opacity
    base_z: float = 0.0
    walls: tuple[Polygon, ...] = ()
    floors: tuple[float, ...] = ()

    @property
    def top(self) -> float:
        """Return the height of its top above the table."""
        return self.base_z + self.height


class Landscape:
    """All pieces on the table, cut up once for the questions of sight.

    Raises ValueError where a footprint has no area or crosses itself, naming the piece.
    """

    __slots__ = ("_closing", "core", "pieces")

    def __init__(self, pieces: Sequence[Piece]) -> None:
        """Cut up these pieces."""
        self.pieces = tuple(pieces)
        outlines = [_outline_of(piece) for piece in self.pieces]
        shares = [share for i, piece in enumerate(self.pieces) for share in _shares(i, piece, outlines[i])]
        self.core = _core(self.pieces, outlines, shares + _seams(self.pieces, shares))

    def __len__(self) -> int:
        """Return how many pieces there are."""
        return len(self.pieces)

    def standing(self, bases: Outlines) -> tuple[Bools, Bools]:
        """Return whether each base stands in each footprint at least partly, and whether wholly.

        Both answers are (n, pieces). A base that only touches a footprint from outside is not in it; one that
        touches its border from inside is wholly in it.
        """
        flat = np.zeros(len(bases))
        found = self.core.standing(upright(bases, flat, flat))
        partly, wholly = (np.array(each, dtype=np.bool_).reshape(len(bases), len(self)) for each in found)
        return partly, wholly


def _outline_of(piece: Piece) -> Floats:
    try:
        return outline(piece.polygon)
    except ValueError as error:
        raise ValueError(f"{piece.id}: {error}") from error


def _core(pieces: Sequence[Piece], outlines: Sequence[Floats], shares: Sequence[_Share]) -> SightLand:
    """Return the parts, footprints and borders as the core meets them."""
    sides: list[tuple[float, ...]] = []
    firsts = [0]
    for share in shares:
        along = following(share.corners) - share.corners
        outward = right_of(along) / norms(along)[:, None]
        offset = dots(outward, share.corners)
        sides += [tuple(row) for row in np.column_stack([outward, offset, share.corners]).tolist()]
        firsts.append(len(sides))
    others = [share.owner if share.other is None else share.other for share in shares]
    kinds = [[int(piece.opacity == kind) for piece in pieces] for kind in ("boundless", "veil", "solid")]
    points, borders, begins, walls = [], [], [0], []
    for i, (piece, ring) in enumerate(zip(pieces, outlines, strict=True)):
        points += [(*corner, i) for corner in (*bulging(ring).tolist(), *chain.from_iterable(piece.walls))]
        borders += np.hstack([ring, following(ring)]).tolist()
        walls.append(len(borders))
        borders += [(*start, *end) for wall in piece.walls for start, end in pairwise(wall)]
        begins.append(len(borders))
    convex = [int(len(bulging(ring)) == len(ring)) for ring in outlines]
    return SightLand(
        (
            firsts,
            [share.owner for share in shares],
            others,
            [int(share.closes) for share in shares],
            [int(share.hangs) for share in shares],
        ),
        ([share.bottom for share in shares], [share.top for share in shares]),
        columns(sides, 5),
        (*kinds, convex, begins, walls),
        columns(points, 3),
        columns(borders, 4),
        TOLERANCE,
    )


def columns(rows: Sequence[tuple[float, ...]], count: int) -> tuple[list[Any], ...]:
    """Return rows of this many numbers as columns."""
    return tuple(list(column) for column in zip(*rows, strict=True)) if rows else ([],) * count


class _Share(NamedTuple):
    """A convex part of a piece: its corners, and between which heights it closes lines.

    A wall has its ends as `wall`; a seam of two pieces has an `other` one.
    """

    owner: int
    corners: Floats
    bottom: float
    top: float
    closes: bool
    wall: Floats | None = None
    other: int | None = None
    hangs: bool = False

    @property
    def extent(self) -> tuple[float, float]:
        """Return between which heights it does something.

        What closes nothing by itself has no limits.
        """
        return (self.bottom, self.top) if self.closes else (-FAR, FAR)


def _shares(i: int, piece: Piece, corners: Floats) -> list[_Share]:
    """Return the parts of a piece: of its footprint, of its walls, and of its floors."""
    bottom = piece.base_z if piece.base_z > 0 else -FAR
    convex = convex_parts(corners)
    closes = piece.opacity == "solid"
    found = [_Share(i, part, bottom, piece.top, closes) for part in convex]
    found += [_Share(i, part, bottom, piece.top, True, wall) for part, wall in _walls(piece)]
    return found + [_Share(i, part, floor, floor, True) for floor in piece.floors for part in convex]


def _seams(pieces: Sequence[Piece], shares: Sequence[_Share]) -> list[_Share]:
    """Return what keeps lines from slipping between pieces that touch.

    It is as high as the lower of the two.
    """
    upright = [
        share
        for share in shares
        if share.bottom < share.top and (share.closes or pieces[share.owner].opacity != "open")
    ]
    shapes = [share.corners if share.wall is None else share.wall for share in upright]
    found = []
    for i, j in touching(shapes, [share.owner for share in upright]):
        k, m = (i, j) if upright[i].closes else (j, i)
        (low, high), (floor, roof) = upright[i].extent, upright[j].extent
        bottom, top = max(low, floor), min(high, roof)
        corners = seam(shapes[k], shapes[m]) if bottom < top else None
        if corners is not None:
            own, other = upright[k], upright[m]
            hangs = not other.closes
            found.append(_Share(own.owner, corners, bottom, top, own.closes, None, other.owner, hangs))
    return found


def _walls(piece: Piece) -> list[tuple[Floats, Floats]]:
    """Return each straight wall as a part that is as good as no thickness wide, and its ends.

    Where walls join they overlap, so that no line slips between them; their free ends are their own.
    Raises ValueError where a wall has no length, naming the piece.
    """
    lines = [np.array(wall, dtype=np.float64) for wall in piece.walls]
    ends = [(line[k], line[k + 1]) for line in lines for k in range(len(line) - 1)]
    found = []
    for k, (start, end) in enumerate(ends):
        if norm(*(end - start)) <= TOLERANCE:
            raise ValueError(f"{piece.id}: a wall has no length")
        others = ends[:k] + ends[k + 1 :]
        before, after = (2 * TOLERANCE if _joins(point, others) else 0.0 for point in (start, end))
        found.append((strip(start, end, before, after), np.array([start, end])))
    return found


def _joins(point: Floats, lines: Sequence[tuple[Floats, Floats]]) -> bool:
    """Return whether a point lies on one of these straight lines."""
    for start, end in lines:
        way = end - start
        share = min(max(dot(point - start, way) / dot(way, way), 0.0), 1.0)
        if norm(*(point - start - share * way)) <= TOLERANCE:
            return True
    return False


CORNERS = 64
"""The number of corners with which a full turn of a rim is drawn.

The polygon covers the same area, and its outline is off by a thousandth of the radius at most.
"""


def solid_bodies(bodies: Bodies, ids: Sequence[str]) -> list[Piece]:
    """Return bodies as solid pieces that reach from their feet to their tops.

    Hulls have their true corners. Round and oval ones are polygons of the same area.
    """
    cores = bodies.core or (POINT,) * len(bodies)
    found = []
    for i, core in enumerate(cores):
        ring = bodies.xy[i] + _corners(core, float(bodies.radius[i]))
        polygon = tuple((x, y) for x, y in ring.tolist())
        found.append(Piece(ids[i], polygon, float(bodies.height[i]), "solid", float(bodies.z[i])))
    return found


def _corners(core: Core, radius: float) -> Floats:
    """Return the corners of a polygon in place of a shape about its origin."""
    found = []
    for centre, own, low, width in zip(core.centre, core.radius, core.low, core.width, strict=True):
        wide = own + radius
        if wide == 0:
            found.append(centre[None])
            continue
        count = max(1, round(CORNERS * width / math.tau))
        half = width / count / 2
        angle = low + half + 2 * half * np.arange(count)
        # As much is added at the corners as is cut off between them.
        cosine, sine = way_at(half)
        fair = wide * math.sqrt(half / (sine * cosine))
        found.append(centre + fair * ways_at(angle))
    return np.vstack(found)
