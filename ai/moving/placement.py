"""Finds a place where a whole unit, or a marker, may be set up.

Owns the way from a request's areas to geometry's ground. Where a unit is wanted is its caller's business.
"""

from __future__ import annotations

import math

import numpy as np
import shapely
from msgspec.structs import replace

from engine.core.event import Pose
from engine.core.facts import Point, Ring
from engine.core.request import CRAMPED, Place
from engine.core.state import Unit
from engine.table.battlefield import discs_of
from engine.w40k.room import fitting
from engine.w40k.view import View
from geometry.group.group_move import Front, Nearest, place_group
from geometry.path.ground import Ground, faults_of_standing
from geometry.path.planner import Blocked
from geometry.shape.convex_shape import NOTHING, Outlines

Poses = dict[int, Pose]


def near_front(view: View, request: Place) -> Poses | None:
    """Return places as near to the front as the models fit, overflowing beyond it; None where none does."""
    return _place(view, request, _ground(view, request), Front(request.front), overflow=True)


def near_unit(view: View, request: Place, prey: Unit) -> Poses | None:
    """Return places as close to a unit as may be, clear of enemies and of objective markers.

    Rule: SPAWN.7, R.A69, R.A70
    """
    ground = _ground(view, request)
    ground = replace(ground, end_avoid=ground.end_avoid.joined(discs_of(request.avoid)))
    return _place(view, request, ground, Nearest(view.field.outlines(prey.rows)))


def anywhere(view: View, request: Place, near: Point) -> Poses | None:
    """Return places for the whole unit, as close to a point as may be; None where it does not fit."""
    if request.kind == "marker":
        pose = marker_at(view, request, near)
        return None if pose is None else {-1: pose}
    if request.kind == CRAMPED:
        return fitting(view.field, view.unit(request.unit), request.areas)
    point = Outlines(np.array([near]), np.zeros(1))
    return _place(view, request, _ground(view, request), Nearest(point))


def beside(view: View, request: Place, shun: tuple[Ring, ...] = ()) -> Poses | None:
    """Return places to get out at, as near to the enemy as may be, else to the hull; None where none are.

    They touch no area to shun. Where the request lets models be left out, as many as fit are set up.
    """
    ground = replace(_ground(view, request), shun=shun)
    unit, hull = view.unit(request.unit), view.unit(request.beside)
    rows = hull.rows or tuple(model.row for model in hull.facts.models)
    aims = [view.field.outlines(some) for some in (view.field.rows(view.enemies(unit)), rows) if some]
    partly = request.kind == "emergency"
    return next(
        (p for aim in aims if (p := _place(view, request, ground, Nearest(aim), overflow=partly))), None
    )


def _ground(view: View, request: Place) -> Ground:
    """Return where the unit may be set up, as the request asks."""
    unit = view.unit(request.unit)
    clear = view.parameters.engagement if request.kind == "deploy" else request.clear
    foes = view.field.rows(view.field.kept_off(unit)) if clear > 0 else ()
    return replace(
        view.field.landing(unit),
        area=request.areas,
        end_avoid=view.field.outlines(foes, clear) if foes else NOTHING,
    )


def _place(
    view: View, request: Place, ground: Ground, near: Front | Nearest, overflow: bool = False
) -> Poses | None:
    ahead = view.ahead(view.unit(request.unit))
    if not view.unit(request.unit).has("AIRCRAFT"):
        return _placed(view, request, ground, near, ahead, overflow)
    # Who flies straight on has to look to where there is room for it.
    turns = (0.0, 180.0, 90.0, -90.0)
    found = [_placed(view, request, ground, near, (ahead + turn) % 360.0, overflow) for turn in turns]
    return max((p for p in found if p is not None), key=lambda poses: _room(view, poses), default=None)


def _placed(
    view: View, request: Place, ground: Ground, near: Front | Nearest, facing: float, overflow: bool
) -> Poses | None:
    stances = [view.stance(row, facing) for row in request.rows]
    beyond = request.overflow if overflow else None
    placed = place_group(stances, ground, view.spacing, near, beyond)
    if isinstance(placed, Blocked) or (placed.left_out and not overflow):
        return None
    left = set(placed.left_out)
    rows = [row for i, row in enumerate(request.rows) if i not in left]
    return {row: (float(x), float(y), 0.0, facing) for row, (x, y) in zip(rows, placed.xy, strict=True)}


def _room(view: View, poses: Poses) -> float:
    """Return how far it is to the board's rim straight ahead, of the model that has the least room."""
    rim = shapely.box(*view.board.bounds).exterior
    far = 2 * sum(view.board.size)
    rays = []
    for x, y, _, facing in poses.values():
        end = (x + far * math.cos(math.radians(facing)), y + far * math.sin(math.radians(facing)))
        rays.append(float(shapely.distance(shapely.Point(x, y), shapely.LineString([(x, y), end]) & rim)))
    return round(min(rays, default=0.0), 6)


def marker_at(view: View, request: Place, near: Point) -> Pose | None:
    """Return a place for a marker as close to a point as the request allows."""
    radius = np.array([view.parameters.marker_radius])
    shun = view.field.kept_clear(request.clear, request.clear_of_all, request.avoid)
    ground = Ground(size=view.board.size, area=request.areas, end_avoid=shun)
    placed = place_group(radius, ground, view.spacing, Nearest(Outlines(np.array([near]), np.zeros(1))))
    if isinstance(placed, Blocked) or placed.left_out:
        return None
    if faults_of_standing(ground, placed.xy, radius):
        return None
    return float(placed.xy[0, 0]), float(placed.xy[0, 1]), 0.0, 0.0
