"""A battle as a whole: its lines of log, its rounds and phases, its decisions.

Grows with the battle, one entry at a time, and keeps copies of the state on the way so that any moment
is near one. It draws nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field, replace

from engine.core import event as ev
from engine.core.apply import apply
from engine.core.state import State
from viewer.story.aftermath import Fallen
from viewer.story.cause import loss_words
from viewer.story.name import count, title, unit_name
from viewer.story.reasoning import sentences
from viewer.story.source import Entry, Reason
from viewer.story.turn_summary import summarize
from viewer.story.turns import Turns
from viewer.story.words import sentence

KEYFRAME_EVERY = 250
_HEADINGS = ("round", "turn", "phase")
_CONSEQUENCES = ev.Moved | ev.Targeted | ev.Placed | ev.Arrived


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the log: the entry it came with, its text, and how it is to look."""

    index: int
    text: str
    tone: str
    """One of round, turn, phase, horde, players, neutral, loss, faint, reason and answer.

    It is reason where the Horde decides, answer where a player does.
    """
    clause: str = ""
    unit: str = ""
    replaces: bool = False
    """It says what the line before it says, and more: only the later of the two is shown."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A moment to jump to: the number of entries up to it, and what begins there."""

    cursor: int
    round: int
    turn: str
    phase: str


@dataclass(slots=True)
class Losses:
    """Wounds and models that one unit has lost since the attack that the log speaks of."""

    unit: str = ""
    how: str = ""
    wounds: int = 0
    models: int = 0


@dataclass(slots=True)
class Chronicle:
    """The whole battle up to its last entry."""

    entries: list[Entry] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    rounds: list[Stop] = field(default_factory=list)
    phases: list[Stop] = field(default_factory=list)
    starts: dict[int, dict[int, tuple[float, float]]] = field(default_factory=dict)
    """For each entry that moves models: where they stood before, by row."""
    decisions: list[int] = field(default_factory=list)
    """The entries that are reasons."""
    fallen: Fallen = field(default_factory=Fallen)
    turns: Turns = field(default_factory=Turns)
    keyframes: list[tuple[int, State]] = field(default_factory=lambda: [(0, State())])
    head: State = field(default_factory=State)
    """The state after all entries."""
    _losses: Losses = field(default_factory=Losses)
    _unmodelled: tuple[str, int] = ("", 0)
    """The unit or card that brings rules that are not simulated, and the number of these."""
    _act: Reason | None = None
    """The decision about what a unit is doing just now."""
    _reasoned: str = ""
    """What the last reasons decided."""
    _told: set[tuple[str, str]] = field(default_factory=set)
    """The clauses and sentences of its reasons."""

    def __len__(self) -> int:
        """Return how many entries there are."""
        return len(self.entries)

    def add(self, entry: Entry) -> None:
        """Take in the next entry."""
        index = len(self.entries)
        if isinstance(entry, Reason):
            entry = self._take_reasons(index, entry)
        else:
            if isinstance(entry, ev.Moved):
                self.starts[index] = {
                    row: (
                        float(self.head.position.table.xy[row, 0]),
                        float(self.head.position.table.xy[row, 1]),
                    )
                    for row in entry.poses
                }
            if isinstance(entry, _CONSEQUENCES | ev.PhaseBegan):
                self._act = None
            text = sentence(entry, self.head)
            self.fallen.take(index, entry, self.head)
            apply(self.head, entry)
            self.turns.take(index, entry)
            self._mark_stops(index, entry)
            self._write(index, entry, text)
        self.entries.append(entry)
        if len(self.entries) % KEYFRAME_EVERY == 0:
            self.keyframes.append((len(self.entries), self.head.copy()))

    def kept(self) -> Chronicle:
        """Return it as it is now, but for its head: what is added later can be left out again."""
        return replace(
            self,
            entries=list(self.entries),
            lines=list(self.lines),
            rounds=list(self.rounds),
            phases=list(self.phases),
            starts=dict(self.starts),
            decisions=list(self.decisions),
            fallen=self.fallen.kept(),
            turns=self.turns.kept(),
            keyframes=list(self.keyframes),
            head=State(),
            _losses=replace(self._losses),
            _told=set(self._told),
        )

    def revived(self) -> Chronicle:
        """Return one that was kept, with its head."""
        start, frame = self.keyframe(len(self))
        self.head = frame.copy()
        for entry in self.entries[start:]:
            if not isinstance(entry, Reason):
                apply(self.head, entry)
        return self

    def keyframe(self, cursor: int) -> tuple[int, State]:
        """Return the last copy of the state at or before a cursor (not to be changed)."""
        place = bisect_right(self.keyframes, cursor, key=lambda frame: frame[0])
        return self.keyframes[place - 1]

    def state_at(self, cursor: int) -> State:
        """Return the state after this many entries."""
        start, frame = self.keyframe(cursor)
        state = frame.copy()
        for entry in self.entries[start:cursor]:
            if not isinstance(entry, Reason):
                apply(state, entry)
        return state

    def lines_until(self, cursor: int) -> int:
        """Return how many lines belong to the entries before a cursor."""
        return bisect_right(self.lines, cursor - 1, key=lambda line: line.index)

    def decision_of(self, unit: str, cursor: int) -> int | None:
        """Return the entry with the last reasons of a unit before a cursor."""
        for index in reversed(self.decisions[: bisect_right(self.decisions, cursor - 1)]):
            entry = self.entries[index]
            if isinstance(entry, Reason) and entry.unit == unit:
                return index
        return None

    def consequence(self, decision: int, cursor: int) -> int | None:
        """Return the entry before the cursor in which a decision's unit acted on it."""
        reason = self.entries[decision]
        assert isinstance(reason, Reason)
        for index in range(decision + 1, min(cursor, len(self.entries))):
            entry = self.entries[index]
            if isinstance(entry, ev.PhaseBegan | ev.PhaseEnded) or (
                isinstance(entry, Reason) and not entry.is_minor
            ):
                return None
            if isinstance(entry, _CONSEQUENCES) and entry.unit == reason.unit:
                return index
        return None

    def _mark_stops(self, index: int, event: ev.Event) -> None:
        stop = Stop(index + 1, self.head.round, self.head.turn, self.head.phase)
        if isinstance(event, ev.RoundBegan):
            self.rounds.append(stop)
        elif isinstance(event, ev.PhaseBegan):
            last = self.phases[-1] if self.phases else None
            if last is None or (last.round, last.turn, last.phase) != (stop.round, stop.turn, stop.phase):
                self.phases.append(stop)

    def _take_reasons(self, index: int, reason: Reason) -> Reason:
        """Write reasons down, and return them with those given before for the same act of the unit."""
        self._unmodelled = ("", 0)
        if reason.is_minor:
            if reason.decision != "allocation":
                self._write_reasons(index, reason)
            return reason
        earlier = self._act
        if earlier is None or earlier.unit != reason.unit:
            self._told = set()
        self._write_reasons(index, reason)
        self._act = reason.after(earlier)
        self.decisions.append(index)
        return self._act

    def _write_reasons(self, index: int, reason: Reason) -> None:
        tone = "faint" if reason.is_minor else "reason" if reason.seat == "horde" else "answer"
        name = unit_name(self.head, reason.unit) if reason.unit else ""
        self._reasoned = reason.decision
        for clause, words in sentences(reason.because, self.head, reason.unit):
            if not reason.is_minor and (clause, words) in self._told:
                continue
            self._told.add((clause, words))
            text = words
            if reason.decision == "next-unit" and name:
                text = f"{name} next: {words[:1].lower()}{words[1:]}"
            elif name and not words.startswith(name):
                text = f"{name}: {words}"
            self.lines.append(Line(index, text, tone, clause, reason.unit))

    def _write(self, index: int, event: ev.Event, text: str | None) -> None:
        if isinstance(event, ev.Damaged | ev.Destroyed):
            self._write_loss(index, event)
            return
        if isinstance(event, ev.Unmodelled):
            self._write_unmodelled(index, event)
            return
        if isinstance(event, ev.TurnEnded):
            self._write_turn(index, event)
            return
        if text is None or self._is_told(event):
            return
        self._losses = Losses()
        self._unmodelled = ("", 0)
        tone = self._tone(event)
        last = self.lines[-1] if self.lines else None
        replaces = tone == "phase" and last is not None and last.tone == "phase"
        self.lines.append(Line(index, text, tone, unit=getattr(event, "unit", ""), replaces=replaces))

    def _write_turn(self, index: int, event: ev.TurnEnded) -> None:
        """Sum up the turn that ends in a line."""
        turn = self.turns.ending(index)
        if turn is None:
            return
        summary = summarize(self.state_at(turn.first), (*self.entries[turn.first :], event))
        self._losses, self._unmodelled = Losses(), ("", 0)
        self.lines.append(Line(index, f"{summary.title}: {summary.short('the players')}", "neutral"))

    def _is_told(self, event: ev.Event) -> bool:
        """Return whether the log says it already: the phase goes on, or a decision's reason said it."""
        if isinstance(event, ev.PhaseBegan):
            last = next((line for line in reversed(self.lines) if line.tone in _HEADINGS), None)
            return last is not None and last.tone == "phase" and last.text == sentence(event, self.head)
        last = self.lines[-1] if self.lines else None
        if last is None or not isinstance(event, ev.Decided):
            return False
        if "stratagem" in (event.decision, self._reasoned):
            return False
        return last.tone in ("reason", "answer") and last.unit != "" and last.unit == event.unit

    def _write_unmodelled(self, index: int, event: ev.Unmodelled) -> None:
        """Count in one line the rules of one unit or card that are not simulated."""
        of, times = self._unmodelled
        times = times + 1 if of == event.unit and times else 1
        self._unmodelled = (event.unit, times)
        if event.unit:
            text = f"{unit_name(self.head, event.unit)}: {count(times, 'rule')} not simulated yet"
        else:
            text = f"Not simulated yet: {title(event.rule) if times == 1 else count(times, 'rule')}"
        self.lines.append(Line(index, text, "faint", unit=event.unit, replaces=times > 1))

    def _write_loss(self, index: int, event: ev.Damaged | ev.Destroyed) -> None:
        """Gather what one unit loses in a row to one cause into one line that grows."""
        last = self.lines[-1] if self.lines else None
        how = loss_words(self.head, event.cause)
        losses = self._losses
        if (losses.unit, losses.how) != (event.unit, how) or last is None or last.tone != "loss":
            losses = self._losses = Losses(event.unit, how)
        replaces = losses.wounds + losses.models > 0
        if isinstance(event, ev.Damaged):
            losses.wounds += event.amount
        else:
            losses.models += 1
        parts = [count(losses.wounds, "wound")] if losses.wounds else []
        parts += [count(losses.models, "model")] if losses.models else []
        text = f"{unit_name(self.head, event.unit)} lost {' and '.join(parts)}" + (f" {how}" if how else "")
        self.lines.append(Line(index, text, "loss", unit=event.unit, replaces=replaces))

    def _tone(self, event: ev.Event) -> str:
        fixed = {
            ev.RoundBegan: "round",
            ev.TurnBegan: "turn",
            ev.PhaseBegan: "phase",
            ev.UnitDestroyed: "loss",
        }
        if type(event) in fixed:
            return fixed[type(event)]
        unit = self.head.position.units.get(getattr(event, "unit", ""))
        if unit is not None:
            return unit.side
        if isinstance(event, ev.SpawnRolled):
            return "horde"
        if isinstance(event, ev.BattleEnded):
            return "horde" if "horde" in event.winners else "players"
        if isinstance(event, ev.Controlled):
            return event.by or "neutral"
        return "players" if getattr(event, "player", "") in self.head.players else "neutral"
