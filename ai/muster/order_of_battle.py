"""The order of battle: leaders and their units, passengers and transports, the Warlord.

Owns the roster's units, made of picks. Which picks there are is `selection`'s.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from ai.muster.pick import Pick
from datasheets.hold import may_ride, room
from datasheets.schema import RosterUnit

SHORT = 24.0
"""A unit rides where there is room if its guns reach no farther, in inches."""


class _Unit(msgspec.Struct):
    """A pick with its place in the order of battle."""

    id: str
    pick: Pick
    leads: _Unit | None = None
    leaders: list[_Unit] = msgspec.field(default_factory=list)
    aboard: str | None = None

    @property
    def staying(self) -> float:
        """Return how much it takes to destroy it and the unit that it leads."""
        led = self.leads.pick.measures.staying if self.leads else 0.0
        return self.pick.measures.staying + led


def ordered(army: Sequence[Pick]) -> tuple[RosterUnit, ...]:
    """Return the units of a roster: CHARACTERs first, then BATTLELINE, transports last."""
    units = _arranged(army)
    lords = [unit for unit in units if unit.pick.sheet.has("CHARACTER")]
    warlord = max(lords, key=lambda unit: unit.staying)
    return tuple(
        RosterUnit(
            id=unit.id,
            datasheet=unit.pick.sheet.id,
            models=unit.pick.models,
            wargear=dict(unit.pick.wargear),
            warlord=unit is warlord,
            attached_to=unit.leads.id if unit.leads else None,
            embarked_in=unit.aboard,
        )
        for unit in units
    )


def idle(army: Sequence[Pick]) -> set[str]:
    """Return the datasheets without use: leaders without a unit, transports without passengers."""
    units = _arranged(army)
    carriers = {unit.aboard for unit in units}
    return {
        unit.pick.sheet.id
        for unit in units
        if (unit.pick.sheet.leads and unit.leads is None)
        or (unit.pick.sheet.has("DEDICATED TRANSPORT") and unit.id not in carriers)
    }


def _arranged(army: Sequence[Pick]) -> list[_Unit]:
    units = [_Unit(name, pick) for name, pick in _named(sorted(army, key=_rank))]
    for unit in units:
        _attach(unit, units)
    for unit in units:
        if unit.pick.sheet.transport is not None:
            _fill(unit, units)
    return units


def _rank(pick: Pick) -> tuple[int, int, str]:
    sheet = pick.sheet
    if sheet.has("CHARACTER"):
        return 0, -pick.cost, sheet.id
    if sheet.transport is not None:
        return 3, -pick.cost, sheet.id
    return 1 if sheet.has("BATTLELINE") else 2, -pick.cost, sheet.id


def _named(army: Sequence[Pick]) -> list[tuple[str, Pick]]:
    """Return the picks with readable ids: the datasheet's, with a number from the second on."""
    seen: Counter[str] = Counter()
    found = []
    for pick in army:
        name = pick.sheet.id.rpartition("/")[2]
        seen[name] += 1
        found.append((name if seen[name] == 1 else f"{name}-{seen[name]}", pick))
    return found


def _attach(leader: _Unit, units: Sequence[_Unit]) -> None:
    """Attach a leader to the unit of most points that it can lead and that has room for it."""
    able = [unit for unit in units if unit.pick.sheet.id in leader.pick.sheet.leads and _takes(unit, leader)]
    if able:
        leader.leads = max(able, key=lambda unit: (-len(unit.leaders), unit.pick.cost))
        leader.leads.leaders.append(leader)


def _takes(unit: _Unit, leader: _Unit) -> bool:
    """Return whether a unit may have this leader beside those that it has. Rule: ARMY.4"""
    if len(unit.leaders) != 1:
        return not unit.leaders
    return leader.pick.sheet.joins_leader or unit.leaders[0].pick.sheet.joins_leader


def _fill(carrier: _Unit, units: Sequence[_Unit]) -> None:
    """Let units ride for which there is room, those worth most first."""
    transport = carrier.pick.sheet.transport
    assert transport is not None
    left = transport.capacity
    for unit in sorted(units, key=lambda unit: -unit.pick.value):
        if unit.leads or unit.aboard or unit is carrier or unit.pick.measures.reach > SHORT:
            continue
        parts = [unit, *unit.leaders]
        if not all(may_ride(transport, part.pick.sheet.has) for part in parts):
            continue
        load = sum(part.pick.models * room(transport, part.pick.sheet) for part in parts)
        if load <= left:
            unit.aboard = carrier.id
            left -= load
