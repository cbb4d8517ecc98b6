"""The ground of the battle: board, zones, terrain and markers, painted once per view.

The picture is kept until the camera or something on the ground changes. Models are not its business.
"""

from __future__ import annotations

import math
from itertools import pairwise

import pygame

from engine.core.facts import ZoneFacts
from engine.core.state import Objective, State
from viewer.story.name import inches, listed, objective_name, plain, seat_name
from viewer.window.camera import Camera
from viewer.window.lettering import Lettering
from viewer.window.palette import (
    ACCENT,
    BACKGROUND,
    EDGE,
    GRID,
    GRID_FOOT,
    GROUND,
    HORDE_COLOUR,
    INK,
    INK_FAINT,
    INK_SOFT,
    NEUTRAL,
    PLAYERS_COLOURS,
    TERRAIN,
    ZONES,
    Colour,
    mix,
)
from viewer.window.terrain import blend, hatch, paint

MARKER_RADIUS = 20 / 25.4
CONTROL = 3.0
"""How far from a marker's edge models control it, in inches."""
FINE = 2
"""The ground is painted this many times larger and shrunk, which smooths its edges."""


class GroundSprite:
    """The painted ground, kept until it changes."""

    def __init__(self, lettering: Lettering) -> None:
        """Start with nothing painted."""
        self._lettering = lettering
        self._key: tuple[object, ...] = ()
        self._picture: pygame.Surface | None = None
        self._bare_key: tuple[object, ...] = ()
        self._bare: pygame.Surface | None = None
        """Board, zones and terrain, which seldom change."""

    def draw(self, surface: pygame.Surface, camera: Camera, state: State) -> None:
        """Draw the ground into the camera's viewport."""
        key = (camera.key(), _key(state))
        if self._picture is None or key != self._key:
            self._picture, self._key = self._paint(camera, state), key
        surface.blit(self._picture, camera.viewport[:2])

    def _paint(self, camera: Camera, state: State) -> pygame.Surface:
        _, _, width, height = camera.viewport
        key = (
            camera.key(),
            state.position.board.size,
            tuple(state.position.terrain),
            tuple(state.position.zones),
        )
        if self._bare is None or key != self._bare_key:
            self._bare, self._bare_key = self._paint_bare(camera, state), key
        picture = self._bare.copy()
        local = Camera((0, 0, width, height), camera.centre, camera.scale)
        for objective in state.position.objectives.values():
            _paint_objective(picture, local, objective)
        self._label(picture, local, state)
        return picture

    def _paint_bare(self, camera: Camera, state: State) -> pygame.Surface:
        _, _, width, height = camera.viewport
        fine = Camera((0, 0, width * FINE, height * FINE), camera.centre, camera.scale * FINE)
        large = pygame.Surface((width * FINE, height * FINE))
        large.fill(BACKGROUND)
        _paint_board(large, fine, state)
        for zone in state.position.zones.values():
            _paint_zone(large, fine, zone)
        for piece in state.position.terrain.values():
            paint(large, piece.kind, [fine.to_screen(*p) for p in piece.footprint], fine.scale)
        return pygame.transform.smoothscale(large, (width, height))

    def _label(self, picture: pygame.Surface, camera: Camera, state: State) -> None:
        self._label_ruler(picture, camera, state)
        size = min(max(round(camera.scale * 0.68), 9), 15)
        for zone in state.position.zones.values():
            self._label_zone(picture, camera, zone, size)
        for piece in state.position.terrain.values():
            x, y = _middle(piece.footprint)
            words = piece.kind.upper() + (f" {inches(piece.height)}" if piece.height else "")
            colour = mix(TERRAIN[piece.kind][1], INK, 0.45)
            self._shaded(picture, words, camera.to_screen(x, y), size - 1, colour)
        for objective in state.position.objectives.values():
            x, y = camera.to_screen(*objective.at)
            short = _letters(objective.facts.id)
            self._shaded(picture, short, (x, y), max(size, 10), INK)
            if objective.by:
                several = len(state.players) > 1 and objective.by == "players"
                names = listed([seat_name(state, p) for p in objective.players])
                holder = names if several and names else objective.by
                tone = mix(holder_colour(objective), INK, 0.35)
                self._shaded(picture, holder.upper(), (x, y + 1.35 * camera.scale), max(size - 2, 8), tone)
        for marker in state.position.markers.values():
            x, y = camera.to_screen(*marker.at)
            _paint_marker(picture, camera, marker.at)
            self._shaded(picture, plain(marker.kind), (x, y + camera.scale * 1.2), size - 1, ACCENT)

    def _shaded(
        self, picture: pygame.Surface, words: str, at: tuple[float, float], size: int, colour: Colour
    ) -> None:
        """Draw words in the middle of a place with a soft shadow, legible on any ground."""
        x, y = at
        for dx, dy in ((-1, 0), (1, 0), (0, 1), (0, -1)):
            self._lettering.draw(
                picture, words, (x + dx, y + dy), size, BACKGROUND, bold=True, anchor="center"
            )
        self._lettering.draw(picture, words, (x, y), size, colour, bold=True, anchor="center")

    def _label_zone(self, picture: pygame.Surface, camera: Camera, zone: ZoneFacts, size: int) -> None:
        words = {"spawn": f"SPAWN ZONE {zone.id}", "defender": "DEFENDER ZONE"}.get(zone.kind)
        if words is None:
            return
        left = min(x for x, _ in zone.polygon)
        if zone.kind == "spawn":
            at, anchor = (left + 0.5, max(y for _, y in zone.polygon) - 0.5), "topleft"
        else:
            at, anchor = (left + 0.5, min(y for _, y in zone.polygon) + 0.5), "bottomleft"
        colour = mix(ZONES[zone.kind], INK_SOFT, 0.3)
        self._lettering.draw(picture, words, camera.to_screen(*at), size, colour, bold=True, anchor=anchor)

    def _label_ruler(self, picture: pygame.Surface, camera: Camera, state: State) -> None:
        width, height = state.position.board.size
        if camera.scale < 7:
            return
        for x in range(0, math.floor(width) + 1, 6):
            at = camera.to_screen(x, -0.4)
            self._lettering.draw(picture, f"{x}", at, 10, INK_FAINT, anchor="midtop")
        for y in range(0, math.floor(height) + 1, 6):
            at = camera.to_screen(-0.4, y)
            self._lettering.draw(picture, f"{y}", at, 10, INK_FAINT, anchor="midright")


def holder_colour(objective: Objective) -> Colour:
    """Return the colour of the side that controls an objective marker."""
    return {"horde": HORDE_COLOUR, "players": PLAYERS_COLOURS[0]}.get(objective.by, NEUTRAL)


def _key(state: State) -> tuple[object, ...]:
    return (
        state.position.board.size,
        tuple(state.position.terrain),
        tuple(state.position.zones),
        tuple((o.facts.id, o.by, o.players) for o in state.position.objectives.values()),
        tuple((m.id, m.at) for m in state.position.markers.values()),
    )


def _middle(outline: tuple[tuple[float, float], ...]) -> tuple[float, float]:
    return sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline)


def _paint_board(surface: pygame.Surface, camera: Camera, state: State) -> None:
    width, height = state.position.board.size
    corners = [camera.to_screen(*p) for p in ((0, 0), (width, 0), (width, height), (0, height))]
    pygame.draw.polygon(surface, GROUND, corners)
    for x in range(3, math.ceil(width), 3):
        colour = GRID_FOOT if x % 12 == 0 else GRID
        pygame.draw.line(surface, colour, camera.to_screen(x, 0), camera.to_screen(x, height), FINE)
    for y in range(3, math.ceil(height), 3):
        colour = GRID_FOOT if y % 12 == 0 else GRID
        pygame.draw.line(surface, colour, camera.to_screen(0, y), camera.to_screen(width, y), FINE)
    pygame.draw.polygon(surface, EDGE, corners, 2 * FINE)


def _paint_zone(surface: pygame.Surface, camera: Camera, zone: ZoneFacts) -> None:
    colour = ZONES.get(zone.kind, NEUTRAL)
    outline = [camera.to_screen(*p) for p in zone.polygon]
    screen = surface.get_rect()
    seen = [(min(max(x, -50.0), screen.w + 50.0), min(max(y, -50.0), screen.h + 50.0)) for x, y in outline]
    if zone.kind == "no-mans-land":
        return
    if zone.kind == "horde":
        _dashes(surface, [*outline, outline[0]], mix(colour, GROUND, 0.45), camera.scale)
        return
    blend(surface, seen, colour, 22)
    if zone.kind == "spawn":
        hatch(surface, seen, 1.5 * camera.scale, mix(colour, GROUND, 0.82), FINE)
    _dashes(surface, [*outline, outline[0]], mix(colour, GROUND, 0.4), camera.scale)
    for a, b in zone.front:
        pygame.draw.line(
            surface, mix(colour, GROUND, 0.15), camera.to_screen(*a), camera.to_screen(*b), 2 * FINE
        )


def _dashes(surface: pygame.Surface, points: list[tuple[float, float]], colour: Colour, scale: float) -> None:
    step = max(0.45 * scale, 4.0)
    for a, b in pairwise(points):
        far = math.dist(a, b)
        parts = min(int(far / step), 400)
        for i in range(0, parts, 2):
            s, t = i / parts, (i + 1) / parts
            head = (a[0] + (b[0] - a[0]) * s, a[1] + (b[1] - a[1]) * s)
            foot = (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t)
            pygame.draw.line(surface, colour, head, foot, FINE)


def _letters(objective: str) -> str:
    """Return a marker's sign: its letter or number, or the initials of its name."""
    name = objective_name(objective)
    if name.startswith("objective "):
        return name.removeprefix("objective ").upper()
    return "".join(word[0] for word in name.removeprefix("the ").split()).upper()[:3]


def _paint_objective(surface: pygame.Surface, camera: Camera, objective: Objective) -> None:
    """Paint a marker and the reach of its control: large, and shrunk, as the rest of the ground."""
    colour = holder_colour(objective)
    scale = camera.scale * FINE
    reach = (MARKER_RADIUS + CONTROL) * scale
    side = math.ceil(reach / FINE) + 2
    patch = pygame.Surface((2 * side * FINE, 2 * side * FINE), pygame.SRCALPHA)
    patch.fill((*colour, 0))
    middle = (side * FINE, side * FINE)
    pygame.draw.circle(patch, (*colour, 46 if objective.by else 18), middle, reach)
    pygame.draw.circle(patch, (*colour, 210), middle, reach, max(FINE, round(0.09 * scale)))
    pygame.draw.circle(patch, (*mix(colour, BACKGROUND, 0.55), 255), middle, MARKER_RADIUS * scale)
    rim = max(FINE, round(0.14 * scale))
    pygame.draw.circle(patch, (*colour, 255), middle, MARKER_RADIUS * scale, rim)
    x, y = camera.to_screen(*objective.at)
    picture = pygame.transform.smoothscale(patch, (2 * side, 2 * side))
    surface.blit(picture, (round(x) - side, round(y) - side))


def _paint_marker(surface: pygame.Surface, camera: Camera, at: tuple[float, float]) -> None:
    x, y = camera.to_screen(*at)
    radius = MARKER_RADIUS * camera.scale
    corners = [(x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)]
    pygame.draw.polygon(surface, mix(ACCENT, BACKGROUND, 0.6), corners)
    pygame.draw.polygon(surface, ACCENT, corners, max(FINE, round(0.1 * camera.scale)))
