"""A person at the menus in tests: screens run frame by frame, keys and mouse as events."""

from __future__ import annotations

from typing import Any

import pygame
from pygame_gui.elements import UIButton, UILabel, UIScrollingContainer

from datasheets.library import Library
from viewer.commands.menu_desk import MenuDesk
from viewer.commands.session import Session
from viewer.menu.battle_menu import BattleMenu
from viewer.menu.ring import reveal
from viewer.menu.start_menu import StartMenu
from viewer.window.application import Screen
from viewer.window.widgets import Widgets
from viewer.window.window import Window

SIZE = (1600, 900)


class Evening:
    """A session at the window, run as the application runs it."""

    def __init__(self, size: tuple[int, int] = SIZE, palette: str = "", text: str = "") -> None:
        """Open the start menu."""
        pygame.display.init()
        pygame.event.clear()
        self.desk = MenuDesk(Library(), palette, text)
        self.session = Session(self.desk)
        self.screen: Screen | None = self.session.menu(pygame.display.set_mode(size, pygame.RESIZABLE))
        self.run()

    def run(self, frames: int = 7, passed: float = 0.05) -> None:
        """Let some frames go by."""
        for _ in range(frames):
            if self.screen is None:
                return
            for event in pygame.event.get():
                self.screen.handle(event)
            self.screen.tick(passed)
            if self.screen.quit or self.screen.wish:
                self.screen = self.session.following(self.screen)
            elif self.screen.changed:
                self.screen.draw()

    def end(self) -> None:
        """Close the window, as the command does."""
        self.session.end()
        self.session.put_aside()

    # screens

    @property
    def menu(self) -> StartMenu:
        """Return the start menu, which must be there."""
        assert isinstance(self.screen, StartMenu)
        return self.screen

    @property
    def window(self) -> Window:
        """Return the battle's window, which must be there."""
        assert isinstance(self.screen, Window)
        return self.screen

    @property
    def widgets(self) -> Widgets:
        """Return the widgets that are in front."""
        if isinstance(self.screen, StartMenu):
            return self.screen.widgets
        veil = self.window.menu
        assert isinstance(veil, BattleMenu)
        assert veil._widgets is not None
        return veil._widgets

    # what a person does

    def press(self, name: str, mod: int = 0, sign: str = "") -> None:
        """Press a key and let it go."""
        code = pygame.key.key_code(name)
        if not sign and len(name) == 1:
            sign = name
        for kind in (pygame.KEYDOWN, pygame.KEYUP):
            pygame.event.post(pygame.event.Event(kind, key=code, unicode=sign, mod=mod, scancode=0))
        self.run()

    def type(self, words: str) -> None:
        """Type words into what has the keys."""
        for sign in words:
            pygame.event.post(pygame.event.Event(pygame.TEXTINPUT, text=sign))
        self.run()

    def click(self, at: tuple[int, int]) -> None:
        """Click at a pixel."""
        for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            pygame.event.post(pygame.event.Event(kind, pos=at, button=1))
        self.run()

    def buttons(self) -> list[UIButton]:
        """Return the buttons that are shown."""
        sprites: list[Any] = self.widgets.ui_group.sprites()
        return [each for each in sprites if isinstance(each, UIButton) and each.visible and each.alive()]

    def button(self, words: str, number: int = 0) -> UIButton:
        """Return the button with these words."""
        found = [each for each in self.buttons() if each.text == words]
        assert found, f"no button '{words}' among {[each.text for each in self.buttons()]}"
        return found[number]

    def push(self, words: str, number: int = 0) -> None:
        """Click the button with these words."""
        self._click_on(self.button(words, number))

    def _click_on(self, widget: Any) -> None:
        """Click a widget, scrolled to where it is seen."""
        for each in list(self.widgets.ui_group.sprites()):
            if isinstance(each, UIScrollingContainer) and _is_within(widget, each.get_container()):
                reveal(widget, each)
        self.run()
        self.click(widget.get_abs_rect().center)

    def choose(self, before: str, words: str) -> None:
        """Choose of a list that drops down, by what it shows before."""
        self.push(before)
        self.push(words)

    def labels(self) -> list[str]:
        """Return the words that are written."""
        sprites: list[Any] = self.widgets.ui_group.sprites()
        return [each.text for each in sprites if isinstance(each, UILabel) and each.visible]

    def told(self) -> str:
        """Return all words that are written, as one text."""
        return " ".join(self.labels())


def _is_within(widget: Any, container: Any) -> bool:
    """Return whether a widget stands in a container, or in one that stands there."""
    inside, above = widget.ui_container, None
    while inside is not container and inside is not None and inside is not above:
        inside, above = getattr(inside, "ui_container", None), inside
    return inside is container
