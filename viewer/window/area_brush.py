"""The painting of areas on a sheet: thinly filled, with a line round them.

Draws shapes that are given; which there are is not its business.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import pygame
import shapely

from viewer.input.region import rings_of
from viewer.window.camera import Camera
from viewer.window.ghost_sketch import dashes
from viewer.window.palette import Colour

Pair = tuple[float, float]
DOT = 8
"""The pixels between two dots of a dotted line."""


class Brush:
    """Paints areas on a sheet, thinly filled, with lines round them: solid, dashed or dotted."""

    def __init__(self, sheet: pygame.Surface, camera: Camera, ui: float, board: tuple[float, float]) -> None:
        """Paint through this camera; along the board's edge no line is drawn."""
        self._sheet, self._camera, self._ui = sheet, camera, ui
        left, top, wide, high = camera.viewport
        (x0, y0), (x1, y1) = (
            camera.to_world(left - 60, top + high + 60),
            camera.to_world(left + wide + 60, top - 60),
        )
        self._seen = shapely.box(x0, y0, x1, y1)
        self._edge = shapely.buffer(shapely.boundary(shapely.box(0, 0, *board)), 1 / camera.scale)

    def paint(self, area: shapely.Geometry, colour: Colour, fill: int, line: str) -> None:
        """Paint an area; holes in it have a fainter line."""
        seen = shapely.intersection(area, self._seen)
        parts = sorted(shapely.get_parts(seen), key=shapely.area, reverse=True)
        if fill:
            self._fill(parts, (*colour, fill))
        for part in parts:
            for k, ring in enumerate(rings_of(part)):
                drawn = shapely.difference(shapely.LineString(ring), self._edge)
                for stretch in shapely.get_parts(shapely.line_merge(drawn)):
                    points = [self._camera.to_screen(*corner) for corner in shapely.get_coordinates(stretch)]
                    self._trace(points, (*colour, 230 if k == 0 else 110), line)

    def _fill(self, parts: Sequence[shapely.Geometry], colour: tuple[int, int, int, int]) -> None:
        veil = pygame.Surface(self._sheet.get_size(), pygame.SRCALPHA)
        for part in parts:
            for k, ring in enumerate(rings_of(part)):
                points = [self._camera.to_screen(*corner) for corner in ring]
                pygame.draw.polygon(veil, colour if k == 0 else (0, 0, 0, 0), points)
        self._sheet.blit(veil, (0, 0))

    def _trace(self, points: list[Pair], colour: tuple[int, int, int, int], line: str) -> None:
        if len(points) < 2:
            return
        wide = max(round(1.6 * self._ui), 1)
        if line == "dotted":
            for at in _dots(points):
                pygame.draw.aacircle(self._sheet, colour, at, 1.5 * self._ui)
            return
        for a, b in pairwise(points) if line == "solid" else dashes(points):
            pygame.draw.aaline(self._sheet, colour, a, b, wide)


def _dots(points: list[Pair]) -> list[Pair]:
    """Return points along a line, as far apart as dots are."""
    found: list[Pair] = []
    left = 0.0
    for (ax, ay), (bx, by) in pairwise(points):
        far = math.hypot(bx - ax, by - ay)
        while left < far:
            found.append((ax + (bx - ax) * left / far, ay + (by - ay) * left / far))
            left += DOT
        left -= far
    return found
