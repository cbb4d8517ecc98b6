"""Where the things of a file stand on the table: as written, shifted, mirrored or turned.

Owns the way there and back for points, facings and the board. It moves nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from engine.core.facts import Point, Ring

Transform = Literal["none", "shift", "mirror", "turn"]
TRANSFORMS: tuple[Transform, ...] = ("shift", "mirror", "turn")
SHIFT = (0.37, 0.21)
"""How far a shifted board is moved right and up, in inches."""


@dataclass(frozen=True, slots=True)
class Frame:
    """How a file's board of this size lies on the table."""

    size: Point
    transform: Transform = "none"

    @property
    def board(self) -> Point:
        """Return the size of the table: a shifted board lies in the far corner of a larger one."""
        width, depth = self.size
        if self.transform == "turn":
            return depth, width
        if self.transform == "shift":
            return width + SHIFT[0], depth + SHIFT[1]
        return width, depth

    @property
    def corner(self) -> Point:
        """Return where the lower left corner of the battlefield is on the table."""
        return SHIFT if self.transform == "shift" else (0.0, 0.0)

    def point(self, at: Iterable[float]) -> Point:
        """Return where a point of the file lies on the table."""
        x, y = (float(v) for v, _ in zip(at, range(2), strict=False))
        width, depth = self.size
        if self.transform == "shift":
            return x + SHIFT[0], y + SHIFT[1]
        if self.transform == "mirror":
            return width - x, y
        return (depth - y, x) if self.transform == "turn" else (x, y)

    def back(self, at: Iterable[float]) -> Point:
        """Return where a point of the table lies in the file's own frame."""
        x, y = (float(v) for v, _ in zip(at, range(2), strict=False))
        width, depth = self.size
        if self.transform == "shift":
            return x - SHIFT[0], y - SHIFT[1]
        if self.transform == "mirror":
            return width - x, y
        return (y, depth - x) if self.transform == "turn" else (x, y)

    def ring(self, ring: Iterable[Iterable[float]]) -> Ring:
        """Return where an outline or a line of the file lies."""
        return tuple(self.point(at) for at in ring)

    def facing(self, degrees: float) -> float:
        """Return a facing of the file as it is on the table."""
        if self.transform == "mirror":
            return 180.0 - degrees
        return degrees + 90.0 if self.transform == "turn" else degrees

    def outside(self) -> tuple[Ring, ...]:
        """Return the parts of the table that lie beyond the file's board, which nobody may enter."""
        if self.transform != "shift":
            return ()
        width, depth = self.board
        left, low = SHIFT
        return (
            ((0.0, 0.0), (left, 0.0), (left, depth), (0.0, depth)),
            ((left, 0.0), (width, 0.0), (width, low), (left, low)),
        )
