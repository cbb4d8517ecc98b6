"""The names of things in events and requests, and the marks that things bear."""

from __future__ import annotations

from typing import Any

from datasheets.rule import Rule
from engine.core.facts import TerrainFacts
from engine.core.state import Marker, Marks, Model, Objective, Player, State, Unit

BESTOWED = "under:"
"""How the marks begin that put a rule in force on a unit for a while; the rule's id follows."""
ENHANCED = "enhancement:"
"""How the marks begin that give a model of a unit, by its row, an enhancement; its rule's id is the value."""


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
