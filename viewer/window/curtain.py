"""The curtain between players at one screen, before what one alone may see. Rule: PLAY.9

It covers the whole window, and only its button or Enter lifts it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pygame

from viewer.input.answering import Answering
from viewer.input.seat import ALONE
from viewer.story.name import seat_name
from viewer.window.buttons import ButtonFace, draw_face, face_width
from viewer.window.table import Table

ENTER = ("return", "enter", "keypad enter")
LIFT = ButtonFace("lift", "I am alone with the screen", "Enter", main=True)


@dataclass(slots=True)
class Curtain:
    """The curtain, and where its button was drawn last."""

    table: Table
    button: pygame.Rect = field(default_factory=lambda: pygame.Rect(0, 0, 0, 0))
    _drawn: Answering | None = None
    """The question for which it has been seen: nothing lifts one that has not."""
    _pressed: bool = False

    def shows(self, asked: Answering | None) -> bool:
        """Return whether a player is to be alone with the screen before what comes next."""
        return asked is not None and asked.request.decision == ALONE

    def handle(self, asked: Answering, event: pygame.event.Event) -> bool:
        """Take a key or the mouse, so that nothing behind gets it; return whether it was one."""
        if event.type == pygame.KEYDOWN:
            if pygame.key.name(event.key) in ENTER:
                self._lift(asked)
            return True
        if event.type == pygame.MOUSEBUTTONDOWN:
            self._pressed = event.button == 1 and self.button.collidepoint(event.pos)
        elif event.type == pygame.MOUSEBUTTONUP:
            if event.button == 1 and self._pressed and self.button.collidepoint(event.pos):
                self._lift(asked)
            self._pressed = False
        return event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEWHEEL)

    def _lift(self, asked: Answering) -> None:
        if self._drawn is asked:
            self.table.player.answer(asked.advice)

    def draw(self, surface: pygame.Surface, asked: Answering, mouse: tuple[int, int]) -> None:
        """Draw it over everything."""
        lettering, palette = self.table.lettering, self.table.lettering.palette
        state, seat = self.table.playback.state, asked.view.seat
        place = list(state.players).index(seat) if seat in state.players else 0
        room = surface.get_rect()
        lettering.cover(room)
        surface.fill(palette.background)
        wide = room.w - lettering.u(48)
        number = f"Player {place + 1}, press Enter"
        middle = room.centery - lettering.t(40)
        lettering.draw(
            surface, lettering.fitted(number, 28, wide, True), (room.centerx, middle), 28, palette.ink,
            bold=True, anchor="midbottom",
        )  # fmt: skip
        colour = palette.side("players", place)
        bar = pygame.Rect(0, 0, min(lettering.t(240), wide), lettering.u(4))
        bar.midtop = (room.centerx, middle + lettering.t(8))
        pygame.draw.rect(surface, colour, bar, border_radius=2)
        for line, words in enumerate((seat_name(state, seat), "What comes now is for this player alone.")):
            at = (room.centerx, bar.bottom + lettering.t(10) + line * lettering.leading(16))
            lettering.draw(surface, lettering.fitted(words, 16, wide), at, 16, palette.soft, anchor="midtop")
        size = min(face_width(lettering, LIFT), wide), max(lettering.t(44), 44)
        self.button = pygame.Rect((0, 0), size)
        self.button.midtop = (room.centerx, bar.bottom + lettering.t(30) + 2 * lettering.leading(16))
        draw_face(surface, self.button, lettering, LIFT, over=self.button.collidepoint(mouse))
        self._drawn = asked
