"""Finds a place where a whole unit, or a marker, may be set up.

Owns the way from a request's areas to geometry's ground. Where a unit is wanted is its caller's business.
"""

from __future__ import annotations

import math

import numpy as np
from msgspec.structs import replace

from engine.core.event import Pose
from engine.core.facts import Point, Ring
from engine.core.request import EMERGENCY, RETURN, Place, Places
from engine.core.state import Unit
from engine.w40k.ground.beside import areas_about
from engine.w40k.legality.free_place import all_beside, closer, gathered, ground_of, hulls_of, place_beside
from engine.w40k.view import View
from geometry.group.free_front import places_along
from geometry.group.group_move import Front, Nearest, place_group
from geometry.path.blockage import Blocked
from geometry.path.ground import Ground, faults_of_standing
from geometry.portable import mean_point, radians, way_at
from geometry.shape.base import Floats
from geometry.shape.convex_shape import Outlines

Poses = dict[int, Pose]
TURNS = (0.0, 90.0)
"""The turns from straight ahead with which a unit is packed, in degrees.

They are tried where there is little room.
"""
CORNERS = 8
"""At how many corners of the areas a unit is tried."""


def near_front(view: View, request: Place) -> Poses | None:
    """Return places as near to the front as the models fit; None where no model fits.

    What does not fit into the area stands beyond it, in the overflow.
    """
    poses = _place(view, request, _ground(view, request), Front(request.front), overflow=True)
    return None if poses is None else _filled_up(view, request, poses)


def along_front(view: View, request: Place, most: int) -> list[Poses]:
    """Return set-ups of the whole unit near to the front, each about a place on a free stretch.

    The places are evenly spaced, those nearest to the middle of the front come first. No set-up is beyond the
    areas. Some may be illegal for other reasons.
    """
    ground, facing = _ground(view, request), view.ahead(view.unit(request.unit))
    stances = [view.stance(row, facing) for row in request.rows]
    aims = places_along(request.front, ground, stances, most)
    fronts = (Front(request.front, (aim,)) for aim in aims)
    found = (_placed(view, request, ground, front, facing, False, judged=False) for front in fronts)
    return [poses for poses in found if poses is not None]


def near_unit(view: View, request: Place, prey: Unit) -> Poses | None:
    """Return places as close to a unit as may be, clear of enemies and of objective markers.

    Rule: SPAWN.7, R.A69, R.A70
    """
    return _place(view, request, _ground(view, request), Nearest(view.field.outlines(prey.rows)))


def anywhere(view: View, request: Place, near: Point) -> Poses | None:
    """Return places for the whole unit, as close to a point as may be; None if it does not fit."""
    if request.kind == "marker":
        pose = marker_at(view, request, near)
        return None if pose is None else {-1: pose}
    if request.piece is not None:
        found = terrain_at(view, request, near)
        return None if found is None else {-1: found}
    if request.kind == RETURN:
        return returning(view, request, _point(near))
    if request.toward is not None:
        return gathered(view.field, request)
    return _place(view, request, _ground(view, request), Nearest(_point(near)))


def as_many_as_fit(view: View, request: Place) -> Poses:
    """Return places, by row, for as many models as fit. Rule: CORE.RES.8

    There may be no room for all models.
    """
    ground, ahead = _ground(view, request), view.ahead(view.unit(request.unit))
    corners = np.array([corner for area in request.areas for corner in area])
    packings = (
        _placed(view, request, ground, Nearest(_point(near)), (ahead + turn) % 360.0, overflow=True) or {}
        for near in (mean_point(corners), *corners[:CORNERS])
        for turn in TURNS
    )
    best: Poses = {}
    for poses in packings:
        best = max(best, poses, key=len)
        if len(best) == len(request.rows):
            return best
    return _filled_up(view, request, best)


def _filled_up(view: View, request: Place, poses: Poses) -> Poses:
    """Return the places, with those of further models for which a spot beside them is free.

    A model that is set up may bring a spot into coherency for one that was tried before. Rule: CORE.RES.8
    """
    found = dict(poses)
    while True:
        left = [row for row in request.rows if row not in found]
        more = ((row, place_beside(view.field, request, row, found)) for row in left)
        row, pose = next(((row, pose) for row, pose in more if pose is not None), (-1, None))
        if pose is None:
            return found
        found[row] = pose


def beside(view: View, request: Place, shun: tuple[Ring, ...] = ()) -> Poses | None:
    """Return places to get out at, as near as may be to the enemy, else to the hull.

    None where there are none. They touch no area to shun. Out of a wreck as many models as fit are set up,
    close to it where all fit there.
    """
    hulls = hulls_of(view.field, request)
    if request.kind != EMERGENCY:
        placed = _beside(view, request, hulls, shun)
        if placed is None and not request.optional:
            return all_beside(view.field, request, {}, request.areas)
        return placed
    close = replace(request, areas=areas_about(hulls, view.parameters.boarding))
    near = _beside(view, close, hulls, shun)
    if near is not None:
        return near
    poses = _filled_up(view, request, _beside(view, request, hulls, shun, overflow=True) or {})
    return closer(view.field, request, poses) or poses


def returning(view: View, request: Place, near: Outlines | None = None) -> Poses:
    """Return a place, by row, for a model that returns to its unit.

    It is as near as may be to the unit, or to `near` where that is given. There is no row where no place is
    free. Rule: MISERY.8, BUY.field-hospital
    """
    row, unit = request.rows[0], view.unit(request.unit)
    bases, facing = view.bases(unit), float(view.poses_after(unit, {})[0, 3])
    ground = _ground(view, request)
    ground = replace(ground, no_end=ground.no_end.joined(bases))
    poses = _placed(view, request, ground, Nearest(bases if near is None else near), facing, overflow=False)
    if poses and not view.faults(request, Places(poses=poses)):
        return poses
    at = None if near is None else near.xy[0]
    pose = place_beside(view.field, request, row, {}, near=at)
    return {} if pose is None else {row: pose}


def _beside(
    view: View, request: Place, hulls: Outlines, shun: tuple[Ring, ...], overflow: bool = False
) -> Poses | None:
    """Return places of the whole unit beside a hull; None where there are none.

    With `overflow` they are those of as many models as fit.
    """
    ground = replace(_ground(view, request), shun=shun)
    foes = view.field.rows(view.enemies(view.unit(request.unit)))
    aims = [*([view.field.outlines(foes)] if foes else []), hulls]
    return next((p for aim in aims if (p := _place(view, request, ground, Nearest(aim), overflow))), None)


def _ground(view: View, request: Place) -> Ground:
    """Return where the unit may be set up, as the request asks."""
    return ground_of(view.field, request, request.areas)


def _point(at: Point | Floats) -> Outlines:
    return Outlines(np.array([at]), np.zeros(1))


def _place(
    view: View, request: Place, ground: Ground, near: Front | Nearest, overflow: bool = False
) -> Poses | None:
    ahead = view.ahead(view.unit(request.unit))
    if not view.unit(request.unit).has("AIRCRAFT"):
        return _placed(view, request, ground, near, ahead, overflow)
    # A unit that flies straight on is to face where it has the most room.
    turns = (0.0, 180.0, 90.0, -90.0)
    found = [_placed(view, request, ground, near, (ahead + turn) % 360.0, overflow) for turn in turns]
    return max((p for p in found if p is not None), key=lambda poses: _room(view, poses), default=None)


def _placed(
    view: View,
    request: Place,
    ground: Ground,
    near: Front | Nearest,
    facing: float,
    overflow: bool,
    judged: bool = True,
) -> Poses | None:
    stances = [view.stance(row, facing) for row in request.rows]
    beyond = request.overflow if overflow else None
    placed = place_group(stances, ground, view.spacing, near, beyond, judged=judged)
    if isinstance(placed, Blocked) or (placed.left_out and not overflow):
        return None
    left = set(placed.left_out)
    rows = [row for i, row in enumerate(request.rows) if i not in left]
    return {row: (float(x), float(y), 0.0, facing) for row, (x, y) in zip(rows, placed.xy, strict=True)}


def _room(view: View, poses: Poses) -> float:
    """Return the distance straight ahead to the board's rim, of the model with the least room."""
    left, low, right, high = view.board.bounds
    rays = []
    for x, y, _, facing in poses.values():
        ahead, up = way_at(radians(facing))
        rays += [((right if ahead > 0 else left) - x) / ahead] if ahead else []
        rays += [((high if up > 0 else low) - y) / up] if up else []
    return round(min(rays, default=0.0), 6)


def marker_at(view: View, request: Place, near: Point) -> Pose | None:
    """Return a place for a marker as close to a point as the request allows."""
    radius = np.array([view.parameters.marker_radius])
    shun = view.field.kept_clear(request.clear, request.clear_of_all, request.avoid)
    ground = Ground(size=view.board.size, area=request.areas, end_avoid=shun)
    placed = place_group(radius, ground, view.spacing, Nearest(_point(near)))
    if isinstance(placed, Blocked) or placed.left_out:
        return None
    if faults_of_standing(ground, placed.xy, radius):
        return None
    return float(placed.xy[0, 0]), float(placed.xy[0, 1]), 0.0, 0.0


def terrain_at(view: View, request: Place, near: Point) -> Pose | None:
    """Return a place for terrain near a point, whole inches from it, faced along an axis."""
    left, low, right, high = view.board.bounds
    far = math.ceil(max(right - left, high - low))
    steps = sorted(
        ((x, y) for x in range(-far, far + 1) for y in range(-far, far + 1)),
        key=lambda step: (step[0] * step[0] + step[1] * step[1], step),
    )
    for x, y in steps:
        at = (near[0] + x, near[1] + y)
        if not (left < at[0] < right and low < at[1] < high):
            continue
        for turn in TURNS:
            pose = (*at, 0.0, turn)
            if not view.faults(request, Places(poses={-1: pose})):
                return pose
    return None
