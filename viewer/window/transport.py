"""The bottom bar while the battle plays on by itself: pause, speed, strip, jumps.

Draws, and tells which control is under the mouse; what the controls do is the turn watch's.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pygame

from viewer.story.name import phase_name
from viewer.story.turn_strip import Stretch
from viewer.window.lettering import Lettering
from viewer.window.palette import Colour, mix

SPEEDS_SHOWN = (0.5, 1.0, 2.0, 4.0, 8.0)
LEAST_TARGET = 36
"""The least side of a control, in pixels."""
LEAST_STRIP = 120
"""The least width of the strip, at the usual size of words."""


@dataclass(frozen=True, slots=True)
class TurnRun:
    """What the bar shows: whether it plays, how fast, whither it jumps, and the turn."""

    playing: bool
    speed: float
    goal: str
    follow: bool
    side: str
    stretches: tuple[Stretch, ...]
    last: str
    """The words of the button that goes on to the next question."""


@dataclass(frozen=True, slots=True)
class Control:
    """A button: its command, its sign, its words, its key."""

    command: str
    sign: str
    words: str
    key: str = ""
    lit: bool = False
    main: bool = False


def speed_words(speed: float) -> str:
    """Return a speed as it is written."""
    return {0.5: "½×", 0.25: "¼×"}.get(speed, f"{speed:g}×")


@dataclass(slots=True)
class Transport:
    """The bar, and where its parts were drawn last."""

    lettering: Lettering
    controls: list[tuple[pygame.Rect, str]] = field(default_factory=list)
    strip: list[tuple[pygame.Rect, str]] = field(default_factory=list)
    """The phases' parts of the strip."""
    rect: pygame.Rect = field(default_factory=lambda: pygame.Rect(0, 0, 0, 0))

    def close(self) -> None:
        """Be gone."""
        self.controls, self.strip, self.rect = [], [], pygame.Rect(0, 0, 0, 0)

    def control_at(self, at: tuple[int, int]) -> str:
        """Return the command of the control under a pixel, "" where there is none."""
        return next((command for box, command in self.controls if box.collidepoint(at)), "")

    def moment_at(self, at: tuple[int, int]) -> tuple[str, float] | None:
        """Return the phase on the strip under a pixel, and how far along it that is."""
        for box, phase in self.strip:
            if box.inflate(0, self.rect.h).collidepoint(at) and self.rect.collidepoint(at):
                return phase, (at[0] - box.x) / max(box.w, 1)
        return None

    def draw(self, surface: pygame.Surface, rect: pygame.Rect, run: TurnRun, mouse: tuple[int, int]) -> None:
        """Draw the bar."""
        lettering, palette = self.lettering, self.lettering.palette
        self.close()
        self.rect = rect
        pygame.draw.rect(surface, palette.panel, rect)
        pygame.draw.line(surface, palette.line, rect.topleft, rect.topright, 1)
        if rect.h < 24:
            return
        pad, gap = lettering.u(14), lettering.u(10)
        left, right, is_segmented = self._fitting(run, rect.w - 2 * pad)
        x = rect.x + pad
        x = self._draw_control(surface, rect, x, left[0], mouse) + gap
        x = self._draw_speeds(surface, rect, x, run.speed, mouse, whole=is_segmented) + gap
        for control in left[1:]:
            x = self._draw_control(surface, rect, x, control, mouse) + gap
        edge = rect.right - pad
        for control in reversed(right):
            box = self._box(rect, edge - self._wide(control), control)
            self._paint(surface, box, control, mouse)
            edge = box.x - gap
        room = pygame.Rect(x + gap, rect.y, edge - x - 2 * gap, rect.h)
        if room.w >= lettering.t(LEAST_STRIP) / 2:
            self._draw_strip(surface, room, run)

    def _fitting(self, run: TurnRun, room: int) -> tuple[list[Control], list[Control], bool]:
        """Return the controls, with as many keys and words as have room."""
        least = self.lettering.t(LEAST_STRIP)
        for level in range(6):
            left, right = self._left(run, level), self._right(run, level)
            is_segmented = level < 3
            wide = sum(self._wide(each) + self.lettering.u(10) for each in (*left, *right))
            wide += self._speeds_wide(whole=is_segmented) + self.lettering.u(40)
            if wide + least <= room:
                break
            least = 0 if level == 4 else least
        return left, right, is_segmented

    def _left(self, run: TurnRun, level: int) -> list[Control]:
        main = Control("toggle", "pause" if run.playing else "play", "", "Space", main=True)
        step = Control("step", "step", "", "→")
        follow = Control("follow", "camera", "Follow" if level < 2 else "", "F", lit=run.follow)
        found = [main, step, follow] if level < 5 else [main, step]
        return found if level < 1 else [_bare(each) for each in found]

    def _right(self, run: TurnRun, level: int) -> list[Control]:
        controls = [
            Control("unit", "skip", "Unit", ".", lit=run.goal == "unit"),
            Control("phase", "skip", "Phase", "]", lit=run.goal.startswith("phase")),
            Control("turn", "to-turn", run.last, "Enter", lit=run.goal == "turn"),
        ]
        if level >= 1:
            controls = [_bare(each) for each in controls]
        if level >= 3:
            controls = [_wordless(each) if level >= 4 else _signless(each) for each in controls]
        return controls

    # measures

    def _wide(self, control: Control) -> int:
        lettering = self.lettering
        wide = lettering.t(20)
        wide += lettering.t(18) if control.sign else 0
        wide += lettering.width(control.words, 14, True) + lettering.t(6) if control.words else 0
        wide += lettering.width(control.key, 11, True) + lettering.t(18) if control.key else 0
        return max(wide, LEAST_TARGET)

    def _box(self, rect: pygame.Rect, x: int, control: Control) -> pygame.Rect:
        high = min(max(round(rect.h * 0.66), LEAST_TARGET), rect.h - 2)
        box = pygame.Rect(x, 0, self._wide(control), high)
        box.centery = rect.centery
        return box

    def _speeds_wide(self, *, whole: bool) -> int:
        shown = SPEEDS_SHOWN if whole else (SPEEDS_SHOWN[0],)
        return len(shown) * self._speed_wide()

    def _speed_wide(self) -> int:
        return max(self.lettering.width("16×", 13, True) + self.lettering.t(14), LEAST_TARGET)

    # drawing

    def _draw_control(
        self, surface: pygame.Surface, rect: pygame.Rect, x: int, control: Control, mouse: tuple[int, int]
    ) -> int:
        box = self._box(rect, x, control)
        self._paint(surface, box, control, mouse)
        return box.right

    def _paint(
        self, surface: pygame.Surface, box: pygame.Rect, control: Control, mouse: tuple[int, int]
    ) -> None:
        """Paint a button and remember where it is."""
        lettering, palette = self.lettering, self.lettering.palette
        self.controls.append((box, control.command))
        fill = palette.accent if control.main else palette.raised
        fill = mix(fill, palette.ink, 0.15) if box.collidepoint(mouse) else fill
        pygame.draw.rect(surface, fill, box, border_radius=6)
        ink = palette.on_accent if control.main else palette.accent if control.lit else palette.ink
        if not control.main:
            pygame.draw.rect(
                surface, palette.accent if control.lit else palette.line, box, 1, border_radius=6
            )
        x = box.x + lettering.t(10)
        if control.sign:
            size = lettering.t(18)
            bare = not control.words and not control.key
            middle = (box.centerx if bare else x + size / 2, box.centery)
            lettering.glyphs.draw(surface, control.sign, middle, size, ink)
            x += size + lettering.t(6)
        if control.words:
            at = (x, box.centery)
            word = lettering.draw(surface, control.words, at, 14, ink, bold=True, anchor="midleft")
            x = word.right + lettering.t(8)
        if control.key:
            self._draw_key(surface, box, x, control, fill)

    def _draw_key(
        self, surface: pygame.Surface, box: pygame.Rect, x: int, control: Control, fill: Colour
    ) -> None:
        lettering, palette = self.lettering, self.lettering.palette
        wide = lettering.width(control.key, 11, True) + lettering.t(10)
        frame = pygame.Rect(x, 0, wide, lettering.height(11, True) + lettering.t(4))
        frame.centery = box.centery
        edge = mix(palette.on_accent, fill, 0.4) if control.main else palette.edge
        pygame.draw.rect(surface, edge, frame, 1, border_radius=4)
        tone = palette.on_accent if control.main else palette.soft
        if control.key == "→":
            lettering.glyphs.draw(surface, "right", frame.center, lettering.t(12), tone)
            return
        lettering.draw(surface, control.key, frame.center, 11, tone, bold=True, anchor="center")

    def _draw_speeds(
        self, surface: pygame.Surface, rect: pygame.Rect, x: int, speed: float, mouse: tuple[int, int], *,
        whole: bool,
    ) -> int:  # fmt: skip
        """Draw the speeds side by side, or the one that holds; return where they end."""
        lettering, palette = self.lettering, self.lettering.palette
        shown = list(SPEEDS_SHOWN)
        if speed not in shown:
            shown[0 if speed < 1 else -1] = speed
        shown = shown if whole else [speed]
        wide = self._speed_wide()
        high = min(max(round(rect.h * 0.66), LEAST_TARGET), rect.h - 2)
        frame = pygame.Rect(x, rect.centery - high // 2, wide * len(shown), high)
        pygame.draw.rect(surface, palette.raised, frame, border_radius=6)
        for place, each in enumerate(shown):
            box = pygame.Rect(frame.x + place * wide, frame.y, wide, high)
            chosen = each == speed and whole
            if chosen:
                pygame.draw.rect(surface, palette.players[0], box, border_radius=6)
            elif box.collidepoint(mouse):
                pygame.draw.rect(surface, palette.hover, box, border_radius=6)
            ink = palette.background if chosen else palette.ink
            lettering.draw(surface, speed_words(each), box.center, 13, ink, bold=True, anchor="center")
            command = f"speed:{each}" if whole else "faster"
            self.controls.append((box, command))
        pygame.draw.rect(surface, palette.line, frame, 1, border_radius=6)
        return frame.right

    def _draw_strip(self, surface: pygame.Surface, room: pygame.Rect, run: TurnRun) -> None:
        """Draw the turn: its phases side by side, bright as far as they are done, with their names."""
        lettering, palette = self.lettering, self.lettering.palette
        gap, high = lettering.u(4), max(lettering.u(8), 6)
        whole = sum(each.weight for each in run.stretches) or 1.0
        free = room.w - gap * (len(run.stretches) - 1)
        base = palette.holder(run.side)
        top = room.centery - (high + lettering.leading(12)) // 2
        x = float(room.x)
        taken = room.x
        for each in run.stretches:
            wide = free * each.weight / whole
            box = pygame.Rect(round(x), top, max(round(wide), 1), high)
            pygame.draw.rect(surface, mix(base, palette.background, 0.7), box, border_radius=3)
            if each.done > 0:
                part = pygame.Rect(box.x, box.y, max(round(box.w * each.done), 3), box.h)
                pygame.draw.rect(surface, base, part, border_radius=3)
            self.strip.append((box, each.phase))
            words = phase_name(each.phase)
            fits = lettering.width(words, 12, each.is_now) <= box.w + (gap if not each.is_now else 0)
            if fits and box.x >= taken:
                tone = palette.side_text(run.side) if each.is_now else palette.soft
                at = (box.x, box.bottom + lettering.u(2))
                word = lettering.draw(surface, words, at, 12, tone, bold=each.is_now)
                taken = word.right + lettering.t(4)
            x += wide + gap
        now = next((i for i, each in enumerate(run.stretches) if each.is_now), None)
        if now is not None and taken == room.x:
            self._name_phase(surface, room, self.strip[now][0], run)

    def _name_phase(self, surface: pygame.Surface, room: pygame.Rect, box: pygame.Rect, run: TurnRun) -> None:
        """Write the name of the phase that runs where no other has room, within the strip's room."""
        lettering, palette = self.lettering, self.lettering.palette
        words = lettering.fitted(
            phase_name(next(e.phase for e in run.stretches if e.is_now)), 12, room.w, True
        )
        left = min(box.x, room.right - lettering.width(words, 12, True))
        at = (left, box.bottom + lettering.u(2))
        lettering.draw(surface, words, at, 12, palette.side_text(run.side), bold=True)


def _bare(control: Control) -> Control:
    return Control(control.command, control.sign, control.words, "", control.lit, control.main)


def _signless(control: Control) -> Control:
    return Control(control.command, "", control.words, "", control.lit, control.main)


def _wordless(control: Control) -> Control:
    return Control(control.command, control.sign, "", "", control.lit, control.main)
