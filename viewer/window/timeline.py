"""The strip under the board: play or pause, speed, and a line of time on which one can jump.

Draws, and tells which moment is at a place; it moves nothing by itself.
"""

from __future__ import annotations

import pygame

from viewer.story.chronicle import Stop
from viewer.window.lettering import Lettering
from viewer.window.palette import Palette, mix
from viewer.window.playback import Playback


def track(rect: pygame.Rect, text: float = 1.0) -> pygame.Rect:
    """Return where the line of time is, words being larger by the factor `text`."""
    left = rect.x + (round(130 * text) + 60 if rect.w > 500 * text else 60)
    right = rect.right - (round(216 * text) + 20 if rect.w > 700 * text else 20)
    return pygame.Rect(left, rect.centery - 3, max(right - left, 1), 10)


def button(rect: pygame.Rect) -> pygame.Rect:
    """Return where the play button is."""
    side = max(min(36, rect.h - 8), 8)
    return pygame.Rect(rect.x + 14, rect.centery - side // 2, side, side)


def cursor_at(line: pygame.Rect, x: int, total: int) -> int:
    """Return how many entries lie before a place on the line of time, which is given."""
    return round(min(max((x - line.x) / line.w, 0.0), 1.0) * total)


def draw_timeline(
    surface: pygame.Surface, rect: pygame.Rect, lettering: Lettering, playback: Playback
) -> None:
    """Draw the strip."""
    palette, text = lettering.palette, lettering.sizes.text
    pygame.draw.rect(surface, palette.panel, rect)
    pygame.draw.line(surface, palette.line, rect.topleft, rect.topright, 1)
    if rect.h < 30:
        return
    _draw_button(surface, button(rect), palette, playing=playback.playing)
    line = track(rect, text)
    if rect.w > 500 * text:
        words = lettering.fitted(f"{playback.speed:g}× speed", 13, line.x - 70)
        at = (rect.x + 60, rect.centery)
        lettering.draw(surface, words, at, 13, palette.soft, bold=True, anchor="midleft")
    _draw_track(surface, line, lettering, playback)
    if rect.w > 700 * text:
        live = "" if playback.source.ended else " · live"
        help_ = lettering.draw(
            surface, "F1 for help", (rect.right - 16, rect.centery), 13, palette.faint, anchor="midright"
        )
        words = f"{playback.cursor} / {len(playback.chronicle)}{live}"
        words = lettering.fitted(words, 13, help_.x - line.right - 24)
        at = (help_.x - lettering.t(12), rect.centery)
        lettering.draw(surface, words, at, 13, palette.soft, anchor="midright")


def _draw_button(surface: pygame.Surface, box: pygame.Rect, palette: Palette, *, playing: bool) -> None:
    pygame.draw.rect(surface, palette.accent, box, border_radius=8)
    x, y = box.center
    if playing:
        pygame.draw.rect(surface, palette.on_accent, (x - 7, y - 8, 5, 16), border_radius=1)
        pygame.draw.rect(surface, palette.on_accent, (x + 2, y - 8, 5, 16), border_radius=1)
    else:
        pygame.draw.polygon(surface, palette.on_accent, [(x - 5, y - 8), (x - 5, y + 8), (x + 8, y)])


def _draw_track(surface: pygame.Surface, line: pygame.Rect, lettering: Lettering, playback: Playback) -> None:
    palette = lettering.palette
    total = max(len(playback.chronicle), 1)
    pygame.draw.rect(surface, palette.background, line, border_radius=4)
    phases = playback.chronicle.phases
    for i, stop in enumerate(phases):
        end = phases[i + 1].cursor if i + 1 < len(phases) else total
        _draw_stretch(surface, line, stop, end, total, playback.cursor, palette)
    free = line.x
    for stop in playback.chronicle.rounds:
        x = line.x + line.w * stop.cursor // total
        pygame.draw.line(surface, palette.soft, (x, line.y - 4), (x, line.bottom + 3), 1)
        words = f"R{stop.round}"
        if x < free or x + 4 + lettering.width(words, 11, True) > line.right:
            continue
        at = (x + 4, line.y - 1)
        box = lettering.draw(surface, words, at, 11, palette.soft, bold=True, anchor="bottomleft")
        free = box.right + 4
    x = line.x + line.w * playback.cursor // total
    pygame.draw.circle(surface, palette.background, (x, line.centery), 9)
    pygame.draw.circle(surface, palette.ink, (x, line.centery), 7)


def _draw_stretch(
    surface: pygame.Surface,
    line: pygame.Rect,
    stop: Stop,
    end: int,
    total: int,
    cursor: int,
    palette: Palette,
) -> None:
    """Draw a phase's part of the line in its side's colour, bright where it has been shown."""
    base, dark = palette.holder(stop.turn), palette.background
    left = line.x + line.w * stop.cursor // total
    right = line.x + line.w * end // total
    middle = min(max(line.x + line.w * cursor // total, left), right)
    pygame.draw.rect(surface, mix(base, dark, 0.25), (left, line.y + 2, middle - left, line.h - 4))
    pygame.draw.rect(surface, mix(base, dark, 0.68), (middle, line.y + 2, right - middle, line.h - 4))
    pygame.draw.line(surface, dark, (left, line.y), (left, line.bottom), 1)
