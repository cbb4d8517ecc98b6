"""Terrain as the referee reads it: what each kind does to a mover, to a model that stops, and to a line.

The one place of the referee that knows kinds of terrain. Rule: CORE.TER.1 to CORE.TER.6
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import shapely

from engine.facts import TerrainFacts
from engine.referee.body import ROUNDING, Body, lies_within, meets
from engine.referee.trace import Sweep
from geometry.base import TOLERANCE

FREE = ("woods", "crater")
"""Whoever likes goes there and stops there, and sees through."""
OPEN_TO_FOOT = ("ruin",)
"""INFANTRY and BEASTS walk through its walls and stop in it; to others it is a wall all over."""
LOW = ("barricade", "debris")
"""Up to the height that is crossed freely nobody is stopped, though nobody stops on it either."""
GRAZE = 2 * TOLERANCE
"""A line that runs no deeper than this inside a piece only grazes it."""


@dataclass(frozen=True, slots=True)
class Gait:
    """How a model gets about: whether it walks through walls, and whether it flies."""

    on_foot: bool
    flies: bool


@lru_cache(maxsize=1024)
def shape_of(piece: TerrainFacts) -> shapely.Polygon:
    """Return the footprint of a terrain piece."""
    return shapely.Polygon(piece.footprint)


def stops_way(piece: TerrainFacts, gait: Gait, free_height: float) -> bool:
    """Return whether such a mover may not cross a piece. Rule: CORE.MOVE.8, CORE.MOVE.9"""
    if gait.flies or piece.kind in FREE or (piece.kind in OPEN_TO_FOOT and gait.on_foot):
        return False
    return not (piece.kind in LOW and piece.height <= free_height)


def carries(piece: TerrainFacts, gait: Gait) -> bool:
    """Return whether such a model may stand on the footprint of a piece."""
    return piece.kind in FREE or (piece.kind in OPEN_TO_FOOT and gait.on_foot)


@dataclass(frozen=True, slots=True)
class Eye:
    """A body that sees or is seen: AIRCRAFT see and are seen over everything, TOWERING see out of ruins."""

    body: Body
    aircraft: bool = False
    towering: bool = False


@dataclass(frozen=True, slots=True)
class Screen:
    """What closes lines between two bodies up to a height: footprints, those that touch taken as one.

    A piece is part of every screen that is no higher.
    """

    shape: shapely.Geometry
    top: float


def screens(pieces: Iterable[TerrainFacts], a: Eye, b: Eye) -> list[Screen]:
    """Return what may close the lines on which a looks at b. Rule: CORE.TER.6, CORE.LOS.4"""
    tops: dict[TerrainFacts, float] = {}
    for piece in pieces:
        if piece.kind == "ruin" and not _sees_past_ruin(shape_of(piece), a, b):
            tops[piece] = math.inf
        elif piece.kind not in (*FREE, "ruin") and piece.height > TOLERANCE:
            tops[piece] = piece.height
    levels = sorted(set(tops.values()))
    return [Screen(_inside(tuple(p for p, top in tops.items() if top >= level)), level) for level in levels]


def _sees_past_ruin(shape: shapely.Polygon, a: Eye, b: Eye) -> bool:
    if a.aircraft or b.aircraft or meets(b.body, shape):
        return True
    return lies_within(a.body, shape) or (a.towering and meets(a.body, shape))


@lru_cache(maxsize=1024)
def _inside(pieces: tuple[TerrainFacts, ...]) -> shapely.Geometry:
    """Return what of some footprints closes a line: all but their rim; a seam between two closes it too."""
    grown = [shapely.buffer(shape_of(piece), TOLERANCE / 2, join_style="mitre") for piece in pieces]
    found = shapely.buffer(shapely.union_all(grown), -GRAZE - TOLERANCE / 2, join_style="mitre")
    shapely.prepare(found)
    return found


def walls(pieces: Iterable[TerrainFacts], gait: Gait, free_height: float) -> list[TerrainFacts]:
    """Return the pieces that such a mover may not cross."""
    return [piece for piece in pieces if stops_way(piece, gait, free_height)]


def barred(pieces: Iterable[TerrainFacts], gait: Gait) -> list[TerrainFacts]:
    """Return the pieces on which such a model may not stand."""
    return [piece for piece in pieces if not carries(piece, gait)]


def runs_into(way: Sweep, piece: TerrainFacts) -> bool:
    """Return whether a base cuts into a piece on its way."""
    return way.distance(shape_of(piece)) < -TOLERANCE - ROUNDING - way.blur
