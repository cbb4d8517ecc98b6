"""How quickly a ghost follows the mouse: simulated drags of a person's units in a battle.

Plays to a round's Movement phase as the adviser would, drags each unit along a circle, lets go of it, and
prints the milliseconds from each event to the drawn ghost, by the clock and of the processor. `--shot` saves
a picture with the last ghost.
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
import time
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from ai.agents import agent
from datasheets.library import Library
from engine.horde.setup import Options
from engine.systems import new_game
from viewer.input.seat import Seated
from viewer.window.window import Window

SIZE = (1920, 1080)
STEPS = 24
"""The motions of a drag."""


def main() -> None:
    """Measure and print."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--seed", type=int, default=7)
    words.add_argument("--army", default="space-marines-1000")
    words.add_argument("--horde", default="death-guard")
    words.add_argument("--points", type=int, default=1000)
    words.add_argument("--round", type=int, default=2)
    words.add_argument("--shot", type=Path)
    told = words.parse_args()
    window = at_movement(told)
    units = [option.id for option in window.player.asked.request.options]  # type: ignore[union-attr]
    taken, ghosts, back = [], [], []
    for unit in units:
        if unit in window.playback.state.position.units:
            some = drag(window, unit)
            taken.append(some[0])
            ghosts += some[1]
            if told.shot is not None and unit == units[0]:
                told.shot.write_bytes(window.picture())
            back.append(let_go(window))
    for name, found in (("taking hold", taken), ("ghost drawn", ghosts), ("letting go", back)):
        for which, spent in zip(("clock", "processor"), zip(*found, strict=True), strict=True):
            print(
                f"{name}, {which}: {len(spent)} times, median {statistics.median(spent):.0f} ms, "
                f"95% {sorted(spent)[int(len(spent) * 0.95)]:.0f} ms, worst {max(spent):.0f} ms"
            )


def at_movement(told: argparse.Namespace) -> Window:
    """Return the window at the choice of the first unit in the Movement phase of a round."""
    library = Library()
    armies = (library.army(told.army),)
    game = new_game(Options(armies, (told.horde,), told.points, seed=told.seed), library)
    seat = Seated(game, {"horde": agent("horde"), "p1": agent("steady")}, ("p1",))
    pygame.display.init()
    window = Window(pygame.display.set_mode(SIZE), seat)
    while True:
        question = seat.question
        if question is None:
            window.playback.pull()
            continue
        view, request = question.view, question.request
        if view.round == told.round and request.decision == "next-unit" and request.rule == "CORE.MOVE.1":
            break
        seat.answer(question.advice)
    window.playback.seek(len(window.playback.chronicle))
    window.tick(0.01)
    window.draw()
    return window


Spent = tuple[float, float]
"""Milliseconds by the clock, and of the processor."""


def spent_since(begin: Spent) -> Spent:
    """Return the milliseconds since a moment in seconds."""
    return 1000 * (time.perf_counter() - begin[0]), 1000 * (time.process_time() - begin[1])


def drag(window: Window, unit: str) -> tuple[Spent, list[Spent]]:
    """Drag a unit along a growing circle; return the times of taking hold, and of each ghost."""
    table = window.playback.state.position.table
    row = window.playback.state.position.units[unit].rows[0]
    at = float(table.xy[row][0]), float(table.xy[row][1])
    begin = pixel(window, at)
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=begin, button=1))
    taken = shown(window, (begin[0] + 5, begin[1]))
    ghosts = []
    for step in range(1, STEPS + 1):
        far, way = 9.0 * step / STEPS, math.tau * step / STEPS
        ghosts.append(
            shown(window, pixel(window, (at[0] + far * math.cos(way), at[1] + far * math.sin(way))))
        )
    return taken, ghosts


def shown(window: Window, at: tuple[int, int]) -> Spent:
    """Return the milliseconds from a motion of the mouse to the drawn ghost of its place."""
    begin = time.perf_counter(), time.process_time()
    window.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=at, rel=(1, 0), buttons=(1, 0, 0)))
    hand = window.player.hand
    assert hand is not None
    while hand.is_late:
        time.sleep(0.001)
        window.tick(0.001)
    window.draw()
    pygame.display.flip()
    return spent_since(begin)


def let_go(window: Window) -> Spent:
    """Let go of what is held; return the milliseconds."""
    begin = time.perf_counter(), time.process_time()
    window.player.take_back()
    window.tick(0.01)
    window.draw()
    spent = spent_since(begin)
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=(0, 0), button=1))
    return spent


def pixel(window: Window, at: tuple[float, float]) -> tuple[int, int]:
    """Return the pixel of a place of the board."""
    x, y = window.camera.to_screen(*at)
    return round(x), round(y)


if __name__ == "__main__":
    main()
