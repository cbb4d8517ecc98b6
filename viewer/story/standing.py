"""Where a unit stands in its side's turn: to act, done, in reserves or lost; its badge.

Reads the marks that the steps of the battle set; it decides nothing.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from engine.core.state import State, Unit

_ACTED = {"fight": "fought"}
"""The mark of a unit that has acted in a step, where it is not named after the step."""
_PHASES = ("movement", "shooting", "charge", "fight")
_MOVED = {
    "normal": "moved",
    "advance": "advanced",
    "fall-back": "fell back",
    "remain-stationary": "stayed put",
}


def has_acted(state: State, unit: Unit) -> bool:
    """Return whether a unit has been selected in the phase that runs."""
    return _ACTED.get(state.phase, f"selected:{state.phase}") in unit.marks


def standing(state: State, unit: Unit, able: AbstractSet[str] | None = None, acting: str = "") -> str:
    """Return to act, done, waiting, reserves, embarked or lost.

    `able` are the units that may act now, where that is known; `acting` is the one that acts just now.
    """
    if unit.where == "destroyed" or not unit.rows:
        return "lost"
    if unit.where in ("reserves", "embarked"):
        return unit.where
    if state.turn != unit.side or state.phase not in _PHASES:
        return "waiting"
    if unit.id == acting:
        return "to act"
    if able is not None:
        return "to act" if unit.id in able else "done"
    return "done" if has_acted(state, unit) else "to act"


def badge(unit: Unit, where: str) -> str:
    """Return the sign of what a unit did or suffers, "" where there is none."""
    if "battle-shocked" in unit.marks:
        return "shock"
    if "action" in unit.marks:
        return "action"
    for mark in ("fell-back", "advanced"):
        if mark in unit.marks:
            return mark
    if "charged" in unit.marks:
        return "charged"
    return {"to act": "ready", "done": "done"}.get(where, "")


def deed(unit: Unit) -> str:
    """Return what a unit did in this turn, in a word or two; "" for nothing."""
    if "action" in unit.marks:
        return "in an action"
    if "charged" in unit.marks:
        return "charged"
    return _MOVED.get(str(unit.marks.get("moved", "")), "")
