"""What stands on the table and may come between two bodies.

Owns pieces (a footprint with a height and a way of hiding things) and the landscape, in which they are
cut up into arrays once. It asks no question of sight itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from geometry.base import TOLERANCE, Bools, Floats, Polygon
from geometry.convex import bulging, convex_parts, outline
from geometry.outline import Outlines

Opacity = Literal["solid", "boundless", "veil", "open"]
Ints = NDArray[np.intp]
FAR = 1e9
"""A limit that nothing on a table reaches, for the unused sides of a part."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A thing on the table: its footprint, how high it is above `base_z`, and what it does to sight.

    `solid` closes the lines that pass below its top; `boundless` closes all lines through or over its
    footprint, but for bodies that stand in it or see over it; `veil` closes none, but nothing is fully
    visible through it or wholly inside it; `open` does nothing.
    """

    id: str
    polygon: Polygon
    height: float
    opacity: Opacity
    base_z: float = 0.0

    @property
    def top(self) -> float:
        """Return the height of its top above the table."""
        return self.base_z + self.height


class Parts(NamedTuple):
    """Convex parts as arrays: k parts of up to s sides.

    Side i of a part holds the points x with `normal[i] · x <= offset[i]`; sides not used have no normal.
    `corner` repeats the last corner where a part has fewer than s.
    """

    normal: Floats
    offset: Floats
    corner: Floats
    centre: Floats
    reach: Floats
    owner: Ints

    def take(self, rows: Ints) -> Parts:
        """Return the parts of these rows."""
        return Parts(
            self.normal[rows],
            self.offset[rows],
            self.corner[rows],
            self.centre[rows],
            self.reach[rows],
            self.owner[rows],
        )


class Edges(NamedTuple):
    """The borders of all footprints: edge i of piece `owner[i]` runs from `start[i]` to `end[i]`."""

    start: Floats
    end: Floats
    owner: Ints


class Landscape:
    """All pieces on the table, cut up once for the questions of sight.

    Raises ValueError where a footprint has no area or crosses itself, naming the piece.
    """

    __slots__ = ("_firsts", "base_z", "corner_owner", "corners", "edges", "parts", "pieces", "tops")

    def __init__(self, pieces: Sequence[Piece]) -> None:
        """Cut up these pieces."""
        self.pieces = tuple(pieces)
        outlines = [_outline_of(piece) for piece in self.pieces]
        self.tops: Floats = np.array([piece.top for piece in self.pieces], dtype=np.float64)
        self.base_z: Floats = np.array([piece.base_z for piece in self.pieces], dtype=np.float64)
        self.parts = _parts(
            [(i, part) for i, corners in enumerate(outlines) for part in convex_parts(corners)]
        )
        self.corners, self.corner_owner = _column([bulging(corners) for corners in outlines])
        start, owner = _column(outlines)
        end, _ = _column([np.roll(corners, -1, axis=0) for corners in outlines])
        self.edges = Edges(start, end, owner)
        self._firsts: Ints = np.searchsorted(owner, np.arange(len(self.pieces)))

    def __len__(self) -> int:
        """Return how many pieces there are."""
        return len(self.pieces)

    def of(self, *kinds: Opacity) -> Bools:
        """Return which pieces are of these kinds."""
        return np.array([piece.opacity in kinds for piece in self.pieces], dtype=np.bool_)

    def standing(self, bases: Outlines) -> tuple[Bools, Bools]:
        """Return in which footprints each base (n, pieces) stands at least partly, and in which wholly.

        A base that only touches a footprint from outside is not in it; one that touches its border from
        inside is wholly in it.
        """
        if not self.pieces or not len(bases):
            nothing = np.zeros((len(bases), len(self)), dtype=np.bool_)
            return nothing, nothing
        apart = bases.line_distances(self.edges.start, self.edges.end)
        crosses = np.minimum.reduceat(apart, self._firsts, axis=0).T < -TOLERANCE
        inside = self._inside(bases.xy)
        return inside | crosses, inside & ~crosses

    def _inside(self, xy: Floats) -> Bools:
        """Return whether each point is inside each footprint."""
        start, end, _ = self.edges
        along = end - start
        x, y = xy[:, None, 0], xy[:, None, 1]
        spans = (start[:, 1] > y) != (end[:, 1] > y)
        rise = np.where(along[:, 1] == 0, 1.0, along[:, 1])
        left = x < start[:, 0] + (y - start[:, 1]) / rise * along[:, 0]
        crossings = np.add.reduceat((spans & left).astype(np.intp), self._firsts, axis=1)
        return np.asarray(crossings % 2 == 1)


def _outline_of(piece: Piece) -> Floats:
    try:
        return outline(piece.polygon)
    except ValueError as error:
        raise ValueError(f"{piece.id}: {error}") from error


def _column(groups: Sequence[Floats]) -> tuple[Floats, Ints]:
    """Return the rows of all groups as one array, with the number of the group of each row."""
    owner = np.repeat(np.arange(len(groups)), [len(group) for group in groups]).astype(np.intp)
    return (np.concatenate(groups) if groups else np.empty((0, 2))), owner


def _parts(owned: Sequence[tuple[int, Floats]]) -> Parts:
    """Return convex corner lists, each with its owner, as arrays."""
    sides = max((len(corners) for _, corners in owned), default=3)
    normal = np.zeros((len(owned), sides, 2))
    offset = np.full((len(owned), sides), FAR)
    corner = np.zeros((len(owned), sides, 2))
    for k, (_, corners) in enumerate(owned):
        along = np.roll(corners, -1, axis=0) - corners
        outward = np.stack([along[:, 1], -along[:, 0]], axis=1) / np.hypot(along[:, 0], along[:, 1])[:, None]
        normal[k, : len(corners)] = outward
        offset[k, : len(corners)] = (outward * corners).sum(axis=1)
        corner[k] = corners[np.minimum(np.arange(sides), len(corners) - 1)]
    centre = (corner.min(axis=1) + corner.max(axis=1)) / 2
    away = corner - centre[:, None, :]
    reach = np.hypot(away[..., 0], away[..., 1]).max(axis=1, initial=0.0)
    owner = np.array([piece for piece, _ in owned], dtype=np.intp)
    return Parts(normal, offset, corner, centre, reach, owner)
