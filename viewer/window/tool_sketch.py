"""The drawing of tools over the board: areas, sights and their proof, the ruler, counts.

Draws what a toolbox tells. Areas are painted once on a sheet, and kept until the view or an area changes.
"""

from __future__ import annotations

from typing import NamedTuple

import pygame
import shapely

from viewer.window.area_brush import Brush
from viewer.window.camera import Camera
from viewer.window.lettering import Lettering, Written
from viewer.window.palette import Colour
from viewer.window.shown_sight import ShownSight
from viewer.window.sight_sketch import SightSketch
from viewer.window.token_room import rooms_of, rooms_on_table
from viewer.window.tool_plate import ToolPlates
from viewer.window.toolbox import Toolbox

TRIED = 40
"""The most corners of an area beside which its name is tried."""


class PaintedTools(NamedTuple):
    """What tools show, painted: what it rests on, the sheet, the words and their rooms."""

    told: tuple[object, ...]
    shown: tuple[object, ...]
    sheet: pygame.Surface
    written: list[tuple[str, pygame.Rect]]


class ToolSketch:
    """Draws tools; keeps the sheet of areas."""

    def __init__(self, lettering: Lettering, tools: Toolbox) -> None:
        """Start with nothing painted."""
        self._lettering, self._tools = lettering, tools
        self._sheet: tuple[tuple[object, ...], list[object], pygame.Surface] | None = None
        self._plates = ToolPlates(lettering)
        self._sights = SightSketch(lettering, self._plates)
        self._painted_tools: PaintedTools | None = None

    def draw(self, surface: pygame.Surface, camera: Camera, mouse: tuple[int, int]) -> None:
        """Draw all but the areas, clear of what is written on the board already.

        It is painted once on a sheet, and kept until anything of it changes.
        """
        tools, left, top = self._tools, *camera.viewport[:2]
        look = tools.sight(mouse)
        shown = (look, tools.measure, tools.areas.ends, tools.areas.threat)
        told = (*tools.carried_words, *tools.in_hand, *camera.key(), *self._lettering.stamp)
        if all(each is None for each in shown) and not tools.carried_words and not tools.in_hand:
            return
        known = self._painted_tools
        if known is None or known.told != told or not _is_alike(known.shown, shown):
            known = self._painted_tools = PaintedTools(told, shown, *self._paint_tools(camera, look))
        if look is not None:
            self._sights.draw_proof(surface, camera, look)
        surface.blit(known.sheet, (left, top))
        clip = pygame.Rect(camera.viewport).clip(surface.get_clip())
        for words, box in known.written:
            self._lettering.cover(box)
            self._lettering.written.append(Written(words, box.copy(), clip))
        if look is not None:
            self._sights.tell_pointed(surface, camera, look)

    def _paint_tools(
        self, camera: Camera, look: ShownSight | None
    ) -> tuple[pygame.Surface, list[tuple[str, pygame.Rect]]]:
        """Return a sheet with what the tools show, and the words on it with their rooms."""
        tools, (left, top, wide, high) = self._tools, camera.viewport
        sheet = pygame.Surface((wide, high), pygame.SRCALPHA)
        local = Camera((0, 0, wide, high), camera.centre, camera.scale)
        written = [each.box.move(-left, -top) for each in self._lettering.written]
        tokens = rooms_on_table(local, tools.now.state) if look is not None or tools.ends is not None else []
        tokens += rooms_of(local, tools.now.state, tools.carried_poses)
        self._plates.begin([box for box in written if sheet.get_rect().colliderect(box)], tokens)
        self._label_areas(sheet, local, tools)
        if look is not None:
            self._sights.draw(sheet, local, look, sums_up=not tools.is_carried)
        self._draw_ruler(sheet, local, tools)
        self._draw_carried(sheet, local, tools)
        self._draw_in_hand(sheet, local, tools)
        return sheet, [(words, box.move(left, top)) for words, box in self._plates.written]

    # areas

    def draw_areas(self, surface: pygame.Surface, camera: Camera) -> None:
        """Draw the areas of reach, set-up and threat, of which each is painted once."""
        areas, threat, whose = self._tools.areas.ends, self._tools.areas.threat, self._tools.threatens
        if areas is None and threat is None:
            return
        shown: list[object] = [areas, threat]
        key = (camera.key(), whose, *self._lettering.stamp)
        known = self._sheet
        if known is None or known[0] != key or any(a is not b for a, b in zip(known[1], shown, strict=True)):
            known = self._sheet = key, shown, self._painted(camera)
        surface.blit(known[2], camera.viewport[:2])

    def _painted(self, camera: Camera) -> pygame.Surface:
        palette, tools, ui = self._lettering.palette, self._tools, self._lettering.sizes.ui
        sheet = pygame.Surface(camera.viewport[2:], pygame.SRCALPHA)
        local = Camera((0, 0, *camera.viewport[2:]), camera.centre, camera.scale)
        brush = Brush(sheet, local, ui, tools.now.state.position.board.size)
        threat, ends = tools.areas.threat, tools.areas.ends
        if threat is not None:
            colour = palette.side_text(self._side(tools, tools.threatens))
            brush.paint(threat.charge, colour, 24, "dashed")
            brush.paint(threat.shots, colour, 0, "dotted")
        if ends is not None:
            if ends.advance is not None:
                brush.paint(ends.advance.covered, palette.ink, 0, "dotted")
            colour, fill = (palette.good, 34) if tools.areas.sets_up else (palette.ink, 14)
            brush.paint(ends.reach.covered, colour, fill, "solid")
        return sheet

    def _side(self, tools: Toolbox, whose: str) -> str:
        unit = tools.now.state.position.units.get(whose)
        return unit.side if unit is not None else whose

    def _label_areas(self, surface: pygame.Surface, camera: Camera, tools: Toolbox) -> None:
        """Write at their lowest points what the lines round areas mean."""
        palette, ends, threat = self._lettering.palette, tools.areas.ends, tools.areas.threat
        move, advance = tools.areas.words
        if ends is not None and move:
            self._label(surface, camera, ends.reach.covered, move, palette.ink)
            if ends.advance is not None:
                self._label(surface, camera, ends.advance.covered, advance, palette.ink)
        if threat is not None:
            colour = palette.side_text(self._side(tools, tools.threatens))
            self._label(surface, camera, threat.shots, "Move and shoot", colour)
            self._label(surface, camera, threat.charge, "Move and charge, 12″", colour)

    def _label(
        self, surface: pygame.Surface, camera: Camera, area: shapely.Geometry, words: str, colour: Colour
    ) -> None:
        """Write words inside an area, near a point of its border that is seen."""
        size, within = self._lettering.on_board(12), pygame.Rect(camera.viewport)
        corners = shapely.get_coordinates(area)
        lowest = corners[corners[:, 1].argsort(kind="stable")][:: max(len(corners) // TRIED, 1)]
        for x, y in (camera.to_screen(*corner) for corner in lowest.tolist()):
            box = pygame.Rect(0, 0, self._lettering.width(words, size, True), self._lettering.height(size))
            box.midbottom = (round(x), round(y) - 6)
            if within.contains(box) and box.collidelist(self._plates.taken) < 0:
                self._plates.taken.append(box)
                self._plates.written.append((words, box))
                self._lettering.draw(
                    surface, words, box.center, size, colour, bold=True, anchor="center", shaded=True
                )
                return

    # ruler, markers, tools

    def _draw_ruler(self, surface: pygame.Surface, camera: Camera, tools: Toolbox) -> None:
        measure = tools.measure
        if measure is None:
            return
        palette = self._lettering.palette
        a, b = (camera.to_screen(*at) for at in measure.line)
        pygame.draw.aaline(surface, palette.background, a, b, self._lettering.u(5))
        pygame.draw.aaline(surface, palette.accent, a, b, self._lettering.u(2.4))
        for at in (a, b):
            pygame.draw.circle(surface, palette.accent, at, self._lettering.u(4))
        middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        self._plates.plate(surface, camera, measure.words, middle, palette.accent, must=True)

    def _draw_carried(self, surface: pygame.Surface, camera: Camera, tools: Toolbox) -> None:
        """Write below what is carried which markers it would make otherwise."""
        words, place = " · ".join(tools.carried_words), tools.carried_place
        if words and place is not None:
            x, y = camera.to_screen(*place)
            self._plates.plate(surface, camera, words, (x, y), self._lettering.palette.ink, must=True)

    def _draw_in_hand(self, surface: pygame.Surface, camera: Camera, tools: Toolbox) -> None:
        """Write in a corner of the board which tools are in hand, and which key lays them down."""
        names = tools.in_hand
        if not names:
            return
        size, palette = self._lettering.on_board(12), self._lettering.palette
        words = " · ".join([*names, "Esc"])
        wide, high = self._lettering.width(words, size, True), self._lettering.height(size)
        left, top, across, _ = camera.viewport
        box = pygame.Rect(0, 0, wide + self._lettering.u(16), high + self._lettering.u(8))
        box.midtop = (left + across // 2, top + self._lettering.u(10))
        self._plates.framed(surface, box, words, palette.accent)


def _is_alike(known: tuple[object, ...], shown: tuple[object, ...]) -> bool:
    """Return whether the same is shown as before: the same areas, and equal sights and measures."""
    (look, measure, *areas), (other, measured, *others) = known, shown
    if not all(a is b for a, b in zip(areas, others, strict=True)) or measure != measured:
        return False
    if not (isinstance(look, ShownSight) and isinstance(other, ShownSight)):
        return look is other
    # What was seen is kept as long as it holds.
    return (
        look.glances is other.glances and look.onlookers is other.onlookers and look.pointed == other.pointed
    )
