"""Rows of dice: what each die needed, which were rolled again, what came of them.

Works on roll events alone; to which attack a roll belongs is `viewer.story.tray`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from engine.core import event as ev
from engine.core.dice import AGAIN, base_of
from viewer.story.name import plain

Outcome = Literal["met", "missed", "again", "plain"]
"""What became of a die: enough, too little, rolled again, or a number that is only added up."""
LABELS = {
    "attacks": "Attacks",
    "hit": "Hit",
    "strength": "Strength",
    "wound": "Wound",
    "save": "Save",
    "feel-no-pain": "No pain",
    "damage": "Damage",
    "desperate-escape": "Escape",
    "deadly-demise": "Deadly Demise",
    "deadly-demise-wounds": "Wounds",
    "spawn-bracket": "Spawn",
    "battle-shock": "Battle-shock",
    "battleshock": "Battle-shock",
}
SUMMED = ("charge", "battle-shock", "battleshock", "leadership", "gain", "advance")
"""Rolls of which the total counts, and not each die."""
NO_DIE = 7
"""What no die of six sides reaches."""


@dataclass(frozen=True, slots=True)
class ThrownDie:
    """A die: its face, and what became of it."""

    face: int
    outcome: Outcome
    fresh: bool = False
    """It was rolled in the place of another."""


@dataclass(frozen=True, slots=True)
class DiceRow:
    """Dice of one kind that needed the same."""

    roll: str
    label: str
    need: int
    needed: str
    """What they needed, in words; "" for nothing."""
    dice: tuple[ThrownDie, ...]
    again: tuple[ThrownDie, ...]
    """The dice that were rolled in the place of others."""
    note: str
    result: str
    is_loss: bool = False
    """Whether the result tells what somebody lost."""
    by: str = ""
    """The clause or rule by which dice were rolled again."""


@dataclass(slots=True)
class DicePart:
    """The dice of a row as they are gathered."""

    base: str
    need: int
    first: list[ev.Rolled] = field(default_factory=list)
    fresh: list[ev.Rolled] = field(default_factory=list)
    replaced: set[int] = field(default_factory=set)
    """The places of the dice that were rolled again, among all dice of the first rolls."""

    def add(self, roll: ev.Rolled) -> None:
        """Add a roll; one that is made again changes the last of the first rolls."""
        if not roll.roll.endswith(AGAIN):
            self.first.append(roll)
            return
        self.fresh.append(roll)
        before = sum(len(each.dice) for each in self.first[:-1])
        self.replaced |= {before + place for place in roll.replaces}


def parts_of(rolls: Sequence[ev.Rolled]) -> list[DicePart]:
    """Return rolls by kind and need, in order; those made again beside those in whose place."""
    parts: dict[tuple[str, int], DicePart] = {}
    for roll in rolls:
        key = (base_of(roll.roll), roll.need)
        parts.setdefault(key, DicePart(*key)).add(roll)
    return list(parts.values())


def row_of(
    part: DicePart, *, critical: int = 6, note: str = "", needed: str = "", result: str = ""
) -> DiceRow:
    """Return the row of some dice; what is not given follows from them."""
    summed = part.base in SUMMED
    first = [face for roll in part.first for face in roll.dice]
    fresh = [face for roll in part.fresh for face in roll.dice]
    replaced = part.replaced or _lowest(first, len(fresh))

    def outcome(face: int, place: int = -1) -> Outcome:
        if place in replaced:
            return "again"
        if summed or not part.need:
            return "plain"
        return "met" if is_met(part.base, face, part.need, critical) else "missed"

    dice = tuple(ThrownDie(face, outcome(face, place)) for place, face in enumerate(first))
    again = tuple(ThrownDie(face, outcome(face), fresh=True) for face in fresh)
    told, is_loss = _result(part, (*dice, *again))
    label = LABELS.get(part.base) or plain(part.base).capitalize()
    roll = (part.first or part.fresh)[0]
    return DiceRow(
        part.base,
        label,
        part.need,
        need_words(part.base, part.need),
        dice,
        again,
        _note(roll),
        result or told,
        is_loss,
        part.fresh[-1].cause if part.fresh else "",
    )


def is_met(base: str, face: int, need: int, critical: int = 6) -> bool:
    """Return whether a natural die is enough. Rule: CORE.DICE.4"""
    if base in ("hit", "wound"):
        return face > 1 and (face >= need or face >= min(critical, 6))
    if base == "save":
        return face > 1 and face >= need
    return face >= need


def _lowest(first: list[int], count: int) -> set[int]:
    """Return the places of the lowest dice.

    Logs before format 8 say only how many dice were rolled again.
    """
    return set(sorted(range(len(first)), key=lambda place: (first[place], place))[:count])


def need_words(base: str, need: int) -> str:
    """Return what dice needed, as it is written: "3+", or "none" where no die is enough."""
    if not need:
        return ""
    if need >= NO_DIE and base not in SUMMED:
        return "none"
    return f"{max(need, 2)}+" if base in ("hit", "wound", "save") else f"{need}+"


def _result(part: DicePart, dice: tuple[ThrownDie, ...]) -> tuple[str, bool]:
    """Return what came of the dice, and whether that is a loss."""
    final = [die for die in dice if die.outcome != "again"]
    met = sum(die.outcome == "met" for die in final)
    if part.base == "save":
        failed = len(final) - met
        return (f"{failed} failed" if failed else "saved" if met == 1 else "all saved"), failed > 0
    if part.base == "feel-no-pain":
        return f"{met} ignored", False
    if part.base in ("hazardous", "desperate-escape"):
        failed = len(final) - met
        return (f"{failed} failed" if failed else "passed"), failed > 0
    if part.base in SUMMED:
        return _sum_words(part)
    if part.need and len(final) == 1 and part.base not in ("hit", "wound"):
        return ("enough" if met else "not enough"), False
    if part.need:
        return f"{met} of {len(final)}", False
    return f"{sum(die.face for die in final)}", False


def _sum_words(part: DicePart) -> tuple[str, bool]:
    """Return what a total came to, what rules add to it among it."""
    roll = (part.fresh or part.first)[-1]
    trail = roll.trail or (part.first or part.fresh)[0].trail
    total = roll.total + (round(trail.value) if trail is not None else 0)
    if part.base in ("charge", "advance"):
        return f"{total}″", False
    passed = total >= part.need
    return f"{total}, {'passed' if passed else 'failed'}", not passed


def _note(roll: ev.Rolled) -> str:
    """Return how a saving throw came about: the armour, the AP, cover, an invulnerable save."""
    trail = roll.trail
    if roll.roll != "save" or trail is None:
        return ""
    words, before = [f"{trail.base:g}+"], trail.base
    for cause, after in trail.steps:
        change, before = after - before, after
        if cause == "CORE.ATK.4" and change > 0:
            words.append(f"AP −{change:g}")
        elif cause == "CORE.ATK.4" and change < 0 and after < NO_DIE:
            words.append(f"invulnerable {after:g}+")
        elif cause == "CORE.COV.1":
            words.append("cover")
    return ", ".join(words) if len(words) > 1 else ""
