"""Names of units on the board: small plates beside them that keep clear of one another.

Draws plates only; which units there are and where they stand it is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pygame

from engine.core.state import State, Unit
from viewer.story.name import short_name, unit_name
from viewer.window.lettering import Lettering
from viewer.window.palette import ACCENT, BACKGROUND, INK, SHOCK, Colour, mix

PAD = 5


@dataclass(frozen=True, slots=True)
class Plate:
    """A name to be shown beside the room that a unit takes on the screen."""

    words: str
    note: str
    colour: Colour
    room: pygame.Rect
    shocked: bool = False
    chosen: bool = False


def plate(state: State, unit: Unit, room: pygame.Rect, colour: Colour, *, chosen: bool) -> Plate:
    """Return a unit's plate: its name, and how many models or wounds it has left."""
    models = state.position.alive(unit)
    if len(unit.facts.models) == 1:
        full = unit.facts.models[0].characteristics.get("W", 1)
        note = f"{models[0].wounds if models else 0}/{full}"
    else:
        note = f"{len(models)}"
    name = short_name(unit_name(state, unit.id))
    return Plate(name, note, colour, room, "battle-shocked" in unit.marks, chosen)


def draw_plates(
    surface: pygame.Surface,
    lettering: Lettering,
    plates: list[Plate],
    size: int,
    within: pygame.Rect,
    tags: list[pygame.Rect],
    bases: list[pygame.Rect],
) -> None:
    """Draw the plates beside their units, over no tag or plate and over the fewest bases."""
    taken = list(tags)
    for each in sorted(plates, key=lambda p: (not p.chosen, p.room.top, p.room.left)):
        wide = lettering.width(each.words, size, True) + lettering.width(each.note, size, True) + 3 * PAD + 3
        rect = _free(each.room, wide, size + 8, taken, bases, within)
        if rect is None:
            continue
        taken.append(rect)
        _draw_lead(surface, each, rect)
        _draw(surface, lettering, each, rect, size)


def _free(
    room: pygame.Rect,
    wide: int,
    high: int,
    taken: list[pygame.Rect],
    bases: list[pygame.Rect],
    within: pygame.Rect,
) -> pygame.Rect | None:
    """Return the closest place for a plate that covers no other; None where there is none."""
    best: tuple[int, pygame.Rect] | None = None
    for rect in _places(room, wide, high):
        if not within.contains(rect) or rect.collidelist(taken) >= 0:
            continue
        covered = len(rect.collidelistall(bases))
        if covered == 0:
            return rect
        if best is None or covered < best[0]:
            best = (covered, rect)
    return best[1] if best else None


def _places(room: pygame.Rect, wide: int, high: int) -> Iterator[pygame.Rect]:
    """Yield places for a plate round a unit, the closest first."""
    for step in range(4):
        gap = 3 + step * (high + 2)
        lefts = (room.centerx - wide // 2, room.left, room.right - wide, room.left - wide // 2)
        yield from (pygame.Rect(left, room.top - high - gap, wide, high) for left in lefts)
        yield from (pygame.Rect(left, room.bottom + gap, wide, high) for left in lefts)
        for top in (room.centery - high // 2, room.top, room.bottom - high):
            yield pygame.Rect(room.right + gap, top, wide, high)
            yield pygame.Rect(room.left - wide - gap, top, wide, high)


def _draw_lead(surface: pygame.Surface, each: Plate, rect: pygame.Rect) -> None:
    """Draw a thin line from a plate that had to stand apart to its unit."""
    near = each.room.inflate(16, 16)
    if near.colliderect(rect):
        return
    x = min(max(rect.centerx, each.room.left), each.room.right)
    y = min(max(rect.centery, each.room.top), each.room.bottom)
    start = (min(max(x, rect.left), rect.right - 1), min(max(y, rect.top), rect.bottom - 1))
    pygame.draw.aaline(surface, mix(each.colour, BACKGROUND, 0.25), start, (x, y))


def _draw(surface: pygame.Surface, lettering: Lettering, each: Plate, rect: pygame.Rect, size: int) -> None:
    panel = pygame.Surface(rect.size, pygame.SRCALPHA)
    box = panel.get_rect()
    pygame.draw.rect(panel, (*BACKGROUND, 238 if each.chosen else 205), box, border_radius=4)
    pygame.draw.rect(panel, (*each.colour, 255), (0, 0, 3, rect.h), border_radius=2)
    if each.chosen or each.shocked:
        pygame.draw.rect(panel, ACCENT if each.chosen else SHOCK, box, 1, border_radius=4)
    surface.blit(panel, rect)
    tone = SHOCK if each.shocked else INK
    middle = rect.centery
    lettering.draw(surface, each.words, (rect.x + PAD + 3, middle), size, tone, bold=True, anchor="midleft")
    note = mix(each.colour, INK, 0.45)
    lettering.draw(surface, each.note, (rect.right - PAD, middle), size, note, bold=True, anchor="midright")
