"""Draws the pictures of docs/geometry.md with the project's own answers:

    python scripts/draw_geometry.py docs/pictures

Every line, path and place in them is what the functions of `geometry` return for the situation shown.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path as File

import numpy as np

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from geometry.base import Base, Polygon, hull_base, oval_base, round_base
from geometry.body import Bodies
from geometry.coherency import Spacing
from geometry.ground import Ground
from geometry.group import Front, Moved, Party, Placed, move_toward, place_group
from geometry.obstacle import Landscape, Opacity, Piece
from geometry.outline import Core, Outlines, core_of, difference, margin_of
from geometry.path import Path, path
from geometry.sight import sight
from viewer.lettering import Lettering
from viewer.motion import polyline
from viewer.palette import (
    ACCENT,
    GOOD,
    GRID,
    GROUND,
    HORDE_COLOUR,
    INK,
    INK_SOFT,
    LOSS,
    PLAYERS_COLOURS,
    TERRAIN,
    Colour,
)

FINE = 3
SCALE = 34
PLAYER = PLAYERS_COLOURS[0]
Point = tuple[float, float]


class Sheet:
    """A stretch of the table to draw on, `size` inches from `corner`, painted large and shrunk at the end."""

    def __init__(self, corner: Point, size: Point) -> None:
        """Take the lower left corner and the size, in inches."""
        self.corner, self.size = corner, size
        wide, high = (round(side * SCALE * FINE) for side in size)
        self.surface = pygame.Surface((wide, high))
        self.surface.fill(GROUND)
        self.lettering = Lettering()
        for x in range(math.ceil(corner[0]), math.floor(corner[0] + size[0]) + 1):
            self.line([(x, corner[1]), (x, corner[1] + size[1])], GRID, 0.02)
        for y in range(math.ceil(corner[1]), math.floor(corner[1] + size[1]) + 1):
            self.line([(corner[0], y), (corner[0] + size[0], y)], GRID, 0.02)

    def at(self, point: Sequence[float]) -> Point:
        """Return where a point of the table is painted."""
        x, y = point[0] - self.corner[0], self.size[1] - (point[1] - self.corner[1])
        return x * SCALE * FINE, y * SCALE * FINE

    def line(self, points: Sequence[Sequence[float]], colour: Colour, width: float = 0.06) -> None:
        """Paint a line through points, so many inches wide."""
        thick = max(1, round(width * SCALE * FINE))
        pygame.draw.lines(self.surface, colour, False, [self.at(p) for p in points], thick)
        if thick > 2:
            for point in points:
                pygame.draw.circle(self.surface, colour, self.at(point), thick / 2)

    def area(self, points: Sequence[Sequence[float]], fill: Colour, alpha: int = 255) -> None:
        """Paint an area."""
        sheet = pygame.Surface(self.surface.get_size(), pygame.SRCALPHA)
        pygame.draw.polygon(sheet, (*fill, alpha), [self.at(p) for p in points])
        self.surface.blit(sheet, (0, 0))

    def terrain(self, kind: str, polygon: Polygon) -> None:
        """Paint a piece of terrain."""
        fill, edge = TERRAIN[kind]
        self.area(polygon, fill)
        self.line([*polygon, polygon[0]], edge, 0.05)

    def base(
        self, base: Base, at: Sequence[float], colour: Colour, facing: float = 0.0, alpha: int = 255
    ) -> None:
        """Paint a base at its true shape."""
        ring = rim(core_of(base, facing), margin_of(base), at)
        self.area(ring, colour, alpha)
        self.line([*ring, ring[0]], INK if alpha > 200 else colour, 0.03)

    def label(self, words: str, at: Sequence[float], colour: Colour = INK, size: int = 15) -> None:
        """Write some words with their middle at a point."""
        self.lettering.draw(self.surface, words, self.at(at), size * FINE, colour, anchor="center")

    def save(self, file: File) -> None:
        """Write the picture."""
        small = tuple(round(side * SCALE) for side in self.size)
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


def box(x0: float, y0: float, x1: float, y1: float) -> Polygon:
    """Return a rectangle."""
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def _bodies(bases: Sequence[Base], xy: Sequence[Point]) -> Bodies:
    n = len(bases)
    no = np.zeros(n, dtype=bool)
    radius = np.array([margin_of(base) for base in bases])
    cores = tuple(core_of(base) for base in bases)
    return Bodies(np.array(xy), np.zeros(n), radius, np.full(n, 2.5), no, no, cores)


def draw_sight() -> Sheet:
    """Draw a free line that no ray between centres or rims would find, and what closes all others."""
    sheet = Sheet((18, 17.5), (24, 9))
    infantry = round_base(32)
    shapes: list[tuple[str, Opacity, Polygon]] = [
        ("ruin", "boundless", box(24, 18, 28, 21.7)),
        ("ruin", "boundless", box(31, 22.15, 35, 26)),
        ("woods", "veil", box(36.2, 17.7, 38.5, 19.4)),
    ]
    pieces = [Piece(f"{kind} {i}", ring, 5.0, how) for i, (kind, how, ring) in enumerate(shapes)]
    for kind, _, ring in shapes:
        sheet.terrain(kind, ring)
    eyes, seen = [(20.0, 21.2)], [(40.0, 22.7), (40.0, 24.9), (40.0, 19.2)]
    found = sight(_bodies([infantry], eyes), _bodies([infantry] * 3, seen), Landscape(pieces))
    sheet.base(infantry, eyes[0], HORDE_COLOUR)
    for j, spot in enumerate(seen):
        sheet.base(infantry, spot, PLAYER)
        witness = found.witness(0, j)
        if found.visible[0, j]:
            sheet.line(witness, GOOD if found.fully[0, j] else ACCENT, 0.05)  # type: ignore[arg-type]
            words = "fully visible" if found.fully[0, j] else "visible"
        else:
            sheet.line([eyes[0], spot], LOSS, 0.03)
            words = f"hidden by {' and '.join(map(str, witness))}"
        sheet.label(words, (spot[0] - 1.2, spot[1] + 0.95), INK_SOFT)
    return sheet


def draw_outlines() -> Sheet:
    """Draw the arcs of an oval, and where the middle of a hull may not be beside it."""
    sheet = Sheet((0, 0), (23, 11.5))
    oval, hull = oval_base(120, 92), hull_base(4.5, 3)
    a, b = core_of(oval, 30), core_of(hull, 20)
    _arcs(sheet, a, (3.5, 6))
    sheet.label("an oval: true arcs", (3.5, 0.5), INK_SOFT)
    sheet.base(hull, (9.5, 6), PLAYER, 20)
    sheet.label("a hull", (9.5, 0.5), INK_SOFT)
    sheet.base(oval, (16.8, 6), HORDE_COLOUR, 30)
    _arcs(sheet, difference(a, b), (16.8, 6))
    x, y = difference(a, b).rim(0.35)
    sheet.base(hull, (16.8 + x, 6 + y), PLAYER, 20, 120)
    sheet.label("where its middle may not be", (16.8, 0.5), INK_SOFT)
    return sheet


def _arcs(sheet: Sheet, core: Core, at: Point) -> None:
    for i in range(len(core.radius)):
        part = Core(
            core.centre[i : i + 1], core.radius[i : i + 1], core.low[i : i + 1], core.width[i : i + 1]
        )
        sheet.line(rim(part, 0.0, at), (ACCENT, GOOD)[i % 2], 0.06)
    whole = rim(core, 0.0, at)
    sheet.line([*whole, whole[0]], INK_SOFT, 0.015)


def draw_path() -> Sheet:
    """Draw the shortest way of a base among walls and engagement ranges, and the rims that it follows."""
    sheet = Sheet((16, 13), (26, 14))
    base, foe = round_base(40), round_base(32)
    walls = (box(21, 16, 22, 22.5), box(26, 20, 30, 21), box(34, 19, 35.5, 26))
    enemies = np.array([[26.3, 16.6], [31.5, 24.2]])
    ground = Ground((60, 44), walls=walls, avoid=Outlines(enemies, np.full(2, foe.length / 2 + 1)))
    start, goal = (18.0, 18.0), (39.5, 22.0)
    for wall in walls:
        sheet.terrain("wall", wall)
        _grown(sheet, wall, base.length / 2)
    for enemy in enemies:
        ring = rim(core_of(foe), foe.length / 2 + 1 + base.length / 2, enemy)
        sheet.area(ring, PLAYER, 40)
        sheet.line([*ring, ring[0]], PLAYER, 0.025)
        sheet.base(foe, enemy, PLAYER)
    way = path(base.length / 2, start, goal, 100, ground)
    if isinstance(way, Path):
        far = way.length
        for k in range(math.floor(far / 1.5) + 1):
            sheet.base(base, way.at(k * 1.5).end, HORDE_COLOUR, alpha=60)
        sheet.line(polyline(way.start, way.legs), ACCENT, 0.08)
        sheet.label(f"{far:.4f} inches", (goal[0] - 1.5, goal[1] + 1.4), INK)
    sheet.base(base, start, HORDE_COLOUR)
    sheet.base(base, goal, HORDE_COLOUR)
    return sheet


def _grown(sheet: Sheet, wall: Polygon, radius: float) -> None:
    ring = []
    for k, corner in enumerate(wall):
        before, after = wall[k - 1], wall[(k + 1) % len(wall)]
        first = math.atan2(-(corner[0] - before[0]), corner[1] - before[1])
        turn = (math.atan2(-(after[0] - corner[0]), after[1] - corner[1]) - first) % math.tau
        ring += [
            (
                corner[0] + radius * math.cos(first + turn * s / 8),
                corner[1] + radius * math.sin(first + turn * s / 8),
            )
            for s in range(9)
        ]
    sheet.line([*ring, ring[0]], INK_SOFT, 0.025)


def draw_move() -> Sheet:
    """Draw a unit's move round the end of a wall: everyone's path, and where they end in coherency."""
    sheet = Sheet((14, 13), (22, 13))
    base, wall = round_base(32), box(22, 10, 23, 19.5)
    sheet.terrain("wall", wall)
    xy = np.array([[16 + 1.45 * (i % 4), 15 + 1.5 * (i // 4)] for i in range(10)])
    foes = Outlines(np.array([[33.0, 17.0], [33.0, 18.4]]), np.full(2, base.length / 2))
    ground = Ground((60, 44), walls=(wall,), avoid=foes.grown(1.0), no_end=foes)
    party = Party(xy, np.full(10, base.length / 2), np.full(10, 10.0))
    moved = move_toward(party, foes, ground, Spacing(), 1.001)
    for spot in foes.xy:
        sheet.base(base, spot, PLAYER)
    for spot in xy:
        sheet.base(base, spot, HORDE_COLOUR, alpha=70)
    if isinstance(moved, Moved):
        for way in moved.paths:
            sheet.line(polyline(way.start, way.legs) if way.legs else [way.start, way.start], ACCENT, 0.04)
        for way in moved.paths:
            sheet.base(base, way.end, HORDE_COLOUR)
    sheet.label("10 inches, as near to the enemy as the wall and coherency let them", (25, 25.2), INK_SOFT)
    return sheet


def draw_spawn() -> Sheet:
    """Draw twenty bases and a big one set up along the front of a spawning zone."""
    sheet = Sheet((0, 31), (18, 13))
    zone = box(0, 34, 15, 44)
    sheet.area(zone, HORDE_COLOUR, 50)
    sheet.line([*zone, zone[0]], HORDE_COLOUR, 0.05)
    front = ((0.0, 34.0), (15.0, 34.0))
    sheet.line(front, ACCENT, 0.1)
    small = round_base(32)
    radius = np.full(20, small.length / 2)
    placed = place_group(radius, Ground((60, 44), area=(zone,)), Spacing(), Front((front,)))
    if isinstance(placed, Placed):
        for spot in placed.xy:
            sheet.base(small, spot, HORDE_COLOUR)
    sheet.label("twenty bases, as near to the front as they fit", (9, 32.4), INK_SOFT)
    return sheet


PICTURES: dict[str, Callable[[], Sheet]] = {
    "sight": draw_sight,
    "outlines": draw_outlines,
    "path": draw_path,
    "move": draw_move,
    "spawn": draw_spawn,
}


def main(folder: str) -> None:
    """Write every picture into a folder."""
    pygame.font.init()
    for name, draw in PICTURES.items():
        file = File(folder) / f"geometry-{name}.png"
        draw().save(file)
        print(file.name)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit((__doc__ or "").strip())
    main(sys.argv[1])
