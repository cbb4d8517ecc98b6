"""Units in the person's hand in tests: presses, drags and releases, and what comes of them."""

from __future__ import annotations

from typing import Any

import pygame

from engine.core import event as ev
from engine.core.facts import BaseFacts, BoardFacts
from engine.core.game import Game
from engine.core.ruleset import Step
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.scenario.situation import Stand, situation
from engine.w40k.phase import movement
from tests.viewer.at_window import MOVEMENT, asked, on, seat, spot
from viewer.input.ghost import Ghost
from viewer.window.window import Window

Pair = tuple[float, float]
SCOUTING = Step("start-of-round.scouts", "start-of-round", movement.scout)
OVAL = BaseFacts(shape="oval", length=4.0, width=2.5)
SQUAD = [(10.0, 20.0), (12.0, 20.0), (14.0, 20.0)]


def pixel(window: Window, at: Pair) -> tuple[int, int]:
    x, y = spot(window, *at)
    return round(x), round(y)


def motion(window: Window, at: Pair) -> None:
    pos = pixel(window, at)
    window.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=pos, rel=(9, 0), buttons=(1, 0, 0)))


def hold(window: Window, start: Pair, *way: Pair) -> Window:
    """Press at a place of the board, drag along a way, and wait for the ghost."""
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=pixel(window, start), button=1))
    for at in way:
        motion(window, at)
    if window.player.hand is not None:
        window.player.hand.wait()
    window.draw()
    return window


def let(window: Window, at: Pair) -> Window:
    """Let the mouse's button go at a place of the board."""
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=pixel(window, at), button=1))
    return on(window)


def carry(window: Window, start: Pair, *way: Pair) -> Window:
    return let(hold(window, start, *way), way[-1])


def places(window: Window) -> list[Pair]:
    """Return where the person's models stand, in the battle itself."""
    table = seat(window).game.state.position.table
    return [(round(float(x), 3), round(float(y), 3)) for x, y in table.xy[: len(table.xy) - 1]]


def ghost(window: Window) -> Ghost:
    found = asked(window).ghost
    assert found is not None
    return found


def moved(window: Window) -> list[ev.Moved]:
    return [event for event in seat(window).game.events if isinstance(event, ev.Moved)]


def marks(window: Window, unit: str = "mine") -> dict[str, Any]:
    """Return all marks that a unit has ever got."""
    marked = [event for event in seat(window).game.events if isinstance(event, ev.Marked)]
    return {event.key: event.value for event in marked if event.on == f"unit:{unit}"}


def answers(window: Window) -> int:
    return len(seat(window).game.answers)


def two() -> Game:
    """Return a battle of two units of the person's against one foe."""
    own = [Stand("mine", "players", SQUAD), Stand("others", "players", [(10.0, 30.0), (12.0, 30.0)])]
    foe = Stand("foes", "horde", [(40.0, 20.0)])
    return situation([*own, foe], [MOVEMENT], HORDE_1_1, board=BoardFacts())
