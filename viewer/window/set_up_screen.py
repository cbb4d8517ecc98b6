"""The set-up on the board: a ghost, a click that sets it down, a drag that mends.

Turns mouse and keys into answers; where models fit is what a typed "at X Y" finds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pygame

from engine.core.facts import Point
from engine.core.request import Place, Places
from geometry.measure.region import point_in
from viewer.input.answering import Answering
from viewer.input.setting_up import FIELD, RESERVES, SettingUp
from viewer.window.buttons import ButtonFace, draw_button_bar
from viewer.window.ghost_sketch import dashes
from viewer.window.layout import Layout
from viewer.window.scene import model_at
from viewer.window.shop_effect import draw_word_plate
from viewer.window.table import Table
from viewer.window.token import outline

UNDO, RESERVE, REST, SUGGESTED = "undo", "reserve", "rest", "suggested"
ARROWS = {"up": (0.0, 1.0), "down": (0.0, -1.0), "left": (-1.0, 0.0), "right": (1.0, 0.0)}
FINE = 0.1
"""The part of an inch that an arrow moves with Shift."""
CLICK = 4
"""A press that moves at most this many pixels is a click."""


@dataclass(slots=True)
class SetUpScreen:
    """What the hand does in the set-up: its press, the unit that it mends, its wish."""

    table: Table
    choose: Callable[[str], None]
    bar: pygame.Rect = field(default_factory=lambda: pygame.Rect(0, 0, 0, 0))
    buttons: list[tuple[pygame.Rect, str]] = field(default_factory=list)
    fault: str = ""
    """What was wrong with the last wish, until the next one."""
    _pressed: tuple[int, int] | None = None
    _mended: str = ""
    """The unit that stands and is dragged."""
    _mouse: tuple[int, int] = (-1, -1)
    _keyed: Point | None = None
    """Where the arrows have moved the ghost."""
    _goal: tuple[str, Point] | None = None
    """The unit that was put onto the battlefield by a click, and where that was."""

    def shows(self, asked: Answering | None) -> bool:
        """Return whether a unit is set up before the battle."""
        return asked is not None and asked.set_up is not None

    def hides(self, at: tuple[int, int]) -> bool:
        """Return whether a pixel is the screen's."""
        return self.bar.collidepoint(at)

    def close(self) -> None:
        """Be gone."""
        self.bar, self.buttons, self._keyed = pygame.Rect(0, 0, 0, 0), [], None
        self._mended, self._pressed = "", None

    def look(self, asked: Answering | None) -> bool:
        """Set a unit down where a click said so before its place was asked for."""
        goal = self._goal
        if goal is None or asked is None or asked.set_up is None or not asked.set_up.is_placing:
            return False
        self._goal = None
        if asked.request.unit == goal[0]:
            self._put(asked, asked.set_up, goal[1])
        return True

    # keys

    def key(self, asked: Answering, event: pygame.event.Event) -> bool:
        """Take a key; return whether it was one of the screen's."""
        up, player = asked.set_up, self.table.player
        name, shifted = pygame.key.name(event.key), bool(event.mod & pygame.KMOD_SHIFT)
        is_typed = bool(asked.line) or asked.is_begun
        if up is None or (is_typed and self._keyed is None and not player.setter.asked):
            return False
        if name in ARROWS and up.is_placing:
            self._step(asked, up, name, FINE if shifted else 1.0)
            return True
        if name in ("return", "enter", "keypad enter") and self._keyed is not None:
            at, self._keyed = self._keyed, None
            self._put(asked, up, at)
            return True
        is_own = name in ("g", "r", "escape")
        if player.setter.asked is not None and (is_own or not self._pressed):
            player.setter.let_go()
            self._keyed = None
        if name == "g":
            self._do(asked, REST if shifted else SUGGESTED)
        elif name == "r":
            self._do(asked, RESERVE)
        elif name == "escape" and (self._mended or self._pressed):
            self._mended, self._pressed = "", None
        else:
            return False
        return True

    def _step(self, asked: Answering, up: SettingUp, name: str, inches: float) -> None:
        """Move the ghost by an arrow, from where the adviser would set it."""
        if self._keyed is None:
            spots = np.array([pose[:2] for pose in up.suggested.values()] or [(0.0, 0.0)])
            self._keyed = float(spots[:, 0].mean()), float(spots[:, 1].mean())
        dx, dy = ARROWS[name]
        wide, high = asked.view.board.size
        x = min(max(self._keyed[0] + dx * inches, 0.0), wide)
        y = min(max(self._keyed[1] + dy * inches, 0.0), high)
        self._keyed = x, y
        self.table.player.setter.carry(asked, self._keyed)

    # the mouse

    def hover(self, asked: Answering, at: tuple[int, int]) -> None:
        """Let the ghost follow the mouse over the board."""
        self._mouse = at
        up, setter = asked.set_up, self.table.player.setter
        if up is None or not up.is_placing or self._mended or (asked.line and setter.asked is None):
            return
        if self.table.camera.contains(*at) and (self._pressed or _is_free(self.table, at)):
            self._keyed = None
            setter.carry(asked, self.table.camera.to_world(*at))
        elif setter.asked is not None and self._pressed is None and self._keyed is None:
            setter.let_go()

    def press(self, asked: Answering, at: tuple[int, int], button: int) -> bool:
        """Take a press on the board; return whether it is one for the set-up."""
        up, player = asked.set_up, self.table.player
        if up is None or not self.table.camera.contains(*at):
            return False
        if button == 3 and (self._pressed or self._mended or player.setter.asked is not None):
            player.setter.let_go()
            self._pressed, self._mended = None, ""
            return True
        if button != 1:
            return False
        unit = self._own_at(asked, at)
        if unit:
            player.setter.let_go()
            self._mended, self._pressed, self._mouse = unit, at, at
            return True
        if not up.is_placing and not self._in_zone(asked, at):
            return False
        self._pressed, self._mouse = at, at
        return True

    def release(self, asked: Answering, at: tuple[int, int], button: int) -> bool:
        """Take the release of a press that was for the set-up; return whether it was one."""
        up, pressed, unit = asked.set_up, self._pressed, self._mended
        if button != 1 or pressed is None or up is None:
            return False
        self._pressed, self._mended = None, ""
        moved = max(abs(at[0] - pressed[0]), abs(at[1] - pressed[1])) > CLICK
        there = self.table.camera.to_world(*at)
        if unit and moved:
            self.fault = self.table.player.set_up_anew(unit, f"at {there[0]:.1f} {there[1]:.1f}")
        elif unit:
            self.choose(unit)
        elif up.is_placing:
            self._put(asked, up, there, on_purpose=self._in_area(asked, there))
        else:
            self._goal = asked.request.unit, there
            self.table.player.answer(up.answer(FIELD))
        return True

    def _own_at(self, asked: Answering, at: tuple[int, int]) -> str:
        """Return the unit of the seat that stands at a pixel, "" where none does."""
        model = model_at(self.table.camera, self.table.playback, at)
        unit = self.table.playback.state.position.units.get(model.unit) if model is not None else None
        return unit.id if unit is not None and unit.player == asked.view.seat else ""

    def _in_zone(self, asked: Answering, at: tuple[int, int]) -> bool:
        zones = [zone for zone in asked.view.zones.values() if zone.kind == "defender"]
        x, y = self.table.camera.to_world(*at)
        return any(_within(zone.polygon, x, y) for zone in zones)

    def _in_area(self, asked: Answering, at: Point) -> bool:
        areas = asked.request.areas if isinstance(asked.request, Place) else ()
        return not areas or any(_within(area, *at) for area in areas)

    def _put(self, asked: Answering, up: SettingUp, at: Point, *, on_purpose: bool = True) -> None:
        """Set the unit down; where models would be lost, or outside its area, it is only shown."""
        setter, player = self.table.player.setter, self.table.player
        setter.carry(asked, at)
        answer = setter.release()
        self.fault = asked.fault
        if answer is None:
            return
        if on_purpose and up.is_whole(answer):
            player.answer(answer)
        elif not on_purpose:
            asked.fault = ""
            self.fault = "Outside its area: Enter sets it where the ghost stands"

    def click(self, asked: Answering, at: tuple[int, int]) -> None:
        """Take a click on the bar."""
        wanted = next((id_ for box, id_ in self.buttons if box.collidepoint(at)), "")
        if wanted:
            self.table.player.setter.let_go()
            self._do(asked, wanted)

    def _do(self, asked: Answering, wanted: str) -> None:
        up, player = asked.set_up, self.table.player
        self.fault = ""
        if up is None:
            return
        if wanted == SUGGESTED:
            asked.write("")
            player.enter("")
        elif wanted == RESERVE and up.may_reserve:
            player.answer(up.answer(RESERVES))
        elif wanted == RESERVE:
            if not player.keep_in_reserves(asked.request.unit):
                self.fault = f"{up.name} may not be kept in reserves"
        else:
            asked.write("")
            player.enter(wanted)

    # drawing

    def draw(self, surface: pygame.Surface, layout: Layout, asked: Answering, mouse: tuple[int, int]) -> None:
        """Draw the buttons in the bar."""
        up = asked.set_up
        if up is None:
            return
        self.bar = layout.bottom
        faces = [ButtonFace(UNDO, "Undo", "Ctrl Z", icon="undo"), ButtonFace(RESERVE, "Into reserves", "R")]
        faces.append(ButtonFace(REST, "Place the rest", "Shift G"))
        words = "In reserves as suggested" if up.is_to_reserve else "As suggested"
        faces.append(ButtonFace(SUGGESTED, words, "G", main=True))
        told = (
            self.fault
            or asked.fault
            or (f"Typed: {asked.line}" if asked.line and not self._ghost(asked) else "")
        )
        how = "Click to place, drag a unit that stands to mend it, right click lets go."
        how = asked.settled[-1] if asked.settled else how
        self.buttons = draw_button_bar(
            surface, self.bar, self.table.lettering, f"{up.name}.", told or how, faces, mouse
        )

    def _ghost(self, asked: Answering) -> Places | None:
        return asked.draft if isinstance(asked.draft, Places) and asked.draft.poses else None

    def sketch(self, surface: pygame.Surface, asked: Answering) -> None:
        """Draw the suggestion dashed, the ghost's plate, and what is dragged."""
        up = asked.set_up
        if up is None:
            return
        clip = surface.get_clip()
        room = pygame.Rect(self.table.camera.viewport)
        surface.set_clip(room.clip(clip))
        if self._mended:
            self._sketch_mended(surface)
        elif up.is_placing:
            self._sketch_suggested(surface, asked, up)
            self._sketch_plate(surface, asked, up, room)
        surface.set_clip(clip)

    def _sketch_suggested(self, surface: pygame.Surface, asked: Answering, up: SettingUp) -> None:
        palette, position = self.table.lettering.palette, self.table.playback.state.position
        lowest = (0.0, 0.0)
        for row, (x, y, facing) in up.suggested.items():
            base = position.models[row].facts.base
            ring = [self.table.camera.to_screen(x + dx, y + dy) for dx, dy in outline(base, facing, 0.0)]
            for a, b in dashes([*ring, ring[0]]):
                pygame.draw.line(surface, palette.accent, a, b, 2)
            lowest = max([lowest, *ring], key=lambda spot: spot[1])
        if up.suggested and self._ghost(asked) is None:
            room = pygame.Rect(self.table.camera.viewport)
            draw_word_plate(surface, self.table.lettering, room, f"Suggested: {up.name}", lowest)

    def _sketch_plate(
        self, surface: pygame.Surface, asked: Answering, up: SettingUp, room: pygame.Rect
    ) -> None:
        ghost = self._ghost(asked)
        if ghost is None:
            return
        spots = np.array([pose[:2] for pose in ghost.poses.values()])
        middle = float(spots[:, 0].mean()), float(spots[:, 1].mean())
        near = up.nearest_marker(middle)
        words = f"{up.name} · {asked.fault or asked.note or 'legal'}"
        if near is not None:
            words += f" · {near[1]:.1f}″ from its middle to {near[0]}"
        x, y = self.table.camera.to_screen(middle[0], float(spots[:, 1].min()) - 1.0)
        draw_word_plate(surface, self.table.lettering, room, words, (x, y))

    def _sketch_mended(self, surface: pygame.Surface) -> None:
        """Draw the unit that is dragged where the mouse is."""
        state, camera = self.table.playback.state, self.table.camera
        unit = state.position.units.get(self._mended)
        if unit is None or self._pressed is None:
            return
        xy = state.position.table.xy[list(unit.rows)]
        middle = xy.mean(axis=0)
        there = camera.to_world(*self._mouse)
        for model, (x, y) in zip(state.position.alive(unit), xy, strict=True):
            spot = float(x - middle[0] + there[0]), float(y - middle[1] + there[1])
            facing = float(state.position.table.facing[model.row])
            ring = [
                camera.to_screen(spot[0] + dx, spot[1] + dy)
                for dx, dy in outline(model.facts.base, facing, 0.0)
            ]
            pygame.draw.polygon(surface, self.table.lettering.palette.ink, ring, 2)


def _is_free(table: Table, at: tuple[int, int]) -> bool:
    """Return whether no model stands at a pixel."""
    return model_at(table.camera, table.playback, at) is None


def _within(ring: tuple[Point, ...], x: float, y: float) -> bool:
    """Return whether a point lies within a ring of corners."""
    return bool(point_in(ring, np.array([(x, y)])).all())
