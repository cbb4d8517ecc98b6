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
from tests.viewer.seeded import attacks, click, played, press, recording, rolls, run, seated, until, written
from viewer.input.halting import halts
from viewer.input.settings import Rules
from viewer.story.source import Reason
from viewer.window.corner import Perch, free_corner
from viewer.window.look import Look
from viewer.window.transport import SPEEDS_SHOWN, speed_words
from viewer.window.window import Window

SIZES = [(1920, 1080), (1280, 720), (1024, 640), (700, 500), (300, 200)]


@pytest.fixture(autouse=True)
def display() -> Iterator[None]:
    pygame.display.init()
    yield
    pygame.quit()


def control(window: Window, command: str) -> tuple[int, int]:
    """Return the middle of a control of the transport."""
    box = next(box for box, name in window.turn.transport.controls if name == command)
    return box.center


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
            window.tick(0.2)
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
    ("seed", "faction", "size", "text"),
    [
        (7, "death-guard", (1920, 1080), 100),
        (11, "orks", (1280, 720), 150),
        (7, "death-guard", (1024, 640), 100),
    ],
)
def test_every_roll_is_drawn_and_the_dice_cover_neither_side_nor_the_mouse(
    seed: int, faction: str, size: tuple[int, int], text: int
) -> None:
    window = Window(pygame.display.set_mode(size), recording(seed, faction), Look(text=text))
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
    # A mouse that rests where it fired leaves the dice there.
    x += 3
    event = pygame.event.Event(pygame.MOUSEMOTION, pos=(round(x), round(y)), rel=(0, 0), buttons=(0, 0, 0))
    window.handle(event)
    window.draw()
    assert window.player.odds_at((round(x), round(y))) is not None
    assert window.turn_board.tray_box.w == 0


def test_what_may_stop_the_turn_stands_under_the_log(shooting: Window) -> None:
    words = written(shooting)
    assert "YOU WILL BE STOPPED IF" in words
    assert "an offer is worth its CP" in words
    player = shooting.playback.state.players["p1"]
    assert f"(you have {player.cp} CP" in words.replace("\n", " ")


@pytest.mark.parametrize(
    ("changed", "lines"),
    [
        (("all", "never"), 0),
        (("stratagem", "never"), 1),
        (("allocation", "never"), 1),
        (("stratagem", "always"), 2),
    ],
)
def test_what_may_stop_the_turn_follows_from_the_person_s_rules(changed: tuple[str, str], lines: int) -> None:
    told = halts(Rules().changed(changed[0], [changed[1]]), (1,))
    assert len(told) == lines
    assert halts(None, ()) == ("anything is asked of you",)
    assert "only free ones" in halts(Rules(), (0,))[0]
