"""The set-up in the window: a ghost, a click, the rest, reserves, mending by a drag."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pygame
import pytest

from datasheets.library import Library
from engine.core import event as ev
from engine.core.log import BecauseLine
from engine.core.request import Place, Places
from engine.horde.setup import Options
from engine.systems import new_game
from tests.viewer.at_window import asked, click, drag, on, press, say, seat, spot
from viewer.commands.seating import seat_agents
from viewer.input.gate import Gate
from viewer.input.seat import Seated
from viewer.input.settings import Rules
from viewer.story.roster import roster
from viewer.window.window import Window

LIBRARY = Library()


@pytest.fixture(name="window")
def _window() -> Iterator[Window]:
    """Return a battle at the first question of its set-up."""
    army = LIBRARY.army("space-marines-1000")
    game = new_game(Options((army,), ("death-guard",), 1000, seed=7), LIBRARY)
    source = Seated(game, seat_agents(("p1",), "steady"), ("p1",), gate=Gate(Rules()))
    window = Window(pygame.display.set_mode((1600, 900)), source)
    window.playback.playing = True
    on(window)
    while asked(window).set_up is None:
        say(window, "")
    yield window
    window.player.setter.let_go()
    pygame.quit()


def placing(window: Window) -> Window:
    """Go on to the question where the unit stands."""
    if not asked(window).set_up.is_placing:  # type: ignore[union-attr]
        say(window, "1")
    return window


def key(window: Window, name: str, mod: int = 0) -> None:
    window.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.key.key_code(name), unicode="", mod=mod))


def stands(window: Window) -> dict[str, np.ndarray]:
    """Return where units stand, in the battle itself, by their ids."""
    position = seat(window).game.state.position
    return {unit.id: position.table.xy[list(unit.rows)].copy() for unit in position.on_table("players")}


def hover(window: Window, x: float, y: float) -> None:
    at = tuple(round(each) for each in spot(window, x, y))
    window.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=at, rel=(1, 1), buttons=(0, 0, 0)))
    window.player.setter.wait()
    window.draw()


def bar(window: Window, wanted: str) -> tuple[int, int]:
    window.draw()
    x, y = next(box for box, id_ in window.screens.set_up.buttons if id_ == wanted).center
    return x, y


# one unit


def test_the_ghost_follows_the_mouse_and_a_click_sets_it_down(window: Window) -> None:
    placing(window)
    unit = asked(window).request.unit
    hover(window, 10.0, 30.0)
    shown = {row: pose[:2] for row, pose in asked(window).poses().items()}
    assert len(shown) == len(asked(window).request.rows)  # type: ignore[union-attr]
    hover(window, 8.0, 10.0)
    assert {row: pose[:2] for row, pose in asked(window).poses().items()} != shown
    on(click(window, spot(window, 10.0, 30.0)))
    after = stands(window)[unit]
    # The click is at the nearest pixel.
    assert np.abs(np.sort(after, axis=0) - np.sort(list(shown.values()), axis=0)).max() < 0.2


def test_a_click_in_the_zone_is_enough_where_reserves_are_open_too(window: Window) -> None:
    if asked(window).set_up.is_placing:  # type: ignore[union-attr]
        say(window, "undo")
    assert asked(window).request.decision == "deploy"
    unit = asked(window).request.unit
    on(click(window, spot(window, 10.0, 30.0)))
    window.tick(0.1)
    on(window)
    assert np.hypot(*(stands(window)[unit] - (10.0, 30.0)).T).min() < 2.0


def test_a_click_outside_only_shows_the_nearest_place_and_enter_takes_it(window: Window) -> None:
    placing(window)
    unit = asked(window).request.unit
    click(window, spot(window, 30.0, 30.0))
    assert stands(window) == {}
    window.draw()
    words = "\n".join(each.words for each in window.lettering.written)
    assert "Outside its area" in words
    assert isinstance(asked(window).draft, Places)
    press(window, "return")
    on(window)
    assert stands(window)[unit][:, 0].max() < 18.0


def test_arrows_and_enter_place_without_a_mouse(window: Window) -> None:
    placing(window)
    unit = asked(window).request.unit
    suggested = np.array([pose[:2] for pose in asked(window).set_up.suggested.values()])  # type: ignore[union-attr]
    for _ in range(6):
        key(window, "down")
    key(window, "down", pygame.KMOD_SHIFT)
    window.player.setter.wait()
    key(window, "return")
    on(window)
    after = stands(window)[unit].mean(axis=0)
    assert after[1] == pytest.approx(suggested.mean(axis=0)[1] - 6.1, abs=2.5)
    assert after[1] < suggested.mean(axis=0)[1] - 3.0


def test_g_places_as_suggested(window: Window) -> None:
    placing(window)
    unit, advice = asked(window).request.unit, asked(window).advice
    assert isinstance(advice, Places)
    hover(window, 8.0, 10.0)
    key(window, "g")
    on(window)
    assert np.allclose(stands(window)[unit], [pose[:2] for pose in advice.poses.values()])


def test_right_click_and_escape_let_go_of_the_ghost(window: Window) -> None:
    placing(window)
    before = len(seat(window).game.answers)
    for how in ("right", "escape"):
        hover(window, 10.0, 30.0)
        assert asked(window).draft is not None
        if how == "right":
            click(window, spot(window, 10.0, 30.0), button=3)
        else:
            press(window, "escape")
        assert asked(window).draft is None
    assert len(seat(window).game.answers) == before


def test_words_can_still_be_typed(window: Window) -> None:
    placing(window)
    unit = asked(window).request.unit
    hover(window, 10.0, 30.0)
    say(window, "at 8 10")
    assert np.hypot(*(stands(window)[unit] - (8.0, 10.0)).T).min() < 2.0


def test_letters_of_a_begun_line_are_no_keys(window: Window) -> None:
    placing(window)
    unit = asked(window).request.unit
    for sign in "/rg":
        code = pygame.key.key_code(sign)
        window.handle(pygame.event.Event(pygame.KEYDOWN, key=code, unicode=sign, mod=0))
    assert asked(window).line == "rg"
    assert asked(window).request.unit == unit


# reserves


def test_r_keeps_a_unit_in_reserves_even_when_its_place_is_asked_for(window: Window) -> None:
    placing(window)
    unit = asked(window).request.unit
    key(window, "r")
    on(window)
    assert seat(window).game.state.position.units[unit].where == "reserves"
    assert asked(window).request.unit != unit


def test_reserves_that_are_full_say_so(window: Window) -> None:
    """Half of the points may wait; then the button says that the unit may not."""
    kept = []
    for _ in range(20):
        if window.player.asked is None or asked(window).set_up is None:
            break
        unit = asked(window).request.unit
        key(window, "r")
        on(window)
        if window.player.asked is not None and asked(window).request.unit == unit:
            break
        kept.append(unit)
    assert kept
    units = {facts.id: facts.points for facts in seat(window).game.mustered}
    assert sum(units[unit] for unit in kept) <= sum(units.values()) / 2
    window.draw()
    words = "\n".join(each.words for each in window.lettering.written)
    assert "may not be kept in reserves" in words


# the rest


def test_the_rest_is_placed_as_suggested_and_one_undo_takes_all_back(window: Window) -> None:
    placing(window)
    on(click(window, spot(window, 10.0, 10.0)))
    first, count = stands(window), len(seat(window).game.answers)
    # The last unit's place lets the round begin, and its rolls would stop undo.
    seat(window).undoing.reach = "free"
    assert len(first) == 1
    at = asked(window).request.unit
    key(window, "g", pygame.KMOD_SHIFT)
    on(window)
    assert len(stands(window)) > 4
    assert window.player.asked is None or asked(window).set_up is None
    key(window, "z", pygame.KMOD_CTRL)
    on(window)
    assert asked(window).request.unit == at
    assert len(seat(window).game.answers) <= count + 1
    assert list(stands(window)) == list(first)


def test_the_whole_set_up_is_one_stop(window: Window) -> None:
    for _ in range(40):
        if window.player.asked is None or asked(window).set_up is None:
            break
        placing(window)
        key(window, "g")
        on(window)
    stops = seat(window).gate.counts.stops
    assert sum(number for (kind, _), number in stops.items() if kind == "set-up") == 1


def test_the_button_places_the_rest(window: Window) -> None:
    click(window, bar(window, "rest"))
    on(window)
    assert len(stands(window)) > 4


# mending


def two_placed(window: Window) -> tuple[str, str]:
    """Place two units, and return their ids; the third is asked for."""
    found = []
    for at in ((10.0, 10.0), (10.0, 35.0)):
        placing(window)
        found.append(asked(window).request.unit)
        on(click(window, spot(window, *at)))
    return found[0], found[1]


def test_a_unit_that_stands_is_dragged_to_another_place(window: Window) -> None:
    first, second = two_placed(window)
    before, answers, question = stands(window), len(seat(window).game.answers), asked(window).request
    start = before[first][0]
    drag(window, spot(window, *map(float, start)), spot(window, 5.0, 22.0))
    on(window)
    after = stands(window)
    assert np.hypot(*(after[first] - (5.0, 22.0)).T).min() < 2.0
    assert np.array_equal(after[second], before[second])
    assert len(seat(window).game.answers) == answers
    assert asked(window).request == question
    placed = [event.unit for event in seat(window).game.events if isinstance(event, ev.Placed) and event.unit]
    assert placed == [first, second]
    faults = [seat(window).views["p1"].faults(asked(window).request, asked(window).advice)]
    assert faults == [[]]


def test_a_wish_that_finds_no_place_changes_nothing(window: Window) -> None:
    first, _ = two_placed(window)
    lines, question = list(seat(window).game.lines), asked(window).request
    assert window.player.set_up_anew(first, "at nowhere at all") != ""
    on(window)
    assert list(seat(window).game.lines) == lines
    assert asked(window).request == question


def test_what_was_suggested_keeps_its_reasons_when_another_is_mended(window: Window) -> None:
    placing(window)
    first = asked(window).request.unit
    on(click(window, spot(window, 10.0, 10.0)))
    placing(window)
    key(window, "g")
    on(window)
    before = [line for line in seat(window).game.lines if isinstance(line, BecauseLine)]
    start = stands(window)[first][0]
    drag(window, spot(window, *map(float, start)), spot(window, 5.0, 36.0))
    on(window)
    after = [line for line in seat(window).game.lines if isinstance(line, BecauseLine)]
    assert after == before


def test_where_it_stood_later_units_are_asked_anew(window: Window) -> None:
    """What is dragged onto the place of a later unit takes it; that one is asked for again."""
    first, second = two_placed(window)
    before = stands(window)
    there = before[second].mean(axis=0)
    start = before[first][0]
    drag(window, spot(window, *map(float, start)), spot(window, *map(float, there)))
    on(window)
    after = stands(window)
    assert np.hypot(*(after[first] - there).T).min() < 2.0
    assert second not in after
    assert asked(window).request.unit == second
    assert isinstance(asked(window).request, Place)


def test_a_click_on_a_unit_that_stands_pins_its_card(window: Window) -> None:
    first, _ = two_placed(window)
    at = stands(window)[first][0]
    answers = len(seat(window).game.answers)
    click(window, spot(window, *map(float, at)))
    assert window.chosen == first
    assert len(seat(window).game.answers) == answers


def test_an_enemy_or_a_unit_in_reserves_is_not_mended(window: Window) -> None:
    placing(window)
    before = len(seat(window).game.lines)
    assert window.player.set_up_anew("nobody", "at 5 5") == "It is not yours to set up anew"
    assert window.player.set_up_anew(asked(window).request.unit, "at 5 5") != ""
    assert len(seat(window).game.lines) == before


# lists


def test_the_list_says_which_is_placed_and_which_come(window: Window) -> None:
    two_placed(window)
    placing(window)
    state, unit = window.playback.state, asked(window).request.unit
    found = roster(state, None, unit, window.playback.source.knowledge.mustered)
    titles = [section.title for section in found]
    assert titles[:2] == ["To place", "Placed"]
    assert found[0].rows[0].unit == unit
    assert found[0].rows[0].note.endswith("placing")
    assert len(found[1].rows) == 2


def test_no_word_is_cut_and_the_buttons_are_large_enough(window: Window) -> None:
    placing(window)
    hover(window, 10.0, 30.0)
    window.draw()
    assert not [each.words for each in window.lettering.written if each.is_cut]
    assert all(min(box.size) >= 36 for box, _ in window.screens.set_up.buttons)
