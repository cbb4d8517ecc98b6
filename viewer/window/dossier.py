"""The decision's facts in the side column: clauses, candidates, and why not another.

Draws what `viewer.story.account` and `viewer.story.why_not` say; it keeps what was asked, and what is being
typed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pygame

from datasheets.errors import UnknownName
from engine.core.state import State
from viewer.story.account import account, option_name
from viewer.story.name import plain, seat_name, unit_name
from viewer.story.source import Reason
from viewer.story.vantage import Vantage
from viewer.story.why_not import candidates_of, thing_of, why_not
from viewer.window.lettering import Lettering
from viewer.window.palette import (
    ACCENT,
    BACKGROUND,
    HORDE_COLOUR,
    INK,
    INK_FAINT,
    INK_SOFT,
    LINE,
    PANEL_RAISED,
    PLAYERS_COLOURS,
    Colour,
)

PAD = 16
SIZE = 13
LEADING = 18
INDENT = 14


@dataclass(slots=True)
class Dossier:
    """What is asked of the decision that is shown."""

    instead: str = ""
    """The thing of which it is asked why the decision did not fall on it."""
    line: str | None = None
    """What is being typed after "why not", None where nothing is."""
    fault: str = ""
    """What is wrong with what was typed last."""
    rect: pygame.Rect = field(default_factory=lambda: pygame.Rect(0, 0, 0, 0))
    """Where it was drawn last."""
    _back: int = 0
    """How many lines it is scrolled down."""
    _over: int = 0
    """How many lines there are below its foot."""
    _known: tuple[Reason, str] | None = None
    _lines: list[tuple[str, Colour]] = field(default_factory=list)

    @property
    def is_open(self) -> bool:
        """Return whether something is asked, or being typed."""
        return bool(self.instead or self.fault) or self.line is not None

    def type(self, name: str, sign: str, reason: Reason | None, state: State) -> None:
        """Take a key while a name is typed: a sign, backspace, return or escape."""
        line = self.line or ""
        if name == "escape":
            self.line = None
        elif name == "backspace":
            self.line = line[:-1]
        elif name in ("return", "enter", "keypad enter"):
            self.line = None
            self.ask(line, reason, state)
        elif sign and sign.isprintable():
            self.line = line + sign

    def ask(self, name: str, reason: Reason | None, state: State) -> None:
        """Ask why the decision did not fall on a thing, by its id or name."""
        others = candidates_of((*reason.because, *reason.passed)) if reason is not None else ()
        self.instead, self.fault = "", ""
        try:
            self.instead = thing_of(state, name.strip(), others) if name.strip() else ""
        except UnknownName as fault:
            self.fault = str(fault)

    def scroll(self, turns: int) -> None:
        """Show earlier lines (positive) or later ones."""
        self._back += max(-3 * turns, -self._back) if turns > 0 else min(-3 * turns, self._over)

    def close(self) -> None:
        """Ask nothing any more."""
        self.instead, self.line, self.fault = "", None, ""

    def lines(self, reason: Reason, then: Callable[[], State]) -> list[tuple[str, Colour]]:
        """Return the lines on a decision and the state in which it was taken; worked out once."""
        if self._known != (reason, self.instead):
            self._known, self._lines = (reason, self.instead), _told(reason, self.instead, then())
            self._back = 0
        return self._lines

    def draw(
        self,
        surface: pygame.Surface,
        rect: pygame.Rect,
        lettering: Lettering,
        reason: Reason,
        state: State,
        then: Callable[[], State],
    ) -> int:
        """Draw from the head of a column, at most to its foot, and return where it ends.

        `then` gives the state in which the decision was taken.
        """
        pygame.draw.rect(surface, PANEL_RAISED, rect)
        rows = self._rows(lettering, rect.w - 2 * PAD, reason, state, then)
        fit = max((rect.h - 20) // LEADING, 1)
        self._over = max(len(rows) - self._back - fit, 0)
        y = rect.y + 12
        for words, colour, indent, bold in rows[self._back : self._back + fit]:
            lettering.draw(surface, words, (rect.x + PAD + indent, y), SIZE, colour, bold=bold)
            y += LEADING
        foot = min(y + 8, rect.bottom)
        pygame.draw.rect(surface, BACKGROUND, (rect.x, foot, rect.w, rect.bottom - foot))
        side = HORDE_COLOUR if reason.seat == "horde" else PLAYERS_COLOURS[0]
        pygame.draw.rect(surface, side, (rect.x, rect.y, 4, foot - rect.y))
        pygame.draw.line(surface, LINE, (rect.x, foot), (rect.right, foot))
        self.rect = pygame.Rect(rect.x, rect.y, rect.w, foot - rect.y)
        return foot

    def _rows(
        self, lettering: Lettering, wide: int, reason: Reason, state: State, then: Callable[[], State]
    ) -> list[tuple[str, Colour, int, bool]]:
        """Return the lines as they fit: their words and colour, how far indented, and whether bold."""
        told: list[tuple[str, Colour]] = [(_heading(reason, state), INK)]
        told += [(f"Why not: {self.line}▏", ACCENT)] if self.line is not None else []
        told += [(self.fault, ACCENT)] if self.fault else []
        told += self.lines(reason, then)
        rows = []
        for i, (words, colour) in enumerate(told):
            indent = INDENT if words.startswith("  ") else 0
            for part in lettering.wrap(words.strip(), SIZE, wide - indent, i == 0):
                rows.append((part, colour, indent, i == 0))
        return rows


def _heading(reason: Reason, state: State) -> str:
    who = (
        unit_name(state, reason.unit)
        if reason.unit in state.position.units
        else seat_name(state, reason.seat)
    )
    return f"{who}: {plain(reason.decision)}"


def _told(reason: Reason, instead: str, state: State) -> list[tuple[str, Colour]]:
    """Return why a decision did not fall on a thing; without one, the decision's account."""
    if instead:
        return [
            (f"Why not {option_name(state, instead)}?", ACCENT),
            *((line, INK_SOFT) for line in why_not(reason, instead, state)),
        ]
    unit = state.position.units.get(reason.unit)
    hidden = Vantage(state, unit).hidden_by if unit is not None else None
    told = account(reason.because, reason.passed, state, reason.unit, *([hidden] if hidden else []))
    return [(line, _tone(line)) for line in told]


def _tone(line: str) -> Colour:
    if not line.startswith("  "):
        return INK_FAINT if "? No: " in line or line.endswith("finds nothing:") else INK
    return ACCENT if line.endswith(": chosen") else INK_SOFT
