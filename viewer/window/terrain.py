"""The look of each kind of terrain from above: hatched ruins, crowns of woods, and so on.

Paints a footprint that is already in pixels; it knows neither the camera nor the rules of terrain.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import pygame

from viewer.window.palette import BACKGROUND, TERRAIN, Colour, mix

Pair = tuple[float, float]
Outline = Sequence[Pair]

_PLAIN: tuple[Colour, Colour] = ((70, 70, 70), (140, 140, 140))


def paint(surface: pygame.Surface, kind: str, outline: Outline, scale: float) -> None:
    """Paint a piece of this kind, its footprint in pixels and `scale` pixels an inch."""
    fill, line = TERRAIN.get(kind, _PLAIN)
    shade = [(x + 0.18 * scale, y + 0.22 * scale) for x, y in outline]
    _blend(surface, shade, BACKGROUND, 110)
    if kind == "woods":
        _blend(surface, outline, fill, 170)
        _crowns(surface, outline, scale, fill, line)
        pygame.draw.polygon(surface, mix(fill, line, 0.75), outline, max(1, round(0.07 * scale)))
        return
    pygame.draw.polygon(surface, fill, outline)
    if kind in ("ruin", "container"):
        hatch(surface, outline, 0.75 * scale, mix(fill, line, 0.28), max(1, round(0.06 * scale)))
    elif kind == "crater":
        for part, tone in ((0.86, 0.3), (0.62, 0.5), (0.36, 0.68)):
            pygame.draw.polygon(surface, mix(fill, BACKGROUND, tone), _rounded(_shrunk(outline, part)))
    elif kind == "hill":
        for part, tone in ((0.7, 0.25), (0.4, 0.5)):
            pygame.draw.polygon(surface, mix(fill, line, tone), _shrunk(outline, part))
    elif kind == "barricade":
        _sandbags(surface, outline, scale, mix(fill, line, 0.55), fill)
    elif kind == "debris":
        _crowns(surface, outline, scale * 0.5, fill, line)
    walls = 0.3 if kind in ("ruin", "wall") else 0.09
    pygame.draw.polygon(surface, line, outline, max(1, round(walls * scale)))


def hatch(surface: pygame.Surface, outline: Outline, gap: float, colour: Colour, width: int = 1) -> None:
    """Draw slanting lines a gap apart within an outline."""
    box, canvas, local = _canvas(outline)
    for start in range(-box.h, box.w, max(round(gap), 3)):
        pygame.draw.line(canvas, (*colour, 255), (start, box.h), (start + box.h, 0), width)
    _keep_within(canvas, local)
    surface.blit(canvas, box)


def _blend(surface: pygame.Surface, outline: Outline, colour: Colour, alpha: int) -> None:
    box, canvas, local = _canvas(outline)
    pygame.draw.polygon(canvas, (*colour, alpha), local)
    surface.blit(canvas, box)


def blend(surface: pygame.Surface, outline: Outline, colour: Colour, alpha: int) -> None:
    """Lay a thin colour over an outline, where it lies on the surface."""
    _blend(surface, outline, colour, alpha)


def _canvas(outline: Outline) -> tuple[pygame.Rect, pygame.Surface, list[Pair]]:
    left, top = math.floor(min(x for x, _ in outline)), math.floor(min(y for _, y in outline))
    right, bottom = math.ceil(max(x for x, _ in outline)), math.ceil(max(y for _, y in outline))
    box = pygame.Rect(left, top, max(right - left + 1, 1), max(bottom - top + 1, 1))
    return box, pygame.Surface(box.size, pygame.SRCALPHA), [(x - left, y - top) for x, y in outline]


def _keep_within(canvas: pygame.Surface, outline: Outline) -> None:
    mask = pygame.Surface(canvas.get_size(), pygame.SRCALPHA)
    pygame.draw.polygon(mask, (255, 255, 255, 255), outline)
    canvas.blit(mask, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)


def _shrunk(outline: Outline, part: float) -> list[Pair]:
    mx = sum(x for x, _ in outline) / len(outline)
    my = sum(y for _, y in outline) / len(outline)
    return [(mx + (x - mx) * part, my + (y - my) * part) for x, y in outline]


def _rounded(outline: Outline) -> list[Pair]:
    """Return a round within a four-sided outline; any other outline as it is."""
    if len(outline) != 4:
        return list(outline)
    a, b, c, d = outline
    mx, my = (a[0] + c[0]) / 2, (a[1] + c[1]) / 2
    ux, uy = (b[0] + c[0]) / 2 - mx, (b[1] + c[1]) / 2 - my
    vx, vy = (c[0] + d[0]) / 2 - mx, (c[1] + d[1]) / 2 - my
    turns = [math.tau * i / 40 for i in range(40)]
    return [
        (mx + ux * math.cos(t) + vx * math.sin(t), my + uy * math.cos(t) + vy * math.sin(t)) for t in turns
    ]


def _crowns(surface: pygame.Surface, outline: Outline, scale: float, dark: Colour, light: Colour) -> None:
    """Draw round crowns on a shaken grid, the same ones every time, cut off at the outline."""
    box, canvas, local = _canvas(outline)
    gap = max(1.25 * scale, 3.0)
    for j in range(int(box.h / gap) + 2):
        for i in range(int(box.w / gap) + 2):
            shake = (i * 37 + j * 61) % 17 / 17.0
            x = (i + 0.25 + 0.5 * shake) * gap
            y = (j + 0.75 - 0.5 * shake) * gap
            radius = (0.5 + 0.16 * ((i * 13 + j * 29) % 5) / 4) * gap
            pygame.draw.circle(canvas, (*mix(dark, BACKGROUND, 0.35), 150), (x + 1, y + 2), radius)
            pygame.draw.circle(canvas, (*mix(dark, light, 0.22 + 0.3 * shake), 235), (x, y), radius * 0.94)
            pygame.draw.circle(
                canvas,
                (*mix(dark, light, 0.5 + 0.3 * shake), 120),
                (x - radius * 0.22, y - radius * 0.25),
                radius * 0.5,
            )
    _keep_within(canvas, local)
    surface.blit(canvas, box)


def _sandbags(surface: pygame.Surface, outline: Outline, scale: float, light: Colour, dark: Colour) -> None:
    """Draw bags side by side along the longer middle line of a four-sided piece."""
    if len(outline) != 4:
        return
    a, b, c, d = outline
    if math.dist(a, b) < math.dist(b, c):
        a, b, c, d = b, c, d, a
    start = ((a[0] + d[0]) / 2, (a[1] + d[1]) / 2)
    end = ((b[0] + c[0]) / 2, (b[1] + c[1]) / 2)
    across = ((d[0] - a[0]) * 0.34, (d[1] - a[1]) * 0.34)
    bags = max(round(math.dist(start, end) / (0.95 * scale)), 1)
    for i in range(bags):
        t = (i + 0.5) / bags
        x, y = start[0] + (end[0] - start[0]) * t, start[1] + (end[1] - start[1]) * t
        head, foot = (x - across[0], y - across[1]), (x + across[0], y + across[1])
        pygame.draw.line(surface, mix(dark, BACKGROUND, 0.4), head, foot, max(1, round(0.62 * scale)))
        pygame.draw.line(surface, light, head, foot, max(1, round(0.44 * scale)))
