"""Ways of long bases among few obstacles at a time, and the proof that all of them are closed."""

from __future__ import annotations

import numpy as np
import pytest

from geometry.path.graph_search import nearest, shortest
from geometry.path.ground import Ground
from geometry.path.lazy_obstacles import is_closed_off
from geometry.path.obstacles import Obstacles
from geometry.path.planner import Blocked, Path, Ways
from geometry.path.visibility_graph import Rim, Roadmap
from geometry.shape.base import hull_base, oval_base
from geometry.shape.convex_shape import NOTHING, Outlines, stance_of
from geometry.tolerance import TOUCHING_DEPTH_INCHES

BOARD = (40.0, 30.0)
FAR = 1e3


def crowd(seed: int) -> Ground:
    """Return a crowded board: walls, friends of two sizes, and engagement ranges."""
    rng = np.random.default_rng(seed)
    places = rng.uniform([4, 2], [36, 28], (18, 2))
    walls = tuple(
        ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
        for x, y, w, h in rng.uniform([5, 2, 1, 1], [32, 24, 5, 5], (3, 4))
    )
    solid = Outlines(places[:12], np.where(np.arange(12) % 2, 0.63, 1.0))
    return Ground(BOARD, walls, solid=solid, avoid=Outlines(places[12:], np.full(6, 1.63)))


@pytest.mark.rule("CORE.MOVE.2")
@pytest.mark.parametrize("seed", range(8))
def test_the_shortest_way_among_few_obstacles_is_that_among_all(seed: int) -> None:
    base = oval_base(90, 52) if seed % 2 else hull_base(3.5, 2.0)
    ways, rings = (
        Ways(stance_of(base, 25.0 * seed), crowd(seed)),
        Outlines(np.array([[36.0, 15.0]]), np.ones(1)),
    )
    start, goal = (3.0, 15.0), (36.0, 20.0)
    free, both = ways.obstacles.freed(start), ways.obstacles.freed(start, goal)
    every = nearest(Roadmap(free.pruned()), start, rings), shortest(Roadmap(both.pruned()), start, goal)
    found = ways.nearest(start, rings), ways.shortest(start, goal)
    for legs, few in zip(every, found, strict=True):
        assert isinstance(few, Path) == (legs is not None)
        if legs is not None and isinstance(few, Path):
            assert few.length == pytest.approx(Path(start, legs).length, abs=1e-6)
            assert isinstance(ways.nearest(start, rings, FAR), Path)


@pytest.mark.rule("CORE.MOVE.4")
def test_no_way_of_a_hull_leads_off_a_board_on_which_nothing_stands() -> None:
    ways = Ways(stance_of(hull_base(4.0, 2.0)), Ground(BOARD))
    assert isinstance(ways.shortest((5.0, 5.0), (38.5, 5.0)), Blocked)
    assert isinstance(ways.shortest((5.0, 5.0), (38.0, 5.0)), Path)


@pytest.mark.rule("CORE.MOVE.4")
@pytest.mark.parametrize(("radius", "closed"), [(1.01, True), (1.0, False), (0.99, False)])
def test_discs_across_the_board_close_it_off_where_they_overlap(radius: float, closed: bool) -> None:
    """Where they only touch, a way of no width leads between them."""
    column = np.array([[10.0, y] for y in (1.0, 3.0, 5.0, 7.0, 9.0)])
    low, high = np.zeros(2), np.array([20.0, 10.0])
    across = Obstacles(Outlines(column, np.full(5, radius)), NOTHING, low, high)
    goal = Outlines(np.array([[15.0, 5.0]]), np.ones(1))
    assert is_closed_off(across, (5.0, 5.0), goal) == closed
    assert not is_closed_off(across, (13.0, 2.0), goal)


@pytest.mark.rule("CORE.MOVE.2")
@pytest.mark.parametrize(("limit", "closed"), [(4.0, True), (11.0, False)])
def test_what_no_way_within_the_limit_gets_round_closes_off(limit: float, closed: bool) -> None:
    """The gap beyond the upper end of the column is farther off than a way of 4 inches gets."""
    column = np.array([[10.0, y] for y in (0.5, 2.0, 3.5, 5.0, 6.5, 8.0)])
    across = Obstacles(Outlines(column, np.ones(6)), NOTHING, np.zeros(2), np.array([20.0, 12.0]))
    goal = Outlines(np.array([[13.0, 3.0]]), np.ones(1))
    assert is_closed_off(across, (8.0, 3.0), goal, limit) == closed


@pytest.mark.rule("CORE.MOVE.4")
def test_a_search_that_is_closed_off_does_not_walk_every_rim(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a hundred discs in a row it walks some before it asks; where the last is missing it gets by."""
    walked: list[int] = []
    rim = Roadmap.rim

    def counted(roadmap: Roadmap, which: int, turn: int) -> Rim:
        walked.append(which)
        return rim(roadmap, which, turn)

    monkeypatch.setattr(Roadmap, "rim", counted)
    column = np.array([[10.0, 0.5 + y] for y in range(100)])
    low, high = np.zeros(2), np.array([20.0, 100.0])
    goal = Outlines(np.array([[15.0, 50.0]]), np.ones(1))
    across = Obstacles(Outlines(column, np.full(100, 0.6)), NOTHING, low, high)
    assert nearest(Roadmap(across), (5.0, 50.0), goal) is None
    assert 0 < len(walked) < 40
    gap = Obstacles(across.models.take(np.arange(99)), NOTHING, low, high)
    assert nearest(Roadmap(gap), (5.0, 50.0), goal) is not None


def test_obstacles_whose_core_a_base_touches_are_others() -> None:
    """A hull's rim that is touched is moved in by the depth: its map is not that of the hull it was."""
    stance = stance_of(hull_base(4.0, 2.0))
    hull = Outlines(np.array([[10.0, 10.0]]), np.zeros(1), (stance.core,))
    whole = Obstacles.of(stance, Ground(BOARD, solid=hull))
    freed = whole.freed((14.0 - TOUCHING_DEPTH_INCHES / 2, 10.0))
    assert freed.key != whole.key
    assert freed.is_clear((14.0 - TOUCHING_DEPTH_INCHES / 2, 9.0), (14.0 - TOUCHING_DEPTH_INCHES / 2, 11.0))
    assert not whole.is_clear(
        (14.0 - TOUCHING_DEPTH_INCHES / 2, 9.0), (14.0 - TOUCHING_DEPTH_INCHES / 2, 11.0)
    )
