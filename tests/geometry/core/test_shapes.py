"""The core's table of shapes against the arrays of outlines and against shapely."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from geometry.core.shapes import Shapes
from geometry.shape.base import Base, Floats, hull_base, oval_base, round_base
from geometry.shape.convex_shape import (
    NOTHING,
    Outlines,
    Stance,
    core_of,
    difference,
    margin_of,
    polygon_core,
)
from geometry.shape.shape_table import EVERYWHERE, shapes_of

SLACK = 1e-8
EXACT = 1e-9
OVAL_ERROR = 1e-4
"""How far arcs of an oval, and rims of shapely, leave their curve, in inches."""


def bases() -> list[Base]:
    return [round_base(32), round_base(60), oval_base(60, 35), oval_base(170, 105), hull_base(6.1, 3.4)]


def random_outlines(rng: np.random.Generator, count: int) -> Outlines:
    """Return discs, polygons, ovals, hulls, and what these are to a turned base."""
    cores, radius = [], []
    for _ in range(count):
        base = bases()[rng.integers(5)]
        core, margin = core_of(base, float(rng.uniform(0, 360))), margin_of(base)
        kind = rng.integers(4)
        if kind == 0:
            angle = np.sort(rng.uniform(0, math.tau, 6))
            core, margin = polygon_core([(2 * math.cos(a), 2 * math.sin(a)) for a in angle.tolist()]), 0.0
        if kind == 1:
            other = bases()[rng.integers(5)]
            core = difference(core, core_of(other, float(rng.uniform(0, 360))))
        cores.append(core)
        radius.append(margin + rng.choice([0.0, 0.63, 1.2]))
    return Outlines(rng.uniform(5, 40, (count, 2)), np.array(radius), tuple(cores))


def as_polygon(shapes: Shapes, outlines: Outlines, row: int) -> shapely.Polygon:
    """Return the outline of a shape as shapely has it: a convex hull of its arcs' discs."""
    one = outlines.take([row])
    if one.core[0].is_point:
        return shapely.Point(*one.xy[0]).buffer(one.radius[0], quad_segs=2000)
    core = one.core[0]
    discs = [
        shapely.Point(*(one.xy[0] + centre)).buffer(float(one.radius[0] + radius), quad_segs=500)
        for centre, radius in zip(core.centre, core.radius, strict=True)
        if len(core.radius) <= 24
    ]
    return shapely.unary_union(discs).convex_hull


@pytest.mark.parametrize("seed", range(6))
def test_gaps_of_points_are_those_of_the_outlines(seed: int) -> None:
    rng = np.random.default_rng(seed)
    outlines = random_outlines(rng, 12)
    shapes = shapes_of(outlines)
    points = rng.uniform(0, 45, (300, 2))
    expected = outlines.distances(points)
    found = np.array([[shapes.gap(row, *point) for row in range(12)] for point in points.tolist()])
    assert np.abs(found - expected).max() < EXACT


@pytest.mark.parametrize("seed", range(6))
def test_lines_enter_the_shapes_that_the_outlines_say(seed: int) -> None:
    rng = np.random.default_rng(100 + seed)
    outlines = random_outlines(rng, 12)
    shapes = shapes_of(outlines)
    start, end = rng.uniform(0, 45, (400, 2)), rng.uniform(0, 45, (400, 2))
    end[:100] = start[:100] + rng.normal(0, 1, (100, 2))
    far = outlines.line_distances(start, end)
    for line, (a, b) in enumerate(zip(start.tolist(), end.tolist(), strict=True)):
        for row in range(12):
            if abs(far[line, row] + SLACK) > EXACT:
                assert shapes.enters(row, a[0], a[1], b[0], b[1], SLACK) == (far[line, row] < -SLACK)
    clear = outlines.clear(start, end, SLACK)
    flat = np.hstack([start, end]).ravel().tolist()
    unsure = (np.abs(far + SLACK) <= EXACT).any(axis=1)
    assert (unsure | (np.array(shapes.are_clear(flat, SLACK)) == clear)).all()
    assert 20 < clear.sum() < 380


def test_shapely_finds_the_same_gaps() -> None:
    rng = np.random.default_rng(7)
    outlines = random_outlines(rng, 30)
    shapes = shapes_of(outlines)
    points = rng.uniform(0, 45, (40, 2))
    compared = 0
    for row in range(30):
        if len(outlines.core[row].radius) > 24:
            continue
        polygon = as_polygon(shapes, outlines, row)
        for x, y in points.tolist():
            outside = shapely.distance(polygon, shapely.Point(x, y))
            if outside > 0.01:
                compared += 1
                assert shapes.gap(row, x, y) == pytest.approx(outside, abs=OVAL_ERROR)
    assert compared > 300


def test_every_arc_lies_in_the_circle_about_its_shape() -> None:
    outlines = random_outlines(np.random.default_rng(3), 40)
    shapes = shapes_of(outlines)
    around = np.linspace(0, math.tau, 60)
    for row in range(40):
        rim = outlines.take([row])
        reach = float(rim.reach[0]) + 1
        ring: Floats = rim.xy + reach * np.stack([np.cos(around), np.sin(around)], axis=1)
        inner = np.array([shapes.gap(row, *point) for point in ring.tolist()])
        # A point that is outside the shape's own circle is passed over at once, and rightly so.
        assert (inner > 0).all()
        assert all(shapes.holder(x, y, SLACK, -1, 0) != row for x, y in ring.tolist())


class TestAwkward:
    """Points, corners, stretches of a line, and boards."""

    def test_a_stretch_of_a_line_is_a_shape(self) -> None:
        up, down = (0.0, 1.0), (0.0, -1.0)
        rim = [
            [-3.0, 3.0],
            [0.0, 0.0],
            [0.0, 0.0],
            [up[0], down[0]],
            [up[1], down[1]],
            [0.0, 0.0],
            [-1.0, 1.0],
        ]
        shapes = Shapes(EVERYWHERE, [10.0], [10.0], [0.5], [rim])
        assert shapes.gap(0, 10.0, 12.0) == pytest.approx(1.5)
        assert shapes.gap(0, 15.0, 10.0) == pytest.approx(1.5)
        assert shapes.gap(0, 17.0, 13.0) == pytest.approx(4.5)
        assert not shapes.enters(0, 5.0, 10.6, 15.0, 10.6, SLACK)
        assert shapes.enters(0, 5.0, 10.4, 15.0, 10.4, SLACK)

    def test_a_line_that_grazes_a_corner_does_not_enter(self) -> None:
        square = polygon_core([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        shapes = shapes_of(Outlines(np.array([[5.0, 5.0]]), np.zeros(1), (square,)))
        assert not shapes.enters(0, 4.0, 8.0, 8.0, 4.0, SLACK)
        assert shapes.enters(0, 4.0, 7.99, 8.0, 3.99, SLACK)
        assert not shapes.enters(0, 4.0, 6.0, 8.0, 6.0, SLACK)

    @pytest.mark.parametrize("seed", range(4))
    def test_a_line_from_a_corner_enters_where_the_outlines_say(self, seed: int) -> None:
        rng = np.random.default_rng(200 + seed)
        wall = polygon_core([(-3, -1), (2, -2), (3, 2), (-2, 3)])
        hull = polygon_core([(-1.2, -1.2), (1.2, -1.2), (1.2, 1.2), (-1.2, 1.2)]).turned(0.3 * seed)
        outlines = Outlines(rng.uniform(0, 45, (1, 2)), np.zeros(1), (difference(wall, hull),))
        shapes = shapes_of(outlines)
        start = (outlines.xy + outlines.core[0].centre).repeat(50, axis=0)
        end = start + rng.normal(0, 4, start.shape)
        inside = outlines.line_distances(start, end)[:, 0] < -SLACK
        for line, (a, b) in enumerate(zip(start.tolist(), end.tolist(), strict=True)):
            assert shapes.enters(0, *a, *b, SLACK) == inside[line]
            assert shapes.enters(0, *b, *a, SLACK) == inside[line]
        assert 20 < inside.sum() < len(start) - 20

    def test_the_edge_of_the_board_closes(self) -> None:
        shapes = shapes_of(NOTHING, (1.0, 1.0, 9.0, 9.0))
        assert shapes.is_clear(1.0, 1.0, 9.0, 9.0, SLACK)
        assert not shapes.is_clear(1.0, 1.0, 9.1, 9.0, SLACK)
        assert not shapes.is_open(0.9, 5.0, SLACK, -1)

    def test_no_line_of_no_length_is_lost(self) -> None:
        discs = shapes_of(Outlines(np.array([[5.0, 5.0]]), np.ones(1)))
        assert not discs.is_clear(5.5, 5.0, 5.5, 5.0, SLACK)
        assert discs.is_clear(6.0, 5.0, 6.0, 5.0, SLACK)

    def test_a_table_on_a_base_leaves_out_and_adds(self) -> None:
        walls = shapes_of(Outlines(np.array([[5.0, 5.0], [9.0, 5.0]]), np.ones(2)))
        both = shapes_of(Outlines(np.array([[7.0, 5.0]]), np.ones(1)), base=walls)
        assert (both.count, both.shared) == (3, 2)
        both.leave_out(0)
        assert both.blocker(4.0, 5.0, 6.5, 5.0, SLACK, 0) == 2
        assert walls.blocker(4.0, 5.0, 6.5, 5.0, SLACK, 0) == 0
        assert both.is_open(5.0, 5.0, SLACK, -1)
        assert both.holder(9.0, 5.5, SLACK, -1, 0) == 1
        assert both.is_open(9.0, 5.5, SLACK, 1)

    def test_a_stance_of_an_oval_keeps_its_margin(self) -> None:
        oval = core_of(oval_base(120, 92), 30.0)
        walls = Outlines(np.array([[20.0, 20.0]]), np.zeros(1)).against(Stance(0.0, oval))
        shapes = shapes_of(walls)
        inches = 120 / 25.4 / 2
        x, y = inches * math.cos(math.radians(30)), inches * math.sin(math.radians(30))
        assert shapes.gap(0, 20 + x, 20 + y) == pytest.approx(0.0, abs=OVAL_ERROR)


def test_a_stretch_of_line_is_as_far_off_as_its_nearest_point() -> None:
    """Whichever way it runs: about its ends it faces half a turn."""
    chance = np.random.default_rng(6)
    drawn = chance.uniform(-3.0, 3.0, (400, 6)).round(3)
    drawn[:60] = drawn[:60].round(0)
    for ax, ay, bx, by, x, y in drawn[(drawn[:, :2] != drawn[:, 2:4]).any(axis=1)].tolist():
        middle, half = (ax + bx) / 2, (ay + by) / 2
        core = polygon_core([(ax - middle, ay - half), (bx - middle, by - half)])
        line = shapes_of(Outlines(np.array([[middle, half]]), np.full(1, 0.5), (core,)))
        share = min(
            max(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / math.dist((ax, ay), (bx, by)) ** 2, 0), 1
        )
        apart = math.dist((x, y), (ax + share * (bx - ax), ay + share * (by - ay)))
        if apart > 0.01:
            assert line.gap(0, x, y) == pytest.approx(apart - 0.5, abs=1e-9)
