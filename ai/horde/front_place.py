"""Which place along its front a Horde unit takes when it spawns.

Owns the places that are compared, and what the unit would head for. Where its models stand at each comes from
`ai.moving.placement`. Rule: SPAWN.6, R.A101
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ai.moving.move_planning import STOP_SHORT_INCHES
from ai.moving.placement import Poses, along_front, near_front
from engine.core.request import Place, Places
from engine.core.state import Objective, Unit
from engine.w40k.ground.aircraft import AIRCRAFT
from engine.w40k.view import View
from geometry.group.group_move import Front
from geometry.group.left_to_go import LeftToGo
from geometry.measure.body import Bodies
from geometry.measure.distance import gaps
from geometry.measure.region import base_within, point_in
from geometry.portable import sum_of
from geometry.shape.convex_shape import Outlines
from geometry.sight.visibility import visible
from geometry.single.goal import ToBases, ToLine
from geometry.tolerance import TOLERANCE

PLACES = 9
"""How many places along the free stretches of the front are compared, at most."""
DIGITS = 6
"""The digits after the point to which equal lengths agree."""


def place_at_front(view: View, request: Place) -> Poses | None:
    """Return where a unit spawns: of places equally near to the front, that with the least way.

    The ways of all models are added up. Where they are equally long, the place nearest to the middle of the
    front counts. None where no model fits; what does not fit into the zone stands at the middle.
    Rule: SPAWN.6, R.A101
    """
    unit = view.unit(request.unit)
    middle = near_front(view, request)
    if middle is None or len(middle) < len(request.rows) or not request.front or unit.has(AIRCRAFT):
        return middle
    bases = view.bases_after(unit, _legs(middle))
    if not np.logical_or.reduce([base_within(area, bases) for area in request.areas]).all():
        return middle
    found = [middle]
    found += [poses for poses in along_front(view, request, PLACES) if poses != middle]
    equals = _nearest_to_front(view, request, found)
    if equals == [middle]:
        return middle
    places = np.array([pose[:2] for poses in equals for pose in poses.values()])
    ways = LeftToGo(view.ground(unit, "normal"), _goal(view, unit, middle), places)
    # The places are in the order of how far they are from the middle, so that the first of equals is taken.
    left = [_left(view, ways, poses) for poses in equals]
    slack = TOLERANCE * len(middle)
    best = next(poses for poses, far in zip(equals, left, strict=True) if far <= min(left) + slack)
    return middle if best is not middle and view.faults(request, Places(poses=best)) else best


def _nearest_to_front(view: View, request: Place, found: Sequence[Poses]) -> list[Poses]:
    """Return the set-ups that are as near to the front as any.

    What counts is the farthest base, then all bases together.
    """
    unit, front = view.unit(request.unit), Front(request.front).bases
    far = [
        np.maximum(gaps(view.bases_after(unit, _legs(poses)), front).min(axis=1), 0.0).tolist()
        for poses in found
    ]
    least = min(map(max, far)) + TOLERANCE
    near = [i for i, each in enumerate(far) if max(each) <= least]
    total = min(sum_of(far[i]) for i in near) + TOLERANCE * len(request.rows)
    return [found[i] for i in near if sum_of(far[i]) <= total]


def _legs(poses: Poses) -> dict[int, tuple[tuple[float, ...], ...]]:
    """Return poses as the ends of paths, with a turn at each."""
    return {row: ((x, y), (x, y, facing, 0.0)) for row, (x, y, _, facing) in poses.items()}


def _left(view: View, ways: LeftToGo, poses: Poses) -> float:
    stances = [view.stance(row, pose[3]) for row, pose in poses.items()]
    return ways.of(stances, np.array([pose[:2] for pose in poses.values()]))


def _goal(view: View, unit: Unit, poses: Poses) -> ToBases | ToLine:
    """Return what the unit would head for from a place: an enemy, a marker, or the edge.

    Rule: AI.MOVE.1 to AI.MOVE.3
    """
    legs = _legs(poses)
    bodies, bases = view.bodies_after(unit, legs), view.bases_after(unit, legs)
    prey = _closest_seen(view, unit, bodies, bases)
    if prey is not None:
        return ToBases(view.bases(prey), view.parameters.engagement + STOP_SHORT_INCHES)
    markers = {
        name: round(float(bases.distances(np.array([marker.at])).min()), DIGITS)
        for name, marker in view.objectives.items()
        if _is_goal(view, unit, bodies, marker)
    }
    if markers:
        at = view.objectives[min(markers, key=lambda name: (markers[name], name))].at
        return ToLine(at, at, view.board.size)
    return ToLine(*view.toward_edge(), view.board.size)


def _closest_seen(view: View, unit: Unit, bodies: Bodies, bases: Outlines) -> Unit | None:
    """Return the closest enemy that models of the unit would see, of equals the first by name."""
    can_fly = unit.has("FLY")
    apart = {
        enemy.id: gaps(bases, view.bases(enemy))
        for enemy in view.enemies(unit)
        if can_fly or not enemy.has(AIRCRAFT)
    }
    least = {name: round(float(each.min(initial=np.inf)), DIGITS) for name, each in apart.items()}
    best, prey = np.inf, None
    for name in sorted(least, key=lambda each: (least[each], each)):
        # No sight makes an enemy closer, so that the sight of those farther off does not matter.
        if least[name] > best:
            break
        enemy = view.unit(name)
        seen = view.field.screens.seen(unit, bodies, enemy.rows)
        far = round(float(np.where(seen, apart[name], np.inf).min(initial=np.inf)), DIGITS)
        if far < best or (prey is not None and far == best and name < prey.id):
            best, prey = far, enemy
    return prey


def _is_goal(view: View, unit: Unit, bodies: Bodies, marker: Objective) -> bool:
    """Return whether a marker is in sight, in no spawning zone and not the Horde's."""
    at = np.array([marker.at])
    if marker.by == unit.side or any(bool(point_in(ring, at)[0]) for ring in view.field.spawn_zones()):
        return False
    none, no = np.zeros(1), np.zeros(1, dtype=bool)
    disc = Bodies(at, none, np.full(1, view.parameters.marker_radius), none, no, no)
    return bool(visible(bodies, disc, view.field.screens.between(unit, None)).any())
