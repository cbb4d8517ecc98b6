"""The top bar: round, whose turn, phase, goals as chips with progress, CP and SP, menu.

Draws what it is given, and tells where its chips are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pygame

from engine.core.state import State
from viewer.story.goal import Goal
from viewer.story.name import phase_name, seat_name
from viewer.window.lettering import Lettering
from viewer.window.palette import Colour, mix
from viewer.window.seat_tabs import draw_seats, seat_lines

PHASES = ("command", "movement", "shooting", "charge", "fight")
WIDEST_HINT = 380
SHORT = 44
"""What a card asks stands on its chip where it is no longer than this."""
_HEADINGS = {"secret": "SECRET", "mission": "MISSION", "misery": "MISERY"}
_LEAST_CHIP = 96

Hint = tuple[pygame.Rect, list[str]]
"""Somewhere in the window, and the lines that explain it."""


@dataclass(slots=True)
class TopBar:
    """The top bar, and where its parts were drawn last."""

    hints: list[Hint] = field(default_factory=list)
    menu: pygame.Rect = field(default_factory=lambda: pygame.Rect(0, 0, 0, 0))
    eye: pygame.Rect = field(default_factory=lambda: pygame.Rect(0, 0, 0, 0))
    """The chip of a hidden secret: pressed, it shows it."""
    tabs: list[tuple[pygame.Rect, str]] = field(default_factory=list)
    """The tabs of the seats, where there are several."""

    def draw(
        self,
        surface: pygame.Surface,
        rect: pygame.Rect,
        lettering: Lettering,
        state: State,
        goals: Sequence[Goal],
        seat: str,
        *,
        wide: bool,
    ) -> None:
        """Draw the bar for the seat that is asked, or the first."""
        palette = lettering.palette
        self.hints, self.tabs = [], []
        self.menu, self.eye = pygame.Rect(0, 0, 0, 0), pygame.Rect(0, 0, 0, 0)
        pygame.draw.rect(surface, palette.panel, rect)
        pygame.draw.line(surface, palette.line, (rect.x, rect.bottom - 1), (rect.right, rect.bottom - 1), 1)
        if rect.h < 40 or rect.w < 300:
            return
        clip = surface.get_clip()
        surface.set_clip(rect.clip(clip))
        right = self._draw_menu(surface, rect, lettering)
        left = _draw_time(surface, rect, lettering, state, seat, wide=wide)
        if len(state.players) > 1:
            left, self.tabs = draw_seats(
                surface, pygame.Rect(left, rect.y, right - left, rect.h), lettering, state, seat
            )
        else:
            right = _draw_purse(surface, rect, lettering, state, seat, right)
        room = pygame.Rect(left, rect.y, max(right - left, 0), rect.h)
        self._draw_goals(surface, room, lettering, goals, wide=wide)
        self.hints += [(box, seat_lines(state, each)) for box, each in self.tabs]
        surface.set_clip(clip)

    def _draw_menu(self, surface: pygame.Surface, rect: pygame.Rect, lettering: Lettering) -> int:
        palette, high = lettering.palette, round(rect.h * 0.62)
        box = pygame.Rect(0, 0, max(high, 36), max(high, 36))
        box.midright = (rect.right - lettering.u(12), rect.centery)
        pygame.draw.rect(surface, palette.raised, box, border_radius=6)
        pygame.draw.rect(surface, palette.line, box, 1, border_radius=6)
        lettering.glyphs.draw(surface, "menu", box.center, round(high * 0.5), palette.ink)
        self.menu = box
        return box.x - lettering.t(16)

    def _draw_goals(
        self, surface: pygame.Surface, room: pygame.Rect, lettering: Lettering, goals: Sequence[Goal],
        *, wide: bool,
    ) -> None:  # fmt: skip
        """Draw chips from the right; where they have no room they lose words."""
        groups = _grouped(goals)
        for level in range(3):
            gap = lettering.t(10 if level < 2 else 5)
            chips = [_Chip(group, level, wide=wide) for group in groups]
            widths = [chip.width(lettering) for chip in chips]
            if sum(widths) + gap * len(widths) <= room.w:
                break
        x = room.right - sum(widths) - gap * len(widths)
        for chip, width in zip(chips, widths, strict=True):
            if x < room.x:
                x += width + gap
                continue
            box = pygame.Rect(x, room.y + lettering.u(5), width, room.h - lettering.u(11))
            chip.draw(surface, box, lettering)
            self.hints.append((box, chip.lines(lettering)))
            if chip.goals[0].hidden:
                self.eye = box
            x += width + gap


def _grouped(goals: Sequence[Goal]) -> list[tuple[Goal, ...]]:
    """Return secrets, then missions, each alone, then misery cards, three and more together."""
    found: list[tuple[Goal, ...]] = []
    for kind in _HEADINGS:
        of_kind = tuple(goal for goal in goals if goal.kind == kind)
        found += [(goal,) for goal in of_kind] if kind != "misery" or len(of_kind) < 3 else [of_kind]
    return found


@dataclass(frozen=True, slots=True)
class _Chip:
    """One chip: a card, or several of a kind; `level` 1 leaves the note out, 2 the name, too."""

    goals: tuple[Goal, ...]
    level: int
    wide: bool

    @property
    def _heading(self) -> str:
        first = self.goals[0]
        word = _HEADINGS[first.kind]
        if first.kind == "secret":
            return f"YOUR {word}" if self.wide and first.own else word
        return word

    @property
    def _name(self) -> str:
        if len(self.goals) > 1:
            return f"{len(self.goals)} cards"
        first = self.goals[0]
        if self.level > 1 and not first.hidden:
            return first.progress.replace(" of ", "/") or "1"
        return first.name

    @property
    def _note(self) -> str:
        first = self.goals[0]
        if len(self.goals) > 1 or self.level > 1:
            return ""
        if first.progress:
            return first.progress if self.level == 0 else first.progress.replace(" of ", "/")
        return first.says.rstrip(".") if self.level == 0 and len(first.says) <= SHORT else ""

    def width(self, lettering: Lettering) -> int:
        """Return how wide the chip is."""
        second = lettering.width(self._name, 13, True)
        if self._note:
            second += lettering.t(5) + lettering.width(self._note, 12)
        first = lettering.width(self._heading, 11, True)
        first += lettering.t(22) if self._has_eye else 0
        least = lettering.t(_LEAST_CHIP) if self.level < 2 else 36
        return max(first, second, least) + lettering.t(22 if self.level < 2 else 17)

    @property
    def _has_eye(self) -> bool:
        first = self.goals[0]
        return first.kind == "secret" and (first.hidden or self.level < 2)

    def draw(self, surface: pygame.Surface, box: pygame.Rect, lettering: Lettering) -> None:
        """Draw the chip."""
        palette, first = lettering.palette, self.goals[0]
        colour, tone = _tone(first.kind, lettering)
        pygame.draw.rect(surface, palette.raised, box, border_radius=6)
        pygame.draw.rect(surface, mix(colour, palette.background, 0.55), box, 1, border_radius=6)
        bar = pygame.Rect(box.x, box.y + 3, lettering.u(3), box.h - 6)
        pygame.draw.rect(surface, colour, bar, border_radius=2)
        left, pad = box.x + lettering.t(11), lettering.t(4)
        counted = first.done is not None and len(self.goals) == 1
        lines = lettering.height(11, True) + lettering.height(13, True) + (lettering.u(5) if counted else 0)
        top = box.y + max((box.h - lines) // 2, 1)
        head = lettering.draw(surface, self._heading, (left, top), 11, tone, bold=True)
        if self._has_eye:
            size = lettering.t(15)
            middle = (box.right - lettering.t(14), head.centery)
            lettering.glyphs.draw(surface, "eye", middle, size, palette.soft if first.hidden else tone)
        name_colour = palette.soft if first.hidden else palette.ink
        room = box.right - left - pad
        words = lettering.fitted(self._name, 13, room, True)
        name = lettering.draw(surface, words, (left, head.bottom), 13, name_colour, bold=True)
        if self._note:
            drop = lettering.font(13, True).get_ascent() - lettering.font(12).get_ascent()
            at = (name.right + lettering.t(5), name.y + drop)
            lettering.draw(surface, self._note, at, 12, palette.soft)
        if counted and first.done is not None:
            track = pygame.Rect(left, name.bottom + lettering.u(1), room - pad, max(lettering.u(3), 2))
            pygame.draw.rect(surface, palette.line, track, border_radius=2)
            track.w = round(track.w * first.done / max(first.of, 1))
            pygame.draw.rect(surface, palette.good if first.met else colour, track, border_radius=2)

    def lines(self, lettering: Lettering) -> list[str]:
        """Return what the chip says when the mouse is over it."""
        if len(self.goals) > 1:
            return [f"{len(self.goals)} misery cards", *(_said(goal) for goal in self.goals)]
        goal = self.goals[0]
        if goal.hidden:
            return ["Secret objective, hidden", "Press and hold to look: F4, or the mouse on it"]
        told = lettering.wrap(goal.says, 13, lettering.t(WIDEST_HINT))
        return [goal.name, *told, *([f"Progress: {goal.progress}"] if goal.progress else [])]


def _said(goal: Goal) -> str:
    return f"{goal.name}: {goal.says}" if goal.says else goal.name


def _tone(kind: str, lettering: Lettering) -> tuple[Colour, Colour]:
    """Return the colours of a kind's edge and heading."""
    palette = lettering.palette
    return {
        "secret": (palette.players[0], palette.players_text),
        "mission": (palette.accent, palette.accent),
        "misery": (palette.horde, palette.horde_text),
    }[kind]


def _draw_time(
    surface: pygame.Surface, rect: pygame.Rect, lettering: Lettering, state: State, seat: str, *, wide: bool
) -> int:
    """Draw the round, whose turn it is and the phase; return where they end."""
    palette = lettering.palette
    x = rect.x + lettering.t(14)
    number = f"{state.round}" if state.round else "–"
    box = lettering.draw(surface, number, (x, rect.centery), 28, palette.ink, bold=True, anchor="midleft")
    x = box.right + lettering.t(8)
    of = f"of {state.rounds}" if state.rounds else ""
    if wide:
        head = lettering.draw(
            surface, "ROUND", (x, rect.centery), 11, palette.faint, bold=True, anchor="bottomleft"
        )
        tail = lettering.draw(surface, of, (x, rect.centery), 12, palette.soft, anchor="topleft")
        x = max(head.right, tail.right) + lettering.t(12)
    elif of:
        at = (x, box.bottom - lettering.t(5))
        x = lettering.draw(surface, of, at, 13, palette.soft, anchor="bottomleft").right + lettering.t(12)
    bar = pygame.Rect(x, rect.y + lettering.u(12), lettering.u(3), rect.h - lettering.u(24))
    pygame.draw.rect(surface, palette.holder(state.turn), bar, border_radius=2)
    x = bar.right + lettering.t(14)
    tone = palette.side_text(state.turn)
    whose = _whose(state, seat)
    if not wide or state.phase not in PHASES:
        lines = lettering.height(11, True) + lettering.height(16, True)
        top = rect.centery - lines // 2
        head = lettering.draw(surface, whose, (x, top), 11, tone, bold=True)
        words = (
            "Battle over" if state.over else "Set-up" if state.phase == "setup" else phase_name(state.phase)
        )
        word = lettering.draw(surface, words, (x, head.bottom), 16, palette.ink, bold=True)
        return max(head.right, word.right) + lettering.t(14)
    return _draw_steps(surface, rect, lettering, state, x, whose)


def _draw_steps(
    surface: pygame.Surface, rect: pygame.Rect, lettering: Lettering, state: State, x: int, whose: str
) -> int:
    """Draw the five phases, the one that runs on the side's colour."""
    palette = lettering.palette
    high = lettering.height(13, True) + lettering.t(8)
    top = rect.centery - (lettering.height(11, True) + high) // 2
    head = lettering.draw(surface, whose, (x, top), 11, palette.side_text(state.turn), bold=True)
    left, pad = x, lettering.t(9)
    for i, phase in enumerate(PHASES):
        now = phase == state.phase
        words = phase_name(phase)
        wide = lettering.width(words, 13, True)
        if now:
            box = pygame.Rect(left, head.bottom, wide + 2 * pad, high)
            pygame.draw.rect(surface, palette.holder(state.turn), box, border_radius=5)
            ink, left = palette.background, left + pad
        else:
            ink = palette.soft
        at = (left, head.bottom + high / 2)
        word = lettering.draw(surface, words, at, 13, ink, bold=True, anchor="midleft")
        following = PHASES[i + 1] if i + 1 < len(PHASES) else ""
        left = word.right + (2 * pad if now else pad + (0 if following == state.phase else pad))
    return left + lettering.t(6)


def _whose(state: State, seat: str) -> str:
    """Return whose turn it is, in capitals."""
    if state.turn == "horde":
        return "THE HORDE'S TURN"
    if state.turn != "players":
        return "BATTLE" if state.round else "BEFORE THE BATTLE"
    return "YOUR TURN" if len(state.players) == 1 else f"{seat_name(state, seat)}: YOUR TURN".upper()


def _draw_purse(
    surface: pygame.Surface, rect: pygame.Rect, lettering: Lettering, state: State, seat: str, right: int
) -> int:
    """Draw a seat's CP and SP, and return where they begin."""
    palette, player = lettering.palette, state.players.get(seat) or next(iter(state.players.values()), None)
    if player is None:
        return right
    gap, begin = lettering.t(12), right
    for name, value in (("SP", player.sp), ("CP", player.cp)):
        wide = max(lettering.width(name, 11, True), lettering.width(f"{value}", 20, True))
        middle = right - wide / 2
        lines = lettering.height(11, True) + lettering.height(20, True)
        top = rect.centery - lines // 2
        head = lettering.draw(surface, name, (middle, top), 11, palette.faint, bold=True, anchor="midtop")
        at = (middle, head.bottom)
        lettering.draw(surface, f"{value}", at, 20, palette.ink, bold=True, anchor="midtop")
        right -= wide + gap
    return begin if right < rect.w // 2 else right - lettering.t(2)
