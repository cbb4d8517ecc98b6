"""The card of a target under the mouse: what each weapon does there, or a charge's chance.

Draws numbers that `viewer.input.odds` has made out; it works nothing out.
"""

from __future__ import annotations

import pygame

from viewer.input.odds import ChargeOdds, Salvo, Volley
from viewer.story.name import count
from viewer.window.corner import free_corner
from viewer.window.lettering import Lettering
from viewer.window.palette import Colour, mix

WIDE = 380
EDGE = 16
ROW, TIGHT_ROW = 40, 26
"""How high the row of a weapon is: with a line about it, and without where words are large."""
CHART, TIGHT_CHART = 88, 62
LEAST = 0.002
"""The least chance that has a bar, at the end of the chart."""
LARGE = 1.5
"""From this size of words on the card leaves out what is said of each weapon."""
MOST_WIDE = 0.54
"""The most of the board's width that the card takes."""
Board = tuple[int, int, int, int]
"""The left and upper edge of the board's pane, its width and its height."""
BEYOND = 0.05
"""From this number of wounds on that the target has not left, they are named."""


def _is_tight(lettering: Lettering) -> bool:
    return lettering.sizes.setting >= LARGE


def _head(lettering: Lettering) -> int:
    return lettering.leading(15) + lettering.leading(12) + lettering.t(16)


def _row(lettering: Lettering) -> int:
    return lettering.t(TIGHT_ROW if _is_tight(lettering) else ROW)


def _wide(lettering: Lettering, board: Board) -> int:
    return min(lettering.t(WIDE), round(board[2] * MOST_WIDE))


def _high(lettering: Lettering, odds: Volley | ChargeOdds, wide: int, *, whole: bool) -> int:
    """Return how high a card is; one that is not whole has neither weapons nor chart."""
    if isinstance(odds, ChargeOdds):
        return lettering.leading(15) + lettering.leading(20) + lettering.t(26)
    chart = lettering.t(TIGHT_CHART if _is_tight(lettering) else CHART)
    facts = sum(
        lettering.leading(size) for _, size, _ in _facts(lettering, odds, wide - 2 * lettering.t(EDGE))
    )
    body = _row(lettering) * len(odds.salvos) + chart if whole else 0
    return _head(lettering) + body + facts + lettering.t(12)


def room_for(
    lettering: Lettering,
    odds: Volley | ChargeOdds,
    board: Board,
    tokens: list[pygame.Rect],
    shunned: list[pygame.Rect],
) -> pygame.Rect:
    """Return where over the board the card covers no shunned place and few tokens.

    Where the whole card finds no such place, it has room for its head and its facts alone.
    """
    wide = _wide(lettering, board)
    sizes = [(wide, _high(lettering, odds, wide, whole=whole)) for whole in (True, False)]
    boxes = [free_corner(size, board, tokens, shunned) for size in sizes]
    return next((box for box in boxes if box.collidelist(shunned) < 0), boxes[-1])


def draw_odds(
    surface: pygame.Surface, lettering: Lettering, box: pygame.Rect, odds: Volley | ChargeOdds
) -> None:
    """Draw the card in its box."""
    palette = lettering.palette
    lettering.cover(box)
    pygame.draw.rect(surface, palette.raised, box, border_radius=10)
    pygame.draw.rect(surface, palette.line, box, 1, border_radius=10)
    if isinstance(odds, ChargeOdds):
        _charge(surface, lettering, box, odds)
        return
    edge = lettering.t(EDGE)
    x, wide = box.x + edge, box.w - 2 * edge
    _title(surface, lettering, pygame.Rect(x, box.y + lettering.t(8), wide, _head(lettering)), odds)
    y = box.y + _head(lettering)
    if box.h >= _high(lettering, odds, box.w, whole=True):
        y = _weapons(surface, lettering, box, y, odds)
    for words, size, colour in _facts(lettering, odds, wide):
        lettering.draw(surface, lettering.fitted(words, size, wide), (x, y), size, colour)
        y += lettering.leading(size)


def _weapons(surface: pygame.Surface, lettering: Lettering, box: pygame.Rect, y: int, odds: Volley) -> int:
    """Draw the weapons and the chart from a height on; return where they end."""
    inset, edge = lettering.t(8), lettering.t(EDGE)
    for salvo in odds.salvos:
        row = pygame.Rect(box.x + inset, y, box.w - 2 * inset, _row(lettering) - lettering.t(4))
        _salvo(surface, lettering, row, salvo, odds)
        y += _row(lettering)
    chart = lettering.t(TIGHT_CHART if _is_tight(lettering) else CHART)
    _chart(surface, lettering, pygame.Rect(box.x + edge, y, box.w - 2 * edge, chart), odds)
    return y + chart


def _title(surface: pygame.Surface, lettering: Lettering, room: pygame.Rect, odds: Volley) -> None:
    """Draw the target, what it has left, and what it is expected to lose."""
    palette, lead = lettering.palette, lettering.leading(12)
    unit = max(lettering.width(word, 12) for word in ("wounds", "expected"))
    left = room.right - unit
    for i, word in enumerate(("wounds", "expected")):
        lettering.draw(surface, word, (left, room.y + i * lead), 12, palette.soft)
    at = (left - lettering.t(7), room.y)
    big = lettering.draw(
        surface, f"{odds.wounds:.1f}", at, 20, palette.players_text, bold=True, anchor="topright"
    )
    name = lettering.fitted(odds.name, 15, max(big.left - lettering.t(10) - room.x, 1), True)
    lettering.draw(surface, name, room.topleft, 15, palette.horde_text, bold=True)
    told = lettering.fitted(
        f"{count(odds.left, 'wound')} left", 12, max(big.left - lettering.t(10) - room.x, 1)
    )
    lettering.draw(surface, told, (room.x, room.y + lettering.leading(15)), 12, palette.soft)


def _facts(lettering: Lettering, odds: Volley, wide: int) -> list[tuple[str, float, Colour]]:
    """Return the lines under the chart, wrapped, with their sizes and colours."""
    palette = lettering.palette
    cover = "no cover" if not odds.covered else f"{odds.covered} of {odds.bodies} in cover"
    seen = (
        f"{odds.seeing} of {odds.size} in reach" if odds.is_melee else f"{odds.seeing} of {odds.size} see it"
    )
    facts = [f"{odds.apart:.1f}″", seen, *([] if odds.is_melee else [cover])]
    words = f"Half of the time {odds.half[0]} to {odds.half[1]}"
    if odds.bodies > 1:
        words += f" · about {odds.models:.1f} of {odds.bodies} models"
    else:
        kill = odds.spread[odds.left] if len(odds.spread) > odds.left else 0.0
        words += f" · kill {100 * kill:.0f}%"
    found: list[tuple[str, float, Colour]] = [(" · ".join(facts), 13, palette.ink), (words, 12, palette.soft)]
    if odds.uncut - odds.wounds >= BEYOND:
        low, high = odds.uncut_half
        words = f"Overkill counted: {odds.uncut:.1f}, half of the time {low} to {high}"
        found.append((words, 12, palette.soft))
    if odds.hazardous:
        found.append((_hazard(odds), 12, palette.loss))
    return [(line, size, tone) for words, size, tone in found for line in lettering.wrap(words, size, wide)]


def _hazard(odds: Volley) -> str:
    dice = "1 die, a 1" if odds.hazardous == 1 else f"{odds.hazardous} dice, each 1"
    return f"Hazardous: {dice} costs a bearer 3 mortal wounds"


def _salvo(
    surface: pygame.Surface, lettering: Lettering, row: pygame.Rect, salvo: Salvo, odds: Volley
) -> None:
    palette, tight = lettering.palette, _is_tight(lettering)
    if salvo.is_best:
        pygame.draw.rect(surface, mix(palette.raised, (0, 0, 0), 0.35), row, border_radius=6)
    middle = (row.x + lettering.t(14), row.centery)
    colour = palette.accent if salvo.is_best else palette.faint
    pygame.draw.circle(surface, colour, middle, lettering.t(7), 2)
    if salvo.is_best:
        pygame.draw.circle(surface, palette.accent, middle, lettering.t(3))
    left, right = row.x + lettering.t(32), row.right - lettering.t(8)
    number = "–" if salvo.bar else f"{salvo.wounds:.1f}"
    tone = palette.players_text if salvo.is_best else palette.soft
    said = lettering.draw(surface, number, (right, row.centery), 14, tone, bold=True, anchor="midright")
    ink = palette.faint if salvo.bar else palette.ink
    name = salvo.name + (f" × {salvo.count}" if salvo.count > 1 else "")
    wide = max(said.left - lettering.t(10) - left, 1)
    if tight:
        shown = lettering.fitted(name, 13, wide, True)
        lettering.draw(surface, shown, (left, row.centery), 13, ink, bold=True, anchor="midleft")
        return
    top = row.centery - (lettering.leading(13) + lettering.leading(11)) // 2
    lettering.draw(surface, lettering.fitted(name, 13, wide, True), (left, top), 13, ink, bold=True)
    by_click = "used by a click" if odds.is_melee else "fired by a click"
    told = salvo.bar or (by_click if salvo.is_best else "another profile or set does more")
    at = (left, top + lettering.leading(13))
    lettering.draw(surface, lettering.fitted(told, 11, wide), at, 11, palette.soft)


def _chart(surface: pygame.Surface, lettering: Lettering, room: pygame.Rect, odds: Volley) -> None:
    """Draw the chances of each number of wounds as bars; those of the middle half are bright."""
    palette = lettering.palette
    likely = [chance for chance in odds.spread if chance >= LEAST]
    shown = max((i for i, chance in enumerate(odds.spread) if chance >= LEAST), default=0) + 1
    wide = max(min(room.w / shown, float(lettering.t(44))), 2.0)
    digits = lettering.leading(11)
    foot = room.bottom - digits - lettering.t(4)
    high = max(foot - room.y - lettering.t(6), 1)
    every = max(round(lettering.t(24) / wide), 1)
    for wounds in range(shown):
        left = room.x + wounds * wide
        tall = max(round(high * odds.spread[wounds] / max(likely)), 1)
        bar = pygame.Rect(round(left), foot - tall, max(round(wide) - 3, 1), tall)
        is_kill = wounds == odds.left
        bright = odds.half[0] <= wounds <= odds.half[1]
        colour = palette.good if is_kill else palette.players_text if bright else palette.line
        pygame.draw.rect(surface, colour, bar, border_radius=2)
        if wounds % every == 0 or is_kill:
            words = f"{wounds} kill" if is_kill and odds.bodies == 1 else str(wounds)
            at = (bar.centerx, foot + lettering.t(1))
            lettering.draw(surface, words, at, 11, palette.soft, anchor="midtop")


def _charge(surface: pygame.Surface, lettering: Lettering, box: pygame.Rect, odds: ChargeOdds) -> None:
    palette, edge = lettering.palette, lettering.t(EDGE)
    x, right = box.x + edge, box.right - edge
    name = lettering.fitted(odds.name, 15, box.w - 2 * edge, True)
    lettering.draw(surface, name, (x, box.y + lettering.t(10)), 15, palette.horde_text, bold=True)
    low = box.bottom - lettering.t(10)
    lettering.draw(surface, f"Charge: {odds.apart:.1f}″", (x, low), 14, palette.ink, anchor="bottomleft")
    chance = f"{100 * odds.chance:.0f}%"
    lettering.draw(surface, chance, (right, low), 20, palette.players_text, bold=True, anchor="bottomright")
