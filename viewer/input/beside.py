"""The window's end of a process beside it: its beginning, its messages, its end.

A process that cannot begin, ends, or falls out of step is missed by nobody: what it was to think is thought
here, and one sentence says so. What the process does is `viewer.input.mirror`'s.
"""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from queue import SimpleQueue
from typing import Any, TypeVar

from engine.core.request import AnyAnswer, AnyRequest
from engine.w40k.open_tie import OpenTie
from engine.w40k.view import View
from viewer.input.mirror import Begin, Call, Decided, Failed, Given, HandedOver, Result, Undone, serve
from viewer.input.thinking import Here, Minds, Thought, Work

V = TypeVar("V")
HEAD_START = 0.15
"""The seconds that the window has for its first frame before a process begins."""
PATIENCE = 0.05
"""The seconds that the window waits for a ghost, as a person lets go of a unit."""
ALONE = "Nothing thinks beside the window any more: it may stand still while the Horde thinks."
"""The sentence for the log where the process is gone."""


class Line:
    """A process with a mirror of the battle, and what comes from it."""

    def __init__(self, *, thinks: bool) -> None:
        """Begin nothing yet."""
        self._thinks = thinks
        self._out: SimpleQueue[object | None] = SimpleQueue()
        self.came: deque[Thought] = deque()
        """The thoughts that nobody has taken yet, the oldest first."""
        self._results: dict[int, Result] = {}
        self._calls = 0
        self._changed = threading.Condition()
        self.is_dead = self.has_begun = False
        self.has_spoken = False
        """Whether anything has come from the process: it takes some time to begin."""
        self._process: SpawnProcess | None = None
        self.why = ""
        """What ended it, where it said so."""

    @property
    def process(self) -> int:
        """Return the process's number, 0 before it has begun."""
        return 0 if self._process is None else self._process.pid or 0

    def begin(self, minds: Minds) -> None:
        """Begin the process with the battle as it stands; nothing waits for it."""
        game, self.has_begun = minds.game, True
        names = {seat: mind.name for seat, mind in minds.agents.items()}
        names |= {seat: "horde" for seat, name in names.items() if name == "game-master"}
        told = Begin(
            game.header,
            list(game.lines),
            game.boundaries[-1],
            len(game.answers),
            names,
            minds.asked,
            minds.turn,
            self._thinks,
        )
        self._out.put(told)
        threading.Thread(target=self._speak, name="beside", daemon=True).start()

    def _speak(self) -> None:
        """Begin the process, then send what is to be sent, until the end."""
        time.sleep(HEAD_START)
        try:
            context = multiprocessing.get_context("spawn")
            near, far = context.Pipe()
            process = context.Process(target=serve, args=(far,), name="horde-beside", daemon=True)
            process.start()
            far.close()
            self._process = process
            threading.Thread(target=self._listen, args=(near,), name="beside-in", daemon=True).start()
            while (message := self._out.get()) is not None:
                near.send(message)
            process.terminate()
        except Exception as fault:  # whatever keeps it from beginning, the battle goes on
            self._die(f"{type(fault).__name__}: {fault}")

    def _listen(self, near: Connection) -> None:
        """Take in what comes, until the end."""
        words = "it ended"
        with suppress(EOFError, OSError):
            while True:
                message = near.recv()
                if isinstance(message, Failed):
                    words = message.words
                    break
                with self._changed:
                    self.has_spoken = True
                    if isinstance(message, Result):
                        self._results[message.place] = message
                    else:
                        self.came.append(message)
                    self._changed.notify_all()
        self._die(words)

    def _die(self, words: str) -> None:
        with self._changed:
            self.why, self.is_dead = self.why or words, True
            self.came.clear()
            self._changed.notify_all()
        self._out.put(None)

    def send(self, message: object) -> None:
        """Send a message, without waiting."""
        if self.has_begun and not self.is_dead:
            self._out.put(message)

    def wait(self, until: Callable[[], bool]) -> None:
        """Wait until something has come, or the process is gone."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_dead or until())

    def call(
        self, number: int, seat: str, request: AnyRequest, work: Work[Any], wish: object
    ) -> Result | None:
        """Have something worked out and wait for it; return None where the process is gone."""
        with self._changed:
            self._calls += 1
            place = self._calls
        self.send(Call(place, number, seat, request, work, wish))
        self.wait(lambda: place in self._results)
        with self._changed:
            return self._results.pop(place, None)

    def stop(self) -> None:
        """End the process."""
        self._die("the window has closed")


class Beside:
    """Thinking in a process beside the window, and here where there is none."""

    def __init__(self, minds: Minds, tell: Callable[[str], None]) -> None:
        """Think with these agents; `tell` takes the sentence that the process is gone."""
        self._minds, self._tell = minds, tell
        self._early = Here(minds)
        self._hasty: Thought | None = None
        """What was thought here last, since the process had not begun."""
        self._here: Here | None = None
        """Where it is thought once the process is gone."""
        self._line = Line(thinks=True)
        self._hands = Line(thinks=False)
        """The process in which is worked out what a person would do, as the other may be busy."""

    @property
    def fault(self) -> str:
        """Return why the process is gone, "" where it is not."""
        return self._line.why

    @property
    def patience(self) -> float | None:
        """Return for how many seconds the window may wait for a worker; None where it works here."""
        return None if self._hands.is_dead else PATIENCE

    @property
    def processes(self) -> list[int]:
        """Return the numbers of the processes that have begun."""
        return [line.process for line in (self._line, self._hands) if line.process]

    def thought(self) -> Thought | None:
        """Return what is thought of what is pending; None while it is not known yet."""
        if self._here is not None:
            return self._here.thought()
        self.begin()
        if self._line.is_dead:
            return self._alone()
        return self._first()

    def _first(self) -> Thought | None:
        """Return the oldest thought that is not out of date."""
        came, game = self._line.came, self._minds.game
        now = self._minds.turn, len(game.answers)
        while came and (came[0].turn, came[0].number) < now:
            came.popleft()
        if not came:
            # In the set-up little is thought about: nobody waits for the process to begin.
            is_early = not self._line.has_spoken and not game.state.round
            self._hasty = self._early.thought() if is_early else None
            return self._hasty
        thought = came[0]
        if (thought.turn, thought.number, thought.events) != (*now, len(game.events)):
            return self._alone()
        if not self._hands.has_begun:
            # Not before the other process has begun: there may be few processors.
            self._hands.begin(self._minds)
        return thought

    def _alone(self) -> Thought | None:
        """Think here from now on."""
        self._here = self._early
        self.stop()
        self._tell(ALONE)
        return self._here.thought()

    def wait(self) -> Thought:
        """Return what is thought of what is pending, however long that takes."""
        while True:
            found = self.thought()
            if found is not None:
                return found
            self._line.wait(lambda: bool(self._line.came))

    def begin(self) -> None:
        """Begin the process, where it has not begun."""
        if not self._line.has_begun:
            self._line.begin(self._minds)

    def given(self, number: int, seat: str, answer: AnyAnswer) -> None:
        """Hear of an answer that was given after this number of others."""
        self._send(Given(number, seat, answer))

    def taken(self, thought: Thought) -> None:
        """Hear that a thought was given as the answer: the process that thought it knows."""
        given = Given(thought.number, thought.seat, thought.answer)
        self._hands.send(given)
        if thought is self._hasty:
            self._line.send(given)

    def _send(self, message: object) -> None:
        for line in (self._line, self._hands):
            line.send(message)

    def decided(self, tie: OpenTie, answer: AnyAnswer) -> None:
        """Hear of a decided tie."""
        self._send(Decided(len(self._minds.game.answers), tie.key, tie.ids, answer))

    def undone(self) -> None:
        """Hear that answers were taken back."""
        self._send(Undone(len(self._minds.game.answers)))

    def handed_over(self) -> None:
        """Hear that the agents play on by themselves."""
        self._send(HandedOver(len(self._minds.game.answers)))

    def worker(self, view: View, request: AnyRequest, work: Work[V]) -> Callable[[object], V]:
        """Return what works something out of a question that is put now, for a thread to wait for."""
        number, hands = len(self._minds.game.answers), self._hands
        if not hands.has_begun:
            hands.begin(self._minds)

        def worked_out(wish: object) -> V:
            found = hands.call(number, view.seat, request, work, wish)
            if found is not None and not found.failed:
                value: V = found.value
                return value
            return work(view, request, wish)

        return worked_out

    def stop(self) -> None:
        """End the processes."""
        self._line.stop()
        self._hands.stop()
