"""Sight against dense sampling with shapely, and what must hold on any table."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from geometry.measure.body import Bodies
from geometry.shape.base import Bools, Floats
from geometry.shape.polygon import convex_parts, outline
from geometry.sight.landscape import Landscape, Opacity, Piece
from geometry.sight.visibility import sight, visible

RADII = (0.4921, 0.6299, 1.1811)
SHAPES: dict[str, list[tuple[float, float]]] = {
    "box": [(0, 0), (1, 0), (1, 1), (0, 1)],
    "ell": [(0, 0), (1, 0), (1, 0.3), (0.3, 0.3), (0.3, 1), (0, 1)],
    "wedge": [(0, 0), (1, 0.2), (0.4, 1)],
    "horseshoe": [(0, 0), (1, 0), (1, 1), (0.7, 1), (0.7, 0.3), (0.3, 0.3), (0.3, 1), (0, 1)],
}


def placed(shape: str, at: tuple[float, float], size: tuple[float, float], turn: float) -> Any:
    corners = np.array(SHAPES[shape]) * size
    c, s = math.cos(turn), math.sin(turn)
    return tuple((x * c - y * s + at[0], x * s + y * c + at[1]) for x, y in corners.tolist())


def table(rng: np.random.Generator, kinds: tuple[Opacity, ...]) -> list[Piece]:
    return [
        Piece(
            f"p{i}",
            placed(
                str(rng.choice(list(SHAPES))),
                tuple(rng.uniform((2, 2), (18, 14))),
                tuple(rng.uniform(0.4, 6, 2)),
                float(rng.choice([0.0, math.pi / 2, rng.uniform(0, 6)])),
            ),
            float(rng.choice([1, 2, 3, 5])),
            kinds[int(rng.integers(len(kinds)))],
        )
        for i in range(int(rng.integers(3, 9)))
    ]


def crowd(rng: np.random.Generator, n: int, heights: tuple[float, ...] = (2.5,)) -> Bodies:
    none = np.zeros(n, dtype=bool)
    xy = rng.uniform((1, 1), (21, 15), (n, 2))
    return Bodies(xy, np.zeros(n), rng.choice(RADII, n), rng.choice(heights, n), none, none)


def ring(centre: Floats, radius: float, count: int, *shares: float) -> Floats:
    angle = np.linspace(0, 2 * np.pi, count, endpoint=False)
    unit = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.concatenate([centre[None, :], *(centre + unit * radius * share for share in shares)])


def crossings(area: Any, starts: Floats, ends: Floats) -> Bools:
    """Return which segments between (a, b) points meet an area that was shrunk a little."""
    shapely.prepare(area)
    both = np.stack(np.broadcast_arrays(starts, ends), axis=-2)
    return np.asarray(shapely.intersects(area, shapely.linestrings(both)))


def apart(a: Bodies, i: int, b: Bodies, j: int) -> bool:
    return bool(np.hypot(*(a.xy[i] - b.xy[j])) > a.radius[i] + b.radius[j])


def shrunk(piece: Piece, by: float) -> Any:
    return shapely.Polygon(piece.polygon).buffer(-by, join_style="mitre")


@pytest.mark.rule("CORE.LOS.1", "CORE.LOS.4")
@pytest.mark.parametrize("seed", range(8))
def test_visible_agrees_with_sampled_lines(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pieces = table(rng, ("solid", "boundless", "veil"))
    pieces = [replace(piece, height=5.0) for piece in pieces]
    here, there = crowd(rng, 7), crowd(rng, 7)
    landscape = Landscape(pieces)
    seen = sight(here, there, landscape)
    for i, j in np.ndindex(7, 7):
        if not apart(here, i, there, j):
            continue
        closing = []
        for piece in pieces:
            area = shapely.Polygon(piece.polygon)
            target = shapely.Point(there.xy[j]).buffer(there.radius[j], 64)
            observer = shapely.Point(here.xy[i]).buffer(here.radius[i] - 1e-3, 64)
            free = area.intersection(target).area > 1e-3 or area.contains(observer)
            if piece.opacity == "solid" or (piece.opacity == "boundless" and not free):
                closing.append(shrunk(piece, 2e-6))
        walls = shapely.union_all(closing)
        if seen.visible[i, j]:
            start, end = (np.array(point) for point in seen.witness(i, j))
            assert np.hypot(*(start - here.xy[i])) <= here.radius[i] + 1e-6
            assert np.hypot(*(end - there.xy[j])) <= there.radius[j] + 1e-6
            assert shapely.LineString([start, end]).intersection(walls).length == 0
        else:
            q = ring(here.xy[i], here.radius[i], 24, 1.0)
            p = ring(there.xy[j], there.radius[j], 24, 1.0)
            assert crossings(walls, q[:, None], p[None, :]).all()
            assert seen.obscured_by[i, j].any()


@pytest.mark.rule("CORE.LOS.2", "CORE.TER.3", "CORE.TER.5")
@pytest.mark.parametrize("seed", range(8))
def test_a_sampled_hidden_point_is_never_overlooked(seed: int) -> None:
    rng = np.random.default_rng(100 + seed)
    pieces = table(rng, ("solid", "boundless", "veil"))
    here, there = crowd(rng, 4, (1.5, 2.5, 4.0)), crowd(rng, 4, (1.5, 2.5, 4.0))
    landscape = Landscape(pieces)
    seen = sight(here, there, landscape)
    _, observer_within = landscape.standing(here.outlines)
    target_in, target_within = landscape.standing(there.outlines)
    for i, j in np.ndindex(4, 4):
        if not apart(here, i, there, j):
            continue
        q = ring(here.xy[i], here.radius[i], 64, 0.9999)
        p = ring(there.xy[j], there.radius[j], 40, 0.999, 0.8, 0.4)
        together = np.zeros((len(p), len(q)), dtype=bool)
        for k, piece in enumerate(pieces):
            if piece.opacity == "boundless" and (target_in[j, k] or observer_within[i, k]):
                continue
            if piece.opacity == "veil" and target_in[j, k]:
                assert seen.obscured_by[i, j, k] or not target_within[j, k]
                continue
            share = min(1.0, piece.height / here.height[i]) if piece.opacity == "solid" else 1.0
            ends = p[:, None] + share * (q[None, :] - p[:, None])
            shut = crossings(shrunk(piece, 1e-4), p[:, None], ends)
            assert seen.obscured_by[i, j, k] or not shut.all(axis=1).any()
            together |= shut
        assert not (seen.fully[i, j] and together.all(axis=1).any())


@pytest.mark.rule("CORE.LOS.2")
@pytest.mark.parametrize("seed", range(4))
def test_what_obscures_alone_hides_a_sampled_point(seed: int) -> None:
    rng = np.random.default_rng(200 + seed)
    here, there = crowd(rng, 12), crowd(rng, 12)
    for piece in table(rng, ("solid",)):
        piece = replace(piece, height=5.0)
        seen = sight(here, there, Landscape([piece]))
        wall = shapely.Polygon(piece.polygon)
        for i, j in np.argwhere(seen.obscured_by[..., 0] & seen.visible):
            if not apart(here, i, there, j) or wall.distance(shapely.Point(there.xy[j])) < there.radius[j]:
                continue
            q = ring(here.xy[i], here.radius[i], 24, 0.99)
            p = ring(there.xy[j], there.radius[j], 720, 0.99999)
            assert crossings(wall, p[:, None], q[None, :]).all(axis=1).any()


@pytest.mark.rule("CORE.LOS.1")
@pytest.mark.parametrize("seed", range(5))
def test_over_low_pieces_sight_agrees_with_sampled_lines(seed: int) -> None:
    rng = np.random.default_rng(300 + seed)
    pieces = table(rng, ("solid",))
    here, there = crowd(rng, 6, (1.5, 2.5, 4.5, 6.0)), crowd(rng, 6, (1.5, 2.5, 4.5, 6.0))
    seen = sight(here, there, Landscape(pieces))
    for i, j in np.ndindex(6, 6):
        if not apart(here, i, there, j):
            continue
        q, p = ring(here.xy[i], here.radius[i], 24, 1.0), ring(there.xy[j], there.radius[j], 24, 1.0)
        if seen.visible[i, j]:
            q, p = (np.array([point]) for point in seen.witness(i, j))
        free = np.ones((len(q), len(p)), dtype=bool)
        for piece in pieces:
            low, high = below(piece.height, here.height[i], there.height[j])
            if low < high:
                way = p[None, :] - q[:, None]
                free &= ~crossings(shrunk(piece, 2e-6), q[:, None] + low * way, q[:, None] + high * way)
        assert free.any() == seen.visible[i, j]


def below(top: float, start: float, end: float) -> tuple[float, float]:
    """Return between which shares of its way a line between two heights is below a top."""
    if top >= max(start, end):
        return 0.0, 1.0
    if top <= min(start, end):
        return 1.0, 0.0
    share = (top - start) / (end - start)
    return (0.0, share - 1e-6) if end > start else (share + 1e-6, 1.0)


coordinate = st.floats(0, 24).map(lambda x: round(x, 2))
places = st.lists(st.tuples(coordinate, coordinate), min_size=1, max_size=4)
boxes = st.builds(
    lambda shape, at, size, turn: placed(shape, at, size, turn),
    st.sampled_from(sorted(SHAPES)),
    st.tuples(coordinate, coordinate),
    st.tuples(st.floats(0.5, 8), st.floats(0.5, 8)),
    st.sampled_from([0.0, math.pi / 2, 0.4, 2.1]),
)


def of(at: list[tuple[float, float]]) -> Bodies:
    n = len(at)
    none = np.zeros(n, dtype=bool)
    return Bodies(np.array(at, dtype=float), np.zeros(n), np.full(n, RADII[1]), np.full(n, 2.5), none, none)


def solid(polygons: list[Any]) -> list[Piece]:
    return [Piece(f"p{i}", polygon, 5.0, "solid") for i, polygon in enumerate(polygons)]


@settings(max_examples=60, deadline=None)
@given(places, places, st.lists(boxes, max_size=5))
def test_a_line_serves_both_ways(a: list[Any], b: list[Any], polygons: list[Any]) -> None:
    landscape = Landscape(solid(polygons))
    assert np.array_equal(visible(of(a), of(b), landscape), visible(of(b), of(a), landscape).T)


@settings(max_examples=60, deadline=None)
@given(places, places, st.lists(boxes, min_size=1, max_size=5))
def test_another_piece_never_makes_visible(a: list[Any], b: list[Any], polygons: list[Any]) -> None:
    pieces = solid(polygons)
    fewer, more = (sight(of(a), of(b), Landscape(some)) for some in (pieces[:-1], pieces))
    assert not (more.visible & ~fewer.visible).any()
    assert not (more.fully & ~fewer.fully).any()


@settings(max_examples=40, deadline=None)
@given(places, places, st.lists(boxes, min_size=1, max_size=4), st.sampled_from(["shift", "mirror", "turn"]))
def test_s_inv_the_verdict_moves_with_the_table(
    a: list[Any], b: list[Any], polygons: list[Any], how: str
) -> None:
    def way(p: tuple[float, float]) -> tuple[float, float]:
        x, y = p
        return {"shift": (x + 3.5, y - 1.25), "mirror": (24 - x, y), "turn": (24 - y, x)}[how]

    before = sight(of(a), of(b), Landscape(solid(polygons)))
    turned = [tuple(way(corner) for corner in polygon) for polygon in polygons]
    after = sight(of([way(p) for p in a]), of([way(p) for p in b]), Landscape(solid(turned)))
    assert np.array_equal(before.visible, after.visible)
    assert np.array_equal(before.fully, after.fully)


@given(boxes, st.booleans())
def test_convex_parts_make_up_the_whole(polygon: Any, backwards: bool) -> None:
    corners = outline(tuple(reversed(polygon)) if backwards else polygon)
    parts = [shapely.Polygon(part) for part in convex_parts(corners)]
    whole = shapely.Polygon(polygon)
    assert shapely.union_all(parts).symmetric_difference(whole).area == pytest.approx(0, abs=1e-7)
    for part in parts:
        assert part.convex_hull.area == pytest.approx(part.area)
        assert part.exterior.is_ccw
