"""The look of each kind of terrain from above: ruins with walls, crowns of woods, and so on.

Paints onto the ground, which is painted once for a view; it knows no rule of terrain.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import pygame

from engine.core.facts import TerrainFacts
from viewer.window.palette import Colour, Palette, mix

Pair = tuple[float, float]
Outline = Sequence[Pair]

_PLAIN: tuple[Colour, Colour] = ((70, 70, 70), (140, 140, 140))


def paint(
    surface: pygame.Surface,
    piece: TerrainFacts,
    at: Callable[[float, float], Pair],
    scale: float,
    palette: Palette,
) -> None:
    """Paint a piece; `at` gives the pixel of a point of the board, `scale` is pixels an inch."""
    kind, outline = piece.kind, [at(*p) for p in piece.footprint]
    fill, line = palette.terrain.get(kind, _PLAIN)
    dark = palette.background
    _blend(surface, [(x + 0.22 * scale, y + 0.22 * scale) for x, y in outline], dark, 110)
    if kind == "woods":
        _blend(surface, outline, fill, 210)
        _crowns(surface, outline, scale, (fill, palette.crown, line), dark)
        _dashed(surface, outline, mix(fill, line, 0.8), scale)
        return
    pygame.draw.polygon(surface, fill, outline)
    if kind == "ruin":
        _floor(surface, outline, scale, mix(fill, line, 0.22), mix(fill, dark, 0.3))
        _walls(surface, piece, outline, at, scale, line, dark)
        return
    if kind == "container":
        hatch(surface, outline, 0.75 * scale, mix(fill, line, 0.28), max(1, round(0.06 * scale)))
    elif kind == "crater":
        for part, tone in ((0.86, 0.3), (0.62, 0.5), (0.36, 0.68)):
            pygame.draw.polygon(surface, mix(fill, dark, tone), _rounded(_shrunk(outline, part)))
    elif kind == "hill":
        for part, tone in ((0.7, 0.25), (0.4, 0.5)):
            pygame.draw.polygon(surface, mix(fill, line, tone), _shrunk(outline, part))
    elif kind == "barricade":
        _sandbags(surface, outline, scale, line, mix(fill, dark, 0.4))
    elif kind == "debris":
        _crowns(surface, outline, scale * 0.5, (fill, mix(fill, line, 0.5), line), dark)
    thick = 0.42 if kind == "wall" else 0.09
    pygame.draw.polygon(surface, line, outline, max(1, round(thick * scale)))


def _floor(surface: pygame.Surface, outline: Outline, scale: float, light: Colour, dark: Colour) -> None:
    """Paint slabs with joints, some of them broken, the same ones every time."""
    box, canvas, local = _canvas(outline)
    wide, high = max(0.95 * scale, 3.0), max(0.62 * scale, 2.0)
    for j in range(int(box.h / high) + 1):
        pygame.draw.line(canvas, (*dark, 150), (0, j * high), (box.w, j * high), max(1, round(0.05 * scale)))
        for i in range(int(box.w / wide) + 2):
            x = (i + 0.5 * (j % 2)) * wide
            joint = max(1, round(0.05 * scale))
            pygame.draw.line(canvas, (*dark, 150), (x, j * high), (x, (j + 1) * high), joint)
            if (i * 29 + j * 53) % 13 == 0:
                pygame.draw.rect(canvas, (*light, 120), (x - wide, j * high, wide, high))
            if (i * 31 + j * 17) % 11 == 0:
                lean = ((i * 7 + j * 3) % 5 - 2) * 0.08 * scale
                stone = [(x, j * high + lean), (x + 0.5 * wide, j * high), (x + 0.4 * wide, (j + 0.8) * high)]
                pygame.draw.polygon(canvas, (*light, 200), stone)
    _keep_within(canvas, local)
    surface.blit(canvas, box)


def _walls(
    surface: pygame.Surface,
    piece: TerrainFacts,
    outline: Outline,
    at: Callable[[float, float], Pair],
    scale: float,
    colour: Colour,
    dark: Colour,
) -> None:
    """Paint a ruin's walls where the layout has them; all round where they are not known."""
    thick = max(round(0.42 * scale), 2)
    if piece.walls is None:
        lines = [[*outline, outline[0]]]
    else:
        pygame.draw.polygon(surface, mix(colour, dark, 0.55), outline, max(1, round(0.08 * scale)))
        lines = [[at(*p) for p in wall] for wall in piece.walls]
    for points in lines:
        for a, b in pairwise(points):
            _wall(surface, a, b, thick, scale, colour, dark)


def _wall(
    surface: pygame.Surface, a: Pair, b: Pair, thick: int, scale: float, colour: Colour, dark: Colour
) -> None:
    """Paint a wall of blocks along a line."""
    far = math.dist(a, b)
    if far < 1:
        return
    ux, uy = (b[0] - a[0]) / far, (b[1] - a[1]) / far
    half = thick / 2
    corners = [(a[0] - ux * half, a[1] - uy * half), (b[0] + ux * half, b[1] + uy * half)]
    side = [(-uy * half, ux * half), (uy * half, -ux * half)]
    ring = [
        (corners[k][0] + side[m][0], corners[k][1] + side[m][1]) for k, m in ((0, 0), (1, 0), (1, 1), (0, 1))
    ]
    pygame.draw.polygon(surface, mix(colour, dark, 0.12), ring)
    for i in range(1, max(int(far / (0.8 * scale)), 1)):
        x, y = a[0] + ux * 0.8 * scale * i, a[1] + uy * 0.8 * scale * i
        ends = (x + side[0][0], y + side[0][1]), (x + side[1][0], y + side[1][1])
        pygame.draw.line(surface, mix(colour, dark, 0.55), *ends, max(1, round(0.05 * scale)))
    pygame.draw.polygon(surface, mix(colour, dark, 0.6), ring, max(1, round(0.05 * scale)))


def _dashed(surface: pygame.Surface, outline: Outline, colour: Colour, scale: float) -> None:
    """Draw a dashed line round an outline: one may walk in."""
    step = max(0.4 * scale, 4.0)
    for a, b in pairwise([*outline, outline[0]]):
        parts = max(min(int(math.dist(a, b) / step), 200), 1)
        for i in range(0, parts, 2):
            s, t = i / parts, (i + 1) / parts
            head = (a[0] + (b[0] - a[0]) * s, a[1] + (b[1] - a[1]) * s)
            foot = (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t)
            pygame.draw.line(surface, colour, head, foot, max(1, round(0.09 * scale)))


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


def _crowns(
    surface: pygame.Surface,
    outline: Outline,
    scale: float,
    tones: tuple[Colour, Colour, Colour],
    dark: Colour,
) -> None:
    """Draw round crowns on a shaken grid, the same ones every time, cut off at the outline."""
    box, canvas, local = _canvas(outline)
    shade, crown, light = tones
    gap = max(1.15 * scale, 3.0)
    for j in range(int(box.h / gap) + 2):
        for i in range(int(box.w / gap) + 2):
            shake = (i * 37 + j * 61) % 17 / 17.0
            x = (i + 0.25 + 0.5 * shake) * gap
            y = (j + 0.75 - 0.5 * shake) * gap
            radius = (0.5 + 0.2 * ((i * 13 + j * 29) % 5) / 4) * gap
            tone = mix(shade, crown, 0.6 + 0.4 * shake)
            pygame.draw.circle(canvas, (*mix(shade, dark, 0.5), 170), (x + 0.1 * gap, y + 0.14 * gap), radius)
            pygame.draw.circle(canvas, (*tone, 255), (x, y), radius * 0.94)
            spot = (x - radius * 0.25, y - radius * 0.28)
            pygame.draw.circle(canvas, (*mix(tone, light, 0.45), 255), spot, radius * 0.5)
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
        pygame.draw.line(surface, dark, head, foot, max(1, round(0.62 * scale)))
        pygame.draw.line(surface, light, head, foot, max(1, round(0.44 * scale)))
