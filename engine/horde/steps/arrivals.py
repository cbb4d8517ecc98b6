"""The Horde's Reinforcements step: its units arrive from reserves.

They come by Deep Strike, or in their zone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import event as ev
from engine.core.facts import HORDE, PLAYERS, Point, Ring
from engine.core.request import Place, Places, Steps
from engine.core.state import Unit
from engine.horde.steps.spawn import PINCER, set_up_in_zone
from engine.w40k.activation.stratagem import offer
from engine.w40k.activation.unit_choice import mark
from engine.w40k.flight import may_arrive
from engine.w40k.ground.aircraft import AIRCRAFT
from engine.w40k.phase.arrival import arrival_round, distances
from engine.w40k.phase.movement import move_unit
from engine.w40k.phase.reserves import edge_strips, whole_board

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


def horde_reinforcements(battle: Battle) -> Steps[bool]:
    """Bring one of the Horde's units onto the battlefield.

    Rule: SPAWN.7, CORE.STR.8, CORE.AIR.1, R.A69 to R.A71, R.A26
    """
    unit = _next_horde(battle)
    if unit is None:
        return False
    mark(battle, unit, "reinforced", True, "phase", "SPAWN.7")
    near = _dearest(battle)
    how = "deep-strike" if PINCER in unit.marks or not unit.has(AIRCRAFT) else "strategic"
    yield from battle.fire("arriving", None, unit=unit, kind=how)
    for areas, clear in _landings(battle, unit):
        answer = yield Place(
            seats=(HORDE,),
            rule="MISERY.13" if PINCER in unit.marks else "SPAWN.7" if how == "deep-strike" else "CORE.AIR.1",
            decision="deep-strike",
            prompt=f"{unit.name} arrives from reserves.",
            unit=unit.id,
            kind="pincer" if PINCER in unit.marks else "reserves" if how == "strategic" else "deep-strike",
            rows=unit.rows,
            areas=areas,
            clear=clear,
            apart=distances(battle, unit, clear),
            avoid=_around_objectives(battle, unit),
            near=near.id if near else "",
            optional=True,
        )
        assert isinstance(answer, Places)
        if answer.poses:
            yield from battle.happen(ev.Arrived(unit=unit.id, poses=answer.poses, how=how), "SPAWN.7")
            mark(battle, unit, "arrived", how, "turn", "CORE.RES.3")
            mark(battle, unit, "moved", "normal", "turn", "CORE.RES.3")
            yield from offer(battle, "set-up", unit)
            return True
    # What is in the air has no place in a spawning zone: it comes later.
    if not unit.has(AIRCRAFT):
        yield from _into_zone(battle, unit)
    return True


def _landings(battle: Battle, unit: Unit) -> list[tuple[tuple[Ring, ...], float]]:
    """Return where a Horde unit may arrive, best first, and how far from enemies.

    Rule: SPAWN.7, MISERY.13.
    """
    if PINCER not in unit.marks:
        strips = (
            edge_strips(battle, "defender", battle.state.round)
            if unit.has(AIRCRAFT)
            else (whole_board(battle),)
        )
        return [(strips, battle.ruleset.parameters.deep_strike)]
    zones = battle.state.position.zones.values()
    rings = (
        tuple(zone.polygon for zone in zones if zone.kind == kind)
        for kind in ("defender", "no-mans-land", "horde")
    )
    return [(areas, battle.ruleset.parameters.pincer) for areas in rings if areas]


def _around_objectives(battle: Battle, unit: Unit) -> tuple[tuple[Point, float], ...]:
    """Return the discs round objective markers that a unit must stay out of as it arrives.

    Rule: SPAWN.7, R.A70, MISERY.13.
    """
    if PINCER in unit.marks:
        return ()
    return tuple(
        (each.at, battle.field.parameters.off_markers) for each in battle.state.position.objectives.values()
    )


def _into_zone(battle: Battle, unit: Unit) -> Steps[None]:
    """Set up in its spawning zone a unit that could not arrive elsewhere.

    It moves from there at once. Rule: SPAWN.7.
    """
    spawning = [zone.id for zone in battle.state.position.zones.values() if zone.kind == "spawn"]
    zone = str(unit.marks.get("zone", "")) or next(iter(spawning), "")
    if not zone:
        return  # a table without spawning zones: it comes later
    mark(battle, unit, "deep-strike-failed", True, "turn", "SPAWN.7")
    placed = yield from set_up_in_zone(battle, unit, zone)
    if placed:
        yield from offer(battle, "set-up", unit)
    if placed and unit.rows and not battle.field.engaged_with(unit):
        yield from move_unit(battle, unit)


def _next_horde(battle: Battle) -> Unit | None:
    units = [
        u
        for u in battle.state.position.units.values()
        if u.side == HORDE
        and u.where == "reserves"
        and "reinforced" not in u.marks
        and may_arrive(u, arrival_round(battle, u), battle.state.round)
    ]
    return units[0] if units else None


def _dearest(battle: Battle) -> Unit | None:
    """Return the players' most expensive unit on the battlefield, at random among equals.

    For a unit that is embarked in a transport, return the transport. Ruling `spawn.dearest`: "on_table"
    leaves embarked units out.
    Rule: R.A69
    """
    places = {unit.id: unit for unit in battle.state.position.on_table(PLAYERS)}
    if battle.ruling("spawn.dearest") == "aboard":
        riders = [unit for unit in battle.state.position.units.values() if unit.where == "embarked"]
        places |= {unit.id: places[unit.transport] for unit in riders if unit.transport in places}
    if not places:
        return None
    points = {name: battle.state.position.units[name].points for name in places}
    equals = [name for name in places if points[name] == max(points.values())]
    return places[equals[0 if len(equals) == 1 else battle.pick("dearest", len(equals), cause="SPAWN.7")]]
