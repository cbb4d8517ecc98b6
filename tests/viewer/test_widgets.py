"""Widgets over a battle: in our colours, before the board in events, drawn as they change."""

from __future__ import annotations

from collections.abc import Iterator

import pygame
import pytest
from pygame_gui.core import ObjectID
from pygame_gui.elements import UIButton, UITextEntryLine

from viewer.story.source import Recording
from viewer.window.lettering import Lettering
from viewer.window.look import Look
from viewer.window.palette import PALETTES, contrast
from viewer.window.theme import hexed, theme
from viewer.window.window import Window

AT = pygame.Rect(500, 300, 200, 44)


@pytest.fixture
def window(recording: Recording) -> Iterator[Window]:
    pygame.display.init()
    yield Window(pygame.display.set_mode((1600, 900)), recording)
    pygame.quit()


def press(window: Window, at: tuple[int, int]) -> None:
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        window.handle(pygame.event.Event(kind, pos=at, button=1))
        window.tick(0.02)


def key(window: Window, name: str) -> None:
    window.handle(
        pygame.event.Event(pygame.KEYDOWN, key=pygame.key.key_code(name), unicode=name, mod=0, scancode=0)
    )


def test_there_is_no_manager_until_somebody_asks_for_one(window: Window) -> None:
    window.tick(0.1)
    window.draw()
    assert window._widgets is None
    assert window.widgets is window.widgets


def test_a_press_on_a_widget_is_not_one_on_the_board(window: Window) -> None:
    pressed: list[int] = []
    UIButton(AT, "Use", window.widgets, command=lambda _: pressed.append(1))
    press(window, AT.center)
    assert pressed == [1]
    assert window.mouse.pressed is None
    before = window.camera.scale
    window.handle(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=1, pos=AT.center))
    assert window.camera.scale == before


def test_a_press_beside_a_widget_is_the_board_s(window: Window) -> None:
    UIButton(AT, "Use", window.widgets)
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(AT.x - 40, AT.y), button=1))
    assert window.mouse.pressed == (AT.x - 40, AT.y)


def test_letters_typed_into_a_line_are_no_commands(window: Window) -> None:
    line = UITextEntryLine(AT, window.widgets)
    names = window.scene.names
    press(window, AT.center)
    key(window, "l")
    window.handle(pygame.event.Event(pygame.TEXTINPUT, text="l"))
    assert line.get_text() == "l"
    assert window.scene.names == names
    window.widgets.set_focus_set(None)
    key(window, "l")
    assert window.scene.names != names


def test_a_window_is_drawn_again_only_where_a_widget_changes(window: Window) -> None:
    button = UIButton(AT, "Use", window.widgets)
    for _ in range(30):
        window.tick(0.05)
        window.draw()
    window.tick(0.05)
    assert not window.changed
    button.set_text("Keep")
    window.tick(0.05)
    assert window.changed
    window.draw()
    button.kill()
    window.tick(0.05)
    assert window.changed


def test_another_look_is_taken_at_once(window: Window) -> None:
    button = UIButton(AT, "Use", window.widgets, object_id=ObjectID(class_id="@main"))
    high = button.font.get_point_size()
    window.wear(Look("colour-blind", 150))
    window.tick(0.02)
    accent = hexed(PALETTES["colour-blind"].accent)
    assert button.colours["normal_bg"] == pygame.Color(accent)
    assert button.font.get_point_size() == round(high * 1.5)


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("text", [80, 100, 200])
def test_words_of_widgets_can_be_read(palette: str, text: int) -> None:
    lettering = Lettering(Look(palette, text))
    lettering.fit(1080)
    found = theme(lettering)
    colours = found["defaults"]["colours"]
    pairs = [
        (colours["normal_text"], colours["normal_bg"]),
        (colours["selected_text"], colours["selected_bg"]),
        (colours["disabled_text"], colours["disabled_bg"]),
    ]
    for name in ("@main", "@danger", "@segment", "@entry", "@first", "@tab_title_button"):
        own = {**colours, **found[name]["colours"]}
        pairs += [(own[f"{state}_text"], own[f"{state}_bg"]) for state in ("normal", "hovered", "active")]
    for words, ground in pairs:
        ink, under = (tuple(pygame.Color(each))[:3] for each in (words, ground))
        assert contrast(ink, under) >= 4.5, (words, ground)
    sizes = [int(block["font"]["size"]) for block in found.values() if "font" in block]
    assert min(sizes) >= 11
