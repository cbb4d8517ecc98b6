"""The ground of the battle: board, zones, terrain and markers, painted once per view.

The picture is kept until the camera or something on the ground changes. Models are not its business.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise

import pygame

from engine.core.facts import ZoneFacts
from engine.core.state import Objective, State
from viewer.story.name import inches, objective_name, plain
from viewer.window.camera import Camera
from viewer.window.lettering import Lettering
from viewer.window.palette import Colour, Palette, mix
from viewer.window.terrain import blend, hatch, paint

Pair = tuple[float, float]
MARKER_RADIUS = 20 / 25.4
CONTROL = 3.0
"""How far from a marker's edge models control it, in inches."""
FINE = 2
"""The ground is painted this many times larger and shrunk, which smooths its edges."""
TILE = 512
"""The side of the ground's tile, in pixels."""
LEGIBLE, SMALLEST = 15.0, 7.0
"""The least pixels an inch at which terrain has its name written, and the edge its inches."""


class GroundSprite:
    """The painted ground, kept until it changes; its words are written each time, over it."""

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
        key = (camera.key(), _key(state), self._lettering.palette.name)
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
            self._lettering.palette.name,
        )
        if self._bare is None or key != self._bare_key:
            self._bare, self._bare_key = self._paint_bare(camera, state), key
        picture = self._bare.copy()
        local = Camera((0, 0, width, height), camera.centre, camera.scale)
        for objective in state.position.objectives.values():
            _paint_objective(picture, local, objective, self._lettering.palette)
        for marker in state.position.markers.values():
            _paint_marker(picture, local, marker.at, self._lettering.palette)
        return picture

    def _paint_bare(self, camera: Camera, state: State) -> pygame.Surface:
        _, _, width, height = camera.viewport
        palette = self._lettering.palette
        fine = Camera((0, 0, width * FINE, height * FINE), camera.centre, camera.scale * FINE)
        large = pygame.Surface((width * FINE, height * FINE))
        large.fill(palette.background)
        _paint_board(large, fine, state, palette)
        drawn: set[frozenset[Pair]] = set()
        for zone in state.position.zones.values():
            _paint_zone(large, fine, zone, state, palette, drawn)
        for piece in state.position.terrain.values():
            paint(large, piece, fine.to_screen, fine.scale, palette)
        return pygame.transform.smoothscale(large, (width, height))

    # words

    def label(
        self,
        surface: pygame.Surface,
        camera: Camera,
        state: State,
        bases: list[pygame.Rect],
        counts: Mapping[str, tuple[str, str]] | None = None,
    ) -> list[pygame.Rect]:
        """Write what the ground says clear of the bases, and return where.

        That is inches, zones, terrain, markers and objectives, with the counts by which these are held.
        """
        taken: list[pygame.Rect] = []
        self._label_ruler(surface, camera, state, taken)
        known, taken = taken, [*taken, *bases]
        for objective in state.position.objectives.values():
            self._label_objective(surface, camera, objective, taken)
            self._label_count(surface, camera, objective, (counts or {}).get(objective.facts.id), taken)
        for zone in state.position.zones.values():
            self._label_zone(surface, camera, zone, taken)
        for piece in state.position.terrain.values() if camera.scale >= LEGIBLE else ():
            words = piece.kind.capitalize() + (f" {inches(piece.height)}" if piece.height else "")
            colour = mix(self._lettering.palette.terrain[piece.kind][1], self._lettering.palette.ink, 0.6)
            xs = [camera.to_screen(*p)[0] for p in piece.footprint]
            if self._lettering.width(words, self._lettering.on_board(11), True) < max(xs) - min(xs):
                at = camera.to_screen(*_middle(piece.footprint))
                self._write(surface, camera, words, at, 11, colour, taken)
        for marker in state.position.markers.values():
            x, y = camera.to_screen(*marker.at)
            spot = (x, y + camera.scale * 1.25)
            self._write(surface, camera, plain(marker.kind), spot, 11, self._lettering.palette.accent, taken)
        return [*known, *taken[len(known) + len(bases) :]]

    def _write(
        self, surface: pygame.Surface, camera: Camera, words: str, at: tuple[float, float], size: float,
        colour: Colour, taken: list[pygame.Rect], anchor: str = "center",
    ) -> None:  # fmt: skip
        """Write words with a soft shadow, where they fit and nothing else is written."""
        size = self._lettering.on_board(size)
        box = pygame.Rect(
            0, 0, self._lettering.width(words, size, True) + 2, self._lettering.height(size) + 2
        )
        setattr(box, anchor, (round(at[0]), round(at[1])))
        if pygame.Rect(camera.viewport).contains(box) and box.collidelist(taken) < 0:
            taken.append(box)
            self._lettering.draw(surface, words, at, size, colour, bold=True, anchor=anchor, shaded=True)

    def _label_objective(
        self, surface: pygame.Surface, camera: Camera, objective: Objective, taken: list[pygame.Rect]
    ) -> None:
        x, y = camera.to_screen(*objective.at)
        size = self._lettering.of_pixels(min(max(MARKER_RADIUS * camera.scale * 0.95, 11), 34))
        words = letters_of(objective.facts.id)
        box = pygame.Rect(0, 0, self._lettering.width(words, size, True), self._lettering.height(size))
        aside = (MARKER_RADIUS + CONTROL) * camera.scale * 0.7
        for middle in ((x, y), (x - aside, y + aside)):
            box.center = (round(middle[0]), round(middle[1]))
            if pygame.Rect(camera.viewport).contains(box) and box.collidelist(taken) < 0:
                taken.append(box)
                ink = self._lettering.palette.ink
                self._lettering.draw(
                    surface, words, middle, size, ink, bold=True, anchor="center", shaded=middle != (x, y)
                )
                break

    def _label_count(
        self,
        surface: pygame.Surface,
        camera: Camera,
        objective: Objective,
        count: tuple[str, str] | None,
        taken: list[pygame.Rect],
    ) -> None:
        """Write at a marker's ring by what it is held, in the holder's colour."""
        if count is None:
            return
        words, by = count
        x, y = camera.to_screen(*objective.at)
        far, before = (MARKER_RADIUS + CONTROL) * camera.scale, len(taken)
        for anchor, at in (
            ("midtop", (x, y + far + 3)),
            ("midbottom", (x, y - far - 3)),
            ("midleft", (x + far + 5, y)),
            ("midright", (x - far - 5, y)),
        ):
            self._write(surface, camera, words, at, 12, self._lettering.palette.side_text(by), taken, anchor)
            if len(taken) > before:
                return

    def _label_zone(
        self, surface: pygame.Surface, camera: Camera, zone: ZoneFacts, taken: list[pygame.Rect]
    ) -> None:
        words = {"spawn": f"SPAWN ZONE {zone.id}", "defender": "DEFENDER ZONE"}.get(zone.kind)
        if words is None:
            return
        palette = self._lettering.palette
        colour = palette.side_text("horde" if zone.kind == "spawn" else "players")
        xs, ys = [x for x, _ in zone.polygon], [y for _, y in zone.polygon]
        high = zone.kind == "defender" or (min(ys) + max(ys)) / 2 > 22
        right = zone.kind == "spawn" and min(xs) > 20
        x = (max(xs) - 0.5) if right else (min(xs) + 0.5)
        y = (max(ys) - 0.4) if high else (min(ys) + 0.4)
        anchor = ("top" if high else "bottom") + ("right" if right else "left")
        self._write(surface, camera, words, camera.to_screen(x, y), 11, colour, taken, anchor)

    def _label_ruler(
        self, surface: pygame.Surface, camera: Camera, state: State, taken: list[pygame.Rect]
    ) -> None:
        width, height = state.position.board.size
        if camera.scale < SMALLEST:
            return
        colour = self._lettering.palette.faint
        seen = pygame.Rect(camera.viewport)
        gap = max(camera.scale * 0.3, 5)
        for x in range(0, math.floor(width) + 1, 6):
            at = camera.to_screen(x, 0)
            self._number(surface, seen, x, (at[0], at[1] + gap), "midtop", colour, taken)
        for y in range(6, math.floor(height) + 1, 6):
            at = camera.to_screen(0, y)
            self._number(surface, seen, y, (at[0] - gap, at[1]), "midright", colour, taken)

    def _number(
        self, surface: pygame.Surface, seen: pygame.Rect, number: int, at: tuple[float, float], anchor: str,
        colour: Colour, taken: list[pygame.Rect],
    ) -> None:  # fmt: skip
        box = pygame.Rect(0, 0, self._lettering.width(f"{number}", 11), self._lettering.height(11))
        setattr(box, anchor, (round(at[0]), round(at[1])))
        if seen.contains(box) and box.collidelist(taken) < 0:
            taken.append(box)
            self._lettering.draw(surface, f"{number}", at, 11, colour, anchor=anchor)


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


def _paint_board(surface: pygame.Surface, camera: Camera, state: State, palette: Palette) -> None:
    width, height = state.position.board.size
    corners = [camera.to_screen(*p) for p in ((0, 0), (width, 0), (width, height), (0, height))]
    pygame.draw.polygon(surface, palette.ground, corners)
    _grain(surface, camera, (width, height))
    for x in range(3, math.ceil(width), 3):
        colour = mix(palette.ground, palette.grid, 1.0 if x % 12 == 0 else 0.5)
        pygame.draw.line(surface, colour, camera.to_screen(x, 0), camera.to_screen(x, height), FINE)
    for y in range(3, math.ceil(height), 3):
        colour = mix(palette.ground, palette.grid, 1.0 if y % 12 == 0 else 0.5)
        pygame.draw.line(surface, colour, camera.to_screen(0, y), camera.to_screen(width, y), FINE)
    pygame.draw.polygon(surface, palette.edge, corners, 2 * FINE)


@lru_cache(maxsize=1)
def _noise() -> pygame.Surface:
    """Return a tile of soft spots, the same every time."""
    side = TILE // 16
    small = pygame.Surface((side * 3, side * 3))
    for x in range(side * 3):
        for y in range(side * 3):
            # A mixed number of the place within the tile: the eye finds no pattern in it.
            place = (x % side) * side + y % side + 1
            place = (place ^ (place >> 5)) * 0x45D9F3B % (1 << 32)
            place = (place ^ (place >> 13)) * 0x45D9F3B % (1 << 32)
            shade = (place ^ (place >> 16)) % 256
            small.set_at((x, y), (shade, shade, shade))
    large = pygame.transform.smoothscale(small, (TILE * 3, TILE * 3))
    tile = large.subsurface((TILE, TILE, TILE, TILE)).copy()
    tile.set_alpha(15)
    return tile


def _grain(surface: pygame.Surface, camera: Camera, size: tuple[float, float]) -> None:
    """Lay the tile of soft spots over the board, where it is seen."""
    left, foot = camera.to_screen(0, 0)
    right, top = camera.to_screen(*size)
    board = pygame.Rect(round(left), round(top), round(right - left), round(foot - top))
    seen = board.clip(surface.get_rect())
    clip = surface.get_clip()
    surface.set_clip(seen)
    tile = _noise()
    for x in range(seen.x - (seen.x - board.x) % TILE, seen.right, TILE):
        for y in range(seen.y - (seen.y - board.y) % TILE, seen.bottom, TILE):
            surface.blit(tile, (x, y))
    surface.set_clip(clip)


def _paint_zone(
    surface: pygame.Surface,
    camera: Camera,
    zone: ZoneFacts,
    state: State,
    palette: Palette,
    drawn: set[frozenset[Pair]],
) -> None:
    """Paint a zone: a tint, and its borders within the board, each of them once."""
    colour = palette.zone(zone.kind)
    outline = [camera.to_screen(*p) for p in zone.polygon]
    screen = surface.get_rect()
    seen = [(min(max(x, -50.0), screen.w + 50.0), min(max(y, -50.0), screen.h + 50.0)) for x, y in outline]
    if zone.kind in ("no-mans-land", "horde"):
        return
    blend(surface, seen, colour, 26)
    for a, b in pairwise([*zone.polygon, zone.polygon[0]]):
        if not _is_edge(a, b, state) and frozenset((a, b)) not in drawn:
            drawn.add(frozenset((a, b)))
            _border(surface, camera, zone, (a, b), palette)


def _border(
    surface: pygame.Surface, camera: Camera, zone: ZoneFacts, line: tuple[Pair, Pair], palette: Palette
) -> None:
    """Draw a border: with a hatched strip where the zone fronts No Man's Land, else dashed."""
    colour = palette.zone(zone.kind)
    a, b = (camera.to_screen(*p) for p in line)
    if zone.kind == "spawn" and not _is_front(line, zone):
        _dashes(surface, [a, b], mix(colour, palette.ground, 0.4), camera.scale)
        return
    mx, my = _middle(zone.polygon)
    (ax, ay), (bx, by) = line
    far = math.dist(*line) or 1.0
    nx, ny = -(by - ay) / far, (bx - ax) / far
    if (mx - ax) * nx + (my - ay) * ny < 0:
        nx, ny = -nx, -ny
    strip = [
        a,
        b,
        camera.to_screen(bx + 0.4 * nx, by + 0.4 * ny),
        camera.to_screen(ax + 0.4 * nx, ay + 0.4 * ny),
    ]
    hatch(
        surface,
        strip,
        0.5 * camera.scale,
        mix(colour, palette.ground, 0.25),
        max(round(0.12 * camera.scale), 1),
    )
    pygame.draw.line(surface, mix(colour, palette.ground, 0.1), a, b, 2 * FINE)


def _is_front(line: tuple[Pair, Pair], zone: ZoneFacts) -> bool:
    """Return whether a border of a spawn zone is its front; where none is known, every one is."""
    return not zone.front or any(
        _off(line[0], front) < 0.05 and _off(line[1], front) < 0.05 for front in zone.front
    )


def _off(point: Pair, line: tuple[Pair, Pair]) -> float:
    """Return how far a point is from the line through two others."""
    (ax, ay), (bx, by) = line
    far = math.dist(*line) or 1.0
    return abs((bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax)) / far


def _is_edge(a: Pair, b: Pair, state: State) -> bool:
    """Return whether a border is the board's own edge."""
    width, height = state.position.board.size
    return any(
        (a[axis] == value and b[axis] == value)
        for axis, values in ((0, (0.0, width)), (1, (0.0, height)))
        for value in values
    )


def _dashes(surface: pygame.Surface, points: list[Pair], colour: Colour, scale: float) -> None:
    step = max(0.45 * scale, 4.0)
    for a, b in pairwise(points):
        far = math.dist(a, b)
        parts = min(int(far / step), 400)
        for i in range(0, parts, 2):
            s, t = i / parts, (i + 1) / parts
            head = (a[0] + (b[0] - a[0]) * s, a[1] + (b[1] - a[1]) * s)
            foot = (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t)
            pygame.draw.line(surface, colour, head, foot, FINE)


def letters_of(objective: str) -> str:
    """Return a marker's sign: its letter or number, or the initials of its name."""
    name = objective_name(objective)
    if name.startswith("objective "):
        return name.removeprefix("objective ").upper()
    return "".join(word[0] for word in name.removeprefix("the ").split()).upper()[:3]


def _paint_objective(surface: pygame.Surface, camera: Camera, objective: Objective, palette: Palette) -> None:
    """Paint a marker and the reach of its control: dashed where nobody holds it."""
    colour = palette.holder(objective.by)
    scale = camera.scale * FINE
    reach = (MARKER_RADIUS + CONTROL) * scale
    side = math.ceil(reach / FINE) + 2
    patch = pygame.Surface((2 * side * FINE, 2 * side * FINE), pygame.SRCALPHA)
    patch.fill((*colour, 0))
    middle = (side * FINE, side * FINE)
    width = max(FINE, round(0.08 * scale))
    if objective.by:
        pygame.draw.circle(patch, (*colour, 40), middle, reach)
        pygame.draw.circle(patch, (*colour, 235), middle, reach, width)
    else:
        _dashed_circle(patch, middle, reach - width / 2, (*palette.soft, 230), width)
    pygame.draw.circle(patch, (*palette.background, 255), middle, MARKER_RADIUS * scale)
    rim = max(FINE, round(0.12 * scale))
    tone = colour if objective.by else palette.soft
    pygame.draw.circle(patch, (*tone, 255), middle, MARKER_RADIUS * scale, rim)
    x, y = camera.to_screen(*objective.at)
    picture = pygame.transform.smoothscale(patch, (2 * side, 2 * side))
    surface.blit(picture, (round(x) - side, round(y) - side))


def _dashed_circle(
    surface: pygame.Surface, middle: Pair, radius: float, colour: tuple[int, int, int, int], width: int
) -> None:
    for i in range(0, 56, 2):
        a, b = (math.tau * (i + k) / 56 for k in (0, 1.1))
        head = (middle[0] + radius * math.cos(a), middle[1] + radius * math.sin(a))
        foot = (middle[0] + radius * math.cos(b), middle[1] + radius * math.sin(b))
        pygame.draw.line(surface, colour, head, foot, width)


def _paint_marker(surface: pygame.Surface, camera: Camera, at: Pair, palette: Palette) -> None:
    x, y = camera.to_screen(*at)
    radius = MARKER_RADIUS * camera.scale
    corners = [(x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)]
    pygame.draw.polygon(surface, mix(palette.accent, palette.background, 0.6), corners)
    pygame.draw.polygon(surface, palette.accent, corners, max(FINE, round(0.1 * camera.scale)))
