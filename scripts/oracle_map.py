"""Holds maps of distances against searches from single places, over random crowded boards.

    python scripts/oracle_map.py --cases 400 --out out/oracle_map.jsonl

Each case is a board with walls, which in half of all cases may be climbed, and bases of one or more shapes, a
mover, and a goal: a point, rings about bases or a straight line, some of them covered or closed off. From
many places the map must tell the length that a search from there finds, or that there is none; and from a
place that lies 3 inches ahead on the way, where nothing is climbed, as much less must be left. Run again, it
goes on where it ended; exit 1 on a wrong answer.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from oracle_case import BASES, run

from geometry.core.distance_map import DistanceMap
from geometry.core.search import Search
from geometry.core.shapes import Shapes
from geometry.core.tangents import VisibilityGraph
from geometry.core.targets import Targets
from geometry.path.core_obstacles import graph_of, spot_of
from geometry.path.ground import Ground
from geometry.path.obstacles import Obstacles
from geometry.path.path import Path as Way
from geometry.shape.convex_shape import NOTHING, Outlines, Stance, polygon_core, stance_of
from geometry.shape.shape_table import shapes_of

SIZE = (30.0, 22.0)
PLACES = 30
EQUAL = 1e-6
ROUNDED = 1e-7
"""Places that are rounded may lie this deep in an obstacle, in inches."""
BESIDE = 1e-4
"""A place nearer to a rim may touch that, in inches."""
MIDDLE = (15.0, 11.0)
STEP = 3.0
"""How far ahead on a way the map is asked for a place, in inches."""


def judge(seed: int, shapes: tuple[str, ...]) -> dict[str, Any]:
    """Return how many places of a random board were asked about, and what was wrong."""
    rng = np.random.default_rng(seed)
    stance = _some_stance(rng, shapes)
    ground = _some_ground(rng, shapes)
    graph = graph_of(Obstacles.of(stance, ground), _some_heights(rng, ground))
    targets = _some_targets(rng, stance, shapes)
    table = shapes_of(targets)
    if not targets.core:
        # What holds a point that is to be reached is left out.
        graph = graph.freed(*targets.xy[0].tolist())
    low, high = sorted(rng.uniform(0, SIZE[0], 2)), sorted(rng.uniform(0, SIZE[1], 2))
    distances = DistanceMap(graph, Targets(graph, table), (low[0], high[0], low[1], high[1]))
    wrong, asked, closed = [], 0, 0
    for x, y in [*rng.uniform((0, 0), SIZE, (PLACES, 2)).tolist(), *_on_rims(rng, graph)]:
        if not graph.shapes.is_open(x, y, ROUNDED, -1):
            continue
        # A search takes what holds its start for the ground, and so does no map.
        if graph.shapes.climbable and graph.shapes.least_gap(x, y) < -ROUNDED:
            continue
        found, true = distances.left(x, y, math.inf), _searched(graph, table, x, y)
        asked, closed = asked + 1, closed + (true == math.inf)
        if found != true and not abs(found - true) <= EQUAL:
            wrong.append(f"from ({x}, {y}) the map says {found}, a search {true}")
            continue
        # Where a length ends on what is climbed, the map tells the place before.
        if found < math.inf and not graph.shapes.climbable:
            ahead = distances.ahead(x, y, STEP)
            left = _searched(graph, table, *ahead)
            if abs(left - max(found - STEP, 0.0)) > EQUAL:
                wrong.append(f"{STEP} inches ahead of ({x}, {y}), at {ahead}, {left} is left of {found}")
    return {"wrong": wrong, "places": asked, "closed": closed}


def _on_rims(rng: np.random.Generator, graph: VisibilityGraph) -> list[tuple[float, float]]:
    """Return places on the rim of one obstacle, rounded as positions are.

    Whether a place between two that touch is open hangs on rounding alone.
    """
    found = []
    for x, y in rng.uniform((0, 0), SIZE, (PLACES, 2)).tolist():
        way = Search(graph, Targets(graph, spot_of((x, y))), *MIDDLE).shortest(math.inf)
        found += [(round(leg[0], 7), round(leg[1], 7)) for leg in (way or ())[:-1]]
    rows = range(graph.shapes.count)
    return [at for at in found if sum(abs(graph.shapes.gap(row, *at)) < BESIDE for row in rows) == 1][:PLACES]


def _searched(graph: VisibilityGraph, table: Shapes, x: float, y: float) -> float:
    """Return the length of the shortest way from a place, infinite where there is none."""
    if table.least_gap(x, y) <= 0.0:
        return 0.0
    free = graph.freed(x, y)
    search = Search(free, Targets(free, table), x, y)
    legs = search.shortest(math.inf)
    assert legs is None or search.length >= Way((x, y), legs).length - EQUAL
    return search.length


def _some_stance(rng: np.random.Generator, shapes: tuple[str, ...]) -> Stance:
    kinds = BASES[shapes[rng.integers(len(shapes))]]
    return stance_of(kinds[rng.integers(3)], float(rng.uniform(0, 360)))


def _some_ground(rng: np.random.Generator, shapes: tuple[str, ...]) -> Ground:
    walls = tuple(
        ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
        for x, y, w, h in rng.uniform((2, 2, 0.2, 0.2), (26, 18, 7, 7), (int(rng.integers(0, 6)), 4))
    )
    solid = NOTHING
    for _ in range(int(rng.integers(0, 14))):
        one = _some_stance(rng, shapes)
        at = rng.uniform((2, 2), (28, 20), (1, 2))
        solid = solid.joined(Outlines(at, np.array([one.radius]), (one.core,)))
    avoid = Outlines(solid.xy[::3], solid.radius[::3] + 1.0, solid.core[::3])
    return Ground(SIZE, walls, solid=solid, avoid=avoid)


def _some_heights(rng: np.random.Generator, ground: Ground) -> tuple[float, ...]:
    """Return the heights of walls, of which some may be climbed; none in every other case."""
    heights = rng.choice([1.5, 2.5, 5.0, math.inf], len(ground.walls)).tolist()
    return tuple(heights) if rng.integers(2) else ()


def _some_targets(rng: np.random.Generator, stance: Stance, shapes: tuple[str, ...]) -> Outlines:
    """Return a point, rings about bases, or a stretch of a straight line."""
    kind = rng.integers(3)
    at = rng.uniform((1, 1), (29, 21), (int(rng.integers(1, 4)), 2))
    if kind == 0:
        return Outlines(at[:1], np.zeros(1))
    if kind == 1:
        around = [_some_stance(rng, shapes) for _ in at]
        bases = Outlines(at, np.array([each.radius for each in around]), tuple(each.core for each in around))
        return bases.against(stance).grown(float(rng.choice([0.05, 1.0, 3.0])))
    half = rng.uniform(-6, 6, 2)
    core = polygon_core([(-half[0], -half[1]), (half[0], half[1])])
    return Outlines(at[:1], np.zeros(1), (core,))


def main(
    cases: Annotated[int, typer.Option(min=1, help="How many cases.")] = 60,
    seed: Annotated[int, typer.Option(help="The first case.")] = 1,
    shapes: Annotated[str, typer.Option(help="Shapes of all bases: round,oval,hull.")] = "round,oval,hull",
    workers: Annotated[int, typer.Option(min=1, help="How many processes.")] = 1,
    out: Annotated[Path | None, typer.Option(help="Where the rows go.")] = None,
) -> None:
    """Judge maps of distances on random boards."""
    run(judge, cases, seed, shapes, workers, out, ("closed", "places", 1.0))


if __name__ == "__main__":
    typer.run(main)
