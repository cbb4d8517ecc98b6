"""A stretch of the battle in numbers and sentences: losses, what changed on the table.

Reads the state before a stretch and its entries; what was answered unasked is given. It draws nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.core import event as ev
from engine.core.apply import apply
from engine.core.state import State, Unit
from viewer.story.cause import loss_words
from viewer.story.name import count, listed, objective_name, plain, short_name, unit_name
from viewer.story.source import Entry

MOST_NAMES = 3
"""At most this many units are named in a sentence."""
MISCELLANEOUS = "other causes"


@dataclass(frozen=True, slots=True)
class LossLine:
    """What one unit lost: how it stands, by whom, and how many wounds and models."""

    unit: str
    head: str
    by: str
    wounds: int
    models: int


@dataclass(frozen=True, slots=True)
class TableLine:
    """Something that changed on the table, with its particulars; the unit or marker it is about."""

    head: str
    note: str
    thing: str = ""
    side: str = ""


@dataclass(frozen=True, slots=True)
class Unasked:
    """A question that was answered unasked: its kind, and the line that reported it."""

    kind: str
    words: str

    @property
    def is_skipped(self) -> bool:
        """Return whether an offer was declined unasked."""
        return self.words.startswith("Skipped: ")


@dataclass(frozen=True, slots=True)
class TurnSummary:
    """A stretch of the battle, as a rule one side's turn."""

    round: int
    whose: str
    wounds: tuple[int, int]
    """The wounds that the players lost, and the Horde."""
    models: tuple[int, int]
    """The models that the players lost, and the Horde."""
    lost: tuple[LossLine, ...]
    """What the players' units lost, the most first…"""
    it_lost: tuple[LossLine, ...]
    """…and what the Horde's did."""
    table: tuple[TableLine, ...]
    outlook: tuple[TableLine, ...]
    """With what the players go on."""
    answered: tuple[Unasked, ...] = ()
    stops: int | None = None
    """How many questions halted the battle; None where nobody knows."""

    @property
    def title(self) -> str:
        """Return what has ended."""
        return {"horde": "The Horde's turn is over", "players": "The players' turn is over"}.get(
            self.whose, "What has happened"
        )

    @property
    def answered_words(self) -> str:
        """Return how many questions were answered unasked, by kind, and which offers were skipped."""
        kinds = Counter(each.kind for each in self.answered if not each.is_skipped)
        told = ", ".join(_kind_words(kind, many) for kind, many in kinds.most_common())
        skipped = Counter(_skipped_name(each.words) for each in self.answered if each.is_skipped)
        names = ", ".join(name + (f" × {many}" if many > 1 else "") for name, many in skipped.most_common())
        return f"Answered for you: {told or 'nothing'}. Offers skipped: {names or 'none'}."

    def short(self, players: str = "you") -> str:
        """Return the whole in one line, with a word for the players."""
        parts = []
        for who, wounds, models in zip((players, "the Horde"), self.wounds, self.models, strict=True):
            lost = [count(wounds, "wound")] if wounds else []
            lost += [count(models, "model")] if models else []
            parts.append(f"{who} lost {' and '.join(lost) or 'nothing'}")
        return "; ".join(parts)


def _kind_words(kind: str, many: int) -> str:
    """Return how many questions of a kind there were, in words."""
    word = plain(kind)
    return count(many, word, f"{word[:-1]}ies" if word.endswith("y") else f"{word}s")


def _skipped_name(words: str) -> str:
    return words.removeprefix("Skipped: ").split(",")[0]


@dataclass(slots=True)
class _Suffered:
    """What one unit lost as it is gathered."""

    wounds: int = 0
    models: int = 0
    by: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Wounds by the unit that dealt them and its weapon; without a unit, by the cause in words."""
    phases: set[str] = field(default_factory=set)


@dataclass(slots=True)
class _Gathered:
    """What is gathered of a stretch."""

    suffered: dict[str, _Suffered] = field(default_factory=dict)
    arrived: dict[str, str] = field(default_factory=dict)
    """By unit, how it came."""
    charged: dict[str, tuple[str, ...]] = field(default_factory=dict)
    shocked: list[str] = field(default_factory=list)
    control: dict[str, ev.Controlled] = field(default_factory=dict)
    attacks: list[ev.Attacked] = field(default_factory=list)
    """All attacks of the stretch."""

    def weapon(self, event: ev.Damaged) -> str:
        """Return the weapon that cost wounds: attacks are counted up after them."""
        if event.mortal:
            return ""
        pair = (event.by, event.unit)
        later = [each for each in self.attacks if each.n > event.n and (each.unit, each.target) == pair]
        return min(later, key=lambda each: each.n).weapon if later else ""


def summarize(
    before: State,
    entries: Sequence[Entry],
    answered: Sequence[Unasked] = (),
    stops: int | None = None,
) -> TurnSummary:
    """Return the summary of a stretch that begins in a state."""
    after = before.copy()
    found = _Gathered(attacks=[each for each in entries if isinstance(each, ev.Attacked)])
    whose = before.turn
    for place, entry in enumerate(entries):
        if not isinstance(entry, ev.Event):
            continue
        if isinstance(entry, ev.TurnBegan) and place == 0:
            whose = entry.whose
        _gather(found, entries, place, entry, after)
        apply(after, entry)
    held = {each.facts.id: each.by for each in before.position.objectives.values()}
    lines = {side: _losses(found, after, side) for side in ("players", "horde")}
    sums = [lines["players"], lines["horde"]]
    return TurnSummary(
        round=after.round,
        whose=whose,
        wounds=(sum(each.wounds for each in sums[0]), sum(each.wounds for each in sums[1])),
        models=(sum(each.models for each in sums[0]), sum(each.models for each in sums[1])),
        lost=lines["players"],
        it_lost=lines["horde"],
        table=tuple(_table(found, after, held)),
        outlook=tuple(_outlook(after)),
        answered=tuple(answered),
        stops=stops,
    )


def _gather(found: _Gathered, entries: Sequence[Entry], place: int, event: ev.Event, state: State) -> None:
    if isinstance(event, ev.Damaged):
        suffered = found.suffered.setdefault(event.unit, _Suffered())
        suffered.wounds += event.amount
        suffered.by[_dealer(event, found.weapon(event), state)] += event.amount
        suffered.phases.add(event.phase)
    elif isinstance(event, ev.Destroyed):
        suffered = found.suffered.setdefault(event.unit, _Suffered())
        suffered.models += 1
        if not suffered.by:
            suffered.by[_dealer(event, "", state)] += 0
        suffered.phases.add(event.phase)
    elif isinstance(event, ev.Arrived | ev.Disembarked):
        found.arrived[event.unit] = "disembarked" if isinstance(event, ev.Disembarked) else "arrived"
    elif isinstance(event, ev.Placed) and event.unit and event.facts is not None:
        found.arrived[event.unit] = "set up"
    elif isinstance(event, ev.Moved) and event.kind_of_move == "charge":
        found.charged[event.unit] = _charge_targets(entries, place, event.unit)
    elif isinstance(event, ev.Shocked):
        found.shocked.append(event.unit)
    elif isinstance(event, ev.Controlled):
        found.control[event.objective] = event


def _dealer(event: ev.Damaged | ev.Destroyed, weapon: str, state: State) -> tuple[str, str]:
    """Return the dealer of wounds and its weapon; without a unit, how it came in words."""
    if event.by and event.by != event.unit:
        return event.by, weapon
    return "", loss_words(state, event.cause) or MISCELLANEOUS


def _charge_targets(entries: Sequence[Entry], place: int, unit: str) -> tuple[str, ...]:
    """Return the units that a charge was declared against, as was decided before it."""
    for entry in reversed(entries[:place]):
        if isinstance(entry, ev.PhaseBegan):
            return ()
        if isinstance(entry, ev.Decided) and entry.unit == unit and entry.decision == "charge":
            return entry.choice
    return ()


def _losses(found: _Gathered, after: State, side: str) -> tuple[LossLine, ...]:
    lines = []
    for id_, suffered in found.suffered.items():
        unit = after.position.units.get(id_)
        if unit is None or unit.side != side:
            continue
        name = short_name(unit_name(after, id_))
        head = f"{name}, {_left(after, unit)}"
        lines.append(LossLine(id_, head, _by(suffered, after), suffered.wounds, suffered.models))
    return tuple(sorted(lines, key=lambda line: (-line.wounds, -line.models, line.unit)))


def _left(state: State, unit: Unit) -> str:
    """Return what is left of a unit."""
    if unit.where == "destroyed" or not unit.rows:
        return "wiped out"
    models = state.position.alive(unit)
    if len(unit.facts.models) == 1:
        return f"{models[0].wounds} of {models[0].facts.characteristics.get('W', 1)} wounds left"
    return f"{len(unit.rows)} of {count(len(unit.facts.models), 'model')} left"


def _by(suffered: _Suffered, state: State) -> str:
    """Return whose doing it was: one unit with its weapon, or several with their wounds."""
    units: Counter[str] = Counter()
    for (unit, how), wounds in suffered.by.items():
        units[unit or how] += wounds
    ranked = sorted(units.items(), key=lambda each: (-each[1], each[0]))
    if len(ranked) == 1:
        return _by_one(suffered, state)
    names = [f"{_named(state, id_)} ({wounds})" for id_, wounds in ranked[:MOST_NAMES]]
    more = len(ranked) - MOST_NAMES
    return f"by {listed([*names, *([f'{more} more'] if more > 0 else [])])}"


def _by_one(suffered: _Suffered, state: State) -> str:
    ((unit, how), _), *others = suffered.by.most_common()
    if not unit:
        return how if how != MISCELLANEOUS else f"by {how}"
    weapons = list(dict.fromkeys(each[1] for each in suffered.by if each[1]))
    where = ", in the fight" if suffered.phases == {"fight"} else ""
    named = f": {weapons[0]}" if len(weapons) == 1 and not others else ""
    return f"by {_named(state, unit)}{named}{where}"


def _named(state: State, id_: str) -> str:
    return short_name(unit_name(state, id_)) if id_ in state.position.units else id_


def _table(found: _Gathered, after: State, held: dict[str, str]) -> list[TableLine]:
    """Return what changed on the table: markers, newcomers, charges, Battle-shock."""
    lines = []
    for id_, event in found.control.items():
        if event.by == held.get(id_, ""):
            continue
        name = objective_name(id_)
        horde, players = event.levels
        own, other = (horde, players) if event.by == "horde" else (players, horde)
        whose = {"horde": "the Horde's", "players": "yours"}.get(event.by, "nobody's")
        note = f"{own} against {other}" if event.by else f"the Horde {horde}, you {players}"
        lines.append(TableLine(f"{name[:1].upper()}{name[1:]}: {whose}", note, id_, event.by))
    for how in ("set up", "arrived", "disembarked"):
        lines += _newcomers(after, [id_ for id_, each in found.arrived.items() if each == how], how)
    for id_, targets in found.charged.items():
        foes = listed([_named(after, each) for each in targets])
        side = after.position.units[id_].side
        lines.append(TableLine(f"{_named(after, id_)} charged", f"at {foes}" if foes else "", id_, side))
    for id_ in dict.fromkeys(found.shocked):
        unit = after.position.units.get(id_)
        if unit is not None and unit.rows:
            lines.append(TableLine(f"{_named(after, id_)} is Battle-shocked", "", id_, unit.side))
    return lines


def _newcomers(after: State, ids: list[str], how: str) -> list[TableLine]:
    lines = []
    for side in ("horde", "players"):
        units = [id_ for id_ in ids if after.position.units[id_].side == side]
        if not units:
            continue
        names = [_named(after, id_) for id_ in units]
        more = len(names) - MOST_NAMES
        note = listed([*names[:MOST_NAMES], *([f"{more} more"] if more > 0 else [])])
        lines.append(TableLine(f"{count(len(units), 'unit')} {how}", note, units[0], side))
    return lines


def _outlook(after: State) -> list[TableLine]:
    """Return what the players have left: units on the table and in reserves, objectives."""
    own = [unit for unit in after.position.units.values() if unit.side == "players" and unit.rows]
    table = sum(unit.where == "table" for unit in own)
    reserves = [unit for unit in own if unit.where == "reserves"]
    head = f"{count(table, 'unit')} on the table"
    head += f", {len(reserves)} in reserves" if reserves else ""
    note = listed([_named(after, unit.id) for unit in reserves[:MOST_NAMES]])
    note = f"in reserves: {note}" if note else ""
    lines = [TableLine(head, note, own[0].id if own else "", "players")]
    held = [each.facts.id for each in after.position.objectives.values() if each.by == "players"]
    names = listed([objective_name(id_) for id_ in held])
    word = f"{names[:1].upper()}{names[1:]}: yours" if held else "No objective is yours"
    lines.append(TableLine(word, "", held[0] if held else "", "players" if held else ""))
    return lines


def summary_lines(summary: TurnSummary) -> list[str]:
    """Return a summary as lines of text: the short form first, then the rest under headings."""
    lines = [f"{summary.title}, round {summary.round}: {summary.short()}."]
    for heading, losses in (("You lost", summary.lost), ("It lost", summary.it_lost)):
        lines += [f"  {heading}: {each.head}: {_amount(each)}, {each.by}" for each in losses]
    for each in summary.table:
        lines.append(f"  {each.head}" + (f" ({each.note})" if each.note else ""))
    if summary.stops:
        lines.append(f"  You were asked {count(summary.stops, 'time')}.")
    if summary.answered:
        lines.append(f"  {summary.answered_words}")
    return lines


def _amount(line: LossLine) -> str:
    parts = [count(line.wounds, "wound")] if line.wounds else []
    parts += [count(line.models, "model")] if line.models else []
    return " and ".join(parts)
