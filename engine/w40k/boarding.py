"""Who rides in which transport, for whom there is room, and where they may get out.

It asks nobody; `engine.w40k.activation.transport` does.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import shapely
from msgspec.structs import replace

from datasheets.hold import may_ride, room
from engine.core.event import Pose
from engine.core.facts import PartFacts, Ring, TransportFacts, facing_ahead
from engine.core.state import State, Unit
from geometry.group.packing import Nearest
from geometry.group.setup import place_group
from geometry.measure.distance import within
from geometry.measure.region import farthest_from, farthest_from_polygon, ring
from geometry.path.planner import Blocked
from geometry.shape.array import ways_at
from geometry.shape.base import TOLERANCE, Floats
from geometry.shape.convex_shape import Outlines

if TYPE_CHECKING:
    from engine.table.battlefield import Battlefield

FINE = np.pi / 2048
"""How finely the rim of the area about a transport is followed, from inside, in radians."""


def passengers(state: State, transport: str) -> list[Unit]:
    """Return the units that ride in a transport: they are nowhere on the table. Rule: CORE.TRN.6"""
    return [u for u in state.position.units.values() if u.where == "embarked" and u.transport == transport]


def has_room(state: State, transport: Unit, unit: Unit) -> bool:
    """Return whether a transport takes the unit beside those that ride in it already. Rule: CORE.TRN.1"""
    hold = transport.hold
    if hold is None or not all(may_ride(hold, partial(_has, part)) for part in unit.parts):
        return False
    riding = [*passengers(state, transport.id), unit]
    return sum(_room(state, hold, each) for each in riding) <= hold.capacity


def _room(state: State, hold: TransportFacts, unit: Unit) -> int:
    parts = unit.facts.parts
    return sum(room(hold, partial(_has, parts[model.facts.part])) for model in state.position.alive(unit))


def _has(part: PartFacts, keyword: str) -> bool:
    return keyword.upper() in part.keywords


def boards(field: Battlefield, unit: Unit) -> list[Unit]:
    """Return the friendly transports that the unit stands close enough to, all of it, to embark.

    Rule: CORE.TRN.1
    """
    found = []
    for transport in field.friends(unit):
        if transport.hold is None or not has_room(field.state, transport, unit):
            continue
        apart = field.gaps(unit, transport).min(axis=1)
        if within(apart, field.parameters.boarding).all():
            found.append(transport)
    return found


def about(hull: Outlines, reach: float) -> Ring:
    """Return the area within so many inches of a hull, as a polygon with every corner on its rim."""
    core = hull.core[0] if hull.core else None
    if core is None or core.is_point:
        turns = np.arange(0, 2 * np.pi, FINE)
        rim = hull.xy[0] + (hull.radius[0] + reach) * ways_at(turns)
    else:
        rim = ring(core, float(hull.radius[0]) + reach, FINE) + hull.xy[0]
    return tuple((float(x), float(y)) for x, y in rim)


def reach_of(bases: Outlines, hull: Outlines) -> Floats:
    """Return how far the farthest part of each base is from a hull; bases that stand beside it are meant."""
    if not hull.core or hull.core[0].is_point:
        return farthest_from(bases, (float(hull.xy[0, 0]), float(hull.xy[0, 1]))) - float(hull.radius[0])
    rim = ring(hull.core[0], float(hull.radius[0]), FINE) + hull.xy[0]
    return farthest_from_polygon(bases, tuple((float(x), float(y)) for x, y in rim))


def lies_within(bases: Outlines, hulls: Outlines, reach: float) -> list[bool]:
    """Return which bases are wholly within so many inches of one of the hulls. Rule: CORE.TRN.2"""
    near = [reach_of(bases, hulls.take([i])) <= reach + TOLERANCE for i in range(len(hulls))]
    return [bool(one) for one in np.any(near, axis=0)] if near else [False] * len(bases)


def areas_about(hulls: Outlines, reach: float) -> tuple[Ring, ...]:
    """Return the area within so many inches of any of some hulls, as rings."""
    rings = [about(hulls.take([i]), reach) for i in range(len(hulls))]
    if len(rings) < 2:
        return tuple(rings)
    whole = shapely.union_all([shapely.Polygon(one) for one in rings])
    parts = getattr(whole, "geoms", [whole])
    return tuple(tuple((float(x), float(y)) for x, y in part.exterior.coords[:-1]) for part in parts)


def exits(field: Battlefield, unit: Unit, hull: Outlines, reach: float) -> tuple[Pose, ...]:
    """Return places for all of a unit beside a hull, as near to it as may be; none where they do not fit.

    Rule: CORE.TRN.2, CORE.TRN.4
    """
    foes = field.outlines(field.rows(field.enemies(unit)), field.parameters.engagement)
    ground = replace(field.landing(unit), area=areas_about(hull, reach), end_avoid=foes)
    facing = facing_ahead(field.state.position.board, unit.facts.side)
    stances = [field.state.position.table.stance(row, facing) for row in unit.rows]
    placed = place_group(stances, ground, field.parameters.spacing, Nearest(hull))
    if isinstance(placed, Blocked) or placed.left_out:
        return ()
    return tuple((float(x), float(y), 0.0, facing) for x, y in placed.xy)
