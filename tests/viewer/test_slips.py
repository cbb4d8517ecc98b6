"""Typing and clicking that comes too early, and letters that would be the viewer's."""

from __future__ import annotations

import pygame
import pytest

from engine.core.request import Choose, Chosen, Option
from tests.viewer.at_window import Open, asked, asking, click, on, press, seat, table
from viewer.window.window import Window

OPTIONS = tuple(Option(id=id_, label=id_) for id_ in ("first", "second", "third"))


def choice() -> Choose:
    return Choose(seats=("p1",), rule="X.1", decision="d", prompt="Well?", options=OPTIONS)


def sign(window: Window, letter: str) -> None:
    key = pygame.key.key_code(letter) if letter.isascii() and letter != " " else pygame.K_SPACE
    window.handle(pygame.event.Event(pygame.KEYDOWN, key=key, unicode=letter, mod=0))


def early(opened: Open) -> tuple[Window, list[Chosen]]:
    """Return a window whose next question is not shown yet."""
    step, answers = asking(choice(), choice())
    window = opened(table(step))
    # What has been answered is shown before the next question is put.
    window.playback.seek(0)
    window.playback.playing = True
    assert window.player.asked is None
    assert window.player.waits
    return window, answers


@pytest.mark.parametrize("letter", ["q", "h", "n", "r", "w", "x", "0"])
def test_letters_before_the_next_question_wait_for_it(opened: Open, letter: str) -> None:
    window, _ = early(opened)
    before = window.camera.key()
    sign(window, letter)
    assert not window.quit
    assert not window.help
    assert window.camera.key() == before
    assert window.playback.playing
    on(window)
    assert asked(window).line == letter


def test_a_line_typed_ahead_answers_the_next_question_and_no_later_one(opened: Open) -> None:
    window, answers = early(opened)
    sign(window, "3")
    press(window, "return")
    press(window, "return")
    on(window)
    assert answers == [Chosen(ids=("third",))]
    assert asked(window).line == ""


def test_enter_alone_takes_no_suggestion_that_was_not_seen(opened: Open) -> None:
    window, answers = early(opened)
    press(window, "return")
    on(window)
    assert answers == []
    assert asked(window).line == ""


def test_what_was_typed_ahead_can_be_erased(opened: Open) -> None:
    window, _ = early(opened)
    for letter in "12":
        sign(window, letter)
    press(window, "backspace")
    on(window)
    assert asked(window).line == "1"


def test_keys_that_play_the_battle_stay_the_viewers(opened: Open) -> None:
    window, _ = early(opened)
    sign(window, " ")
    assert not window.playback.playing


def test_no_letter_closes_the_window(opened: Open) -> None:
    window, _ = early(opened)
    window.playback.playing = False
    sign(window, "q")
    assert not window.quit
    seat(window).hand_over()
    sign(window, "q")
    assert not window.quit
    assert not window.wish


def test_a_click_is_for_the_question_that_was_shown_as_it_began(opened: Open) -> None:
    step, answers = asking(choice(), choice())
    window = opened(table(step))
    at = window.panel.rows[1][0].center
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=at, button=1))
    sign(window, "3")
    press(window, "return")
    on(window)
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=at, button=1))
    assert answers == [Chosen(ids=("third",))]
    on(click(window, window.panel.rows[1][0].center))
    assert answers == [Chosen(ids=("third",)), Chosen(ids=("second",))]
