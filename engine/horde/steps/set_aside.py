"""Units of the Horde that were set aside and are set up again as a round starts.

Rule: FACTION.genestealer-cults, R.A90
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.core.facts import UnitFacts, ZoneFacts
from engine.core.request import Steps
from engine.core.state import Unit
from engine.horde.steps.spawn import clear, muster_unit, set_up_in_zone
from engine.w40k.activation.unit_choice import mark

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

SET_ASIDE = "set-aside"
"""The mark of a destroyed unit that comes back, with the round in which it was destroyed."""


def return_set_aside(battle: Battle, cause: str) -> Steps[None]:
    """Set up a unit like each that was set aside in a round before, if a zone spawns."""
    zones = [zone for zone in battle.state.position.zones.values() if zone.kind == "spawn"]
    for unit in list(battle.state.position.units.values()):
        if zones and SET_ASIDE in unit.marks and unit.marks.count(SET_ASIDE) < battle.state.round:
            mark(battle, unit, SET_ASIDE, None, "battle", cause)
            yield from _return(battle, _alike(battle, unit), zones, cause)


def _return(battle: Battle, facts: UnitFacts, zones: list[ZoneFacts], cause: str) -> Steps[None]:
    """Set up a unit in a random zone that has room for all of it, or put it into reserves.

    If none has, it overflows out of one; and if it fits nowhere, the part of it that does is set up in the
    zone drawn first. Ruling `horde.gsc_clears`: "yes" destroys first what is within that zone. Rule: R.A90
    """
    unit, later = muster_unit(battle, facts)
    first = _drawn(battle, zones, cause)
    mark(battle, unit, "zone", first.id, "battle", cause)
    if later:
        return
    if battle.ruling("horde.gsc_clears") == "yes":
        yield from clear(battle, first)
        yield from set_up_in_zone(battle, unit, first.id)
        return
    for overflows in (False, True):
        zone, left = first, [each for each in zones if each is not first]
        while not (yield from set_up_in_zone(battle, unit, zone.id, whole=True, overflows=overflows)):
            if not left:
                break
            zone = _drawn(battle, left, cause)
            left.remove(zone)
        else:
            return
    yield from set_up_in_zone(battle, unit, first.id)


def _drawn(battle: Battle, zones: list[ZoneFacts], cause: str) -> ZoneFacts:
    if len(zones) == 1:
        return zones[0]
    return zones[battle.pick("return-zone", len(zones), stream="spawn", cause=cause)]


def _alike(battle: Battle, unit: Unit) -> UnitFacts:
    """Return the facts of a new unit like another as it was at first, but without its leaders."""
    row = len(battle.state.position.models)
    own = [model for model in unit.facts.models if model.part == 0]
    return replace(
        unit.facts,
        id=battle.state.position.next_id(unit.id.split("#")[0]),
        name=unit.facts.parts[0].name,
        parts=unit.facts.parts[:1],
        models=tuple(replace(model, row=row + i) for i, model in enumerate(own)),
        embarked_in="",
    )
