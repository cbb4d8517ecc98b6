"""Sight past low and raised pieces, floors and walls, against dense sampling in space."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import shapely

from geometry.measure.body import Bodies
from geometry.shape.base import Bools, Floats
from geometry.sight.landscape import Landscape, Piece
from geometry.sight.visibility import Sight, sight, visible

HAIR = 2e-6


def one_body(at: tuple[float, float], radius: float, z: float, height: float) -> Bodies:
    no = np.zeros(1, dtype=bool)
    return Bodies(np.array([at]), np.array([z]), np.array([radius]), np.array([height]), no, no)


def slab(at: tuple[float, float], size: tuple[float, float], turn: float) -> tuple[tuple[float, float], ...]:
    width, length = size
    c, s = np.cos(turn), np.sin(turn)
    corners = np.array([(0, -length / 2), (width, -length / 2), (width, length / 2), (0, length / 2)])
    return tuple((x, y) for x, y in (corners @ np.array([[c, s], [-s, c]]) + at).tolist())


class Lines:
    """Straight lines in space, as many as there are rows."""

    def __init__(self, start: Floats, end: Floats) -> None:
        self.start, self.end = start, end

    @classmethod
    def between(cls, here: Bodies, there: Bodies, around: int, levels: int) -> Lines:
        """Return lines from points around one body at several heights to points of another."""
        q, p = points(here, around, levels), points(there, around, levels)
        return cls(np.repeat(q, len(p), axis=0), np.tile(p, (len(q), 1)))

    def shut_by(self, piece: Piece) -> Bools:
        """Return which of them a piece closes."""
        area = shapely.Polygon(piece.polygon).buffer(-2 * HAIR, join_style="mitre")
        shapely.prepare(area)
        bottom = piece.base_z if piece.base_z > 0 else -1e6
        shut = np.zeros(len(self.start), dtype=bool)
        if piece.opacity == "solid":
            shut |= self._cut(area, bottom + HAIR, piece.top - HAIR)
        for wall in piece.walls:
            shut |= self._cut(shapely.LineString(wall), bottom, piece.top - HAIR)
        for floor in piece.floors:
            share = (floor - self.start[:, 2]) / self._rise()
            at = self.start + share[:, None] * (self.end - self.start)
            crossed = (share > 1e-6) & (share < 1 - 1e-6)
            shut |= crossed & shapely.contains_xy(area, at[:, 0], at[:, 1])
        return shut

    def _rise(self) -> Floats:
        rise = self.end[:, 2] - self.start[:, 2]
        return np.where(np.abs(rise) < 1e-12, 1e-12, rise)

    def _cut(self, area: Any, bottom: float, top: float) -> Bools:
        one, two = ((level - self.start[:, 2]) / self._rise() for level in (bottom, top))
        low, high = np.clip(np.minimum(one, two), 0, 1), np.clip(np.maximum(one, two), 0, 1)
        way = (self.end - self.start)[:, :2]
        ends = [self.start[:, :2] + share[:, None] * way for share in (low, high)]
        return np.asarray(
            (high > low + 1e-9) & shapely.intersects(area, shapely.linestrings(np.stack(ends, 1)))
        )


def points(body: Bodies, around: int, levels: int) -> Floats:
    angle = np.linspace(0, 2 * np.pi, around, endpoint=False)
    unit = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    rim = body.xy[0] + body.radius[0] * 0.99999 * unit
    first, last = float(body.z[0]) + 1e-4, float(body.z[0] + body.height[0])
    levels_up = np.linspace(last, first, levels)
    return np.column_stack([np.repeat(rim, levels, axis=0), np.tile(levels_up, around)])


def judged(here: Bodies, there: Bodies, pieces: list[Piece], around: int, levels: int) -> Sight:
    """Return what is seen, having held it against many lines."""
    found = sight(here, there, Landscape(pieces))
    assert np.array_equal(found.visible, visible(here, there, Landscape(pieces)))
    line = found.line(0, 0)
    if line is None:
        lines = Lines.between(here, there, around, levels)
        assert np.logical_or.reduce([lines.shut_by(piece) for piece in pieces]).all()
    else:
        witness = Lines(*(np.array([end]) for end in line))
        assert not any(witness.shut_by(piece).any() for piece in pieces)
    return found


def low_walls(chance: np.random.Generator, q: Bodies, p: Bodies) -> list[Piece]:
    """Return pieces about as high as the line from top to top, and perhaps a slit of high ones."""
    found = []
    for i in range(int(chance.integers(3, 9))):
        x, y = chance.uniform(7, 20), 10 + chance.normal() * 2
        share = (x - 4 + q.radius[0]) / (20 + q.radius[0] - p.radius[0])
        top = max(2.0 + 5.0 * share + chance.normal() / 2, 2.05)
        size = chance.uniform((0.1, 0.5), (1.5, 5))
        found.append(
            Piece(f"p{i}", slab((x, y), tuple(size), chance.uniform(-1.2, 1.2)), float(top), "solid")
        )
    if chance.random() < 0.7:
        up, down = 10 + chance.uniform(0, 0.8), 10 - chance.uniform(0, 0.8)
        found.append(Piece("left", ((13, up), (13.3, up), (13.3, 40), (13, 40)), 9.0, "solid"))
        found.append(Piece("right", ((15, down), (15.3, down), (15.3, -40), (15, -40)), 9.0, "solid"))
    return found


@pytest.mark.rule("CORE.LOS.1", "CORE.TER.4")
@pytest.mark.parametrize("seed", [118, 128, 238, 247, *range(10)])
def test_over_walls_as_high_as_the_line_sight_is_exact(seed: int) -> None:
    # In the first four only lines that just reach two tops, or one top past a corner, are free.
    chance = np.random.default_rng(seed)
    far = (24.0, 10 + float(chance.uniform(-2, 2)))
    first, second = chance.choice([0.5, 0.63, 1.2, 2.0], 2)
    q, p = one_body((4.0, 10.0), first, 0.0, 2.0), one_body(far, second, 0.0, 7.0)
    pieces = low_walls(chance, q, p)
    there, back = judged(q, p, pieces, 72, 1), judged(p, q, pieces, 8, 1)
    assert there.visible[0, 0] == back.visible[0, 0]


def storeys(chance: np.random.Generator) -> list[Piece]:
    """Return low pieces, raised ones, floors and walls between 5 and 19 along the way."""
    found = []
    for i in range(int(chance.integers(2, 6))):
        at = (chance.uniform(5, 19), 10 + chance.normal() * 1.5)
        ring = slab(at, tuple(chance.uniform((0.1, 1), (5, 8))), chance.uniform(-1.5, 1.5))
        kind = int(chance.integers(4))
        if kind == 0:
            found.append(Piece(f"p{i}", ring, float(chance.uniform(0.5, 6)), "solid"))
        elif kind == 1:
            rise, high = chance.uniform((0.5, 0.5), (4, 3)).tolist()
            found.append(Piece(f"p{i}", ring, high, "solid", base_z=rise))
        elif kind == 2:
            floors = tuple(sorted(chance.uniform(0.5, 5, int(chance.integers(1, 3))).tolist()))
            found.append(Piece(f"p{i}", ring, 7.0, "open", floors=floors))
        else:
            found.append(Piece(f"p{i}", ring, float(chance.uniform(1, 7)), "open", walls=(ring[:3],)))
    return found


@pytest.mark.rule("CORE.LOS.1", "CORE.LOS.2", "CORE.TER.6")
@pytest.mark.parametrize("seed", range(14))
def test_among_floors_walls_and_raised_pieces_sight_is_exact(seed: int) -> None:
    chance = np.random.default_rng(9000 + seed)
    z, height = chance.choice([0, 0, 1.5, 3.0], 2), chance.choice([1.0, 2.5, 4.0, 6.0], 2)
    radius = chance.choice([0.4, 0.63, 1.2], 2)
    far = (float(chance.uniform(12, 23)), 10 + float(chance.uniform(-2, 2)))
    q, p = one_body((3.0, 10.0), radius[0], z[0], height[0]), one_body(far, radius[1], z[1], height[1])
    pieces = storeys(chance)
    found = judged(q, p, pieces, 28, 5)
    lines = Lines.between(q, p, 20, 5)
    for k, piece in enumerate(pieces):
        hidden = lines.shut_by(piece).reshape(100, 100).all(axis=0)
        assert found.obscured_by[0, 0, k] or not hidden.any()


def behind(at: tuple[float, float], normal: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    """Return a large square behind a border at this place that faces so."""
    (x, y), (nx, ny) = at, normal
    corners = ((-30.0, 0.0), (-30.0, 60.0), (30.0, 60.0), (30.0, 0.0))
    return tuple((x - ny * aside - nx * back, y + nx * aside - ny * back) for aside, back in corners)


@pytest.mark.rule("CORE.LOS.1", "CORE.TER.4")
@pytest.mark.parametrize(("margin", "seen"), [(0.001, True), (-0.001, False)])
@pytest.mark.parametrize("raised", [True, False])
def test_the_one_line_past_a_border_askew_is_found(margin: float, seen: bool, raised: bool) -> None:
    # From (0.6, -0.8, 3) to (0.3, 9.6, 0) a line comes to 1.5 over (0.45, 4.4): no line reaches further out
    # along (0.6, -0.8) at that height. Heights turned over, the same holds of a top.
    high, low = one_body((0.0, 0.0), 1.0, 3.0 if raised else 0.0, 3.0), one_body((0.0, 10.0), 0.5, 0.0, 2.5)
    at = (0.45 - 0.6 * margin, 4.4 + 0.8 * margin)
    if raised:
        piece = Piece("roof", behind(at, (0.6, -0.8)), 40.0, "solid", base_z=1.5)
    else:
        high, low = one_body((0.0, 10.0), 0.5, 0.0, 3.0), one_body((0.0, 0.0), 1.0, 0.0, 1.0)
        piece = Piece("block", behind(at, (0.6, -0.8)), 2.0, "solid")
    assert visible(high, low, Landscape([piece]))[0, 0] == seen
    assert visible(low, high, Landscape([piece]))[0, 0] == seen


@pytest.mark.rule("CORE.LOS.1", "CORE.TER.4")
def test_under_a_roof_and_past_a_corner_a_line_is_free_from_the_far_rim_only() -> None:
    roof = Piece(
        "roof", ((-3.19, 25.24), (-22.74, 13.44), (-2.14, -20.68), (17.41, -8.88)), 40, "solid", 0.61
    )
    wall = Piece("wall", ((7.76, 10.34), (37.59, 13.6), (37.57, 13.8), (7.74, 10.53)), 50, "solid")
    q, p = one_body((7.26, 12.4), 0.492, 3.0, 1.5), one_body((8.04, 4.15), 0.63, 0.0, 2.5)
    assert judged(q, p, [roof, wall], 8, 1).visible[0, 0]
    assert judged(p, q, [roof, wall], 8, 1).visible[0, 0]


@pytest.mark.rule("CORE.LOS.1", "CORE.TER.4")
def test_a_line_begins_where_the_border_of_a_block_in_the_base_crosses_its_rim() -> None:
    # Only from there is the way long enough to come over the wall's near side at 3 inches.
    block = Piece("block", ((14.42, 12.6), (19.57, 13.71), (16.48, 18.12)), 2.0, "solid")
    wall = Piece(
        "wall", ((15.35, 9.06), (15.41, 10.61), (17.6, 10.54), (18.5, 10.5), (18.49, 8.95)), 3, "solid"
    )
    q, p = one_body((15.77, 12.95), 0.492, 0.0, 1.5), one_body((17.78, 8.31), 0.63, 0.0, 4.0)
    assert judged(q, p, [block, wall], 8, 1).visible[0, 0]
    assert judged(p, q, [block, wall], 8, 1).visible[0, 0]
