"""A person at the window in tests: a battle up to a question, keys and mouse as events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pygame

from ai.agents import agent
from engine.core.facts import BoardFacts, WeaponFacts
from engine.core.game import Game
from engine.core.request import Steps
from engine.core.ruleset import Step
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.scenario.situation import Stand, situation
from engine.w40k.phase import movement, shooting
from viewer.input.answering import Answering
from viewer.input.seat import Seated
from viewer.window.window import Window

GUN = WeaponFacts(name="rifle", range=24.0, attacks="2", skill=3)
PISTOL = WeaponFacts(name="pistol", range=24.0, attacks="1", skill=3)
MOVEMENT = Step("players.movement", "movement", movement.movement, "players")
SHOOTING = Step("players.shooting", "shooting", shooting.shooting, "players")
Open = Callable[..., Window]


def show(game: Game, size: tuple[int, int] = (1200, 760), adviser: str = "steady") -> Window:
    """Show a battle in a window, up to its first question."""
    agents = {"horde": agent("horde"), "p1": agent(adviser)}
    window = Window(pygame.display.set_mode(size), Seated(game, agents, ("p1",)))
    window.playback.playing = True
    return on(window)


def on(window: Window) -> Window:
    """Let the window run until something is asked, or the battle is over."""
    for _ in range(400):
        if window.player.asked is not None or (window.playback.source.ended and window.playback.at_end):
            break
        window.tick(0.5)
    window.draw()
    return window


def asked(window: Window) -> Answering:
    found = window.player.asked
    assert found is not None
    return found


def say(window: Window, line: str) -> Window:
    """Type a line, sign by sign, and Enter."""
    for sign in line:
        window.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_UNKNOWN, unicode=sign, mod=0))
    press(window, "return")
    return on(window)


def press(window: Window, name: str) -> None:
    window.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.key.key_code(name), unicode="", mod=0))


def click(window: Window, at: tuple[float, float], button: int = 1) -> Window:
    pos = round(at[0]), round(at[1])
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=pos, button=button))
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=pos, button=button))
    window.draw()
    return window


def drag(window: Window, start: tuple[float, float], end: tuple[float, float]) -> None:
    a, b = ((round(x), round(y)) for x, y in (start, end))
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=a, button=1))
    for pos in ((a[0] + 9, a[1]), b):
        window.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=pos, rel=(9, 0), buttons=(1, 0, 0)))
        window.draw()
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=b, button=1))
    window.draw()


def spot(window: Window, x: float, y: float) -> tuple[float, float]:
    return window.camera.to_screen(x, y)


def table(*steps: Step, foes: tuple[float, float] = (40.0, 20.0), **more: Any) -> Game:
    """Return a battle of a player's unit at 10, 20 against one foe."""
    mine = Stand("mine", "players", more.pop("at", [(10.0, 20.0)]), weapons=(GUN, PISTOL), **more)
    return situation([mine, Stand("foes", "horde", [foes])], steps, HORDE_1_1, board=BoardFacts())


def asking(*requests: Any) -> tuple[Step, list[Any]]:
    """Return a step that asks these questions, and the list that its answers go to."""
    answers: list[Any] = []

    def ask(game: Game) -> Steps[bool]:
        for request in requests:
            answers.append((yield request))
        return False

    return Step("asking", "asking", ask), answers


def button(window: Window, line: str) -> tuple[int, int]:
    x, y = next(box for box, of in window.panel.buttons if of == line).center
    return x, y


def seat(window: Window) -> Seated:
    source = window.playback.source
    assert isinstance(source, Seated)
    return source
