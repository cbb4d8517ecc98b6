"""A battle as text: the lines of the log, and every roll with what it needed and why.

The window's log and this are written by the same chronicle; only the dice, which the window sums up, are
added here.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.core import event as ev
from engine.core.event import NumberTrail
from engine.core.state import State
from viewer.story.chronicle import Chronicle, Line
from viewer.story.name import plain, unit_name
from viewer.story.roll import roll_sentence
from viewer.story.source import Entry

_HEADS = {"round": "=== {} ===", "turn": "== {}", "phase": "= {}"}
_SUMMED = ("attacks", "damage", "strength")
"""Rolls whose dice are added up."""


def transcript(entries: Iterable[Entry]) -> list[str]:
    """Return a battle's log as lines of text, with all dice."""
    chronicle = Chronicle()
    dice: dict[int, list[str]] = {}
    for entry in entries:
        index = len(chronicle)
        chronicle.add(entry)
        if isinstance(entry, ev.Rolled) and roll_sentence(entry, chronicle.head) is None:
            dice[index] = [f"    {dice_words(entry, chronicle.head)}"]
        elif isinstance(entry, ev.Attacked):
            dice[index] = [f"    {words}" for words in map(_changed, entry.trails) if words]
    for line in _kept(chronicle.lines):
        own = dice.setdefault(line.index, [])
        # What an attack came to stands before the numbers that went into it.
        own.insert(_place(own, line), _line(line))
    return [line for index in sorted(dice) for line in dice[index]]


def _place(own: list[str], line: Line) -> int:
    return sum(not each.startswith("    ") or each.startswith("      ") for each in own) if own else 0


def _kept(lines: list[Line]) -> list[Line]:
    return [a for a, b in zip(lines, [*lines[1:], None], strict=True) if b is None or not b.replaces]


def _line(line: Line) -> str:
    head = _HEADS.get(line.tone)
    if head is not None:
        return head.format(line.text)
    clause = f"[{line.clause}] " if line.clause else ""
    return f"  {clause}{line.text}"


def dice_words(event: ev.Rolled, state: State) -> str:
    """Return a roll with all of its dice, what it needed and how that came about."""
    faces = ", ".join(map(str, event.dice)) or "no dice"
    total = f" = {event.total}" if len(event.dice) > 1 and event.roll in _SUMMED else ""
    who = f"{unit_name(state, event.unit)}: " if event.unit else ""
    need = f"; needs {event.need}{'+' if event.need else ''}" if event.need else ""
    why = f" ({_steps(event.trail)})" if event.trail is not None and event.trail.steps else ""
    return f"{who}{plain(event.roll)} {faces}{total}{need}{why}"


def _changed(trail: NumberTrail) -> str:
    """Return a number that some rule changed, with the rules; "" where none did."""
    return f"{plain(trail.number)}: {_steps(trail)}" if trail.steps else ""


def _steps(trail: NumberTrail) -> str:
    told = [f"{trail.base:g}"] + [f"{value:g} by {cause}" for cause, value in trail.steps]
    if trail.steps[-1][1] != trail.value:
        told.append(f"{trail.value:g} at most or least")
    return ", ".join(told)
