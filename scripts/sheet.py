"""A stretch of the table as a picture, in the colours and letters of the window.

Owns painting. What is painted, and where, is for `draw_geometry` to say.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path as File

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from geometry.shape.base import Base, Polygon
from geometry.shape.convex_shape import core_of, margin_of
from geometry.shape.core_polygon import Core
from viewer.window.lettering import Lettering
from viewer.window.palette import DEFAULT, Colour

FINE = 3
WIDE = 1000
"""How many pixels wide a picture is."""
Point = tuple[float, float]


class Sheet:
    """A stretch of the table to draw on, `size` inches from `corner`.

    It is painted large and shrunk at the end.
    """

    def __init__(self, corner: Point, size: Point, grid: bool = True) -> None:
        """Take the lower left corner and the size, in inches."""
        self.corner, self.size = corner, size
        self.scale = WIDE / size[0]
        wide, high = (round(side * self.scale * FINE) for side in size)
        self.surface = pygame.Surface((wide, high))
        self.surface.fill(DEFAULT.ground)
        self.lettering = Lettering()
        if not grid:
            return
        for x in range(math.ceil(corner[0]), math.floor(corner[0] + size[0]) + 1):
            self.line([(x, corner[1]), (x, corner[1] + size[1])], DEFAULT.grid, 0.02)
        for y in range(math.ceil(corner[1]), math.floor(corner[1] + size[1]) + 1):
            self.line([(corner[0], y), (corner[0] + size[0], y)], DEFAULT.grid, 0.02)

    def at(self, point: Sequence[float]) -> Point:
        """Return where a point of the table is painted."""
        x, y = point[0] - self.corner[0], self.size[1] - (point[1] - self.corner[1])
        return x * self.scale * FINE, y * self.scale * FINE

    def line(self, points: Sequence[Sequence[float]], colour: Colour, width: float = 0.06) -> None:
        """Paint a line through points; its width is in inches."""
        thick = max(1, round(width * self.scale * FINE))
        for a, b in pairwise(points):
            self._stroke(self.at(a), self.at(b), colour, thick)
        if thick > 2:
            for point in points:
                pygame.draw.circle(self.surface, colour, self.at(point), thick / 2)

    def _stroke(self, a: Point, b: Point, colour: Colour, thick: int) -> None:
        long = math.hypot(b[0] - a[0], b[1] - a[1])
        if long < 1e-6:
            return
        # The library's own wide lines are thinner when they slant.
        x, y = -(b[1] - a[1]) / long * thick / 2, (b[0] - a[0]) / long * thick / 2
        corners = [(a[0] + x, a[1] + y), (b[0] + x, b[1] + y), (b[0] - x, b[1] - y), (a[0] - x, a[1] - y)]
        pygame.draw.polygon(self.surface, colour, corners)

    def dashes(self, a: Point, b: Point, colour: Colour, width: float = 0.04, long: float = 0.3) -> None:
        """Paint a broken line."""
        count = max(1, math.floor(math.dist(a, b) / long))
        for k in range(0, count, 2):
            shares = (k / count, (k + 1) / count)
            self.line([(a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])) for t in shares], colour, width)

    def area(self, points: Sequence[Sequence[float]], fill: Colour, alpha: int = 255) -> None:
        """Paint an area."""
        sheet = pygame.Surface(self.surface.get_size(), pygame.SRCALPHA)
        pygame.draw.polygon(sheet, (*fill, alpha), [self.at(p) for p in points])
        self.surface.blit(sheet, (0, 0))

    def terrain(self, kind: str, polygon: Polygon, name: str = "", at_top: bool = False) -> None:
        """Paint a piece of terrain, with its name at its foot or its top."""
        fill, edge = DEFAULT.terrain[kind]
        self.area(polygon, fill)
        self.line([*polygon, polygon[0]], edge, 0.05)
        if name:
            xs, ys = zip(*polygon, strict=True)
            inset = min(0.6, (max(ys) - min(ys)) / 2)
            height = max(ys) - inset if at_top else min(ys) + inset
            self.label(name, ((min(xs) + max(xs)) / 2, height), DEFAULT.soft)

    def base(
        self, base: Base, at: Sequence[float], colour: Colour, facing: float = 0.0, alpha: int = 255
    ) -> None:
        """Paint a base at its true shape."""
        ring = rim(core_of(base, facing), margin_of(base), at)
        self.area(ring, colour, alpha)
        self.line([*ring, ring[0]], DEFAULT.ink if alpha > 200 else colour, 0.035)

    def dot(self, at: Sequence[float], colour: Colour, width: float = 0.14) -> None:
        """Paint a point."""
        pygame.draw.circle(self.surface, colour, self.at(at), width * self.scale * FINE / 2)

    def label(
        self,
        words: str,
        at: Sequence[float],
        colour: Colour = DEFAULT.ink,
        size: int = 16,
        anchor: str = "center",
    ) -> None:
        """Write some words with their middle, or another point of theirs, at a point."""
        self.lettering.draw(self.surface, words, self.at(at), size * FINE, colour, anchor=anchor)

    def save(self, file: File) -> None:
        """Write the picture."""
        small = tuple(round(side * self.scale) for side in self.size)
        pygame.image.save(pygame.transform.smoothscale(self.surface, small), file)


def rim(core: Core, radius: float, at: Sequence[float]) -> list[Point]:
    """Return points all along the rim of a shape that stands somewhere."""
    found: list[Point] = []
    for centre, reach, low, width in zip(core.centre, core.radius, core.low, core.width, strict=True):
        steps = max(1, math.ceil(width / 0.06)) if reach + radius > 0 else 1
        for k in range(steps + 1):
            angle = low + width * k / steps
            x = at[0] + centre[0] + (reach + radius) * math.cos(angle)
            y = at[1] + centre[1] + (reach + radius) * math.sin(angle)
            found.append((float(x), float(y)))
    return found
