"""The strip under the board: play or pause, speed, and a line of time on which one can jump.

Draws, and tells which moment is at a place; it moves nothing by itself.
"""

from __future__ import annotations

import pygame

from viewer.story.chronicle import Stop
from viewer.window.lettering import Lettering
from viewer.window.palette import (
    ACCENT,
    BACKGROUND,
    HORDE_COLOUR,
    INK,
    INK_FAINT,
    INK_SOFT,
    LINE,
    PANEL,
    PANEL_RAISED,
    PLAYERS_COLOURS,
    mix,
)
from viewer.window.playback import Playback


def track(rect: pygame.Rect) -> pygame.Rect:
    """Return where the line of time is."""
    left = rect.x + (190 if rect.w > 500 else 60)
    right = rect.right - (236 if rect.w > 700 else 20)
    return pygame.Rect(left, rect.centery - 5, max(right - left, 1), 10)


def button(rect: pygame.Rect) -> pygame.Rect:
    """Return where the play button is."""
    return pygame.Rect(rect.x + 16, rect.centery - 16, 32, 32)


def cursor_at(rect: pygame.Rect, x: int, total: int) -> int:
    """Return how many entries lie before a place on the line of time."""
    line = track(rect)
    return round(min(max((x - line.x) / line.w, 0.0), 1.0) * total)


def draw_timeline(
    surface: pygame.Surface, rect: pygame.Rect, lettering: Lettering, playback: Playback
) -> None:
    """Draw the strip."""
    pygame.draw.rect(surface, PANEL, rect)
    pygame.draw.line(surface, LINE, rect.topleft, rect.topright, 1)
    if rect.h < 30:
        return
    _draw_button(surface, button(rect), playback.playing)
    if rect.w > 500:
        words = f"{playback.speed:g}× speed"
        lettering.draw(surface, words, (rect.x + 62, rect.centery), 14, INK_SOFT, bold=True, anchor="midleft")
    _draw_track(surface, track(rect), lettering, playback)
    if rect.w > 700:
        live = "" if playback.source.ended else " · live"
        words = f"{playback.cursor} / {len(playback.chronicle)}{live}"
        lettering.draw(surface, words, (rect.right - 110, rect.centery), 13, INK_SOFT, anchor="midright")
        lettering.draw(
            surface, "F1 for help", (rect.right - 20, rect.centery), 13, INK_FAINT, anchor="midright"
        )


def _draw_button(surface: pygame.Surface, box: pygame.Rect, playing: bool) -> None:
    pygame.draw.rect(surface, PANEL_RAISED, box, border_radius=8)
    x, y = box.center
    if playing:
        pygame.draw.rect(surface, INK, (x - 7, y - 8, 5, 16), border_radius=1)
        pygame.draw.rect(surface, INK, (x + 2, y - 8, 5, 16), border_radius=1)
    else:
        pygame.draw.polygon(surface, INK, [(x - 5, y - 8), (x - 5, y + 8), (x + 8, y)])


def _draw_track(surface: pygame.Surface, line: pygame.Rect, lettering: Lettering, playback: Playback) -> None:
    total = max(len(playback.chronicle), 1)
    pygame.draw.rect(surface, BACKGROUND, line, border_radius=4)
    phases = playback.chronicle.phases
    for i, stop in enumerate(phases):
        end = phases[i + 1].cursor if i + 1 < len(phases) else total
        _draw_stretch(surface, line, stop, end, total, playback.cursor)
    for stop in playback.chronicle.rounds:
        x = line.x + line.w * stop.cursor // total
        pygame.draw.line(surface, INK_SOFT, (x, line.y - 4), (x, line.bottom + 3), 1)
        lettering.draw(
            surface, f"R{stop.round}", (x + 4, line.y - 3), 11, INK_SOFT, bold=True, anchor="bottomleft"
        )
    x = line.x + line.w * playback.cursor // total
    pygame.draw.circle(surface, BACKGROUND, (x, line.centery), 9)
    pygame.draw.circle(surface, ACCENT, (x, line.centery), 7)


def _draw_stretch(
    surface: pygame.Surface, line: pygame.Rect, stop: Stop, end: int, total: int, cursor: int
) -> None:
    """Draw a phase's part of the line in its side's colour, bright where it has been shown."""
    base = {"horde": HORDE_COLOUR, "players": PLAYERS_COLOURS[0]}.get(stop.turn, INK_FAINT)
    left = line.x + line.w * stop.cursor // total
    right = line.x + line.w * end // total
    middle = min(max(line.x + line.w * cursor // total, left), right)
    pygame.draw.rect(surface, mix(base, BACKGROUND, 0.25), (left, line.y + 2, middle - left, line.h - 4))
    pygame.draw.rect(surface, mix(base, BACKGROUND, 0.68), (middle, line.y + 2, right - middle, line.h - 4))
    pygame.draw.line(surface, BACKGROUND, (left, line.y), (left, line.bottom), 1)
