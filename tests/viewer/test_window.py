"""The window, drawn without a screen: every key, the mouse, resizing, screenshots."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from datasheets.errors import HordeError
from viewer.story.source import Entry, Recording
from viewer.window.keys import BINDINGS, command, help_lines
from viewer.window.scene import thing_at, words_at
from viewer.window.timeline import button, track
from viewer.window.watching import watch
from viewer.window.window import Window

SIZE = (1600, 900)


@pytest.fixture
def window(recording: Recording) -> Iterator[Window]:
    pygame.display.init()
    yield Window(pygame.display.set_mode(SIZE), recording)
    pygame.quit()


def key(name: str, typed: str = "") -> pygame.event.Event:
    return pygame.event.Event(pygame.KEYDOWN, key=pygame.key.key_code(name), unicode=typed, mod=0)


def click(window: Window, at: tuple[int, int], button_: int = 1) -> None:
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=at, button=button_))
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=at, button=button_))


def drag(window: Window, start: tuple[int, int], end: tuple[int, int]) -> None:
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=start, button=1))
    by = (end[0] - start[0], end[1] - start[1])
    window.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=end, rel=by, buttons=(1, 0, 0)))
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=end, button=1))


def place_of(window: Window, unit: str) -> tuple[int, int]:
    row = window.playback.state.position.units[unit].rows[0]
    x, y = window.camera.to_screen(*map(float, window.playback.state.position.table.xy[row]))
    return round(x), round(y)


def test_every_key_does_something_the_window_knows(window: Window) -> None:
    known = set(window._commands)
    assert {binding.command for binding in BINDINGS} == known
    keys = [name for binding in BINDINGS for name in binding.keys]
    assert len(keys) == len(set(keys))
    assert all(does for _, does in help_lines())


def test_any_keys_in_any_order_are_survived(window: Window) -> None:
    chance = random.Random(2)
    names = ["space", "n", "b", "[", "]", "page up", "page down", "home", "end", "left", "up", "tab", "f"]
    names += ["h", "escape", "l", "r", ".", ",", "+", "-", "z", "x", "k", "f7", "a", "left shift", "return"]
    for name in names + [chance.choice(names) for _ in range(120)]:
        window.handle(key(name))
        window.tick(0.03)
        window.draw()
    window.handle(key("q"))
    assert not window.quit


def test_a_key_goes_by_the_sign_it_types_and_then_by_its_name() -> None:
    assert command("8", "[") == "previous-phase"
    assert command("H", "H") == "help"
    assert command("tab", "\t") == "next-unit"
    assert command("print screen") is None
    assert command("") is None


def test_stepping_pauses_and_moves_one_event(window: Window) -> None:
    window.press("toggle")
    assert window.playback.playing
    window.press("forward")
    assert (window.playback.playing, window.playback.cursor) == (False, 1)
    window.press("back")
    assert window.playback.cursor == 0


def test_a_click_on_a_base_chooses_its_unit_and_its_card_is_drawn(window: Window) -> None:
    window.playback.jump("round:2:horde:shooting")
    before = window.picture()
    click(window, place_of(window, "p1.rhino"))
    assert window.chosen == "p1.rhino"
    assert window.picture() != before
    click(window, (window.layout.board.x + 3, window.layout.board.y + 3))
    assert window.chosen == ""


def test_the_mouse_is_over_a_hull_only_where_the_hull_is(window: Window) -> None:
    window.playback.jump("round:2:horde:shooting")
    (x, y), scale = place_of(window, "p1.rhino"), window.camera.scale
    # It is 4.7 inches long and 2.9 wide, and faces up the board.
    assert thing_at(window.camera, window.playback, (x, y - round(2.2 * scale))) == "p1.rhino"
    assert thing_at(window.camera, window.playback, (x - round(2.2 * scale), y)) == ""


def test_the_mouse_is_over_a_model_where_it_stands_at_the_moment_shown(window: Window) -> None:
    window.playback.jump("end")
    late = place_of(window, "p1.rhino")
    window.playback.jump("round:1:horde:command")
    early = place_of(window, "p1.rhino")
    assert early != late
    assert thing_at(window.camera, window.playback, early) == "p1.rhino"
    window.playback.jump("end")
    assert thing_at(window.camera, window.playback, late) == "p1.rhino"
    assert thing_at(window.camera, window.playback, early) == ""


def test_the_mouse_tells_the_terrain_under_it(window: Window) -> None:
    window.playback.jump("round:1:horde:command")
    camera, playback = window.camera, window.playback
    assert words_at(camera, playback, camera.to_screen(40.0, 20.0)) == ["Ruin H1", "5″ high"]
    assert words_at(camera, playback, camera.to_screen(37.0, 20.0)) == []


def test_the_decision_of_the_chosen_unit_is_drawn_on_the_board(window: Window) -> None:
    window.playback.jump("round:2:horde:shooting")
    window.choose("poxwalkers-2-S1")
    with_reasons = window.picture()
    window.press("reasons")
    assert window.picture() != with_reasons


def test_tab_goes_through_all_units(window: Window) -> None:
    window.playback.jump("round:1:horde:movement")
    units = [u.id for u in window.playback.state.position.on_table()]
    seen = []
    for _ in units:
        window.press("next-unit")
        seen.append(window.chosen)
        window.draw()
    assert seen == units


def test_a_chosen_unit_that_is_not_there_yet_is_let_go(window: Window) -> None:
    window.playback.jump("end")
    window.choose("crawler")
    window.press("start")
    assert window.chosen == ""


def test_dragging_moves_the_board_and_chooses_nothing(window: Window) -> None:
    window.playback.jump("round:1")
    start = place_of(window, "p1.rhino")
    world = window.camera.to_world(*start)
    end = (start[0] - 90, start[1] - 120)
    drag(window, start, end)
    assert window.chosen == ""
    assert window.camera.to_screen(*world) == pytest.approx(end, abs=1)


def test_the_wheel_zooms_over_the_board_and_scrolls_over_the_log(window: Window) -> None:
    window.playback.jump("end")
    window.draw()
    at = window.layout.board.center
    window.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=at, rel=(0, 0), buttons=(0, 0, 0)))
    scale = window.camera.scale
    window.handle(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=2))
    assert window.camera.scale > scale
    at = window.logbook.rect.center
    window.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=at, rel=(0, 0), buttons=(0, 0, 0)))
    window.handle(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=1))
    assert window.logbook.back == 3
    window.draw()
    window.press("fit")
    assert window.camera.scale == pytest.approx(scale)


def test_a_click_on_a_line_of_the_log_goes_to_its_moment(window: Window) -> None:
    window.playback.jump("end")
    window.draw()
    rect, line = window.logbook.shown[5]
    click(window, rect.center)
    assert window.playback.cursor == line.index + 1


def test_the_line_of_time_and_the_play_button(window: Window) -> None:
    line = track(window.layout.timeline)
    drag(window, (line.x, line.centery), (line.right, line.centery))
    assert window.playback.at_end
    click(window, (line.centerx, line.centery))
    assert abs(window.playback.cursor - len(window.playback.chronicle) / 2) <= 1
    click(window, button(window.layout.timeline).center)
    assert window.playback.playing


@pytest.mark.parametrize(
    "size", [(1, 1), (40, 30), (300, 200), (700, 500), (1920, 1080), (400, 1600), (2400, 300)]
)
def test_any_size_can_be_drawn(window: Window, size: tuple[int, int]) -> None:
    window.playback.jump("round:2:horde:shooting")
    window.choose("poxwalkers-2-S1")
    window.help = True
    window.surface = pygame.Surface(size)
    window.resize(*size)
    window.draw()


def test_hovering_over_everything_is_survived(window: Window) -> None:
    window.playback.jump("round:2:horde:charge")
    board = window.layout.board
    for x in range(board.x, board.right, 97):
        for y in range(board.y, board.bottom, 83):
            event = pygame.event.Event(pygame.MOUSEMOTION, pos=(x, y), rel=(0, 0), buttons=(0, 0, 0))
            window.handle(event)
            window.draw()


def test_a_picture_is_the_same_each_time(entries: list[Entry], tmp_path: Path) -> None:
    pictures = []
    for name in ("a.png", "b.png"):
        path = tmp_path / name
        watch(Recording(entries), screenshot=path, jump="round:3", size=SIZE, unit="p1.rhino")
        pictures.append(path.read_bytes())
    assert pictures[0] == pictures[1]
    assert pygame.image.load(tmp_path / "a.png").get_size() == SIZE


def test_the_sides_are_seen_where_their_models_stand(window: Window) -> None:
    window.playback.jump("round:1:horde:command")
    window.press("labels")
    window.draw()
    red = window.surface.get_at(_beside(window, "poxwalkers-1-S1", 0.4))
    blue = window.surface.get_at(_beside(window, "p1.rhino", 1.1))
    assert red.r > 1.5 * red.b
    assert blue.b > 1.5 * blue.r


def _beside(window: Window, unit: str, left: float) -> tuple[int, int]:
    """Return a pixel of a base that neither its number nor its facing covers."""
    x, y = place_of(window, unit)
    return x - round(window.camera.scale * left), y


def test_a_picture_that_cannot_be_written_is_one_sentence(recording: Recording, tmp_path: Path) -> None:
    with pytest.raises(HordeError, match="cannot be written"):
        watch(recording, screenshot=tmp_path / "no" / "where.png")


def test_a_moment_that_is_not_there_is_one_sentence(recording: Recording) -> None:
    with pytest.raises(HordeError, match="moment of the battle"):
        watch(recording, jump="round:77", frames=1)


def test_a_unit_that_is_not_there_is_one_sentence(recording: Recording) -> None:
    with pytest.raises(HordeError, match=r"did you mean 'p1\.rhino'"):
        watch(recording, jump="end", unit="p1.rhin", frames=1)


def test_the_loop_runs_and_ends(recording: Recording) -> None:
    watch(recording, frames=4)


def test_a_battle_without_entries_is_a_bare_board() -> None:
    watch(Recording([]), frames=2)


def at_a_decision(window: Window) -> None:
    """Show a Horde unit's decision that is going on, with nothing chosen."""
    window.playback.jump("round:2:horde:movement")
    window.press("next-decision")
    assert window.playback.decision is not None


def test_a_right_click_asks_why_the_decision_was_not_for_that(window: Window) -> None:
    at_a_decision(window)
    before = window.picture()
    click(window, place_of(window, "p1.rhino"), 3)
    assert (window.chosen, window.dossier.instead) == ("", "p1.rhino")
    assert window.picture() != before
    window.press("escape")
    assert not window.dossier.is_open
    x, y = window.camera.to_screen(*window.playback.state.position.objectives["obj5"].at)
    click(window, (round(x), round(y)), 3)
    assert window.dossier.instead == "obj5"


def test_why_not_is_typed(window: Window) -> None:
    at_a_decision(window)
    window.handle(key("w", "w"))
    for sign in "rhino":
        window.handle(key(sign, sign))
        window.draw()
    window.handle(key("return", "\r"))
    assert window.dossier.instead == "p1.rhino"
    assert not window.quit


def test_without_a_decision_nothing_is_asked(window: Window) -> None:
    window.press("start")
    window.handle(key("w", "w"))
    assert window.dossier.line is None


def test_the_wheel_scrolls_the_decision_s_facts(window: Window) -> None:
    at_a_decision(window)
    window.draw()
    at = window.dossier.rect.center
    window.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=at, rel=(0, 0), buttons=(0, 0, 0)))
    window.handle(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=-1))
    assert window.logbook.back == 0
