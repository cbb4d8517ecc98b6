"""The drawing of sights over the board: lines to enemies, and the proof of one.

Draws what a toolbox tells; what sees what is not its business.
"""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from engine.core.facts import HORDE
from engine.core.state import Unit
from viewer.input.region import polygons_of, rings_of
from viewer.input.seeing import Glance, Sightline, outline_of, told
from viewer.story.name import short_name, unit_name
from viewer.window.camera import Camera
from viewer.window.ghost_sketch import dashes
from viewer.window.lettering import Lettering
from viewer.window.palette import Colour
from viewer.window.shown_sight import ShownSight
from viewer.window.tool_plate import ToolPlates

Pair = tuple[float, float]


class SightSketch:
    """Draws sights, their words on the plates of a sheet."""

    def __init__(self, lettering: Lettering, plates: ToolPlates) -> None:
        """Start with nothing drawn."""
        self._lettering, self._plates = lettering, plates
        self._tags: dict[str, pygame.Rect] = {}

    def draw(self, surface: pygame.Surface, camera: Camera, look: ShownSight, *, sums_up: bool) -> None:
        """Draw all lines of a look with short words, and perhaps how much is seen in all."""
        self._tags = {}
        moment = look.moment
        if moment is None:
            return
        if look.unit:
            self._draw_stance(surface, camera, look)
        units = moment.state.position.units
        for each in look.glances:
            self._draw_glance(surface, camera, each, units[each.unit])
        for each in look.glances:
            self._tag(surface, camera, each, units[each.unit], _at(camera, look, each))
        for name, line in look.onlookers.items():
            self._draw_line(surface, camera, line, self._lettering.palette.side_text(units[name].side), 1.8)
        if sums_up:
            self._sum_up(surface, camera, look)

    def draw_proof(self, surface: pygame.Surface, camera: Camera, look: ShownSight) -> None:
        """Draw the proof for the enemy under the mouse: its witness line, or what hides it."""
        each, palette = _pointed(look), self._lettering.palette
        if each is None:
            return
        clear = each.ahead.is_clear
        self._draw_line(surface, camera, each.ahead, palette.ink if clear else palette.loss, 2.4)
        for at in each.ahead.line if clear else ():
            pygame.draw.circle(surface, palette.ink, camera.to_screen(*at), self._lettering.u(4))
        for blocker in each.ahead.blockers:
            self._outline(surface, camera, look, blocker)

    def tell_pointed(self, surface: pygame.Surface, camera: Camera, look: ShownSight) -> None:
        """Say what is seen of the enemy under the mouse, in place of its short words."""
        each, palette = _pointed(look), self._lettering.palette
        if each is None or look.moment is None:
            return
        words, colour = told(look.moment.state, each), palette.ink if each.ahead.is_clear else palette.loss
        box = self._plates.room(camera, words, _at(camera, look, each), self._tags.get(each.unit))
        self._lettering.cover(box)
        self._plates.framed(surface, box, words, colour)

    def _draw_stance(self, surface: pygame.Surface, camera: Camera, look: ShownSight) -> None:
        """Draw the bases of a unit where it is only supposed to stand."""
        if look.place is None or look.moment is None:
            return
        position = look.moment.state.position
        for shape in polygons_of(position.table.outlines(position.units[look.unit].rows)):
            for ring in rings_of(shape):
                points = [camera.to_screen(*corner) for corner in ring]
                pygame.draw.aalines(surface, self._lettering.palette.ink, True, points)

    def _draw_glance(self, surface: pygame.Surface, camera: Camera, each: Glance, enemy: Unit) -> None:
        palette = self._lettering.palette
        if each.ahead.is_clear:
            self._draw_line(surface, camera, each.ahead, palette.side_text(enemy.side), 1.8)
            return
        if each.back.is_clear:
            self._dashed(surface, camera, each.back.line, palette.side_text(enemy.side))
        self._draw_line(surface, camera, each.ahead, palette.loss, 1.0)

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

    def _tag(self, surface: pygame.Surface, camera: Camera, each: Glance, enemy: Unit, at: Pair) -> None:
        """Write beside an enemy in short how far it is, and what is seen."""
        palette, clear = self._lettering.palette, each.ahead.is_clear
        words = f"{each.apart:.1f}″" if clear else "hidden"
        words += " · cover" if clear and each.covered else ""
        if not each.is_mutual:
            words += " · one way" if clear else " · sees it"
        colour = palette.side_text(enemy.side) if clear else palette.soft
        box = self._plates.plate(surface, camera, words, at, colour, must=False)
        if box is not None:
            self._tags[each.unit] = box

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
        self._plates.plate(surface, camera, words, at, palette.ink, must=True)


def _at(camera: Camera, look: ShownSight, each: Glance) -> Pair:
    """Return the end of a line at an enemy, or where its first model stands."""
    if each.ahead.is_clear or look.moment is None:
        return camera.to_screen(*each.ahead.line[1])
    position = look.moment.state.position
    return camera.to_screen(*position.table.xy[position.units[each.unit].rows[0]].tolist())


def _pointed(look: ShownSight) -> Glance | None:
    """Return the look at the enemy under the mouse, None where there is none."""
    return next((each for each in look.glances if each.unit == look.pointed), None)
