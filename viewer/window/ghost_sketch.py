"""The drawing of a ghost: where the unit ends, where the hand has it, what it costs.

Draws on a sheet that its caller lays over the board; nothing here is kept or decided.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import pygame

from engine.core.facts import BaseFacts
from engine.core.state import State
from viewer.input.answering import Answering
from viewer.input.ghost import Ghost, Pose
from viewer.story.motion import polyline
from viewer.window.camera import Camera
from viewer.window.lettering import Lettering
from viewer.window.palette import Colour
from viewer.window.token import outline
from viewer.window.token_room import rooms_of, rooms_on_table

Pair = tuple[float, float]
HATCH = 7
"""The pixels between two strokes of a hatch."""
DASH = 6
"""The length of a dash, and of the gap after it, in pixels."""


class GhostSketch:
    """Draws a ghost on a sheet, as a camera of its own sees the board."""

    def __init__(self, sheet: pygame.Surface, camera: Camera, lettering: Lettering) -> None:
        """Draw on this sheet through this camera."""
        self._sheet, self._camera, self._lettering = sheet, camera, lettering
        self.plates: list[pygame.Rect] = []
        """Where words stand on the sheet; later ones keep clear of them."""

    def draw(self, state: State, asked: Answering, ghost: Ghost, *, lines: bool = True) -> None:
        """Draw the suggestion dashed, the wish hatched where it is not made, and the move that is.

        Without `lines` those that see the unit are shown by others.
        """
        bases = {row: state.position.models[row].facts.base for row in ghost.wanted}
        low = self._dashed(state, asked)
        if not ghost.is_as_wanted:
            for row, pose in ghost.wanted.items():
                self._hatched(self.shape(bases[row], pose), self._lettering.palette.loss)
        for row, legs in ghost.moves.paths.items():
            start = (float(state.position.table.xy[row][0]), float(state.position.table.xy[row][1]))
            self._track(self.points(list(polyline(start, legs))))
        poses = asked.poses()
        for row, pose in poses.items():
            self._white(bases[row], pose)
        told = self._onlookers(state, ghost, poses) if lines else []
        tokens = rooms_on_table(self._camera, state) + rooms_of(self._camera, state, poses)
        self._labels(bases, ghost, poses, tokens)
        for words, head in told:
            self._plate(words, head, self._lettering.palette.ink, tokens)
        if low is not None:
            self._suggested_plate(asked, low, tokens)

    def _onlookers(self, state: State, ghost: Ghost, poses: dict[int, Pose]) -> list[tuple[str, Pair]]:
        """Draw a line from each enemy unit that would see the unit; return its distance and danger.

        With them comes the place beside which they are written.
        """
        told: list[tuple[str, Pair]] = []
        for each in ghost.outlook.onlookers if ghost.outlook is not None and poses else ():
            enemy = state.position.units.get(each.unit)
            if enemy is None or not each.sees:
                continue
            starts = [tuple(state.position.table.xy[row].tolist()) for row in enemy.rows]
            pairs = [(start, pose[:2]) for start in starts for pose in poses.values()]
            a, b = min(pairs, key=lambda pair: math.dist(*pair))
            head, foot = self.points([(a[0], a[1]), b])
            pygame.draw.aaline(self._sheet, (*self._lettering.palette.horde_text, 200), head, foot, 2)
            told.append((f"{each.apart:.1f}″ · {each.wounds:.1f} wounds", head))
        return told

    def _plate(
        self,
        words: str,
        at: Pair,
        colour: Colour,
        tokens: Sequence[pygame.Rect] = (),
    ) -> None:
        """Write words beside a place of the sheet, below it where nothing else stands."""
        picture = self._lettering.text(words, 12, colour, True)
        x, y = round(at[0]), round(at[1])
        boxes = []
        for far in (26, 52, 80):
            for side, spot in (
                ("midtop", (x, y + far)),
                ("midbottom", (x, y - far)),
                ("midleft", (x + far, y)),
                ("midright", (x - far, y)),
            ):
                box = picture.get_rect(**{side: spot}).inflate(12, 6)
                boxes.append(box.clamp(self._sheet.get_rect()))
        free = [box for box in boxes if box.collidelist([*self.plates, *tokens]) < 0]
        apart = [box for box in boxes if box.collidelist(self.plates) < 0]
        box = (free or apart or boxes)[0]
        self.plates.append(box)
        pygame.draw.rect(self._sheet, (*self._lettering.palette.background, 225), box, border_radius=4)
        self._sheet.blit(picture, picture.get_rect(center=box.center))

    def points(self, places: list[Pair]) -> list[Pair]:
        """Return places of the board as pixels of the sheet."""
        return [self._camera.to_screen(*place) for place in places]

    def shape(self, base: BaseFacts, pose: Pose, grow: float = 0.0) -> list[Pair]:
        """Return the outline of a base in pixels."""
        x, y, facing = pose
        return self.points([(x + dx, y + dy) for dx, dy in outline(base, facing, grow)])

    def _white(self, base: BaseFacts, pose: Pose) -> None:
        ring = self.shape(base, pose)
        pygame.draw.polygon(self._sheet, (*self._lettering.palette.ink, 90), ring)
        pygame.draw.polygon(self._sheet, (*self._lettering.palette.ink, 255), ring, 2)
        if base.length != base.width:
            x, y, facing = pose
            along = math.radians(facing)
            nose = (x + base.length / 2 * math.cos(along), y + base.length / 2 * math.sin(along))
            a, b = self.points([(x, y), nose])
            pygame.draw.line(self._sheet, (*self._lettering.palette.ink, 255), a, b, 2)

    def suggestion(self, state: State, asked: Answering) -> None:
        """Draw where the suggestion would have the unit, dashed, and how to take it."""
        low = self._dashed(state, asked)
        if low is not None:
            self._suggested_plate(asked, low, rooms_on_table(self._camera, state))

    def _dashed(self, state: State, asked: Answering) -> Pair | None:
        """Draw the suggestion dashed; return its lowest point, None where there is none."""
        rings = [
            self.shape(state.position.models[row].facts.base, pose) for row, pose in asked.suggested().items()
        ]
        for ring in rings:
            for a, b in dashes([*ring, ring[0]]):
                pygame.draw.aaline(self._sheet, (*self._lettering.palette.accent, 255), a, b, 2)
        return max((point for ring in rings for point in ring), key=lambda point: point[1], default=None)

    def _suggested_plate(self, asked: Answering, low: Pair, tokens: Sequence[pygame.Rect]) -> None:
        is_key = asked.ghost is not None or asked.open is not None
        words = "Suggested · G" if is_key else "Suggested · click"
        self._plate(words, (low[0], low[1] - 20), self._lettering.palette.accent, tokens)

    def _track(self, points: list[Pair]) -> None:
        for a, b in dashes(points):
            pygame.draw.aaline(self._sheet, (*self._lettering.palette.ink, 200), a, b, 2)

    def _hatched(self, ring: list[Pair], colour: Colour) -> None:
        """Draw an outline filled with strokes: a place that is not legal."""
        pygame.draw.polygon(self._sheet, (*colour, 40), ring)
        pygame.draw.polygon(self._sheet, (*colour, 255), ring, 2)
        left, right = min(x for x, _ in ring), max(x for x, _ in ring)
        low, high = min(y for _, y in ring), max(y for _, y in ring)
        begin = math.floor((left + low) / HATCH) * HATCH
        for along in range(begin, math.ceil(right + high), HATCH):
            ends = _inside(ring, along)
            if ends is not None:
                pygame.draw.line(self._sheet, (*colour, 200), *ends, 1)

    def _labels(
        self,
        bases: dict[int, BaseFacts],
        ghost: Ghost,
        poses: dict[int, Pose],
        tokens: Sequence[pygame.Rect],
    ) -> None:
        """Write beside the ghost what the move takes, and beside the wish why it is not made."""
        if poses:
            words = f"{ghost.used:.1f}″ of {ghost.allowed:.1f}″ · coherent"
            words += f" · {ghost.outlook.brief}" if ghost.outlook is not None else ""
            self._label(
                words,
                [self.shape(bases[row], poses[row]) for row in poses],
                self._lettering.palette.ink,
                tokens,
            )
        if not ghost.is_as_wanted:
            rings = [self.shape(bases[row], pose) for row, pose in ghost.wanted.items()]
            self._label(ghost.note, rings, self._lettering.palette.loss, tokens)

    def _label(
        self, words: str, rings: list[list[Pair]], colour: Colour, tokens: Sequence[pygame.Rect]
    ) -> None:
        """Write words over some outlines or below them, where they cover the fewest models."""
        sheet = self._sheet.get_rect()
        picture = self._lettering.text(self._lettering.fitted(words, 12, sheet.w - 24), 12, colour, True)
        xs, ys = [x for ring in rings for x, _ in ring], [y for ring in rings for _, y in ring]
        middle, row = round((min(xs) + max(xs)) / 2), picture.get_height() + 10
        boxes = []
        for step in range(4):
            for top in (min(ys) - 30 - step * row, max(ys) + 8 + step * row):
                box = picture.get_rect(midtop=(middle, round(top))).inflate(14, 8)
                boxes.append(box.clamp(sheet))
        free = [box for box in boxes if box.collidelist(self.plates) < 0]
        box = min(free or boxes, key=lambda box: len(box.collidelistall(list(tokens))))
        self.plates.append(box)
        pygame.draw.rect(self._sheet, (*self._lettering.palette.background, 235), box, border_radius=5)
        pygame.draw.rect(self._sheet, (*colour, 255), box, 1, border_radius=5)
        self._sheet.blit(picture, picture.get_rect(center=box.center))


def draw_sign(surface: pygame.Surface, sign: pygame.Rect, lettering: Lettering, *, lit: bool) -> None:
    """Draw the sign on which a release advances; lit where the mouse is on it."""
    pygame.draw.rect(
        surface, lettering.palette.accent if lit else lettering.palette.background, sign, border_radius=8
    )
    pygame.draw.rect(surface, lettering.palette.accent, sign, 2, border_radius=8)
    ink = lettering.palette.background if lit else lettering.palette.accent
    lettering.draw(surface, "Advance: D6 first · A", sign.center, 14, ink, bold=True, anchor="center")


def dashes(points: list[Pair]) -> list[tuple[Pair, Pair]]:
    """Return the strokes of a dashed line."""
    found: list[tuple[Pair, Pair]] = []
    gone = 0.0
    for (ax, ay), (bx, by) in pairwise(points):
        far = math.hypot(bx - ax, by - ay)
        at = 0.0
        while at < far:
            phase = (gone + at) % (2 * DASH)
            step = min(DASH - phase % DASH, far - at)
            if phase < DASH:
                found.append(
                    (
                        (ax + (bx - ax) * at / far, ay + (by - ay) * at / far),
                        (ax + (bx - ax) * (at + step) / far, ay + (by - ay) * (at + step) / far),
                    )
                )
            at += max(step, 0.01)
        gone += far
    return found


def _inside(ring: list[Pair], total: float) -> tuple[Pair, Pair] | None:
    """Return the part within a convex outline of the line on which x and y come to a sum."""
    crossed: list[Pair] = []
    for (ax, ay), (bx, by) in pairwise([*ring, ring[0]]):
        a, b = ax + ay - total, bx + by - total
        if (a < 0) != (b < 0):
            t = a / (a - b)
            crossed.append((ax + (bx - ax) * t, ay + (by - ay) * t))
    return (crossed[0], crossed[-1]) if len(crossed) > 1 else None
