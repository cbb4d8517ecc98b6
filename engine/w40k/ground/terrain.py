"""Kinds of terrain, turned into what a piece hides and where it stops a mover.

Owns this mapping and nothing else; the grounds of units are `engine.w40k.ground.passage`'s.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import numpy as np

from engine.core.facts import Ring, TerrainFacts
from geometry.path.elevation import Rise
from geometry.portable import norm
from geometry.shape.base import Polygon
from geometry.sight.landscape import Opacity, Piece

OPACITY: dict[str, Opacity] = {
    "ruin": "boundless",
    "woods": "veil",
    "crater": "open",
    "wall": "solid",
    "hill": "solid",
    "container": "solid",
    "debris": "solid",
    "barricade": "solid",
}
"""What each kind of terrain does to sight. Rule: CORE.TER.1 to CORE.TER.6."""


@lru_cache(maxsize=64)
def terrain_for(
    terrain: tuple[TerrainFacts, ...],
    flies: bool,
    walks_through: bool,
    free_height: float,
    through: tuple[str, ...] = (),
) -> tuple[tuple[Polygon, ...], tuple[Polygon, ...]]:
    """Return the footprints that a mover may not cross, and those on which it may not end.

    A ruin whose walls are not known is a wall all over to a mover that cannot walk through walls. What the
    mover may go `through`, by id, it only may not end on. Rule: CORE.TER.1 to CORE.TER.6, CORE.MOVE.8.
    """
    walls: list[Polygon] = []
    stands: list[Polygon] = []
    for piece_of_terrain in terrain:
        kind, shape = piece_of_terrain.kind, piece_of_terrain.footprint
        passes = flies or piece_of_terrain.id in through
        if kind in ("woods", "crater"):
            continue
        if kind == "ruin" and piece_of_terrain.walls is not None:
            inner = [each for line in piece_of_terrain.walls for each in _thin(line)]
            (stands if passes or walks_through else walls).extend(inner)
        elif kind == "ruin":
            if not walks_through:
                # A mover that flies over it may not land in what is a wall to it once it flies no more.
                (stands if passes else walls).append(shape)
        elif kind in ("hill", "container") and piece_of_terrain.height <= free_height:
            # Its top is as good as the ground; only its border carries nobody.
            stands.extend(_thin((*shape, shape[0])))
        elif passes or (kind != "wall" and piece_of_terrain.height <= free_height):
            stands.append(shape)
        else:
            walls.append(shape)
    return tuple(walls), tuple(stands)


@lru_cache(maxsize=64)
def rises_for(terrain: tuple[TerrainFacts, ...], flies: bool, on_foot: bool) -> tuple[Rise, ...]:
    """Return the terrain that has a height to a mover.

    The mover may climb it, or the terrain carries the mover up there.
    Rule: CORE.TER.2 to CORE.TER.6, CORE.MOVE.8.
    """
    found: list[Rise] = []
    for each in terrain:
        if each.kind in ("hill", "container"):
            found.append(Rise(each.footprint, each.height, (each.height,)))
        elif each.kind in ("barricade", "debris"):
            found.append(Rise(each.footprint, each.height))
        elif each.kind == "ruin":
            if on_foot or flies:
                found += [Rise(each.footprint, each.height, each.floors)] if each.floors else []
            elif each.walls is not None:
                found += [Rise(thin, each.height) for line in each.walls for thin in _thin(line)]
            else:
                found.append(Rise(each.footprint, each.height))
    return tuple(found)


class TerrainTraits:
    """The terrain of a table as movers meet it, made ready once for each kind of them."""

    def __init__(self, terrain: tuple[TerrainFacts, ...], free_height: float) -> None:
        """Take the terrain, and the height up to which it stops nobody."""
        self._terrain = terrain
        self._free_height = free_height
        self._walls: dict[
            tuple[bool, bool, tuple[str, ...]], tuple[tuple[Polygon, ...], tuple[Polygon, ...]]
        ] = {}
        self._rises: dict[tuple[bool, bool], tuple[Rise, ...]] = {}

    def walls(
        self, flies: bool, on_foot: bool, through: tuple[str, ...] = ()
    ) -> tuple[tuple[Polygon, ...], tuple[Polygon, ...]]:
        """Return what a mover may not cross, and on what it may not end. `through` it may go."""
        key = (flies, on_foot, through)
        if key not in self._walls:
            self._walls[key] = terrain_for(self._terrain, flies, on_foot, self._free_height, through)
        return self._walls[key]

    def rises(self, flies: bool, on_foot: bool) -> tuple[Rise, ...]:
        """Return what has a height to a mover."""
        key = (flies, on_foot)
        if key not in self._rises:
            self._rises[key] = rises_for(self._terrain, flies, on_foot)
        return self._rises[key]


WALL = 5e-5
"""Half the width, in inches, of a wall without thickness to models that move.

A base that is this much into it covers no more of it than the tolerance of areas allows.
"""


def _thin(line: Ring) -> list[Polygon]:
    """Return a line as walls that are all but without thickness."""
    found: list[Polygon] = []
    for a, b in pairwise(np.array(line, dtype=np.float64)):
        along = (b - a) / norm(*(b - a)) * WALL
        aside = np.array([-along[1], along[0]])
        corners = (a - along - aside, b + along - aside, b + along + aside, a - along + aside)
        found.append(tuple((float(x), float(y)) for x, y in corners))
    return found


def piece(terrain: TerrainFacts) -> Piece:
    """Return a terrain piece as sight meets it."""
    return Piece(
        terrain.id,
        terrain.footprint,
        terrain.height,
        OPACITY[terrain.kind],
        walls=terrain.walls or (),
        floors=terrain.floors,
    )
