"""The dice of a moment: the rolls of the volley or test that it lies in.

Reads the events before a moment, so that it follows a playback in both directions. It draws nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.core import event as ev
from engine.core.dice import base_of
from engine.core.state import State
from viewer.story.cause import again_words
from viewer.story.dice_row import (
    LABELS,
    DicePart,
    DiceRow,
    parts_of,
    row_of,
)
from viewer.story.name import count
from viewer.story.source import Entry
from viewer.story.vantage import Vantage

_BY_ATTACKER = ("hit", "wound", "damage")
_ALONE = ("attacks", "strength")
_BREAKS = ev.Targeted | ev.Moved | ev.PhaseBegan | ev.PhaseEnded | ev.TurnBegan | ev.TurnEnded


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
    charged: tuple[str, ...] = ()
    """The units against which a charge was declared, where it is rolled for."""


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


def explained(tray: Tray, state: State) -> Tray:
    """Return a tray that tells how its weapon is written, and by what dice were rolled again."""
    unit = state.position.units.get(tray.unit)
    weapons = (*unit.facts.weapons, *unit.borrowed) if unit is not None else ()
    weapon = next((each for each in weapons if each.name == tray.weapon), None)
    written = {"attacks": weapon.attacks, "damage": weapon.damage} if weapon is not None else {}
    rows = []
    for row in _with_charge(tray, state):
        notes = [each for each in (row.note, again_words(state, row.by)) if each]
        needed = row.needed or written.get(row.roll, "")
        rows.append(replace(row, needed=needed, note=", ".join(notes)))
    return replace(tray, rows=tuple(rows))


def _with_charge(tray: Tray, state: State) -> tuple[DiceRow, ...]:
    """Return the rows, that of a charge with the roll that engages its targets. Rule: CORE.CHG.2"""
    unit = state.position.units.get(tray.unit)
    if not tray.charged or unit is None:
        return tray.rows
    need = Vantage(state, unit).least_charge(tray.charged)
    if need is None:
        return tray.rows
    found = []
    for row in tray.rows:
        if row.roll == "charge":
            enough = int(row.result.removesuffix("″")) >= need
            words = f"{row.result}, {'enough' if enough else 'too short'}"
            row = replace(row, needed=f"{need}″", result=words, is_loss=not enough)
        found.append(row)
    return tuple(found)


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
    rows = tuple(row_of(part) for part in parts_of(rolls))
    charged = _charged(act, index, roll) if any(row.roll == "charge" for row in rows) else ()
    target = roll.target or next(iter(charged), "")
    return Tray(rolls[0].n - 1, roll.unit, target, "", 0, (0, 0), rows, charged)


def _charged(act: _Act, index: int, roll: ev.Rolled) -> tuple[str, ...]:
    """Return the units against which the unit of a roll has declared its charge."""
    for i, each in reversed(act.events):
        if i < index and isinstance(each, ev.Decided) and (each.unit, each.decision) == (roll.unit, "charge"):
            return each.choice
    return ()


def _is_apart(act: _Act, roll: ev.Rolled, other: ev.Rolled) -> bool:
    """Return whether a roll is another unit's, or one of an attack."""
    return (roll.unit, roll.stream) != (other.unit, other.stream) or _attack_of(act, roll) is not None


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
        parts = parts_of([roll for roll in shown if base_of(roll.roll) != "damage"])
        order = list(LABELS)
        parts.sort(key=lambda part: order.index(part.base))
        rows = [self._row_of(part, parts) for part in parts]
        kinds = {row.roll for row in rows}
        if self.made is not None and "hit" not in kinds and ("wound" in kinds or self.is_told):
            rows.insert(sum(row.roll == "attacks" for row in rows), self._sure_hits(self.made))
        damage = self._damage([roll for roll in shown if base_of(roll.roll) == "damage"])
        return (*rows, *damage)

    def _row_of(self, part: DicePart, parts: list[DicePart]) -> DiceRow:
        result, made = "", self.made
        critical = self._critical(part.base)
        alone = sum(each.base == part.base for each in parts) == 1
        row = row_of(part, critical=critical)
        if made is None or not alone:
            return row
        met = sum(die.outcome == "met" for die in (*row.dice, *row.again))
        if part.base == "attacks":
            result = f"{made.attacks}"
        elif part.base == "hit" and self.is_told and made.hits != met:
            result = count(made.hits, "hit")
        elif part.base == "wound" and self.is_told and made.wounds != met:
            result = count(made.wounds, "wound")
        return row_of(part, critical=critical, result=result) if result else row

    def _critical(self, base: str) -> int:
        """Return from which face on a roll was critical, as the number of critical ones tells."""
        if self.made is None or base not in ("hit", "wound"):
            return 6
        wanted = self.made.critical_hits if base == "hit" else self.made.critical_wounds
        final: list[int] = []
        for part in parts_of([roll for roll in self.whole if base_of(roll.roll) == base]):
            row = row_of(part)
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
            part = DicePart("damage", 0)
            for roll in rolls:
                part.add(roll)
            row = row_of(part, result=result)
            return (replace(row, needed="", note="", is_loss=bool(result)),)
        if not result:
            return ()
        return (DiceRow("damage", LABELS["damage"], 0, "", (), (), "", result, is_loss=True),)
