"""Who of a unit finds a place where it is set up before the battle, and where one model more could stand.

Owns the question whether there is room. Where the models then stand is their player's choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from engine.core.event import Pose
from engine.core.facts import Ring, facing_ahead
from engine.core.state import Unit
from geometry.group.group_move import Nearest, place_group
from geometry.measure.coherency import is_coherent
from geometry.path.ground import Ground, may_stand
from geometry.path.planner import Blocked
from geometry.shape.convex_shape import Outlines

if TYPE_CHECKING:
    from engine.w40k.ground.tabletop import Tabletop

TURNS = (0.0, 90.0)
"""The turns from straight ahead with which a place is looked for."""
CORNERS = 8
"""In how many corners of the areas a unit is tried."""


def has_room(field: Tabletop, unit: Unit, areas: tuple[Ring, ...]) -> bool:
    """Return whether a unit fits into some areas, out of engagement range. Rule: CORE.RES.8"""
    return any(len(poses) == len(unit.rows) for poses in _packings(field, unit, areas))


def fitting(field: Tabletop, unit: Unit, areas: tuple[Ring, ...]) -> dict[int, Pose]:
    """Return places for as many models of a unit as fit into some areas. Rule: CORE.RES.8"""
    poses = max(_packings(field, unit, areas), key=len)
    for row in unit.rows:
        pose = None if row in poses else place_beside(field, unit, row, poses, areas)
        poses |= {row: pose} if pose is not None else {}
    return poses


def place_beside(
    field: Tabletop, unit: Unit, row: int, poses: dict[int, Pose], areas: tuple[Ring, ...]
) -> Pose | None:
    """Return where one model more of a unit could stand, as near to those set up as may be; None if nowhere.

    Rule: CORE.RES.8
    """
    table, ground = field.position.table, _ground(field, unit, areas)
    rows, at = list(poses), np.array(list(poses.values())).reshape(-1, 4)
    placed = table.outlines(rows, at[:, :2], at[:, 3]) if rows else _middle(areas)
    free = replace(ground, no_end=ground.no_end.joined(placed)) if rows else ground
    for turn in TURNS:
        facing = (facing_ahead(field.position.board, unit.facts.side) + turn) % 360.0
        stances = [table.stance(row, facing)]
        found = place_group(stances, free, field.parameters.spacing, Nearest(placed))
        if isinstance(found, Blocked) or found.left_out or not may_stand(free, found.xy, stances).all():
            continue
        here = np.append(at, [[*found.xy[0], 0.0, facing]], axis=0)
        if is_coherent(
            table.outlines([*rows, row], here[:, :2], here[:, 3]), here[:, 2], field.parameters.spacing
        ):
            return float(found.xy[0, 0]), float(found.xy[0, 1]), 0.0, facing
    return None


def _packings(field: Tabletop, unit: Unit, areas: tuple[Ring, ...]) -> Iterator[dict[int, Pose]]:
    """Yield places for models of a unit, packed about the middle of the areas, and into each corner."""
    corners = [Outlines(np.array([corner]), np.zeros(1)) for area in areas for corner in area]
    for near in (_middle(areas), *corners[:CORNERS]):
        for turn in TURNS:
            yield _packed(field, unit, areas, near, turn)


def _packed(
    field: Tabletop, unit: Unit, areas: tuple[Ring, ...], near: Outlines, turn: float
) -> dict[int, Pose]:
    facing = (facing_ahead(field.position.board, unit.facts.side) + turn) % 360.0
    stances = [field.position.table.stance(row, facing) for row in unit.rows]
    placed = place_group(stances, _ground(field, unit, areas), field.parameters.spacing, Nearest(near))
    if isinstance(placed, Blocked):
        return {}
    rows = [row for i, row in enumerate(unit.rows) if i not in placed.left_out]
    return {row: (float(x), float(y), 0.0, facing) for row, (x, y) in zip(rows, placed.xy, strict=True)}


def _ground(field: Tabletop, unit: Unit, areas: tuple[Ring, ...]) -> Ground:
    foes = field.outlines(field.rows(field.enemies(unit)), field.parameters.engagement)
    return replace(field.landing(unit), area=areas, end_avoid=foes)


def _middle(areas: Sequence[Ring]) -> Outlines:
    corners = np.array([corner for area in areas for corner in area])
    return Outlines(corners.mean(axis=0, keepdims=True), np.zeros(1))
