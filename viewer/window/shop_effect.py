"""On the board: for what the marked purchase could be made, and what it would reach there.

What that is comes from the engine's options and the purchase's record.
"""

from __future__ import annotations

import pygame

from engine.core.state import State, Unit
from engine.core.ware import WareTarget
from viewer.input.shopping import Shopping
from viewer.window.lettering import Lettering
from viewer.window.palette import Colour
from viewer.window.table import Table
from viewer.window.unit_outline import Outlines

Pair = tuple[float, float]
SEGMENTS = 40


class ShopEffect:
    """Draws targets: the marked one broad and named, the others thin; what it reaches dashed."""

    def __init__(self, table: Table) -> None:
        """Start with nothing drawn."""
        self._table = table
        self._outlines = Outlines()

    def draw(self, surface: pygame.Surface, shop: Shopping) -> None:
        """Draw the targets of the marked purchase."""
        ware, aimed = shop.ware, shop.aimed
        if ware is None or aimed is None:
            return
        state, palette = self._table.playback.state, self._table.lettering.palette
        clip = surface.get_clip()
        surface.set_clip(pygame.Rect(self._table.camera.viewport).clip(clip))
        for target in ware.targets:
            if target is not aimed:
                self._outline(surface, state, target, palette.soft, 1.4)
        for unit in aimed.reaches or ():
            if unit in state.position.units:
                self._round_unit(surface, state, state.position.units[unit], palette.accent, 2.0, dashed=True)
        spot = self._outline(surface, state, aimed, palette.accent, 2.6)
        if spot is not None:
            name = shop.name_of(ware, aimed)
            words = f"{ware.name}: {name}"
            note = shop.note_of(aimed)
            self._plate(surface, f"{words} · {note}" if note else words, spot)
        surface.set_clip(clip)

    def _outline(
        self, surface: pygame.Surface, state: State, target: WareTarget, colour: Colour, width: float
    ) -> Pair | None:
        """Draw a line round a target on the board; return where it ends below."""
        camera = self._table.camera
        unit_id, _, row = target.id.rpartition(":")
        if target.id in state.position.units:
            return self._round_unit(surface, state, state.position.units[target.id], colour, width)
        if unit_id in state.position.units and row.isdigit():
            return self._round_unit(surface, state, state.position.units[unit_id], colour, width, (int(row),))
        if target.id in state.position.objectives:
            at = state.position.objectives[target.id].at
            radius = max(3.0 * camera.scale, 8)
            x, y = camera.to_screen(*at)
            pygame.draw.aacircle(surface, colour, (round(x), round(y)), round(radius), round(width))
            return x, y + radius
        if target.id in state.position.terrain:
            ring = [camera.to_screen(*corner) for corner in state.position.terrain[target.id].footprint]
            pygame.draw.polygon(surface, colour, ring, round(width))
            return sum(x for x, _ in ring) / len(ring), max(y for _, y in ring)
        return None

    def _round_unit(
        self, surface: pygame.Surface, state: State, unit: Unit, colour: Colour, width: float,
        rows: tuple[int, ...] = (), *, dashed: bool = False,
    ) -> Pair | None:  # fmt: skip
        """Draw a line round models of a unit, all of them if none are named."""
        if unit.where != "table":
            return None
        camera, table = self._table.camera, state.position.table
        models = [model for model in state.position.alive(unit) if not rows or model.row in rows]
        bases = [
            (m.facts.base, float(table.xy[m.row, 0]), float(table.xy[m.row, 1]), float(table.facing[m.row]))
            for m in models
        ]
        if not bases:
            return None
        width *= self._table.lettering.sizes.ui
        self._outlines.draw(surface, camera, bases, colour, width, dashed=dashed, fill=0)
        at = [camera.to_screen(x, y) for _, x, y, _ in bases]
        half = max(base.length for base, *_ in bases) / 2 * camera.scale
        return sum(x for x, _ in at) / len(at), max(y for _, y in at) + half

    def _plate(self, surface: pygame.Surface, words: str, spot: Pair) -> None:
        lettering = self._table.lettering
        draw_word_plate(surface, lettering, pygame.Rect(self._table.camera.viewport), words, spot)


def draw_word_plate(
    surface: pygame.Surface, lettering: Lettering, room: pygame.Rect, words: str, spot: Pair
) -> pygame.Rect:
    """Draw words on a dark plate below a spot, within a room; return the plate."""
    palette, size = lettering.palette, lettering.on_board(12)
    shown = lettering.fitted(words, size, room.w - 24, True)
    box = pygame.Rect(0, 0, lettering.width(shown, size, True) + 16, lettering.height(size, True) + 8)
    x, y = round(spot[0]), round(spot[1])
    others = [each.box.inflate(16, 8) for each in lettering.written if room.colliderect(each.box)]
    tried = []
    for dx, dy in ((0, 8), (0, 40), (0, -2 * box.h - 60), (box.w // 2 + 40, -30), (-box.w // 2 - 40, -30)):
        place = box.copy()
        place.midtop = (x + dx, y + dy)
        tried.append(place.clamp(room))
    box = min(tried, key=lambda place: (len(place.collidelistall(others)), tried.index(place)))
    lettering.cover(box)
    pygame.draw.rect(surface, palette.background, box, border_radius=4)
    pygame.draw.rect(surface, palette.accent, box, 1, border_radius=4)
    lettering.draw(surface, shown, box.center, size, palette.accent, bold=True, anchor="center")
    return box
