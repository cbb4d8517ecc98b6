"""The chosen unit's card: models, wounds, characteristics, weapons, marks, last decision.

Draws from top to bottom and tells how high it became; everything it shows is in the state or the log.
"""

from __future__ import annotations

import re
from collections import Counter

import pygame

from engine.core.facts import WeaponFacts
from engine.core.request import Because
from engine.core.state import State, Unit
from viewer.story.name import inches, plain, seat_name, title, unit_name
from viewer.story.reasoning import reason_sentence, rejected_sentence
from viewer.story.source import Reason
from viewer.window.lettering import Lettering
from viewer.window.palette import (
    ACCENT,
    BACKGROUND,
    INK,
    INK_FAINT,
    INK_SOFT,
    LINE,
    LOSS,
    PANEL_RAISED,
    SHOCK,
    Colour,
    mix,
    side_colour,
    side_text,
)

PAD = 16


class Card:
    """Draws one unit's card into a column."""

    def __init__(self, surface: pygame.Surface, rect: pygame.Rect, lettering: Lettering) -> None:
        """Start at the column's head."""
        self._surface = surface
        self._rect = rect
        self._lettering = lettering
        self._y = rect.y + 14

    @property
    def _left(self) -> int:
        return self._rect.x + PAD

    @property
    def _wide(self) -> int:
        return self._rect.w - 2 * PAD

    def draw(self, state: State, unit: Unit, reason: Reason | None) -> int:
        """Draw the card and return where its foot is."""
        clip = self._surface.get_clip()
        self._surface.set_clip(self._rect)
        pygame.draw.rect(self._surface, PANEL_RAISED, self._rect)
        colour = side_colour(unit.side)
        pygame.draw.rect(self._surface, colour, (self._rect.x, self._rect.y, 4, self._rect.h))
        self._heading(state, unit)
        self._models(state, unit, colour)
        self._marks(unit)
        if reason is not None:
            self._decision(state, reason)
        self._weapons(unit)
        self._abilities(unit)
        self._surface.set_clip(clip)
        foot = min(self._y + 8, self._rect.bottom)
        pygame.draw.line(self._surface, LINE, (self._rect.x, foot), (self._rect.right, foot))
        return foot

    def _write(self, words: str, size: int, colour: Colour, *, bold: bool = False, most: int = 2) -> None:
        """Write a paragraph, cut after a number of lines."""
        if self._y + size + 8 > self._rect.bottom:
            return
        lines = self._lettering.wrap(words, size, self._wide, bold)
        shown = lines[:most]
        if len(lines) > most:
            shown[-1] = self._lettering.fitted(" ".join(lines[most - 1 :]), size, self._wide, bold)
        for line in shown:
            if self._y + size + 8 > self._rect.bottom:
                return
            self._lettering.draw(self._surface, line, (self._left, self._y), size, colour, bold=bold)
            self._y += size + 5

    def _title(self, words: str) -> None:
        self._y += 6
        self._write(words.upper(), 11, INK_FAINT, bold=True)

    def _heading(self, state: State, unit: Unit) -> None:
        self._write(unit_name(state, unit.id), 20, INK, bold=True)
        owner = "Horde" if unit.side == "horde" else seat_name(state, unit.player)
        where = "" if unit.where == "table" else f" · {unit.where}"
        bracket = f" · bracket {unit.facts.bracket}" if unit.facts.bracket else ""
        points = f" · {unit.facts.points} points" if unit.facts.points else ""
        self._write(f"{owner}{points}{bracket}{where}", 13, side_text(unit.side))
        keywords = sorted(k for part in unit.facts.parts for k in part.keywords)
        self._write(", ".join(dict.fromkeys(k.capitalize() for k in keywords)), 12, INK_FAINT)

    def _models(self, state: State, unit: Unit, colour: Colour) -> None:
        self._title("Models")
        facts = {m.row: m for m in unit.facts.models}
        groups = Counter((m.name, tuple(sorted(m.characteristics.items()))) for m in unit.facts.models)
        for (name, numbers), _ in groups.items():
            rows = [m.row for m in unit.facts.models if m.name == name]
            alive = [row for row in rows if row in unit.rows]
            words = f"{name}  {len(alive)}/{len(rows)}"
            self._write(words, 13, INK if alive else INK_FAINT, bold=True, most=1)
            self._characteristics(dict(numbers))
            self._pips(state, [row for row in rows if row in facts], colour)

    def _characteristics(self, numbers: dict[str, int]) -> None:
        x = self._left
        order = ["M", "T", "Sv", "Inv", "W", "Ld", "OC"]
        for key in [*order, *(k for k in numbers if k not in order)]:
            if key not in numbers or x > self._rect.right - 50:
                continue
            suffix = {"M": "″", "Sv": "+", "Inv": "+", "Ld": "+"}.get(key, "")
            head = self._lettering.draw(self._surface, key, (x, self._y + 1), 11, INK_FAINT, bold=True)
            value = f"{numbers[key]}{suffix}"
            tail = self._lettering.draw(
                self._surface, value, (head.right + 4, self._y), 13, INK_SOFT, bold=True
            )
            x = tail.right + 14
        self._y += 19

    def _pips(self, state: State, rows: list[int], colour: Colour) -> None:
        """Draw a small box per model, filled as far as it has wounds left."""
        x = self._left
        for row in rows:
            model = state.position.models[row]
            full = max(model.facts.characteristics.get("W", 1), 1)
            wide = min(max(8, 3 * full), self._wide)
            if x + wide > self._rect.right - PAD:
                x, self._y = self._left, self._y + 12
            box = pygame.Rect(x, self._y, wide, 8)
            pygame.draw.rect(self._surface, mix(LOSS, BACKGROUND, 0.75), box, border_radius=2)
            left = pygame.Rect(x, self._y, round(wide * max(model.wounds, 0) / full), 8)
            pygame.draw.rect(self._surface, colour, left, border_radius=2)
            x += wide + 3
        self._y += 14

    def _marks(self, unit: Unit) -> None:
        shocked = "battle-shocked" in unit.marks
        if shocked:
            self._write("Battle-shocked", 13, SHOCK, bold=True)
        others = [
            _mark(key, value) for key, (value, _) in unit.marks.values.items() if key != "battle-shocked"
        ]
        others = [words for words in others if words]
        if others:
            self._write(", ".join(others), 12, ACCENT)

    def _decision(self, state: State, reason: Reason) -> None:
        self._title(f"Last decision: {plain(reason.decision)}")
        colour = side_colour("horde" if reason.seat == "horde" else "players")
        shown: set[tuple[str, str]] = set()
        for because in reason.because:
            words = reason_sentence(because, state, reason.unit)
            alike = (because.clause, re.sub(r"[\d.]+″", "″", words))
            if alike in shown or self._y + 48 > self._rect.bottom:
                continue
            shown.add(alike)
            self._reason(because, words, rejected_sentence(because, state), colour)

    def _reason(self, because: Because, words: str, rejected: str, colour: Colour) -> None:
        chip = self._lettering.width(because.clause, 11, True) + 10
        box = pygame.Rect(self._left, self._y, chip, 17)
        pygame.draw.rect(self._surface, mix(colour, BACKGROUND, 0.6), box, border_radius=4)
        self._lettering.draw(self._surface, because.clause, box.center, 11, INK, bold=True, anchor="center")
        if because.ruling:
            at = (box.right + 8, box.centery)
            told = f"ruling {because.ruling}"
            self._lettering.draw(self._surface, told, at, 11, INK_FAINT, anchor="midleft")
        self._y += 21
        self._write(words, 13, INK, most=3)
        if rejected:
            self._write(rejected, 12, INK_FAINT, most=3)

    def _weapons(self, unit: Unit) -> None:
        carried = Counter(i for m in unit.facts.models if m.row in unit.rows for i in m.weapons)
        if not carried:
            return
        self._title("Weapons")
        for index in sorted(carried):
            if self._y > self._rect.bottom - 40:
                return
            weapon = unit.weapon(index)
            self._write(f"{carried[index]} × {weapon.name}", 13, INK, bold=True, most=1)
            self._write(_profile(weapon), 12, INK_SOFT)

    def _abilities(self, unit: Unit) -> None:
        known = list(dict.fromkeys(a for part in unit.facts.parts for a in part.abilities))
        if known:
            self._title("Abilities")
            self._write(", ".join(known), 12, INK_SOFT, most=3)
        missing = list(dict.fromkeys(a for part in unit.facts.parts for a in part.unmodelled))
        if missing:
            self._title("Not simulated")
            self._write(", ".join(missing), 12, INK_FAINT, most=2)


def _profile(weapon: WeaponFacts) -> str:
    reach = "melee" if weapon.range is None else inches(weapon.range)
    skill = f"{weapon.skill}+" if weapon.skill is not None else "hits by itself"
    words = f"{reach}  A {weapon.attacks}  {skill}  S {weapon.strength}  AP {weapon.ap}  D {weapon.damage}"
    return f"{words}  [{', '.join(weapon.keywords)}]" if weapon.keywords else words


def _mark(key: str, value: object) -> str:
    """Return a mark in words, "" where it is a list that only the rules read."""
    if value is True:
        return plain(key)
    if isinstance(value, bool | tuple):
        return ""
    return f"{plain(key)}: {title(value) if isinstance(value, str) else value}"
