"""Where models can end a move, and where they may be set up, as areas of the board.

The ways are the engine's: the map of distances from a model over the ground of its unit in this kind of move.
Where a base may end is that ground's, too. Each model is asked about by itself, as it faces now and on the
ground: coherency, pivots and floors above the ground are left to the check of the move.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import msgspec
import numpy as np
import shapely

from engine.core.request import Place
from engine.core.state import Unit
from engine.w40k.ground.beside import areas_about
from engine.w40k.ground.tabletop import Tabletop
from engine.w40k.legality.free_place import ground_of, hulls_of
from geometry.core.distance_map import DistanceMap
from geometry.core.targets import Targets
from geometry.group.kind_ground import graph_on
from geometry.path.end_ground import shadows
from geometry.path.ground import Ground
from geometry.path.path import Path
from geometry.path.planner import ShortestPaths
from geometry.shape.base import Floats
from geometry.shape.convex_shape import Outlines, Stance
from geometry.shape.shape_table import shapes_of
from geometry.tolerance import TOLERANCE
from viewer.input.region import (
    COARSEST,
    NOTHING,
    Box,
    Distances,
    eroded,
    joined,
    polygons_of,
    swept,
    within_limit,
)

Rows = tuple[int, ...]
STAYING = ("normal", "advance")
"""The kinds of move in which a model may stay where it stands."""


class Reach(msgspec.Struct, frozen=True):
    """Where models of a unit can end: their middles by rows, and all that their bases can cover.

    Rows stand together whose bases are alike and have the same limit: one of these models can end there.
    """

    middles: dict[Rows, shapely.Geometry]
    covered: shapely.Geometry


def reach_of(
    field: Tabletop,
    unit: Unit,
    kind: str,
    limits: Mapping[int, float],
    cell: float,
    targets: tuple[str, ...] = (),
) -> Reach:
    """Return where models of a unit can end a move of a kind, each within its limit in inches.

    A border along which only the way is too long is off by less than 1.5 times `cell` inches, all others by
    less than a hundredth of an inch.
    """
    ground = field.ground(unit, kind, targets)
    middles, covered = {}, []
    for (stance, limit), rows in alike(field, unit, limits).items():
        middles[rows] = ends_of(field, rows, kind, ground, limit, cell)
        covered.append(swept(middles[rows], stance))
    return Reach(middles, joined(covered))


def alike(field: Tabletop, unit: Unit, limits: Mapping[int, float]) -> dict[tuple[Stance, float], Rows]:
    """Return the models of a unit that may move, by how their bases stand and how far they go."""
    found: dict[tuple[Stance, float], Rows] = {}
    for row in unit.rows:
        if row in limits:
            key = field.position.table.stance(row), limits[row]
            found[key] = (*found.get(key, ()), row)
    return found


def ends_of(
    field: Tabletop, rows: Rows, kind: str, ground: Ground, limit: float, cell: float
) -> shapely.Geometry:
    """Return where the middle of a base can be after a move of one of some models.

    The models' bases are alike. One that stays where it stands ends there, even where no other may.
    """
    middles = middles_of(field, rows, ground, limit, cell)
    if kind not in STAYING:
        return middles
    return shapely.union(middles, shapely.MultiPoint(field.position.table.xy[list(rows)]))


def middles_of(field: Tabletop, rows: Rows, ground: Ground, limit: float, cell: float) -> shapely.Geometry:
    """Return where the middle of a base can be after a way of one of some models.

    The models' bases are alike.
    """
    table = field.position.table
    stance, starts = table.stance(rows[0]), table.xy[list(rows)]
    (left, low), (right, high) = (starts.min(axis=0) - limit).tolist(), (starts.max(axis=0) + limit).tolist()
    box = (left, low, right, high)
    seen = shapely.intersection(_board(ground, stance), shapely.box(*box))
    if seen.is_empty:
        return NOTHING
    around = shapely.box(*seen.bounds).buffer(2 * COARSEST, join_style="mitre")
    outside = shapely.difference(around, seen)
    rims, closed = (
        shapely.union(shapely.intersection(shape, seen), outside)
        for shape in (in_the_way(ground, stance), closed_to(ground, stance))
    )
    starts_at = [(*table.xy[row].tolist(), float(table.z[row])) for row in rows]
    far = _nearest(starts_at, ground, stance, limit, box)
    return within_limit(far, limit + TOLERANCE, seen.bounds, cell, rims, closed)


def _nearest(
    starts: Sequence[tuple[float, float, float]], ground: Ground, stance: Stance, limit: float, box: Box
) -> Distances:
    """Return how far places are from the nearest of some starts, infinitely beyond a limit."""
    each = [_distance(ground, stance, start, limit, box) for start in starts]
    at = np.array(starts)[:, :2]

    def distances(spots: Floats) -> list[float]:
        straight = np.hypot(*(spots[:, None] - at).transpose(2, 0, 1))
        order = straight.argsort(axis=1)
        found = []
        for (x, y), nearest, far in zip(spots.tolist(), order.tolist(), straight.tolist(), strict=True):
            best = math.inf
            for start in nearest:
                # No way is shorter than the straight one.
                if far[start] >= best or far[start] > limit + 1.0:
                    break
                best = min(best, each[start](x, y))
            found.append(best)
        return found

    return distances


def _distance(
    ground: Ground, stance: Stance, start: tuple[float, float, float], limit: float, box: Box
) -> Callable[[float, float], float]:
    """Return how far it is from a start to any place on the ground, infinitely beyond a limit."""
    x, y, z = start
    most = limit + 1.0
    if z <= ground.free and ground.crowd is None and not ground.flies:
        graph = graph_on(ground, stance).freed(x, y)
        spot = Outlines(np.array([[x, y]]), np.zeros(1))
        known = DistanceMap(graph, Targets(graph, shapes_of(spot)), box)
        return lambda px, py: known.left(px, py, most)
    if ground.flies:
        rise = abs(z) if z > ground.free else 0.0
        return lambda px, py: math.hypot(px - x, py - y, rise)
    ways = ShortestPaths(stance, ground)

    def climbed(px: float, py: float) -> float:
        found = ways.climbing(start, (px, py), most)
        return found.length if isinstance(found, Path) else math.inf

    return climbed


def in_the_way(ground: Ground, stance: Stance) -> shapely.Geometry:
    """Return where the middle of a base may not be on its way; nothing is in that of a flight."""
    if ground.flies:
        return NOTHING
    models = ground.solid.joined(ground.avoid).against(stance)
    walls = polygons_of(shadows(ground.walls, stance)) if ground.walls else []
    return joined([*polygons_of(models), *walls])


def closed_to(ground: Ground, stance: Stance) -> shapely.Geometry:
    """Return where the middle of a base may not be at the end of a move, for what stands there."""
    soft = ground.solid.joined(ground.no_end).against(stance)
    hard = ground.avoid.joined(ground.end_avoid).grown(TOLERANCE).against(stance)
    closed = ground.walls + ground.no_stand + ground.shun
    shapes = [*polygons_of(soft), *polygons_of(hard)]
    if closed:
        shapes += polygons_of(shadows(closed, stance))
    return joined(shapes)


def _board(ground: Ground, stance: Stance) -> shapely.Geometry:
    """Return where the middle of a base may be for it to lie on the board."""
    near, far = stance.core.extent
    left, low = (stance.radius - near).tolist()
    right, high = (np.array(ground.size) - stance.radius - far).tolist()
    return shapely.box(left, low, right, high) if left < right and low < high else NOTHING


# set-up


def places_of(field: Tabletop, request: Place) -> Reach:
    """Return where models may be set up by themselves, each as it faces now.

    Models whose bases are alike share one area.
    """
    if request.kind == "marker":
        return _marker_places(field, request)
    areas = (*request.areas, *request.overflow)
    if request.beside:
        areas = areas_about(hulls_of(field, request), request.within)
    ground = ground_of(field, request, areas)
    kinds: dict[Stance, Rows] = {}
    for row in request.rows:
        stance = field.position.table.stance(row)
        kinds[stance] = (*kinds.get(stance, ()), row)
    middles = {rows: _places(ground, stance) for stance, rows in kinds.items()}
    return Reach(middles, joined(swept(middles[rows], stance) for stance, rows in kinds.items()))


def _marker_places(field: Tabletop, request: Place) -> Reach:
    """Return where a marker may be put."""
    clear = field.kept_clear(request.clear, request.clear_of_all, request.avoid)
    ground = Ground(size=field.position.board.size, area=request.areas, end_avoid=clear)
    stance = Stance(field.parameters.marker_radius)
    middles = _places(ground, stance)
    return Reach({(-1,): middles}, swept(middles, stance))


def _places(ground: Ground, stance: Stance) -> shapely.Geometry:
    """Return where the middle of a base may be for it to stand on a ground, in its areas."""
    found = _board(ground, stance)
    if ground.area:
        found = shapely.intersection(found, eroded(joined(shapely.Polygon(a) for a in ground.area), stance))
    return shapely.difference(found, closed_to(ground, stance))
