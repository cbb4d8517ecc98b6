"""Spawning the Horde: zone by zone, clear, roll, choose, set up."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from datasheets.schema import SpawnEntry
from engine.core import event as ev
from engine.core.facts import HORDE, UnitFacts, ZoneFacts
from engine.core.marks import WARLORD
from engine.core.request import Choose, Chosen, Option, Place, Places, Steps
from engine.core.state import Unit
from engine.horde.passengers import next_load
from engine.horde.spawn_choice import choose, moderated, settled, with_leader
from engine.horde.spawn_row import Row
from engine.horde.spawn_scheme import SCHEMES, bracket_of, minimum, scheme_of
from engine.horde.steps.mission import spawn_modifier
from engine.w40k.activation.unit_choice import mark, note
from engine.w40k.attack.damage import destroy_unit
from engine.w40k.boarding import passengers, room_left
from engine.w40k.flight import can_hover, hovering, is_in_the_air
from engine.w40k.muster import horde_part, muster, with_bare_hands
from engine.w40k.phase.deploy import deep_strikes, name_unmodelled

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

PINCER = "pincer"
"""The mark of a unit that arrives behind the players. Rule: MISERY.13."""
FIRST = "first-spawn-rolled"
"""The mark of a round whose first spawn roll was one into reserves. Rule: R.A72"""


def spawn(battle: Battle) -> Steps[bool]:
    """Spawn into the next zone; what follows spawning comes last.

    Zones come from left to right, or as a Game Master says.
    Rule: SPAWN.1, ROUND.1, ARMY.8
    """
    done = battle.state.marks.names("zones-spawned")
    left = [z for z in battle.state.position.zones.values() if z.kind == "spawn" and z.id not in done]
    if not left:
        yield from battle.fire("after-spawning", None)
        return False
    zone = yield from _next_zone(battle, left)
    note(battle, "zones-spawned", (*done, zone.id), "round")
    bonus = yield from clear(battle, zone)
    yield from _roll_and_spawn(battle, zone, bonus, first=not done and FIRST not in battle.state.marks)
    return True


def _next_zone(battle: Battle, left: Sequence[ZoneFacts]) -> Steps[ZoneFacts]:
    if len(left) == 1 or not battle.state.game_master:
        return left[0]
    answer = yield Choose(
        seats=(HORDE,),
        rule="SPAWN.1",
        decision="spawn-zone",
        prompt="Which spawning zone is next?",
        options=tuple(Option(id=zone.id, label=zone.id) for zone in left),
    )
    assert isinstance(answer, Chosen)
    return next(zone for zone in left if zone.id == answer.ids[0])


def clear(battle: Battle, zone: ZoneFacts) -> Steps[int]:
    """Destroy what is within the zone; return what that adds to the roll.

    Rulings: `spawn.clears` "wholly" spares units that are only partly within, `spawn.clears_immobile` "no"
    Horde units that cannot move; with `spawn.removed_bonus` "highest" only the highest bracket counts, with
    `spawn.clear_triggers` "yes" Deadly Demise is rolled for.
    Rule: SPAWN.2, R.A65, R.A68, R.A95, R.A99, SP.R12
    """
    found = [0]
    spared = battle.ruling("spawn.clears_immobile") == "no"
    # Once more for those that got out of the wrecks of transports.
    for _ in range(2):
        for unit in _about(battle, zone):
            if not _is_within(battle, unit, zone) or (spared and _is_immobile(battle, unit)):
                continue
            if unit.side == HORDE:
                found.append(minimum(scheme_of(battle), unit.facts.bracket))
            explodes = battle.ruling("spawn.clear_triggers") == "yes"
            yield from destroy_unit(battle, unit, cause="SPAWN.2", explodes=explodes)
    return max(found) if battle.ruling("spawn.removed_bonus") == "highest" else sum(found)


def _about(battle: Battle, zone: ZoneFacts) -> list[Unit]:
    """Return the units on the battlefield that may be in the zone, and those without models."""
    xs, ys = zip(*zone.polygon, strict=True)
    near = frozenset(battle.near.models_about((min(xs), min(ys), max(xs), max(ys))))
    units = battle.state.position.on_table()
    return [unit for unit in units if not unit.rows or not near.isdisjoint(unit.rows)]


def _is_within(battle: Battle, unit: Unit, zone: ZoneFacts) -> bool:
    """Return whether a unit is within a zone: any part of it, or all of it. Rule: R.A65, R.A66"""
    if battle.ruling("spawn.clears") == "wholly":
        return bool(battle.field.wholly_within_zone(unit, zone.polygon).all())
    return bool(battle.field.within_zone(unit, zone.polygon).any())


def _is_immobile(battle: Battle, unit: Unit) -> bool:
    """Return whether it is a unit of the Horde of which no model has any Move."""
    return unit.side == HORDE and not any(
        battle.query.number(
            "unit.move", model.facts.characteristics.get("M", 0), unit=unit, model=model
        ).value
        for model in battle.state.position.alive(unit)
    )


def spawn_into_reserves(battle: Battle) -> Steps[None]:
    """Spawn one unit more into the Horde's reserves, to arrive behind the players.

    Ruling `spawn.pincer_first_roll`: "yes" makes its roll the round's first. Rule: MISERY.13, R.A72
    """
    first = battle.ruling("spawn.pincer_first_roll") == "yes" and FIRST not in battle.state.marks
    if first:
        note(battle, FIRST, True, "round")
    yield from _roll_and_spawn(battle, None, 0, first)


def _roll_and_spawn(battle: Battle, zone: ZoneFacts | None, bonus: int, first: bool) -> Steps[None]:
    """Roll for the bracket and choose an entry; with no zone, for reserves.

    Rule: SPAWN.3, SPAWN.4.
    """
    scheme = SCHEMES[scheme_of(battle)]
    name = zone.id if zone else "reserves"
    natural = battle.roll(
        "spawn-bracket", scheme.dice, scheme.sides, stream="spawn", unit=name, cause="SPAWN.3"
    )
    change = spawn_modifier(battle, name, first)
    total = sum(natural) + int(change.value) + bonus
    trail = ev.NumberTrail(
        number="spawn.modifier",
        base=0.0,
        value=float(change.value + bonus),
        steps=(*change.trail.steps, *((("SPAWN.2", float(change.value + bonus)),) if bonus else ())),
    )
    bracket = 0 if sum(natural) == scheme.dice else bracket_of(scheme_of(battle), total)
    rows = choose(battle, bracket)
    if battle.state.game_master:
        rows = yield from moderated(battle, rows)
    battle.log(
        ev.SpawnRolled(
            zone=name,
            natural=natural,
            total=total,
            bracket=bracket,
            trail=trail,
            entry=", ".join(row.entry.name for row in rows),
        ),
        "SPAWN.3",
    )
    for place, row in enumerate(rows):
        if row.bracket != bracket:
            row = replace(row, entry=with_leader(battle, row.entry))
        yield from _bring(battle, zone, row, [each.entry for each in rows[place + 1 :]])


def _bring(battle: Battle, zone: ZoneFacts | None, row: Row, later: Sequence[SpawnEntry] = ()) -> Steps[None]:
    """Bring all units of a row, with leaders and passengers, so that what comes later still may."""
    row = replace(row, entry=settled(battle, row.entry, later))
    for place in range(len(row.entry.units)):
        facts = _facts(battle, row, place)
        yield from enter(battle, zone, facts, partial(_board, battle, row=row, later=later))


def _board(battle: Battle, transport: Unit, row: Row, later: Sequence[SpawnEntry]) -> None:
    """Let units come aboard the full transport of a row, until none fits.

    Rule: SPAWN.4, R.A98
    """
    position = battle.state.position
    if transport.hold is None or not row.entry.transport_full:
        return
    while (load := next_load(battle, row, room_left(position, transport), later)) is not None:
        load = replace(load, entry=settled(battle, load.entry, later))
        for place in range(len(load.entry.units)):
            facts = _facts(battle, load, place)
            battle.log(ev.Embarked(unit=facts.id, transport=transport.id, facts=facts), "SPAWN.4")
            name_unmodelled(battle, facts)
            _warlord(battle, position.units[facts.id])


def _facts(battle: Battle, row: Row, place: int) -> UnitFacts:
    """Return the facts of the unit at a place of a settled row; its leaders come with the first."""
    wanted = row.entry.units[place]
    parts = [horde_part(battle.library, wanted.datasheets[0], wanted.models)]
    if place == 0:
        parts += [horde_part(battle.library, each, 1) for each in row.entry.leaders]
    name = parts[0].sheet.id.rsplit("/", 1)[-1]
    facts = muster(
        battle.state.position.next_id(f"horde/{name}"),
        parts,
        side=HORDE,
        player=HORDE,
        first_row=len(battle.state.position.models),
        bracket=row.bracket,
        rules=battle.rulebook.of_datasheets,
    )
    return with_bare_hands(facts, battle.ruling("fight.bare_hands"))


def muster_unit(battle: Battle, facts: UnitFacts, *, waits: bool = False) -> tuple[Unit, bool]:
    """Return a new unit, off the table, and whether it waits in reserves.

    AIRCRAFT hover if they can.

    Rule: SPAWN.6, SPAWN.7, R.A75, CORE.ABL.HOVER, CORE.AIR.1
    """
    facts = hovering(facts, battle.ruleset.parameters) if can_hover(facts) else facts
    flies_in = is_in_the_air(facts)
    later = waits or flies_in or (deep_strikes(facts) and _holds_back(battle))
    how = "strategic" if flies_in else "deep-strike" if later else "muster"
    battle.log(ev.Reserved(unit=facts.id, facts=facts, how=how), "SPAWN.5")
    name_unmodelled(battle, facts)
    unit = battle.state.position.units[facts.id]
    _warlord(battle, unit)
    return unit, later


def enter(
    battle: Battle, zone: ZoneFacts | None, facts: UnitFacts, board: Callable[[Unit], None] | None = None
) -> Steps[None]:
    """Set a new unit up, or put it into reserves, as it always is without a zone.

    Before, `board` lets its passengers come aboard. Rule: SPAWN.6, SPAWN.7
    """
    unit, later = muster_unit(battle, facts, waits=zone is None)
    if board is not None:
        board(unit)
    if zone is None:
        mark(battle, unit, PINCER, True, "battle", "MISERY.13")
        return
    mark(battle, unit, "zone", zone.id, "battle", "SPAWN.6")
    if not later:
        yield from set_up_in_zone(battle, unit, zone.id)


def _holds_back(battle: Battle) -> bool:
    """Return whether units with Deep Strike go into reserves this round. Rule: SPAWN.7, R.A75"""
    last = math.inf if battle.ruling("spawn.deep_strike_rounds") == "from_two" else 4
    return 2 <= battle.state.round <= last


def set_up_in_zone(
    battle: Battle, unit: Unit, zone_id: str, *, whole: bool = False, overflows: bool = True
) -> Steps[bool]:
    """Set a unit up as near the front of its zone as possible; return whether any of it is.

    It is all of it or, if not `whole`, what fits, with no room for the rest; it `overflows` over the front.
    Ruling `spawn.engagement`: "avoided" keeps it out of engagement range. Rule: SPAWN.6, R.A57, R.A64, R.A67.
    """
    apart = battle.ruleset.parameters.engagement if battle.ruling("spawn.engagement") == "avoided" else 0.0
    zones = battle.state.position.zones
    zone = zones[zone_id]
    answer = yield Place(
        seats=(HORDE,),
        rule="SPAWN.6",
        decision="spawn",
        prompt=f"{unit.name} spawns in {zone.id}.",
        unit=unit.id,
        kind="spawn",
        rows=unit.rows,
        areas=(zone.polygon,),
        clear=apart,
        front=zone.front,
        overflow=tuple(z.polygon for z in zones.values() if overflows and z.kind == "no-mans-land"),
        optional=True,
        partly=not whole,
    )
    assert isinstance(answer, Places)
    if whole and not answer.poses:
        return False
    _lose(battle, unit, [row for row in unit.rows if row not in answer.poses])
    if not answer.poses:
        for rider in passengers(battle.state.position, unit.id):
            _lose(battle, rider, rider.rows)
        return False
    yield from battle.happen(ev.Placed(unit=unit.id, poses=answer.poses), "SPAWN.6")
    mark(battle, unit, "spawned", zone_id, "round", "SPAWN.6")
    if battle.field.engaged_with(unit):
        mark(battle, unit, "charged", True, "turn", "SPAWN.6")
    return True


def _lose(battle: Battle, unit: Unit, rows: Sequence[int]) -> None:
    """Destroy models for which there is no room as a unit spawns. Rule: R.A64"""
    for row in rows:
        battle.log(ev.Destroyed(unit=unit.id, model=row), "R.A64")
    if not unit.rows:
        battle.log(ev.UnitDestroyed(unit=unit.id), "R.A64")


def _warlord(battle: Battle, unit: Unit) -> None:
    """Make the first CHARACTER that spawns the Horde's Warlord.

    Ruling `horde.warlord`: "next" lets one that spawns later follow a fallen Warlord. Rule: SPAWN.8, R.A74
    """
    now = battle.state.position.units.get(str(battle.state.marks.get(WARLORD)))
    fallen = now is not None and (now.where == "destroyed" or not now.has("CHARACTER"))
    if unit.has("CHARACTER") and (now is None or (fallen and battle.ruling("horde.warlord") == "next")):
        note(battle, WARLORD, unit.id, "battle")
