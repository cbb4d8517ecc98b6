"""The rarer words of conditions: spots of fallen models, kept names, a unit's options.

Each word reads the battle and changes nothing.
"""

from __future__ import annotations

from typing import Any

from datasheets.rule import Rule
from engine.core.facts import TerrainFacts
from engine.core.marks import ENHANCED, WARLORD, name_of
from engine.core.state import Marker, Model, Objective, Unit
from engine.records.context import Context
from engine.records.language import word
from engine.w40k.activation import champion
from engine.w40k.attack import eligibility
from engine.w40k.attack.volley import toughness_of
from engine.w40k.battle import Battle
from engine.w40k.phase import charge, fight
from geometry.measure.distance import gaps
from geometry.measure.distance import within as within_inches
from geometry.measure.region import base_touches

AREA_TERRAIN = ("ruin", "woods", "crater")
"""The kinds of terrain that are areas with a footprint."""


@word()
def named(battle: Battle, thing: Any, key: str) -> bool:
    """Return whether something is among the names kept for the battle under this key."""
    return name_of(thing) in battle.state.marks.names(key)


@word()
def kept(battle: Battle, key: str) -> int:
    """Return how many names are kept for the battle under this key."""
    return len(battle.state.marks.names(key))


@word()
def listed(battle: Battle, unit: Unit | None, thing: Any, key: str) -> bool:
    """Return whether a mark on something names a unit, alone or among others."""
    if unit is None:
        return False
    return thing.marks.get(key) == unit.id or unit.id in thing.marks.names(key)


@word(clause="ARMY.10.combat-doctrines")
def is_listed(battle: Battle, name: str, seat: str, key: str) -> bool:
    """Return whether a word is among those listed on a player under this key."""
    return name in battle.state.players[seat].marks.names(key)


@word(clause="ARMY.10.oath-of-moment")
def fields_one_of(battle: Battle, seat: str, *detachments: str) -> bool:
    """Return whether the player's detachment is one of these."""
    fielded = battle.state.players[seat].facts.detachment.strip().casefold()
    return fielded in [each.casefold() for each in detachments]


@word(clause="ARMY.10.oath-of-moment")
def fields(battle: Battle, seat: str, keyword: str) -> bool:
    """Return whether a unit of the player's army, living or lost, has a keyword."""
    own = [unit.facts for unit in battle.state.position.units.values() if unit.player == seat]
    return any(keyword in part.keywords for facts in own for part in facts.parts)


@word(clause="BUY.name-earned")
def owns(battle: Battle, seat: str, model: Model) -> bool:
    """Return whether a model is of a player's army."""
    return battle.state.position.units[model.unit].player == seat


@word(clause="BUY.name-earned")
def is_enhanced(battle: Battle, model: Model) -> bool:
    """Return whether a model has an enhancement."""
    return f"{ENHANCED}{model.row}" in battle.state.position.units[model.unit].marks


@word(clause="BUY.name-earned")
def may_bear(battle: Battle, model: Model, rule: Rule, seat: str) -> bool:
    """Return whether a player may give a model this enhancement.

    It must be one of the player's detachment that no model has yet. Rule: BUY.name-earned
    """
    state = battle.state
    if rule.id not in state.players[seat].facts.rules or rule.id in state.barred:
        return False
    own = [unit for unit in state.position.units.values() if unit.player == seat]
    if any(unit.marks.get(f"{ENHANCED}{row}", "") == rule.id for unit in own for row in unit.rows):
        return False
    suits = battle.rulebook.compiled(rule.id).borne_by
    query = battle.query
    return suits is None or bool(query.evaluate(suits, query.context({"model": model})))


@word(clause="ARMY.10.fire-discipline")
def leads(battle: Battle, model: Model | None) -> bool:
    """Return whether a living model leads a bodyguard."""
    return model is not None and model.alive and battle.state.position.units[model.unit].is_attached


@word()
def stands(battle: Battle, model: Model | None) -> bool:
    """Return whether a living model is on the battlefield."""
    return model is not None and model.alive and battle.state.position.units[model.unit].where == "table"


@word()
def is_marked(battle: Battle, thing: Any, seat: str, key: str) -> bool:
    """Return whether a mark on a player names this thing."""
    return thing is not None and battle.state.players[seat].marks.get(key, "") == name_of(thing)


@word()
def mark_for(battle: Battle, unit: Unit | None, key: str) -> Any:
    """Return the value of a mark on a unit or else on its player, 0 where neither has it."""
    if unit is None:
        return 0
    player = battle.state.players.get(unit.player)
    return unit.marks.get(key, player.marks.get(key) if player else 0)


@word()
def is_warlord(battle: Battle, unit: Unit) -> bool:
    """Return whether a living part of the unit is its army's Warlord. Rule: SPAWN.8"""
    if battle.state.marks.get(WARLORD) == unit.id:
        return unit.has("CHARACTER")
    return any(part.warlord for part in unit.parts)


@word()
def is_among(battle: Battle, unit: Unit, names: tuple[str, ...] | None) -> bool:
    """Return whether the unit is one of those named."""
    return unit.id in (names or ())


@word()
def is_marked_model(battle: Battle, model: Model, key: str) -> bool:
    """Return whether a mark on its unit names this model."""
    return battle.state.position.units[model.unit].marks.get(key, -1) == model.row


@word()
def on_table(battle: Battle, unit: Unit) -> bool:
    """Return whether a unit is on the battlefield."""
    return unit.where == "table"


@word()
def in_reserves(battle: Battle, unit: Unit) -> bool:
    """Return whether a unit is in reserves."""
    return unit.where == "reserves"


@word()
def engages(battle: Battle, unit: Unit, other: Unit) -> bool:
    """Return whether two units are within engagement range of each other."""
    return battle.field.engaged(unit, other)


@word(clause="DATASHEET.fortification")
def engaged_by_only(battle: Battle, unit: Unit | None, bearer: Unit, keyword: str) -> bool:
    """Return whether a rule's bearer engages a unit, and of its side only units of a keyword do."""
    if unit is None or not battle.field.engaged(unit, bearer):
        return False
    return all(each.has(keyword) for each in battle.field.engaged_with(unit))


@word()
def toughness(battle: Battle, unit: Unit) -> int:
    """Return the unit's Toughness, of an Attached unit its bodyguard's. Rule: CORE.ATK.3"""
    printed = toughness_of(battle, unit) if unit.rows else 1
    return int(battle.query.number("model.toughness", printed, unit=unit, target=unit).value)


@word(clause="CORE.STR.6")
def best_strength(battle: Battle, unit: Unit) -> int:
    """Return the highest Strength of the unit's melee weapons, 0 without any."""
    places = {place for model in battle.state.position.alive(unit) for place in model.facts.weapons}
    weapons = [unit.weapon(place) for place in places if unit.weapon(place).is_melee]
    return max((each.strength for each in weapons if isinstance(each.strength, int)), default=0)


@word(looks_up=("attacker", "rewarded"))
def remained_stationary(battle: Battle, unit: Unit, context: Context) -> bool:
    """Return whether a unit has remained stationary this turn, or is `rewarded` as if it had.

    Whoever looks ahead supposes the latter of the attacker. Rule: CORE.MOVE.1, AI.STAY.3
    """
    if context["rewarded"] is not None and unit is context["attacker"]:
        return bool(context["rewarded"])
    return unit.where == "table" and unit.side == battle.state.turn and unit.has_stayed


@word(clause="CORE.STR.2")
def fights_first(battle: Battle, unit: Unit) -> bool:
    """Return whether the unit has Fights First."""
    return fight.has_fights_first(battle, unit)


@word(clause="CORE.STR.3")
def fights_attached(battle: Battle, unit: Unit) -> bool:
    """Return whether the unit is within engagement range of an Attached unit."""
    return any(enemy.is_attached for enemy in battle.field.engaged_with(unit))


@word(clause="ARMY.10.storm-of-fire")
def has_shots(battle: Battle, unit: Unit) -> bool:
    """Return whether the unit may shoot at anything."""
    return eligibility.has_shots(battle, unit)


@word()
def could_shoot(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Return whether the unit sees another and could shoot it, were it its Shooting phase."""
    return eligibility.could_shoot(battle, unit, target)


@word()
def could_charge(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Return whether the unit could declare a charge against another, were it its Charge phase."""
    return any(enemy.id == target.id for enemy in charge.targets(battle, unit))


@word(clause="CORE.STR.5")
def could_throw(battle: Battle, unit: Unit, target: Unit, inches: float) -> bool:
    """Return whether a model with grenades sees a unit within this distance."""
    return bool(champion.throwers(battle, unit, target, inches))


@word()
def markers_in_range(battle: Battle, unit: Unit) -> tuple[str, ...]:
    """Return the names of the objective markers within whose range the unit is."""
    field = battle.field
    return tuple(
        name for name, each in battle.state.position.objectives.items() if field.in_range_of(unit, each).any()
    )


@word(clause="SEC.9")
def left_marker(battle: Battle, unit: Unit) -> bool:
    """Return whether the unit is out of range of a marker within whose range it began the turn.

    Ruling `mission.painted`: "all" looks for one that is out of range of every such marker. Rule: R.A84.
    """
    began = [name for name in unit.marks.names("began-at") if name in battle.state.position.objectives]
    left = set(began).difference(markers_in_range(battle, unit))
    return len(left) == len(began) > 0 if battle.ruling("mission.painted") == "all" else bool(left)


@word()
def kind_of(battle: Battle, marker: Marker) -> str:
    """Return what kind of marker it is."""
    return marker.kind


@word(clause="BUY.air-strike")
def is_area(battle: Battle, terrain: TerrainFacts) -> bool:
    """Return whether a terrain piece is area terrain."""
    return terrain.kind in AREA_TERRAIN


@word(clause="BUY.razor-wire")
def first_near(battle: Battle, unit: Unit, inches: float, marker: Marker) -> bool:
    """Return whether this marker is the first of its kind within this distance of the unit."""
    for each in battle.state.position.markers.values():
        if each.kind == marker.kind and _near(battle, unit, inches, each):
            return each.id == marker.id
    return False


@word(clause="BUY.experimental-defenses")
def engaged_near(battle: Battle, unit: Unit, inches: float, objective: Objective) -> bool:
    """Return whether an enemy in engagement range of the unit is this close to a marker."""
    return any(_near(battle, foe, inches, objective) for foe in battle.field.engaged_with(unit))


def _near(battle: Battle, unit: Unit, inches: float, thing: Marker | Objective) -> bool:
    gaps = battle.field.gap_to_disc(unit, thing.at, battle.ruleset.parameters.marker_radius)
    return bool(within_inches(gaps, inches).any())


@word()
def is_last(battle: Battle, model: Model) -> bool:
    """Return whether no model of this one's part of its unit is left."""
    unit = battle.state.position.units[model.unit]
    return all(battle.state.position.models[row].facts.part != model.facts.part for row in unit.rows)


@word(clause="SECRET.4")
def fell_in_zone(battle: Battle, model: Model, kind: str) -> bool:
    """Return whether a model was last within a zone of this kind."""
    where = battle.field.outlines((model.row,))
    zones = [zone.polygon for zone in battle.state.position.zones.values() if zone.kind == kind]
    return any(bool(base_touches(polygon, where).any()) for polygon in zones)


@word(clause="SECRET.12")
def fell_engaged(battle: Battle, model: Model, unit: Unit) -> bool:
    """Return whether a model was last within engagement range of a unit. Rule: CORE.ER.1."""
    field = battle.field
    apart = gaps(field.outlines((model.row,)), field.outlines(unit.rows))
    return bool(field.are_near((model.row,), unit.rows, apart).any())
