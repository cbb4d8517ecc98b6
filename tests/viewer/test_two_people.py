"""Two people at one window: curtain, tabs, and that no secret leaks. Rule: PLAY.9"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pygame
import pytest

from datasheets.library import Library
from engine.core import event as ev
from engine.core.apply import apply
from engine.core.request import PRIVATE
from engine.horde.setup import Options
from engine.systems import new_game
from engine.w40k.activation.turn_taking import DONE, is_done_here
from engine.w40k.seat_log import SeatLog
from tests.viewer.at_window import asked, click, on, press
from viewer.commands.seating import seat_agents
from viewer.input.seat import ALONE, Seated
from viewer.story.goal import Sight
from viewer.story.name import title
from viewer.window.window import Window

LIBRARY = Library()
SCRIPT = Path(__file__).parents[2] / "scripts" / "two_people.py"


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("two_people", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["two_people"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(name="window")
def _window() -> Iterator[Window]:
    army = LIBRARY.army("space-marines-500")
    game = new_game(Options((army, army), ("death-guard",), 1000, seed=3, rounds=1), LIBRARY)
    source = Seated(game, seat_agents(("p1", "p2"), "steady"), ("p1", "p2"))
    window = Window(pygame.display.set_mode((1600, 900)), source)
    window.playback.playing = True
    yield on(window)
    pygame.quit()


def rest(window: Window) -> None:
    """Press no key for a while."""
    window.tick(0.2)
    window.draw()


def words(window: Window) -> str:
    window.draw()
    return "\n".join(each.words for each in window.lettering.written)


def drawn(window: Window, seat: str) -> list[str]:
    """Return the secrets that a seat has drawn, in truth."""
    source = window.playback.source
    assert isinstance(source, Seated)
    events = source.game.events
    found = [e for e in events if isinstance(e, ev.CardRevealed) and e.deck == "secret" and e.player == seat]
    return [title(each.card) for each in found]


@pytest.mark.rule("PLAY.9")
def test_a_curtain_covers_the_window_before_a_secret(window: Window) -> None:
    assert asked(window).request.decision == ALONE
    told = words(window)
    assert "Player 1, press Enter" in told
    assert not any(name in told for seat in ("p1", "p2") for name in drawn(window, seat))
    assert "DEFENDER ZONE" not in told  # nothing of what lies behind is seen


def test_only_enter_or_the_button_lifts_the_curtain(window: Window) -> None:
    question = asked(window)
    for name in ("space", "x", "1", "escape", "f4", "q"):
        press(window, name)
        assert window.player.asked is question
    window.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_1, unicode="1", mod=0))
    click(window, (5, 5))
    click(window, window.layout.bottom.center)
    assert window.player.asked is question
    assert not window.quit
    click(window, window.screens.curtain.button.center)
    on(window)
    assert asked(window).request.decision in PRIVATE
    assert all(name in words(window) for name in drawn(window, "p1"))
    assert not any(name in words(window) for name in drawn(window, "p2"))


def test_the_curtain_falls_again_between_the_players(window: Window) -> None:
    for seat, number in (("p1", 1), ("p2", 2)):
        assert asked(window).view.seat == seat
        assert f"Player {number}, press Enter" in words(window)
        rest(window)
        press(window, "return")
        on(window)
        assert all(name in words(window) for name in drawn(window, seat))
        press(window, "return")
        on(window)
    told = words(window)
    assert not any(name in told for seat in ("p1", "p2") for name in drawn(window, seat))


def test_what_was_typed_before_does_not_lift_it(window: Window) -> None:
    question = asked(window)
    window.player._typed += ["1", "\n"]
    window.player._take_typed()
    assert window.player.asked is question
    assert window.player._typed == []


def test_enter_that_is_held_lifts_no_curtain_of_another(window: Window) -> None:
    """A key that repeats goes through the first secret, and stops at the second curtain."""
    rest(window)
    for _ in range(40):
        press(window, "return")
        window.tick(0.045)
        window.draw()
        assert not any(name in words(window) for name in drawn(window, "p2"))
    assert "Player 2, press Enter" in words(window)
    rest(window)
    press(window, "return")
    on(window)
    assert all(name in words(window) for name in drawn(window, "p2"))


def test_a_curtain_that_was_not_seen_is_not_lifted(window: Window) -> None:
    question = asked(window)
    window.screens.curtain._drawn = None
    press(window, "return")
    assert window.player.asked is question


def test_the_eye_shows_the_secret_of_the_seat_that_is_asked_while_held(window: Window) -> None:
    for _ in range(4):
        rest(window)
        press(window, "return")
        on(window)
    seat = asked(window).view.seat
    assert asked(window).request.decision not in (*PRIVATE, ALONE)
    source = window.playback.source
    assert isinstance(source, Seated)
    kept = {each: title(source.game.state.players[each].secrets[0]) for each in ("p1", "p2")}
    other = "p2" if seat == "p1" else "p1"
    assert kept[seat] not in words(window)
    press(window, "f4")
    assert kept[seat] in words(window)
    assert kept[other] not in words(window)
    window.handle(pygame.event.Event(pygame.KEYUP, key=pygame.K_F4, unicode="", mod=0))
    assert kept[seat] not in words(window)


def test_the_eye_that_one_holds_shows_nothing_of_the_next(window: Window) -> None:
    for _ in range(4):
        rest(window)
        press(window, "return")
        on(window)
    source = window.playback.source
    assert isinstance(source, Seated)
    first = asked(window).view.seat
    kept = {each: title(source.game.state.players[each].secrets[0]) for each in ("p1", "p2")}
    press(window, "f4")
    assert kept[first] in words(window)
    for _ in range(200):
        if window.player.asked is not None and asked(window).view.seat != first:
            break
        window.player.enter("")
        on(window)
    second = asked(window).view.seat
    assert second != first
    assert kept[second] not in words(window)
    assert kept[first] not in words(window)
    for kind in (pygame.KEYUP, pygame.KEYDOWN):
        window.handle(pygame.event.Event(kind, key=pygame.K_F4, unicode="", mod=0))
        window.draw()
    assert kept[second] in words(window)


def test_the_tabs_show_points_and_a_tick_for_a_seat_that_is_done(window: Window) -> None:
    for _ in range(4):
        rest(window)
        press(window, "return")
        on(window)
    tabs = {seat: box for box, seat in window.top.tabs}
    assert list(tabs) == ["p1", "p2"]
    state = window.playback.state
    assert all(f"{state.players[seat].cp} CP" in words(window) for seat in tabs)

    def green(seat: str) -> int:
        window.draw()
        area = window.surface.subsurface(tabs[seat])
        good = window.lettering.palette.good
        size = area.get_size()
        return sum(area.get_at((x, y))[:3] == good for x in range(size[0]) for y in range(size[1]))

    assert green("p1") == green("p2") == 0
    apply(state, ev.Marked(on="player:p2", key=f"{DONE}:x", value=True, until="phase"))
    assert is_done_here(state.players["p2"])
    assert green("p1") == 0
    assert green("p2") > 0


def test_buying_is_done_until_more_points_come(window: Window) -> None:
    player = window.playback.state.players["p1"]
    player.sp = 2
    apply(window.playback.state, ev.Marked(on="player:p1", key=f"{DONE}:resupply", value=2, until="phase"))
    assert is_done_here(player)
    player.sp = 3
    assert not is_done_here(player)


@pytest.mark.rule("PLAY.9")
def test_a_round_of_two_people_leaks_nothing() -> None:
    people = script().TwoPeople(3, 1, None)
    people.play()
    assert people.game.is_over
    assert people.leaks == []
    assert {"curtain", "seat-1", "seat-2", "peek-1"} <= people.saved
    pygame.quit()


@pytest.mark.rule("PLAY.9")
@pytest.mark.parametrize("fault", ["chips", "log"])
def test_the_script_finds_a_leak(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    people = script().TwoPeople(3, 1, None)
    if fault == "chips":
        monkeypatch.setattr(Sight, "may_ask", lambda self, seat: True)
        monkeypatch.setattr(Sight, "sees", lambda self, seat: True)
    else:
        people.source._log = SeatLog("p1", "p2")
    people.play()
    assert people.leaks
    pygame.quit()
