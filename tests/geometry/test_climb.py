"""Ways in three dimensions: known climbs, floors and flights, and what the checker refuses."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from geometry.path.elevation import Crowd, Layer, Rise
from geometry.path.ground import Ground
from geometry.path.planner import Blocked, Path, ShortestPaths, check_path, path
from geometry.path.resting import faults_of_resting, may_rest, resting_height
from geometry.shape.base import Polygon, hull_base, round_base
from geometry.shape.convex_shape import Outlines, Stance, stance_of
from geometry.tolerance import TOLERANCE

SIZE = (60.0, 44.0)
R32 = round_base(32).radius
CONTAINER: Polygon = ((26.0, 10.0), (30.0, 10.0), (30.0, 34.0), (26.0, 34.0))
RUIN: Polygon = ((26.0, 16.0), (34.0, 16.0), (34.0, 28.0), (26.0, 28.0))


def box(x0: float, y0: float, x1: float, y1: float) -> Polygon:
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def closed(*pieces: tuple[Polygon, float]) -> Ground:
    """Return a board with containers that are in the way."""
    walls = tuple(p for p, _ in pieces)
    return Ground(SIZE, walls=walls, rises=tuple(Rise(p, height, (height,)) for p, height in pieces))


def ruin(*floors: float) -> Ground:
    """Return a board with a ruin as infantry meet it."""
    return Ground(SIZE, rises=(Rise(RUIN, 9.0, floors),))


def length(ground: Ground, start: tuple[float, ...], goal: tuple[float, ...], radius: float = R32) -> float:
    """Return how long the shortest path is, once the checker has passed it."""
    found = path(radius, start, goal, math.inf, ground)
    if isinstance(found, Blocked):
        return math.inf
    assert check_path(found, radius, start, found.length, ground) == ()
    assert check_path(found, radius, start, found.length - 2 * TOLERANCE, ground) != ()
    assert math.dist((*found.end, found.end_z), (*goal, 0.0)[:3]) < 2.0 + TOLERANCE
    return found.length


@pytest.mark.rule("CORE.MOVE.8")
def test_s_m13_a_container_is_climbed_up_and_down() -> None:
    """S.M13: over a container 3 inches high, 3 up and 3 down are added."""
    assert length(closed((CONTAINER, 3.0)), (22, 22), (34, 22)) == pytest.approx(18.0)


@pytest.mark.rule("CORE.MOVE.8")
@pytest.mark.parametrize(("height", "far"), [(2.0, 12.0), (2.1, 16.2), (4.0, 20.0)])
def test_what_is_no_more_than_two_inches_high_is_free(height: float, far: float) -> None:
    ground = closed((CONTAINER, height))
    if height <= 2.0:
        ground = replace(ground, walls=(), no_stand=ground.walls)
    assert length(ground, (22, 22), (34, 22)) == pytest.approx(far)


@pytest.mark.rule("CORE.MOVE.8")
def test_going_round_is_taken_where_it_is_shorter() -> None:
    """At y = 32 the way round is 12.6 or so, the way over 18."""
    round_it = length(closed((CONTAINER, 3.0)), (22, 32), (34, 32))
    assert 12.0 < round_it < 14.0
    assert round_it == pytest.approx(length(Ground(SIZE, walls=(CONTAINER,)), (22, 32), (34, 32)))


@pytest.mark.rule("CORE.MOVE.8")
def test_the_lower_of_two_is_climbed_and_the_higher_gone_round() -> None:
    low, high = box(20, 0, 22, 44), box(30, 20, 32, 44)
    far = length(closed((low, 3.0), (high, 9.0)), (10, 25), (40, 25))
    flat = length(Ground(SIZE, walls=(high,)), (10, 25), (40, 25))
    assert far == pytest.approx(flat + 6.0)


@pytest.mark.rule("CORE.MOVE.8")
def test_two_containers_side_by_side_are_climbed_once() -> None:
    """A base that is over the one before it has left the other stays up."""
    pair = closed((box(20, 0, 22, 44), 3.0), (box(22.5, 0, 24, 44), 3.0))
    apart = closed((box(20, 0, 22, 44), 3.0), (box(27, 0, 29, 44), 3.0))
    assert length(pair, (10, 22), (40, 22)) == pytest.approx(36.0)
    assert length(apart, (10, 22), (40, 22)) == pytest.approx(42.0)


@pytest.mark.rule("CORE.MOVE.8")
def test_from_a_low_top_to_a_higher_beside_it_only_the_difference_is_climbed() -> None:
    steps = closed((box(20, 0, 24, 44), 3.0), (box(24, 0, 28, 44), 5.0))
    assert length(steps, (22, 22, 3.0), (26, 22, 5.0)) == pytest.approx(6.0)
    assert length(steps, (10, 22), (40, 22)) == pytest.approx(40.0)


@pytest.mark.rule("CORE.TER.4")
def test_a_top_must_carry_the_whole_base() -> None:
    ground, base = closed((CONTAINER, 3.0)), Stance(R32)
    assert may_rest(ground, (28, 22, 3.0), base)
    assert may_rest(ground, (26 + R32, 22, 3.0), base)
    assert not may_rest(ground, (26 + R32 - 0.001, 22, 3.0), base)
    assert faults_of_resting(ground, (28, 22), base) == ("in a wall",)
    assert isinstance(path(R32, (22, 22), (26.3, 22, 3.0), 99, ground), Blocked)


@pytest.mark.rule("CORE.MOVE.8")
def test_s_m13_nobody_ends_half_way_up() -> None:
    """S.M13: a model may not end half-way up."""
    ground = closed((CONTAINER, 3.0))
    assert isinstance(path(R32, (22, 22), (28, 22, 1.5), 99, ground), Blocked)
    half = Path.from_legs((22, 22), [(26 - R32, 22), (26 - R32, 22, 2.5)])
    assert "not carried at that height" in check_path(half, R32, (22, 22), 99, ground)


@pytest.mark.rule("CORE.TER.2")
def test_s_m13_a_barricade_is_crossed_and_not_ended_on() -> None:
    barricade = box(26, 10, 27, 34)
    ground = Ground(SIZE, no_stand=(barricade,), rises=(Rise(barricade, 1.0),))
    assert length(ground, (22, 22), (30, 22)) == pytest.approx(8.0)
    assert not may_rest(ground, (26.5, 22), Stance(R32))
    assert not may_rest(ground, (26.5, 22, 1.0), Stance(R32))


@pytest.mark.rule("CORE.TER.4")
def test_a_low_hill_is_rested_on_without_a_climb() -> None:
    hill = box(20, 10, 30, 34)
    ground = Ground(SIZE, no_stand=(hill,), rises=(Rise(hill, 1.5, (1.5,)),))
    assert length(ground, (10, 22), (25, 22, 1.5)) == pytest.approx(15.0)
    assert resting_height(ground, (25, 22), 0.0, Stance(R32)) == 1.5
    assert not may_rest(ground, (20, 22), Stance(R32))
    assert length(ground, (25, 22, 1.5), (10, 22)) == pytest.approx(15.0)


@pytest.mark.rule("CORE.TER.6")
@pytest.mark.parametrize(("floor", "far"), [(3.0, 11.0), (6.0, 14.0)])
def test_the_height_of_a_floor_counts(floor: float, far: float) -> None:
    assert length(ruin(3.0, 6.0), (22, 22), (30, 22, floor)) == pytest.approx(far)


@pytest.mark.rule("CORE.TER.6")
def test_from_floor_to_floor_only_the_difference_counts() -> None:
    ground = ruin(3.0, 6.0)
    assert length(ground, (30, 22, 6.0), (30, 22, 3.0)) == pytest.approx(3.0)
    assert length(ground, (28, 22, 3.0), (32, 25, 3.0)) == pytest.approx(5.0)
    assert length(ground, (30, 22, 6.0), (22, 22)) == pytest.approx(14.0)


@pytest.mark.rule("CORE.TER.6")
def test_a_floor_must_carry_the_whole_base() -> None:
    ground = ruin(3.0)
    assert may_rest(ground, (30, 22, 3.0), Stance(R32))
    assert not may_rest(ground, (26.3, 22, 3.0), Stance(R32))
    assert not may_rest(ground, (30, 22, 4.0), Stance(R32))
    assert may_rest(ground, (26.3, 22), Stance(R32))


@pytest.mark.rule("CORE.TER.6")
def test_who_cannot_pass_a_ruin_does_not_rest_on_its_floors() -> None:
    ground = Ground(SIZE, walls=(RUIN,), rises=(Rise(RUIN, 3.0),))
    assert not may_rest(ground, (30, 22, 3.0), Stance(1.0))
    assert length(ground, (20, 22), (40, 22), 1.0) == pytest.approx(26.0)


def enemy(at: tuple[float, float], z: float) -> Crowd:
    """Return an enemy 1.5 inches high at some height, with its engagement range."""
    xy = np.array([at])
    here, low, high = Outlines(xy, np.array([R32])), np.array([z]), np.array([z])
    return Crowd(Layer(here, low - 1.5, high + 1.5), Layer(here.grown(1.0), low - 5.0, high + 5.0))


def among(crowd: Crowd, ground: Ground) -> Ground:
    return replace(ground, crowd=crowd, solid=crowd.solid.between(0, 0), avoid=crowd.avoid.between(0, 0))


@pytest.mark.rule("CORE.ER.1")
def test_s_m07_an_enemy_six_inches_straight_below_is_not_in_the_way() -> None:
    """S.M07: 6 inches straight above is outside engagement range, 5 inches is within it."""
    ground = among(enemy((30, 22), 0.0), ruin(5.0, 6.0))
    assert may_rest(ground, (30, 22, 6.0), Stance(R32))
    assert not may_rest(ground, (30, 22, 5.0), Stance(R32))
    assert length(ground, (27, 22, 6.0), (33, 22, 6.0)) == pytest.approx(6.0)
    assert length(ground, (22, 22), (33, 22, 6.0)) == pytest.approx(17.0)
    assert length(ground, (22, 22), (38, 22)) > 16.5


@pytest.mark.rule("CORE.ER.1")
def test_s_m07_one_passes_under_an_enemy_on_a_floor_above_six_inches() -> None:
    """S.M07: from below, too."""
    ground = among(enemy((30, 22), 6.0), ruin(6.0))
    assert length(ground, (22, 22), (38, 22)) == pytest.approx(16.0)
    assert length(ground, (27, 22, 6.0), (33, 22, 6.0)) > 6.5
    assert not may_rest(ground, (30, 22, 6.0), Stance(R32))


@pytest.mark.rule("CORE.MOVE.9")
def test_a_flight_is_as_long_as_the_air_line() -> None:
    ground = Ground(SIZE, no_stand=(CONTAINER,), rises=(Rise(CONTAINER, 3.0, (3.0,)),), flies=True)
    assert length(ground, (22, 22), (34, 22)) == pytest.approx(12.0)
    assert length(ground, (22, 22), (28, 22, 3.0)) == pytest.approx(math.sqrt(45))
    assert length(ground, (28, 22, 3.0), (22, 22)) == pytest.approx(math.sqrt(45))
    assert isinstance(path(R32, (22, 22), (26, 22, 3.0), 99, ground), Blocked)
    assert isinstance(path(R32, (22, 22), (28, 22), 99, ground), Blocked)


WRONG = {
    "through the container": [(34.0, 22.0)],
    "without climbing down": [(26 - R32, 22), (26 - R32, 22, 3.0), (34.0, 22.0), (34.0, 22.0, 0.0)],
    "not high enough": [(26 - R32, 22), (26 - R32, 22, 2.5), (30 + R32, 22), (30 + R32, 22, 0.0), (34, 22)],
    "climbs too early": [(24, 22), (24, 22, 3.0), (30 + R32, 22), (30 + R32, 22, 0.0), (34, 22)],
    "through the air": [(28.0, 22.0, 3.0), (34.0, 22.0, 0.0)],
    "down inside": [(26 - R32, 22), (26 - R32, 22, 3.0), (28, 22), (28, 22, 0.0), (34, 22)],
    "higher than it is": [(26 - R32, 22), (26 - R32, 22, 4.0), (30 + R32, 22), (30 + R32, 22, 0.0), (34, 22)],
    "below the ground": [(26 - R32, 22), (26 - R32, 22, -3.0), (34, 22), (34.0, 22.0, 0.0)],
}


@pytest.mark.rule("CORE.MOVE.8")
@pytest.mark.parametrize("name", WRONG)
def test_the_checker_refuses(name: str) -> None:
    wrong = Path.from_legs((22, 22), WRONG[name])
    assert check_path(wrong, R32, (22, 22), 99.0, closed((CONTAINER, 3.0)))


def test_a_path_begins_as_high_as_its_model_stands() -> None:
    stays = Path.from_legs((22, 22), [(24, 22)])
    assert check_path(stays, R32, (22, 22, 3.0), 99.0, closed((CONTAINER, 3.0)))


def test_a_way_may_be_cut_in_the_middle_of_a_climb() -> None:
    found = path(R32, (22, 22), (34, 22), 99, closed((CONTAINER, 3.0)))
    assert isinstance(found, Path)
    cut = found.at(5.0)
    assert cut.length == pytest.approx(5.0)
    assert cut.end == pytest.approx((26 - R32, 22.0))
    assert cut.end_z == pytest.approx(5.0 - (4.0 - R32))


@st.composite
def boards(draw: st.DrawFn) -> Ground:
    """Return a few containers of heights that differ."""
    pieces = []
    for _ in range(draw(st.integers(1, 4))):
        x, y = draw(st.floats(6, 45)), draw(st.floats(2, 30))
        w, d = draw(st.floats(0.5, 8)), draw(st.floats(0.5, 12))
        pieces.append((box(x, y, x + w, y + d), draw(st.sampled_from([2.5, 3.0, 4.0, 6.0]))))
    return closed(*pieces)


@settings(max_examples=40, deadline=None)
@given(boards(), st.floats(2, 42), st.floats(2, 42))
def test_a_climb_never_lengthens_and_never_shortens_below_flight(
    ground: Ground, y0: float, y1: float
) -> None:
    start, goal = (2.0, y0), (58.0, y1)
    far = length(ground, start, goal)
    assert far <= length(replace(ground, rises=()), start, goal) + TOLERANCE
    assert far >= math.dist(start, goal) - TOLERANCE
    assert far == pytest.approx(length(ground, goal, start), abs=1e-6)


@settings(max_examples=25, deadline=None)
@given(boards(), st.floats(2, 42), st.floats(2, 42))
def test_a_higher_board_is_no_shorter(ground: Ground, y0: float, y1: float) -> None:
    higher = replace(
        ground, rises=tuple(Rise(r.polygon, r.height + 1, (r.height + 1,)) for r in ground.rises)
    )
    assert length(higher, (2, y0), (58, y1)) >= length(ground, (2, y0), (58, y1)) - TOLERANCE


@settings(max_examples=25, deadline=None)
@given(boards(), st.floats(2, 42), st.floats(2, 42))
def test_the_least_over_all_sets_of_pieces_is_found(ground: Ground, y0: float, y1: float) -> None:
    """With each piece either free to cross for twice its height or a wall, no choice is shorter."""
    start, goal = (2.0, y0), (58.0, y1)
    best = math.inf
    for number in range(2 ** len(ground.rises)):
        climbed = {rise.polygon for i, rise in enumerate(ground.rises) if number >> i & 1}
        walls = tuple(p for p in ground.walls if p not in climbed)
        found = path(R32, start, goal, math.inf, Ground(SIZE, walls=walls))
        if isinstance(found, Path):
            best = min(best, found.length + sum(2 * r.height for r in ground.rises if r.polygon in climbed))
    assert length(ground, start, goal) <= best + TOLERANCE


@pytest.mark.parametrize("shape", ["round", "hull"])
@pytest.mark.rule("CORE.MOVE.8")
def test_ways_that_climb_are_the_shortest_over_any_of_the_pieces(shape: str) -> None:
    """Each piece is climbed or gone round; of all choices the shortest is found.

    Ways bend round models, too. What a choice costs is its flat way, among what is gone round, and all its
    climbs.
    """
    stance = Stance(R32) if shape == "round" else stance_of(hull_base(3.0, 2.0), 0.0)
    pieces = (
        (box(18.0, 4.0, 21.0, 24.0), 3.0),
        (box(26.0, 14.0, 29.0, 40.0), 2.5),
        (box(36.0, 0.0, 39.0, 20.0), 4.0),
    )
    friends = Outlines(np.array([(15.0, 12.0), (24.0, 18.0), (33.0, 26.0), (33.0, 10.0)]), np.full(4, 1.5))
    where = replace(closed(*pieces), solid=friends)
    rings, climbed = Outlines(np.array([(50.0, 16.0)]), np.array([2.5])), 0
    for start in [(x, y) for x in (4.0, 9.0) for y in (6.0, 12.0, 19.0, 27.0, 34.0)]:
        lengths, level = [], math.inf
        for count in range(4):
            for some in combinations(pieces, count):
                walls = tuple(piece for piece, _ in pieces if piece not in [each for each, _ in some])
                flat = ShortestPaths(stance, replace(where, walls=walls, rises=())).nearest(start, rings)
                if isinstance(flat, Path):
                    lengths.append(flat.length + sum(2 * height for _, height in some))
                    level = lengths[-1] if not some else level
        ways = ShortestPaths(stance, where)
        found = ways.climbing_into(start, rings)
        assert isinstance(found, Path)
        assert found.length == pytest.approx(min(lengths), abs=1e-6)
        climbed += not found.is_level
        assert found.is_level == (level == min(lengths))
        assert isinstance(ways.climbing_into(start, rings, found.length - 0.01), Blocked)
    assert 2 <= climbed <= 8
