"""Whole battles of the engine by their seeds, for tests that read a log or watch one."""

from __future__ import annotations

import math
from functools import lru_cache

import pygame

from datasheets.library import Library
from engine.core import event as ev
from engine.core.play import play
from engine.horde.setup import Options
from engine.systems import new_game
from engine.w40k.battle import Battle
from engine.w40k.view import View
from viewer.commands.seating import seat_agents
from viewer.input import seat
from viewer.input.gate import Gate
from viewer.input.seat import Seated
from viewer.input.settings import Rules
from viewer.story.live import entries
from viewer.story.source import Entry, Recording
from viewer.window.look import Look
from viewer.window.playback import Playback
from viewer.window.window import Window

# How far a battle comes in a poll is the same on a slow machine and a fast one.
seat.LONGEST_POLL = math.inf
BATTLES = ((7, "death-guard"), (11, "orks"))


def begun(seed: int = 7, faction: str = "death-guard") -> Battle:
    library = Library()
    return new_game(Options((library.army("space-marines-1000"),), (faction,), seed=seed), library)


@lru_cache(maxsize=4)
def _log(seed: int, faction: str) -> tuple[Entry, ...]:
    game = begun(seed, faction)
    play(game, seat_agents(("p1",), "steady"), View)
    return tuple(entries(game.lines))


def played(seed: int = 7, faction: str = "death-guard") -> Playback:
    """Return a whole battle as a playback, at its beginning."""
    return Playback(Recording(list(_log(seed, faction))))


def recording(seed: int = 7, faction: str = "death-guard") -> Recording:
    return Recording(list(_log(seed, faction)), "A seeded battle")


def seated(size: tuple[int, int] = (1920, 1080), look: Look | None = None, seed: int = 7) -> Window:
    """Return the window of a person's battle, whose questions are put when they matter."""
    source = Seated(begun(seed), seat_agents(("p1",), "steady"), ("p1",), gate=Gate(Rules()))
    window = Window(pygame.display.set_mode(size), source, look)
    window.playback.playing = True
    return window


def key(name: str, typed: str = "") -> pygame.event.Event:
    return pygame.event.Event(pygame.KEYDOWN, key=pygame.key.key_code(name), unicode=typed, mod=0)


def until(window: Window, phase: str = "", *, over: bool = False) -> Window:
    """Take every suggestion until the Horde's turn is in a phase, or is over."""
    for _ in range(4000):
        state = window.playback.state
        if over and window.turn.is_open:
            return window
        if not over and (state.turn, state.phase) == ("horde", phase) and window.player.asked is None:
            window.turn.goal = ""
            return window
        if window.player.asked is not None:
            # A key right after the one before is none for a new question.
            window.tick(0.2)
            window.handle(key("return", "\r"))
        elif over or state.turn != "horde":
            window.turn.goal = window.turn.goal or "turn"
        else:
            window.turn.goal = "phase"
        window.tick(0.02)
    raise AssertionError("the battle did not come to it")


def attacks(playback: Playback) -> list[int]:
    """Return the places of the attacks of a battle."""
    found = enumerate(playback.chronicle.entries)
    return [index for index, entry in found if isinstance(entry, ev.Attacked)]


def rolls(playback: Playback) -> list[int]:
    """Return the places of the rolls of a battle that have dice."""
    found = enumerate(playback.chronicle.entries)
    return [index for index, entry in found if isinstance(entry, ev.Rolled) and entry.dice]


def press(window: Window, name: str, typed: str = "") -> None:
    window.handle(key(name, typed))


def click(window: Window, at: tuple[int, int]) -> None:
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=at, button=1))
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=at, button=1))
    window.draw()


def run(window: Window, goal: str, most: int = 900) -> None:
    """Let the window run until its jump is done; questions are answered as suggested."""
    window.turn.goal = window.turn.goal or goal
    for _ in range(most):
        window.tick(0.02)
        if window.player.asked is not None and not window.turn.is_open:
            window.tick(0.2)
            window.handle(key("return", "\r"))
            window.playback.playing = False
            window.turn.goal = goal
        elif not window.turn.goal:
            break
    window.draw()


def written(window: Window) -> str:
    return "\n".join(each.words for each in window.lettering.written)
