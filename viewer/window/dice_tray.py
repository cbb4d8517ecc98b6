"""The dice tray: what is rolled just now, die by die, with what it needed and what came of it.

Draws what `viewer.story.tray` has read from the log; it works nothing out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from engine.core.state import State
from viewer.story.motion import A_DIE, A_ROW
from viewer.story.name import short_name, unit_name
from viewer.story.tray import DiceRow, ThrownDie, Tray
from viewer.window.lettering import Lettering
from viewer.window.palette import Colour, mix

WIDE, WIDEST = 520, 620
"""How wide the tray is, and at most, in pixels at the usual size of words."""
EDGE = 16
LABEL, WIDEST_LABEL, NEED = 70, 132, 52
"""How wide the columns before the dice are: that of labels at least and at most, that of needs."""
SIDES = (26, 22, 18, 15, 12)
"""The sides of a die, the largest first, in pixels at the usual size of words."""
LINES = 2
"""A row takes smaller dice rather than more lines than this."""
IVORY: Colour = (238, 234, 222)
PIPS: Colour = (24, 24, 28)
_SPOTS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def hidden_dice(number: int, elapsed: float) -> int:
    """Return how many dice of a roll have not appeared after some seconds."""
    if not number:
        return 0
    return max(number - 1 - int(elapsed / min(A_DIE, A_ROW / number)), 0)


@dataclass(frozen=True, slots=True)
class LaidRow:
    """A row and how it is laid: its dice in lines, the side of a die, its height."""

    row: DiceRow
    side: int
    lines: tuple[tuple[ThrownDie | None, ...], ...]
    """None stands for the word between dice and those rolled in their place."""
    high: int


@dataclass(frozen=True, slots=True)
class LaidTray:
    """A tray and how it is laid."""

    tray: Tray
    rows: tuple[LaidRow, ...]
    size: tuple[int, int]
    label: int
    """How wide the column of labels is."""


def lay(lettering: Lettering, tray: Tray, most: int) -> LaidTray:
    """Return how a tray is laid in at most this width."""
    wide = min(lettering.t(WIDEST if _is_long(tray) else WIDE), most)
    longest = max((lettering.width(row.label, 14, True) for row in tray.rows), default=0)
    label = min(max(longest + lettering.t(14), lettering.t(LABEL)), lettering.t(WIDEST_LABEL))
    rows = tuple(_lay_row(lettering, row, wide - label) for row in tray.rows)
    high = _head_high(lettering) + sum(row.high for row in rows) + lettering.t(10)
    return LaidTray(tray, rows, (wide, high), label)


def _is_long(tray: Tray) -> bool:
    return any(len(row.dice) + len(row.again) > 9 for row in tray.rows)


def _head_high(lettering: Lettering) -> int:
    return lettering.leading(15) + lettering.t(20)


def _room(lettering: Lettering, row: DiceRow, wide: int) -> int:
    """Return how wide the room for the dice is, beside the labels."""
    result = lettering.width(row.result, 14, True) + lettering.t(12) if row.result else 0
    return wide - lettering.t(2 * EDGE + NEED) - max(result, lettering.t(64))


def _lay_row(lettering: Lettering, row: DiceRow, wide: int) -> LaidRow:
    room = _room(lettering, row, wide)
    pieces: list[ThrownDie | None] = list(row.dice)
    if row.again:
        pieces += [None, *row.again]
    side, lines = 0, [tuple(pieces)]
    for each in SIDES:
        side = lettering.t(each)
        lines = _lines(lettering, pieces, side, room)
        if len(lines) <= LINES:
            break
    high = max((side + _gap(side)) * len(lines), lettering.leading(14)) + lettering.t(8)
    return LaidRow(row, side, tuple(lines), high)


def _gap(side: int) -> int:
    return max(side // 5, 2)


def _word_wide(lettering: Lettering) -> int:
    return lettering.width("again", 12) + lettering.t(10)


def _lines(
    lettering: Lettering, pieces: Sequence[ThrownDie | None], side: int, room: int
) -> list[tuple[ThrownDie | None, ...]]:
    """Return the dice in lines that are at most as wide as the room."""
    lines: list[tuple[ThrownDie | None, ...]] = []
    line: list[ThrownDie | None] = []
    left = room
    for piece in pieces:
        wide = side + _gap(side) if piece is not None else _word_wide(lettering)
        if line and wide > left:
            lines.append(tuple(line))
            line, left = [], room
        line.append(piece)
        left -= wide
    return [*lines, tuple(line)]


def draw_tray(
    surface: pygame.Surface,
    lettering: Lettering,
    box: pygame.Rect,
    laid: LaidTray,
    state: State,
    hidden: tuple[str, int] = ("", 0),
) -> None:
    """Draw a tray in its box; of the last roll, by its kind, some dice may be hidden yet."""
    palette = lettering.palette
    lettering.cover(box)
    pygame.draw.rect(surface, palette.raised, box, border_radius=10)
    pygame.draw.rect(surface, palette.edge, box, 1, border_radius=10)
    clip = surface.get_clip()
    surface.set_clip(box.clip(clip))
    _draw_head(surface, lettering, box, laid.tray, state)
    y = box.y + _head_high(lettering)
    for row in laid.rows:
        count = hidden[1] if row is _last_of(laid.rows, hidden[0]) else 0
        is_again = hidden[0].endswith("-reroll")
        place = pygame.Rect(box.x, y, box.w, row.high)
        _draw_row(surface, lettering, place, row, laid.label, (count, is_again))
        y += row.high
    surface.set_clip(clip)


def _last_of(rows: Sequence[LaidRow], roll: str) -> LaidRow | None:
    base = roll.removesuffix("-reroll")
    return next((row for row in reversed(rows) if row.row.roll == base), None)


def _draw_head(
    surface: pygame.Surface, lettering: Lettering, box: pygame.Rect, tray: Tray, state: State
) -> None:
    palette, edge = lettering.palette, lettering.t(EDGE)
    x, y = box.x + edge, box.y + lettering.t(12)
    right = box.right - edge
    if tray.place[1] > 1:
        note = f"{tray.place[0]} of {tray.place[1]} weapons"
        right = lettering.draw(surface, note, (right, y + 1), 13, palette.soft, anchor="topright").x
        right -= lettering.t(10)
    unit = state.position.units.get(tray.unit)
    name = short_name(unit_name(state, tray.unit)) if unit is not None else "The Horde"
    head = tray.weapon + (f" × {tray.weapons}" if tray.weapons > 1 else "") if tray.weapon else name
    side = unit.side if unit is not None else "horde"
    tone = palette.ink if tray.weapon else palette.side_text(side)
    target = state.position.units.get(tray.target)
    named = short_name(unit_name(state, tray.target)) if target is not None else ""
    tail = lettering.width(f" on {named}", 15, True) if named else 0
    head = lettering.fitted(head, 15, max(right - x - tail, lettering.t(60)), True)
    word = lettering.draw(surface, head, (x, y), 15, tone, bold=True)
    if target is not None:
        word = lettering.draw(surface, " on ", word.topright, 15, palette.ink, bold=True)
        shown = lettering.fitted(named, 15, max(right - word.right, 1), True)
        tone = palette.side_text(target.side)
        lettering.draw(surface, shown, word.topright, 15, tone, bold=True)


def _draw_row(
    surface: pygame.Surface,
    lettering: Lettering,
    box: pygame.Rect,
    laid: LaidRow,
    wide: int,
    hidden: tuple[int, bool],
) -> None:
    """Draw a row: its label, need, dice, note and result."""
    palette, row, edge = lettering.palette, laid.row, lettering.t(EDGE)
    middle = box.y + max(laid.side, lettering.leading(14)) // 2
    x = box.x + edge
    label = lettering.fitted(row.label, 14, wide - lettering.t(6), True)
    lettering.draw(surface, label, (x, middle), 14, palette.ink, bold=True, anchor="midleft")
    x += wide
    needed = lettering.fitted(row.needed, 14, lettering.t(NEED - 4), True)
    if needed:
        lettering.draw(surface, needed, (x, middle), 14, palette.accent, bold=True, anchor="midleft")
    x += lettering.t(NEED)
    end = _draw_dice(surface, lettering, (x, middle - laid.side // 2), laid, hidden)
    right = box.right - edge
    if row.result and not hidden[0]:
        tone = palette.loss if row.is_loss else palette.ink
        word = lettering.fitted(row.result, 14, max(right - end, lettering.t(60)), True)
        at = (right, middle)
        right = lettering.draw(surface, word, at, 14, tone, bold=True, anchor="midright").x
    room = right - end - lettering.t(14)
    if row.note and len(laid.lines) == 1 and lettering.width(row.note, 13) <= room:
        lettering.draw(surface, row.note, (end + lettering.t(4), middle), 13, palette.soft, anchor="midleft")


def _draw_dice(
    surface: pygame.Surface,
    lettering: Lettering,
    at: tuple[int, int],
    laid: LaidRow,
    hidden: tuple[int, bool],
) -> int:
    """Draw the dice of a row in its lines; return where the first line ends."""
    count, is_again = hidden
    row, (left, y) = laid.row, at
    first, again = len(row.dice), len(row.again)
    end = first + again - count if is_again else first - count
    end = end if is_again or not count else min(end, first)
    shown, x, ends = 0, left, left
    for place, line in enumerate(laid.lines):
        x = left
        for piece in line:
            if count and shown >= end:
                break
            if piece is None:
                word_at = (x + lettering.t(3), y + laid.side // 2)
                lettering.draw(surface, "again", word_at, 12, lettering.palette.soft, anchor="midleft")
                x += _word_wide(lettering)
                continue
            draw_die(surface, lettering, pygame.Rect(x, y, laid.side, laid.side), piece)
            x += laid.side + _gap(laid.side)
            shown += 1
        ends = x if place == 0 else max(ends, x)
        y += laid.side + _gap(laid.side)
    return ends


def draw_die(surface: pygame.Surface, lettering: Lettering, box: pygame.Rect, die: ThrownDie) -> None:
    """Draw a die: light where it was enough, dark where not, dashed where it was rolled again."""
    palette, radius = lettering.palette, max(box.w // 5, 2)
    if die.outcome == "again":
        _dash(surface, box, palette.faint)
        ink = palette.faint
    elif die.outcome == "missed":
        pygame.draw.rect(surface, palette.background, box, border_radius=radius)
        pygame.draw.rect(surface, palette.faint, box, 1, border_radius=radius)
        ink = palette.soft
    else:
        pygame.draw.rect(surface, IVORY, box, border_radius=radius)
        ink = PIPS
    if die.face in _SPOTS:
        step, dot = box.w * 0.26, max(box.w * 0.09, 1.2)
        for dx, dy in _SPOTS[die.face]:
            middle = (box.x + box.w / 2 + dx * step, box.y + box.h / 2 + dy * step)
            pygame.draw.aacircle(surface, ink, middle, dot)
    else:
        size = lettering.of_pixels(max(box.w * 0.5, 11))
        lettering.draw(surface, f"{die.face}", box.center, size, ink, bold=True, anchor="center")
    if die.fresh:
        _badge(surface, lettering, box)


def _badge(surface: pygame.Surface, lettering: Lettering, box: pygame.Rect) -> None:
    """Mark a die that was rolled in the place of another: a disc with a turning arrow."""
    size = max(round(box.w * 0.46), 8)
    middle = (box.right - size // 4, box.y + size // 4)
    pygame.draw.aacircle(surface, lettering.palette.players[0], middle, size // 2)
    if size >= 10:
        ink = mix(lettering.palette.players_text, (255, 255, 255), 0.6)
        lettering.glyphs.draw(surface, "again", middle, round(size * 0.8), ink)


def _dash(surface: pygame.Surface, box: pygame.Rect, colour: Colour) -> None:
    """Draw a dashed frame."""
    step = max(box.w // 7, 2)
    for x in range(box.x, box.right, 2 * step):
        end = min(x + step, box.right - 1)
        pygame.draw.line(surface, colour, (x, box.y), (end, box.y))
        pygame.draw.line(surface, colour, (x, box.bottom - 1), (end, box.bottom - 1))
    for y in range(box.y, box.bottom, 2 * step):
        end = min(y + step, box.bottom - 1)
        pygame.draw.line(surface, colour, (box.x, y), (box.x, end))
        pygame.draw.line(surface, colour, (box.right - 1, y), (box.right - 1, end))
