"""Seeded boards to measure geometry on: convex blocking pieces, enemies, friends and a unit.

Owns how such a board is made, the same one for the same seed. It measures nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import shapely
from msgspec.structs import replace

from geometry.group.group_move import Party
from geometry.measure.body import Bodies
from geometry.path.ground import Ground, may_stand
from geometry.shape.base import MM_PER_INCH, Floats, Polygon, hull_base, oval_base, round_base
from geometry.shape.convex_shape import NOTHING, Outlines, stance_of
from geometry.sight.landscape import Landscape, Opacity, Piece

SIZE = (60.0, 44.0)
RADIUS = 16 / MM_PER_INCH
PIECES, FOES, FRIENDS = 37, (10, 10, 10), (10, 10, 10, 10, 10)
LANE = 2 * RADIUS + 0.1
"""The least distance between two pieces, and from a piece to the board's edge.

The libraries know no overlaps.
"""
HEIGHT = 2.5
TRIES = 4000


@dataclass(frozen=True, slots=True)
class Board:
    """Blocking pieces, enemies and friends, and a unit that has not moved yet."""

    pieces: tuple[Polygon, ...]
    foes: Outlines
    friends: Outlines
    unit: Party

    def ground(self) -> Ground:
        """Return the ground of a normal move, with walls, enemies and friends.

        The move keeps clear of enemies and may pass through friends.
        """
        return Ground(
            SIZE,
            self.pieces,
            solid=self.foes,
            avoid=self.foes.grown(1.0),
            no_end=self.friends,
        )

    def landscape(self, opacity: Opacity = "solid") -> Landscape:
        """Return the pieces as they close lines, higher than all models."""
        return Landscape([Piece(f"p{i}", p, 2 * HEIGHT, opacity) for i, p in enumerate(self.pieces)])


def board(seed: int, models: int = 20, limit: float = 6.0, variant: int = 0) -> Board:
    """Return the board of a seed, its unit of this many models not engaged.

    Another variant has the same pieces, and everyone stands elsewhere.
    """
    walls = scattered(np.random.default_rng(seed), PIECES)
    chance = np.random.default_rng((seed, variant))
    taken, blocks = NOTHING, []
    for count in (*FOES, *FRIENDS):
        blocks.append(_block(chance, count, walls, taken, NOTHING))
        taken = taken.joined(blocks[-1])
    foes, friends = _all(blocks[: len(FOES)]), _all(blocks[len(FOES) :])
    unit = _block(chance, models, walls, taken, foes.grown(1.01))
    party = Party(unit.xy, unit.radius, np.full(models, limit))
    return Board(walls, foes, friends, party)


def scattered(chance: np.random.Generator, count: int) -> tuple[Polygon, ...]:
    """Return convex pieces scattered over the board, a lane between each two."""
    found: list[shapely.Polygon] = []
    inner = shapely.box(LANE, LANE, SIZE[0] - LANE, SIZE[1] - LANE)
    for _ in range(TRIES):
        corners = _convex(chance)
        shape = shapely.Polygon(corners)
        if inner.contains(shape) and all(shape.distance(other) >= LANE for other in found):
            found.append(shape)
        if len(found) == count:
            break
    else:
        raise ValueError(f"no room for {count} pieces")
    return tuple(tuple((float(x), float(y)) for x, y in s.exterior.coords[:-1]) for s in found)


def _convex(chance: np.random.Generator) -> Floats:
    """Return a convex polygon of three to six corners, or a wall."""
    centre = chance.uniform((2, 2), (SIZE[0] - 2, SIZE[1] - 2))
    turn = chance.uniform(0, math.tau)
    if chance.random() < 0.5:
        half = np.array([chance.uniform(1.0, 2.5), chance.uniform(0.1, 1.2)])
        corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
    else:
        count = int(chance.integers(3, 7))
        angle = (np.arange(count) + chance.uniform(-0.3, 0.3, count)) * math.tau / count
        corners = np.stack([np.cos(angle), np.sin(angle)], axis=1) * chance.uniform(0.8, 2.0, 2)
    c, s = math.cos(turn), math.sin(turn)
    return np.asarray(np.round(corners @ np.array([[c, s], [-s, c]]) + centre, 4))


def _block(
    chance: np.random.Generator, count: int, walls: tuple[Polygon, ...], taken: Outlines, clear: Outlines
) -> Outlines:
    """Return a unit in loose ranks where there is room for it."""
    for _ in range(TRIES):
        columns = int(chance.integers(2, 6))
        step = 2 * RADIUS + float(chance.uniform(0.0, 0.6))
        corner = chance.uniform((1, 1), (SIZE[0] - 6, SIZE[1] - 6))
        rows = np.arange(count)
        xy = corner + step * np.stack([rows % columns, rows // columns], axis=1)
        radius = np.full(count, RADIUS)
        ground = Ground(SIZE, walls, solid=taken, avoid=clear)
        # Models stand where terrain lets them: those in a piece step out of line.
        bad = ~may_stand(ground, xy, radius)
        xy = xy + bad[:, None] * chance.uniform(-0.25, 0.25, (count, 2))
        apart = np.hypot(*(xy[:, None] - xy[None]).transpose(2, 0, 1)) + 9 * np.eye(count)
        if may_stand(ground, xy, radius).all() and (apart >= 2 * RADIUS).all():
            near = (apart <= 2 * RADIUS + 2).sum(axis=1)
            if count == 1 or near.min() >= (2 if count >= 7 else 1):
                return Outlines(np.round(xy, 6), radius)
    raise ValueError(f"no room for {count} models")


def _all(blocks: list[Outlines]) -> Outlines:
    return Outlines(np.vstack([b.xy for b in blocks]), np.concatenate([b.radius for b in blocks]))


def bodies(discs: Outlines) -> Bodies:
    """Return discs as bodies, all equally high, that no terrain favours."""
    n = len(discs)
    none = np.zeros(n, dtype=np.bool_)
    return Bodies(discs.xy, np.zeros(n), discs.radius, np.full(n, HEIGHT), none, none)


MIXED = (round_base(32), oval_base(60, 35), hull_base(2.4, 1.6))


def mixed(chance: np.random.Generator, discs: Outlines) -> Bodies:
    """Return bodies where these discs are, by turns round, oval and rectangular.

    They face anywhere.
    """
    turns = chance.uniform(0, 360, len(discs)).tolist()
    stances = [stance_of(MIXED[k % len(MIXED)], turn) for k, turn in enumerate(turns)]
    radius = np.array([stance.radius for stance in stances])
    return replace(bodies(discs), radius=radius, core=tuple(stance.core for stance in stances))
