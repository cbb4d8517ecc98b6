"""Models on the board: bases to scale in their side's colour, with facing and wounds left.

Each picture of a base is drawn large, shrunk and kept. It knows where models stand from the state, or
from the playback while they move.
"""

from __future__ import annotations

import math
from collections import OrderedDict

import pygame

from engine.core.facts import BaseFacts
from engine.core.state import Model, State
from viewer.window.camera import Camera
from viewer.window.lettering import Lettering
from viewer.window.palette import BACKGROUND, INK, LOSS, SHOCK, Colour, mix, side_colour

Pair = tuple[float, float]

FINE = 4
KEPT = 3000
FACING_STEP = 5


class Tokens:
    """Draws models, keeping the pictures of their bases."""

    def __init__(self, lettering: Lettering) -> None:
        """Start with no picture."""
        self._lettering = lettering
        self._sprites: OrderedDict[tuple[object, ...], pygame.Surface] = OrderedDict()

    def draw(
        self,
        surface: pygame.Surface,
        camera: Camera,
        state: State,
        model: Model,
        *,
        at: Pair | None = None,
        chosen: bool = False,
        alpha: int = 255,
    ) -> None:
        """Draw a model where it stands, or `at` another place while it moves."""
        x, y = at if at is not None else map(float, state.position.table.xy[model.row])
        sx, sy = camera.to_screen(x, y)
        unit = state.position.units[model.unit]
        colour = side_colour(unit.side, _seat(state, unit.player))
        full = max(model.facts.characteristics.get("W", 1), 1)
        left = round(8 * max(model.wounds, 0) / full) / 8 if full > 1 else 1.0
        shocked = "battle-shocked" in unit.marks
        sprite = self._sprite(
            model.facts.base,
            camera.scale,
            float(state.position.table.facing[model.row]),
            colour,
            left,
            shocked,
            chosen,
        )
        if alpha < 255:
            sprite = sprite.copy()
            sprite.set_alpha(alpha)
        surface.blit(sprite, (sx - sprite.get_width() / 2, sy - sprite.get_height() / 2))
        room = min(model.facts.base.length, model.facts.base.width) * camera.scale
        if full > 1 and room >= 15 and alpha == 255:
            tone = INK if model.wounds == full else mix(INK, LOSS, 0.55)
            size = min(max(round(room * 0.46), 9), 26)
            self._lettering.draw(surface, f"{model.wounds}", (sx, sy), size, tone, bold=True, anchor="center")

    def _sprite(
        self,
        base: BaseFacts,
        scale: float,
        facing: float,
        colour: Colour,
        left: float,
        shocked: bool,
        chosen: bool,
    ) -> pygame.Surface:
        step = round(facing / FACING_STEP) * FACING_STEP % 360
        size = (base.shape, round(base.length * scale, 1), round(base.width * scale, 1))
        key = (*size, step, colour, left, shocked, chosen)
        found = self._sprites.get(key)
        if found is None:
            found = _paint(base, scale, step, colour, left, shocked, chosen)
            self._sprites[key] = found
            if len(self._sprites) > KEPT:
                self._sprites.popitem(last=False)
        return found


def outline(base: BaseFacts, facing: float, grow: float = 0.0) -> list[Pair]:
    """Return the outline of a base round (0, 0), y up, in inches, grown by some inches."""
    a, b = base.length / 2 + grow, base.width / 2 + grow
    if base.shape == "hull":
        corner = min(a, b) * 0.16
        points = [(a, b - corner), (a - corner, b), (corner - a, b), (-a, b - corner)]
        points += [(-x, -y) for x, y in points]
    else:
        turns = [math.tau * i / 48 for i in range(48)]
        points = [(a * math.cos(t), b * math.sin(t)) for t in turns]
    cos, sin = math.cos(math.radians(facing)), math.sin(math.radians(facing))
    return [(x * cos - y * sin, x * sin + y * cos) for x, y in points]


def _seat(state: State, player: str) -> int:
    seats = list(state.players)
    return seats.index(player) if player in seats else 0


def _paint(
    base: BaseFacts, scale: float, facing: float, colour: Colour, left: float, shocked: bool, chosen: bool
) -> pygame.Surface:
    size = math.ceil((math.hypot(base.length, base.width) + 0.6) * scale) + 8
    large = pygame.Surface((size * FINE, size * FINE), pygame.SRCALPHA)
    middle, unit = size * FINE / 2, scale * FINE

    def placed(grow: float, drop: float = 0.0) -> list[Pair]:
        ring = outline(base, facing, grow)
        return [(middle + x * unit, middle - y * unit + drop * unit) for x, y in ring]

    pygame.draw.polygon(large, (0, 0, 0, 90), placed(0.04, 0.1))
    if chosen:
        pygame.draw.polygon(large, (255, 255, 255, 255), placed(max(0.13, 2.0 / scale)))
    rim = min(max(0.09, 1.6 / scale), min(base.length, base.width) / 5)
    pygame.draw.polygon(large, (*mix(colour, BACKGROUND, 0.72), 255), placed(0.0))
    pygame.draw.polygon(large, (*(SHOCK if shocked else mix(colour, INK, 0.12)), 255), placed(-rim * 0.3))
    if left < 1.0:
        _paint_loss(large, placed(-rim * 0.3), middle, left, facing)
    pygame.draw.polygon(large, (*mix(colour, BACKGROUND, 0.42), 255), placed(-rim * 1.5))
    _paint_tick(large, base, facing, middle, unit, mix(colour, INK, 0.75))
    return pygame.transform.smoothscale(large, (size, size))


def _paint_loss(large: pygame.Surface, ring: list[Pair], middle: float, left: float, facing: float) -> None:
    """Darken the part of the rim that stands for wounds lost, clockwise from the facing."""
    lost = round(len(ring) * (1 - left))
    if lost:
        shown = [ring[-i % len(ring)] for i in range(lost + 1)]
        pygame.draw.polygon(large, (*mix(LOSS, BACKGROUND, 0.62), 255), [(middle, middle), *shown])


def _paint_tick(
    large: pygame.Surface, base: BaseFacts, facing: float, middle: float, unit: float, colour: Colour
) -> None:
    cos, sin = math.cos(math.radians(facing)), math.sin(math.radians(facing))
    tip = base.length / 2 + 0.14
    half = min(base.width * 0.25, 0.5)
    back = tip - half * 1.05
    points = [(tip, 0.0), (back, half), (back, -half)]
    placed = [(middle + (x * cos - y * sin) * unit, middle - (x * sin + y * cos) * unit) for x, y in points]
    pygame.draw.polygon(large, (*colour, 255), placed)
