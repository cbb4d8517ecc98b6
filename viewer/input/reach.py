"""Where models can end a move, and where they may be set up, as areas of the board.

The ways are the engine's: the map of distances from a model over the ground of its unit in this kind of move.
Where a base may end is that ground's, too. Each model is asked about by itself, as it faces now and on the
ground: coherency, pivots and floors above the ground are left to the check of the move.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

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
from geometry.shape.convex_shape import Outlines, Stance
from geometry.shape.shape_table import shapes_of as table_of
from geometry.tolerance import TOLERANCE
from viewer.input.region import (
    NOTHING,
    Box,
    Distance,
    eroded,
    joined,
    shapes_of,
    swept,
    within_limit,
)


class Reach(msgspec.Struct, frozen=True):
    """Where the models of a unit can end: their middles by row, and all that their bases can cover."""

    middles: dict[int, shapely.Geometry]
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

    A border along which only the way is too long is off by less than `cell` inches, all others by less than a
    hundredth of an inch.
    """
    ground = field.ground(unit, kind, targets)
    middles, covered = {}, []
    for row, limit in limits.items():
        if row in unit.rows:
            stance = field.position.table.stance(row)
            middles[row] = middles_of(field, row, ground, limit, cell)
            covered.append(swept(middles[row], stance))
    return Reach(middles, joined(covered) if covered else NOTHING)


def middles_of(field: Tabletop, row: int, ground: Ground, limit: float, cell: float) -> shapely.Geometry:
    """Return where the middle of a model's base can be after a way over a ground within a limit."""
    table = field.position.table
    (x, y), z, stance = table.xy[row].tolist(), float(table.z[row]), table.stance(row)
    closed = closed_to(ground, stance)
    box = (x - limit, y - limit, x + limit, y + limit)
    seen = _board(ground, stance).intersection(shapely.box(*box))
    if seen.is_empty:
        return NOTHING
    far = _distances(ground, stance, (x, y, z), limit, box)
    found = within_limit(far, limit + TOLERANCE, seen.bounds, cell, shapely.intersection(closed, seen))
    return shapely.difference(shapely.intersection(found, seen), closed)


def _distances(
    ground: Ground, stance: Stance, start: tuple[float, float, float], limit: float, box: Box
) -> Distance:
    """Return how far it is from a start to any place on the ground, infinitely beyond a limit."""
    x, y, z = start
    most = limit + 1.0
    if z <= ground.free and ground.crowd is None and not ground.flies:
        graph = graph_on(ground, stance).freed(x, y)
        spot = Outlines(np.array([[x, y]]), np.zeros(1))
        known = DistanceMap(graph, Targets(graph, table_of(spot)), box)
        return lambda px, py: float(known.left(px, py, most))
    if ground.flies:
        rise = abs(z) if z > ground.free else 0.0
        return lambda px, py: math.hypot(px - x, py - y, rise)
    ways = ShortestPaths(stance, ground)

    def climbed(px: float, py: float) -> float:
        found = ways.climbing(start, (px, py), most)
        return found.length if isinstance(found, Path) else math.inf

    return climbed


def closed_to(ground: Ground, stance: Stance) -> shapely.Geometry:
    """Return where the middle of a base may not be at the end of a move, for what stands there."""
    soft = ground.solid.joined(ground.no_end).against(stance)
    hard = ground.avoid.joined(ground.end_avoid).grown(TOLERANCE).against(stance)
    closed = ground.walls + ground.no_stand + ground.shun
    shapes = [*shapes_of(soft), *shapes_of(hard)]
    if closed:
        shapes += shapes_of(shadows(closed, stance))
    return joined(shapes) if shapes else NOTHING


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
    middles: dict[int, shapely.Geometry] = {}
    known: dict[Stance, shapely.Geometry] = {}
    for row in request.rows:
        stance = field.position.table.stance(row)
        if stance not in known:
            known[stance] = _places(ground, stance)
        middles[row] = known[stance]
    covered = [swept(shape, stance) for stance, shape in known.items()]
    return Reach(middles, joined(covered) if covered else NOTHING)


def _marker_places(field: Tabletop, request: Place) -> Reach:
    """Return where a marker may be put."""
    clear = field.kept_clear(request.clear, request.clear_of_all, request.avoid)
    ground = Ground(size=field.position.board.size, area=request.areas, end_avoid=clear)
    stance = Stance(field.parameters.marker_radius)
    middles = _places(ground, stance)
    return Reach({-1: middles}, swept(middles, stance))


def _places(ground: Ground, stance: Stance) -> shapely.Geometry:
    """Return where the middle of a base may be for it to stand on a ground, in its areas."""
    found = _board(ground, stance)
    if ground.area:
        found = shapely.intersection(found, eroded(joined(shapely.Polygon(a) for a in ground.area), stance))
    return shapely.difference(found, closed_to(ground, stance))
