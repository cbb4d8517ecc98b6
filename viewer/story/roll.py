"""Dice in words: the rolls that a person wants to hear of, and how a spawn roll came about.

Hit, wound and save rolls are summed up by the attack that they belong to and have no words here.
"""

from __future__ import annotations

from engine.core import event as ev
from engine.core.state import State
from viewer.story.cause import rule_title
from viewer.story.name import unit_name

_ROLLS = {
    "advance": "to advance",
    "charge": "to charge",
    "advance-reroll": "to advance, again",
    "charge-reroll": "to charge, again",
    "desperate-escape-reroll": "to escape, again",
    "hazardous-reroll": "for hazardous weapons, again",
    "battle-shock": "for battle-shock",
    "battleshock": "for battle-shock",
    "leadership": "for leadership",
    "battle-shock-reroll": "for battle-shock, again",
    "leadership-reroll": "for leadership, again",
    "desperate-escape": "to escape",
    "hazardous": "for hazardous weapons",
    "deadly-demise": "for its Deadly Demise",
}
_EACH = ("hazardous", "desperate-escape")
"""Rolls in which each die counts by itself."""
_SPAWNS = {"ROUND.2": "the round", "ROUND.3": "missions", "SPAWN.2": "zone cleared"}


def roll_sentence(event: ev.Rolled, state: State) -> str | None:
    """Return what a unit rolled, and what it needed; None for dice with words elsewhere."""
    why = _ROLLS.get(event.roll)
    if why is None or not event.unit:
        return None
    target = f" {unit_name(state, event.target)}" if event.roll == "charge" and event.target else ""
    if event.roll in _EACH:
        dice, sign = ", ".join(map(str, event.dice)), "+"
    else:
        several = f" ({'+'.join(map(str, event.dice))})" if len(event.dice) > 1 else ""
        dice, sign = f"{event.total}{several}", ""
    need = f", needed {event.need}{sign}" if event.need else ""
    return f"{unit_name(state, event.unit)} rolled {dice} {why}{target}{need}"


def spawn_words(state: State, event: ev.SpawnRolled) -> str:
    """Return how a spawn roll came about: "5 + 2 (the round) − 1 (Jamming Station) = 6"."""
    words = "+".join(map(str, event.natural))
    value = event.trail.base
    changed = False
    for cause, after in event.trail.steps:
        change = round(after - value)
        value = after
        if change:
            changed = True
            why = _SPAWNS.get(cause) or rule_title(state, cause) or cause
            words += f" {'+' if change > 0 else '−'} {abs(change)} ({why})"
    return f"{words} = {event.total}" if changed or sum(event.natural) != event.total else words
