"""What has just happened on the board: falls that fade, numbers that rise, trails.

What there is follows from the moment shown; only how far something has faded or risen is kept here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

import pygame

from engine.core.state import State
from viewer.story.aftermath import Fall, Toll, Trail, toll_at, trails
from viewer.story.motion import ease
from viewer.window.camera import Camera
from viewer.window.lettering import Lettering
from viewer.window.palette import Colour, mix
from viewer.window.playback import Playback

FADE, RISE = 0.4, 0.7
"""The seconds in which a fallen model fades, and in which a number rises."""
HEIGHT = 18
"""How far a number rises, in pixels at the usual size."""
MOST_AT_ONCE = 40
"""A playback that shows more entries than this at once has jumped."""
DOT = 7
"""The way between two dots of a trail, in pixels."""


@dataclass(slots=True)
class Afterglow:
    """The age of what happened last: of falls by row, of numbers by unit."""

    falls: dict[int, float] = field(default_factory=dict)
    numbers: dict[str, float] = field(default_factory=dict)
    _cursor: int = 0
    _of: int = 0
    _tolls: dict[str, Toll] = field(default_factory=dict)
    _key: tuple[int, int, int] = (-1, -1, -1)

    def tick(self, passed: float, playback: Playback) -> bool:
        """Let some seconds go by; return whether anything still moves."""
        self.falls = {row: age + passed for row, age in self.falls.items() if age + passed < FADE}
        self.numbers = {unit: age + passed for unit, age in self.numbers.items() if age + passed < RISE}
        before, self._cursor = self._cursor, playback.cursor
        same, self._of = self._of == id(playback.chronicle), id(playback.chronicle)
        gone_on = same and before < playback.cursor <= before + MOST_AT_ONCE
        if playback.less_motion or (before != playback.cursor and not gone_on):
            self.falls.clear()
            self.numbers.clear()
        elif gone_on:
            self._begin(playback, before)
        self.tolls(playback)
        return bool(self.falls or self.numbers)

    def _begin(self, playback: Playback, before: int) -> None:
        """Let fade and rise what happened in the entries after a moment."""
        for fall in playback.chronicle.fallen.between(before, playback.cursor):
            self.falls[fall.row] = 0.0
        known = dict(self._tolls)
        for unit, toll in self.tolls(playback).items():
            if toll != known.get(unit):
                self.numbers[unit] = 0.0

    def tolls(self, playback: Playback) -> dict[str, Toll]:
        """Return what units have lost in the act that is shown."""
        key = (id(playback.chronicle), playback.cursor, len(playback.chronicle))
        if key != self._key:
            self._key, self._tolls = key, toll_at(playback.chronicle.entries, playback.cursor)
        return self._tolls

    @property
    def fading(self) -> dict[int, int]:
        """Return how much is seen of models that fade, of 255, by row."""
        return {row: round(255 * (1 - ease(age / FADE))) for row, age in self.falls.items()}

    def risen(self, unit: str) -> float:
        """Return which part of its way a unit's number has risen."""
        age = self.numbers.get(unit)
        return 1.0 if age is None else ease(age / RISE)


def draw_marks(
    surface: pygame.Surface,
    camera: Camera,
    lettering: Lettering,
    state: State,
    falls: Iterable[Fall],
    fading: dict[int, int],
) -> list[pygame.Rect]:
    """Draw a crossed, dashed base where each model fell; return where."""
    boxes = []
    palette = lettering.palette
    for fall in falls:
        base = state.position.models[fall.row].facts.base
        radius = max(min(base.length, base.width) / 2 * camera.scale, 5.0)
        part = 1 - fading.get(fall.row, 0) / 255
        x, y = camera.to_screen(*fall.at)
        colour = mix(palette.ground, palette.loss, part)
        _dashed_ring(surface, (x, y), radius, colour, max(round(1.5 * lettering.sizes.ui), 1))
        arm, width = radius * 0.42, max(round(2 * lettering.sizes.ui), 2)
        pygame.draw.line(surface, colour, (x - arm, y - arm), (x + arm, y + arm), width)
        pygame.draw.line(surface, colour, (x - arm, y + arm), (x + arm, y - arm), width)
        boxes.append(pygame.Rect(round(x - radius), round(y - radius), round(2 * radius), round(2 * radius)))
    return boxes


def _dashed_ring(
    surface: pygame.Surface, middle: tuple[float, float], radius: float, colour: Colour, width: int
) -> None:
    parts = max(round(radius * 2 / 5), 6)
    box = pygame.Rect(0, 0, round(2 * radius), round(2 * radius))
    box.center = (round(middle[0]), round(middle[1]))
    for i in range(parts):
        first = math.tau * i / parts
        pygame.draw.arc(surface, colour, box, first, first + math.tau / parts * 0.6, width)


def draw_trails(
    surface: pygame.Surface, camera: Camera, lettering: Lettering, state: State, ways: Iterable[Trail]
) -> None:
    """Draw the ways of moves as dots, with a disc where each began."""
    palette = lettering.palette
    for trail in ways:
        unit = state.position.units.get(trail.unit)
        colour = palette.side_text(unit.side if unit is not None else "")
        points = [camera.to_screen(*point) for point in trail.points]
        pygame.draw.aacircle(surface, colour, points[0], max(lettering.u(4), 3))
        left = 0.0
        for (ax, ay), (bx, by) in pairwise(points):
            far = math.dist((ax, ay), (bx, by))
            while left < far:
                part = left / far
                dot = (ax + (bx - ax) * part, ay + (by - ay) * part)
                pygame.draw.aacircle(surface, colour, dot, max(lettering.u(1.3), 1))
                left += DOT * lettering.sizes.ui
            left -= far


def trails_of_phase(playback: Playback) -> list[Trail]:
    """Return the ways of the moves of the phase that is shown."""
    since = max(
        (stop.cursor for stop in playback.chronicle.phases if stop.cursor <= playback.cursor), default=0
    )
    # The move that is shown just now draws its own path.
    until = playback.effect.index if playback.effect is not None else playback.cursor
    return trails(playback.chronicle.entries, playback.chronicle.starts, since, until)


def draw_numbers(
    surface: pygame.Surface,
    lettering: Lettering,
    glow: Afterglow,
    rooms: dict[str, pygame.Rect],
    tolls: dict[str, Toll],
    taken: list[pygame.Rect],
) -> list[pygame.Rect]:
    """Draw what units have just lost beside them, clear of words; return where."""
    palette, boxes = lettering.palette, list[pygame.Rect]()
    board = surface.get_clip()
    size = lettering.on_board(20)
    for unit, toll in tolls.items():
        room, words = rooms.get(unit), number_words(toll)
        if room is None or not room.colliderect(board) or not words:
            continue
        wide = lettering.width(words, size, True) + 2
        box = _free(room, (wide, lettering.height(size, True)), board, [*taken, *boxes])
        boxes.append(box)
        sunk = round(HEIGHT * lettering.sizes.ui * (1 - glow.risen(unit)))
        colour = palette.good if toll.healed and not toll.wounds else palette.loss
        at = (box.centerx, box.y + sunk)
        lettering.draw(surface, words, at, size, colour, bold=True, anchor="midtop", shaded=True)
    return boxes


def number_words(toll: Toll) -> str:
    """Return what a unit lost, as it is written over it; "" for nothing."""
    words = [f"−{toll.wounds}"] if toll.wounds else []
    words += [f"+{toll.healed}"] if toll.healed else []
    return "  ".join(words) or (f"−{toll.models}" if toll.models else "")


def _free(
    room: pygame.Rect, size: tuple[int, int], board: pygame.Rect, taken: list[pygame.Rect]
) -> pygame.Rect:
    """Return the closest place over or beside a unit that covers no words."""
    spots = []
    for step in range(4):
        gap = 2 + step * (size[1] + 2)
        spots += [(room.centerx - size[0] // 2, room.y - size[1] - gap)]
        spots += [(room.right + gap, room.y - size[1] // 2), (room.x - size[0] - gap, room.y - size[1] // 2)]
    boxes = [pygame.Rect(x, y, *size) for x, y in spots]
    inside = [box.clamp(board) for box in boxes]
    return next((box for box in inside if box.collidelist(taken) < 0), inside[0])
