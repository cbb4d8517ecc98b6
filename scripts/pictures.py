"""Draws the pictures of the documentation: a unit that is dragged, the guide's moments.

    python scripts/pictures.py docs/pictures [--only playing-3-movement]

The battles and the gestures are always the same. No window opens.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Annotated, Any

import typer

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
import pygame
from first_battle import MOMENTS

from datasheets.library import Library
from engine.horde.setup import Options
from engine.systems import new_game
from viewer.commands.seating import seat_agents
from viewer.input.answering import Answering
from viewer.input.seat import Seated
from viewer.window.film import plain_colours
from viewer.window.gif import quantised, shared_palette
from viewer.window.palette import DEFAULT
from viewer.window.window import Window

SIZE = (1920, 1080)
SEED, FACTION, ARMY = 7, "death-guard", "space-marines-1000"
DRAGGED = "Infernus Squad"
ALONG_PIXELS = (144, -60)
"""The way of the mouse, to the right and down."""
MOTIONS = 12
MOST_STEPS = 20_000
WINDOW = "window"
"""The picture of the first page."""
COLOURS = (255, 192, 128, 96, 64)
"""The numbers of colours that the guide's pictures may have."""
LARGEST = 250_000
"""The most bytes of a picture of the guide."""


def opened() -> Window:
    """Return the window on a battle at its first question."""
    library = Library()
    game = new_game(Options((library.army(ARMY),), (FACTION,), 1000, seed=SEED), library)
    pygame.init()
    surface = pygame.display.set_mode(SIZE)
    window = Window(surface, Seated(game, seat_agents(("p1",), "steady"), ("p1",)))
    window.fit()
    return window


def played_to_movement(window: Window, round_number: int) -> Answering:
    """Take the suggestions up to the first question of a round's Movement phase, and return it."""
    for _ in range(MOST_STEPS):
        window.playback.seek(len(window.playback.chronicle))
        window.tick(0.05)
        asked = window.player.asked
        if asked is None:
            continue
        view = asked.view
        if view.round >= round_number and view.phase == "movement" and asked.request.decision == "next-unit":
            return asked
        window.player.enter("")
    raise RuntimeError("The battle comes to no such question.")


def drag(window: Window, asked: Answering) -> None:
    """Take hold of a unit and carry it some way; the mouse is not let go."""
    unit = next(each for each in asked.view.units() if each.name == DRAGGED)
    x, y = window.camera.to_screen(*map(float, asked.view.xy(unit)[0]))
    at = (round(x), round(y))
    _handle(window, pygame.MOUSEMOTION, pos=at, rel=(0, 0), buttons=(0, 0, 0))
    _handle(window, pygame.MOUSEBUTTONDOWN, pos=at, button=1)
    for step in range(1, MOTIONS + 1):
        far = tuple(start + round(way * step / MOTIONS) for start, way in zip(at, ALONG_PIXELS, strict=True))
        _handle(window, pygame.MOUSEMOTION, pos=far, rel=(ALONG_PIXELS[0] // MOTIONS, 0), buttons=(1, 0, 0))
    if window.player.hand is not None:
        window.player.hand.wait()
    window.tick(1.0)


def _handle(window: Window, kind: int, **fields: Any) -> None:
    window.handle(pygame.event.Event(kind, **fields))


def in_few_colours(surface: pygame.Surface) -> bytes:
    """Return a surface as a PNG of few colours, as many as leave it small."""
    exact = [*plain_colours(DEFAULT), (255, 255, 255), (0, 0, 0)]
    body = b""
    for colours in COLOURS:
        target = io.BytesIO()
        quantised(surface, shared_palette([surface], exact, colours)).save(target, "PNG", optimize=True)
        body = target.getvalue()
        if len(body) <= LARGEST:
            break
    return body


def main(
    folder: Annotated[Path, typer.Argument(help="Where the pictures go.")],
    only: Annotated[str, typer.Option(help="One picture, by the name of its file.")] = "",
) -> None:
    """Draw each picture into the folder."""
    if only in ("", WINDOW):
        window = opened()
        drag(window, played_to_movement(window, 2))
        (folder / f"{WINDOW}.png").write_bytes(window.picture())
    for name, moment in MOMENTS.items():
        if only not in ("", name):
            continue
        if not moment.is_there:
            print(f"{name}: this program has no such screen.")
            continue
        body = in_few_colours(moment.play())
        (folder / f"{name}.png").write_bytes(body)
        print(f"{name}: {len(body) / 1000:.0f} kB")


if __name__ == "__main__":
    typer.run(main)
