"""The names of things in events and requests, and the marks that things bear."""

from __future__ import annotations

from typing import Any

from datasheets.rule import Rule
from engine.core.facts import TerrainFacts
from engine.core.state import Marker, Marks, Model, Objective, Player, State, Unit

BESTOWED = "under:"
"""How the marks begin that put a rule in force on a unit for a while; the rule's id follows."""
GIVEN_BY = "@"
"""What parts the id of a rule that names its giver from the unit that bestowed it."""
ENHANCED = "enhancement:"
"""How the marks begin that give a model of a unit an enhancement.

The model's row follows. The mark's value is the id of the enhancement's rule.
"""

WARLORD = "horde-warlord"
"""The mark of the battle that names the unit which has the Horde's Warlord. Rule: SPAWN.8"""

OWN = "own "
"""How a rule names the start of its owner's next turn or phase: "own turn", "own movement"."""
NEXT_TURN = "next turn"
"""How a rule names the end of the turn after this one, whosever that is."""


def start_of(side: str, phase: str = "") -> str:
    """Return the moment at which marks go that last until a side's next turn, or phase, begins."""
    return f"{side}'s next {phase or 'turn'}"


def lasting(until: str, side: str) -> str:
    """Return until when a mark lasts that a rule of this side sets, as the mark says it."""
    if not until.startswith(OWN):
        return until
    phase = until.removeprefix(OWN)
    return start_of(side, "" if phase == "turn" else phase)


def name_of(thing: Any) -> str:
    """Return the id of anything that can be selected; a word is its own."""
    if isinstance(thing, str):
        return thing
    if isinstance(thing, Objective | Player):
        return thing.facts.id
    if isinstance(thing, Model):
        return f"{thing.unit}:{thing.row}"
    return str(thing.id)


def label(thing: Any) -> str:
    """Return what something is called in a list of options."""
    if isinstance(thing, Unit):
        return thing.name
    if isinstance(thing, Model):
        return thing.facts.name
    if isinstance(thing, Rule):
        return thing.name
    if isinstance(thing, TerrainFacts):
        return f"{thing.kind} {thing.id}"
    return name_of(thing)


def place_of(thing: Any) -> str:
    """Return the name under which something bears marks: "unit:ID", "player:ID", …"""
    if isinstance(thing, Unit):
        return f"unit:{thing.id}"
    if isinstance(thing, Objective):
        return f"objective:{thing.facts.id}"
    if isinstance(thing, Marker):
        return f"marker:{thing.id}"
    return f"player:{name_of(thing)}"


def carries(unit: Unit, model: Model, items: tuple[str, ...]) -> bool:
    """Return whether a model of a unit has one of these items of wargear, weapons among them."""
    if not set(items).isdisjoint(model.facts.items):
        return True
    return any(unit.weapon(place).item in items for place in model.facts.weapons)


def marks_of(state: State, thing: Any) -> Marks:
    """Return the marks on a unit, objective or marker, or on the player of that name."""
    if isinstance(thing, Unit | Objective | Marker):
        return thing.marks
    return state.players[name_of(thing)].marks


def is_marked(state: State, on: str, key: str) -> bool:
    """Return whether the bearer of this name, "rule:ID" among them, bears a mark."""
    kind, _, name = on.partition(":")
    if kind == "rule":
        return name in state.rule_marks and key in state.rule_marks[name]
    things: dict[str, Any] = {
        "unit": state.position.units,
        "objective": state.position.objectives,
        "marker": state.position.markers,
        "player": state.players,
    }
    return key in things[kind][name].marks
