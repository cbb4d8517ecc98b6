"""Signs drawn as outlines: the twelve roles, the badges of states, and the icons of buttons.

Each is a list of strokes on a square of 24 units; it is drawn to any size in one colour.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import pygame

from viewer.window.palette import Colour

Pair = tuple[float, float]
SIDE = 24.0


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through these points, or the area within them."""

    points: tuple[Pair, ...]
    filled: bool = False
    width: float = 2.6


def _line(*points: Pair, width: float = 2.6) -> Stroke:
    return Stroke(points, False, width)


def _area(*points: Pair) -> Stroke:
    return Stroke(points, True)


def _ring(x: float, y: float, radius: float, width: float = 2.6) -> Stroke:
    turns = [math.tau * i / 20 for i in range(21)]
    return Stroke(tuple((x + radius * math.cos(t), y + radius * math.sin(t)) for t in turns), False, width)


def _disc(x: float, y: float, radius: float) -> Stroke:
    turns = [math.tau * i / 20 for i in range(20)]
    return Stroke(tuple((x + radius * math.cos(t), y + radius * math.sin(t)) for t in turns), True)


def _star(x: float, y: float, radius: float) -> Stroke:
    points = []
    for i in range(10):
        far = radius if i % 2 == 0 else radius * 0.42
        turn = math.tau * i / 10 - math.pi / 2
        points.append((x + far * math.cos(turn), y + far * math.sin(turn)))
    return _area(*points)


_SHIELD = (
    (12.0, 3.0),
    (20.0, 6.0),
    (20.0, 12.0),
    (17.0, 18.0),
    (12.0, 21.5),
    (7.0, 18.0),
    (4.0, 12.0),
    (4.0, 6.0),
    (12.0, 3.0),
)

GLYPHS: dict[str, tuple[Stroke, ...]] = {
    # roles
    "line": (_line((5, 15.5), (12, 8.5), (19, 15.5), width=3.2),),
    "gunline": (
        _ring(12, 12, 5.5),
        *(
            _line(*p)
            for p in (((12, 2), (12, 7)), ((12, 17), (12, 22)), ((2, 12), (7, 12)), ((17, 12), (22, 12)))
        ),
    ),
    "flame": (
        _area((12, 2), (17, 9), (18.5, 14), (17, 19), (12, 22), (7, 19), (5.5, 14), (8, 10), (10, 11.5)),
    ),
    "anti-tank": (_line((12, 2.5), (21.5, 12), (12, 21.5), (2.5, 12), (12, 2.5)), _disc(12, 12, 3.4)),
    "melee": (
        _line((4, 4), (19, 19), width=3),
        _line((20, 4), (5, 19), width=3),
        _line((4, 15), (9, 20)),
        _line((20, 15), (15, 20)),
    ),
    "heavy infantry": (_line(*_SHIELD), _line((12, 7.5), (12, 16.5)), _line((8, 11), (16, 11))),
    "jump": (_line((5, 12), (12, 5), (19, 12), width=3), _line((5, 19), (12, 12), (19, 19), width=3)),
    "character": (_star(12, 12.5, 10.5),),
    "walker": (
        _area((7, 3), (17, 3), (18, 11), (6, 11)),
        _line((9, 11), (6, 16), (7.5, 21), (4, 21), width=2.8),
        _line((15, 11), (18, 16), (16.5, 21), (20, 21), width=2.8),
    ),
    "transport": (
        _line((3, 5), (21, 5), (21, 19), (3, 19), (3, 5)),
        _line((7, 12), (16, 12)),
        _line((12.5, 8.5), (16.5, 12), (12.5, 15.5)),
    ),
    "tank": (
        _area((3, 11), (16, 11), (16, 20), (3, 20)),
        _area((8, 5), (14, 5), (14, 11), (8, 11)),
        _line((13, 7), (22, 7), width=3),
    ),
    "monster": tuple(_line((x + 3, 3), (x - 0.5, 9), (x + 1, 15), (x - 3, 21), width=3) for x in (6, 12, 18)),
    # badges and icons
    "ready": (_ring(12, 12, 6.5, 3.2),),
    "done": (_line((4.5, 12.5), (10, 18), (19.5, 6.5), width=3),),
    "advanced": (_line((5, 6), (11, 12), (5, 18)), _line((12, 6), (18, 12), (12, 18))),
    "fell-back": (
        _line((9, 5), (4.5, 9.5), (9, 14)),
        _line((4.5, 9.5), (15, 9.5), (19, 13), (15, 18.5), (9, 18.5)),
    ),
    "engaged": (_line((6, 6), (18, 18), width=3), _line((18, 6), (6, 18), width=3)),
    "shock": (_area((13.5, 2), (5.5, 13.5), (11, 13.5), (9.5, 22), (18.5, 9.5), (12.5, 9.5)),),
    "action": (
        _line((6, 3), (18, 3)),
        _line((6, 21), (18, 21)),
        _line((7.5, 3), (7.5, 7), (16.5, 17), (16.5, 21)),
        _line((16.5, 3), (16.5, 7), (7.5, 17), (7.5, 21)),
    ),
    "eye": (
        _line(
            (2, 12), (7, 7), (12, 5.5), (17, 7), (22, 12), (17, 17), (12, 18.5), (7, 17), (2, 12), width=2.2
        ),
        _disc(12, 12, 3.2),
    ),
    "undo": (_line((9, 4), (4, 9), (9, 14)), _line((4, 9), (15, 9), (20, 13.5), (15.5, 19), (10, 19))),
    "menu": (_line((3, 6), (21, 6)), _line((3, 12), (21, 12)), _line((3, 18), (21, 18))),
    "again": (
        _line((18.5, 8.5), (15, 5.5), (10, 5), (6, 8), (5, 13), (8, 18), (13, 19.5), (18, 17), width=3.2),
        _area((20.5, 2.5), (20.5, 11), (13, 9.5)),
    ),
    "pause": (_area((6, 4), (10, 4), (10, 20), (6, 20)), _area((14, 4), (18, 4), (18, 20), (14, 20))),
    "play": (_area((7, 3.5), (20, 12), (7, 20.5)),),
    "step": (_area((5, 4), (14, 12), (5, 20)), _area((16, 4), (19, 4), (19, 20), (16, 20))),
    "skip": (_area((3, 5), (11.5, 12), (3, 19)), _area((12, 5), (20.5, 12), (12, 19))),
    "to-turn": (
        _area((2, 5), (9.5, 12), (2, 19)),
        _area((10, 5), (17.5, 12), (10, 19)),
        _area((19, 5), (22, 5), (22, 19), (19, 19)),
    ),
    "right": (_line((4, 12), (19, 12), width=3), _line((13, 6), (19.5, 12), (13, 18), width=3)),
    "camera": (
        _line((3, 7), (15, 7), (15, 17), (3, 17), (3, 7), width=2.4),
        _line((15, 11), (21, 7.5), (21, 16.5), (15, 13), width=2.4),
    ),
    "pin": (_area((8, 3), (16, 3), (16, 11), (19, 14), (5, 14), (8, 11)), _line((12, 14), (12, 22))),
}
"""Every sign by its name."""
FINE = 4


def draw_glyph(
    surface: pygame.Surface, name: str, middle: Pair, size: float, colour: Colour, alpha: int = 255
) -> None:
    """Draw a sign on a picture that is shrunk later: its side is `size` pixels."""
    scale = size / SIDE
    for stroke in GLYPHS[name]:
        points = [(middle[0] + (x - 12) * scale, middle[1] + (y - 12) * scale) for x, y in stroke.points]
        if stroke.filled:
            pygame.draw.polygon(surface, (*colour, alpha), points)
            continue
        width = max(round(stroke.width * scale), 1)
        for a, b in pairwise(points):
            _thick(surface, (*colour, alpha), a, b, width)
        for x, y in points if width > 2 else ():
            pygame.draw.circle(surface, (*colour, alpha), (x, y), width / 2)


def _thick(surface: pygame.Surface, colour: tuple[int, int, int, int], a: Pair, b: Pair, width: int) -> None:
    """Draw a line whose ends are square to it, which pygame's own are not."""
    far = math.dist(a, b)
    if far == 0:
        return
    dx, dy = (b[1] - a[1]) / far * width / 2, (a[0] - b[0]) / far * width / 2
    corners = [(a[0] + dx, a[1] + dy), (b[0] + dx, b[1] + dy), (b[0] - dx, b[1] - dy), (a[0] - dx, a[1] - dy)]
    pygame.draw.polygon(surface, colour, corners)


class Glyphs:
    """Signs as pictures, drawn large, shrunk and kept."""

    def __init__(self) -> None:
        """Start with none."""
        self._kept: dict[tuple[str, int, Colour], pygame.Surface] = {}

    def picture(self, name: str, size: int, colour: Colour) -> pygame.Surface:
        """Return a sign as a picture of this side in pixels."""
        key = (name, size, colour)
        if key not in self._kept:
            large = pygame.Surface((size * FINE, size * FINE), pygame.SRCALPHA)
            large.fill((*colour, 0))
            draw_glyph(large, name, (size * FINE / 2, size * FINE / 2), size * FINE, colour)
            self._kept[key] = pygame.transform.smoothscale(large, (size, size))
        return self._kept[key]

    def draw(self, surface: pygame.Surface, name: str, middle: Pair, size: int, colour: Colour) -> None:
        """Draw a sign round a middle."""
        picture = self.picture(name, size, colour)
        surface.blit(picture, (round(middle[0] - size / 2), round(middle[1] - size / 2)))
