"""How fast shortest paths are found, against two libraries and a grid, at equal lengths.

Owns their figures. The libraries know no base and no arc: they are asked about a point among the bare
pieces, and so are we, but for a thousandth of an inch.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np
import shapely

from benchmarks.board import RADIUS, SIZE, Board, board
from benchmarks.rival import Grid, Point, libraries
from benchmarks.timing import Figure, seconds
from geometry.path.ground import Ground, may_stand
from geometry.path.planner import Path, ShortestPaths, path
from geometry.shape.convex_shape import NOTHING, Outlines

POINT = 1e-5
"""The radius of a base that is all but a point."""
QUERIES = 24
GRID_QUERIES = 4
FAR = 12.0


def paths(boards: int) -> list[Figure]:
    """Return the figures of paths over this many boards."""
    ours: list[float] = []
    built: list[float] = []
    theirs: dict[str, list[float]] = {}
    worst = 0.0
    for seed in range(boards):
        made = board(seed)
        ground = Ground(SIZE, made.pieces)
        asked = libraries(made.pieces)
        queries = _queries(made, POINT, NOTHING, seed)
        ways = ShortestPaths(POINT, ground)
        built.append(seconds(partial(ways.shortest, *queries[0])))
        lengths = [_length(ways, *query) for query in queries]
        ours += [seconds(partial(ways.shortest, *query), 3) for query in queries]
        for name, ask in asked.items():
            for query, length in zip(queries, lengths, strict=True):
                theirs.setdefault(name, []).append(seconds(partial(ask, *query), 3))
                worst = max(worst, abs(ask(*query) - length))
    mean = float(np.mean(ours))
    best = min((float(np.mean(t)) for t in theirs.values()), default=None)
    return [
        Figure(
            "path_ratio",
            best / mean if best else None,
            "x",
            "a point among pieces: the faster of extremitypathfinder and pyvisgraph, over ours",
            least=30,
        ),
        Figure("path_us", 1e6 * mean, "us", "ours, the map's graph known"),
        Figure("path_first_us", 1e6 * float(np.mean(built)), "us", "ours, the first over a new map"),
        *(
            Figure(f"path_{name}_us", 1e6 * float(np.mean(t)), "us", f"{name}, the map's graph known")
            for name, t in sorted(theirs.items())
        ),
        Figure(
            "path_apart",
            worst if theirs else None,
            "in",
            "largest difference in length from either library",
            most=5e-4,
        ),
        *_among_enemies(boards),
    ]


def _queries(made: Board, radius: float, avoid: Outlines, seed: int) -> list[tuple[Point, Point]]:
    """Return pairs of places, far from one another, with something in the straight way."""
    chance = np.random.default_rng((seed, 7))
    # What lies within the edge of a rounded lane is a little in the way of everyone.
    ground = Ground(SIZE, made.pieces, avoid=avoid)
    walls = shapely.union_all([shapely.Polygon(p) for p in made.pieces])
    found: list[tuple[Point, Point]] = []
    while len(found) < QUERIES:
        ends = np.round(chance.uniform((1, 1), (SIZE[0] - 1, SIZE[1] - 1), (2, 2)), 3)
        if math.dist(*ends) < FAR or not may_stand(ground, ends, np.full(2, radius + 0.01)).all():
            continue
        if shapely.LineString(ends).crosses(walls):
            (a, b), (c, d) = ends.tolist()
            found.append(((a, b), (c, d)))
    return found


def _length(ways: ShortestPaths, start: Point, goal: Point) -> float:
    found = ways.shortest(start, goal)
    return found.length if isinstance(found, Path) else math.inf


def _among_enemies(boards: int) -> list[Figure]:
    """Return the figures of ways of a 32 mm base, without and with thirty engagement zones."""
    static: list[float] = []
    zoned: list[float] = []
    fresh: list[float] = []
    by_grid: list[float] = []
    longer: list[float] = []
    for seed in range(boards):
        made = board(seed)
        bare = Ground(SIZE, made.pieces)
        ground = Ground(SIZE, made.pieces, avoid=made.foes.grown(1.0))
        queries = _queries(made, RADIUS, made.foes.grown(1.0), seed)
        for held, times in ((bare, static), (ground, zoned)):
            ways = ShortestPaths(RADIUS, held)
            times += _warm(ways, queries)
        fresh += [seconds(partial(path, RADIUS, *query, 1000.0, ground)) for query in queries[:GRID_QUERIES]]
        zones = shapely.buffer(shapely.points(made.foes.xy), made.foes.radius + 1.0 + RADIUS)
        grid = Grid(made.pieces, RADIUS, list(zones))
        ways = ShortestPaths(RADIUS, ground)
        for query in queries[:GRID_QUERIES]:
            by_grid.append(seconds(partial(grid, *query)))
            length = _length(ways, *query)
            if math.isfinite(length):
                longer.append(grid(*query) / length - 1.0)
    mean = float(np.mean(zoned))
    return [
        Figure("path_base_us", 1e6 * float(np.mean(static)), "us", "a 32 mm base among the pieces"),
        Figure("path_zones_us", 1e6 * mean, "us", "the same with 30 engagement zones, known from before"),
        Figure("path_zones_first_us", 1e6 * float(np.mean(fresh)), "us", "with 30 zones never met before"),
        Figure(
            "path_grid_ratio",
            float(np.mean(by_grid)) / mean,
            "x",
            'a 32 mm base among pieces and 30 engagement zones: A* on a 0.25" grid, over ours',
        ),
        Figure("path_grid_longer", float(np.mean(longer)), "", "how much longer the grid's ways are (share)"),
    ]


def _warm(ways: ShortestPaths, queries: Sequence[tuple[Point, Point]]) -> list[float]:
    for query in queries:
        ways.shortest(*query)
    return [seconds(partial(ways.shortest, *query)) for query in queries]
