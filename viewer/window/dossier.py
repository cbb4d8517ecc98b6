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
from viewer.window.palette import Colour, Palette

PAD = 14
SIZE = 13
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
    whole: bool = False
    """Whether all clauses are shown, with nothing asked."""
    rect: pygame.Rect = field(default_factory=lambda: pygame.Rect(0, 0, 0, 0))
    """Where it was drawn last."""
    _back: int = 0
    """How many lines it is scrolled down."""
    _over: int = 0
    """How many lines there are below its foot."""
    _known: tuple[Reason, str] | None = None
    _lines: list[tuple[str, str]] = field(default_factory=list)

    @property
    def is_open(self) -> bool:
        """Return whether something is asked or typed, or all clauses are shown."""
        return bool(self.instead or self.fault) or self.line is not None or self.whole

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
        self.instead, self.line, self.fault, self.whole = "", None, "", False

    def lines(self, reason: Reason, then: Callable[[], State]) -> list[tuple[str, str]]:
        """Return the lines on a decision with their tones; `then` gives the state it was taken in."""
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
        palette, pad, lead = lettering.palette, lettering.u(PAD), lettering.leading(SIZE)
        rows = self._rows(lettering, rect.w - 2 * pad, reason, state, then)
        fit = max((rect.h - lettering.u(16)) // lead, 0)
        self._over = max(len(rows) - self._back - fit, 0)
        shown = rows[self._back : self._back + fit]
        foot = min(rect.y + lettering.u(16) + lead * len(shown), rect.bottom)
        self.rect = pygame.Rect(rect.x, rect.y, rect.w, foot - rect.y)
        pygame.draw.rect(surface, palette.raised, self.rect)
        side = palette.holder("horde" if reason.seat == "horde" else "players")
        pygame.draw.rect(surface, side, (rect.x, rect.y, lettering.u(3), foot - rect.y))
        y = rect.y + lettering.u(8)
        for words, colour, indent, bold in shown:
            fitted = lettering.fitted(words, SIZE, rect.w - 2 * pad - indent, bold)
            lettering.draw(surface, fitted, (rect.x + pad + indent, y), SIZE, colour, bold=bold)
            y += lead
        return foot

    def _rows(
        self, lettering: Lettering, wide: int, reason: Reason, state: State, then: Callable[[], State]
    ) -> list[tuple[str, Colour, int, bool]]:
        """Return the lines as they fit: their words and colour, how far indented, and whether bold."""
        told: list[tuple[str, str]] = [(_heading(reason, state), "ink")]
        told += [(f"Why not: {self.line}▏", "accent")] if self.line is not None else []
        told += [(self.fault, "accent")] if self.fault else []
        told += self.lines(reason, then)
        rows = []
        for i, (words, tone) in enumerate(told):
            indent = lettering.t(INDENT) if words.startswith("  ") else 0
            for part in lettering.wrap(words.strip(), SIZE, wide - indent, i == 0):
                rows.append((part, _colour(tone, lettering.palette), indent, i == 0))
        return rows


def _colour(tone: str, palette: Palette) -> Colour:
    tones = {"accent": palette.accent, "soft": palette.soft, "faint": palette.faint}
    return tones.get(tone, palette.ink)


def _heading(reason: Reason, state: State) -> str:
    name = (
        unit_name(state, reason.unit)
        if reason.unit in state.position.units
        else seat_name(state, reason.seat)
    )
    return f"{name}: {plain(reason.decision)}"


def _told(reason: Reason, instead: str, state: State) -> list[tuple[str, str]]:
    """Return why a decision did not fall on a thing; without one, the decision's account."""
    if instead:
        return [
            (f"Why not {option_name(state, instead)}?", "accent"),
            *((line, "soft") for line in why_not(reason, instead, state)),
        ]
    unit = state.position.units.get(reason.unit)
    hidden = Vantage(state, unit).hidden_by if unit is not None else None
    told = account(reason.because, reason.passed, state, reason.unit, *([hidden] if hidden else []))
    return [(line, _tone(line)) for line in told]


def _tone(line: str) -> str:
    if not line.startswith("  "):
        return "faint" if "? No: " in line or line.endswith("finds nothing:") else "ink"
    return "accent" if line.endswith(": chosen") else "soft"
