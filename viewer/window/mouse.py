"""The mouse over a battle: what is pressed, drawn along, panned and let go.

Owns where the mouse is and what it has hold of. What a click does is the window's, what a drag does the
player's.
"""

from __future__ import annotations

from collections.abc import Callable

import pygame

from viewer.input.answering import Answering
from viewer.window.camera import Camera
from viewer.window.columns import Columns
from viewer.window.message import Message
from viewer.window.playback import Playback
from viewer.window.player import PlayerSeat
from viewer.window.toolbox import Toolbox

ZOOM = 1.15
DRAG = 4
"""A press that moves at most this many pixels is a click."""


class Mouse:
    """The mouse, and what it has hold of."""

    def __init__(
        self, playback: Playback, camera: Camera, player: PlayerSeat, columns: Columns, toolbox: Toolbox,
        message: Message,
    ) -> None:  # fmt: skip
        """Begin outside the window."""
        self._playback, self._camera, self._player = playback, camera, player
        self._columns, self._toolbox, self._message = columns, toolbox, message
        self.at = (-1, -1)
        self.pressed: tuple[int, int] | None = None
        """Where it was pressed, None where it is not."""
        self.pressed_on: Answering | None = None
        """The question that was shown as it was pressed: a click is for no other."""
        self.dragged = False
        self.scrubbing = False
        """Whether it draws the line of time along."""
        self.grip = ""
        """What a press has hold of: "" the view, "ready", "held" what is to move, "gone" nothing."""
        self.peeks = False
        """Whether it holds the eye that shows the player's secret objective."""
        self.on_line: Callable[[tuple[int, int]], bool] = lambda at: False
        """Whether a pixel lies on the line of time."""
        self.scrub: Callable[[tuple[int, int]], None] = lambda at: None
        """Shows the moment of a pixel of the line of time."""

    def let_go(self) -> None:
        """Let go of all that it has hold of."""
        self.dragged = self.scrubbing = self.peeks = False
        self.pressed, self.pressed_on, self.grip = None, None, ""

    def is_on_board(self, at: tuple[int, int]) -> bool:
        """Return whether a pixel shows the board."""
        return self._camera.contains(*at) and not self._columns.panel.hides(at)

    def wheel(self, turns: int) -> None:
        """Turn the wheel where the mouse is: spread what is held, scroll, or zoom."""
        at, panel = pygame.mouse.get_pos() if self.at == (-1, -1) else self.at, self._columns.panel
        if self._player.wheel(turns):
            pass
        elif panel.hides(at):
            panel.scroll(turns, at)
        elif self._camera.contains(*at):
            self._camera.zoom(ZOOM**turns, at)
            self._camera.hold(*self._playback.state.position.board.size)
        else:
            self._columns.scroll(turns, at)

    def down(self, at: tuple[int, int], button: int, *, is_free: bool) -> None:
        """Press a button; where the window shows something over all (not `is_free`), hold nothing."""
        if self._player.holds:
            # Another button while one is held takes back what is held.
            if button == 3:
                self._player.take_back()
            return
        if self._message.takes(at):
            return
        self.at, self.pressed, self.dragged = at, at, False
        self.peeks = self._columns.top.eye.collidepoint(at)
        self.pressed_on = self._player.asked
        if self._columns.panel.hides(at) or not is_free:
            return
        if self._toolbox.press(at, button):
            self.pressed = None
            return
        self._columns.panel.menu_is_open = False
        is_ready = button == 1 and self._camera.contains(*at) and self._player.takes_up(at)
        self.grip = "ready" if is_ready else ""
        if not self._columns.turn.takes_bar and self.on_line(at):
            self.scrubbing = True
            self.scrub(at)

    def move(self, at: tuple[int, int], by: tuple[int, int]) -> None:
        """Move: draw along what is held, pan the view, or scrub."""
        self.at = at
        self._toolbox.move(at)
        if self.scrubbing:
            self.scrub(at)
        elif self.pressed is not None and self.is_on_board(self.pressed):
            far = max(abs(at[0] - self.pressed[0]), abs(at[1] - self.pressed[1]))
            self.dragged = self.dragged or far > DRAG
            if self.dragged and self.grip:
                self._draw_along(self.pressed, at)
            elif self.dragged:
                self._camera.pan(-by[0], -by[1])
                self._camera.hold(*self._playback.state.position.board.size)

    def _draw_along(self, start: tuple[int, int], at: tuple[int, int]) -> None:
        """Draw what was pressed along with the mouse, until the hand lets go of it."""
        if self.grip == "ready" or (self.grip == "held" and self._player.draws):
            alone = bool(pygame.key.get_mods() & (pygame.KMOD_ALT | pygame.KMOD_SHIFT))
            self.grip = "held" if self._player.drag(start, at, alone=alone) else "gone"
        else:
            self.grip = "gone"

    def up(self, at: tuple[int, int], button: int) -> bool:
        """Let a button go, and what it held; return whether that was a click."""
        if self._toolbox.release(button) or (button != 1 and self._player.holds):
            return False
        if self.dragged and self.grip == "held" and self._player.draws:
            self._player.release(at)
        clicked = self.pressed is not None and not self.dragged and not self.scrubbing
        self.pressed, self.scrubbing, self.grip, self.peeks = None, False, "", False
        return clicked
