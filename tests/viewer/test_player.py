"""A person at the window: questions shown, picked, typed, drawn and refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pygame
import pytest

from datasheets.library import Library
from engine.core.facts import BoardFacts, ZoneFacts
from engine.core.game import Game
from engine.core.request import Choose, Chosen, Move, Option, Order, Ordered, Said, Steps, YesNo
from engine.core.ruleset import Step
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.horde.setup import Options
from engine.scenario.situation import Stand, situation
from engine.systems import new_game
from engine.w40k.phase import deploy
from tests.viewer.at_window import (
    MOVEMENT,
    SHOOTING,
    Open,
    asked,
    asking,
    button,
    click,
    drag,
    on,
    press,
    say,
    seat,
    spot,
    table,
)
from viewer.window.window import Window

OPTIONS = tuple(Option(id=id_, label=id_.title() + " of no small length" * 4) for id_ in ("foes", "b", "c"))
COMMON: dict[str, Any] = {"seats": ("p1",), "rule": "X.1", "decision": "d", "prompt": "Well?"}


def jet(window: Open, size: tuple[int, int] = (1200, 760)) -> Window:
    """Return the window when the jet is asked where it flies; it looks along x."""
    opened = window(table(MOVEMENT, mm=100.0, keywords=("VEHICLE", "AIRCRAFT", "FLY")), size)
    return say(say(opened, "1"), "1")


def test_an_option_is_picked_by_click_by_number_by_name_or_on_the_board(opened: Open) -> None:
    step, answers = asking(*[Choose(options=OPTIONS, **COMMON)] * 4)
    window = opened(table(step))
    on(click(window, window.panel.rows[1][0].center))
    say(window, "3")
    say(window, "foes")
    on(click(window, spot(window, 40.0, 20.0)))
    assert answers == [Chosen(ids=(id_,)) for id_ in ("b", "c", "foes", "foes")]


def test_what_is_no_option_is_refused_in_a_sentence(opened: Open) -> None:
    step, answers = asking(Choose(options=OPTIONS, minimum=2, maximum=2, **COMMON))
    window = opened(table(step))
    say(window, "7")
    assert asked(window).fault == "'7' is no option; give a number from 1 to 3."
    press(window, "escape")
    assert asked(window).fault == asked(window).line == ""
    say(window, "2")
    assert "2 to 2 options must be chosen" in asked(window).fault
    press(window, "backspace")
    say(window, "1 3")
    assert answers == [Chosen(ids=("foes", "c"))]


def test_optional_picks_and_orders_are_clicked_together_and_let_go_again(opened: Open) -> None:
    step, answers = asking(
        Choose(options=OPTIONS, minimum=0, maximum=2, **COMMON),
        Choose(options=OPTIONS, minimum=0, maximum=1, **COMMON),
        Order(items=OPTIONS, **COMMON),
    )
    window = opened(table(step))
    for place in (2, 0, 2, 1):
        click(window, window.panel.rows[place][0].center)
    assert asked(window).line == "1 2"
    press(window, "return")
    on(window)
    on(click(window, button(window, "none")))
    for place in (2, 0):
        click(window, window.panel.rows[place][0].center)
    assert asked(window).picked == [2, 0]
    on(click(window, button(window, "")))
    assert answers == [Chosen(ids=("foes", "b")), Chosen(ids=()), Ordered(ids=("c", "foes", "b"))]


def test_yes_no_and_the_suggestion_with_its_reasons(opened: Open) -> None:
    step, answers = asking(YesNo(**COMMON), YesNo(**COMMON))
    window = opened(table(step))
    click(window, button(window, "why"))
    assert asked(window).told
    say(window, "?")
    assert any("foes [foes]" in line for line in asked(window).told)
    on(click(window, button(window, "no")))
    press(window, "return")
    on(window)
    assert answers == [Said(yes=False), Said(yes=True)]


@pytest.mark.rule("CORE.AIR.2")
def test_a_jet_is_dragged_ahead_and_turned_and_its_legal_stretch_is_shown(opened: Open) -> None:
    window = jet(opened)
    course = asked(window).course
    assert course is not None
    assert course.stretches[0][0] == 20.0
    assert not any(a < 30.0 < b for a, b in course.stretches), "the foe stands there"
    drag(window, spot(window, 10.0, 20.0), spot(window, 34.1, 24.0))
    assert asked(window).line == "ahead 24"
    click(window, spot(window, 34.0, 40.0), button=3)
    assert asked(window).line == "ahead 24 turn 90"
    assert asked(window).poses() == {0: (34.0, 20.0, 90.0)}
    press(window, "return")
    on(window)
    assert window.playback.state.position.table.xy[0].tolist() == [34.0, 20.0]
    assert float(window.playback.state.position.table.facing[0]) == 90.0


@pytest.mark.rule("CORE.AIR.2")
def test_a_jet_may_not_fly_too_short_and_keys_fly_it_on(opened: Open) -> None:
    window = jet(opened)
    drag(window, spot(window, 10.0, 20.0), spot(window, 15.0, 20.0))
    assert "less than 20" in asked(window).fault
    press(window, "return")
    assert "less than 20" in asked(window).fault
    press(window, "escape")
    for name in ("up", "up", "up", "down", "left", "left", "right"):
        press(window, name)
    assert asked(window).line == "ahead 21 turn 15"
    assert asked(window).fault == ""
    on(click(window, button(window, "leave")))
    assert window.playback.state.position.units["mine"].where == "reserves"


def test_the_unit_that_is_asked_about_is_ringed_on_the_board(opened: Open) -> None:
    window = say(say(opened(table(MOVEMENT)), "1"), "2")
    ringed, other = (
        window.surface.get_at(tuple(map(round, spot(window, x, 20.0 + 16 / 25.4 + 0.25))))
        for x in (10.0, 40.0)
    )
    assert ringed.r > 1.3 * ringed.b
    assert other != ringed


def test_dragging_beside_the_unit_moves_the_view(opened: Open) -> None:
    window = say(say(opened(table(MOVEMENT)), "1"), "2")
    centre = window.camera.centre
    drag(window, spot(window, 25.0, 10.0), spot(window, 30.0, 10.0))
    assert window.camera.centre != centre
    assert asked(window).line == ""


def test_weapons_shoot_at_a_clicked_target_or_one_by_one(opened: Open) -> None:
    window = say(opened(table(SHOOTING, foes=(22.0, 20.0))), "1")
    assert "foes" in asked(window).options[0].label
    on(click(window, spot(window, 22.0, 20.0)))
    shot = [e for e in seat(window).game.events if e.kind == "targeted"]
    assert len(shot) == 1

    window = say(opened(table(SHOOTING, foes=(22.0, 20.0))), "1")
    on(click(window, button(window, "each")))
    assert asked(window).prompt.startswith("1 × rifle")
    say(window, "nobody")
    assert "is no option" in asked(window).fault
    press(window, "escape")
    say(window, "none")


def test_auto_hands_over_and_quit_leaves(opened: Open) -> None:
    window = opened(table(MOVEMENT))
    say(window, "auto")
    assert window.player.asked is None
    assert window.playback.source.ended
    window = say(opened(table(MOVEMENT)), "quit")
    assert window.quit


def test_a_question_is_asked_only_when_all_before_it_is_shown(opened: Open) -> None:
    window = opened(table(MOVEMENT))
    window.press("start")
    window.draw()
    assert window.player.asked is None
    assert window.player.waits
    press(window, "end")
    assert window.player.asked is not None
    press(window, "f1")
    assert window.help


@pytest.mark.parametrize("size", [(1, 1), (300, 200), (700, 500), (1920, 1080), (400, 1600), (2400, 300)])
def test_a_question_fits_any_size_of_window(opened: Open, size: tuple[int, int]) -> None:
    step, _ = asking(Choose(options=OPTIONS * 5, minimum=0, maximum=2, **COMMON))
    for window in (jet(opened), opened(table(step))):
        window.surface = pygame.Surface(size)
        window.resize(*size)
        window.draw()
        inside = window.panel.rect
        assert all(inside.contains(box) for box, _ in window.panel.rows)
        window.panel.scroll(-3)
        window.draw()


def test_the_questions_before_the_battle_are_answered_in_the_window(opened: Open) -> None:
    library = Library()
    game = new_game(Options((library.army("space-marines-1000"),), ("death-guard",), seed=7), library)
    window = say(say(opened(game), ""), "1")
    unit = asked(window).request.unit
    on(click(window, spot(window, 5.0, 30.0)))
    assert [each.id for each in window.playback.state.position.on_table("players")] == [unit]
    rows = window.playback.state.position.units[unit].rows
    assert np.hypot(*(window.playback.state.position.table.xy[list(rows)] - (5.0, 30.0)).T).min() < 2.0


ALIKE = (Option(id="0", label="model"), Option(id="1", label="model"), Option(id="2", label="leader"))
THREE = [(10.0, 20.0), (12.0, 20.0), (14.0, 20.0)]


def test_options_of_one_name_are_told_apart_and_clicked_where_they_stand(opened: Open) -> None:
    step, answers = asking(*[Order(items=ALIKE, **{**COMMON, "unit": "mine"})] * 2)
    window = opened(table(step, at=THREE, leaders=1))
    assert [option.label for option in asked(window).options] == [
        "model at 10.0 20.0 (1 wound)",
        "model at 12.0 20.0 (1 wound)",
        "leader",
    ]
    for x in (14.0, 12.0, 30.0, 40.0):
        click(window, spot(window, x, 20.0))
    assert asked(window).line == "3 2"
    press(window, "return")
    on(window)
    say(window, "model")
    assert asked(window).fault == "'model' may be 1, 2; give one of these numbers."
    press(window, "escape")
    say(window, "2")
    assert answers == [Ordered(ids=("2", "1", "0")), Ordered(ids=("1", "0", "2"))]


def test_a_number_is_the_one_beside_an_option_and_no_id(opened: Open) -> None:
    step, answers = asking(Order(items=ALIKE, **COMMON), Choose(options=ALIKE, **COMMON))
    window = opened(table(step))
    say(say(window, "1"), "2")
    assert answers == [Ordered(ids=("0", "1", "2")), Chosen(ids=("1",))]


@pytest.mark.rule("CORE.RES.8")
def test_a_cramped_set_up_tells_who_finds_no_place(opened: Open) -> None:
    ring = ((10.0, 0.0), (12.6, 0.0), (12.6, 2.6), (10.0, 2.6))
    board = BoardFacts(zones=(ZoneFacts(id="defender", kind="defender", polygon=ring),))
    squad = Stand("squad", "players", [(0.0, 0.0)] * 5).facts(1)

    def set_up(game: Game) -> Steps[bool]:
        game.mustered = (squad,)
        return (yield from deploy.deploy(game))

    steps = [Step("deploy", "setup", set_up)]
    foe = Stand("foes", "horde", [(40.0, 20.0)])
    window = say(opened(situation([foe], steps, HORDE_1_1, board=board)), "1")
    assert "finds no place is destroyed" in asked(window).prompt
    assert "4 of 5 models" in asked(window).suggestion
    click(window, spot(window, 50.0, 30.0))
    assert "4 of 5 models" in asked(window).note
    press(window, "escape")
    press(window, "return")
    on(window)
    assert len(window.playback.state.position.units["squad"].rows) == 4


@pytest.mark.parametrize("at", ["0 20", "60 20", "0 0", "30 44", "-9 99"])
def test_a_unit_sets_out_toward_a_point_at_the_edge(opened: Open, at: str) -> None:
    window = say(say(opened(table(MOVEMENT)), "1"), "2")
    say(window, f"toward {at}")
    assert not np.allclose(window.playback.state.position.table.xy[0], (10.0, 20.0), atol=3.0)


def test_a_pile_in_goes_where_its_rules_say_at_one_click(opened: Open) -> None:
    pile_in = Move(**{**COMMON, "unit": "mine"}, kind="pile-in", limits={0: 3.0})
    step, answers = asking(pile_in)
    window = opened(table(step, foes=(12.0, 20.0)))
    assert asked(window).hint == "toward enemy, stay"
    on(click(window, button(window, "toward enemy")))
    assert answers[0].paths[0][-1] == pytest.approx((12.0 - 32 / 25.4, 20.0), abs=1e-6)


def test_the_terminal_tells_a_flight_s_stretch_and_reads_what_it_suggests(opened: Open) -> None:
    from viewer.input.question import hint, question

    answering = asked(jet(opened))
    request = answering.request
    assert isinstance(request, Move)
    assert 'Straight ahead 20" to' in question(answering.view, request)
    assert "leave" in hint(request)
    assert answering.enter(answering.suggestion) is not None
