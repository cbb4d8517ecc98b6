"""The line round all of a unit's bases: which models are one unit, and what state it is in.

Painted once for a shape and state, and kept.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Sequence

import pygame

from engine.core.facts import BaseFacts
from viewer.window.camera import Camera
from viewer.window.palette import Colour
from viewer.window.token import outline

Pair = tuple[float, float]
Standing = tuple[BaseFacts, float, float, float]
"""A base, where its middle is on the board, and its facing."""
GROWN = 0.30
"""How far outside the bases the line runs, in inches."""
FINE = 2
KEPT = 400


class Outlines:
    """Draws units' outlines, keeping their pictures."""

    def __init__(self) -> None:
        """Start with none."""
        self._kept: OrderedDict[tuple[object, ...], tuple[pygame.Surface, Pair]] = OrderedDict()

    def draw(
        self, surface: pygame.Surface, camera: Camera, bases: Sequence[Standing], colour: Colour,
        width: float, *, dashed: bool = False, fill: int = 26,
    ) -> None:  # fmt: skip
        """Draw the outline of these bases, its line some pixels wide, its area thinly filled."""
        if not bases:
            return
        first = bases[0]
        shape = tuple((b.shape, b.length, b.width, x - first[1], y - first[2], f) for b, x, y, f in bases)
        key = (shape, camera.scale, colour, width, dashed, fill)
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = _paint(camera.scale, bases, colour, width, dashed, fill)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        picture, offset = found
        sx, sy = camera.to_screen(first[1], first[2])
        surface.blit(picture, (round(sx + offset[0]), round(sy + offset[1])))


def _paint(
    scale: float, bases: Sequence[Standing], colour: Colour, width: float, dashed: bool, fill: int
) -> tuple[pygame.Surface, Pair]:
    """Return the picture of an outline, and its offset from the first base's middle, in pixels."""
    _, x0, y0, _ = bases[0]

    def rings(grow: float) -> list[list[Pair]]:
        return [
            [((x - x0 + px) * scale, -(y - y0 + py) * scale) for px, py in outline(base, facing, grow)]
            for base, x, y, facing in bases
        ]

    outer, inner = rings(GROWN), rings(GROWN - width / scale)
    left = math.floor(min(x for ring in outer for x, _ in ring)) - 2
    top = math.floor(min(y for ring in outer for _, y in ring)) - 2
    right = math.ceil(max(x for ring in outer for x, _ in ring)) + 2
    foot = math.ceil(max(y for ring in outer for _, y in ring)) + 2
    large = pygame.Surface(((right - left) * FINE, (foot - top) * FINE), pygame.SRCALPHA)
    large.fill((*colour, 0))
    for ring in outer:
        pygame.draw.polygon(large, (*colour, 255), [((x - left) * FINE, (y - top) * FINE) for x, y in ring])
    if dashed:
        for start in range(-large.get_height(), large.get_width(), 12 * FINE):
            ends = (start, large.get_height()), (start + large.get_height(), 0)
            pygame.draw.line(large, (*colour, 0), *ends, 5 * FINE)
    for ring in inner:
        pygame.draw.polygon(large, (*colour, fill), [((x - left) * FINE, (y - top) * FINE) for x, y in ring])
    size = right - left, foot - top
    return pygame.transform.smoothscale(large, size), (left, top)
