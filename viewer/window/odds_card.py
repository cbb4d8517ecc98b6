"""The card of a target under the mouse: what each weapon does there, or how likely a charge comes there.

Draws numbers that `viewer.input.odds` has made out; it works nothing out.
"""

from __future__ import annotations

import pygame

from viewer.input.odds import ChargeOdds, Salvo, Volley
from viewer.window.lettering import Lettering
from viewer.window.palette import (
    ACCENT,
    HORDE_TEXT,
    INK,
    INK_FAINT,
    INK_SOFT,
    LINE,
    PANEL_RAISED,
    PLAYERS_TEXT,
    mix,
)

WIDE = 380
EDGE = 16
ROW = 40
BESIDE = 12
"""How far the card stays from the corners of the board, in pixels."""


def card_height(odds: Volley | ChargeOdds) -> int:
    """Return how high the card of these odds is, in pixels."""
    if isinstance(odds, ChargeOdds):
        return 84
    return 56 + ROW * len(odds.salvos) + 62


def corner_for(
    board: pygame.Rect, size: tuple[int, int], tokens: list[pygame.Rect], shunned: list[pygame.Rect]
) -> pygame.Rect:
    """Return the corner of the board that covers no shunned place and fewest tokens."""
    inner = board.inflate(-2 * BESIDE, -2 * BESIDE)
    boxes = []
    for corner in ("bottomright", "topright", "bottomleft", "topleft"):
        box = pygame.Rect(0, 0, *size)
        setattr(box, corner, getattr(inner, corner))
        boxes.append(box)
    return min(boxes, key=lambda box: (len(box.collidelistall(shunned)), len(box.collidelistall(tokens))))


def draw_odds(
    surface: pygame.Surface, lettering: Lettering, box: pygame.Rect, odds: Volley | ChargeOdds
) -> None:
    """Draw the card in its box."""
    pygame.draw.rect(surface, PANEL_RAISED, box, border_radius=10)
    pygame.draw.rect(surface, LINE, box, 1, border_radius=10)
    if isinstance(odds, ChargeOdds):
        _charge(surface, lettering, box, odds)
        return
    x, right = box.x + EDGE, box.right - EDGE
    big = f"{odds.wounds:.1f}"
    lettering.draw(surface, big, (right - 62, box.y + 12), 20, PLAYERS_TEXT, bold=True, anchor="topright")
    lettering.draw(surface, "wounds", (right - 56, box.y + 11), 12, INK_SOFT)
    lettering.draw(surface, "expected", (right - 56, box.y + 26), 12, INK_SOFT)
    name = lettering.fitted(odds.name, 15, right - 150 - x, True)
    lettering.draw(surface, name, (x, box.y + 12), 15, HORDE_TEXT, bold=True)
    lettering.draw(surface, f"{odds.left} wounds left", (x, box.y + 32), 12, INK_SOFT)
    y = box.y + 54
    for salvo in odds.salvos:
        _salvo(surface, lettering, pygame.Rect(box.x + 8, y, box.w - 16, ROW - 4), salvo)
        y += ROW
    cover = "no cover" if not odds.covered else f"{odds.covered} of {odds.bodies} in cover"
    facts = f"{odds.apart:.1f}″ · {odds.seeing} of {odds.size} see it · {cover}"
    lettering.draw(surface, lettering.fitted(facts, 13, box.w - 2 * EDGE), (x, y + 4), 13, INK)
    models = f"about {odds.models:.1f} of {odds.bodies} models" if odds.bodies > 1 else ""
    words = " · ".join(part for part in ("click: fire the marked ones", models) if part)
    lettering.draw(surface, lettering.fitted(words, 12, box.w - 2 * EDGE), (x, y + 26), 12, INK_SOFT)


def _salvo(surface: pygame.Surface, lettering: Lettering, row: pygame.Rect, salvo: Salvo) -> None:
    if salvo.is_best:
        pygame.draw.rect(surface, mix(PANEL_RAISED, (0, 0, 0), 0.35), row, border_radius=6)
    middle = (row.x + 14, row.y + 18)
    pygame.draw.circle(surface, ACCENT if salvo.is_best else INK_FAINT, middle, 7, 2)
    if salvo.is_best:
        pygame.draw.circle(surface, ACCENT, middle, 3)
    ink = INK_FAINT if salvo.bar else INK
    name = salvo.name + (f" × {salvo.count}" if salvo.count > 1 else "")
    lettering.draw(
        surface, lettering.fitted(name, 13, row.w - 100, True), (row.x + 32, row.y + 2), 13, ink, bold=True
    )
    told = salvo.bar or ("fired by a click" if salvo.is_best else "another profile or set does more")
    lettering.draw(surface, told, (row.x + 32, row.y + 19), 11, INK_SOFT)
    number = "–" if salvo.bar else f"{salvo.wounds:.1f}"
    colour = PLAYERS_TEXT if salvo.is_best else INK_SOFT
    lettering.draw(surface, number, (row.right - 8, row.y + 9), 14, colour, bold=True, anchor="topright")


def _charge(surface: pygame.Surface, lettering: Lettering, box: pygame.Rect, odds: ChargeOdds) -> None:
    x, right = box.x + EDGE, box.right - EDGE
    name = lettering.fitted(odds.name, 15, box.w - 2 * EDGE, True)
    lettering.draw(surface, name, (x, box.y + 12), 15, HORDE_TEXT, bold=True)
    words = f"Charge: {odds.apart:.1f}″"
    lettering.draw(surface, words, (x, box.y + 42), 14, INK)
    chance = f"{100 * odds.chance:.0f}%"
    lettering.draw(surface, chance, (right, box.y + 36), 20, PLAYERS_TEXT, bold=True, anchor="topright")
