"""Ways and maps that climb, against all choices of pieces to climb or to go round.

On random tables each choice takes what it climbs out of the walls, goes the shortest flat way among the rest,
and pays for its climbs. The priced search must find the least of all choices, or less: it may stay up between
two pieces. The map must tell what the search finds.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from msgspec.structs import replace

from geometry.core.distance_map import DistanceMap
from geometry.core.targets import Targets
from geometry.path.climbing import Ends, When, raised
from geometry.path.core_obstacles import shapes_of
from geometry.path.elevation import Rise, is_over
from geometry.path.ground import Ground
from geometry.path.obstacles import Obstacles
from geometry.path.planner import Blocked, Path, ShortestPaths, check_path, path
from geometry.shape.base import Polygon, hull_base, oval_base, round_base
from geometry.shape.convex_shape import Outlines, Stance, stance_of

SIZE = (30.0, 22.0)
EQUAL = 1e-6
PLACES = 8
BASES = {"round": round_base(32), "oval": oval_base(75, 42), "hull": hull_base(3.0, 2.0)}


def box(x0: float, y0: float, x1: float, y1: float) -> Polygon:
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def some_piece(rng: np.random.Generator) -> tuple[Polygon, ...]:
    """Return a wall, a container, or an L of one piece or of two that touch."""
    x, y = rng.uniform((4, 3), (22, 15))
    kind = rng.integers(4)
    if kind == 0:
        wide = float(rng.uniform(4, 12))
        return (box(x, y, x + 0.2, y + wide) if rng.integers(2) else box(x, y, x + wide, y + 0.2),)
    w, h = rng.uniform(2, 6, 2)
    if kind == 1:
        return (box(x, y, x + w, y + h),)
    if kind == 2:
        return (((x, y), (x + w, y), (x + w, y + 0.5), (x + 0.5, y + 0.5), (x + 0.5, y + h), (x, y + h)),)
    return (box(x, y, x + w, y + 0.5), box(x, y + 0.5, x + 0.5, y + h))


def some_ground(rng: np.random.Generator, stance: Stance) -> Ground:
    """Return a table with pieces to climb, walls that nobody climbs, and friends."""
    rises: list[Rise] = []
    for _ in range(int(rng.integers(1, 4))):
        height = float(rng.choice([2.5, 3.0, 5.0]))
        rises += [Rise(polygon, height, (height,)) for polygon in some_piece(rng)]
    rises = rises[:4]
    hard = tuple(wall for _ in range(int(rng.integers(0, 2))) for wall in some_piece(rng))
    count = int(rng.integers(0, 5))
    friends = Outlines(rng.uniform((2, 2), (28, 20), (count, 2)), np.full(count, stance.radius or 0.7))
    return Ground(SIZE, (*(rise.polygon for rise in rises), *hard), solid=friends, rises=tuple(rises))


def least_of_choices(
    ground: Ground, stance: Stance, start: tuple[float, float], goal: tuple[float, float]
) -> float:
    """Return the length of the shortest way over any choice of pieces and round the others."""
    least, ends = math.inf, Ends.of(ground, stance, start, goal)
    for count in range(len(ground.rises) + 1):
        for some in combinations(ground.rises, count):
            climbed = {rise.polygon for rise in some}
            walls = tuple(wall for wall in ground.walls if wall not in climbed)
            flat = ShortestPaths(stance, replace(ground, walls=walls, rises=())).shortest(start, goal)
            if isinstance(flat, Path):
                legs = raised(flat.legs, ends, ground, stance, When())
                least = min(least, Path(start, legs).length)
    return least


def are_on_ground(ground: Ground, stance: Stance, at: np.ndarray) -> np.ndarray:
    held = np.zeros(len(at), dtype=bool)
    for wall in ground.walls:
        held |= is_over(wall, stance, at)
    return ~held & Obstacles.of(stance, ground).clear(at, at)


def judged(seed: int, shape: str) -> tuple[int, int]:
    """Return the number of ways asked about, and of those shorter than by any choice."""
    rng = np.random.default_rng(seed)
    stance = stance_of(BASES[shape], float(rng.uniform(0, 360)))
    ground = some_ground(rng, stance)
    spots = rng.uniform((1.5, 1.5), (28.5, 20.5), (4 * PLACES, 2))
    spots = spots[are_on_ground(ground, stance, spots)][:PLACES]
    if len(spots) < 2:
        return 0, 0
    goal, asked, shorter = tuple(spots[0].tolist()), 0, 0
    ways = ShortestPaths(stance, ground)
    graph = ways.climbed_graph()
    target = shapes_of(Outlines(spots[:1], np.zeros(1)))
    distances = DistanceMap(graph, Targets(graph, target), (0.0, 0.0, *SIZE))
    for start in map(tuple, spots[1:].tolist()):
        found, least = ways.climbing(start, goal), least_of_choices(ground, stance, start, goal)
        left = distances.left(*start, math.inf)
        if isinstance(found, Blocked):
            assert [least, left] == [math.inf, math.inf], (seed, start)
            continue
        legal = path(stance, start, goal, math.inf, ground)
        assert isinstance(legal, Path)
        assert stance.radius == 0.0 or not check_path(legal, stance, start, math.inf, ground), (seed, start)
        assert found.length <= least + EQUAL, (seed, start, goal, found.length, least)
        assert left == pytest.approx(found.length, abs=EQUAL), (seed, start, goal)
        asked, shorter = asked + 1, shorter + (found.length < least - EQUAL)
    return asked, shorter


@pytest.mark.rule("CORE.MOVE.8")
@pytest.mark.parametrize("shape", sorted(BASES))
def test_no_choice_of_pieces_gives_a_shorter_way_and_the_map_tells_the_same(shape: str) -> None:
    found = [judged(seed, shape) for seed in range(12)]
    assert sum(asked for asked, _ in found) > 40
