"""The ruins that players may set up in the battle, and how one lies where it is set up.

Where one may lie is asked by `engine.w40k.legality.terrain_check`.
"""

from __future__ import annotations

import math

from msgspec.structs import replace

from engine.core.facts import Point, Ring, TerrainFacts
from geometry.portable import radians, way_at

HEIGHT = 5.0
"""How high the walls of a ruin that is set up in the battle are, in inches."""


def _box(depth: float, width: float) -> Ring:
    """Return a rectangle about (0, 0): its depth along its facing, its width across."""
    far, aside = depth / 2, width / 2
    return ((-far, -aside), (far, -aside), (far, aside), (-far, aside))


def _ruin(depth: float, width: float, walls: tuple[Ring, ...]) -> TerrainFacts:
    return TerrainFacts(id="", kind="ruin", footprint=_box(depth, width), height=HEIGHT, walls=walls)


_TIP = 9.0 / math.sqrt(2.0)
_CORNER = TerrainFacts(
    id="",
    kind="ruin",
    footprint=((_TIP, 0.0), (0.0, _TIP), (-_TIP, 0.0), (0.0, -_TIP)),
    height=HEIGHT,
    walls=(((0.0, _TIP), (_TIP, 0.0), (0.0, -_TIP)),),
)
"""A square of 9 inches that faces toward the corner at which its two walls meet."""
RUINS: dict[str, TerrainFacts] = {
    "footprint": _ruin(9.0, 9.0, ()),
    "front": _ruin(4.0, 9.0, (((2.0, -4.5), (2.0, 4.5)),)),
    "corner": _CORNER,
    "court": _ruin(6.0, 6.0, (((-3.0, -3.0), (3.0, -3.0), (3.0, 3.0), (-3.0, 3.0)),)),
}
"""The ruins to choose from, each about (0, 0) and faced along x.

Each is alike on both sides of the x axis. No side is longer than 9 inches.
"""


def laid(piece: TerrainFacts, at: Point, facing: float) -> TerrainFacts:
    """Return a piece about (0, 0) as it lies at a place, turned to a facing in degrees."""
    if facing % 90.0:
        along, aside = way_at(radians(facing))
    else:
        along, aside = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[int(facing // 90) % 4]

    def there(line: Ring) -> Ring:
        return tuple((at[0] + along * x - aside * y, at[1] + aside * x + along * y) for x, y in line)

    walls = None if piece.walls is None else tuple(map(there, piece.walls))
    return replace(piece, footprint=there(piece.footprint), walls=walls)
