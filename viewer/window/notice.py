"""What lies over the window: the help, tooltips, the decision's caption and announcements.

Draws what it is told; nothing here is kept.
"""

from __future__ import annotations

import pygame

from engine.core import event as ev
from engine.core.request import Because
from engine.core.state import State
from viewer.story.name import seat_name, short_name, unit_name
from viewer.story.reasoning import sentences
from viewer.story.source import Reason
from viewer.story.words import sentence
from viewer.window.keys import help_lines
from viewer.window.lettering import Lettering
from viewer.window.palette import (
    ACCENT,
    BACKGROUND,
    HORDE_TEXT,
    INK,
    INK_FAINT,
    INK_SOFT,
    LINE,
    PANEL_RAISED,
    PLAYERS_TEXT,
    Colour,
    mix,
    side_colour,
    side_text,
)
from viewer.window.playback import Effect

ROWS = 2
"""A caption shows at most this many reasons."""


def _panel(surface: pygame.Surface, box: pygame.Rect, alpha: int, edge: Colour = LINE) -> None:
    sheet = pygame.Surface(box.size, pygame.SRCALPHA)
    pygame.draw.rect(sheet, (*BACKGROUND, alpha), sheet.get_rect(), border_radius=8)
    pygame.draw.rect(sheet, (*edge, 255), sheet.get_rect(), 1, border_radius=8)
    surface.blit(sheet, box)


def draw_help(surface: pygame.Surface, lettering: Lettering) -> None:
    """Draw the table of keys over the window."""
    lines = help_lines()
    high = 70 + 25 * len(lines)
    wide = max(lettering.width(does, 14) for _, does in lines)
    box = pygame.Rect(0, 0, 172 + wide + 24, high)
    box.center = surface.get_rect().center
    veil = pygame.Surface(surface.get_size(), pygame.SRCALPHA)
    veil.fill((*BACKGROUND, 150))
    surface.blit(veil, (0, 0))
    _panel(surface, box, 248)
    lettering.draw(surface, "Keys", (box.x + 24, box.y + 16), 20, INK, bold=True)
    for i, (keys, does) in enumerate(lines):
        y = box.y + 62 + 25 * i
        lettering.draw(surface, keys, (box.x + 150, y), 14, ACCENT, bold=True, anchor="midright")
        lettering.draw(surface, does, (box.x + 172, y), 14, INK_SOFT, anchor="midleft")


def draw_tooltip(
    surface: pygame.Surface, lettering: Lettering, lines: list[str], at: tuple[int, int]
) -> None:
    """Draw lines beside the mouse, within the window."""
    if not lines:
        return
    wide = max(lettering.width(line, 13, i == 0) for i, line in enumerate(lines)) + 20
    box = pygame.Rect(at[0] + 16, at[1] + 16, wide, 12 + 19 * len(lines))
    box.clamp_ip(surface.get_rect())
    _panel(surface, box, 240)
    for i, line in enumerate(lines):
        colour = INK if i == 0 else INK_SOFT
        lettering.draw(surface, line, (box.x + 10, box.y + 6 + 19 * i), 13, colour, bold=i == 0)


def draw_caption(
    surface: pygame.Surface, lettering: Lettering, strip: pygame.Rect, state: State, reason: Reason
) -> None:
    """Draw the reasons of a unit's act in the strip under the board, a line for each."""
    if not reason.because or strip.h < 20:
        return
    side = "horde" if reason.seat == "horde" else "players"
    colour = side_colour(side)
    rows = sentences(_telling(reason), state, reason.unit)[:ROWS]
    who = unit_name(state, reason.unit) if reason.unit else seat_name(state, reason.seat)
    if lettering.width(who, 15, True) > strip.w * 2 // 5:
        who = short_name(who)
    who = lettering.fitted(who, 15, strip.w * 2 // 5, True)
    head = lettering.width(who, 15, True) + 28
    chip = max(lettering.width(clause, 11, True) for clause, _ in rows) + 12
    room = strip.w - head - chip - 24
    texts = [lettering.fitted(words, 14, room) for _, words in rows]
    wide = head + chip + 20 + max(lettering.width(words, 14) for words in texts)
    box = pygame.Rect(0, 0, wide, min(23 * len(rows) + 8, strip.h))
    box.center = strip.center
    _panel(surface, box, 236, mix(colour, BACKGROUND, 0.35))
    at = (box.x + 14, box.centery)
    lettering.draw(surface, who, at, 15, side_text(side), bold=True, anchor="midleft")
    for i, ((clause, _), words) in enumerate(zip(rows, texts, strict=True)):
        middle = box.y + 4 + 23 * i + 11
        label = pygame.Rect(box.x + head, middle - 9, chip, 18)
        pygame.draw.rect(surface, mix(colour, BACKGROUND, 0.5), label, border_radius=5)
        lettering.draw(surface, clause, label.center, 11, INK, bold=True, anchor="center")
        lettering.draw(surface, words, (label.right + 8, middle), 14, INK, anchor="midleft")


def _telling(reason: Reason) -> tuple[Because, ...]:
    """Return the reasons: those that name a target first, then the others, last decided first."""
    if len(reason.because) <= ROWS:
        return reason.because
    aimed = tuple(b for b in reason.because if b.target and b.target != reason.unit)
    return (*aimed, *(b for b in reversed(reason.because) if b not in aimed))


def draw_announcement(
    surface: pygame.Surface, lettering: Lettering, board: pygame.Rect, state: State, effect: Effect | None
) -> None:
    """Draw what has just begun or been revealed, in large letters that fade; the result stays."""
    words, size, colour, alpha = _announcement(state, effect)
    if not words or board.w < 200:
        return
    words = lettering.fitted(words, size, board.w - 80, True)
    picture = lettering.text(words, size, colour, True)
    box = picture.get_rect(center=(board.centerx, board.y + max(board.h // 5, 40))).inflate(48, 26)
    sheet = pygame.Surface(box.size, pygame.SRCALPHA)
    pygame.draw.rect(sheet, (*PANEL_RAISED, 238), sheet.get_rect(), border_radius=12)
    pygame.draw.rect(sheet, (*colour, 255), sheet.get_rect(), 1, border_radius=12)
    sheet.blit(picture, picture.get_rect(center=sheet.get_rect().center))
    sheet.set_alpha(alpha)
    surface.blit(sheet, box)


def _announcement(state: State, effect: Effect | None) -> tuple[str, int, Colour, int]:
    if effect is not None and isinstance(effect.entry, _ANNOUNCED):
        words = sentence(effect.entry, state) or ""
        alpha = round(255 * min(1.0, 4 * (1 - effect.part), 0.2 + 6 * effect.part))
        if isinstance(effect.entry, ev.RoundBegan):
            return words, 34, INK, alpha
        if isinstance(effect.entry, ev.TurnBegan):
            return words, 28, side_text(effect.entry.whose), alpha
        return words, 22, ACCENT, alpha
    if state.over:
        colour = PLAYERS_TEXT if "horde" not in state.winners else HORDE_TEXT
        who = "The Horde has won" if "horde" in state.winners else "The players have won"
        return (who if state.winners else "Nobody has won"), 28, colour if state.winners else INK_FAINT, 255
    return "", 0, INK, 0


_ANNOUNCED = ev.RoundBegan | ev.TurnBegan | ev.CardRevealed | ev.MissionResolved | ev.SecretRevealed
