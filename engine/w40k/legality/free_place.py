"""The free places of a unit's models beside the others, found for one base at a time.

A place that is found is a proof that the model could be set up. Planners of set-ups ask here too, and take
what is found. How a whole unit is packed is no question of legality.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from engine.core.event import Pose
from engine.core.facts import Ring, facing_ahead
from engine.core.request import Place
from engine.core.state import Unit
from engine.table.battlefield import discs_of
from engine.w40k.ground.beside import areas_about, lies_within
from geometry.path.ground import Ground
from geometry.portable import mean_point, norm
from geometry.shape.base import Floats
from geometry.shape.convex_shape import NOTHING, Outlines
from geometry.single.free_spot import free_spot

if TYPE_CHECKING:
    from engine.w40k.ground.tabletop import Tabletop

TURNS = (0.0, 90.0)
"""The turns from straight ahead, in degrees, with which a place is looked for."""
NEARER_INCHES = 0.01
"""By how much a place must be nearer to a point to count as nearer."""
ROUNDS = 20
"""How often the models of a unit are moved up to a point, at most."""


def kept_out_of(field: Tabletop, request: Place) -> Outlines:
    """Return the shapes that the models of a set-up stay out of.

    They are the ranges of enemies, and the discs that the request names. A unit that is in combat already may
    be set up in range of those with whom it is. Rule: CORE.RES.8
    """
    unit = field.position.units[request.unit]
    clear = field.parameters.engagement if request.kind == "deploy" else request.clear
    met = {enemy.id for enemy in field.engaged_with(unit)}
    foes = [other for other in field.kept_off(unit) if other.id not in met]
    shapes = NOTHING
    for reach in sorted({clear, *request.apart.values()}):
        rows = field.rows([foe for foe in foes if request.apart.get(foe.id, clear) == reach])
        if reach > 0 and rows:
            shapes = shapes.joined(field.outlines(rows, reach))
    return shapes.joined(discs_of(request.avoid))


def ground_of(field: Tabletop, request: Place, areas: tuple[Ring, ...]) -> Ground:
    """Return where models may be set up in some areas, as a request asks. Rule: CORE.RES.8"""
    unit = field.position.units[request.unit]
    return replace(field.landing(unit), area=areas, end_avoid=kept_out_of(field, request))


def standing(field: Tabletop, request: Place) -> tuple[int, ...]:
    """Return the rows of the models that stand on the battlefield beside those to be set up."""
    on = field.position.table.on
    unit = field.position.units[request.unit]
    return tuple(row for row in unit.rows if on[row] and row not in request.rows)


def place_beside(
    field: Tabletop,
    request: Place,
    row: int,
    poses: Mapping[int, Pose],
    areas: tuple[Ring, ...] | None = None,
    near: Floats | None = None,
) -> Pose | None:
    """Return a pose for a model beside others in these poses; None without a free spot.

    Areas are the request's unless others are given. Of several spots it is the nearest to a point, or to the
    middle of the others, or of the areas. Rule: CORE.RES.8
    """
    areas = (*request.areas, *request.overflow) if areas is None else areas
    table, ground = field.position.table, ground_of(field, request, areas)
    rows, at = _beside(field, request, poses)
    bases = table.outlines(rows, at[:, :2], at[:, 3]) if rows else NOTHING
    if near is None:
        near = mean_point(bases.xy if rows else np.array([corner for area in areas for corner in area]))
    tried = set()
    for facing in _facings(field, request, field.position.units[request.unit]):
        stance = table.stance(row, facing)
        if stance in tried:
            continue
        tried.add(stance)
        spot = free_spot(ground, stance, bases, field.parameters.spacing, near, at[:, 2])
        if spot is not None:
            return *spot, 0.0, facing
    return None


def gathered(field: Tabletop, request: Place) -> dict[int, Pose] | None:
    """Return poses of all models of a request, each as near to its point as the others let it.

    None where one finds no free spot. Rule: BUY.field-promotion
    """
    assert request.toward is not None
    found = all_beside(field, request, {}, request.areas, np.array(request.toward))
    for _ in range(ROUNDS):
        better = nearer(field, request, found) if found else None
        if better is None:
            break
        found = {**(found or {}), **better}
    return found


def nearer(field: Tabletop, request: Place, poses: Mapping[int, Pose]) -> dict[int, Pose] | None:
    """Return a pose, by row, in which a model would be nearer to the request's point.

    The others stay as they are. None where no model has one. Rule: BUY.field-promotion
    """
    assert request.toward is not None
    x, y = request.toward
    for row, pose in poses.items():
        others = {each: at for each, at in poses.items() if each != row}
        found = place_beside(field, request, row, others, near=np.array(request.toward))
        if found is None:
            continue
        gained = norm(pose[0] - x, pose[1] - y) - norm(found[0] - x, found[1] - y)
        if gained > NEARER_INCHES:
            return {row: found}
    return None


def all_beside(
    field: Tabletop,
    request: Place,
    poses: Mapping[int, Pose],
    areas: tuple[Ring, ...],
    near: Floats | None = None,
) -> dict[int, Pose] | None:
    """Return poses of all models of a request, by row; None where one finds no free spot.

    Models without a pose are set up one by one, as near to a point as may be where one is given.
    """
    found = dict(poses)
    for row in request.rows:
        if row not in found:
            pose = place_beside(field, request, row, found, areas, near)
            if pose is None:
                return None
            found[row] = pose
    return found


def closer(field: Tabletop, request: Place, poses: Mapping[int, Pose]) -> dict[int, Pose] | None:
    """Return poses, by row, of all models that get out of a wreck near to it.

    Those farther off are set up anew, one by one. None where nobody is farther off or left out, or where one
    of them finds no free spot near the wreck. Rule: CORE.TRN.3
    """
    hulls, reach, table = hulls_of(field, request), field.parameters.boarding, field.position.table
    rows, at = list(poses), np.array(list(poses.values())).reshape(-1, 4)
    inside = lies_within(table.outlines(rows, at[:, :2], at[:, 3]), hulls, reach) if rows else []
    near = {row: poses[row] for row, is_near in zip(rows, inside, strict=True) if is_near}
    if len(near) == len(request.rows):
        return None
    return all_beside(field, request, near, areas_about(hulls, reach))


def hulls_of(field: Tabletop, request: Place) -> Outlines:
    """Return the hulls of the transport, or the marker, beside which a unit is set up.

    They are where the transport stands, or stood last.
    """
    if request.beside in field.position.markers:
        marker = field.position.markers[request.beside]
        return Outlines(np.array([marker.at]), np.array([field.parameters.marker_radius]))
    transport = field.position.units[request.beside]
    rows = transport.rows or tuple(model.row for model in transport.facts.models)
    return field.position.table.outlines(rows)


def _beside(field: Tabletop, request: Place, poses: Mapping[int, Pose]) -> tuple[list[int], Floats]:
    """Return the rows of the models beside which one more is set up, and their poses (n, 4)."""
    table, rows = field.position.table, list(standing(field, request))
    here = np.column_stack([table.xy[rows], table.z[rows], table.facing[rows]]).reshape(-1, 4)
    return [*rows, *poses], np.concatenate([here, np.array(list(poses.values())).reshape(-1, 4)])


def _facings(field: Tabletop, request: Place, unit: Unit) -> list[float]:
    """Return the facings in which a place is looked for, in degrees.

    The first is the unit's, or straight ahead where none of its models stands. The second is across.
    """
    position, rows = field.position, standing(field, request)
    first = float(position.table.facing[rows[0]]) if rows else facing_ahead(position.board, unit.facts.side)
    return [(first + turn) % 360.0 for turn in TURNS]
