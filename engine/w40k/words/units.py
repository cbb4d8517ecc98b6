"""The words of conditions about units: sides, keywords, marks, control and tallies.

Owns the kinds of things that selectors name, too. Each word reads the battle and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.core.facts import HORDE, PLAYERS, TerrainFacts, WeaponFacts
from engine.core.state import Model, Objective, Unit
from engine.records.expression import terms
from engine.records.language import Kind, word
from engine.w40k.battle import Battle

CELLS = ("1", "2", "3", "4", "5", "6")
"""The sixths of the battlefield, by number."""


@word(of_sheet=True)
def horde(battle: Battle, thing: Unit | Model | None) -> bool:
    """Return whether a unit or model is the Horde's."""
    return thing is not None and _unit(battle, thing).side == HORDE


@word(of_sheet=True)
def player(battle: Battle, thing: Unit | Model | None) -> bool:
    """Return whether a unit or model is a player's."""
    return thing is not None and _unit(battle, thing).side == PLAYERS


@word()
def own(battle: Battle, unit: Unit | None, seat: str) -> bool:
    """Return whether a unit is this player's."""
    return unit is not None and unit.player == seat


@word()
def has(battle: Battle, unit: Unit | None, keyword: str) -> bool:
    """Return whether a living part of the unit has a keyword."""
    return unit is not None and unit.has(keyword)


@word()
def began_with(battle: Battle, unit: Unit | None, keyword: str, part: int | None = None) -> bool:
    """Return whether a part of the unit, or any, living or lost, has a keyword."""
    parts = () if unit is None else unit.facts.parts
    return any(keyword in each.keywords for i, each in enumerate(parts) if part in (None, i))


@word(of_sheet=True)
def is_a(battle: Battle, model: Model | None, keyword: str) -> bool:
    """Return whether a model's own datasheet has a keyword, or that for a name."""
    if model is None:
        return False
    part = _unit(battle, model).facts.parts[model.facts.part]
    return keyword in part.keywords or keyword == part.name.upper()


@word()
def weapon_has(battle: Battle, weapon: WeaponFacts | None, ability: str) -> bool:
    """Return whether a weapon is printed with an ability. Rule: CORE.WPN.PSY."""
    return weapon is not None and weapon.has(ability)


@word(clause="PLAY.tallies")
def starting_wounds(battle: Battle, model: Model) -> int:
    """Return a model's Wounds characteristic."""
    return model.facts.characteristics.get("W", 1)


def _unit(battle: Battle, thing: Unit | Model) -> Unit:
    return thing if isinstance(thing, Unit) else battle.state.position.units[thing.unit]


@word()
def battle_shocked(battle: Battle, unit: Unit) -> bool:
    """Return whether a unit is Battle-shocked."""
    return "battle-shocked" in unit.marks


@word(looks_around=True)
def marked(battle: Battle, thing: Any, key: str) -> bool:
    """Return whether something bears a mark."""
    return thing is not None and key in thing.marks


@word(looks_around=True)
def mark_of(battle: Battle, thing: Any, key: str) -> Any:
    """Return the value of a mark, 0 where there is none."""
    return 0 if thing is None else thing.marks.get(key)


@word()
def engaged(battle: Battle, unit: Unit) -> bool:
    """Return whether a unit is within engagement range of an enemy."""
    return bool(unit.where == "table" and battle.field.engaged_with(unit))


@word(clause="BUY.patched-up")
def wounds_lost(battle: Battle, unit: Unit) -> bool:
    """Return whether the unit has lost a wound or a model."""
    models = [m for m in battle.state.position.models if m.unit == unit.id]
    return any(m.wounds < starting_wounds(battle, m) for m in models)


@word(looks_around=True)
def controlled(battle: Battle, objective: Objective | str | None, side: str = PLAYERS) -> bool:
    """Return whether a side controls an objective marker.

    No side controls a marker that is gone.
    """
    if isinstance(objective, str):
        objective = battle.state.position.objectives.get(objective)
    return objective is not None and objective.by == side


@word(looks_around=True)
def fortified(battle: Battle, objective: Objective) -> bool:
    """Return whether an objective marker is Fortified."""
    return bool(objective.fortified)


@word(clause="BUY.supply-drop", looks_around=True)
def objectives(battle: Battle) -> int:
    """Return how many objective markers there are."""
    return len(battle.state.position.objectives)


@word(looks_around=True)
def alive(battle: Battle, seat: str) -> bool:
    """Return whether a player has a model in play or in reserve. Rule: WIN.3, R.A88."""
    return any(
        unit.player == seat and unit.where in ("table", "reserves", "embarked")
        for unit in battle.state.position.units.values()
    )


@word(looks_around=True)
def players(battle: Battle) -> int:
    """Return how many players began the battle."""
    return len(battle.state.players)


@word(looks_around=True)
def survivors(battle: Battle) -> int:
    """Return how many players are not knocked out."""
    return sum(alive(battle, seat) for seat in battle.state.players)


@word(clause="WIN.3", looks_around=True)
def knocked_out(battle: Battle) -> int:
    """Return how many players have lost every unit they had. Rule: WIN.3."""
    had = {unit.player for unit in battle.state.position.units.values()}
    return sum(seat in had and not alive(battle, seat) for seat in battle.state.players)


@word(looks_around=True)
def tally(battle: Battle, key: str) -> int:
    """Return a tally kept for the whole battle's team."""
    return battle.state.marks.count(key)


@word(looks_around=True)
def own_tally(battle: Battle, seat: str, key: str) -> int:
    """Return a player's tally."""
    return battle.state.players[seat].marks.count(key)


@word(clause="ROUND.2")
def by_round(battle: Battle, *values: float) -> float:
    """Return this round's entry of a list; the last one goes on."""
    return values[min(max(battle.state.round, 1), len(values)) - 1]


@word()
def ruling(battle: Battle, key: str) -> str:
    """Return how an open point of the text is read in this battle."""
    return battle.ruling(key)


@word()
def tagged(battle: Battle, rule: Any, tag: str) -> bool:
    """Return whether a rule has a tag."""
    return rule is not None and tag in rule.tags


def passes_filter(unit: Unit, text: str) -> bool:
    """Return whether a unit passes a filter: "horde and not MONSTER"."""
    return all(_is(unit, unit.keywords, word) == wanted for wanted, word in terms(text))


def models_passing(unit: Unit, text: str) -> tuple[int, ...]:
    """Return the rows of the unit's models that pass a filter by their own datasheets."""
    parts = [
        all(_is(unit, part.keywords, word) == wanted for wanted, word in terms(text))
        for part in unit.facts.parts
    ]
    rows = set(unit.rows) if any(parts) else set()
    return tuple(model.row for model in unit.facts.models if parts[model.part] and model.row in rows)


def _is(unit: Unit, keywords: frozenset[str], word: str) -> bool:
    if word in (HORDE, "player"):
        return (unit.side == HORDE) == (word == HORDE)
    if word == "battle-shocked":
        return word in unit.marks
    return word in keywords


def _units(battle: Battle) -> Iterator[Unit]:
    return (unit for unit in battle.state.position.on_table() if unit.rows)


def _reserves(battle: Battle) -> Iterator[Unit]:
    return (unit for unit in battle.state.position.units.values() if unit.where == "reserves")


def _members(battle: Battle) -> Iterator[Unit]:
    return (unit for unit in battle.state.position.units.values() if unit.where != "destroyed" and unit.rows)


def _characters(battle: Battle) -> Iterator[Model]:
    return (
        model for model in battle.state.position.models if model.alive and is_a(battle, model, "CHARACTER")
    )


def _models(battle: Battle) -> Iterator[Model]:
    return (model for unit in _units(battle) for model in battle.state.position.alive(unit))


def _enhancements(battle: Battle) -> Iterator[Any]:
    return (rule for rule in battle.rulebook.rules if "enhancement" in rule.tags)


def _terrain(battle: Battle) -> Iterator[TerrainFacts]:
    """Yield the terrain on the battlefield, without that beyond a board that was moved."""
    left, low, right, high = battle.state.position.board.bounds
    for piece in battle.state.position.terrain.values():
        x, y = zip(*piece.footprint, strict=True)
        if min(x) < right and max(x) > left and min(y) < high and max(y) > low:
            yield piece


KINDS = (
    Kind("unit", _units),
    Kind("reserve", _reserves, called="unit"),
    Kind("member", _members, called="unit"),
    Kind("model", _models),
    Kind("character", _characters, called="model"),
    Kind("enhancement", _enhancements, called="rule"),
    Kind("objective", lambda battle: battle.state.position.objectives.values()),
    Kind("terrain", _terrain),
    Kind("marker", lambda battle: battle.state.position.markers.values()),
    Kind("seat", lambda battle: battle.state.players),
    Kind("zone", lambda battle: battle.state.position.zones.values()),
    Kind("cell", lambda battle: CELLS),
)
"""What selectors may name, and how a battle lists it."""
