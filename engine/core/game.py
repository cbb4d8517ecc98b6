"""A battle in play: what is pending, and what to do with an answer.

Owns the log and the loop over the ruleset's steps. It decides no rule: steps do, and they change the
state only through events.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

from datasheets.errors import HordeError
from datasheets.library import Library
from engine.core import event as ev
from engine.core.apply import apply, fold
from engine.core.dice import Dice
from engine.core.header import data_of
from engine.core.log import AnswerLine, BecauseLine, Boundary, LogLine, reasons_of
from engine.core.replacement import replaced
from engine.core.request import AnyAnswer, AnyRequest, Moves, Places, Steps
from engine.core.rules import NoRules, Rules
from engine.core.ruleset import Ruleset, Step
from engine.core.state import State


class IllegalAnswer(HordeError):  # noqa: N818 - the name that the design gives it
    """An answer that the rules do not allow; nothing was changed."""

    def __init__(self, faults: Sequence[str]) -> None:
        """Keep every fault found."""
        super().__init__("Illegal answer: " + "; ".join(faults) + ".")
        self.faults = tuple(faults)


ASIDES = ("next-unit", "allocation", "order")
"""Decisions that only put things in order."""


@dataclass
class Game:
    """A battle: submit an answer to what is pending, until it is over."""

    ruleset: Ruleset[Any]
    library: Library
    seed: int
    setup: ev.Setup
    opening: tuple[ev.Event, ...] = ()
    """What has happened before the first step, for a battle that begins in the middle."""
    script: dict[str, list[int]] = field(default_factory=dict)
    """Dice that are given by kind of roll instead of drawn."""
    strict_script: bool = False
    """Whether a kind of roll that is scripted may never be drawn."""
    rulings: dict[str, str] = field(default_factory=dict)
    origin: dict[str, object] = field(default_factory=dict)
    """What the battle is made from: its header, but for the data that it uses."""

    def __post_init__(self) -> None:
        """Set the battlefield up and go on to the first question."""
        self.state: State = State()
        self.dice = Dice(self.seed, self.script, self.strict_script)
        self.events: list[ev.Event] = []
        self.answers: list[AnswerLine] = []
        self.lines: list[LogLine] = []
        self.boundaries: list[Boundary] = []
        self.pending: AnyRequest | None = None
        self.wire()
        for event in (self.setup, *self.opening):
            self.log(event)
        self._run()

    def wire(self) -> None:
        """Join what is asked about the state to the state; a system's own battle joins more."""
        self.rules: Rules = NoRules()

    @property
    def header(self) -> dict[str, object]:
        """Return the first line of the battle's log."""
        return {**self.origin, "library": data_of(self.origin, self.library)}

    @property
    def is_over(self) -> bool:
        """Return whether the battle has ended."""
        return bool(self.state.over)

    def log(self, event: ev.Event, cause: str = "") -> None:
        """Stamp an event with the moment, add it to the log and carry it out."""
        event.n = len(self.events)
        event.round = self.state.round
        event.turn = self.state.turn
        event.phase = self.state.phase
        event.cause = cause or event.cause
        self.events.append(event)
        self.lines.append(event)
        apply(self.state, event)
        self.rules.heed(event)

    def submit(self, answer: AnyAnswer, seat: str = "") -> None:
        """Carry out an answer to `pending`. An illegal one raises IllegalAnswer and changes nothing."""
        request = self.pending
        if request is None:
            raise IllegalAnswer(["nothing is asked"])
        seat = seat or request.seats[0]
        answer = _in_order(answer)
        found = self.ruleset.check(self, request, answer, seat)
        if found:
            raise IllegalAnswer(found)
        self._record(request, answer, seat)
        self._advance(answer)

    def _record(self, request: AnyRequest, answer: AnyAnswer, seat: str) -> None:
        number = len(self.answers)
        line = AnswerLine(
            answer=number,
            seat=seat,
            decision=request.decision,
            rule=request.rule,
            value=msgspec.structs.replace(answer, because=(), passed=()),
        )
        self.answers.append(line)
        self.lines.append(line)
        if answer.because:
            self.lines.append(
                BecauseLine(
                    because=number,
                    seat=seat,
                    decision=request.decision,
                    unit=request.unit or _subject(answer),
                    reasons=answer.because,
                    passed=answer.passed,
                )
            )

    def _run(self) -> None:
        self._flow = self._battle()
        self._advance(None)

    def _advance(self, answer: AnyAnswer | None) -> None:
        try:
            self.pending = next(self._flow) if answer is None else self._flow.send(answer)
        except StopIteration:
            self.pending = None

    def _battle(self) -> Steps[None]:
        while not self.state.over:
            step = self.ruleset.steps[self.state.cursor]
            self._mark_boundary()
            if not self.state.step:
                yield from self._open(step)
                self._mark_boundary()
            if self.state.over:
                return
            more = yield from step.run(self)
            if not more and not self.state.over:
                yield from self._close(step)

    def _open(self, step: Step[Any]) -> Steps[None]:
        """Begin a step, and what happens as its phase begins before all else. Rule: CORE.SEQ.2."""
        at = self.state.cursor
        if (step.opens_round or at == self.ruleset.first) and not self._begun_midway():
            yield from self.happen(ev.RoundBegan(number=self.state.round + 1))
        if step.turn and self.state.turn != step.turn:
            yield from self.happen(ev.TurnBegan(whose=step.turn))
        self.log(ev.PhaseBegan(name=step.phase, step=step.name, cursor=at))
        before = self.ruleset.steps[at - 1] if at and not step.opens_round else None
        if before is None or (before.phase, before.turn) != (step.phase, step.turn):
            yield from self.fire("phase-began", self.events[-1])
        yield from self.fire("step-began", None)

    def _begun_midway(self) -> bool:
        return bool(self.opening) and not any(isinstance(e, ev.PhaseBegan) for e in self.events)

    def _close(self, step: Step[Any]) -> Steps[None]:
        """End a step, and the phase, turn and round that end with it. Rule: CORE.TURN.4."""
        at = self.state.cursor
        following = at + 1 if at + 1 < len(self.ruleset.steps) else self.ruleset.first
        after = self.ruleset.steps[following]
        last = after.opens_round or (after.phase, after.turn) != (step.phase, step.turn)
        if last:
            for closing in self.ruleset.phase_end:
                yield from closing(self)
            yield from self.fire("phase-ended", None)
        self.log(ev.PhaseEnded(name=step.phase, step=step.name, cursor=following, last=last))
        if step.turn and (after.opens_round or after.turn != step.turn):
            self.log(ev.TurnEnded(whose=step.turn))
        begins_anew = after.opens_round or (following == self.ruleset.first and step.phase != "setup")
        if begins_anew or step.ends_round:
            self.log(ev.RoundEnded(number=self.state.round))

    def happen(self, event: ev.Event, cause: str = "", **context: object) -> Steps[None]:
        """Log an event and carry out every rule whose moment it is, in this context."""
        self.log(event, cause)
        yield from self.fire(event.kind, event, **context)

    def fire(self, moment: str, event: ev.Event | None, **context: object) -> Steps[None]:
        """Carry out the reactions of the ruleset to a moment, then those of the rules in force."""
        for react in self.ruleset.reactions.get(moment, ()):
            yield from react(self, event)
        yield from self.rules.fire(moment, event, context)

    def roll(
        self,
        roll: str,
        count: int = 1,
        sides: int = 6,
        *,
        unit: str = "",
        target: str = "",
        need: int = 0,
        stream: str = "dice",
        cause: str = "",
        trail: ev.NumberTrail | None = None,
        replaces: tuple[int, ...] = (),
    ) -> tuple[int, ...]:
        """Roll dice of a kind, log them and return their faces, or what a rule puts in their place.

        Dice that are rolled again say the places of those that they replace.
        """
        instead = self.rules.instead(roll, self.state.position.units.get(unit))
        if instead is not None:
            clause, cause = instead
            dice, kept = replaced(clause, count, lambda: self.dice.die(roll, sides, stream))
        else:
            dice = kept = tuple(self.dice.die(roll, sides, stream) for _ in range(count))
        self.log(
            ev.Rolled(
                roll=roll,
                dice=dice,
                total=sum(kept),
                stream=stream,
                draws=self.dice.draws.get(stream, 0),
                unit=unit,
                target=target,
                need=need,
                trail=trail,
                replaces=replaces,
            ),
            cause,
        )
        return kept

    def pick(self, what: str, count: int, stream: str = "table", cause: str = "") -> int:
        """Return a random index below `count`, logged as a roll of this kind."""
        return self.roll(what, 1, count, stream=stream, cause=cause)[0] - 1

    def shuffle(
        self, what: str, items: Sequence[str], stream: str = "deck", cause: str = ""
    ) -> tuple[str, ...]:
        """Return the items in a random order; the log tells only that they were shuffled."""
        order = self.dice.shuffled(items, stream)
        self.log(
            ev.Rolled(
                roll=what, dice=(), total=len(items), stream=stream, draws=self.dice.draws.get(stream, 0)
            ),
            cause,
        )
        return order

    def last_reasons(self, seat: str) -> BecauseLine | None:
        """Return why a seat decided last what one of its units does, None where it has not."""
        said = (line for line in reversed(self.lines) if isinstance(line, BecauseLine) and line.seat == seat)
        return next((line for line in said if line.unit and line.decision not in ASIDES), None)

    def ruling(self, key: str) -> str:
        """Return how an open point of the text is read in this battle."""
        return self.rulings.get(key) or self.ruleset.settings.named(key).default

    def _mark_boundary(self) -> None:
        self.boundaries.append(Boundary(len(self.events), len(self.answers), len(self.lines)))

    def undo(self, answers: int) -> None:
        """Go back to the moment at which this many answers had been given."""
        lines = self.lines
        back = [b for b in self.boundaries if b.answers <= answers]
        self.restore(lines, back[:-1], back[-1], answers)

    def restore(self, lines: list[LogLine], boundaries: list[Boundary], here: Boundary, answers: int) -> None:
        """Take up a log at a boundary between steps, and give its answers again up to this many."""
        given = [line for line in lines if isinstance(line, AnswerLine)]
        reasons = reasons_of(lines)
        self.boundaries = boundaries
        self.lines = lines[: here.lines]
        self.events = [line for line in self.lines if isinstance(line, ev.Event)]
        self.answers = given[: here.answers]
        self.state = fold(self.events)
        self.dice.restore(self.state.dice)
        self.wire()
        self._run()
        for line in given[here.answers : answers]:
            self.resubmit(line, reasons.get(line.answer))

    def resubmit(self, line: AnswerLine, why: BecauseLine | None = None) -> None:
        """Give an answer of a log again, with its reasons."""
        answer = line.value
        if why is not None:
            answer = msgspec.structs.replace(answer, because=why.reasons, passed=why.passed)
        self.submit(answer, line.seat)


G = TypeVar("G", bound=Game)
Begin = Callable[[dict[str, Any], Library, str], G]
"""Return the battle of a header at its first question.

The last argument names the file in errors.
"""


def _in_order(answer: AnyAnswer) -> AnyAnswer:
    """Return the answer with its models in the order of their rows, as in a file."""
    if isinstance(answer, Moves):
        return msgspec.structs.replace(answer, paths=dict(sorted(answer.paths.items())))
    if isinstance(answer, Places):
        return msgspec.structs.replace(answer, poses=dict(sorted(answer.poses.items())))
    return answer


def _subject(answer: AnyAnswer) -> str:
    return next((reason.target for reason in answer.because if reason.target), "")
