"""The names that an expression sees: attacker and target, the unit, the seat, the phase.

Owns how a name is found; names that were not given are None, and the battle's own are read when asked.
"""

from __future__ import annotations

from typing import Any

from engine.core import event as ev
from engine.core.state import State

GIVEN = (
    "attacker",
    "target",
    "unit",
    "model",
    "weapon",
    "melee",
    "mortal",
    "attack",
    "seat",
    "zone",
    "first",
    "by",
    "credit",
    "cause",
    "card",
    "rule",
    "purchase",
    "tags",
    "what",
    "amount",
    "kind",
    "objective",
    "completed",
    "success",
    "mission",
    "terrain",
    "marker",
    "part",
    "holder",
    "bearer",
    "giver",
    "own_part",
    "attacks",
    "here",
    "owner",
    "buyer",
    "this",
    "rolled",
    "actor",
    "targets",
    "shots",
    "throw",
    "hero",
    "aura",
    "rewarded",
    "dealer",
    "payer",
    "victim",
    "critical_hit",
    "critical_wound",
    "blow",
    "journey",
)
"""Names that a question, a moment or a rule's bearer may give; None where not given."""
OWN = ("phase", "step", "turn", "round", "rounds")
"""Names that the battle itself gives."""
_UNITS = {"unit": "unit", "by": "by", "target": "target"}
_PLAIN = {
    "credit": "credit",
    "cause": "cause",
    "card": "card",
    "rule": "rule",
    "what": "what",
    "amount": "amount",
    "tags": "tags",
    "completed": "completed",
    "success": "success",
    "kind_of_move": "kind",
    "how": "kind",
    "player": "seat",
    "part": "part",
    "mortal": "mortal",
    "melee": "melee",
}


class Context(dict[str, Any]):
    """Names with their values for one evaluation."""

    __slots__ = ("state",)

    def __init__(self, state: State, values: dict[str, Any], more: dict[str, Any] | None = None) -> None:
        """Hold the names given; `player` is known to rules as `seat`."""
        super().__init__(values)
        if more:
            self.update(more)
        self.state = state
        if "player" in self:
            self["seat"] = self.pop("player")

    def __missing__(self, name: str) -> Any:
        if name in OWN:
            value = getattr(self.state, name)
            return 0 if value is None else value
        if name == "ranged":
            return not self["melee"]
        if name == "context":
            return self
        if name in GIVEN:
            return None
        raise KeyError(name)

    def with_names(self, **names: object) -> Context:
        """Return a copy with more names."""
        return Context(self.state, self, names)


VARIABLES = frozenset((*GIVEN, *OWN, "ranged"))


def of_event(state: State, event: ev.Event | None) -> dict[str, Any]:
    """Return the names that an event gives: units and models as things, other fields unchanged."""
    names: dict[str, Any] = {}
    if event is None:
        return names
    for field in event.__struct_fields__:
        value = getattr(event, field)
        if field in _UNITS:
            names[_UNITS[field]] = state.position.units.get(value)
        elif field == "model" and isinstance(value, int):
            names["model"] = state.position.models[value]
        elif field == "dealer" and isinstance(value, int):
            names["dealer"] = state.position.models[value]
        elif field == "marker":
            names["marker"] = state.position.markers.get(value)
        elif field == "objective":
            names["objective"] = state.position.objectives.get(value)
        elif field == "by" or field in _PLAIN:
            names[_PLAIN.get(field, field)] = value
    if isinstance(event, ev.Controlled):
        names["holder"] = event.by
        names.pop("by", None)
    if isinstance(event, ev.Targeted):
        names["targets"] = tuple(dict.fromkeys(shot.target for shot in event.shots))
        names["shots"] = event.shots
    if isinstance(event, ev.Purchased):
        names["buyer"] = event.player
    if isinstance(event, ev.Spent):
        names["payer"] = event.player
    if isinstance(event, ev.Marked):
        names.clear()
    return names


def names_of(kind: type[ev.Event]) -> frozenset[str]:
    """Return the names that events of a kind give, as `of_event` finds them."""
    things = {"model", "dealer", "marker", "objective", "by"}
    found = {
        _UNITS.get(field) or _PLAIN.get(field) or field
        for field in kind.__struct_fields__
        if field in _UNITS or field in _PLAIN or field in things
    }
    more = {ev.Targeted: {"targets", "shots"}, ev.Purchased: {"buyer"}, ev.Spent: {"payer"}}
    if kind is ev.Controlled:
        found = found - {"by"} | {"holder"}
    return frozenset() if kind is ev.Marked else frozenset(found | more.get(kind, set()))
