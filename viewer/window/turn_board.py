"""The board while a battle is watched: dice, numbers that rise, a view that follows.

Puts the drawers together for the moment shown; the bar below and the summary are the turn watch's.
"""

from __future__ import annotations

from collections.abc import Callable

import pygame

from engine.core import event as ev
from viewer.input.odds import ChargeOdds, Volley
from viewer.story.motion import THROWN
from viewer.story.source import Reason
from viewer.story.tray import Tray, explained, tray_at
from viewer.window.afterglow import draw_numbers
from viewer.window.camera import Camera
from viewer.window.corner import Perch
from viewer.window.dice_tray import FACTORS, draw_tray, hidden_dice, lay
from viewer.window.follow import Follow
from viewer.window.lettering import Lettering
from viewer.window.playback import Playback
from viewer.window.scene import Scene, Told
from viewer.window.turn_watch import TurnWatch

ABOVE = 30
"""How far above a token a number may stand that tells its losses, in pixels."""
MOUSE = 24
"""The side of the square round the mouse that a popup keeps clear of, in pixels."""
RESERVE = 180
"""The height that a volley's dice come to, at the usual size of words."""
APPEARS = 0.09
"""The seconds in which a popup appears."""
LEAST_BOARD = 300
"""A board narrower than this, in pixels, has no room for dice."""


class TurnBoard:
    """What stands over the board while the battle plays on."""

    def __init__(self, lettering: Lettering, playback: Playback, scene: Scene, turn: TurnWatch) -> None:
        """Start with nothing drawn."""
        self._lettering, self._playback, self._scene, self._turn = lettering, playback, scene, turn
        self._perch = Perch()
        self._follow = Follow(on=turn.follows)
        self._view: tuple[tuple[float, float], float] | None = None
        """The view to come back to once the summary is closed, …"""
        self._size: tuple[int, int] = (0, 0)
        """…and the size of the window then."""
        self._known: tuple[object, ...] = ()
        self._tray: Tray | None = None
        self._dismissed: tuple[int, str] | None = None
        self._met: tuple[tuple[int, str], tuple[int, int]] = ((0, ""), (-1, -1))
        """The dice that were met last, and where the mouse was then."""
        self._shown: tuple[int, str] = (0, "")
        """The dice that were drawn last, …"""
        self._age = APPEARS
        """…and for how many seconds they have been there."""

    @property
    def tray_box(self) -> pygame.Rect:
        """Return where the dice were drawn last; nowhere where there were none."""
        return self._perch.box

    def tray(self) -> Tray | None:
        """Return the dice of the moment shown, None without any that a person throws."""
        playback = self._playback
        key = (id(playback.chronicle), playback.cursor, len(playback.chronicle))
        if key != self._known:
            self._known, self._tray = key, _thrown(playback)
        return self._tray

    def tick(self, passed: float, camera: Camera) -> bool:
        """Let some seconds go by; return whether a summary opened or something moves."""
        opened = self._turn.tick()
        appears = self._perch.box.w > 0 and self._is_young
        self._age += passed
        self._scene.told = self._turn.told() if self._turn.is_open else Told()
        glows = self._scene.glow.tick(passed, self._playback)
        self._follow.on = self._turn.follows and not self._turn.is_open
        acting, target = self._acting()

        def rooms() -> list[pygame.Rect]:
            known = self._scene.rooms(camera, self._playback)
            return [box for unit in (acting, target) for box in known.get(unit, ())]

        size = self._playback.state.position.board.size
        at_once = self._playback.less_motion
        moved = self._follow.tick(passed, camera, acting, rooms, size, at_once=at_once)
        return opened or appears or glows or moved

    def _acting(self) -> tuple[str, str]:
        """Return the unit whose decision is going on, and its target."""
        decision = self._playback.decision
        entry = self._playback.chronicle.entries[decision] if decision is not None else None
        if not isinstance(entry, Reason):
            return "", ""
        units = self._playback.state.position.units
        return entry.unit, next((each.target for each in entry.because if each.target in units), "")

    def make_room(self, camera: Camera, size: tuple[int, int], divide: Callable[[int, int], None]) -> None:
        """Divide a window of a size anew as a summary opens or closes; then the view is as it was."""
        if self._turn.is_open:
            self._view, self._size = (camera.centre, camera.scale), size
            divide(*size)
            return
        divide(*size)
        if self._view is not None and self._size == size:
            camera.centre, camera.scale = self._view
            self._view = None

    def dismiss(self) -> None:
        """Close the dice of the moment, as where the person goes on to something else."""
        tray = self.tray()
        self._dismissed = (tray.key, tray.unit) if tray is not None else None

    def draw(
        self,
        surface: pygame.Surface,
        camera: Camera,
        mouse: tuple[int, int],
        odds: Volley | ChargeOdds | None = None,
    ) -> None:
        """Draw the numbers of what was just lost, and the dice; those give way to a question's odds."""
        if self._turn.is_open:
            self._perch.close()
            return
        tolls = self._scene.glow.tolls(self._playback)
        tray = self.tray()
        if tray is not None and (tray.key, tray.unit) != self._met[0]:
            self._met = (tray.key, tray.unit), mouse
        # Under a mouse that still rests where it fired the dice are what matters.
        gives_way = odds is not None and mouse != self._met[1]
        if gives_way or (tray is not None and (tray.key, tray.unit) == self._dismissed):
            tray = None
        if tray is None or camera.viewport[2] < LEAST_BOARD:
            self._perch.close()
        if tray is None and not tolls:
            return
        rooms = self._rooms(camera)
        board = pygame.Rect(camera.viewport)
        clip = surface.get_clip()
        surface.set_clip(board.clip(clip))
        whole = {unit: boxes[0].unionall(boxes[1:]) for unit, boxes in rooms.items() if boxes}
        glow, words = self._scene.glow, self._scene.words
        words = words + [box for boxes in rooms.values() for box in boxes]
        numbers = draw_numbers(surface, self._lettering, glow, whole, tolls, words)
        if tray is not None and board.w >= LEAST_BOARD:
            self._draw_tray(surface, camera, tray, rooms, [*numbers, *_round_mouse(mouse)])
        surface.set_clip(clip)

    def _draw_tray(
        self,
        surface: pygame.Surface,
        camera: Camera,
        tray: Tray,
        rooms: dict[str, list[pygame.Rect]],
        shunned: list[pygame.Rect],
    ) -> None:
        """Draw the dice in a corner that covers neither attacker, target nor mouse."""
        playback, state = self._playback, self._playback.state
        own = [*rooms.get(tray.unit, ()), *rooms.get(tray.target, ())]
        above = round(ABOVE * self._lettering.sizes.ui)
        shunned += [*own, *(box.move(0, -above) for box in own)]
        tokens = [box for boxes in rooms.values() for box in boxes] + self._scene.words
        laid = [lay(self._lettering, tray, state, camera.viewport[2] - 24, factor) for factor in FACTORS]
        sizes, about = [each.size for each in laid], (tray.key, tray.unit)
        reserve = self._lettering.t(RESERVE * FACTORS[-1]) if tray.weapon else 0
        box = self._perch.place(about, sizes, camera.viewport, tokens, shunned, reserve)
        effect, hidden = playback.effect, ("", 0)
        if effect is not None and isinstance(effect.entry, ev.Rolled) and not effect.still:
            roll = effect.entry
            hidden = (roll.roll, hidden_dice(len(roll.dice), effect.elapsed))
        if about != self._shown:
            self._shown, self._age = about, 0.0 if playback.playing else APPEARS
        before = surface.subsurface(box.clip(surface.get_rect())).copy() if self._is_young else None
        draw_tray(surface, self._lettering, box, laid[self._perch.chosen], state, hidden)
        if before is not None:
            before.set_alpha(round(255 * (1 - self._age / APPEARS)))
            surface.blit(before, box)

    @property
    def _is_young(self) -> bool:
        """Return whether the dice have not appeared in full."""
        return self._age < APPEARS and not self._playback.less_motion

    def _rooms(self, camera: Camera) -> dict[str, list[pygame.Rect]]:
        """Return the room of each unit on the screen, that of models that have just fallen among it."""
        rooms = self._scene.rooms(camera, self._playback)
        tolls = self._scene.glow.tolls(self._playback)
        state, playback = self._playback.state, self._playback
        for fall in playback.chronicle.fallen.at(playback.cursor):
            if fall.unit in tolls and not rooms.get(fall.unit):
                base = state.position.models[fall.row].facts.base
                half = max(base.length, base.width) / 2 * camera.scale
                x, y = camera.to_screen(*fall.at)
                box = pygame.Rect(round(x - half), round(y - half), round(2 * half), round(2 * half))
                rooms.setdefault(fall.unit, []).append(box)
        return rooms


def _round_mouse(mouse: tuple[int, int]) -> list[pygame.Rect]:
    return [pygame.Rect(mouse, (1, 1)).inflate(MOUSE, MOUSE)] if mouse != (-1, -1) else []


def _thrown(playback: Playback) -> Tray | None:
    """Return the dice of the moment, unless the last roll only picked one of some things."""
    entries, cursor = playback.chronicle.entries, playback.cursor
    tray = tray_at(entries, cursor)
    if tray is not None:
        tray = explained(tray, playback.state)
    for index in range(cursor - 1, -1, -1):
        entry = entries[index]
        if isinstance(entry, ev.Rolled) and entry.dice:
            return tray if entry.stream in THROWN else None
        if isinstance(entry, ev.Attacked):
            break
    return tray
