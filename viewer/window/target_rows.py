"""The targets of the unit that acts next, over the options: a row is a button.

Draws what the open phase foresees; what a click on a row does is its line.
"""

from __future__ import annotations

import pygame

from viewer.input.answering import Answering
from viewer.story.name import short_name
from viewer.window.lettering import Lettering

LARGE = 1.5
"""From this size of words on "wounds" is one letter."""
Placed = list[tuple[pygame.Rect, str]]


def targets_high(lettering: Lettering, asked: Answering) -> int:
    """Return how high the rows are, with their heading."""
    many = len(asked.open.targets) if asked.open is not None else 0
    return _head(lettering) + many * _row(lettering) if many else 0


def _head(lettering: Lettering) -> int:
    return lettering.leading(11) + lettering.t(8)


def _row(lettering: Lettering) -> int:
    return lettering.leading(14) + lettering.t(8)


def draw_targets(
    surface: pygame.Surface,
    room: pygame.Rect,
    lettering: Lettering,
    asked: Answering,
    y: int,
    mouse: tuple[int, int],
) -> tuple[int, Placed]:
    """Draw the rows from a height on; return where they end, and the rows."""
    phase, palette = asked.open, lettering.palette
    if phase is None or not phase.targets:
        return y, []
    placed: Placed = []
    name = short_name(asked.view.unit(phase.unit).name)
    caption = lettering.fitted(f"Targets of {name}".upper(), 11, room.w, True)
    if room.y <= y and y + lettering.leading(11) <= room.bottom:
        lettering.draw(surface, caption, (room.x, y + lettering.t(4)), 11, palette.faint, bold=True)
    y += _head(lettering)
    for place, (unit, words) in enumerate(phase.worth):
        box = pygame.Rect(room.x, y, room.w - lettering.u(6), _row(lettering) - lettering.t(2))
        y += _row(lettering)
        if box.top < room.top or box.bottom > room.bottom:
            continue
        if box.collidepoint(mouse):
            pygame.draw.rect(surface, palette.hover, box, border_radius=5)
        middle = box.centery
        at = (box.x + lettering.t(30), middle)
        lettering.draw(surface, f"at {place + 1}", at, 12, palette.accent, bold=True, anchor="midright")
        words = words.replace(" wounds", " w") if lettering.sizes.setting >= LARGE else words
        right = box.right - lettering.t(8)
        number = lettering.draw(
            surface, words, (right, middle), 13, palette.players_text, bold=True, anchor="midright"
        )
        wide = number.left - lettering.t(8) - box.x - lettering.t(36)
        shown = lettering.fitted(asked.view.unit(unit).name, 14, max(wide, 1))
        lettering.draw(surface, shown, (box.x + lettering.t(36), middle), 14, palette.ink, anchor="midleft")
        placed.append((box, phase.line_at(unit)))
    return y, placed
