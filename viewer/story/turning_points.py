"""The moments that decided a battle: how far each moved the balance of strength.

The balance is the players' share of the strength that both sides have left, in points of units and percent.
An act counts by what its losses change of it; what is done in one phase by one unit to one side is one act.
A marker that changes hands counts `MARKER` percent for each round that it is then held, a mission `MISSION`,
a secret objective `SECRET`. What the Horde's spawns change is no act of anybody's and does not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine.core import event as ev
from engine.core.apply import apply
from engine.core.state import State, Unit
from viewer.story.cause import loss_words
from viewer.story.name import count, listed, objective_name, seat_name, short_name, title, unit_name

SHOWN = 5
"""The number of moments that are shown."""
MARKER, MISSION, SECRET = 1.0, 4.0, 25.0
"""What a marker a round, a mission and a secret are worth, in percent of the balance."""
_SIGN = {"players": 1, "horde": -1}
_WORDS = {"horde": "The Horde", "players": "The players"}
NAMED = 2


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A moment that decided something: its place in the log, its words, its worth."""

    index: int
    """The number of entries before it."""
    n: int
    round: int
    turn: str
    title: str
    detail: str
    worth: float


@dataclass(slots=True)
class _Toll:
    """What an act took from one unit."""

    wounds: int = 0
    models: int = 0
    change: float = 0.0
    """What it changed of the balance."""
    wiped_out: bool = False


@dataclass(slots=True)
class _Act:
    """What one unit, or one cause, took from a side in a phase."""

    index: int
    n: int
    round: int
    turn: str
    by: str
    side: str
    cause: str
    balance: float
    """As it was before the act."""
    tolls: dict[str, _Toll] = field(default_factory=dict)

    def of(self, unit: str) -> _Toll:
        """Return what it took from a unit."""
        return self.tolls.setdefault(unit, _Toll())

    @property
    def worth(self) -> float:
        """Return its worth for the players."""
        return sum(toll.change for toll in self.tolls.values())


@dataclass(slots=True)
class _Change:
    """A marker that changes hands, and the rounds that end before it changes again."""

    index: int
    event: ev.Controlled
    before: str
    ended: int = 0


class _Reckoning:
    """Adds up the acts of a battle, event by event."""

    def __init__(self) -> None:
        """Start before the battle."""
        self.state = State()
        self._acts: dict[tuple[object, ...], _Act] = {}
        self._changes: list[_Change] = []
        self._held: dict[str, _Change] = {}
        self._cards: list[tuple[int, ev.MissionResolved | ev.SecretRevealed]] = []

    def take(self, index: int, event: ev.Event) -> None:
        """Take the next event."""
        if isinstance(event, ev.Damaged | ev.Destroyed | ev.UnitDestroyed):
            self._lose(index, event)
        elif isinstance(event, ev.Controlled):
            before = self.state.position.objectives[event.objective].by
            self._held[event.objective] = change = _Change(index, event, before)
            self._changes.append(change)
        elif isinstance(event, ev.RoundEnded):
            for change in self._held.values():
                change.ended += 1
        elif isinstance(event, ev.MissionResolved | ev.SecretRevealed):
            self._cards.append((index, event))
        apply(self.state, event)

    def _lose(self, index: int, event: ev.Damaged | ev.Destroyed | ev.UnitDestroyed) -> None:
        unit = self.state.position.units[event.unit]
        by = event.by if event.by != event.unit else ""
        key = event.round, event.turn, event.phase, by, unit.side, "" if by else (event.unit, event.cause)
        act = self._acts.get(key)
        if act is None:
            if isinstance(event, ev.UnitDestroyed):
                return
            balance = self._balance(0.0)
            act = self._acts[key] = _Act(
                index, event.n, event.round, event.turn, by, unit.side, event.cause, balance
            )
        toll = act.of(event.unit)
        if isinstance(event, ev.Damaged):
            toll.wounds += event.amount
            toll.change += self._change(unit, event.amount)
        elif isinstance(event, ev.Destroyed):
            toll.models += 1
            toll.change += self._change(unit, self.state.position.models[event.model].wounds)
        elif event.part is None:
            toll.wiped_out = True

    def _change(self, unit: Unit, wounds: int) -> float:
        """Return what the loss of some wounds changes of the balance, in percent."""
        return self._balance(wounds * _worth_of_wound(unit), unit.side) - self._balance(0.0)

    def _balance(self, points: float, side: str = "") -> float:
        """Return the players' share of all strength, in percent, after a side has lost some points."""
        left = {"players": 0.0, "horde": 0.0}
        position = self.state.position
        for unit in position.units.values():
            if unit.where == "destroyed":
                continue
            wounds = sum(position.models[row].wounds for row in unit.rows)
            left[unit.side] += wounds * _worth_of_wound(unit)
        if side:
            left[side] = max(left[side] - points, 0.0)
        whole = left["players"] + left["horde"]
        return 100 * left["players"] / whole if whole else 50.0

    def moments(self) -> list[TurningPoint]:
        """Return all that counts, in no order."""
        found = [self._of_act(act) for act in self._acts.values()]
        found += [self._of_change(change) for change in self._changes]
        found += [self._of_card(index, event) for index, event in self._cards]
        return [moment for moment in found if moment.worth]

    def _of_act(self, act: _Act) -> TurningPoint:
        state = self.state
        tolls = sorted(act.tolls.items(), key=lambda each: (-abs(each[1].change), each[0]))
        gone = [unit for unit, toll in tolls if toll.wiped_out]
        wounds = sum(toll.wounds for toll in act.tolls.values())
        models = sum(toll.models for toll in act.tolls.values())
        first = _name(state, tolls[0][0])
        by = _name(state, act.by) if act.by else ""
        how = loss_words(state, act.cause)
        if gone:
            some = [_name(state, unit) for unit in gone[:NAMED]]
            more = len(gone) - NAMED
            names = listed([*some, f"{more} more"] if more > 0 else some)
            end = f" by {by}" if by else f" {how}" if how else ""
            words = f"{names} wiped out{end}"
        elif by:
            words = f"{by} dealt {count(wounds, 'wound')} to {first}"
        else:
            lost = count(models, "model") if models else count(wounds, "wound")
            words = f"{first} lost {lost}{f' {how}' if how else ''}"
        parts = [count(wounds, "wound")] if wounds else []
        parts += [count(models, "model")] if models else []
        side = "The Horde" if act.side == "horde" else "The players"
        after = act.balance + act.worth
        told = f"{side} lost {' and '.join(parts)}. Balance {act.balance:.0f}% to {after:.0f}%."
        return TurningPoint(act.index, act.n, act.round, act.turn, words, told, act.worth)

    def _of_change(self, change: _Change) -> TurningPoint:
        event = change.event
        worth = MARKER * change.ended * (_SIGN.get(event.by, 0) - _SIGN.get(change.before, 0))
        name = objective_name(event.objective)
        if event.by:
            words = f"{_WORDS[event.by]} took {name}"
            told = f"Held at the end of {count(change.ended, 'round')}. Balance {worth:+.0f}%."
        else:
            words = f"{_WORDS.get(change.before, 'Somebody')} lost {name}"
            told = f"Nobody's at the end of {count(change.ended, 'round')}. Balance {worth:+.0f}%."
        return TurningPoint(
            change.index, event.n, event.round, event.turn, words, told.replace("-", "−"), worth
        )

    def _of_card(self, index: int, event: ev.MissionResolved | ev.SecretRevealed) -> TurningPoint:
        if isinstance(event, ev.SecretRevealed):
            what, good, worth = "secret objective", event.completed, SECRET
            whose = f" of {seat_name(self.state, event.player)}" if len(self.state.players) > 1 else ""
        else:
            what, good, worth, whose = "mission", event.success, MISSION, ""
        words = f"{title(event.card)} {'met' if good else 'failed'}"
        worth = worth if good else -worth
        told = f"A {what}{whose}. Balance {worth:+.0f}%."
        return TurningPoint(index, event.n, event.round, event.turn, words, told.replace("-", "−"), worth)


def _worth_of_wound(unit: Unit) -> float:
    """Return the points that a wound of a unit is worth."""
    wounds = sum(model.characteristics.get("W", 1) for model in unit.facts.models)
    return unit.facts.points / max(wounds, 1)


def _name(state: State, unit: str) -> str:
    return short_name(unit_name(state, unit))


def turning_points(log: Iterable[object], most: int = SHOWN) -> tuple[TurningPoint, ...]:
    """Return the moments with the greatest worth for either side, in the order of the battle.

    What is no event of the log is passed over, but counts for where a moment is.
    """
    reckoning = _Reckoning()
    for index, line in enumerate(log):
        if isinstance(line, ev.Event):
            reckoning.take(index, line)
    ranked = sorted(reckoning.moments(), key=lambda moment: (-abs(moment.worth), moment.index))
    return tuple(sorted(ranked[:most], key=lambda moment: moment.index))


def moment_lines(moments: Sequence[TurningPoint]) -> list[str]:
    """Return moments as lines of text."""
    return [f"  R{moment.round} {moment.title}. {moment.detail}" for moment in moments]
