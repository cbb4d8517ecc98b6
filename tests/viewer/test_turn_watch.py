"""The Horde's turn as a person watches it: transport by keys and mouse, dice, summary."""

from __future__ import annotations

from collections.abc import Iterator

import pygame
import pytest

from engine.core import event as ev
from engine.core.facts import BoardFacts
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.scenario.situation import Stand, situation
from tests.viewer.at_window import GUN, SHOOTING, on, say, show, spot
from tests.viewer.at_window import click as click_on
from tests.viewer.seeded import attacks, key, played, recording, rolls, seated, until
from viewer.story.source import Reason
from viewer.window.corner import Perch, free_corner
from viewer.window.look import Look
from viewer.window.summary_page import AGAIN, CLOSE, SHOW
from viewer.window.transport import SPEEDS_SHOWN, speed_words
from viewer.window.window import Window

SIZES = [(1920, 1080), (1280, 720), (1024, 640), (700, 500), (300, 200)]


@pytest.fixture(autouse=True)
def display() -> Iterator[None]:
    pygame.display.init()
    yield
    pygame.quit()


def press(window: Window, name: str, typed: str = "") -> None:
    window.handle(key(name, typed))


def click(window: Window, at: tuple[int, int]) -> None:
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=at, button=1))
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=at, button=1))
    window.draw()


def control(window: Window, command: str) -> tuple[int, int]:
    """Return the middle of a control of the transport."""
    box = next(box for box, name in window.turn.transport.controls if name == command)
    return box.center


def run(window: Window, goal: str, most: int = 900) -> None:
    """Let the window run until its jump is done; questions are answered as suggested."""
    window.turn.goal = window.turn.goal or goal
    for _ in range(most):
        window.tick(0.02)
        if window.player.asked is not None and not window.turn.is_open:
            window.handle(key("return", "\r"))
            window.playback.playing = False
            window.turn.goal = goal
        elif not window.turn.goal:
            break
    window.draw()


@pytest.fixture
def shooting() -> Window:
    """Return the window in the Horde's Shooting phase, paused."""
    window = until(seated(), "shooting")
    window.playback.playing = False
    window.draw()
    return window


def acting(window: Window) -> str:
    index = window.playback.decision
    entry = window.playback.chronicle.entries[index] if index is not None else None
    return entry.unit if isinstance(entry, Reason) else ""


def test_the_bar_is_the_transport_only_while_nothing_is_asked(shooting: Window) -> None:
    commands = [name for _, name in shooting.turn.transport.controls]
    speeds = [f"speed:{each}" for each in SPEEDS_SHOWN]
    assert commands == ["toggle", *speeds, "step", "follow", "turn", "phase", "unit"]
    window = seated()
    for _ in range(50):
        window.tick(0.1)
    window.draw()
    assert window.player.asked is not None
    assert window.turn.transport.controls == []


def test_space_plays_and_pauses_by_key_and_by_mouse(shooting: Window) -> None:
    press(shooting, "space", " ")
    assert shooting.playback.playing
    press(shooting, "space", " ")
    assert not shooting.playback.playing
    click(shooting, control(shooting, "toggle"))
    assert shooting.playback.playing
    shooting.turn.goal = "turn"
    press(shooting, "space", " ")
    assert (shooting.turn.goal, shooting.playback.playing) == ("", False), "a pause ends a jump, too"


def test_a_step_shows_one_event_and_back_again(shooting: Window) -> None:
    cursor = shooting.playback.cursor
    press(shooting, "right")
    assert (shooting.playback.cursor, shooting.playback.playing) == (cursor + 1, False)
    press(shooting, "left")
    assert shooting.playback.cursor == cursor
    click(shooting, control(shooting, "step"))
    assert shooting.playback.cursor == cursor + 1


def test_the_speed_is_set_by_keys_and_by_mouse(shooting: Window) -> None:
    assert shooting.playback.speed == 1
    press(shooting, "=", "+")
    assert shooting.playback.speed == 2
    press(shooting, "-", "-")
    press(shooting, "-", "-")
    assert shooting.playback.speed == 0.5
    click(shooting, control(shooting, "speed:8.0"))
    assert shooting.playback.speed == 8
    for _ in range(9):
        press(shooting, "=", "+")
    shooting.draw()
    assert speed_words(shooting.playback.speed) == "64×"
    assert "speed:64.0" in [name for _, name in shooting.turn.transport.controls]


def test_the_next_unit_is_jumped_to(shooting: Window) -> None:
    seen = []
    while shooting.playback.state.phase == "shooting" and len(seen) < 12:
        press(shooting, ".", ".")
        run(shooting, "unit")
        if shooting.turn.is_open or shooting.playback.state.phase != "shooting":
            break
        seen.append(acting(shooting))
        assert not shooting.playback.playing
    assert len(set(seen)) == len(seen) >= 2
    assert all(shooting.playback.state.position.units[unit].side == "horde" for unit in seen)


def test_the_next_phase_is_jumped_to_by_key_and_mouse(shooting: Window) -> None:
    press(shooting, "]", "]")
    run(shooting, "phase")
    assert shooting.playback.state.phase == "charge"
    click(shooting, control(shooting, "phase"))
    assert shooting.turn.goal == "phase"
    run(shooting, "phase")
    assert shooting.playback.state.phase == "fight"


def test_a_jump_that_is_asked_for_again_is_dropped(shooting: Window) -> None:
    click(shooting, control(shooting, "unit"))
    assert shooting.turn.goal == "unit"
    click(shooting, control(shooting, "unit"))
    assert shooting.turn.goal == ""


def test_the_strip_goes_to_a_part_of_the_turn(shooting: Window) -> None:
    boxes = {phase: box for box, phase in shooting.turn.transport.strip}
    assert list(boxes) == ["command", "movement", "shooting", "charge", "fight"]
    click(shooting, boxes["movement"].center)
    assert (shooting.playback.state.turn, shooting.playback.state.phase) == ("horde", "movement")
    shooting.draw()
    click(shooting, boxes["fight"].midleft)
    run(shooting, "phase:fight")
    assert shooting.playback.state.phase == "fight"


def test_f_follows_and_the_view_goes_to_what_acts(shooting: Window) -> None:
    assert shooting.turn.follows
    press(shooting, "f", "f")
    assert not shooting.turn.follows
    click(shooting, control(shooting, "follow"))
    assert shooting.turn.follows
    shooting.camera.scale, shooting.camera.centre = 90.0, (2.0, 42.0)
    press(shooting, ".", ".")
    run(shooting, "unit")
    for _ in range(20):
        shooting.tick(0.05)
    unit = shooting.playback.state.position.units[acting(shooting)]
    rooms = shooting.scene.rooms(shooting.camera, shooting.playback)[unit.id]
    assert any(box.colliderect(shooting.camera.viewport) for box in rooms)
    assert shooting.camera.scale == 90.0
    centre = shooting.camera.centre
    press(shooting, "f", "f")
    press(shooting, ".", ".")
    run(shooting, "unit")
    assert shooting.camera.centre == centre


def test_letters_that_mean_nothing_to_the_transport_are_kept_for_the_question(shooting: Window) -> None:
    shooting.playback.playing = True
    press(shooting, "2", "2")
    assert shooting.player.has_typed
    press(shooting, "return", "\r")
    assert shooting.turn.goal == "", "Enter ends what is typed"


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


def written(window: Window) -> str:
    return "\n".join(each.words for each in window.lettering.written)


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


@pytest.mark.parametrize("size", SIZES)
def test_the_watched_turn_fits_any_size_of_window(size: tuple[int, int]) -> None:
    window = until(seated(size, Look(text=150)), over=True)
    window.draw()
    least = 700
    assert size[0] < least or not [each for each in window.lettering.written if each.is_cut]
    boxes = [box for box, _ in window.turn.page.buttons]
    assert all(window.surface.get_rect().contains(box) for box in boxes)
    press(window, "b", "b")
    for _ in range(30):
        window.tick(0.1)
        window.draw()
        assert size[0] < least or not [each for each in window.lettering.written if each.is_cut]
    bar = window.layout.bottom
    if size[0] >= least:
        boxes = [box for box, _ in window.turn.transport.controls]
        assert all(bar.contains(box) for box in boxes)
        assert all(a.clip(b).w == 0 for i, a in enumerate(boxes) for b in boxes[:i])


def test_less_motion_shows_everything_as_it_ends() -> None:
    window = seated(look=Look(less_motion=True))
    window = until(window, "movement")
    moved = 0
    for _ in range(1500):
        window.tick(0.02)
        if window.player.asked is not None:
            press(window, "return", "\r")
        effect = window.playback.effect
        if effect is not None and isinstance(effect.entry, ev.Moved):
            moved += 1
            assert (effect.part, window.playback.places()) == (1.0, {})
            assert effect.duration > 0, "the pace stays"
        if window.playback.state.phase != "movement":
            break
    assert moved


def test_a_move_takes_its_time_by_its_length_and_at_most_900_ms() -> None:
    from viewer.story.motion import length, polyline, seconds

    playback = played()
    chronicle = playback.chronicle
    for index, starts in chronicle.starts.items():
        entry = chronicle.entries[index]
        assert isinstance(entry, ev.Moved)
        far = max((length(polyline(at, entry.paths.get(row, ()))) for row, at in starts.items()), default=0.0)
        told = 0.0 if far < 0.01 else min(0.25 * far, 0.9)
        assert seconds(entry, starts) == pytest.approx(told)


@pytest.mark.parametrize(
    ("seed", "faction", "size"), [(7, "death-guard", (1920, 1080)), (11, "orks", (1280, 720))]
)
def test_every_roll_is_drawn_and_the_dice_cover_neither_side_nor_the_mouse(
    seed: int, faction: str, size: tuple[int, int]
) -> None:
    window = Window(pygame.display.set_mode(size), recording(seed, faction))
    shown, covered = 0, []
    playback = window.playback
    mouse = (size[0] // 2, size[1] // 2)
    window.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=mouse, rel=(0, 0), buttons=(0, 0, 0)))
    for index in rolls(playback)[::3] + attacks(playback)[::2]:
        playback.seek(index + 1)
        window.draw()
        tray, box = window.turn_board.tray(), window.turn_board.tray_box
        assert (tray is None) == (box.w == 0)
        if tray is None:
            continue
        shown += 1
        rooms = window.scene.rooms(window.camera, playback)
        own = [*rooms.get(tray.unit, ()), *rooms.get(tray.target, ())]
        assert pygame.Rect(window.camera.viewport).contains(box)
        if box.collidelist(own) >= 0 or box.collidepoint(mouse):
            covered.append(index)
    assert shown > 100
    assert covered == []


def test_a_popup_stays_in_its_corner_until_it_would_cover_something() -> None:
    board, perch = (0, 0, 1000, 800), Perch()
    tokens = [pygame.Rect(900, 700, 40, 40)]
    first = perch.place("a", [(300, 200)], board, tokens, [])
    assert first.collidelist(tokens) < 0
    same = perch.place("a", [(300, 260)], board, [first], [])
    assert same.collidepoint(first.center), "it grows where it is, though tokens have come"
    moved = perch.place("a", [(300, 260)], board, [], [pygame.Rect(same.center, (5, 5))])
    assert not moved.colliderect(pygame.Rect(same.center, (5, 5)))
    smaller = perch.place("b", [(990, 790), (200, 100)], board, [], [pygame.Rect(500, 400, 40, 40)])
    assert (smaller.size, perch.chosen) == ((200, 100), 1)


def test_a_popup_without_a_free_place_covers_the_least() -> None:
    board = (0, 0, 400, 300)
    everywhere = [pygame.Rect(0, 0, 400, 150), pygame.Rect(0, 150, 200, 150), pygame.Rect(390, 290, 2, 2)]
    box = free_corner((200, 150), board, [], everywhere)
    assert box.center == pytest.approx((288, 213), abs=2)


def test_the_horde_stands_in_its_order_with_what_it_did(shooting: Window) -> None:
    press(shooting, ".", ".")
    run(shooting, "unit")
    press(shooting, ".", ".")
    run(shooting, "unit")
    words = written(shooting).split("\n")
    assert "HORDE, IN ITS ORDER" in words
    assert {"now", "chosen"} <= set(words)
    assert any(word.startswith(("shoots", "shot", "stayed")) for word in words)
    assert any("of" in word and "Horde unit" in word for word in words)


def test_all_clauses_of_a_decision_are_a_click_away(shooting: Window) -> None:
    press(shooting, ".", ".")
    run(shooting, "unit")
    names = {name: box for box, name in shooting.side.verdict.buttons}
    click(shooting, names["clauses"].center)
    assert shooting.dossier.whole
    assert shooting.side.verdict.buttons == []
    press(shooting, "escape")
    shooting.draw()
    names = {name: box for box, name in shooting.side.verdict.buttons}
    click(shooting, names["why-not"].center)
    assert shooting.dossier.line == ""


def firing() -> Window:
    """Return the window after a person's unit has fired, as the next one is asked for."""
    own = [
        Stand("mine", "players", [(10.0, 20.0), (12.0, 20.0)], weapons=(GUN,)),
        Stand("others", "players", [(10.0, 30.0)], weapons=(GUN,)),
    ]
    foes = Stand("foes", "horde", [(22.0 + i, 20.0) for i in range(0, 12, 2)])
    window = show(situation([*own, foes], [SHOOTING], HORDE_1_1, board=BoardFacts()), (1600, 900))
    say(window, "mine")
    on(click_on(window, spot(window, 22.0, 20.0)))
    assert window.player.asked is not None
    window.draw()
    return window


def test_own_dice_stay_while_the_next_question_waits_and_go_with_the_next_press() -> None:
    window = firing()
    tray = window.turn_board.tray()
    assert tray is not None
    assert (tray.unit, tray.target, tray.weapon) == ("mine", "foes", "rifle")
    assert window.turn_board.tray_box.w > 0
    assert any("rifle" in each.words for each in window.lettering.written)
    press(window, "f1")
    window.help = False
    window.draw()
    assert window.turn_board.tray_box.w == 0
    again = firing()
    click(again, (again.layout.board.x + 5, again.layout.board.bottom - 5))
    assert again.turn_board.tray_box.w == 0


def test_dice_give_way_to_the_odds_of_a_target() -> None:
    window = firing()
    window.player.enter("others")
    on(window)
    x, y = spot(window, 22.0, 20.0)
    event = pygame.event.Event(pygame.MOUSEMOTION, pos=(round(x), round(y)), rel=(0, 0), buttons=(0, 0, 0))
    window.handle(event)
    window.draw()
    assert window.player.odds_at((round(x), round(y))) is not None
    assert window.turn_board.tray_box.w == 0


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
