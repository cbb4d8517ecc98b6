"""The drawing of tools over the board: areas, sights and their proof, the ruler, counts.

Draws what a toolbox tells. Areas are painted once on a sheet, and kept until the view or an area changes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import pygame
import shapely

from engine.core.facts import HORDE
from viewer.input.region import polygons_of, rings_of
from viewer.input.seeing import Glance, Sightline, outline_of, told
from viewer.story.name import short_name, unit_name
from viewer.window.camera import Camera
from viewer.window.ghost_sketch import dashes
from viewer.window.lettering import Lettering
from viewer.window.palette import Colour
from viewer.window.shown_sight import ShownSight
from viewer.window.toolbox import Toolbox

Pair = tuple[float, float]
DOT = 8
"""The pixels between two dots of a dotted line."""
APART = 14
"""The least gap between a tag and the line's end that it is of, in pixels."""
MOST = 60
"""The most letters of a sentence on the board."""


class ToolSketch:
    """Draws tools; keeps the sheet of areas."""

    def __init__(self, lettering: Lettering, tools: Toolbox) -> None:
        """Start with nothing painted."""
        self._lettering, self._tools = lettering, tools
        self._sheet: tuple[tuple[object, ...], list[object], pygame.Surface] | None = None
        self._taken: list[pygame.Rect] = []
        self._tokens: list[pygame.Rect] = []

    def draw(self, surface: pygame.Surface, camera: Camera, mouse: tuple[int, int]) -> None:
        """Draw all but the areas, clear of what is written on the board already."""
        tools = self._tools
        clip = surface.get_clip()
        surface.set_clip(pygame.Rect(camera.viewport).clip(clip))
        board = pygame.Rect(camera.viewport)
        written = [each.box for each in self._lettering.written if board.colliderect(each.box)]
        self._taken = [box.inflate(6, 2) for box in written]
        self._label_areas(surface, camera, tools)
        look = tools.sight(mouse)
        self._tokens = _bases(camera, tools) if look is not None or tools.ends is not None else []
        if look is not None:
            self._draw_look(surface, camera, look)
        self._draw_ruler(surface, camera, tools)
        self._draw_carried(surface, camera, tools)
        self._draw_in_hand(surface, camera, tools)
        surface.set_clip(clip)

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
        spots = [camera.to_screen(*corner) for ring in rings_of(area) for corner in ring]
        spots.sort(key=lambda at: -at[1])
        for x, y in spots[:: max(len(spots) // 40, 1)]:
            box = pygame.Rect(0, 0, self._lettering.width(words, size, True), self._lettering.height(size))
            box.midbottom = (round(x), round(y) - 6)
            if within.contains(box) and box.collidelist(self._taken) < 0:
                self._taken.append(box)
                self._lettering.draw(
                    surface, words, box.center, size, colour, bold=True, anchor="center", shaded=True
                )
                return

    # sights

    def _draw_look(self, surface: pygame.Surface, camera: Camera, look: ShownSight) -> None:
        moment = look.moment
        if moment is None:
            return
        if look.unit:
            self._draw_stance(surface, camera, look)
        first = sorted(look.glances, key=lambda each: each.unit != look.pointed)
        for each in reversed(first):
            self._draw_glance(surface, camera, look, each)
        for each in first:
            self._tag(surface, camera, look, each)
        for name, line in look.onlookers.items():
            unit = moment.state.position.units[name]
            colour = self._lettering.palette.side_text(unit.side)
            self._draw_line(surface, camera, line, colour, 1.8)
        if not self._tools.is_carried:
            self._sum_up(surface, camera, look)

    def _draw_stance(self, surface: pygame.Surface, camera: Camera, look: ShownSight) -> None:
        """Draw the bases of a unit where it is only supposed to stand."""
        if look.place is None or look.moment is None:
            return
        position = look.moment.state.position
        for shape in polygons_of(position.table.outlines(position.units[look.unit].rows)):
            for ring in rings_of(shape):
                points = [camera.to_screen(*corner) for corner in ring]
                pygame.draw.aalines(surface, self._lettering.palette.ink, True, points)

    def _draw_glance(self, surface: pygame.Surface, camera: Camera, look: ShownSight, each: Glance) -> None:
        palette, is_pointed = self._lettering.palette, each.unit == look.pointed
        assert look.moment is not None
        enemy = look.moment.state.position.units[each.unit]
        if each.ahead.is_clear:
            colour, width = (palette.ink, 2.4) if is_pointed else (palette.side_text(enemy.side), 1.8)
            self._draw_line(surface, camera, each.ahead, colour, width)
            if is_pointed:
                for at in each.ahead.line:
                    pygame.draw.circle(surface, palette.ink, camera.to_screen(*at), self._lettering.u(4))
            return
        if each.back.is_clear:
            self._dashed(surface, camera, each.back.line, palette.side_text(enemy.side))
        self._draw_line(surface, camera, each.ahead, palette.loss, 2.4 if is_pointed else 1.0)
        if is_pointed:
            for blocker in each.ahead.blockers:
                self._outline(surface, camera, look, blocker)

    def _draw_line(
        self, surface: pygame.Surface, camera: Camera, look: Sightline, colour: Colour, width: float
    ) -> None:
        """Draw a clear line, or one up to where it is cut, which is crossed there."""
        a, b = (camera.to_screen(*at) for at in look.line)
        pygame.draw.aaline(surface, colour, a, b, max(round(width * self._lettering.sizes.ui), 1))
        if not look.is_clear:
            far, loss = self._lettering.u(4), self._lettering.palette.loss
            for side in (-1, 1):
                pygame.draw.aaline(
                    surface, loss, (b[0] - far, b[1] - side * far), (b[0] + far, b[1] + side * far), 2
                )

    def _dashed(self, surface: pygame.Surface, camera: Camera, line: Sequence[Pair], colour: Colour) -> None:
        for a, b in dashes([camera.to_screen(*at) for at in line]):
            pygame.draw.aaline(surface, colour, a, b, 2)

    def _outline(self, surface: pygame.Surface, camera: Camera, look: ShownSight, blocker: str) -> None:
        """Draw an outline round what hides something."""
        assert look.moment is not None
        for shape in outline_of(look.moment.state.position, blocker):
            for ring in rings_of(shape):
                points = [camera.to_screen(*corner) for corner in ring]
                pygame.draw.lines(surface, self._lettering.palette.loss, True, points, self._lettering.u(3))

    def _tag(self, surface: pygame.Surface, camera: Camera, look: ShownSight, each: Glance) -> None:
        """Write beside an enemy how far it is and what is seen; all of it for the one pointed at."""
        palette, moment = self._lettering.palette, look.moment
        assert moment is not None
        at = camera.to_screen(*(each.ahead.line[1] if each.ahead.is_clear else each.ahead.line[0]))
        enemy = moment.state.position.units[each.unit]
        if not each.ahead.is_clear:
            xy = moment.state.position.table.xy[enemy.rows[0]].tolist()
            at = camera.to_screen(*xy)
        if each.unit == look.pointed:
            colour = palette.ink if each.ahead.is_clear else palette.loss
            self._plate(surface, camera, told(moment.state, each), at, colour, must=True)
            return
        words = f"{each.apart:.1f}″" if each.ahead.is_clear else "hidden"
        if each.ahead.is_clear and each.covered:
            words += " · cover"
        if not each.is_mutual:
            words += " · sees back not" if each.ahead.is_clear else " · sees it"
        colour = palette.side_text(enemy.side) if each.ahead.is_clear else palette.soft
        self._plate(surface, camera, words, at, colour, must=False)

    def _sum_up(self, surface: pygame.Surface, camera: Camera, look: ShownSight) -> None:
        """Write by how many a unit or a place is seen."""
        assert look.moment is not None
        palette = self._lettering.palette
        if look.unit:
            name = short_name(unit_name(look.moment.state, look.unit))
            sees = sum(each.ahead.is_clear for each in look.glances)
            seen = sum(each.back.is_clear for each in look.glances)
            words = f"{name}: sees {sees} of {len(look.glances)}, seen by {seen}"
            position = look.moment.state.position
            at = camera.to_screen(*position.table.xy[position.units[look.unit].rows[0]].tolist())
        elif look.place is not None:
            units = look.moment.state.position.units
            clear = [units[name].side for name, line in look.onlookers.items() if line.is_clear]
            horde = clear.count(HORDE)
            words = f"Seen from here by {horde} of the Horde, {len(clear) - horde} of the players"
            at = camera.to_screen(*look.place)
        else:
            return
        self._plate(surface, camera, words, at, palette.ink, must=True)

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
        self._plate(surface, camera, measure.words, middle, palette.accent, must=True)

    def _draw_carried(self, surface: pygame.Surface, camera: Camera, tools: Toolbox) -> None:
        """Write below what is carried which markers it would make otherwise."""
        words, place = " · ".join(tools.carried_words), tools.carried_place
        if words and place is not None:
            x, y = camera.to_screen(*place)
            self._plate(surface, camera, words, (x, y), self._lettering.palette.ink, must=True)

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
        self._framed(surface, box, words, palette.accent)

    def _plate(
        self, surface: pygame.Surface, camera: Camera, words: str, at: Pair, colour: Colour, *, must: bool
    ) -> None:
        """Write words on a plate beside a point, clear of other words; `must` it stand, over them."""
        size, within = self._lettering.on_board(12), pygame.Rect(camera.viewport)
        words = self._lettering.fitted(words, size, within.w - 30, True)
        wide, high = self._lettering.width(words, size, True), self._lettering.height(size)
        box = pygame.Rect(0, 0, wide + self._lettering.u(12), high + self._lettering.u(6))
        places = _around(box, at, self._lettering.u(APART))
        free = [each for each in places if within.contains(each) and each.collidelist(self._taken) < 0]
        if not free and not must:
            return
        # Clear of words at all costs, and over as few tokens as may be.
        box = min(
            free, key=lambda each: len(each.collidelistall(self._tokens)), default=places[0].clamp(within)
        )
        self._taken.append(box.inflate(4, 2))
        self._framed(surface, box, words, colour)

    def _framed(self, surface: pygame.Surface, box: pygame.Rect, words: str, colour: Colour) -> None:
        palette = self._lettering.palette
        pygame.draw.rect(surface, palette.background, box, border_radius=4)
        pygame.draw.rect(surface, colour, box, 1, border_radius=4)
        self._lettering.cover(box)
        size = self._lettering.on_board(12)
        self._lettering.draw(surface, words, box.center, size, colour, bold=True, anchor="center")


def _bases(camera: Camera, tools: Toolbox) -> list[pygame.Rect]:
    """Return the room that each model on the table takes on the screen."""
    table, models = tools.now.state.position.table, tools.now.state.position.models
    found = []
    for row in table.on.nonzero()[0].tolist():
        x, y = camera.to_screen(*table.xy[row].tolist())
        wide = max(models[row].facts.base.length, models[row].facts.base.width) * camera.scale
        found.append(pygame.Rect(round(x - wide / 2), round(y - wide / 2), round(wide), round(wide)))
    return found


def _around(box: pygame.Rect, at: Pair, gap: int) -> list[pygame.Rect]:
    """Return places for a box round a point, the nearest first."""
    x, y = round(at[0]), round(at[1])
    found = []
    for step in range(1, 6):
        far = gap + (step - 1) * (box.h + 4)
        for anchor, spot in (
            ("midbottom", (x, y - far)),
            ("midtop", (x, y + far)),
            ("midleft", (x + far, y)),
            ("midright", (x - far, y)),
            ("bottomleft", (x + far, y - far)),
            ("topright", (x - far, y + far)),
        ):
            place = box.copy()
            setattr(place, anchor, spot)
            found.append(place)
    return found


class Brush:
    """Paints areas on a sheet, thinly filled, with lines round them: solid, dashed or dotted."""

    def __init__(self, sheet: pygame.Surface, camera: Camera, ui: float, board: tuple[float, float]) -> None:
        """Paint through this camera; along the board's edge no line is drawn."""
        self._sheet, self._camera, self._ui = sheet, camera, ui
        left, top, wide, high = camera.viewport
        (x0, y0), (x1, y1) = (
            camera.to_world(left - 60, top + high + 60),
            camera.to_world(left + wide + 60, top - 60),
        )
        self._seen = shapely.box(x0, y0, x1, y1)
        self._edge = shapely.buffer(shapely.boundary(shapely.box(0, 0, *board)), 1 / camera.scale)

    def paint(self, area: shapely.Geometry, colour: Colour, fill: int, line: str) -> None:
        """Paint an area; holes in it have a fainter line."""
        seen = shapely.intersection(area, self._seen)
        parts = sorted(shapely.get_parts(seen), key=shapely.area, reverse=True)
        if fill:
            self._fill(parts, (*colour, fill))
        for part in parts:
            for k, ring in enumerate(rings_of(part)):
                drawn = shapely.difference(shapely.LineString(ring), self._edge)
                for stretch in shapely.get_parts(shapely.line_merge(drawn)):
                    points = [self._camera.to_screen(*corner) for corner in shapely.get_coordinates(stretch)]
                    self._trace(points, (*colour, 230 if k == 0 else 110), line)

    def _fill(self, parts: Sequence[shapely.Geometry], colour: tuple[int, int, int, int]) -> None:
        veil = pygame.Surface(self._sheet.get_size(), pygame.SRCALPHA)
        for part in parts:
            for k, ring in enumerate(rings_of(part)):
                points = [self._camera.to_screen(*corner) for corner in ring]
                pygame.draw.polygon(veil, colour if k == 0 else (0, 0, 0, 0), points)
        self._sheet.blit(veil, (0, 0))

    def _trace(self, points: list[Pair], colour: tuple[int, int, int, int], line: str) -> None:
        if len(points) < 2:
            return
        wide = max(round(1.6 * self._ui), 1)
        if line == "dotted":
            for at in _dots(points):
                pygame.draw.aacircle(self._sheet, colour, at, 1.5 * self._ui)
            return
        for a, b in pairwise(points) if line == "solid" else dashes(points):
            pygame.draw.aaline(self._sheet, colour, a, b, wide)


def _dots(points: list[Pair]) -> list[Pair]:
    """Return points along a line, as far apart as dots are."""
    found: list[Pair] = []
    left = 0.0
    for (ax, ay), (bx, by) in pairwise(points):
        far = math.hypot(bx - ax, by - ay)
        while left < far:
            found.append((ax + (bx - ax) * left / far, ay + (by - ay) * left / far))
            left += DOT
        left -= far
    return found
