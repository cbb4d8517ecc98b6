"""Measures the frames of the play window in fills and flips of the same run.

    python benchmarks/viewer.py [--frames 120] [--size 1920x1080] [--text 100] [--tools]

A battle of 250 models is shown without a screen while a question waits: overlays, plates, card and log are
on, the mouse goes over the board from frame to frame, and every tenth frame another unit is chosen. What a
process beside works out for `horde play` is there already. With `--tools` sights, threat ranges and the ruler
are shown, too. It prints the median and the 95th percentile of a frame's processor time in these units, and
in milliseconds. Exit code 1 where the median is above 50, or the 95th percentile above 80.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from time import process_time
from typing import Annotated, Any

if __name__ == "__main__":
    # This folder has a module called like a package: it must not stand before it.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pygame
import typer

from ai.agents import agent
from datasheets.errors import HordeError
from engine.core.facts import BoardFacts, Side, WeaponFacts
from engine.core.request import AnyRequest
from engine.core.ruleset import Step
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.scenario.situation import Stand, situation
from engine.w40k.phase import movement
from engine.w40k.view import View
from viewer.input.seat import Seated
from viewer.input.thinking import Here, Minds, Work
from viewer.window.look import Look
from viewer.window.window import Window

UNITS, MODELS = 25, 10
MEDIAN, TAIL = 50.0, 80.0
"""The limits, in fills and flips."""
RIFLE = WeaponFacts(name="rifle", range=24.0, attacks="2", skill=3)


def battle() -> Seated:
    """Return a battle of 25 units of ten models at its first question."""
    stands = []
    for i in range(UNITS):
        left, low = 3.0 + 11.5 * (i % 5), 2.0 + 8.4 * (i // 5)
        places = [(left + 1.6 * (k % 5), low + 1.6 * (k // 5)) for k in range(MODELS)]
        side: Side = "players" if i // 5 < 2 else "horde"
        stands.append(Stand(f"unit-{i}", side, places, weapons=(RIFLE,)))
    step = Step("players.movement", "movement", movement.movement, "players")
    game = situation(stands, [step], HORDE_1_1, board=BoardFacts())
    return Seated(game, {"horde": agent("horde"), "p1": agent("steady")}, ("p1",), think=_Elsewhere)


class _Elsewhere(Here):
    """Thinking as if beside the window: what is worked out there costs the window nothing."""

    patience = 0.0

    def __init__(self, minds: Minds, tell: Callable[[str], None]) -> None:
        super().__init__(minds)
        self._known: dict[object, Any] = {}

    def worker(self, view: View, request: AnyRequest, work: Work[Any]) -> Callable[[Any], Any]:
        def worked_out(wish: Any) -> Any:
            key = work, wish
            if key not in self._known:
                self._known[key] = work(view, request, wish)
            return self._known[key]

        return worked_out


def foresee(window: Window) -> None:
    """Have worked out where each unit is suggested to go."""
    asked = window.player.asked
    assert asked is not None
    assert asked.open is not None
    for unit in asked.open.ready:
        asked.open.turn_to(unit)
        asked.open.suggested  # noqa: B018 - it is begun by being asked for
        while asked.open.is_late:
            asked.open.look()
    asked.open.turn_to("")


def unit_of_time(surface: pygame.Surface) -> float:
    """Return the processor seconds of a full-screen fill and flip, the median of some."""
    found = []
    for shade in range(60):
        begun = process_time()
        surface.fill((shade, shade, shade))
        pygame.display.flip()
        found.append(process_time() - begun)
    return median(found)


def frames(window: Window, count: int) -> list[float]:
    """Return the processor seconds of each frame, the mouse elsewhere in every one."""
    units = [unit.id for unit in window.playback.state.position.on_table()]
    board, found = window.layout.board, []
    for i in range(count):
        at = board.x + (37 * i) % board.w, board.y + (53 * i) % board.h
        motion = pygame.event.Event(pygame.MOUSEMOTION, pos=at, rel=(0, 0), buttons=(0, 0, 0))
        begun = process_time()
        if i % 10 == 0:
            window.choose(units[i // 10 % len(units)])
        window.handle(motion)
        window.tick(1 / 60)
        window.draw()
        pygame.display.flip()
        found.append(process_time() - begun)
    return found


def take_tools(window: Window) -> None:
    """Take all tools over the board in hand: sights, the threat of the Horde, the ruler."""
    tools = window.toolbox
    tools.toggle_sight()
    tools.next_threat()
    tools.toggle_ruler()
    board = window.layout.board
    tools.press(board.topleft, 1)
    tools.move(board.center)
    tools.release(1)
    tools.areas.finish()


def main(
    count: Annotated[int, typer.Option("--frames", help="How many frames are measured.")] = 120,
    size: Annotated[str, typer.Option(help="Width and height of the window, in pixels.")] = "1920x1080",
    text: Annotated[int, typer.Option(help="The size of words, in percent.")] = 100,
    tools: Annotated[bool, typer.Option("--tools", help="Show what the tools over the board show.")] = False,
) -> None:
    """Measure frames and print what they cost."""
    width, _, height = size.partition("x")
    if not (width.isdigit() and height.isdigit()):
        raise HordeError(f"'{size}' is no size; write 1920x1080.")
    pygame.display.init()
    surface = pygame.display.set_mode((int(width), int(height)))
    window = Window(surface, battle(), Look(text=text))
    while not window.player.waits:
        window.playback.pull()
    window.playback.seek(len(window.playback.chronicle))
    window.fit()
    if tools:
        take_tools(window)
    foresee(window)
    frames(window, 10)  # what is painted once is no frame's
    unit, found = unit_of_time(surface), frames(window, count)
    middle, tail = median(found), quantiles(found, n=20)[-1]
    typer.echo(f"one fill and flip: {1000 * unit:.2f} ms")
    typer.echo(f"a frame: median {middle / unit:.1f} ({1000 * middle:.1f} ms)")
    typer.echo(f"a frame: 95th percentile {tail / unit:.1f} ({1000 * tail:.1f} ms)")
    raise typer.Exit(int(middle / unit > MEDIAN or tail / unit > TAIL))


if __name__ == "__main__":
    typer.run(main)
