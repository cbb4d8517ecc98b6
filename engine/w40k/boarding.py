"""The passengers of transports, and the room for more of them.

This module asks nobody; `engine.w40k.activation.transport` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from datasheets.hold import may_ride, room
from engine.core.facts import TransportFacts
from engine.core.state import Model, Position, Unit
from geometry.measure.distance import within

if TYPE_CHECKING:
    from engine.w40k.ground.tabletop import Tabletop


def passengers(position: Position, transport: str) -> list[Unit]:
    """Return the units that ride in a transport: they are nowhere on the table. Rule: CORE.TRN.6"""
    return [u for u in position.units.values() if u.where == "embarked" and u.transport == transport]


def has_room(position: Position, transport: Unit, unit: Unit) -> bool:
    """Return whether a transport takes the unit beside those that ride in it already.

    Rule: CORE.TRN.1
    """
    hold = transport.hold
    if hold is None or not all(may_ride(hold, part.has) for part in unit.parts):
        return False
    return _room(position, hold, unit) <= room_left(position, transport)


def takes(position: Position, transport: Unit, model: Model) -> bool:
    """Return whether a transport has room for one model more that comes back to a unit aboard."""
    hold = transport.hold
    if hold is None:
        return False
    part = position.units[model.unit].facts.parts[model.facts.part]
    return room(hold, part) <= room_left(position, transport)


def room_left(position: Position, transport: Unit) -> int:
    """Return the room of a transport that nobody takes, in models; 0 for what carries nobody."""
    hold = transport.hold
    if hold is None:
        return 0
    return hold.capacity - sum(_room(position, hold, each) for each in passengers(position, transport.id))


def _room(position: Position, hold: TransportFacts, unit: Unit) -> int:
    parts = unit.facts.parts
    return sum(room(hold, parts[model.facts.part]) for model in position.alive(unit))


def boards(field: Tabletop, unit: Unit) -> list[Unit]:
    """Return the friendly transports that the unit stands close enough to, all of it, to embark.

    Rule: CORE.TRN.1
    """
    found = []
    for transport in field.friends(unit):
        if transport.hold is None or not has_room(field.position, transport, unit):
            continue
        apart = field.gaps(unit, transport).min(axis=1)
        if within(apart, field.parameters.boarding).all():
            found.append(transport)
    return found
