"""Names of units on the board: small plates that keep clear of one another and of tokens.

Draws plates only; which units there are and where they stand is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pygame

from engine.core.state import State, Unit
from viewer.story.name import short_name, unit_name
from viewer.window.lettering import Lettering
from viewer.window.palette import Colour, mix

APART = 6
"""The least room between a plate and a token, in pixels."""
SIZE = 12


@dataclass(frozen=True, slots=True)
class Plate:
    """A name to be shown beside the room that a unit takes on the screen."""

    words: str
    note: str
    colour: Colour
    tone: Colour
    room: pygame.Rect
    badge: str = ""
    marked: bool = False
    """Chosen or under the mouse: it is shown whatever it covers."""


def plate(
    state: State, unit: Unit, room: pygame.Rect, lettering: Lettering, badge: str = "", *, marked: bool
) -> Plate:
    """Return a unit's plate: its name, how many models or wounds it has left, and its badge."""
    models = state.position.alive(unit)
    if len(unit.facts.models) == 1:
        full = unit.facts.models[0].characteristics.get("W", 1)
        note = f"{models[0].wounds if models else 0}/{full}"
    else:
        note = f"{len(models)}"
    seats = list(state.players)
    seat = seats.index(unit.player) if unit.player in seats else 0
    palette = lettering.palette
    colour, tone = palette.side(unit.side, seat), palette.side_text(unit.side)
    return Plate(short_name(unit_name(state, unit.id)), note, colour, tone, room, badge, marked)


def badge_look(name: str, lettering: Lettering) -> tuple[str, Colour]:
    """Return a badge's sign and colour."""
    palette = lettering.palette
    return {
        "ready": ("ready", palette.accent),
        "done": ("done", palette.good),
        "advanced": ("advanced", palette.accent),
        "fell-back": ("fell-back", palette.accent),
        "charged": ("advanced", palette.loss),
        "engaged": ("engaged", palette.loss),
        "shock": ("shock", palette.shock),
        "action": ("action", palette.accent),
    }[name]


def draw_plates(
    surface: pygame.Surface,
    lettering: Lettering,
    plates: list[Plate],
    within: pygame.Rect,
    taken: list[pygame.Rect],
    bases: list[pygame.Rect],
) -> list[pygame.Rect]:
    """Draw the plates clear of words, of one another and of bases; return where.

    One without room drops its badge, then its number, then itself; a marked one stands over bases.
    """
    taken = list(taken)
    drawn: list[tuple[Plate, tuple[str, str, str], pygame.Rect]] = []
    grown = [base.inflate(2 * APART, 2 * APART) for base in bases]
    for each in sorted(plates, key=lambda p: (not p.marked, p.room.top, p.room.left)):
        for parts in _parts(each):
            size = _size(lettering, each, parts)
            rect = _free(each.room, size, taken, grown, within, over=each.marked and len(parts) == 3)
            if rect is not None:
                taken.append(rect.inflate(4, 2))
                drawn.append((each, parts, rect))
                break
    for each, _, rect in drawn:
        _draw_lead(surface, each, rect, lettering)
    for each, parts, rect in drawn:
        _draw(surface, lettering, each, parts, rect)
    return [rect for *_, rect in drawn]


def _parts(each: Plate) -> list[tuple[str, str, str]]:
    """Return what a plate says, the most first: name, number, badge."""
    full = (each.words, each.note, each.badge)
    return list(dict.fromkeys((full, (each.words, each.note, ""), (each.words, "", ""))))


def _size(lettering: Lettering, each: Plate, parts: tuple[str, str, str]) -> tuple[int, int]:
    words, note, sign = parts
    size, pad = lettering.on_board(SIZE), lettering.u(6)
    high = lettering.height(size) + lettering.u(5)
    wide = 2 * pad + lettering.u(3) + lettering.width(words, size, True)
    wide += lettering.width(note, size, True) + pad if note else 0
    return wide + (high if sign else 0), high


def _free(
    room: pygame.Rect,
    size: tuple[int, int],
    taken: list[pygame.Rect],
    bases: list[pygame.Rect],
    within: pygame.Rect,
    *,
    over: bool,
) -> pygame.Rect | None:
    """Return the closest place for a plate that covers nothing; with `over` it may cover bases."""
    best: tuple[int, pygame.Rect] | None = None
    for rect in _places(room, *size):
        if not within.contains(rect) or rect.collidelist(taken) >= 0:
            continue
        covered = len(rect.collidelistall(bases))
        if covered == 0:
            return rect
        if over and (best is None or covered < best[0]):
            best = (covered, rect)
    return best[1] if best else None


def _places(room: pygame.Rect, wide: int, high: int) -> Iterator[pygame.Rect]:
    """Yield places for a plate round a unit, the closest first."""
    for step in range(4):
        gap = APART + 1 + step * (high + 4)
        lefts = (room.centerx - wide // 2, room.left, room.right - wide, room.left - wide // 2)
        yield from (pygame.Rect(left, room.bottom + gap, wide, high) for left in lefts)
        yield from (pygame.Rect(left, room.top - high - gap, wide, high) for left in lefts)
        for top in (room.centery - high // 2, room.top, room.bottom - high):
            yield pygame.Rect(room.right + gap, top, wide, high)
            yield pygame.Rect(room.left - wide - gap, top, wide, high)


def _draw_lead(surface: pygame.Surface, each: Plate, rect: pygame.Rect, lettering: Lettering) -> None:
    """Draw a thin line from a plate that had to stand apart to its unit."""
    near = each.room.inflate(2 * APART + 16, 2 * APART + 16)
    if near.colliderect(rect):
        return
    x = min(max(rect.centerx, each.room.left), each.room.right)
    y = min(max(rect.centery, each.room.top), each.room.bottom)
    start = (min(max(x, rect.left), rect.right - 1), min(max(y, rect.top), rect.bottom - 1))
    pygame.draw.aaline(surface, mix(each.colour, lettering.palette.background, 0.25), start, (x, y))


def _draw(
    surface: pygame.Surface, lettering: Lettering, each: Plate, parts: tuple[str, str, str], rect: pygame.Rect
) -> None:
    words, note, sign = parts
    palette, pad, size = lettering.palette, lettering.u(6), lettering.on_board(SIZE)
    pygame.draw.rect(surface, palette.background, rect, border_radius=3)
    pygame.draw.rect(surface, each.colour, (rect.x, rect.y, lettering.u(4), rect.h), border_radius=2)
    if each.marked:
        pygame.draw.rect(surface, palette.accent, rect, 1, border_radius=3)
    left = rect.x + lettering.u(3) + pad
    box = lettering.draw(surface, words, (left, rect.centery), size, each.tone, bold=True, anchor="midleft")
    if note:
        at = (box.right + pad, rect.centery)
        lettering.draw(surface, note, at, size, palette.ink, bold=True, anchor="midleft")
    if sign:
        name, colour = badge_look(sign, lettering)
        middle = (rect.right - rect.h / 2 - lettering.u(1), rect.centery)
        lettering.glyphs.draw(surface, name, middle, round(rect.h * 0.66), colour)
