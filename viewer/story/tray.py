"""The dice of what is going on: each row of a roll, what it needed, which dice were rolled again.

Reads the roll events before a moment, so that it follows a playback in both directions. It names no thing of
the battle and draws nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from engine.core import event as ev
from engine.core.dice import AGAIN
from engine.core.state import State
from viewer.story.name import count, plain
from viewer.story.source import Entry

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
}
SUMMED = ("charge", "battle-shock", "battleshock", "leadership", "gain", "advance")
"""Rolls of which the total counts, and not each die."""
_BY_ATTACKER = ("hit", "wound", "damage")
_ALONE = ("attacks", "strength")
_BREAKS = ev.Targeted | ev.Moved | ev.PhaseBegan | ev.PhaseEnded | ev.TurnBegan | ev.TurnEnded
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


@dataclass(frozen=True, slots=True)
class Tray:
    """All rows of one volley, or of one unit's other rolls."""

    key: int
    """The number of the event before its first roll."""
    unit: str
    target: str
    weapon: str
    weapons: int
    """How many of them attacked, 0 where no weapon is known."""
    place: tuple[int, int]
    """Which of the unit's volleys it is, and of how many; zeros where that is not known."""
    rows: tuple[DiceRow, ...]


@dataclass(slots=True)
class _Part:
    """The dice of a row as they are gathered."""

    base: str
    need: int
    first: list[ev.Rolled] = field(default_factory=list)
    fresh: list[ev.Rolled] = field(default_factory=list)


def base_of(roll: str) -> str:
    """Return the kind of a roll, be it made again or not."""
    return roll.removesuffix(AGAIN)


def tray_at(entries: Sequence[Entry], cursor: int) -> Tray | None:
    """Return the dice that belong to a moment; None where the act before it rolled none."""
    index = _last_roll(entries, cursor)
    if index is None:
        return None
    entry = entries[index]
    act = _act_round(entries, index)
    made = entry if isinstance(entry, ev.Attacked) else _attack_of(act, entry)
    if made is not None:
        return _volley_tray(act, cursor, made.unit, made.target, made.n, made)
    assert isinstance(entry, ev.Rolled)
    base = base_of(entry.roll)
    if base in (*_BY_ATTACKER, *_ALONE):
        return _volley_tray(act, cursor, entry.unit, entry.target, entry.n, None)
    if base == "save":
        return _volley_tray(act, cursor, entry.target, entry.unit, entry.n, None)
    return _other_tray(act, index, entry)


def with_weapon(tray: Tray, state: State) -> Tray:
    """Return a tray whose attacks and damage tell how its weapon has them written: "D6+1"."""
    unit = state.position.units.get(tray.unit)
    weapons = (*unit.facts.weapons, *unit.borrowed) if unit is not None else ()
    weapon = next((each for each in weapons if each.name == tray.weapon), None)
    if weapon is None:
        return tray
    written = {"attacks": weapon.attacks, "damage": weapon.damage}
    rows = tuple(replace(row, needed=row.needed or written.get(row.roll, "")) for row in tray.rows)
    return replace(tray, rows=rows)


def _last_roll(entries: Sequence[Entry], cursor: int) -> int | None:
    for index in range(min(cursor, len(entries)) - 1, -1, -1):
        entry = entries[index]
        if isinstance(entry, _BREAKS):
            return None
        if isinstance(entry, ev.Attacked) or (isinstance(entry, ev.Rolled) and entry.dice):
            return index
    return None


@dataclass(frozen=True, slots=True)
class _Act:
    """What happened between two events that begin something else: its events with their places."""

    begun: ev.Event | None
    events: tuple[tuple[int, ev.Event], ...]

    @property
    def attacks(self) -> list[ev.Attacked]:
        return [each for _, each in self.events if isinstance(each, ev.Attacked)]


def _act_round(entries: Sequence[Entry], index: int) -> _Act:
    first, last = index, index
    while first > 0 and not isinstance(entries[first - 1], _BREAKS):
        first -= 1
    while last < len(entries) and not isinstance(entries[last], _BREAKS):
        last += 1
    begun = entries[first - 1] if first else None
    events = tuple(
        (i, each) for i, each in enumerate(entries[first:last], first) if isinstance(each, ev.Event)
    )
    return _Act(begun if isinstance(begun, ev.Event) else None, events)


def _is_of(roll: ev.Rolled, unit: str, target: str) -> bool:
    """Return whether a roll is one of the attacks of a unit at a target."""
    base = base_of(roll.roll)
    if base in _BY_ATTACKER:
        return (roll.unit, roll.target) == (unit, target)
    if base in _ALONE:
        return roll.unit == unit
    if base == "save":
        return (roll.unit, roll.target) == (target, unit)
    return base == "feel-no-pain" and roll.unit == target


def _attack_of(act: _Act, roll: Entry) -> ev.Attacked | None:
    """Return the attacks that a roll belongs to, which the log counts up after it."""
    if not isinstance(roll, ev.Rolled):
        return None
    later = [each for each in act.attacks if each.n > roll.n]
    made = min(later, key=lambda each: each.n, default=None)
    return made if made is not None and _is_of(roll, made.unit, made.target) else None


def _volley_tray(act: _Act, cursor: int, unit: str, target: str, last: int, made: ev.Attacked | None) -> Tray:
    """Return the tray of one volley, of which what lies before the cursor is shown."""
    earlier = [each.n for each in act.attacks if each.n < last]
    since = max(earlier, default=act.begun.n if act.begun is not None else -1)
    until = made.n if made is not None else max(each.n for _, each in act.events)
    members = [(i, each) for i, each in act.events if since < each.n <= until]
    rolls = [(i, e) for i, e in members if isinstance(e, ev.Rolled) and e.dice and _is_of(e, unit, target)]
    losses = [e for i, e in members if i < cursor and isinstance(e, ev.Damaged | ev.Destroyed)]
    losses = [each for each in losses if each.unit == target]
    is_told = made is not None and any(each is made for i, each in members if i < cursor)
    volley = _VolleyDice(made, is_told, [e for _, e in rolls], losses)
    rows = volley.rows([e for i, e in rolls if i < cursor])
    of = _volleys_of(act.begun)
    place = len(earlier) + 1
    weapon, number = (made.weapon, len(made.models)) if made is not None else ("", 0)
    place_of = (place, of) if place <= of and made is not None else (0, 0)
    return Tray(since, unit, target, weapon, number, place_of, rows)


def _volleys_of(begun: ev.Event | None) -> int:
    """Return how many volleys a declaration of attacks comes to: one a weapon and target."""
    if not isinstance(begun, ev.Targeted):
        return 0
    return len({(shot.weapon, shot.target) for shot in begun.shots})


def _other_tray(act: _Act, index: int, roll: ev.Rolled) -> Tray:
    """Return the tray of rolls that are no attack's: those of one unit since the last attack."""
    rolls: list[ev.Rolled] = []
    for i, each in reversed(act.events):
        if i > index or (isinstance(each, ev.Rolled) and not each.dice):
            continue
        if isinstance(each, ev.Attacked) or (isinstance(each, ev.Rolled) and _is_apart(act, each, roll)):
            break
        if isinstance(each, ev.Rolled):
            rolls.insert(0, each)
    rows = tuple(_row(part) for part in _parts(rolls))
    return Tray(rolls[0].n - 1, roll.unit, roll.target, "", 0, (0, 0), rows)


def _is_apart(act: _Act, roll: ev.Rolled, other: ev.Rolled) -> bool:
    """Return whether a roll is another unit's, or one of an attack."""
    return (roll.unit, roll.stream) != (other.unit, other.stream) or _attack_of(act, roll) is not None


def _parts(rolls: Sequence[ev.Rolled]) -> list[_Part]:
    """Return rolls by kind and need, in order; those made again beside those in whose place."""
    parts: dict[tuple[str, int], _Part] = {}
    for roll in rolls:
        key = (base_of(roll.roll), roll.need)
        part = parts.setdefault(key, _Part(*key))
        (part.fresh if roll.roll.endswith(AGAIN) else part.first).append(roll)
    return list(parts.values())


def _row(part: _Part, *, critical: int = 6, note: str = "", needed: str = "", result: str = "") -> DiceRow:
    """Return the row of some dice; what is not given follows from them."""
    summed = part.base in SUMMED
    first = [face for roll in part.first for face in roll.dice]
    fresh = [face for roll in part.fresh for face in roll.dice]
    replaced = _replaced(first, fresh, part, critical)

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
        needed or need_words(part.base, part.need),
        dice,
        again,
        note or _note(roll),
        result or told,
        is_loss,
    )


def is_met(base: str, face: int, need: int, critical: int = 6) -> bool:
    """Return whether a natural die is enough. Rule: CORE.DICE.4"""
    if base in ("hit", "wound"):
        return face > 1 and (face >= need or face >= min(critical, 6))
    if base == "save":
        return face > 1 and face >= need
    return face >= need


def _replaced(first: list[int], fresh: list[int], part: _Part, critical: int) -> set[int]:
    """Return the places of the dice that were rolled again: all 1s, all failures, or the lowest.

    The log tells how many they were, not which.
    """
    if not fresh:
        return set()
    if part.base in SUMMED or len(fresh) >= len(first):
        return set(range(len(first)))
    order = sorted(range(len(first)), key=lambda place: (first[place], place))
    failed = [p for p in order if part.need and not is_met(part.base, first[p], part.need, critical)]
    return set(failed[: len(fresh)] if len(failed) >= len(fresh) else order[: len(fresh)])


def need_words(base: str, need: int) -> str:
    """Return what dice needed, as it is written: "3+", or "none" where no die is enough."""
    if not need:
        return ""
    if need >= NO_DIE and base not in SUMMED:
        return "none"
    return f"{max(need, 2)}+" if base in ("hit", "wound", "save") else f"{need}+"


def _result(part: _Part, dice: tuple[ThrownDie, ...]) -> tuple[str, bool]:
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


def _sum_words(part: _Part) -> tuple[str, bool]:
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
        if cause == "CORE.ATK.4" and change:
            words.append(f"AP −{change:g}" if change > 0 else f"invulnerable {after:g}+")
        elif cause == "CORE.COV.1":
            words.append("cover")
    return ", ".join(words) if len(words) > 1 else ""


@dataclass(frozen=True, slots=True)
class _VolleyDice:
    """The dice of one volley and what came of them."""

    made: ev.Attacked | None
    is_told: bool
    """Whether the attacks have been counted up at the moment shown."""
    whole: list[ev.Rolled]
    losses: list[ev.Damaged | ev.Destroyed]

    def rows(self, shown: list[ev.Rolled]) -> tuple[DiceRow, ...]:
        """Return the rows of the rolls that are shown, in the order of the attack sequence."""
        parts = _parts([roll for roll in shown if base_of(roll.roll) != "damage"])
        order = list(LABELS)
        parts.sort(key=lambda part: order.index(part.base))
        rows = [self._row_of(part, parts) for part in parts]
        if self.made is not None and not any(row.roll == "hit" for row in rows):
            if any(row.roll == "wound" for row in rows) or self.is_told:
                rows.insert(sum(row.roll == "attacks" for row in rows), self._sure_hits(self.made))
        damage = self._damage([roll for roll in shown if base_of(roll.roll) == "damage"])
        return (*rows, *damage)

    def _row_of(self, part: _Part, parts: list[_Part]) -> DiceRow:
        result, made = "", self.made
        critical = self._critical(part.base)
        alone = sum(each.base == part.base for each in parts) == 1
        row = _row(part, critical=critical)
        if made is None or not alone:
            return row
        met = sum(die.outcome == "met" for die in (*row.dice, *row.again))
        if part.base == "attacks":
            result = f"{made.attacks}"
        elif part.base == "hit" and self.is_told and made.hits != met:
            result = count(made.hits, "hit")
        elif part.base == "wound" and self.is_told and made.wounds != met:
            result = count(made.wounds, "wound")
        return _row(part, critical=critical, result=result) if result else row

    def _critical(self, base: str) -> int:
        """Return from which face on a roll was critical, as the number of critical ones tells."""
        if self.made is None or base not in ("hit", "wound"):
            return 6
        wanted = self.made.critical_hits if base == "hit" else self.made.critical_wounds
        final: list[int] = []
        for part in _parts([roll for roll in self.whole if base_of(roll.roll) == base]):
            row = _row(part)
            final += [die.face for die in (*row.dice, *row.again) if die.outcome != "again"]
        found = [least for least in range(6, 1, -1) if sum(face >= least for face in final) == wanted]
        return found[0] if found else 6

    @staticmethod
    def _sure_hits(made: ev.Attacked) -> DiceRow:
        """Return the row of attacks that hit without a roll. Rule: CORE.WPN.TORR"""
        return DiceRow("hit", LABELS["hit"], 0, "", (), (), "without a roll", count(made.hits, "hit"))

    def _damage(self, rolls: list[ev.Rolled]) -> tuple[DiceRow, ...]:
        """Return the row of the damage: its dice, where it has some, and what was lost."""
        wounds = sum(each.amount for each in self.losses if isinstance(each, ev.Damaged))
        models = sum(isinstance(each, ev.Destroyed) for each in self.losses)
        words = [count(wounds, "wound")] if wounds else []
        words += [count(models, "model")] if models else []
        result = ", ".join(words)
        if rolls:
            row = _row(_Part("damage", 0, *_split(rolls)), result=result)
            return (DiceRow(row.roll, row.label, 0, "", row.dice, row.again, "", row.result, bool(result)),)
        if not result:
            return ()
        return (DiceRow("damage", LABELS["damage"], 0, "", (), (), "", result, is_loss=True),)


def _split(rolls: list[ev.Rolled]) -> tuple[list[ev.Rolled], list[ev.Rolled]]:
    """Return the first rolls, and those made again."""
    fresh = [roll for roll in rolls if roll.roll.endswith(AGAIN)]
    return [roll for roll in rolls if roll not in fresh], fresh
