"""An open phase at the window: a click a target, keys for the next unit, and its end."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from time import sleep
from typing import Any

import pygame
import pytest

from ai.agents import agent
from engine.core import event as ev
from engine.core.facts import BoardFacts
from engine.core.game import Game
from engine.core.request import AnyRequest
from engine.core.ruleset import Step
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.scenario.situation import Stand, situation
from engine.w40k.phase import charge, fight
from engine.w40k.view import View
from tests.viewer.at_window import (
    GUN,
    MOVEMENT,
    SHOOTING,
    Open,
    asked,
    asking,
    button,
    click,
    on,
    press,
    say,
    seat,
    spot,
)
from tests.viewer.in_hand import marks, moved
from tests.viewer.test_requests_by_hand import COMMON, OPTIONS
from viewer.input.odds import Volley
from viewer.input.seat import Seated
from viewer.input.thinking import Here, Minds, Work
from viewer.window.early import QUIET_SECONDS
from viewer.window.window import Window

CHARGE = Step("players.charge", "charge", charge.charge, "players")
FIGHT = Step("players.fight", "fight", fight.remaining_combats, "players")


def three(*steps: Step, near: float = 8.0, **more: Any) -> Game:
    """Return a battle of three units of the person's against one near foe and one far away."""
    own = [
        Stand(name, "players", [(10.0, y)], weapons=(GUN,), **more)
        for name, y in (("a", 16.0), ("b", 20.0), ("c", 24.0))
    ]
    foes = [Stand("foes", "horde", [(10.0 + near, 20.0)]), Stand("far", "horde", [(58.0, 40.0)])]
    return situation([*own, *foes], steps, HORDE_1_1, board=BoardFacts())


def hit(window: Window, name: str, *, shift: bool = False, typed: str = "") -> Window:
    """Press a key as a keyboard does, with the sign that it types."""
    mods = pygame.KMOD_LSHIFT if shift else pygame.KMOD_NONE
    pygame.key.set_mods(mods)
    try:
        key = pygame.key.key_code(name)
        window.handle(pygame.event.Event(pygame.KEYDOWN, key=key, unicode=typed, mod=mods))
    finally:
        pygame.key.set_mods(pygame.KMOD_NONE)
    return window


def targeted(window: Window) -> list[tuple[str, str]]:
    found = [event for event in seat(window).game.events if isinstance(event, ev.Targeted)]
    return [(event.unit, event.shots[0].target) for event in found]


@pytest.mark.rule("CORE.SHOOT.2")
def test_a_click_on_a_target_is_a_shot_of_the_unit_whose_turn_it_is(opened: Open) -> None:
    window = opened(three(SHOOTING))
    hit(window, "tab")
    first = asked(window).subject
    on(click(window, spot(window, 18.0, 20.0)))
    assert targeted(window) == [(first, "foes")]
    assert asked(window).open is not None
    assert first not in asked(window).open.ready  # type: ignore[union-attr]


def test_the_card_of_a_target_is_there_before_a_unit_is_chosen(opened: Open) -> None:
    window = opened(three(SHOOTING))
    pos = tuple(map(round, spot(window, 18.0, 20.0)))
    before = list(seat(window).game.lines)
    window.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=pos, rel=(1, 0), buttons=(0, 0, 0)))
    window.draw()
    odds = asked(window).odds("foes")
    assert isinstance(odds, Volley)
    assert odds.salvos[0].name == "rifle"
    assert seat(window).game.lines == before, "nothing is answered by looking"


def test_a_target_that_may_not_be_shot_is_refused_with_the_reason(opened: Open) -> None:
    window = opened(three(SHOOTING))
    before = list(seat(window).game.lines)
    click(window, spot(window, 58.0, 40.0))
    assert asked(window).fault.startswith("far: out of range by ")
    assert seat(window).game.lines == before
    assert window.chosen == "far", "its card is shown"


def test_a_target_in_the_list_is_a_button_and_a_line(opened: Open) -> None:
    window = opened(three(SHOOTING))
    unit = asked(window).subject
    on(click(window, button(window, f"{unit} at foes")))
    say(window, "at foes")
    say(window, "1 at nobody")
    assert "is no option" in asked(window).fault
    say(press_escape(window), "1 at 1")
    assert [target for _, target in targeted(window)] == ["foes"] * 3


def press_escape(window: Window) -> Window:
    press(window, "escape")
    return window


@pytest.mark.rule("CORE.CHG.2")
def test_a_click_on_a_target_is_a_charge(opened: Open) -> None:
    window = opened(three(CHARGE, near=4.0))
    unit = asked(window).subject
    on(click(window, spot(window, 14.0, 20.0)))
    charged = [event for event in moved(window) if event.kind_of_move == "charge"]
    assert [event.unit for event in charged] == [unit]


@pytest.mark.rule("CORE.FGT.6")
def test_a_click_on_a_target_is_a_fight(opened: Open) -> None:
    window = opened(three(FIGHT, near=1.5))
    unit = asked(window).subject
    on(click(window, spot(window, 11.5, 20.0)))
    assert targeted(window)[:1] in ([], [(unit, "foes")])
    assert "fought" in marks(window, unit)


def test_tab_goes_round_the_ready_units_and_a_click_chooses_one(opened: Open) -> None:
    window = opened(three(MOVEMENT))
    ready = asked(window).open.ready  # type: ignore[union-attr]
    begin = ready.index(asked(window).subject)
    for step in (1, 2, 3):
        hit(window, "tab")
        assert asked(window).subject == window.chosen == ready[(begin + step) % 3]
    hit(window, "tab", shift=True)
    assert asked(window).subject == ready[(begin + 2) % 3]
    click(window, spot(window, 10.0, 24.0))
    assert asked(window).subject == window.chosen == "c"
    press(window, "escape")
    assert asked(window).subject == ready[begin]


def test_a_double_click_stays_and_two_slow_ones_do_not(opened: Open) -> None:
    window = opened(three(MOVEMENT))
    for _ in range(2):
        click(window, spot(window, 10.0, 24.0))
        window.tick(0.5)
    assert "moved" not in marks(window, "c")
    window.tick(0.5)
    for _ in range(2):
        click(window, spot(window, 10.0, 24.0))
    on(window)
    assert marks(window, "c")["moved"] == "remain-stationary"


def test_keys_let_the_unit_stay_go_as_suggested_and_advance(opened: Open) -> None:
    window = opened(three(MOVEMENT))
    stays = asked(window).subject
    on(hit(window, "s", typed="s"))
    assert marks(window, stays)["moved"] == "remain-stationary"
    goes = asked(window).subject
    on(hit(window, "g", typed="g"))
    assert {event.unit for event in moved(window)} <= {goes}
    assert "moved" in marks(window, goes)
    last = asked(window).subject
    on(hit(window, "a", typed="a"))
    assert asked(window).request.kind == "advance"  # type: ignore[union-attr]
    assert asked(window).request.unit == last


def test_a_line_may_begin_with_a_letter_that_is_a_key(opened: Open) -> None:
    window = opened(three(MOVEMENT))
    before = list(seat(window).game.lines)
    hit(window, "/", typed="/")
    for sign in "stay":
        hit(window, sign, typed=sign)
    assert asked(window).line == "stay"
    assert seat(window).game.lines == before


def test_the_dashed_suggestion_is_there_and_a_click_takes_it(opened: Open) -> None:
    window = opened(three(MOVEMENT, near=30.0))
    unit = asked(window).subject
    shown = asked(window).suggested()
    assert shown
    x, y, _ = next(iter(shown.values()))
    on(click(window, spot(window, x, y)))
    [event] = moved(window)
    assert event.unit == unit
    assert {row: pose[:2] for row, pose in event.poses.items()} == {
        row: pytest.approx(pose[:2]) for row, pose in shown.items()
    }


class Slow(Here):
    """Thinking whose work comes when the test lets it."""

    patience = 0.05

    def __init__(self, minds: Minds, tell: Callable[[str], None]) -> None:
        super().__init__(minds)
        self.may = Event()

    def worker(self, view: View, request: AnyRequest, work: Work[Any]) -> Callable[[Any], Any]:
        def worked_out(wish: Any) -> Any:
            assert self.may.wait(10.0)
            return work(view, request, wish)

        return worked_out


def test_no_frame_waits_for_the_suggestion_of_a_unit(opened: Open) -> None:
    game = three(MOVEMENT, near=30.0)
    source = Seated(game, {"horde": agent("horde"), "p1": agent("steady")}, ("p1",), think=Slow)
    window = Window(pygame.Surface((1200, 760)), source)
    window.playback.playing = True
    on(window)
    phase = asked(window).open
    assert phase is not None
    phase.turn_to("b")
    assert asked(window).suggested() == {}
    assert phase.is_late
    window.changed = False
    assert isinstance(source.thinking, Slow)
    source.thinking.may.set()
    for _ in range(1000):
        window.tick(1 / 60)
        if window.changed:
            break
        sleep(0.01)
    assert window.changed
    assert list(asked(window).suggested()) == [1]
    put = asked(window)
    on(click(window, spot(window, *next(iter(put.suggested().values()))[:2])))
    assert put.suggested() == {}


def test_the_end_is_the_yellow_button_and_warns_once_with_names_and_outlines(opened: Open) -> None:
    window = opened(three(MOVEMENT, SHOOTING))
    assert asked(window).buttons[0].words == "End movement · 3 not moved"
    say(window, "b stay")
    assert asked(window).buttons[0].words == "End movement · 2 not moved"
    at = tuple(map(round, spot(window, 10.0, 16.0 + 16 / 25.4 + 0.25)))
    click(window, button(window, "end"))
    assert asked(window).fault.startswith("a and c have not acted.")
    assert asked(window).warned == ("a", "c")
    assert tuple(window.surface.get_at(at))[:3] == window.lettering.palette.loss
    on(hit(window, "end"))
    assert asked(window).view.phase == "shooting"


def test_the_menu_of_the_yellow_button_has_the_rest_of_the_phase(opened: Open) -> None:
    window = opened(three(MOVEMENT, SHOOTING))
    click(window, button(window, "menu"))
    on(click(window, button(window, "rest")))
    assert asked(window).view.phase == "shooting"
    assert {event.unit for event in moved(window)} <= {"a", "b", "c"}
    on(hit(window, "end", shift=True))
    assert len(targeted(window)) <= 3
    assert seat(window).ended


def test_a_click_beside_an_open_menu_closes_it(opened: Open) -> None:
    window = opened(three(MOVEMENT))
    click(window, button(window, "menu"))
    assert window.panel.menu.w
    click(window, spot(window, 40.0, 40.0))
    assert not window.panel.menu.w


# too early


def test_a_key_that_is_held_down_takes_one_suggestion_and_no_more(opened: Open) -> None:
    window = opened(three(MOVEMENT))
    before = asked(window)
    for _ in range(12):
        hit(window, "g", typed="g")
        window.tick(QUIET_SECONDS / 3)
    on(window)
    assert asked(window) is not before
    chosen = [line for line in seat(window).game.answers if line.decision == "next-unit"]
    assert len(chosen) == 1
    window.tick(1.0)
    on(hit(window, "g", typed="g"))
    chosen = [line for line in seat(window).game.answers if line.decision == "next-unit"]
    assert len(chosen) == 2


def test_the_second_click_of_a_double_click_is_not_for_the_next_question(opened: Open) -> None:
    from engine.core.request import Choose

    step, answers = asking(*[Choose(options=OPTIONS, decision="d", **COMMON)] * 3)
    window = opened(three(step))
    at = window.panel.rows[1][0].center
    for _ in range(2):
        click(window, at)
        for _ in range(3):
            window.tick(0.03)
        window.draw()
    assert len(answers) == 1
    window.tick(0.5)
    on(click(window, at))
    assert len(answers) == 2


# what is asked with "why"


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (1024, 640)])
def test_no_option_moves_when_why_is_asked_and_its_lines_scroll(opened: Open, size: tuple[int, int]) -> None:
    window = opened(three(MOVEMENT), size)
    tops = [(box.topleft, place) for box, place in window.panel.rows]
    click(window, button(window, "menu"))
    click(window, button(window, "why"))
    asked(window).told = [f"line {number}" for number in range(40)]
    window.draw()
    now = [(box.topleft, place) for box, place in window.panel.rows]
    assert now == tops[: len(now)]
    assert len(now) >= 3
    part = window.panel.account.scroll
    assert part.over > 0
    window.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=part.rect.center, rel=(1, 0), buttons=(0, 0, 0)))
    window.handle(pygame.event.Event(pygame.MOUSEWHEEL, y=-2, x=0))
    assert part.back > 0
    assert [(box.topleft, place) for box, place in window.panel.rows] == now
