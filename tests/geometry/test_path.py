"""The shortest path of a base: known lengths, bounds, an independent reference, the checker."""

from __future__ import annotations

import math
from itertools import product

import networkx as nx
import numpy as np
import pytest
import shapely
import shapely.affinity
from hypothesis import given, settings
from hypothesis import strategies as st

from geometry.group.group_move import Moved, Party, move_to_point
from geometry.measure.coherency import Spacing
from geometry.path.ground import Ground, may_stand
from geometry.path.planner import Blocked, Path, ShortestPaths, check_path, check_paths, distance, path, way
from geometry.shape.base import Polygon, hull_base
from geometry.shape.convex_shape import Outlines, stance_of

R32 = 16 / 25.4
R60 = 30 / 25.4
BOARD = (60.0, 44.0)


def zones(*at: tuple[float, float], radius: float = R32 + 1) -> Outlines:
    """Return engagement zones about 32 mm bases."""
    return Outlines(np.array(at, dtype=float).reshape(-1, 2), np.full(len(at), radius))


@pytest.mark.rule("CORE.MOVE.5")
def test_s_m05_round_an_engagement_zone() -> None:
    """S.M05: (24,22) to (36,22) past an enemy at (30,22): straight 12, shortest legal 12.8617."""
    ground = Ground(BOARD, avoid=zones((30, 22)))
    assert distance(R32, (24, 22), (36, 22), ground) == pytest.approx(12.8617, abs=1e-4)
    assert isinstance(path(R32, (24, 22), (36, 22), 12.8, ground), Blocked)
    assert isinstance(path(R32, (24, 22), (36, 22), 12.9, ground), Path)


@pytest.mark.parametrize(("deep", "is_legal"), [(0.0, True), (9e-7, True), (1.1e-6, False)])
def test_a_unit_may_begin_and_end_as_deep_in_what_it_touches_as_the_tolerance(
    deep: float, is_legal: bool
) -> None:
    """One path ends at a base, the other leaves it for the wall; both are `deep` inches in."""
    wall: Polygon = ((20.0, 10.0), (21.0, 10.0), (21.0, 20.0), (20.0, 20.0))
    ground = Ground(BOARD, (wall,), solid=zones((10.0, 15.0), radius=R32))
    touching = 10.0 + 2 * R32 - deep
    at_wall = 20.0 - R32 + deep
    comes = Path.from_legs((14.0, 15.0), [(touching, 15.0)])
    goes = Path.from_legs((touching, 15.0), [(at_wall, 15.0)])
    starts = np.array([comes.start, goes.start])
    for rows in ([0], [1], [0, 1]):
        ways = [(comes, goes)[row] for row in rows]
        faults = check_paths(ways, np.full(len(rows), R32), starts[rows], np.full(len(rows), 12.0), ground)
        assert (not faults) == is_legal


@pytest.mark.rule("CORE.MOVE.2")
def test_s_m01_the_limit_is_on_the_path() -> None:
    """S.M01: exactly 6 inches is legal, 6.01 is not; a dog-leg of 3 and 4 costs 7."""
    ground = Ground(BOARD)
    assert isinstance(path(R32, (10, 10), (16, 10), 6.0, ground), Path)
    assert isinstance(path(R32, (10, 10), (16.01, 10), 6.0, ground), Blocked)
    dog_leg = Path.from_legs((10, 10), [(13, 10), (13, 14)])
    assert dog_leg.length == pytest.approx(7)
    assert check_path(dog_leg, R32, (10, 10), 6.9, ground)
    assert not check_path(dog_leg, R32, (10, 10), 7.0, ground)


@pytest.mark.rule("CORE.ER.1")
def test_s_m06_engagement_range_is_inclusive() -> None:
    """S.M06: a gap of exactly 1 is within engagement range, 1.0001 is not."""
    ground = Ground(BOARD, avoid=zones((30, 22)))
    near = 30 - 2 * R32 - 1
    assert isinstance(path(R32, (20, 22), (near, 22), 20, ground), Blocked)
    assert isinstance(path(R32, (20, 22), (near - 1e-4, 22), 20, ground), Path)


@pytest.mark.rule("CORE.MOVE.4")
def test_s_m09_s_m10_through_friends_and_round_friendly_vehicles() -> None:
    """S.M09, S.M10: infantry pass friends but may not end on one; vehicles go round vehicles."""
    friend = Outlines(np.array([[30.0, 22.0]]), np.array([R60]))
    through = Ground(BOARD, no_end=friend)
    assert distance(R32, (24, 22), (36, 22), through) == pytest.approx(12)
    assert isinstance(path(R32, (24, 22), (30, 22), 12, through), Blocked)
    touching = 30 - R60 - R32
    assert isinstance(path(R32, (24, 22), (touching, 22), 12, through), Path)
    found = way(R60, (24, 22), (36, 22), Ground(BOARD, solid=friend))
    assert isinstance(found, Path)
    assert found.length > 12.3
    line = shapely.LineString(found.points)
    assert line.distance(shapely.Point(30, 22)) > 2 * R60 - 0.2


@pytest.mark.rule("CORE.MOVE.4")
@pytest.mark.parametrize(("x", "legal"), [(1.18, False), (1.19, True)])
def test_s_m12_the_board_edge(x: float, legal: bool) -> None:
    """S.M12: a 60 mm base at x = 1.18 hangs over the edge."""
    assert bool(may_stand(Ground(BOARD), np.array([[x, 22.0]]), np.array([R60]))[0]) is legal


@pytest.mark.rule("CORE.TER.2")
def test_s_m13_a_barricade_is_crossed_but_not_stood_on() -> None:
    """S.M13: low terrain costs nothing to cross, and carries no model."""
    barricade: Polygon = ((28, 21), (34, 21), (34, 23), (28, 23))
    ground = Ground(BOARD, no_stand=(barricade,))
    assert distance(R32, (31, 18), (31, 26), ground) == pytest.approx(8)
    assert isinstance(path(R32, (31, 18), (31, 22), 8, ground), Blocked)


@pytest.mark.rule("CORE.MOVE.4")
def test_a_gap_that_fits_one_base_and_not_the_next() -> None:
    """Walls 1.5 inches apart: a 32 mm base (1.26) goes through, a 40 mm base (1.57) goes round."""
    walls: tuple[Polygon, ...] = (
        ((28, 5), (32, 5), (32, 21), (28, 21)),
        ((28, 22.5), (32, 22.5), (32, 40), (28, 40)),
    )
    ground = Ground(BOARD, walls=walls)
    assert distance(R32, (20, 21.75), (40, 21.75), ground) == pytest.approx(20)
    assert distance(20 / 25.4, (20, 21.75), (40, 21.75), ground) > 30


def test_walled_in_is_blocked() -> None:
    ring = [(30 + 3 * math.cos(a), 22 + 3 * math.sin(a)) for a in np.linspace(0, math.tau, 13)[:-1]]
    ground = Ground(BOARD, avoid=zones(*ring))
    assert isinstance(way(R32, (30, 22), (50, 22), ground), Blocked)


def reach(toward: tuple[float, float], start: tuple[float, float], limit: float, ground: Ground) -> Path:
    """Return the way of a single model toward a point."""
    party = Party(np.array([start], dtype=float), np.array([R32]), np.array([float(limit)]))
    found = move_to_point(party, toward, ground, Spacing())
    assert isinstance(found, Moved)
    return found.paths[0]


def test_reach_stops_at_the_edge_of_an_engagement_zone() -> None:
    ground = Ground(BOARD, avoid=zones((30, 22)))
    found = reach((30, 22), (20, 22), 20, ground)
    assert found.end[0] == pytest.approx(30 - 2 * R32 - 1, abs=1e-5)
    assert not check_path(found, R32, (20, 22), 20, ground)


def test_reach_ends_beside_a_friend_on_the_goal() -> None:
    """The goal is taken: the base ends touching, on the near side."""
    ground = Ground(BOARD, no_end=Outlines(np.array([[26.0, 22.0]]), np.array([R32])))
    found = reach((26, 22), (20, 22), 10, ground)
    assert found.end == pytest.approx((26 - 2 * R32, 22), abs=1e-6)


def test_reach_gets_as_near_to_a_point_in_a_wall_as_its_edge() -> None:
    wall: Polygon = ((25, 20), (30, 20), (30, 24), (25, 24))
    found = reach((25.5, 22.5), (20, 22.5), 10, Ground(BOARD, walls=(wall,)))
    assert found.end == pytest.approx((25 - R32, 22.5), abs=1e-6)


def test_reach_spends_its_limit_on_the_shortest_way() -> None:
    ground = Ground(BOARD, avoid=zones((30, 22)))
    found = reach((36, 22), (24, 22), 6, ground)
    assert found.length == pytest.approx(6, abs=1e-6)
    assert distance(R32, found.end, (36, 22), ground) == pytest.approx(6.8617, abs=1e-3)


def test_ways_over_one_ground_share_their_map() -> None:
    """The second answer over a ground is the first one's."""
    chance = np.random.default_rng(5)
    ground = Ground(BOARD, avoid=zones(*map(tuple, chance.uniform([15, 5], [45, 39], (8, 2)))))
    ways = ShortestPaths(R32, ground)
    for _ in range(10):
        a, b = chance.uniform([3, 3], [12, 41]), chance.uniform([48, 3], [57, 41])
        one, other = ways.shortest(a, b), way(R32, a, b, ground)
        assert isinstance(one, Path)
        assert isinstance(other, Path)
        assert one.length == pytest.approx(other.length, abs=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_walls_against_a_reference_of_polygons(seed: int) -> None:
    """A way round slanted walls is no longer than round their buffers, and hardly shorter.

    The buffers are polygons.
    """
    chance = np.random.default_rng(seed)
    walls: list[Polygon] = []
    for _ in range(4):
        x, y, w, h, turn = chance.uniform([18, 8, 2, 2, 0], [40, 34, 9, 7, math.pi])
        box = shapely.affinity.rotate(shapely.box(x, y, x + w, y + h), turn, use_radians=True)
        walls.append(tuple((float(a), float(b)) for a, b in box.exterior.coords[:-1]))
    ground = Ground(BOARD, walls=tuple(walls))
    ends = ((8.0, float(chance.uniform(5, 39))), (52.0, float(chance.uniform(5, 39))))
    if not may_stand(ground, np.array(ends), np.full(2, R32)).all():
        return
    found = way(R32, *ends, ground)
    upper = reference(*ends, ground, 64)
    assert isinstance(found, Path)
    assert found.length <= upper + 1e-6
    assert found.length >= upper * 0.996
    assert check_path(found, R32, ends[0], 100, ground) == ()


def reference(start: tuple[float, float], goal: tuple[float, float], ground: Ground, sides: int) -> float:
    """Return the shortest path round polygons that hold what is in the way: a close upper bound."""
    blobs = []
    for (x, y), r in zip(ground.avoid.xy, ground.avoid.radius, strict=True):
        around = (r + R32) / math.cos(math.pi / sides)
        turns = np.linspace(0, math.tau, sides + 1)
        corners = [(x + around * math.cos(a), y + around * math.sin(a)) for a in turns]
        blobs.append(shapely.Polygon(corners))
    around = R32 / math.cos(math.pi / sides)
    blobs += [shapely.Polygon(wall).buffer(around, quad_segs=sides // 4) for wall in ground.walls]
    spots = [start, goal, *[c for blob in blobs for c in blob.exterior.coords[:-1]]]
    inner = shapely.union_all([blob.buffer(-1e-7) for blob in blobs])
    shapely.prepare(inner)
    low, high = R32, np.array(BOARD) - R32
    graph = nx.Graph()
    pairs = [(i, j) for i, j in product(range(len(spots)), repeat=2) if i < j]
    lines = shapely.linestrings([[spots[i], spots[j]] for i, j in pairs])
    for (i, j), hit in zip(pairs, shapely.intersects(inner, lines), strict=True):
        ends = np.array([spots[i], spots[j]])
        if not hit and (ends >= low).all() and (ends <= high).all():
            graph.add_edge(i, j, weight=math.dist(spots[i], spots[j]))
    return float(nx.shortest_path_length(graph, 0, 1, weight="weight"))


@pytest.mark.parametrize("seed", range(12))
def test_against_a_reference_of_polygons(seed: int) -> None:
    """Never longer than the way round polygons that hold the discs, and hardly shorter."""
    chance = np.random.default_rng(seed)
    ground = Ground(BOARD, avoid=zones(*map(tuple, chance.uniform([15, 12], [45, 32], (5, 2)))))
    ends = ((8.0, float(chance.uniform(15, 30))), (52.0, float(chance.uniform(15, 30))))
    exact, upper = distance(R32, *ends, ground), reference(*ends, ground, 40)
    assert exact <= upper + 1e-6
    assert exact >= upper * 0.996
    found = way(R32, *ends, ground)
    assert isinstance(found, Path)
    assert check_path(found, R32, ends[0], 100, ground) == ()


coordinates = st.tuples(st.floats(3, 57), st.floats(3, 41))


@settings(max_examples=40, deadline=None)
@given(st.lists(coordinates, min_size=1, max_size=6), coordinates, coordinates)
def test_lengths_are_invariant_and_obey_the_triangle(
    at: list[tuple[float, float]], a: tuple[float, float], b: tuple[float, float]
) -> None:
    ground = Ground(BOARD, avoid=zones(*at))
    if not may_stand(ground, np.array([a, b]), np.full(2, R32)).all():
        return
    straight = distance(R32, a, b, ground)
    mirrored = Ground(BOARD, avoid=zones(*[(60 - x, y) for x, y in at]))
    turned = Ground((44.0, 60.0), avoid=zones(*[(44 - y, x) for x, y in at]))
    assert straight >= math.dist(a, b) - 1e-9
    assert distance(R32, b, a, ground) == pytest.approx(straight, abs=1e-6)
    assert distance(R32, (60 - a[0], a[1]), (60 - b[0], b[1]), mirrored) == pytest.approx(straight, abs=1e-6)
    assert distance(R32, (44 - a[1], a[0]), (44 - b[1], b[0]), turned) == pytest.approx(straight, abs=1e-6)
    over = (30.0, 22.0)
    if may_stand(ground, np.array([over]), np.array([R32]))[0]:
        assert straight <= distance(R32, a, over, ground) + distance(R32, over, b, ground) + 1e-6


def test_nothing_leads_off_a_board_without_obstacles() -> None:
    found = way(1.0, (5.0, 5.0), (0.5, 5.0), Ground((60.0, 44.0)))
    assert isinstance(found, Blocked)
    assert isinstance(way(1.0, (5.0, 5.0), (1.0, 43.0), Ground((60.0, 44.0))), Path)


def test_a_hull_does_not_end_on_a_corner_through_the_wall() -> None:
    """Its end lies on the very corner of where it may not be.

    The way there must be checked, not the end.
    """
    wall = ((36.8349, 22.9199), (41.1651, 20.4199), (46.1651, 29.0801), (41.8349, 31.5801))
    ground, stance = Ground((60.0, 44.0), (wall,)), stance_of(hull_base(6.5, 4.2), 270.0)
    straight = Path((45.0, 35.25), ((48.2651, 25.8301),))
    assert "the path runs through a wall" in check_path(straight, stance, straight.start, 10.0, ground)
    found = path(stance, straight.start, straight.end, 99.0, ground)
    assert isinstance(found, Path)
    assert found.length > straight.length + 0.1


def test_a_corner_given_twice_is_one_corner() -> None:
    """One copy of a corner that is named twice in a closed ring is dropped; the other stays."""
    corners: Polygon = ((14.0, 5.0), (16.0, 5.0), (16.0, 15.0), (14.0, 15.0))
    plain = distance(0.5, (10.0, 10.0), (20.0, 10.0), Ground((60.0, 44.0), walls=(corners,)))
    for twice in (
        (*corners, corners[0]),
        (*corners[:2], *corners[1:], corners[0]),
        (corners[0], *corners[::-1]),
    ):
        found = distance(0.5, (10.0, 10.0), (20.0, 10.0), Ground((60.0, 44.0), walls=(twice,)))
        assert found == pytest.approx(plain, abs=1e-9)


def test_bases_within_their_own_zones_change_no_way_of_a_hull() -> None:
    """A way clear of the zones about bases is clear of the bases; they are not checked again."""
    foes = Outlines(np.array([(22.0, 20.0), (26.0, 24.0), (31.0, 19.5)]), np.full(3, R32))
    zones_alone = Ground(BOARD, avoid=foes.grown(1.0))
    both = Ground(BOARD, solid=foes, avoid=foes.grown(1.0))
    stance = stance_of(hull_base(4.0, 2.5), 20.0)
    ways = [way(stance, (14, 21), (40, 22), ground) for ground in (zones_alone, both)]
    assert all(isinstance(found, Path) and found.length > 26.1 for found in ways)
    assert ways[0] == ways[1]
