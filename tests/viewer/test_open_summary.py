"""The summary of the Horde's turn in the window: what it shows, keys, mouse, its return."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pygame
import pytest

from engine.core import event as ev
from tests.viewer.seeded import click, press, recording, run, seated, until, written
from viewer.window.summary_page import AGAIN, CLOSE, SHOW
from viewer.window.window import Window


@pytest.fixture(autouse=True)
def display() -> Iterator[None]:
    pygame.display.init()
    yield
    pygame.quit()


@pytest.fixture
def shooting() -> Window:
    """Return the window in the Horde's Shooting phase, paused."""
    window = until(seated(), "shooting")
    window.playback.playing = False
    window.draw()
    return window


def test_enter_goes_to_the_summary_and_then_to_the_question(shooting: Window) -> None:
    answers = len(shooting.playback.source.game.answers)  # type: ignore[attr-defined]
    press(shooting, "return", "\r")
    run(shooting, "turn")
    while not shooting.turn.is_open:
        press(shooting, "return", "\r")
        run(shooting, "turn")
    assert shooting.turn.opened is not None
    summary = shooting.turn.opened.summary
    index = shooting.playback.cursor - 1
    ended = shooting.playback.chronicle.entries[index]
    assert isinstance(ended, ev.TurnEnded)
    assert (summary.whose, summary.round) == ("horde", ended.round)
    for _ in range(60):
        shooting.tick(0.1)
    assert (shooting.playback.cursor, shooting.player.asked) == (index + 1, None), "it holds"
    known = len(shooting.playback.source.game.answers)  # type: ignore[attr-defined]
    press(shooting, "return", "\r")
    assert not shooting.turn.is_open
    assert len(shooting.playback.source.game.answers) == known  # type: ignore[attr-defined]
    for _ in range(200):
        shooting.tick(0.2)
        if shooting.player.asked is not None:
            break
    assert shooting.player.asked is not None
    assert shooting.playback.state.turn == "players"
    assert known >= answers


@pytest.fixture
def summed() -> Window:
    """Return the window with the summary of the first Horde's turn open."""
    window = until(seated(), over=True)
    window.draw()
    return window


def button(window: Window, name: str) -> tuple[int, int]:
    return next(box for box, known in window.turn.page.buttons if known == name).center


def test_the_summary_shows_its_numbers_and_takes_the_columns_place(summed: Window) -> None:
    assert summed.turn.opened is not None
    summary, words = summed.turn.opened.summary, written(summed)
    assert summed.layout.side.w == 644
    assert summed.layout.units.w == 0
    for number in (*summary.wounds, summary.models[0], summary.stops):
        assert f"{number}" in words.split("\n")
    for text in (
        "The Horde's turn is over",
        "YOU LOST",
        "THE HORDE'S TURN",
        "End of Turn",
        "Begin your turn",
    ):
        assert text in words
    for line in (*summary.lost, *summary.it_lost):
        assert line.head in words.replace("\n", " ")
    click(summed, button(summed, CLOSE))
    assert not summed.turn.is_open
    assert summed.layout.side.w == 380


def test_stops_and_answers_of_the_turn_are_the_seat_s(summed: Window) -> None:
    assert summed.turn.opened is not None
    turn, summary = summed.turn.opened.turn, summed.turn.opened.summary
    source = summed.playback.source
    events = [e for e in summed.playback.chronicle.entries[turn.first : turn.end] if isinstance(e, ev.Event)]
    numbers = {event.n for event in events}
    told = [known for n, known in source.answered_unasked if n in numbers]  # type: ignore[attr-defined]
    assert list(summary.answered) == told
    assert told, "this battle has some"
    shown = [known.words for known in told]
    summed.turn.page.turn(-99)
    summed.draw()
    click(summed, button(summed, SHOW))
    assert summed.turn.page.shows_answers
    page = summed.turn.page._page(600, summary, summed.turn.opened.state)
    assert page.high > 0
    assert all(words in [words_ for _, words_ in source.settled] for words in shown)  # type: ignore[attr-defined]


def test_the_turn_is_watched_again(summed: Window) -> None:
    assert summed.turn.opened is not None
    turn = summed.turn.opened.turn
    click(summed, button(summed, AGAIN))
    assert (summed.turn.is_open, summed.playback.cursor) == (False, turn.first + 1)
    assert summed.playback.playing
    run(summed, "turn")
    assert summed.turn.is_open, "its end is summed up again"
    press(summed, "b", "b")
    assert summed.playback.cursor == turn.first + 1


def test_a_summary_that_was_closed_is_not_shown_again_by_itself(summed: Window) -> None:
    end = summed.playback.cursor
    press(summed, "escape")
    summed.playback.seek(end - 2)
    summed.playback.playing = True
    for _ in range(10):
        summed.tick(0.1)
    assert not summed.turn.is_open
    assert summed.playback.cursor > end


def test_it_is_at_hand_later_by_its_key_and_from_the_log(summed: Window) -> None:
    end = summed.playback.cursor
    press(summed, "return", "\r")
    for _ in range(200):
        summed.tick(0.2)
        if summed.player.asked is not None:
            break
    later = summed.playback.cursor
    asked = summed.player.asked
    assert asked is not None
    press(summed, "f6")
    assert summed.turn.is_open
    assert (summed.playback.cursor, summed.player.asked) == (end, None)
    summed.draw()
    assert "Close" in written(summed)
    press(summed, "1", "1")
    press(summed, "return", "\r")
    assert (summed.turn.is_open, summed.playback.cursor) == (False, later)
    assert summed.player.asked is asked
    assert asked.line == "", "what is typed over the summary is no answer"
    summed.draw()
    while not summed.logbook.rect.w:
        # Resupply takes the whole column.
        summed.tick(0.2)
        if summed.player.asked is not None:
            press(summed, "end")
        summed.draw()
    for _ in range(60):
        found = [(b, each) for b, each in summed.logbook.shown if "turn is over" in each.text]
        if found and summed.logbook.rect.contains(found[0][0]):
            break
        summed.logbook.scroll(1)
        summed.draw()
    box, line = found[0]
    assert line.index == end - 1
    click(summed, box.center)
    assert summed.turn.is_open


def test_no_summary_without_a_turn_of_the_horde() -> None:
    window = seated()
    press(window, "f6")
    assert not window.turn.is_open


def test_a_replay_has_its_summaries_at_hand_and_does_not_stop_for_them() -> None:
    window = Window(pygame.display.set_mode((1920, 1080)), recording())
    turn = window.playback.chronicle.turns.known[0]
    assert turn.end is not None
    window.playback.seek(turn.end - 2)
    window.playback.playing = True
    for _ in range(20):
        window.tick(0.1)
    assert not window.turn.is_open
    assert window.playback.cursor > turn.end
    later = window.playback.cursor
    press(window, "f6")
    window.draw()
    assert window.turn.is_open
    assert "models it lost" in written(window), "of a replay nobody knows the stops"
    press(window, "f6")
    assert (window.turn.is_open, window.playback.cursor) == (False, later)


def test_the_view_is_as_it_was_once_the_summary_is_closed() -> None:
    window = until(seated(), "shooting")
    window.camera.scale, window.camera.centre = 40.0, (20.0, 20.0)
    press(window, "f", "f")
    window = until(window, over=True)
    window.draw()
    assert window.camera.scale != 40.0
    press(window, "return", "\r")
    window.draw()
    assert (window.camera.scale, window.camera.centre) == (40.0, (20.0, 20.0))
    press(window, "f6")
    window.draw()
    window.handle(pygame.event.Event(pygame.VIDEORESIZE, w=1280, h=720, size=(1280, 720)))
    press(window, "escape")
    window.draw()
    assert window.layout.side.w > 0


@pytest.mark.parametrize("size", [(1920, 1080), (700, 500)])
def test_any_keys_and_clicks_while_the_battle_plays_on_are_survived(size: tuple[int, int]) -> None:
    chance = random.Random(5)
    window = seated(size)
    names = ["space", "return", ".", "]", "[", "right", "left", "f", "f6", "b", "escape", "up", "down", "tab"]
    names += ["=", "-", "0", "end", "home", "page up", "n", "x", "f1", "2"]
    for _ in range(260):
        if chance.random() < 0.7:
            name = chance.choice(names)
            press(window, name, name if len(name) == 1 else "")
        else:
            click(window, (chance.randrange(size[0]), chance.randrange(size[1])))
        for _ in range(3):
            window.tick(0.05)
        window.draw()
        assert window.turn.is_open == window.playback.held
        assert not (window.turn.is_open and window.player.asked is not None)
