"""Offers of Stratagems: a toast, its worth, its keys and buttons, what it never covers."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pygame
import pytest

from ai.autopilot.stratagem import weighed, worth_of_cp
from datasheets.library import Library
from engine.core import event as ev
from engine.core.request import Choose, Chosen, Said, YesNo
from engine.horde.setup import Options
from engine.systems import new_game
from tests.viewer.at_window import (
    MOVEMENT,
    SHOOTING,
    Open,
    asked,
    asking,
    click,
    on,
    press,
    say,
    seat,
    spot,
    table,
)
from viewer.commands.seating import seat_agents
from viewer.input.gate import Gate
from viewer.input.offer import Offer, offer
from viewer.input.question import question
from viewer.input.seat import Seated
from viewer.input.settings import Rules
from viewer.window.corner import free_corner
from viewer.window.window import Window

LIBRARY = Library()


def to_offer(size: tuple[int, int] = (1600, 900)) -> Window:
    """Return a battle at its first offer that matters."""
    army = LIBRARY.army("space-marines-1000")
    game = new_game(Options((army,), ("death-guard",), 1000, seed=7), LIBRARY)
    source = Seated(game, seat_agents(("p1",), "steady"), ("p1",), gate=Gate(Rules()))
    window = Window(pygame.display.set_mode(size), source)
    for _ in range(4000):
        window.playback.seek(len(window.playback.chronicle))
        window.tick(0.2)
        found = window.player.asked
        if found is not None and found.offer is not None:
            break
        if found is not None:
            window.player.enter("")
    window.draw()
    return window


@pytest.fixture(name="window")
def _window() -> Iterator[Window]:
    yield to_offer()
    pygame.quit()


def offered(window: Window) -> Offer:
    found = asked(window).offer
    assert found is not None
    return found


def used(window: Window) -> list[str]:
    decided = [event for event in seat(window).game.events if isinstance(event, ev.Decided)]
    return [event.unit for event in decided if event.decision == "stratagem"]


def key(window: Window, sign: str) -> None:
    event = pygame.event.Event(pygame.KEYDOWN, key=pygame.key.key_code(sign), unicode=sign, mod=0)
    window.handle(event)


def test_the_toast_says_its_worth_against_that_of_a_cp(window: Window) -> None:
    view, request = asked(window).view, asked(window).request
    assert isinstance(request, Choose)
    found = weighed(view, request)
    assert found is not None
    words = f"orth {found.worth:.1f} points, a CP is worth {worth_of_cp(view):.0f}"
    told = "\n".join(each.words for each in window.lettering.written)
    assert words in told
    assert words in question(view, request)  # the terminal says the same
    assert f"{offered(window).name}?" in told


@pytest.mark.parametrize("sign", ["r", "u"])
def test_r_and_u_use_it(window: Window, sign: str) -> None:
    unit = offered(window).unit
    key(window, sign)
    assert used(window)[-1:] == [unit]


def test_k_keeps_the_cp(window: Window) -> None:
    cp = seat(window).game.state.players["p1"].cp
    before = used(window)
    key(window, "k")
    assert used(window) == before
    assert seat(window).game.state.players["p1"].cp == cp


@pytest.mark.parametrize(("wanted", "more"), [("use", 1), ("keep", 0)])
def test_its_buttons_do_the_same(window: Window, wanted: str, more: int) -> None:
    before = len(used(window))
    toast, bar = [box for box, id_ in window.screens.toast.buttons if id_ == wanted]
    assert window.screens.toast.rect.contains(toast)
    assert window.layout.bottom.contains(bar)
    click(window, toast.center)
    assert len(used(window)) == before + more


def test_the_yellow_button_is_what_is_suggested(window: Window) -> None:
    def is_yellow(wanted: str) -> bool:
        box = next(box for box, id_ in window.screens.toast.buttons if id_ == wanted)
        return window.surface.get_at((box.x + 6, box.centery))[:3] == window.lettering.palette.accent

    assert offered(window).suggested
    assert (is_yellow("use"), is_yellow("keep")) == (True, False)
    offered(window).suggested = False
    window.draw()
    assert (is_yellow("use"), is_yellow("keep")) == (False, True)


def test_another_unit_can_be_chosen(window: Window) -> None:
    found = offered(window)
    assert len(found.options) > 1
    before = found.unit
    press(window, "down")
    assert offered(window).unit != before
    row = next(box for box, id_ in window.screens.toast.buttons if id_ == "row:0")
    click(window, row.center)
    assert offered(window).unit == found.options[0].id
    key(window, "u")
    assert used(window)[-1] == found.options[0].id


def test_other_keys_and_the_board_answer_nothing(window: Window) -> None:
    question_now = asked(window)
    unit = offered(window).options[0].id
    xy = seat(window).game.state.position.table.xy[seat(window).game.state.position.units[unit].rows[0]]
    click(window, spot(window, float(xy[0]), float(xy[1])))
    assert window.player.asked is question_now
    assert window.chosen == unit  # its card is shown
    press(window, "tab")
    assert window.player.asked is question_now


def test_a_typed_answer_still_counts(window: Window) -> None:
    before = used(window)
    say(window, "none")
    assert used(window) == before


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (1024, 640)])
def test_it_covers_neither_the_units_nor_the_mouse(size: tuple[int, int]) -> None:
    window = to_offer(size)
    box = window.screens.toast.rect
    rooms = window.scene.rooms(window.camera, window.playback)
    about = {asked(window).request.unit, offered(window).unit}
    assert not [room for unit in about for room in rooms.get(unit, ()) if box.colliderect(room)]
    assert pygame.Rect(window.camera.viewport).contains(box)
    assert not box.collidepoint(window.mouse.at)
    assert not [each.words for each in window.lettering.written if each.is_cut]
    pygame.quit()


def test_it_stays_where_it_is_when_the_mouse_comes(window: Window) -> None:
    before = window.screens.toast.rect.copy()
    motion = pygame.event.Event(pygame.MOUSEMOTION, pos=before.center, rel=(1, 1), buttons=(0, 0, 0))
    window.handle(motion)
    window.draw()
    assert window.screens.toast.rect == before


def test_a_corner_that_covers_least() -> None:
    board, size = (0, 0, 1000, 800), (300, 200)
    assert free_corner(size, board, [], []).bottomright == (988, 788)
    shunned = [pygame.Rect(900, 700, 10, 10)]
    assert free_corner(size, board, [], shunned).topright == (988, 12)
    corners = [pygame.Rect(x, y, 10, 10) for x in (20, 970) for y in (20, 770)]
    assert not free_corner(size, board, [], corners).collidelistall(corners)


def test_a_roll_that_may_be_made_again_for_nothing(opened: Open) -> None:
    request = YesNo(
        seats=("p1",),
        rule="X.1",
        decision="reroll",
        prompt="mine rolled 2. Is it rolled again?",
        unit="mine",
        rolled=2,
    )
    step, answers = asking(request, request)
    window = opened(table(step, SHOOTING))
    assert offered(window).moment == "mine rolled 2."
    assert offered(window).price == "free"
    key(window, "r")
    key(window, "k")  # too early for the next one
    on(window)
    assert len(answers) == 1
    window.tick(0.2)
    window.draw()
    key(window, "k")
    on(window)
    assert [isinstance(each, Said) and each.yes for each in answers] == [True, False]


def test_what_is_no_offer_makes_no_toast(opened: Callable[..., Window]) -> None:
    window = opened(table(MOVEMENT))
    assert asked(window).offer is None
    assert offer(asked(window).view, asked(window).request, Chosen(ids=())) is None
    assert not window.screens.toast.buttons


def test_what_is_asked_for_stands_in_a_box_beside_the_toast(window: Window) -> None:
    window.player.enter("card chaos rhino")
    window.draw()
    box = window.screens.told.rect
    assert box.w > 0
    assert not box.colliderect(window.screens.toast.rect)
    assert "Chaos Rhino" in "\n".join(e.words for e in window.lettering.written if box.contains(e.box))
    press(window, "escape")
    window.draw()
    assert window.screens.told.rect.w == 0
    assert window.player.asked is not None
