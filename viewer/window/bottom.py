"""The bottom bar while a question waits: what may be typed, Undo, the question's buttons.

Draws, and tells where its buttons are; what they do is the answering's.
"""

from __future__ import annotations

import pygame

from viewer.input.answering import Answering
from viewer.input.undoing import AT_ROLL
from viewer.window.lettering import Lettering
from viewer.window.palette import mix

UNDO = "undo"
LEAST_TARGET = 36
"""The least side of a button, in pixels."""
LEAST_LINE = 180
"""The least width of what is typed, at the usual size of words."""
_KEYS = {"": "Enter", UNDO: "Ctrl Z"}
Button = tuple[str, str, str, int]
"""The line that a button stands for, its words, its key, and its width."""


def draw_bottom(
    surface: pygame.Surface, rect: pygame.Rect, lettering: Lettering, asked: Answering, mouse: tuple[int, int]
) -> tuple[list[tuple[pygame.Rect, str]], bool]:
    """Draw the bar; return its buttons with their lines, and whether what is typed stands in it."""
    palette = lettering.palette
    pygame.draw.rect(surface, palette.panel, rect)
    pygame.draw.line(surface, palette.line, rect.topleft, rect.topright, 1)
    if rect.h < 24:
        return [], False
    buttons = _buttons(lettering, asked, rect.w - 2 * lettering.u(12))
    gap = lettering.u(8)
    wide = sum(width for *_, width in buttons) + gap * len(buttons)
    x = rect.right - lettering.u(12) - wide + gap
    left = rect.x + lettering.u(14)
    typed = x - left >= lettering.t(LEAST_LINE)
    if typed:
        _draw_line(surface, pygame.Rect(left, rect.y, x - left - lettering.u(14), rect.h), lettering, asked)
    found = []
    for line, words, key, width in buttons:
        box = pygame.Rect(x, 0, width, min(max(round(rect.h * 0.7), LEAST_TARGET), rect.h - 2))
        box.centery = rect.centery
        dull = line == UNDO and bool(asked.undo_refusal)
        _draw_button(surface, box, lettering, (line, words, key), over=box.collidepoint(mouse), dull=dull)
        found.append((box, line))
        x += width + gap
    return found, typed


def _buttons(lettering: Lettering, asked: Answering, room: int) -> list[Button]:
    """Return the buttons, the yellow one last; without room they lose keys, then words."""
    main, *others = asked.buttons
    lines = [(UNDO, AT_ROLL if asked.undo_refusal == AT_ROLL else "Undo"), *others, main]
    for keyed, worded in ((True, True), (False, True), (False, False)):
        found = []
        for line, words in lines:
            shown = "" if line == UNDO and not worded else words
            found.append(_button(lettering, line, shown, keyed=keyed))
        if sum(width for *_, width in found) + lettering.u(8) * len(found) <= room:
            return found
    share = max((room - lettering.u(8) * len(found)) // len(found), 1)
    return [(line, words, key, min(width, share)) for line, words, key, width in found]


def _button(lettering: Lettering, line: str, words: str, *, keyed: bool) -> Button:
    key = _KEYS.get(line, "") if keyed else ""
    wide = lettering.width(words, 14, True) + lettering.t(26)
    if key:
        wide += lettering.width(key, 11, True) + lettering.t(18)
    if line == UNDO:
        wide = wide + lettering.t(20) if words else max(lettering.t(36), LEAST_TARGET)
    return line, words, key, max(wide, LEAST_TARGET)


def _draw_button(
    surface: pygame.Surface,
    box: pygame.Rect,
    lettering: Lettering,
    button: tuple[str, str, str],
    *,
    over: bool,
    dull: bool,
) -> None:
    palette, (line, words, key) = lettering.palette, button
    main = not line
    fill = palette.accent if main else palette.raised
    fill = mix(fill, palette.ink, 0.15) if over else fill
    pygame.draw.rect(surface, fill, box, border_radius=6)
    if not main:
        pygame.draw.rect(surface, palette.line, box, 1, border_radius=6)
    ink = palette.on_accent if main else palette.soft if dull else palette.ink
    left = box.x + lettering.t(13)
    if line == UNDO:
        size = lettering.t(18)
        middle = (box.centerx if not words else left + size / 2, box.centery)
        lettering.glyphs.draw(surface, "undo", middle, size, ink)
        left += size + lettering.t(4)
    cap = lettering.width(key, 11, True) + lettering.t(10) if key else 0
    room = box.right - left - lettering.t(8) - (cap + lettering.t(8) if key else 0)
    shown = lettering.fitted(words, 14, max(room, 1), True) if words else ""
    word = lettering.draw(surface, shown, (left, box.centery), 14, ink, bold=True, anchor="midleft")
    if key:
        edge = mix(palette.on_accent, fill, 0.4) if main else palette.edge
        frame = pygame.Rect(word.right + lettering.t(8), 0, cap, lettering.height(11, True) + lettering.t(4))
        frame.centery = box.centery
        pygame.draw.rect(surface, edge, frame, 1, border_radius=4)
        tone = palette.on_accent if main else palette.soft
        lettering.draw(surface, key, frame.center, 11, tone, bold=True, anchor="center")


def _draw_line(surface: pygame.Surface, room: pygame.Rect, lettering: Lettering, asked: Answering) -> None:
    """Draw what is typed, or what may be."""
    palette = lettering.palette
    if not asked.line:
        words = lettering.fitted(f"Type: {asked.hint}", 13, room.w)
        lettering.draw(surface, words, (room.x, room.centery), 13, palette.soft, anchor="midleft")
        return
    box = pygame.Rect(room.x, 0, room.w, lettering.leading(14) + lettering.t(10))
    box.centery = room.centery
    draw_typed(surface, box, lettering, asked)


def draw_typed(surface: pygame.Surface, box: pygame.Rect, lettering: Lettering, asked: Answering) -> None:
    """Draw the line that is typed in a box, its end where it is too long."""
    palette = lettering.palette
    pygame.draw.rect(surface, palette.background, box, border_radius=5)
    pygame.draw.rect(surface, palette.accent if asked.line else palette.line, box, 1, border_radius=5)
    words = asked.line + "▏" if asked.line else ""
    while words and lettering.width(words, 14) > box.w - lettering.t(16):
        words = words[1:]
    colour = palette.ink
    if not asked.line:
        words, colour = lettering.fitted(f"Type: {asked.hint}", 14, box.w - lettering.t(16)), palette.faint
    at = (box.x + lettering.t(8), box.centery)
    lettering.draw(surface, words, at, 14, colour, anchor="midleft")
