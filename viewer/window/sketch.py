"""The drawings of a question over the board: reaches, set-up areas, and the draft.

Draws what an answering holds; nothing here is kept or decided.
"""

from __future__ import annotations

import math
from itertools import pairwise

import pygame

from engine.core.facts import BaseFacts
from engine.core.request import Move, Moves, Place
from engine.core.state import State
from engine.w40k.ruin import laid
from viewer.input.answering import Answering
from viewer.input.course import FlightCourse
from viewer.story.motion import polyline
from viewer.window.camera import Camera
from viewer.window.ghost_sketch import GhostSketch
from viewer.window.lettering import Lettering
from viewer.window.palette import Colour
from viewer.window.token import outline

Pair = tuple[float, float]


class Sketch:
    """Draws over the board, within the camera's viewport."""

    def __init__(self, camera: Camera, lettering: Lettering) -> None:
        """Draw through this camera, on a sheet that is laid over the board later."""
        self._camera, self._lettering = camera, lettering
        self.plates: list[pygame.Rect] = []
        """Where words stand, in pixels of the window."""
        self._sheet = pygame.Surface(camera.viewport[2:], pygame.SRCALPHA)
        self._local = Camera((0, 0, *camera.viewport[2:]), camera.centre, camera.scale)

    def draw(
        self,
        state: State,
        asked: Answering,
        hovered: tuple[int, ...] = (),
        *,
        areas: bool = True,
        lines: bool = True,
    ) -> None:
        """Draw what a question is about, and the models under the mouse, else of its unit.

        Without `areas` the areas in which models may end are drawn by others; without `lines`, sights.
        """
        request = asked.request
        if asked.course is not None:
            self._course(asked.course)
        elif isinstance(request, Move) and areas:
            self._reach(state, request)
        elif isinstance(request, Place) and areas:
            for area in request.areas:
                self._area(area, filled=asked.set_up is None)
        subject = state.position.units.get(asked.subject)
        for row in hovered or (subject.rows if subject is not None and subject.where == "table" else ()):
            self._ring(state, row)
        for unit in asked.warned:
            for row in state.position.units[unit].rows if unit in state.position.units else ():
                self._ring(state, row, self._lettering.palette.loss)
        ghosts = GhostSketch(self._sheet, self._local, self._lettering)
        if asked.ghost is not None:
            ghosts.draw(state, asked, asked.ghost, lines=lines)
        else:
            ghosts.suggestion(state, asked)
            self._draft(state, asked)
        self.plates = [box.move(self._camera.viewport[:2]) for box in ghosts.plates]

    def lay(self, surface: pygame.Surface) -> None:
        """Lay what was drawn over the board."""
        surface.blit(self._sheet, self._camera.viewport[:2])

    def _points(self, places: list[Pair]) -> list[Pair]:
        return [self._local.to_screen(*place) for place in places]

    def _area(self, area: tuple[Pair, ...], *, filled: bool) -> None:
        points = self._points(list(area))
        if len(points) > 2 and not filled:
            pygame.draw.polygon(self._sheet, (*self._lettering.palette.good, 220), points, 2)
        elif len(points) > 2:
            veil = pygame.Surface(self._sheet.get_size(), pygame.SRCALPHA)
            pygame.draw.polygon(veil, (*self._lettering.palette.good, 34), points)
            self._sheet.blit(veil, (0, 0))
            pygame.draw.polygon(self._sheet, (*self._lettering.palette.good, 220), points, 2)

    def _reach(self, state: State, request: Move) -> None:
        """Draw how far each model could go if nothing were in its way."""
        veil = pygame.Surface(self._sheet.get_size(), pygame.SRCALPHA)
        discs = []
        for row, limit in request.limits.items():
            base = state.position.models[row].facts.base
            far = (limit + max(base.length, base.width) / 2) * self._local.scale
            discs.append((self._points([_at(state, row)])[0], far))
        for grow, colour in (
            (0, (*self._lettering.palette.ink, 200)),
            (-2, (*self._lettering.palette.ink, 12)),
        ):
            for middle, far in discs:
                pygame.draw.circle(veil, colour, middle, max(far + grow, 1))
        self._sheet.blit(veil, (0, 0))

    def _ring(self, state: State, row: int, colour: Colour | None = None) -> None:
        base = state.position.models[row].facts.base
        ring = self._shape(base, (*_at(state, row), float(state.position.table.facing[row])), 0.25)
        pygame.draw.polygon(self._sheet, (*(colour or self._lettering.palette.accent), 255), ring, 3)

    def _course(self, course: FlightCourse) -> None:
        """Draw the way ahead: where a flight may end, and where not."""
        far = max((b for _, b in course.stretches), default=course.least)
        for start in course.starts:
            near, end = self._points([start, course.spot(max(far, course.least) + 6, start)])
            pygame.draw.aaline(self._sheet, (*self._lettering.palette.loss, 150), near, end, 2)
            for a, b in course.stretches:
                head, foot = self._points([course.spot(a, start), course.spot(b, start)])
                pygame.draw.line(self._sheet, (*self._lettering.palette.good, 235), head, foot, 5)
        taken: list[pygame.Rect] = []
        for length in dict.fromkeys(end for stretch in course.stretches for end in stretch):
            self._mark(course, length, taken)

    def _mark(self, course: FlightCourse, far: float, taken: list[pygame.Rect]) -> None:
        """Write a length beside the course, where no other is written."""
        x, y = self._points([course.spot(far)])[0]
        pygame.draw.circle(self._sheet, (*self._lettering.palette.good, 255), (x, y), 5)
        across = math.radians(course.facing)
        picture = self._lettering.text(f'{far:g}"', 12, self._lettering.palette.ink, True)
        box = picture.get_rect(center=(round(x + 30 * math.sin(across)), round(y + 30 * math.cos(across))))
        box = box.inflate(8, 4)
        if box.collidelist(taken) < 0:
            taken.append(box)
            pygame.draw.rect(self._sheet, (*self._lettering.palette.background, 225), box, border_radius=4)
            self._sheet.blit(picture, picture.get_rect(center=box.center))

    def _draft(self, state: State, asked: Answering) -> None:
        """Draw where the models would end, and their ways there."""
        colour = self._lettering.palette.loss if asked.fault else self._lettering.palette.accent
        moves = asked.draft
        if isinstance(moves, Moves):
            for row, legs in moves.paths.items():
                points = self._points(list(polyline(_at(state, row), legs)))
                for a, b in pairwise(points):
                    pygame.draw.aaline(self._sheet, (*colour, 220), a, b, 2)
        request = asked.request
        for row, pose in asked.poses().items():
            if isinstance(request, Place) and request.piece is not None:
                footprint = laid(request.piece, pose[:2], pose[2]).footprint
                pygame.draw.polygon(self._sheet, (*colour, 255), self._points(list(footprint)), 2)
                continue
            self._ghost(_base(state, asked, row), pose, colour)

    def _ghost(self, base: BaseFacts, pose: tuple[float, float, float], colour: Colour) -> None:
        ring = self._shape(base, pose)
        pygame.draw.polygon(self._sheet, (*colour, 90), ring)
        pygame.draw.polygon(self._sheet, (*colour, 255), ring, 2)
        x, y, facing = pose
        along = math.radians(facing)
        nose = (x + base.length / 2 * math.cos(along), y + base.length / 2 * math.sin(along))
        a, b = self._points([(x, y), nose])
        pygame.draw.line(self._sheet, (*colour, 255), a, b, 2)

    def _shape(self, base: BaseFacts, pose: tuple[float, float, float], grow: float = 0.0) -> list[Pair]:
        x, y, facing = pose
        return self._points([(x + dx, y + dy) for dx, dy in outline(base, facing, grow)])


def _at(state: State, row: int) -> Pair:
    return float(state.position.table.xy[row, 0]), float(state.position.table.xy[row, 1])


def _base(state: State, asked: Answering, row: int) -> BaseFacts:
    """Return a model's base; that of a marker has the size of a marker."""
    if 0 <= row < len(state.position.models):
        return state.position.models[row].facts.base
    wide = 2 * asked.view.parameters.marker_radius
    return BaseFacts(shape="round", length=wide, width=wide)
