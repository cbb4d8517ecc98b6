"""The lines of a battle's log: events, answers, and the reasons for answers."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.core import event as ev
from engine.core.facts import Facts
from engine.core.request import AnyAnswer, Because


class AnswerLine(Facts, frozen=True, kw_only=True):
    """An answer as the log keeps it; reasons are a line of their own."""

    answer: int
    seat: str
    decision: str
    rule: str
    value: AnyAnswer


class BecauseLine(Facts, frozen=True, kw_only=True):
    """Why the answer with this number was given."""

    because: int
    seat: str
    decision: str
    unit: str = ""
    reasons: tuple[Because, ...]
    passed: tuple[Because, ...] = ()
    """The clauses that settled nothing."""


LogLine = ev.Event | AnswerLine | BecauseLine


class Boundary(msgspec.Struct, frozen=True):
    """A moment between steps: how many events, answers and lines the log had."""

    events: int
    answers: int
    lines: int


def reasons_of(lines: Sequence[LogLine]) -> dict[int, BecauseLine]:
    """Return the reasons in a log by the numbers of their answers."""
    return {line.because: line for line in lines if isinstance(line, BecauseLine)}
