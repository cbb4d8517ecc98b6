"""A battle in a process of its own, which follows the one in the window.

Owns the messages between the two, and what the process does with each. It is made of the window's header and
log, hears of every answer, and changes nothing in the window. The window's end is `viewer.input.beside`'s.
"""

from __future__ import annotations

import gc
import os
import signal
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

import msgspec

from ai.agents import agent
from datasheets.library import Library
from engine.core.log import Boundary, LogLine
from engine.core.request import AnyAnswer, AnyRequest
from engine.systems import begin
from engine.w40k.battle import Battle
from engine.w40k.open_tie import OpenTie
from engine.w40k.view import View
from viewer.input.thinking import Minds, Thought, Work

OLDEST = 200_000
"""The new things after which garbage is looked for: most of them stay."""


NICER = 5
"""By how much the process gives way to the window, where there are few processors."""


class Begin(msgspec.Struct, frozen=True):
    """The battle as it stands in the window, with the names of its agents by seat."""

    header: dict[str, Any]
    lines: list[LogLine]
    here: Boundary
    answers: int
    agents: dict[str, str]
    asked: tuple[str, ...]
    turn: int
    thinks: bool
    """Whether the process thinks about what is pending; else it works for calls alone."""


class Given(msgspec.Struct, frozen=True):
    """An answer of the window, after this number of others."""

    number: int
    seat: str
    answer: AnyAnswer


class Undone(msgspec.Struct, frozen=True):
    """In the window the answers from this number on were taken back."""

    number: int


class Decided(msgspec.Struct, frozen=True):
    """A Game Master has decided a tie, after this number of answers."""

    number: int
    key: Any
    ids: tuple[str, ...]
    answer: AnyAnswer


class HandedOver(msgspec.Struct, frozen=True):
    """The agents play on by themselves after this number of answers."""

    number: int


class Call(msgspec.Struct, frozen=True):
    """Work of the question after this number of answers, as the window puts it to a seat."""

    place: int
    number: int
    seat: str
    request: AnyRequest
    work: Work[Any]
    wish: Any


class Result(msgspec.Struct, frozen=True):
    """What came of a call; `failed` says whether it is what went wrong."""

    place: int
    value: Any
    failed: bool = False


class Failed(msgspec.Struct, frozen=True):
    """The process cannot go on: what went wrong, in full."""

    words: str


class OutOfStep(Exception):  # noqa: N818 - it ends the process, which the window survives
    """The battles of window and process are no longer the same."""


class Mirror:
    """A battle that follows another, and the agents that think about it."""

    def __init__(self, told: Begin, library: Library) -> None:
        """Take a battle up where it stands."""
        game: Battle = begin(told.header, library)
        if told.answers or len(told.lines) > len(game.lines):
            game.restore(list(told.lines), [game.boundaries[0]], told.here, told.answers)
        agents = {seat: agent(name) for seat, name in told.agents.items()}
        self.minds, self.game = Minds(game, agents, told.asked), game
        self.minds.turn = told.turn
        self._thinks = told.thinks
        self._thought: Thought | None = None
        """What was thought last and waits for the window."""

    @property
    def may_think(self) -> bool:
        """Return whether anything is pending that was not thought about yet."""
        return self._thinks and self._thought is None and self.game.pending is not None

    def think(self) -> Thought:
        """Think about what is pending; what no person decides is given as the answer at once."""
        thought, request = self.minds.thought(), self.game.pending
        assert request is not None
        if thought.tie is not None or self.minds.is_asked(thought.seat, request.decision):
            self._thought = thought
        else:
            self.game.submit(thought.answer, thought.seat)
        return thought

    def hear(self, message: object) -> Result | None:
        """Follow what the window did; return what came of a call."""
        if isinstance(message, Call):
            return self._called(message)
        if isinstance(message, Given) and message.number < len(self.game.answers):
            # The window thought it too, before it heard from here.
            return None
        self._thought = None
        if isinstance(message, Given):
            self._at(message.number)
            self.game.submit(message.answer, message.seat)
        elif isinstance(message, Undone):
            self._back_to(message.number)
            self.minds.look_anew()
        elif isinstance(message, Decided):
            self._at(message.number)
            self.minds.decide(OpenTie(message.key, message.ids), message.answer)
        elif isinstance(message, HandedOver):
            self._back_to(message.number)
            self.minds.hand_over()
        return None

    def _at(self, number: int) -> None:
        if len(self.game.answers) != number:
            raise OutOfStep(f"{len(self.game.answers)} answers here, {number} in the window")

    def _back_to(self, number: int) -> None:
        """Go back to where the window is, which may have heard less than was thought."""
        if len(self.game.answers) > number:
            self.game.undo(number)
            self.minds.views.update({seat: View(self.game, seat) for seat in self.minds.agents})
        self._at(number)

    def _called(self, call: Call) -> Result:
        try:
            self._at(call.number)
            return Result(call.place, call.work(self.minds.views[call.seat], call.request, call.wish))
        except Exception as fault:  # whatever it is, the window meets it by itself
            return Result(call.place, f"{type(fault).__name__}: {fault}", failed=True)


def serve(line: Connection) -> None:
    """Follow the window at the other end of a line until it is gone."""
    # The terminal's Ctrl+C is the window's; it says here by closing the line what it made of it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(OLDEST)
    if hasattr(os, "nice"):
        os.nice(NICER)
    # A window that was killed hears nothing any more.
    with suppress(EOFError, OSError):
        try:
            _serve(line)
        except (EOFError, OSError):
            raise
        except Exception:  # the window thinks on by itself
            line.send(Failed(traceback.format_exc()))


def _serve(line: Connection) -> None:
    mirror = Mirror(line.recv(), Library())
    while True:
        while line.poll() or not mirror.may_think:
            result = mirror.hear(line.recv())
            if result is not None:
                line.send(result)
        line.send(mirror.think())
