"""Questions answered by shortcuts, held against the slow answer."""

from __future__ import annotations

import numpy as np
import pytest

from geometry.path.ground import Ground
from geometry.path.obstacles import Obstacles
from geometry.path.planner import Blocked, Path, ShortestPaths
from geometry.path.reference_path import Trail
from geometry.shape.arrangement import Edges, between, met
from geometry.shape.base import hull_base, oval_base, round_base
from geometry.shape.convex_shape import Outlines, Stance, core_of, difference, polygon_core

OVAL, HULL, DISC = (
    core_of(oval_base(170, 105), 20.0),
    core_of(hull_base(5.0, 3.0), 70.0),
    core_of(round_base(32)),
)
ASIDE = polygon_core([(2, -1), (4, -1), (4, 3), (2, 3)])
CORES = (OVAL, HULL, DISC, ASIDE, difference(OVAL, HULL), difference(HULL, OVAL), DISC)


@pytest.mark.parametrize("slack", [0.0, 1e-8, 0.05])
@pytest.mark.parametrize("seed", range(3))
def test_lines_are_clear_of_shapes_that_they_come_not_into(seed: int, slack: float) -> None:
    rng = np.random.default_rng(seed)
    shapes = Outlines(rng.uniform(-9, 9, (7, 2)), rng.uniform(0.1, 2, 7), CORES)
    start = rng.uniform(-15, 15, (1500, 2))
    end = start + rng.normal(0, 4, (1500, 2)) * rng.integers(0, 2, (1500, 1))
    known = (shapes.line_distances(start, end) >= -slack).all(axis=1)
    assert 100 < known.sum() < 1400
    assert (shapes.clear(start, end, slack) == known).all()


@pytest.mark.parametrize("seed", range(3))
def test_a_circle_meets_edges_where_the_edges_meet_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    edges = Edges.of(Outlines(rng.uniform(-6, 6, (7, 2)), rng.uniform(0.1, 1, 7), CORES))
    circle = Edges.of(Outlines(rng.uniform(-2, 2, (1, 2)), np.full(1, 4.0)))
    found, known = between(circle, edges), met(circle, edges)[0]
    assert len(found) == len(known) > 0
    assert np.abs(found - known).max() < 1e-12


@pytest.mark.parametrize("seed", range(3))
def test_edges_meet_wherever_each_two_of_them_do(seed: int) -> None:
    """Taken one by one, no edge is too far from another to be asked."""
    rng = np.random.default_rng(seed)
    a, b = (Edges.of(Outlines(rng.uniform(-6, 6, (4, 2)), rng.uniform(0.1, 1, 4), CORES[:4])) for _ in "ab")
    none = np.empty(0, dtype=np.intp)
    ones = [b.take(np.array([k]), none) for k in range(len(b.reach))]
    ones += [b.take(none, np.array([k])) for k in range(len(b.start))]
    alone = np.vstack([between(a, one) for one in ones])
    found = between(a, b)
    assert len(found) == len(alone) > 0
    assert np.allclose(found[np.lexsort(found.round(6).T)], alone[np.lexsort(alone.round(6).T)], atol=1e-7)


def test_spots_along_a_way_are_where_its_parts_end() -> None:
    path = Path.from_legs((0, 0), [(4, 0), (5, 1, 4, 1, 1), (5, 1), (5, 3), (3, 5, 3, 3, 1)])
    far = np.array([0.0, 1.0, 4.0, 4.5, path.length - 3.0, path.length, path.length + 1, 4 + np.pi / 2])
    assert Trail(path).spots(far) == pytest.approx(np.array([path.at(each).end for each in far]))


@pytest.mark.parametrize("seed", range(6))
def test_a_limit_shuts_only_longer_ways(seed: int) -> None:
    rng = np.random.default_rng(seed)
    corners = rng.uniform([12, 8], [40, 34], (9, 2)).tolist()
    ground = Ground(
        (60.0, 44.0), walls=tuple(((x, y), (x + 2, y), (x + 2, y + 5), (x, y + 5)) for x, y in corners)
    )
    for stance in (0.63, 1.2):
        whole = ShortestPaths(stance, ground).shortest((8.0, 22.0), (52.0, 22.0))
        assert isinstance(whole, Path)
        within = ShortestPaths(stance, ground).shortest((8.0, 22.0), (52.0, 22.0), whole.length)
        assert within == whole
        short = ShortestPaths(stance, ground).shortest((8.0, 22.0), (52.0, 22.0), 44.0)
        assert isinstance(short, Blocked) or short.length == pytest.approx(whole.length)


def test_a_way_of_no_length_beside_a_wall_runs_into_it() -> None:
    """A base of 0.63 inches cannot stand 0.4 or 0.1 inches beside a wall.

    One way or many, the answer is the same.
    """
    wall = ((10.0, 10.0), (14.0, 11.0), (11.0, 15.0))
    obstacles = Obstacles.of(Stance(0.63), Ground((60.0, 44.0), (wall,)))
    spots = np.array([(11.28, 10.2), (9.7, 10.4), (11.28, 11.5), (5.0, 5.0)])
    free = [False, False, False, True]
    assert obstacles.clear(spots, spots).tolist() == free
    assert [obstacles.is_clear(spot, spot) for spot in spots.tolist()] == free
