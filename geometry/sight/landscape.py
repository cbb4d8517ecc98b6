"""What stands on the table and may come between two bodies.

Owns pieces (a footprint with a height and a way of hiding things) and the landscape, in which they are
cut up into arrays once. It asks no question of sight itself.

Bodies as things that stand in the way of others: prisms for a landscape.

Owns their footprints as polygons. Which bodies block whose sight is for the caller to say.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec
import numpy as np

from geometry.measure.body import Bodies
from geometry.shape.array import following, right_of, ways_at
from geometry.shape.base import TOLERANCE, Bools, Floats, Ints, Polygon
from geometry.shape.convex_shape import POINT, Outlines
from geometry.shape.core_polygon import Core
from geometry.shape.polygon import bulging, convex_parts, outline
from geometry.sight.seam import seam, strip, touching

Opacity = Literal["solid", "boundless", "veil", "open"]
FAR = 1e9
"""A limit that nothing on a table reaches, for the unused sides of a part."""
KEPT = 4096
"""Of so many bases what they stand in is kept."""


class Piece(msgspec.Struct, frozen=True):
    """A thing on the table: its footprint, how high it is above `base_z`, and what it does to sight.

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


class Parts(NamedTuple):
    """Convex parts as arrays: k parts of up to s sides, each between the heights `bottom` and `top`.

    `closes` says whether a part closes the lines between these as a solid thing does; the others do what
    their piece's opacity says. Side i of a part holds the points x with `normal[i] · x <= offset[i]`; sides
    not used have no normal. `corner` repeats the last corner where a part has fewer than s.

    The seam where two pieces touch has an `other` than its owner; where it `hangs` on that one, it does
    nothing unless what is boundless or a veil there does what it does to the pair.
    """

    normal: Floats
    offset: Floats
    corner: Floats
    centre: Floats
    reach: Floats
    owner: Ints
    other: Ints
    bottom: Floats
    top: Floats
    closes: Bools
    hangs: Bools

    @property
    def seams(self) -> Bools:
        """Return which are seams between two pieces."""
        return np.asarray(self.other != self.owner)

    def take(self, rows: Ints) -> Parts:
        """Return the parts of these rows."""
        return Parts._make(field[rows] for field in self)


class PieceEdges(NamedTuple):
    """Borders: edge i of piece `owner[i]` runs from `start[i]` to `end[i]`."""

    start: Floats
    end: Floats
    owner: Ints


class Landscape:
    """All pieces on the table, cut up once for the questions of sight.

    Raises ValueError where a footprint has no area or crosses itself, naming the piece.
    """

    __slots__ = (
        "_borders_in",
        "_firsts",
        "_kinds",
        "_middles",
        "_reaches",
        "borders",
        "convex",
        "corner_owner",
        "corners",
        "edges",
        "parts",
        "pieces",
    )

    def __init__(self, pieces: Sequence[Piece]) -> None:
        """Cut up these pieces."""
        self.pieces = tuple(pieces)
        self._borders_in: dict[tuple[float | Core, ...], Bools] = {}
        self._kinds: dict[tuple[Opacity, ...], Bools] = {}
        outlines = [_outline_of(piece) for piece in self.pieces]
        shares = [share for i, piece in enumerate(self.pieces) for share in _shares(i, piece, outlines[i])]
        self.parts = _parts(shares + _seams(self.pieces, shares))
        self.convex = np.array(
            [len(bulging(corners)) == len(corners) for corners in outlines], dtype=np.bool_
        )
        lines = [(i, np.array(wall)) for i, piece in enumerate(self.pieces) for wall in piece.walls]
        ends, numbers = _column([line for _, line in lines])
        owners = np.array([i for i, _ in lines], dtype=np.intp)
        corners, owner = _column([bulging(corners) for corners in outlines])
        self.corners: Floats = np.concatenate([corners, ends])
        self.corner_owner: Ints = np.concatenate([owner, owners[numbers]])
        start, owner = _column(outlines)
        end, _ = _column([following(corners) for corners in outlines])
        self.edges = PieceEdges(start, end, owner)
        along = (np.diff(numbers) == 0).nonzero()[0]
        self.borders = PieceEdges(
            np.concatenate([start, ends[along]]),
            np.concatenate([end, ends[along + 1]]),
            np.concatenate([owner, owners[numbers[along]]]),
        )
        self._firsts: Ints = np.searchsorted(owner, np.arange(len(self.pieces)))
        circles = [_circle(corners) for corners in outlines]
        self._middles: Floats = np.array([middle for middle, _ in circles]).reshape(-1, 2)
        self._reaches: Floats = np.array([reach for _, reach in circles], dtype=np.float64)

    def __len__(self) -> int:
        """Return how many pieces there are."""
        return len(self.pieces)

    def of(self, *kinds: Opacity) -> Bools:
        """Return which pieces are of these kinds."""
        if kinds not in self._kinds:
            self._kinds[kinds] = np.array([each.opacity in kinds for each in self.pieces], dtype=np.bool_)
            self._kinds[kinds].setflags(write=False)
        return self._kinds[kinds]

    def standing(self, bases: Outlines) -> tuple[Bools, Bools]:
        """Return in which footprints each base (n, pieces) stands at least partly, and in which wholly.

        A base that only touches a footprint from outside is not in it; one that touches its border from
        inside is wholly in it.
        """
        partly = np.zeros((len(bases), len(self)), dtype=np.bool_)
        wholly = np.zeros_like(partly)
        body, piece = np.nonzero(self._near(bases))
        if not len(body):
            return partly, wholly
        sizes = np.diff(self._firsts, append=len(self.edges.owner))[piece]
        first = np.cumsum(sizes) - sizes
        row = np.repeat(np.arange(len(body)), sizes)
        edge = np.arange(len(row)) + (self._firsts[piece] - first)[row]
        start, end = self.edges.start[edge], self.edges.end[edge]
        apart = _from_middles(bases.xy[body[row]], start, end) - bases.radius[body[row]]
        crosses = np.minimum.reduceat(apart, first) < -TOLERANCE
        for i, core in enumerate(bases.core):
            if not core.is_point:
                own = (body == i).nonzero()[0]
                crosses[own] = self._crossed(bases, i)[piece[own]]
        rightward = _cast(bases.xy[body[row]], start, end)
        inside = np.add.reduceat(rightward.astype(np.intp), first) % 2 == 1
        partly[body, piece] = inside | crosses
        wholly[body, piece] = inside & ~crosses
        return partly, wholly

    def _near(self, bases: Outlines) -> Bools:
        """Return which bases come within the circles round which footprints."""
        if not self.pieces:
            return np.zeros((len(bases), 0), dtype=np.bool_)
        off = bases.xy[:, None] - self._middles
        apart = np.sqrt(off[..., 0] ** 2 + off[..., 1] ** 2)
        return np.asarray(apart < bases.reach[:, None] + self._reaches)

    def _crossed(self, bases: Outlines, i: int) -> Bools:
        """Return which footprints' borders pass through a base that is not round, as known from before."""
        # Such bases are dear to measure, few, and mostly where they were.
        key = (*bases.xy[i].tolist(), float(bases.radius[i]), bases.core[i])
        if key not in self._borders_in:
            if len(self._borders_in) >= KEPT:
                self._borders_in.clear()
            own, (start, end, _) = bases.take([i]), self.edges
            apart = _from_middles(own.xy, start, end) - own.radius
            near = (apart < bases.core[i].reach).nonzero()[0]
            if len(near):
                apart[near] = own.line_distances(start[near], end[near])[:, 0]
            self._borders_in[key] = np.minimum.reduceat(apart, self._firsts) < -TOLERANCE
        return self._borders_in[key]


def _from_middles(middles: Floats, start: Floats, end: Floats) -> Floats:
    """Return how far points (n or 1, 2) are from straight lines (n, 2)."""
    way, off = end - start, middles - start
    share = (off * way).sum(axis=1) / np.maximum((way * way).sum(axis=1), 1e-300)
    off -= np.clip(share, 0.0, 1.0)[:, None] * way
    return np.asarray(np.hypot(off[:, 0], off[:, 1]))


def _cast(points: Floats, start: Floats, end: Floats) -> Bools:
    """Return which borders (n) lie straight to the right of their points."""
    (x, y), (along_x, along_y) = points.T, (end - start).T
    spans = (start[:, 1] > y) != (end[:, 1] > y)
    rise = np.where(along_y == 0, 1.0, along_y)
    return np.asarray(spans & (x < start[:, 0] + (y - start[:, 1]) / rise * along_x))


def _circle(corners: Floats) -> tuple[Floats, float]:
    """Return the middle and the radius of a circle round these corners."""
    middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
    return middle, float(np.hypot(*(corners - middle).T).max())


def _outline_of(piece: Piece) -> Floats:
    try:
        return outline(piece.polygon)
    except ValueError as error:
        raise ValueError(f"{piece.id}: {error}") from error


def _column(groups: Sequence[Floats]) -> tuple[Floats, Ints]:
    """Return the rows of all groups as one array, with the number of the group of each row."""
    owner = np.repeat(np.arange(len(groups)), [len(group) for group in groups]).astype(np.intp)
    return (np.concatenate(groups) if groups else np.empty((0, 2))), owner


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
        """Return between which heights it does something; what closes nothing by itself has no limits."""
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
    """Return what keeps lines from slipping between pieces that touch, as high as the lower of the two."""
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
        if float(np.hypot(*(end - start))) <= TOLERANCE:
            raise ValueError(f"{piece.id}: a wall has no length")
        others = ends[:k] + ends[k + 1 :]
        before, after = (2 * TOLERANCE if _joins(point, others) else 0.0 for point in (start, end))
        found.append((strip(start, end, before, after), np.array([start, end])))
    return found


def _joins(point: Floats, lines: Sequence[tuple[Floats, Floats]]) -> bool:
    """Return whether a point lies on one of these straight lines."""
    for start, end in lines:
        way = end - start
        share = min(max(float((point - start) @ way / (way @ way)), 0.0), 1.0)
        if np.hypot(*(point - start - share * way)) <= TOLERANCE:
            return True
    return False


def _parts(shares: Sequence[_Share]) -> Parts:
    """Return convex corner lists, each with its owner, as arrays."""
    sides = max((len(share.corners) for share in shares), default=3)
    normal = np.zeros((len(shares), sides, 2))
    offset = np.full((len(shares), sides), FAR)
    corner = np.zeros((len(shares), sides, 2))
    for k, share in enumerate(shares):
        corners = share.corners
        along = following(corners) - corners
        outward = right_of(along) / np.hypot(along[:, 0], along[:, 1])[:, None]
        normal[k, : len(corners)] = outward
        offset[k, : len(corners)] = (outward * corners).sum(axis=1)
        corner[k] = corners[np.minimum(np.arange(sides), len(corners) - 1)]
    centre = (corner.min(axis=1) + corner.max(axis=1)) / 2
    away = corner - centre[:, None, :]
    reach = np.hypot(away[..., 0], away[..., 1]).max(axis=1, initial=0.0)
    owner = np.array([share.owner for share in shares], dtype=np.intp)
    other = [share.owner if share.other is None else share.other for share in shares]
    bottom, top = (np.array([share[k] for share in shares], dtype=np.float64) for k in (2, 3))
    closes, hangs = (np.array([share[k] for share in shares], dtype=np.bool_) for k in (4, 7))
    others = np.array(other, dtype=np.intp)
    return Parts(normal, offset, corner, centre, reach, owner, others, bottom, top, closes, hangs)


CORNERS = 64
"""A full turn of a rim is drawn with so many corners, which covers the same area: off by a thousandth."""


def solid_bodies(bodies: Bodies, ids: Sequence[str]) -> list[Piece]:
    """Return bodies as solid pieces that reach from their feet to their tops, hulls by their true corners.

    Round and oval ones are polygons of the same area. Rule: R.SIGHT, S.L21
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
        fair = wide * math.sqrt(half / (math.sin(half) * math.cos(half)))
        found.append(centre + fair * ways_at(angle))
    return np.vstack(found)
