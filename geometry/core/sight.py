# cython: infer_types=True
"""Lines of sight between groups of bodies past terrain: which exist, and what closes them.

Owns the loops over pairs, and the answers for each. How a free line is searched is
`geometry.core.sight_line`'s and `geometry.core.sight_height`'s.
"""

from __future__ import annotations

import cython
from cython import bint

if not cython.compiled:
    from geometry.core.sight_bodies import UprightBodies
    from geometry.core.sight_height import LowLine
    from geometry.core.sight_land import SightLand
    from geometry.core.sight_line import FreeLine
    from geometry.core.sight_pair import SightPair

Segment = tuple[float, float, float, float, float, float]


class Lines:
    """Lines of sight from observers to targets, which the terrain has taken in."""

    def __init__(self, q: UprightBodies, p: UprightBodies, land: SightLand) -> None:
        """Take the observers, the targets and the terrain."""
        land.take_in(q)
        land.take_in(p)
        self.pair = SightPair(q, p, land)
        self.line = FreeLine(self.pair)
        self.low = LowLine(self.line)

    def seen(self) -> bytearray:
        """Return for each observer with each target whether a line between them is free (1 or 0)."""
        pair = self.pair
        count = pair.p.count
        found = bytearray(pair.q.count * count)
        for i in range(pair.q.count):
            for j in range(count):
                pair.look(i, j)
                pair.find_blocks()
                found[i * count + j] = pair.count == 0 or self._is_free()
        return found

    def between(self, i: int, j: int) -> Segment | None:
        """Return a free line from observer i to target j in space, if there is any."""
        self.pair.look(i, j)
        self.pair.find_blocks()
        if not self._is_free():
            return None
        line = self.line
        return line.start_x, line.start_y, line.start_z, line.end_x, line.end_y, line.end_z

    def blockers(self, i: int, j: int) -> list[tuple[int, int]]:
        """Return the pieces of the parts that may close lines from i to j.

        Each is paired with the other piece that a seam touches; a part that is no seam has its own piece
        twice.
        """
        pair = self.pair
        pair.look(i, j)
        pair.find_blocks()
        parts = [pair.part[row] for row in range(pair.count)]
        return [(pair.land.owner[part], pair.land.other[part]) for part in parts]

    def closed_by(self, i: int, j: int, pieces: list[int]) -> bool:
        """Return whether these pieces, and seams between them, close all lines from i to j."""
        pair = self.pair
        pair.look(i, j)
        pair.find_blocks()
        for row in range(pair.count - 1, -1, -1):
            part = pair.part[row]
            if pair.land.owner[part] not in pieces or pair.land.other[part] not in pieces:
                pair.drop(row)
        return not self._is_free()

    def _is_free(self) -> bint:
        return self.line.is_free() or (self.line.some_low and self.low.is_free())
