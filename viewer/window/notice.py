"""What lies over the window: the help, tooltips and announcements.

Draws what is given; nothing here is kept.
"""

from __future__ import annotations

import pygame

from engine.core import event as ev
from engine.core.state import State
from viewer.story.words import sentence
from viewer.window.keys import help_lines
from viewer.window.lettering import Lettering
from viewer.window.palette import Colour
from viewer.window.playback import Effect


def _panel(surface: pygame.Surface, box: pygame.Rect, lettering: Lettering) -> None:
    """Draw an opaque frame; what was written under it is hidden."""
    palette = lettering.palette
    pygame.draw.rect(surface, palette.background, box, border_radius=8)
    pygame.draw.rect(surface, palette.edge, box, 1, border_radius=8)
    lettering.cover(box)


def draw_help(surface: pygame.Surface, lettering: Lettering) -> None:
    """Draw the table of keys over the window, in as many columns as it needs."""
    lines, palette, screen = help_lines(), lettering.palette, surface.get_rect()
    veil = pygame.Surface(surface.get_size(), pygame.SRCALPHA)
    veil.fill((*palette.background, 150))
    surface.blit(veil, (0, 0))
    for size in (14, 12, 11, lettering.of_pixels(13), lettering.of_pixels(11)):
        lead = lettering.leading(size) + lettering.t(4)
        head, pad = lettering.leading(20) + lettering.t(14), lettering.t(20)
        rows = max((screen.h - 2 * pad - head) // lead, 1)
        columns = -(-len(lines) // rows)
        keys = max(lettering.width(key, size, True) for key, _ in lines)
        wide = keys + lettering.t(14) + max(lettering.width(does, size) for _, does in lines)
        if columns * (wide + pad) + pad <= screen.w:
            break
    columns = max(min(columns, (screen.w - pad) // (wide + pad)), 1)
    rows = -(-len(lines) // columns)
    box = pygame.Rect(0, 0, columns * (wide + pad) + pad, head + rows * lead + pad)
    box = box.clip(screen)
    box.center = screen.center
    _panel(surface, box, lettering)
    clip = surface.get_clip()
    surface.set_clip(box)
    lettering.draw(surface, "Keys", (box.x + pad, box.y + lettering.t(12)), 20, palette.ink, bold=True)
    for i, (key, does) in enumerate(lines):
        x = box.x + pad + (i // rows) * (wide + pad)
        y = box.y + head + (i % rows) * lead
        if y + lead > box.bottom:
            continue
        right = (x + keys, y)
        lettering.draw(surface, key, right, size, palette.accent, bold=True, anchor="topright")
        room = min(box.right - pad // 2, x + wide) - (x + keys + lettering.t(14))
        shown = lettering.fitted(does, size, max(room, 1))
        lettering.draw(surface, shown, (x + keys + lettering.t(14), y), size, palette.soft)
    surface.set_clip(clip)


def draw_tooltip(
    surface: pygame.Surface, lettering: Lettering, lines: list[str], at: tuple[int, int]
) -> None:
    """Draw lines beside the mouse, within the window."""
    if not lines:
        return
    palette, lead, pad = lettering.palette, lettering.leading(13), lettering.t(10)
    most = max(surface.get_width() - 2 * pad, 1)
    shown = [part for i, line in enumerate(lines) for part in lettering.wrap(line, 13, most, i == 0)]
    wide = max(lettering.width(line, 13, i == 0) for i, line in enumerate(shown)) + 2 * pad
    box = pygame.Rect(at[0] + 16, at[1] + 16, wide, 2 * lettering.t(6) + lead * len(shown))
    box.clamp_ip(surface.get_rect())
    _panel(surface, box, lettering)
    for i, line in enumerate(shown):
        colour = palette.ink if i == 0 else palette.soft
        spot = (box.x + pad, box.y + lettering.t(6) + lead * i)
        lettering.draw(surface, line, spot, 13, colour, bold=i == 0)


def draw_announcement(
    surface: pygame.Surface, lettering: Lettering, board: pygame.Rect, state: State, effect: Effect | None
) -> None:
    """Draw what has just begun or been revealed, in large letters that fade; the result stays."""
    words, size, colour, alpha = _announcement(state, effect, lettering)
    if not words or board.w < 200:
        return
    palette = lettering.palette
    words = lettering.fitted(words, size, board.w - 80, True)
    picture = lettering.text(words, size, colour, True)
    box = picture.get_rect(center=(board.centerx, board.y + max(board.h // 5, 40))).inflate(48, 26)
    sheet = pygame.Surface(box.size, pygame.SRCALPHA)
    pygame.draw.rect(sheet, (*palette.raised, 238), sheet.get_rect(), border_radius=12)
    pygame.draw.rect(sheet, (*colour, 255), sheet.get_rect(), 1, border_radius=12)
    sheet.blit(picture, picture.get_rect(center=sheet.get_rect().center))
    sheet.set_alpha(alpha)
    lettering.cover(box)
    surface.blit(sheet, box)


def _announcement(
    state: State, effect: Effect | None, lettering: Lettering
) -> tuple[str, float, Colour, int]:
    palette = lettering.palette
    if effect is not None and isinstance(effect.entry, _ANNOUNCED):
        words = sentence(effect.entry, state) or ""
        alpha = round(255 * min(1.0, 4 * (1 - effect.part), 0.2 + 6 * effect.part))
        if isinstance(effect.entry, ev.RoundBegan):
            return words, 28, palette.ink, alpha
        if isinstance(effect.entry, ev.TurnBegan):
            return words, 28, palette.side_text(effect.entry.whose), alpha
        return words, 20, palette.accent, alpha
    if state.over:
        colour = palette.players_text if "horde" not in state.winners else palette.horde_text
        who = "The Horde has won" if "horde" in state.winners else "The players have won"
        return (
            (who if state.winners else "Nobody has won"),
            28,
            colour if state.winners else palette.soft,
            255,
        )
    return "", 0, palette.ink, 0


_ANNOUNCED = ev.RoundBegan | ev.TurnBegan | ev.CardRevealed | ev.MissionResolved | ev.SecretRevealed
