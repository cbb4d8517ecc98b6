"""Terrain as the referee reads it: what each kind does to moves, to stops and to lines.

The one place of the referee that knows kinds of terrain. Rule: CORE.TER.1 to CORE.TER.6, CORE.MOVE.8
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import shapely
import shapely.ops

from engine.audit.referee.body import Body, lies_within, meets
from engine.core.facts import Ring, TerrainFacts
from geometry.tolerance import TOLERANCE

FREE = ("woods", "crater")
"""Any model may move there, stop there and see through."""
FLAT_TOPPED = ("hill", "container")
"""These carry on their tops the models that climb them."""
CLIMBED = ("hill", "container", "barricade", "debris")
"""These may be climbed, as may a ruin that is a wall to a mover.

A wall that stands alone may not.
"""
GRAZE = 2 * TOLERANCE
"""A line that runs no deeper than this inside a piece only grazes it."""
SLIM = 5e-3
"""By how much a model in the way is taken to be slimmer, in inches.

Those of the game have rims of straight edges.
"""
NEAR = 1e-3
"""By how much a base, or a line, must be in a thing or out of it, to be judged, in inches."""


@dataclass(frozen=True, slots=True)
class Gait:
    """The way a model gets about: through walls, over everything, or as rules let it."""

    on_foot: bool
    flies: bool
    through: tuple[str, ...] = ()
    """The terrain that it may move through, by id."""


@dataclass(frozen=True, slots=True)
class Block:
    """What a mover has to go round, over or onto: a shape on the ground and how high it stands."""

    name: str
    shape: shapely.Geometry
    top: float
    climbed: bool


@lru_cache(maxsize=1024)
def shape_of(piece: TerrainFacts) -> shapely.Polygon:
    """Return the footprint of a terrain piece."""
    return shapely.Polygon(piece.footprint)


def blocks(pieces: Iterable[TerrainFacts], gait: Gait, free_height: float) -> Iterator[Block]:
    """Yield what is too high for such a mover to cross freely. Rule: CORE.MOVE.8, CORE.MOVE.9"""
    if gait.flies:
        return
    for piece in pieces:
        if piece.kind in FREE or (piece.kind == "ruin" and gait.on_foot) or piece.id in gait.through:
            continue
        low = piece.height <= free_height + TOLERANCE
        if low and piece.kind in CLIMBED:
            continue
        climbed = piece.kind in CLIMBED or piece.kind == "ruin"
        for shape in walls_of(piece) if piece.walls is not None else (shape_of(piece),):
            yield Block(f"{piece.kind} {piece.id}", shape, piece.height, climbed)


def held_up(pieces: Iterable[TerrainFacts], gait: Gait, z: float) -> list[shapely.Geometry]:
    """Return what such a mover may be touching as it goes along at a height above the ground."""
    return [
        shape_of(piece)
        for piece in pieces
        if piece.kind in (*CLIMBED, "ruin") and piece.height >= z - TOLERANCE
    ]


def barred(pieces: Iterable[TerrainFacts], gait: Gait, z: float) -> Iterator[tuple[str, shapely.Geometry]]:
    """Yield on what a model may not stand with any part of its base, its foot at this height."""
    for piece in pieces:
        if piece.kind in FREE or _carries(piece, gait, z):
            shapes: tuple[shapely.Geometry, ...] = ()
        elif piece.kind == "ruin" and (piece.walls is not None or gait.on_foot):
            shapes = ()
        else:
            shapes = (shape_of(piece),)
        if piece.kind == "ruin" and z < piece.height - TOLERANCE:
            shapes = (*shapes, *walls_of(piece))
        if z < piece.height - TOLERANCE or piece.height <= TOLERANCE:
            yield from ((f"{piece.kind} {piece.id}", shape) for shape in shapes)


def is_carried(pieces: Iterable[TerrainFacts], gait: Gait, body: Body) -> bool:
    """Return whether the ground carries a body, or a top or floor under all of it."""
    if body.foot <= TOLERANCE:
        return True
    return any(_carries(piece, gait, body.foot) and lies_within(body, shape_of(piece)) for piece in pieces)


def _carries(piece: TerrainFacts, gait: Gait, z: float) -> bool:
    """Return whether a piece has a top or floor at this height on which such a model may stand."""
    if piece.kind in FLAT_TOPPED:
        return abs(piece.height - z) <= TOLERANCE
    if piece.kind == "ruin" and (gait.on_foot or gait.flies):
        return any(abs(floor - z) <= TOLERANCE for floor in piece.floors)
    return piece.kind in FREE and 0 < z <= piece.height + TOLERANCE


@lru_cache(maxsize=1024)
def walls_of(piece: TerrainFacts) -> tuple[shapely.LineString, ...]:
    """Return the walls of a ruin as lines of no thickness."""
    return tuple(shapely.LineString(wall) for wall in piece.walls or ())


# sight


@dataclass(frozen=True, slots=True)
class Eye:
    """A body that sees or is seen.

    AIRCRAFT see and are seen over ruins; TOWERING models see out of them.
    """

    body: Body
    aircraft: bool = False
    towering: bool = False


@dataclass(frozen=True, slots=True)
class Screen:
    """What closes lines between two heights: footprints, walls, or a floor.

    Footprints that touch are taken as one. A piece is part of every screen that is no higher. A floor is as
    high as it is low.
    """

    shape: shapely.Geometry
    top: float
    bottom: float = -math.inf


def screens(pieces: Iterable[TerrainFacts], a: Eye, b: Eye) -> list[Screen]:
    """Return what may close the lines on which a looks at b. Rule: CORE.TER.6, CORE.LOS.4"""
    tops: dict[TerrainFacts, float] = {}
    inner: list[Screen] = []
    for piece in pieces:
        if piece.kind == "ruin":
            if _sees_past_ruin(shape_of(piece), a, b):
                inner += _inner(piece)
            else:
                tops[piece] = math.inf
        elif piece.kind not in FREE and piece.height > TOLERANCE:
            tops[piece] = piece.height
    levels = sorted(set(tops.values()))
    outer = [Screen(_inside(tuple(p for p, top in tops.items() if top >= level)), level) for level in levels]
    return outer + inner


def screen_of(body: Body) -> Screen:
    """Return a model as what closes lines, a little slimmer than it is. Rule: S.L21"""
    slim = shapely.simplify(shapely.buffer(body.core, body.radius - SLIM), SLIM)
    return Screen(slim, body.head)


def _sees_past_ruin(shape: shapely.Polygon, a: Eye, b: Eye) -> bool:
    if a.aircraft or b.aircraft or meets(b.body, shape):
        return True
    return lies_within(a.body, shape) or (a.towering and meets(a.body, shape))


@lru_cache(maxsize=1024)
def _inside(pieces: tuple[TerrainFacts, ...]) -> shapely.Geometry:
    """Return what of some footprints closes a line: all but their rim.

    A seam between two footprints closes it too.
    """
    grown = [shapely.buffer(shape_of(piece), TOLERANCE / 2, join_style="mitre") for piece in pieces]
    found = shapely.buffer(shapely.union_all(grown), -GRAZE - TOLERANCE / 2, join_style="mitre")
    shapely.prepare(found)
    return found


@lru_cache(maxsize=1024)
def _inner(piece: TerrainFacts) -> tuple[Screen, ...]:
    """Return what is inside a ruin: its walls, as high as it is, and its floors."""
    given = piece.walls or ()
    walls = [_shortened(wall, [other for other in given if other is not wall]) for wall in given]
    found = [Screen(shapely.MultiLineString(walls), piece.height)] if walls else []
    floor = shapely.buffer(shape_of(piece), -GRAZE, join_style="mitre")
    return (*found, *(Screen(floor, height, height) for height in piece.floors))


def _shortened(wall: Ring, others: list[Ring]) -> shapely.LineString:
    """Return a wall without the last bit at each end at which no other wall begins.

    A line may graze such an end.
    """
    line, rest = shapely.LineString(wall), shapely.MultiLineString(others)
    if wall[0] == wall[-1]:
        return line
    first, last = (shapely.Point(wall[i]).distance(rest) <= TOLERANCE if others else False for i in (0, -1))
    start, stop = (0.0 if first else GRAZE), line.length - (0.0 if last else GRAZE)
    return shapely.ops.substring(line, start, stop)
