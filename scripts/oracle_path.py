"""Holds shortest ways against an independent reference, over random grounds.

    python scripts/oracle_path.py --cases 500 --shapes round --out out/oracle_path.jsonl

Each case is a ground and three places. The reference runs over polygons. Where they lie within what the base
must stay clear of, its way is no longer than the shortest: a proven lower bound. Where they lie round it, its
way is no shorter. Ways must lie between the two, obey the triangle inequality, be as long backwards, and pass
`check_path` and shapely. Run again, it goes on where it ended; exit 1 on a wrong answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import networkx
import numpy as np
import shapely
import typer
from oracle_case import Pose, footprint, outlines_of, run, some_pose, stretched

from geometry.path.ground import Ground
from geometry.path.obstacles import leg_length, part
from geometry.path.planner import Blocked, check_path, path
from geometry.path.planner import Path as Way
from geometry.shape.base import Floats, Polygon
from geometry.shape.convex_shape import Stance, stance_of

SIZE = (30.0, 22.0)
FINE = 64
"""Circles are polygons with this many sides: the bounds are less than 0.1% apart."""
HAIR = 1e-7
OVAL_LEAST = 2e-3
LEAST, MOST = 1e-5, 1e-4
"""How much shorter than the lower bound, or longer than the upper, rounding may make a way."""
LONG = 1000.0
CHORD = 0.04
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Case:
    """A base, and what it must stay clear of: walls by their parts, bases, bases with a margin."""

    base: Pose
    walls: list[tuple[Polygon, list[Floats]]]
    solid: list[Pose]
    avoid: list[Pose]

    def ground(self) -> Ground:
        """Return the ground as the program has it."""
        return Ground(
            SIZE,
            tuple(polygon for polygon, _ in self.walls),
            solid=outlines_of(self.solid),
            avoid=outlines_of(self.avoid).grown(1.0),
        )

    def closed(self, outer: bool) -> Any:
        """Return what the middle of the base may not be in: a little more, or a little less."""
        own = _mirrored(self.base, outer)
        found = [stretched(part, own) for _, parts in self.walls for part in parts]
        found += [stretched(_ring(pose, outer), own) for pose in self.solid]
        for pose in self.avoid:
            grown = _polygon(pose, outer).buffer(1.0, quad_segs=FINE // 4)
            if outer:
                grown = _polygon(pose, outer).buffer(1.0 / math.cos(math.pi / FINE), quad_segs=FINE // 4)
            found.append(stretched(np.array(grown.exterior.coords[:-1]), own))
        reach = np.abs(own).max(axis=0)
        inside = shapely.box(*reach, SIZE[0] - reach[0], SIZE[1] - reach[1])
        return shapely.union_all([*found, shapely.box(-9, -9, SIZE[0] + 9, SIZE[1] + 9).difference(inside)])


def _polygon(pose: Pose, outer: bool) -> Any:
    return pose.outer(FINE) if outer else pose.inner(FINE)


def _ring(pose: Pose, outer: bool) -> Floats:
    return np.array(_polygon(pose, outer).exterior.coords[:-1])


def _mirrored(pose: Pose, outer: bool) -> Floats:
    """Return the base about its middle: all of them are their own mirror images in it."""
    return _ring(Pose(pose.base, (0.0, 0.0), pose.facing), outer)


class Reference:
    """The shortest ways of a point round polygons.

    They lead along free lines between the corners of the polygons.
    """

    def __init__(self, closed: Any, outer: bool, places: Sequence[Point]) -> None:
        """Join every two corners and places between which nothing lies."""
        # Outer ways keep clear of what is closed; inner ones may cut 1e-7 inches into it.
        wide = closed.buffer(HAIR, join_style="mitre") if outer else closed
        narrow = closed if outer else closed.buffer(-HAIR, join_style="mitre")
        shapely.prepare(narrow)
        corner = np.unique(np.concatenate([_turning(ring) for ring in _rings(wide)]), axis=0)
        corner = corner[~shapely.intersects_xy(narrow, corner[:, 0], corner[:, 1])]
        point = np.concatenate([np.array(places), corner])
        i, j = np.triu_indices(len(point), 1)
        lines = shapely.linestrings(np.stack([point[i], point[j]], axis=1))
        free = ~shapely.intersects(narrow, lines)
        self.graph: Any = networkx.Graph()
        self.graph.add_nodes_from(range(len(places)))
        far = np.hypot(*(point[i] - point[j]).T)
        self.graph.add_weighted_edges_from(
            zip(i[free].tolist(), j[free].tolist(), far[free].tolist(), strict=True)
        )

    def lengths(self, place: int) -> dict[int, float]:
        """Return how far everything that can be reached from a place is."""
        found: dict[int, float] = networkx.single_source_dijkstra_path_length(self.graph, place)
        return found


def _rings(area: Any) -> list[Floats]:
    """Return the rings of an area, each with the area on its left."""
    polygons = [shapely.orient_polygons(p) for p in shapely.get_parts(area) if p.area > 0]
    return [np.array(r.coords[:-1]) for p in polygons for r in (p.exterior, *p.interiors)]


def _turning(ring: Floats) -> Floats:
    """Return the corners of a ring that point away from its area: a way may turn round these."""
    before, after = ring - np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0) - ring
    return np.asarray(ring[before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0] > 0])


def judge(seed: int, shapes: tuple[str, ...]) -> dict[str, Any]:
    """Return what one case shows."""
    chance = np.random.default_rng(seed)
    made = _case(chance, shapes)
    closed = {outer: made.closed(outer) for outer in (False, True)}
    places = _places(chance, closed[True])
    if len(places) < 3:
        return {"no room": 1, "wrong": []}
    bounds = {outer: Reference(closed[outer], outer, places) for outer in (False, True)}
    ground, wrong = made.ground(), []
    # The program's ovals differ a little from ellipses at every turn.
    ovals = any(pose.base.shape == "oval" for pose in (made.base, *made.solid, *made.avoid))
    slack = OVAL_LEAST if ovals else 0.0
    lengths: dict[tuple[int, int], float] = {}
    row = {"ways": 0, "bent": 0, "closed": 0, "reference unsure": 0}
    for i in range(3):
        low, high = bounds[False].lengths(i), bounds[True].lengths(i)
        for j in (j for j in range(3) if j != i):
            found = asked(made, places[i], places[j], ground)
            name = f"{places[i]} to {places[j]} of {made.base.base} facing {made.base.facing}"
            row["ways"] += 1
            lengths[i, j] = math.inf if isinstance(found, Blocked) else found.length
            row["closed"] += int(isinstance(found, Blocked))
            row["reference unsure"] += int((j in low) != (j in high))
            least, most = low.get(j, math.inf), high.get(j, math.inf)
            if not least - slack - LEAST <= lengths[i, j] <= most + slack + MOST:
                wrong.append(f"{lengths[i, j]:.6f} long, not {least:.6f} to {most:.6f}: {name}")
            if isinstance(found, Way):
                row["bent"] += int(len(found.legs) > 1)
                wrong += [f"{fault}: {name}" for fault in _faults(found, made, places[i], ground, closed)]
    wrong += _faults_of_lengths(lengths, places)
    return {**row, "wrong": wrong}


def asked(made: Case, start: Point, goal: Point, ground: Ground) -> Way | Blocked:
    """Return what the program answers."""
    return path(_stance(made), start, goal, LONG, ground)


def _stance(made: Case) -> Stance:
    """Return how the base stands."""
    return stance_of(made.base.base, made.base.facing)


def _trail(found: Way) -> Iterator[Point]:
    """Return points along a way, the ends of its legs among them."""
    for here, leg in zip(found.points, found.legs, strict=False):
        pieces = 1 + int(leg_length(here, leg) / CHORD) if len(leg) == 5 else 1
        for k in range(1, pieces + 1):
            x, y = part(here, leg, k / pieces)[:2]
            yield x, y


def _faults(found: Way, made: Case, start: Point, ground: Ground, closed: dict[bool, Any]) -> list[str]:
    """Return what the checker, and shapely, find wrong with a way."""
    faults = list(check_path(found, _stance(made), start, found.length, ground))
    trail = shapely.LineString([found.start, *_trail(found)])
    # Between two points of the trail an arc bulges by less than this.
    inner = closed[False].buffer(-2e-3, join_style="mitre")
    return [*faults, *(["the way runs into something"] if trail.intersects(inner) else [])]


def _faults_of_lengths(lengths: dict[tuple[int, int], float], places: Sequence[Point]) -> list[str]:
    found = []
    for (i, j), length in lengths.items():
        if i < j and not (length == lengths[j, i] or abs(length - lengths[j, i]) <= 1e-6):
            found.append(f"{length} there, {lengths[j, i]} back: {places[i]} and {places[j]}")
        by = ({0, 1, 2} - {i, j}).pop()
        if length > lengths[i, by] + lengths[by, j] + 1e-6:
            found.append(f"shorter by {places[by]}: {places[i]} to {places[j]}")
    return found


def _case(chance: np.random.Generator, shapes: tuple[str, ...]) -> Case:
    base = some_pose(chance, shapes, (0, 0), (1, 1))
    margin = 2.0
    low, high = (margin, margin), (SIZE[0] - margin, SIZE[1] - margin)
    crowded = chance.random() < 0.25
    count, size = (
        (int(chance.integers(6, 10)), (3.0, 9.0)) if crowded else (int(chance.integers(0, 6)), (1.0, 6.0))
    )
    walls = [footprint(chance, low, high, size) for _ in range(count)]
    counts = int(chance.integers(0, 7)), int(chance.integers(0, 4))
    solid, avoid = ([some_pose(chance, shapes, low, high) for _ in range(count)] for count in counts)
    return Case(base, walls, solid, avoid)


def _places(chance: np.random.Generator, closed: Any) -> list[Point]:
    """Return three places that are free by a little."""
    shapely.prepare(closed)
    xy = np.round(chance.uniform((0, 0), SIZE, (400, 2)), 4)
    free = xy[shapely.distance(closed, shapely.points(xy)) > 1e-3]
    return [(x, y) for x, y in free[:3].tolist()]


def main(
    cases: Annotated[int, typer.Option(min=1, help="How many cases, of six ways each.")] = 60,
    seed: Annotated[int, typer.Option(help="The first case.")] = 1,
    shapes: Annotated[str, typer.Option(help="Which shapes: round,oval,hull.")] = "round",
    workers: Annotated[int, typer.Option(min=1, help="How many processes.")] = 1,
    out: Annotated[Path | None, typer.Option(help="Where the rows go.")] = None,
) -> None:
    """Judge ways."""
    run(judge, cases, seed, shapes, workers, out)


if __name__ == "__main__":
    typer.run(main)
