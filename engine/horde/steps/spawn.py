"""Spawning the Horde: zone by zone, clear, roll, choose, set up."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from msgspec.structs import replace

from datasheets.schema import Datasheet, SpawnEntry
from engine.core import event as ev
from engine.core.facts import HORDE, UnitFacts, ZoneFacts
from engine.core.request import Place, Places, Steps
from engine.core.state import Unit
from engine.horde.spawn_scheme import SCHEMES, bracket_of, index_dice, minimum
from engine.horde.steps.mission import spawn_modifier
from engine.w40k.activation.unit_choice import mark, note
from engine.w40k.attack.damage import destroy_unit
from engine.w40k.flight import can_hover, hovering, is_in_the_air
from engine.w40k.muster import Part, horde_part, muster
from engine.w40k.phase.deploy import deep_strikes, name_unmodelled
from geometry.measure.region import Bounds

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

PINCER = "pincer"
"""The mark of a unit that arrives behind the players. Rule: MISERY.13."""
FIRST = "first-spawn-rolled"
"""The mark of a round whose first spawn roll was one into reserves. Rule: R.A72"""
WARLORD = "horde-warlord"
BARRED = ("AIRCRAFT", "FORTIFICATION")
"""Barred from the spawning tables, as the text advises; a ruling lets the first in. Rule: ARMY.9"""


def spawn(battle: Battle) -> Steps[bool]:
    """Spawn into the next zone. Rule: SPAWN.1."""
    done = battle.state.marks.names("zones-spawned")
    left = [z for z in battle.state.position.zones.values() if z.kind == "spawn" and z.id not in done]
    if not left:
        return False
    zone = left[0]
    note(battle, "zones-spawned", (*done, zone.id), "round")
    bonus = yield from clear(battle, zone)
    yield from _roll_and_spawn(battle, zone, bonus, first=not done and FIRST not in battle.state.marks)
    return True


def clear(battle: Battle, zone: ZoneFacts) -> Steps[int]:
    """Destroy what is within the zone; return what that adds to the roll.

    Rulings: `spawn.clears` "wholly" spares units that are only partly within, `spawn.clears_immobile` "no"
    Horde units that cannot move; with `spawn.removed_bonus` "highest" only the highest bracket counts.
    Rule: SPAWN.2, R.A65, R.A68, R.A95
    """
    found = [0]
    spared = battle.ruling("spawn.clears_immobile") == "no"
    near = frozenset(battle.near.models_about(_bounds(zone)))
    for unit in battle.state.position.on_table():
        if unit.rows and near.isdisjoint(unit.rows):
            continue
        if not _is_within(battle, unit, zone) or (spared and _is_immobile(battle, unit)):
            continue
        if unit.side == HORDE:
            found.append(minimum(battle.ruleset.spawn_scheme, unit.facts.bracket))
        yield from destroy_unit(battle, unit, cause="SPAWN.2")
    return max(found) if battle.ruling("spawn.removed_bonus") == "highest" else sum(found)


def _bounds(zone: ZoneFacts) -> Bounds:
    xs, ys = zip(*zone.polygon, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


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
    """Roll for the bracket and choose an entry; with no zone, for reserves. Rule: SPAWN.3, SPAWN.4."""
    scheme = SCHEMES[battle.ruleset.spawn_scheme]
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
    bracket = 0 if sum(natural) == scheme.dice else bracket_of(battle.ruleset.spawn_scheme, total)
    entries = yield from _choose(battle, bracket)
    battle.log(
        ev.SpawnRolled(
            zone=name,
            natural=natural,
            total=total,
            bracket=bracket,
            trail=trail,
            entry=", ".join(entry.name for _, entry in entries),
        ),
        "SPAWN.3",
    )
    for from_bracket, entry in entries:
        led = entry if from_bracket == bracket else with_leader(battle, entry)
        yield from _bring(battle, zone, from_bracket, led)


def _choose(battle: Battle, bracket: int) -> Steps[list[tuple[int, SpawnEntry]]]:
    """Return what comes: an entry of the bracket, or two of the one below where it has none.

    Rule: SPAWN.4, SP.R5, SP.R6, R.A73.
    """
    wanted = 1
    while bracket > 0:
        table = [entry for entry in entries_of(battle, bracket) if is_available(battle, entry)]
        picks: list[SpawnEntry] = []
        while table and len(picks) < wanted:
            picks.append(table[index_dice(battle, len(table))])
            here = _heroes(battle, picks[-1])
            table = [entry for entry in table if not here & _heroes(battle, entry)]
        if picks:
            return [(bracket, entry) for entry in picks]
        bracket -= 1
        wanted = 2
    return []
    yield


def with_leader(battle: Battle, entry: SpawnEntry) -> SpawnEntry:
    """Return an entry from a lower bracket with a leader to choose, where it has none and may be led.

    Ruling `spawn.leader_on_downgrade`: "no" brings none. Rule: SPAWN.4, SP.R8.
    """
    led = entry.units[0].datasheets[0]
    if entry.leaders or entry.leader_choices or battle.ruling("spawn.leader_on_downgrade") == "no":
        return entry
    possible = tuple(
        sheet.id
        for sheet in battle.library.datasheets(led.partition("/")[0])
        if led in sheet.leads and not sheet.legends and not _in_play(battle, sheet.id)
    )
    return replace(entry, leader_choices=min(1, len(possible)), possible_leaders=possible)


def entries_of(battle: Battle, bracket: int) -> list[SpawnEntry]:
    """Return the bracket's entries over all of the Horde's factions, in printed order. Rule: ARMY.6."""
    return [
        entry
        for faction in battle.state.factions
        for entry in battle.library.spawn_table(faction).brackets.get(bracket, ())
    ]


def is_available(battle: Battle, entry: SpawnEntry) -> bool:
    """Return whether the entry may come: none of it barred, no epic hero of it in play.

    Rule: ARMY.9, SP.R6.
    """
    barred = BARRED[1:] if battle.ruling("spawn.aircraft") == "yes" else BARRED
    if any(sheet.has(word) for sheet in _sheets(battle, entry) for word in barred):
        return False
    return not any(_in_play(battle, hero) for hero in sorted(_heroes(battle, entry)))


def _sheets(battle: Battle, entry: SpawnEntry) -> list[Datasheet]:
    sheets = [battle.library.datasheet(i) for unit in entry.units for i in unit.datasheets[:1]]
    return sheets + [battle.library.datasheet(i) for i in entry.leaders]


def _heroes(battle: Battle, entry: SpawnEntry) -> frozenset[str]:
    """Return the epic heroes that the entry brings for certain: of each there is only one."""
    return frozenset(sheet.id for sheet in _sheets(battle, entry) if sheet.has("EPIC HERO"))


def _in_play(battle: Battle, datasheet: str) -> bool:
    return any(
        part.datasheet == datasheet
        for unit in battle.state.position.units.values()
        if unit.side == HORDE and unit.where in ("table", "reserves", "embarked")
        for part in unit.parts
    )


def _bring(battle: Battle, zone: ZoneFacts | None, bracket: int, entry: SpawnEntry) -> Steps[None]:
    for place, wanted in enumerate(entry.units):
        sheet = wanted.datasheets[0]
        if len(wanted.datasheets) > 1:
            sheet = wanted.datasheets[
                battle.pick("spawn-alternative", len(wanted.datasheets), stream="spawn", cause="SPAWN.4")
            ]
        parts = [horde_part(battle.library, sheet, wanted.models)]
        if place == 0:
            parts += _leaders(battle, entry, sheet)
        facts = _facts(battle, bracket, parts)
        if entry.transport_full:
            reason = "a full transport comes without its passengers: the table does not say which"
            battle.log(ev.Unmodelled(rule="SPAWN.4 full transport", reason=reason, unit=facts.id), "SPAWN.4")
        yield from enter(battle, zone, facts)


def _leaders(battle: Battle, entry: SpawnEntry, led: str) -> list[Part]:
    """Return the leaders that come attached: those named, and those left to choose, at random.

    A second leader is one that may join a first, where there is such. Rule: SPAWN.4, CORE.ABL.LEADER.
    """
    leaders = [horde_part(battle.library, i, 1) for i in entry.leaders]
    free = [sheet for i in entry.possible_leaders if led in (sheet := battle.library.datasheet(i)).leads]
    free = [sheet for sheet in free if not (sheet.has("EPIC HERO") and _in_play(battle, sheet.id))]
    for _ in range(entry.leader_choices):
        fit = [s for s in free if not leaders or s.joins_leader or all(p.sheet.joins_leader for p in leaders)]
        if fit := fit or free:
            chosen = fit[battle.pick("spawn-leader", len(fit), stream="spawn", cause="SPAWN.4")]
            free.remove(chosen)
            leaders.append(horde_part(battle.library, chosen.id, 1))
    return leaders


def _facts(battle: Battle, bracket: int, parts: list[Part]) -> UnitFacts:
    name = parts[0].sheet.id.rsplit("/", 1)[-1]
    count = sum(unit.split("#")[0] == f"horde/{name}" for unit in battle.state.position.units) + 1
    return muster(
        f"horde/{name}#{count}",
        parts,
        side=HORDE,
        player=HORDE,
        first_row=len(battle.state.position.models),
        bracket=bracket,
        rules=battle.rulebook.of_datasheets,
    )


def enter(battle: Battle, zone: ZoneFacts | None, facts: UnitFacts) -> Steps[None]:
    """Set a new unit up, or put it into reserves; AIRCRAFT hover if they can.

    Rule: SPAWN.6, SPAWN.7, R.A75, CORE.ABL.HOVER, CORE.AIR.1
    """
    facts = hovering(facts, battle.ruleset.parameters) if can_hover(facts) else facts
    flies_in = is_in_the_air(facts)
    later = zone is None or flies_in or (deep_strikes(facts) and _holds_back(battle))
    how = "strategic" if flies_in else "deep-strike" if later else "muster"
    battle.log(ev.Reserved(unit=facts.id, facts=facts, how=how), "SPAWN.5")
    name_unmodelled(battle, facts)
    unit = battle.state.position.units[facts.id]
    _warlord(battle, unit)
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


def set_up_in_zone(battle: Battle, unit: Unit, zone_id: str) -> Steps[bool]:
    """Set a unit up as near the front of its zone as possible; return whether any fits.

    Ruling `spawn.engagement`: "avoided" keeps it out of engagement range. Rule: SPAWN.6, R.A57, R.A64, R.A67.
    """
    apart = battle.ruleset.parameters.engagement if battle.ruling("spawn.engagement") == "avoided" else 0.0
    zone = battle.state.position.zones[zone_id]
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
        overflow=tuple(z.polygon for z in battle.state.position.zones.values() if z.kind == "no-mans-land"),
        optional=True,
        partly=True,
    )
    assert isinstance(answer, Places)
    for row in unit.rows:
        if row not in answer.poses:
            battle.log(ev.Destroyed(unit=unit.id, model=row), "R.A64")
    if not answer.poses:
        battle.log(ev.UnitDestroyed(unit=unit.id), "R.A64")
        return False
    yield from battle.happen(ev.Placed(unit=unit.id, poses=answer.poses), "SPAWN.6")
    mark(battle, unit, "spawned", zone_id, "round", "SPAWN.6")
    if battle.field.engaged_with(unit):
        mark(battle, unit, "charged", True, "turn", "SPAWN.6")
    return True


def _warlord(battle: Battle, unit: Unit) -> None:
    """Make the first CHARACTER that spawns the Horde's Warlord.

    Ruling `horde.warlord`: "next" lets one that spawns later follow a fallen Warlord. Rule: SPAWN.8, R.A74
    """
    now = battle.state.position.units.get(str(battle.state.marks.get(WARLORD)))
    fallen = now is not None and (now.where == "destroyed" or not now.has("CHARACTER"))
    if unit.has("CHARACTER") and (now is None or (fallen and battle.ruling("horde.warlord") == "next")):
        note(battle, WARLORD, unit.id, "battle")
