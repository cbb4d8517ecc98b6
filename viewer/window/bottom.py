"""The bottom bar while a question waits: what may be typed, its buttons, their menu.

Draws, and tells where its buttons are; what they do is the answering's.
"""

from __future__ import annotations

from typing import NamedTuple

import pygame

from viewer.input.answering import Answering
from viewer.input.button import Button
from viewer.input.undoing import AT_ROLL
from viewer.window.buttons import ButtonFace, draw_face
from viewer.window.lettering import Lettering

UNDO, MENU = "undo", "menu"
LEAST_TARGET = 36
"""The least side of a button, in pixels."""
LEAST_LINE = 180
"""The least width of what is typed, at the usual size of words."""
_ICONS = {UNDO: "undo", MENU: "line"}
Placed = list[tuple[pygame.Rect, str]]
"""Where buttons are, and the line that each stands for."""


class _Sized(NamedTuple):
    """A button with the width that it takes."""

    button: Button
    wide: int


class Bottom(NamedTuple):
    """What a bar shows: its buttons, whether the line stands in it, what its menu holds."""

    buttons: Placed
    typed: bool
    menu: list[Button]


def draw_bottom(
    surface: pygame.Surface, rect: pygame.Rect, lettering: Lettering, asked: Answering, mouse: tuple[int, int]
) -> Bottom:
    """Draw the bar, and return what it shows."""
    palette = lettering.palette
    pygame.draw.rect(surface, palette.panel, rect)
    pygame.draw.line(surface, palette.line, rect.topleft, rect.topright, 1)
    if rect.h < 24:
        return Bottom([], False, [])
    shown, menu = _fitting(lettering, asked, rect.w - 2 * lettering.u(12))
    gap = lettering.u(8)
    wide = sum(each.wide for each in shown) + gap * len(shown)
    x = rect.right - lettering.u(12) - wide + gap
    left = rect.x + lettering.u(14)
    typed = x - left >= lettering.t(LEAST_LINE)
    if typed:
        _draw_line(surface, pygame.Rect(left, rect.y, x - left - lettering.u(14), rect.h), lettering, asked)
    found: Placed = []
    main = asked.buttons[0].line
    for each in shown:
        box = pygame.Rect(x, 0, each.wide, min(max(round(rect.h * 0.7), LEAST_TARGET), rect.h - 2))
        box.centery = rect.centery
        is_main = each.button.line in (main, MENU)
        dull = each.button.line == UNDO and bool(asked.undo_refusal)
        over = box.collidepoint(mouse)
        _draw_button(surface, box, lettering, each.button, main=is_main, over=over, dull=dull)
        found.append((box, each.button.line))
        x += each.wide + gap
    return Bottom(found, typed, menu)


def draw_menu(
    surface: pygame.Surface,
    bar: pygame.Rect,
    lettering: Lettering,
    buttons: list[Button],
    mouse: tuple[int, int],
) -> Placed:
    """Draw a menu's buttons over the right end of the bar, one below the other."""
    edge, high = lettering.u(8), max(lettering.t(36), LEAST_TARGET)
    wide = max((_sized(lettering, each, keyed=True).wide for each in buttons), default=0)
    wide = min(wide + 2 * edge, bar.w)
    room = pygame.Rect(0, 0, wide, high * len(buttons) + edge * (len(buttons) + 1))
    room.bottomright = (bar.right - lettering.u(12), bar.top - lettering.u(4))
    lettering.cover(room)
    pygame.draw.rect(surface, lettering.palette.panel, room, border_radius=8)
    pygame.draw.rect(surface, lettering.palette.edge, room, 1, border_radius=8)
    found: Placed = []
    for place, button in enumerate(buttons):
        box = pygame.Rect(room.x + edge, room.y + edge + place * (high + edge), wide - 2 * edge, high)
        _draw_button(surface, box, lettering, button, main=False, over=box.collidepoint(mouse))
        found.append((box, button.line))
    return found


def _fitting(lettering: Lettering, asked: Answering, room: int) -> tuple[list[_Sized], list[Button]]:
    """Return the buttons that find room, the main one last, and those of the menu.

    Without room they lose keys, then Undo its word; then, where there is a menu, they go into it.
    """
    main, *others = asked.buttons
    menu, gap = asked.menu, lettering.u(8)
    ends = [main, *([Button(MENU, "")] if menu else [])]
    undo = Button(UNDO, AT_ROLL if asked.undo_refusal == AT_ROLL else "Undo", "Ctrl Z")
    ways = [(others, undo, True), (others, undo, False), (others, Button(UNDO, ""), False)]
    if menu:
        ways += [(others[:kept], Button(UNDO, ""), False) for kept in range(len(others) - 1, -1, -1)]
    found: list[_Sized] = []
    for kept, first, keyed in ways:
        # The main button keeps its key longest of all.
        found = [_sized(lettering, each, keyed=keyed) for each in (first, *kept, *ends)]
        if sum(each.wide for each in found) + gap * len(found) <= room:
            return found, [*others[len(kept) :], *menu]
    share = max((room - gap * len(found)) // len(found), 1)
    return [_Sized(each.button, min(each.wide, share)) for each in found], [*others[len(kept) :], *menu]


def _sized(lettering: Lettering, button: Button, *, keyed: bool) -> _Sized:
    button = button if keyed else button._replace(key="")
    wide = lettering.width(button.words, 14, True) + lettering.t(26)
    if button.key:
        wide += lettering.width(button.key, 11, True) + lettering.t(18)
    if button.line in _ICONS:
        wide = wide + lettering.t(20) if button.words else max(lettering.t(36), LEAST_TARGET)
    return _Sized(button, max(wide, LEAST_TARGET))


def _draw_button(
    surface: pygame.Surface,
    box: pygame.Rect,
    lettering: Lettering,
    button: Button,
    *,
    main: bool,
    over: bool,
    dull: bool = False,
) -> None:
    line, words, key = button
    face = ButtonFace(line, words, key, main=main, icon=_ICONS.get(line, ""), dim=dull)
    draw_face(surface, box, lettering, face, over=over)


def _draw_line(surface: pygame.Surface, room: pygame.Rect, lettering: Lettering, asked: Answering) -> None:
    """Draw what is typed, or what may be."""
    palette = lettering.palette
    if not asked.line or asked.ghost is not None:
        words = lettering.fitted(asked.tip, 13, room.w)
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
        words, colour = lettering.fitted(asked.tip, 14, box.w - lettering.t(16)), palette.faint
    at = (box.x + lettering.t(8), box.centery)
    lettering.draw(surface, words, at, 14, colour, anchor="midleft")
