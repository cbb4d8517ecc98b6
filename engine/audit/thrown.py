"""The dice of a log that are rolled again: each was rolled before, and is so once at most.

Owns what is remembered of rolls for that check. It knows no rule by which dice are rolled again.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.core import event as ev
from engine.core.dice import base_of

Kind = tuple[str, str, str]
"""A unit, its target and a kind of roll."""


@dataclass(slots=True)
class Thrown:
    """The latest first roll of each kind: its number of dice, and the places rolled again since."""

    count: dict[Kind, int] = field(default_factory=dict)
    again: dict[Kind, set[int]] = field(default_factory=dict)

    def faults(self, event: ev.Rolled) -> list[str]:
        """Take a roll; return what is wrong with dice that are rolled again. Rule: CORE.DICE.1"""
        base = base_of(event.roll)
        kind = (event.unit, event.target, base)
        if base == event.roll:
            self.count[kind], self.again[kind] = len(event.dice), set()
            return []
        places, before = set(event.replaces), self.again.setdefault(kind, set())
        found = []
        if len(event.dice) != len(places) or not places <= set(range(self.count.get(kind, 0))):
            found.append(f"{event.roll} of {event.unit} replaces no dice that were rolled before")
        if places & before:
            found.append(f"{event.roll} of {event.unit} rolls a die again twice")
        before |= places
        return found
