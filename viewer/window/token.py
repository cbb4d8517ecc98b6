"""Models on the board: bases to scale with their side's rim, role, wounds and facing.

Each picture of a base is painted large, shrunk and kept. Players have a smooth rim, the Horde a toothed one;
the outer edge is the true base in both.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from typing import NamedTuple

import pygame

from engine.core.facts import BaseFacts
from engine.core.state import Model, State
from viewer.story.role import role_of
from viewer.window.camera import Camera
from viewer.window.glyph import draw_glyph
from viewer.window.lettering import Lettering
from viewer.window.palette import Colour, Palette, mix

Pair = tuple[float, float]

FINE = 4
KEPT = 3000
FACING_STEP = 5
SEGMENTS = 6
"""The most wounds that the rim tells by its parts."""
BARE = 14
"""A base of fewer pixels has no sign."""
NUMBERED = 68
"""The least length, in pixels, of a base on which its wounds are written."""
LARGE = 59 / 25.4
"""From this length on, in inches, a base has more and smaller teeth."""
DIMMED = 115
"""How much is seen of a unit that is done, of 255."""


class Face(NamedTuple):
    """What a picture of a base shows: two models with the same face share it."""

    shape: str
    long: int
    wide: int
    step: int
    colour: Colour
    role: str
    left: int
    full: int
    toothed: bool
    alpha: int


class Tokens:
    """Draws models, keeping the pictures of their bases."""

    def __init__(self, lettering: Lettering) -> None:
        """Start with no picture."""
        self._lettering = lettering
        self._sprites: OrderedDict[tuple[object, ...], pygame.Surface] = OrderedDict()

    def draw(
        self, surface: pygame.Surface, camera: Camera, state: State, model: Model,
        *, at: Pair | None = None, alpha: int = 255,
    ) -> pygame.Rect | None:  # fmt: skip
        """Draw a model where it stands, or `at` another place; return where its wounds are written."""
        x, y = at if at is not None else map(float, state.position.table.xy[model.row])
        sx, sy = camera.to_screen(x, y)
        face = self._face(camera, state, model, alpha)
        sprite = self._sprite(face, model.facts.base, camera.scale)
        surface.blit(sprite, (round(sx - sprite.get_width() / 2), round(sy - sprite.get_height() / 2)))
        return self._number(surface, face, (sx, sy), camera.scale)

    def _face(self, camera: Camera, state: State, model: Model, alpha: int) -> Face:
        unit, base = state.position.units[model.unit], model.facts.base
        seats = list(state.players)
        seat = seats.index(unit.player) if unit.player in seats else 0
        facing = float(state.position.table.facing[model.row]) if base.shape != "round" else 0.0
        return Face(
            shape=base.shape,
            long=round(base.length * camera.scale),
            wide=round(base.width * camera.scale),
            step=round(facing / FACING_STEP) * FACING_STEP % 360,
            colour=self._lettering.palette.side(unit.side, seat),
            role=role_of(unit.facts, model.facts.part),
            left=max(model.wounds, 0),
            full=max(model.facts.characteristics.get("W", 1), model.wounds, 1),
            toothed=unit.side == "horde",
            alpha=round(alpha / 15) * 15,
        )

    def _sprite(self, face: Face, base: BaseFacts, scale: float) -> pygame.Surface:
        key = (face, self._lettering.palette.name)
        found = self._sprites.get(key)
        if found is None:
            found = paint(face, base, scale, self._lettering.palette)
            if face.alpha < 255:
                found.set_alpha(face.alpha)
            self._sprites[key] = found
            if len(self._sprites) > KEPT:
                self._sprites.popitem(last=False)
        else:
            self._sprites.move_to_end(key)
        return found

    def _number(self, surface: pygame.Surface, face: Face, at: Pair, scale: float) -> pygame.Rect | None:
        """Write the wounds of a model that has many, where there is room on its base; return where."""
        if face.full <= SEGMENTS or face.long < NUMBERED or scale < 16 or face.alpha < 255:
            return None
        ink = self._lettering.palette.ink
        size = self._lettering.of_pixels(min(max(round(_low(face) * 0.22), 11), 30))
        words = f"{face.left}/{face.full}"
        spot = (at[0], at[1] + _low(face) * 0.3)
        return self._lettering.draw(surface, words, spot, size, ink, bold=True, anchor="center")


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


def _low(face: Face) -> float:
    """Return how high the base is on the screen, about, as it is turned."""
    turn = math.radians(face.step)
    return abs(face.long * math.sin(turn)) + abs(face.wide * math.cos(turn))


def paint(face: Face, base: BaseFacts, scale: float, palette: Palette) -> pygame.Surface:
    """Return the picture of a base; its middle is the picture's."""
    size = math.ceil(math.hypot(base.length, base.width) * scale) + 12 + round(0.8 * scale)
    large = pygame.Surface((size * FINE, size * FINE), pygame.SRCALPHA)
    middle, unit = size * FINE / 2, scale * FINE

    def placed(grow: float, drop: float = 0.0) -> list[Pair]:
        ring = outline(base, face.step, grow)
        return [(middle + x * unit, middle - y * unit + drop * unit) for x, y in ring]

    pygame.draw.polygon(large, (0, 0, 0, 90), placed(0.04, 0.1))
    rim = min(max(0.11, 2.2 / scale), min(base.length, base.width) / 5)
    body = mix(face.colour, palette.background, 0.7)
    if face.long < BARE and base.shape == "round":
        pygame.draw.polygon(large, (*face.colour, 255), placed(0.0))
        return pygame.transform.smoothscale(large, (size, size))
    if face.shape != "round":
        _wedge(large, base, face, middle, unit, mix(face.colour, palette.ink, 0.35))
    _rim(large, placed(0.0), middle, face, palette, body)
    inner = placed(-rim)
    pygame.draw.polygon(large, (*body, 255), _toothed(inner, middle, base) if _is_spiked(face) else inner)
    if face.toothed and not _is_spiked(face):
        _teeth(large, base, face, rim, middle, unit)
    _sign(large, face, middle, palette)
    return pygame.transform.smoothscale(large, (size, size))


def _is_spiked(face: Face) -> bool:
    """Return whether the rim has its teeth all round."""
    return face.toothed and face.shape != "hull"


def _rim(
    large: pygame.Surface, ring: list[Pair], middle: float, face: Face, palette: Palette, gap: Colour
) -> None:
    """Paint the rim: as many parts as wounds, clockwise from the top, those lost in a dull red."""
    pygame.draw.polygon(large, (*face.colour, 255), ring)
    if not 1 < face.full <= SEGMENTS or face.shape == "hull":
        return
    reach = max(math.dist(p, (middle, middle)) for p in ring) * 1.2
    lost = face.full - face.left
    for i in range(face.full):
        first, last = (math.tau * each / face.full - math.pi / 2 for each in (i, i + 1))
        if i >= face.full - lost:
            steps = [first + (last - first) * k / 8 for k in range(9)]
            wedge = [(middle + reach * math.cos(t), middle + reach * math.sin(t)) for t in steps]
            _within(large, [(middle, middle), *wedge], ring, palette.spent)
    for i in range(face.full):
        turn = math.tau * i / face.full - math.pi / 2
        end = (middle + reach * math.cos(turn), middle + reach * math.sin(turn))
        _within_line(large, (middle, middle), end, ring, gap)


def _within(large: pygame.Surface, area: list[Pair], ring: list[Pair], colour: Colour) -> None:
    """Paint an area where it lies within a ring."""
    sheet = pygame.Surface(large.get_size(), pygame.SRCALPHA)
    pygame.draw.polygon(sheet, (*colour, 255), area)
    _keep(sheet, ring)
    large.blit(sheet, (0, 0))


def _within_line(large: pygame.Surface, a: Pair, b: Pair, ring: list[Pair], colour: Colour) -> None:
    sheet = pygame.Surface(large.get_size(), pygame.SRCALPHA)
    pygame.draw.line(sheet, (*colour, 255), a, b, FINE * 2)
    _keep(sheet, ring)
    large.blit(sheet, (0, 0))


def _keep(sheet: pygame.Surface, ring: list[Pair]) -> None:
    mask = pygame.Surface(sheet.get_size(), pygame.SRCALPHA)
    pygame.draw.polygon(mask, (255, 255, 255, 255), ring)
    sheet.blit(mask, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)


def _toothed(inner: list[Pair], middle: float, base: BaseFacts) -> list[Pair]:
    """Return the inside of a rim whose teeth point inward: 11, on a base from 60 mm on 18."""
    teeth, reach = (18, 0.1) if base.length >= LARGE else (11, 0.2)
    found = []
    for i in range(2 * teeth):
        turn = (i / (2 * teeth)) * len(inner)
        a, b = inner[int(turn) % len(inner)], inner[(int(turn) + 1) % len(inner)]
        part = turn - int(turn)
        x, y = a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part
        in_ = 1.0 - reach * (i % 2)
        found.append((middle + (x - middle) * in_, middle + (y - middle) * in_))
    return found


def _teeth(
    large: pygame.Surface, base: BaseFacts, face: Face, rim: float, middle: float, unit: float
) -> None:
    """Paint teeth along both long sides of a hull."""
    cos, sin = math.cos(math.radians(face.step)), math.sin(math.radians(face.step))
    half, side = base.length / 2 * 0.84, base.width / 2 - rim * 0.9
    count = max(round(base.length * 2.0), 4)
    deep = min(base.width * 0.09, 0.32)
    for sign in (1, -1):
        for i in range(count):
            x = -half + 2 * half * i / count
            points = ((x, side), (x + 2 * half / count, side), (x + half / count, side - deep))
            turned = [(px * cos - py * sign * sin, px * sin + py * sign * cos) for px, py in points]
            placed = [(middle + px * unit, middle - py * unit) for px, py in turned]
            pygame.draw.polygon(large, (*face.colour, 255), placed)


def _wedge(
    large: pygame.Surface, base: BaseFacts, face: Face, middle: float, unit: float, colour: Colour
) -> None:
    cos, sin = math.cos(math.radians(face.step)), math.sin(math.radians(face.step))
    half = min(base.width * 0.16, 0.42)
    back, tip = base.length / 2 - 0.02, base.length / 2 + half * 0.95
    points = [(tip, 0.0), (back, half), (back, -half)]
    placed = [(middle + (x * cos - y * sin) * unit, middle - (x * sin + y * cos) * unit) for x, y in points]
    pygame.draw.polygon(large, (*colour, 255), placed)


def _sign(large: pygame.Surface, face: Face, middle: float, palette: Palette) -> None:
    """Paint the role's sign, and a bar of wounds under it where the rim does not tell them."""
    colour = (
        mix(palette.horde_text, face.colour, 0.2) if face.toothed else mix(palette.ink, face.colour, 0.12)
    )
    low = min(_low(face), min(face.long, face.wide) * 1.25)
    if face.full <= SEGMENTS and face.shape != "hull":
        draw_glyph(large, face.role, (middle, middle), min(face.long, face.wide) * 0.56 * FINE, colour)
        return
    numbered = face.long >= NUMBERED
    shift = low * (0.17 if numbered else 0.1)
    draw_glyph(large, face.role, (middle, middle - shift * FINE), low * 0.42 * FINE, colour)
    wide = min(face.long, face.wide) * 0.62
    high = max(low * 0.06, 2.0)
    top = middle + low * (0.11 if numbered else 0.2) * FINE
    box = pygame.Rect(round(middle - wide / 2 * FINE), round(top), round(wide * FINE), round(high * FINE))
    pygame.draw.rect(large, (0, 0, 0, 255), box, border_radius=FINE)
    left = face.left / face.full
    tone = palette.good if left > 0.5 else palette.accent if left > 0.25 else palette.loss
    pygame.draw.rect(large, (*tone, 255), (box.x, box.y, round(box.w * left), box.h), border_radius=FINE)
