"""Names of units on the board: small plates beside them that keep clear of one another.

Draws plates only; which units there are and where they stand it is told.
"""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from engine.state import State, Unit
from viewer.lettering import Lettering
from viewer.name import unit_name
from viewer.palette import ACCENT, BACKGROUND, INK, SHOCK, Colour, mix

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
    models = state.alive(unit)
    if len(unit.facts.models) == 1:
        full = unit.facts.models[0].characteristics.get("W", 1)
        note = f"{models[0].wounds if models else 0}/{full}"
    else:
        note = f"{len(models)}"
    return Plate(unit_name(state, unit.id), note, colour, room, "battle-shocked" in unit.marks, chosen)


def draw_plates(
    surface: pygame.Surface, lettering: Lettering, plates: list[Plate], size: int, within: pygame.Rect
) -> None:
    """Draw the plates, each at the first place beside its unit where it covers no other."""
    taken: list[pygame.Rect] = []
    rooms = [each.room for each in plates]
    for each in sorted(plates, key=lambda p: (not p.chosen, p.room.top, p.room.left)):
        wide = lettering.width(each.words, size, True) + lettering.width(each.note, size, True) + 3 * PAD + 3
        rect = _free(each.room, wide, size + 8, [*taken, *rooms], within)
        rect = rect or _free(each.room, wide, size + 8, taken, within)
        if rect is None:
            continue
        taken.append(rect)
        _draw(surface, lettering, each, rect, size)


def _free(
    room: pygame.Rect, wide: int, high: int, taken: list[pygame.Rect], within: pygame.Rect
) -> pygame.Rect | None:
    for step in range(3):
        gap = 3 + step * (high + 2)
        for left, top in (
            (room.centerx - wide // 2, room.top - high - gap),
            (room.centerx - wide // 2, room.bottom + gap),
            (room.left, room.top - high - gap),
            (room.right - wide, room.top - high - gap),
            (room.right + gap, room.centery - high // 2),
            (room.left - wide - gap, room.centery - high // 2),
        ):
            rect = pygame.Rect(left, top, wide, high)
            if within.contains(rect) and rect.collidelist(taken) < 0:
                return rect
    return None


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
