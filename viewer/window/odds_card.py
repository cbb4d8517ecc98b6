"""The card of a target under the mouse: what each weapon does there, or a charge's chance.

Draws numbers that `viewer.input.odds` has made out; it works nothing out.
"""

from __future__ import annotations

import pygame

from viewer.input.odds import ChargeOdds, Salvo, Volley
from viewer.window.corner import corner_for
from viewer.window.lettering import Lettering
from viewer.window.palette import mix

WIDE = 380
EDGE = 16
ROW = 40
CHART = 88
LEAST = 0.002
"""The least chance that has a bar, at the end of the chart."""


def _height(odds: Volley | ChargeOdds) -> int:
    """Return how high the card of these odds is, in pixels."""
    if isinstance(odds, ChargeOdds):
        return 84
    return 56 + ROW * len(odds.salvos) + CHART + (82 if odds.hazardous else 62)


def room_for(
    odds: Volley | ChargeOdds,
    board: tuple[int, int, int, int],
    tokens: list[pygame.Rect],
    shunned: list[pygame.Rect],
) -> pygame.Rect:
    """Return the corner of the board where the card covers no shunned place and fewest tokens."""
    return corner_for((WIDE, _height(odds)), board, tokens, shunned)


def draw_odds(
    surface: pygame.Surface, lettering: Lettering, box: pygame.Rect, odds: Volley | ChargeOdds
) -> None:
    """Draw the card in its box."""
    pygame.draw.rect(surface, lettering.palette.raised, box, border_radius=10)
    pygame.draw.rect(surface, lettering.palette.line, box, 1, border_radius=10)
    if isinstance(odds, ChargeOdds):
        _charge(surface, lettering, box, odds)
        return
    x, right = box.x + EDGE, box.right - EDGE
    big = f"{odds.wounds:.1f}"
    lettering.draw(
        surface,
        big,
        (right - 62, box.y + 12),
        20,
        lettering.palette.players_text,
        bold=True,
        anchor="topright",
    )
    lettering.draw(surface, "wounds", (right - 56, box.y + 11), 12, lettering.palette.soft)
    lettering.draw(surface, "expected", (right - 56, box.y + 26), 12, lettering.palette.soft)
    name = lettering.fitted(odds.name, 15, right - 150 - x, True)
    lettering.draw(surface, name, (x, box.y + 12), 15, lettering.palette.horde_text, bold=True)
    lettering.draw(surface, f"{odds.left} wounds left", (x, box.y + 32), 12, lettering.palette.soft)
    y = box.y + 54
    for salvo in odds.salvos:
        _salvo(surface, lettering, pygame.Rect(box.x + 8, y, box.w - 16, ROW - 4), salvo)
        y += ROW
    _chart(surface, lettering, pygame.Rect(x, y, box.w - 2 * EDGE, CHART), odds)
    y += CHART
    cover = "no cover" if not odds.covered else f"{odds.covered} of {odds.bodies} in cover"
    facts = f"{odds.apart:.1f}″ · {odds.seeing} of {odds.size} see it · {cover}"
    lettering.draw(
        surface, lettering.fitted(facts, 13, box.w - 2 * EDGE), (x, y + 4), 13, lettering.palette.ink
    )
    words = f"Half of the time {odds.half[0]} to {odds.half[1]}"
    if odds.bodies > 1:
        words += f" · about {odds.models:.1f} of {odds.bodies} models"
    else:
        kill = odds.spread[odds.left] if len(odds.spread) > odds.left else 0.0
        words += f" · kill {100 * kill:.0f}%"
    lettering.draw(
        surface, lettering.fitted(words, 12, box.w - 2 * EDGE), (x, y + 26), 12, lettering.palette.soft
    )
    if odds.hazardous:
        lettering.draw(surface, _hazard(odds), (x, y + 46), 12, lettering.palette.loss)


def _hazard(odds: Volley) -> str:
    dice = "1 die, a 1" if odds.hazardous == 1 else f"{odds.hazardous} dice, each 1"
    return f"Hazardous: {dice} costs a bearer 3 mortal wounds"


def _salvo(surface: pygame.Surface, lettering: Lettering, row: pygame.Rect, salvo: Salvo) -> None:
    if salvo.is_best:
        pygame.draw.rect(surface, mix(lettering.palette.raised, (0, 0, 0), 0.35), row, border_radius=6)
    middle = (row.x + 14, row.y + 18)
    pygame.draw.circle(
        surface, lettering.palette.accent if salvo.is_best else lettering.palette.faint, middle, 7, 2
    )
    if salvo.is_best:
        pygame.draw.circle(surface, lettering.palette.accent, middle, 3)
    ink = lettering.palette.faint if salvo.bar else lettering.palette.ink
    name = salvo.name + (f" × {salvo.count}" if salvo.count > 1 else "")
    lettering.draw(
        surface, lettering.fitted(name, 13, row.w - 100, True), (row.x + 32, row.y + 2), 13, ink, bold=True
    )
    told = salvo.bar or ("fired by a click" if salvo.is_best else "another profile or set does more")
    lettering.draw(surface, told, (row.x + 32, row.y + 19), 11, lettering.palette.soft)
    number = "–" if salvo.bar else f"{salvo.wounds:.1f}"
    colour = lettering.palette.players_text if salvo.is_best else lettering.palette.soft
    lettering.draw(surface, number, (row.right - 8, row.y + 9), 14, colour, bold=True, anchor="topright")


def _chart(surface: pygame.Surface, lettering: Lettering, room: pygame.Rect, odds: Volley) -> None:
    """Draw the chances of each number of wounds as bars; those of the middle half are bright."""
    likely = [chance for chance in odds.spread if chance >= LEAST]
    shown = max((i for i, chance in enumerate(odds.spread) if chance >= LEAST), default=0) + 1
    wide = max(min(room.w / shown, 44.0), 2.0)
    foot, high = room.bottom - 18, room.h - 26
    every = max(round(24 / wide), 1)
    for wounds in range(shown):
        left = room.x + wounds * wide
        tall = max(round(high * odds.spread[wounds] / max(likely)), 1)
        bar = pygame.Rect(round(left), foot - tall, max(round(wide) - 3, 1), tall)
        is_kill = wounds == odds.left
        bright = odds.half[0] <= wounds <= odds.half[1]
        colour = (
            lettering.palette.good
            if is_kill
            else lettering.palette.players_text
            if bright
            else lettering.palette.line
        )
        pygame.draw.rect(surface, colour, bar, border_radius=2)
        if wounds % every == 0 or is_kill:
            words = f"{wounds} kill" if is_kill and odds.bodies == 1 else str(wounds)
            lettering.draw(
                surface, words, (bar.centerx, foot + 2), 11, lettering.palette.soft, anchor="midtop"
            )


def _charge(surface: pygame.Surface, lettering: Lettering, box: pygame.Rect, odds: ChargeOdds) -> None:
    x, right = box.x + EDGE, box.right - EDGE
    name = lettering.fitted(odds.name, 15, box.w - 2 * EDGE, True)
    lettering.draw(surface, name, (x, box.y + 12), 15, lettering.palette.horde_text, bold=True)
    words = f"Charge: {odds.apart:.1f}″"
    lettering.draw(surface, words, (x, box.y + 42), 14, lettering.palette.ink)
    chance = f"{100 * odds.chance:.0f}%"
    lettering.draw(
        surface, chance, (right, box.y + 36), 20, lettering.palette.players_text, bold=True, anchor="topright"
    )
