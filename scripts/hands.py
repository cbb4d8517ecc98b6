"""Hands at a window: mouse and keys as pygame's events, each action counted and timed.

An action is a click, a drag, a chord of keys, a notch of the wheel, or a typed line with Enter. Frames run as
in the window's own loop; between two questions they are long, so that nothing is waited for.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import pygame

from viewer.input.seat import Seated
from viewer.window.garbage import Garbage

if TYPE_CHECKING:
    from viewer.window.window import Window

Pixel = tuple[int, int]
FRAME_SECONDS = 1 / 60
LONG_SECONDS = 1.0
"""How far a frame goes while nothing is asked."""
PAUSE_SECONDS = 0.5
"""The time between two actions, on the window's clock: a person looks first."""
MOST_FRAMES = 200_000
HOVER_SECONDS = 0.3


class Timed(NamedTuple):
    """What was done, and the milliseconds up to the frame that shows what came of it."""

    what: str
    ms: float
    """By the clock."""
    busy: float = 0.0
    """Of the processor."""


class Watch:
    """The time since a moment, by the clock and of the processor."""

    def __init__(self) -> None:
        """Begin now."""
        self._clock, self._busy = time.perf_counter(), time.process_time()

    def timed(self, what: str) -> Timed:
        """Return what was done, with the milliseconds since."""
        clock, busy = time.perf_counter() - self._clock, time.process_time() - self._busy
        return Timed(what, 1000 * clock, 1000 * busy)


class Hands:
    """The mouse and the keys of a person at a window."""

    def __init__(self, window: Window) -> None:
        """Sit down at a window."""
        self.window, self._garbage = window, Garbage()
        self._is_drawn = False
        """Whether the last frame drew anything."""
        self.actions: Counter[str] = Counter()
        self.summaries = 0
        """How often a summary of the Horde's turn stood before the game."""
        self.times: list[Timed] = []
        self.waits: list[Timed] = []
        """The milliseconds from an action to the next question."""

    # time

    def frame(self, passed: float = FRAME_SECONDS, *, drawn: bool = True) -> None:
        """Let a frame go by, as the window's loop does."""
        for event in pygame.event.get():
            self.window.handle(event)
        self.window.tick(passed)
        self._is_drawn = drawn and self.window.changed
        if self._is_drawn:
            self.window.draw()
            pygame.display.flip()
        self._garbage.collect(rests=not self._is_drawn)

    def wait(self) -> bool:
        """Let frames go by until something is asked; return whether it is, and not over."""
        window, begin = self.window, Watch()
        for _ in range(MOST_FRAMES):
            if window.turn.is_open:
                # What the Horde did in its turn stands before the game until it is gone on with.
                self.summaries += 1
                self.key("return", "summary")
            if window.player.asked is not None:
                window.changed = True
                self.frame(PAUSE_SECONDS)
                if self._is_ready:
                    break
            if isinstance(window.playback.source, Seated) and window.playback.source.is_thinking:
                time.sleep(0.001)
            if window.playback.source.ended and window.playback.at_end:
                return False
            self.frame(LONG_SECONDS, drawn=False)
        else:
            raise RuntimeError("Nothing is asked any more, and the battle is not over.")
        what = self.times[-1].what if self.times else "start"
        self.waits.append(begin.timed(what))
        return True

    @property
    def _is_ready(self) -> bool:
        """Return whether a question is put and its suggestion is there."""
        asked = self.window.player.asked
        return asked is not None and asked.advised is not None

    def _timed(self, what: str, act: Callable[[], None]) -> None:
        """Act, and note the time to the frame that shows what came of it."""
        self.actions[what.split(":")[0]] += 1
        begin = Watch()
        act()
        self.window.changed = True
        self.frame()
        self.times.append(begin.timed(what))

    # the mouse

    def hover(self, at: Pixel) -> None:
        """Put the mouse somewhere and let it rest; that is no action."""
        begin = Watch()
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=at, rel=(1, 0), buttons=(0, 0, 0)))
        self.frame(HOVER_SECONDS)
        self.window.changed = True
        self.frame()
        self.times.append(begin.timed("hover"))

    def click(self, at: Pixel, what: str = "", *, button: int = 1) -> None:
        """Click at a pixel."""

        def act() -> None:
            for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
                pygame.event.post(pygame.event.Event(kind, pos=at, button=button))

        self._timed(f"click:{what}", act)

    def drag(self, start: Pixel, end: Pixel, what: str = "") -> None:
        """Press at a pixel, carry what is there to another, and let go once its ghost is drawn."""
        self.actions["drag"] += 1
        self._step("take hold", pygame.MOUSEBUTTONDOWN, start, start)
        middle = (start[0] + end[0]) // 2, (start[1] + end[1]) // 2
        # A few pixels first: a press that hardly moves is a click.
        for at in ((start[0] + 9, start[1]), middle, end):
            self._step("ghost", pygame.MOUSEMOTION, at, start)
        self._step(f"drag:{what}", pygame.MOUSEBUTTONUP, end, start)

    def _step(self, what: str, kind: int, at: Pixel, start: Pixel) -> None:
        begin = Watch()
        if kind == pygame.MOUSEMOTION:
            more = {"rel": (at[0] - start[0], at[1] - start[1]), "buttons": (1, 0, 0)}
        else:
            more = {"button": 1}
        pygame.event.post(pygame.event.Event(kind, pos=at, **more))
        self.frame()
        hand = self.window.player
        while kind == pygame.MOUSEMOTION and hand.holds and hand.is_late:
            time.sleep(0.001)
            self.frame()
        if not self._is_drawn:
            self.window.changed = True
            self.frame()
        self.times.append(begin.timed(what))

    def wheel(self, turns: int, at: Pixel) -> None:
        """Turn the wheel with the mouse at a pixel."""
        self.hover(at)
        self._timed("wheel", lambda: _post(pygame.MOUSEWHEEL, y=turns, x=0))

    # the keys

    def key(self, name: str, what: str = "", *, shift: bool = False) -> None:
        """Press a key and let it go, perhaps with Shift."""

        def act() -> None:
            mods = pygame.KMOD_LSHIFT if shift else pygame.KMOD_NONE
            pygame.key.set_mods(mods)
            _press(name, mods)

        self._timed(f"key:{what or name}", act)
        pygame.key.set_mods(pygame.KMOD_NONE)

    def line(self, words: str) -> None:
        """Type a line, after the sign that begins one, and Enter."""

        def act() -> None:
            for sign in f"/{words}":
                _press("", unicode=sign)
            _press("return")

        self._timed("line", act)


def _press(name: str, mods: int = 0, *, unicode: str = "") -> None:
    key = pygame.key.key_code(name) if name else pygame.K_UNKNOWN
    sign = unicode or (name if len(name) == 1 and not mods else "")
    for kind in (pygame.KEYDOWN, pygame.KEYUP):
        _post(kind, key=key, unicode=sign, mod=mods)


def _post(kind: int, **values: object) -> None:
    pygame.event.post(pygame.event.Event(kind, **values))
