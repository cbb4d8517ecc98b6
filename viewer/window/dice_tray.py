"""The dice tray: what is rolled just now, die by die, what it needed, what came of it.

Draws what `viewer.story.tray` has read from the log; it works nothing out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from engine.core.dice import AGAIN, base_of
from engine.core.state import State
from viewer.story.dice_row import DiceRow, ThrownDie
from viewer.story.motion import A_DIE, A_ROW
from viewer.story.name import short_name, unit_name
from viewer.story.tray import Tray
from viewer.window.lettering import Lettering
from viewer.window.palette import Colour, mix

WIDE, WIDEST = 520, 620
"""How wide the tray is, and at most, in pixels at the usual size of words."""
EDGE = 16
LABEL, WIDEST_LABEL, NEED = 70, 132, 52
"""How wide the columns before the dice are: labels at least and at most, needs."""
SIDES = (26, 22, 18, 15, 12)
"""The sides of a die, the largest first, in pixels at the usual size of words."""
FACTORS = (1.0, 0.82, 0.66, 0.52, 0.4)
"""By how much a tray may be smaller than usual, where it would cover what it may not."""
LEAST_WIDE = 250
"""The least width of a smaller tray, in pixels at the usual size of words."""
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
    factor: float


def lay(lettering: Lettering, tray: Tray, state: State, most: int, factor: float = 1.0) -> LaidTray:
    """Return how a tray is laid; a smaller one is no wider than its words need."""
    wide = min(lettering.t((WIDEST if _is_long(tray) else WIDE) * factor), most)
    longest = max((lettering.width(row.label, 14 * factor, True) for row in tray.rows), default=0)
    label = max(longest + lettering.t(14 * factor), lettering.t(LABEL * factor))
    label = min(label, lettering.t(WIDEST_LABEL))
    rows = tuple(_lay_row(lettering, row, wide - label, factor) for row in tray.rows)
    if factor < 1.0:
        needed = max((_needed(lettering, row, label, factor) for row in rows), default=0)
        head = _head_words(tray, state, factor)
        needed = max(
            needed, lettering.width("  ".join(head), 15 * factor, True) + lettering.t(3 * EDGE * factor)
        )
        wide = min(wide, max(needed, lettering.t(LEAST_WIDE * factor)))
    high = _head_high(lettering, factor) + sum(row.high for row in rows) + lettering.t(10 * factor)
    return LaidTray(tray, rows, (wide, high), label, factor)


def _is_long(tray: Tray) -> bool:
    return any(row.again or len(row.dice) > 9 for row in tray.rows)


def _head_high(lettering: Lettering, factor: float) -> int:
    return lettering.leading(15 * factor) + lettering.t(20 * factor)


def _result_wide(lettering: Lettering, row: DiceRow, factor: float) -> int:
    wide = lettering.width(row.result, 14 * factor, True) + lettering.t(12 * factor) if row.result else 0
    return max(wide, lettering.t(64 * factor))


def _lay_row(lettering: Lettering, row: DiceRow, wide: int, factor: float) -> LaidRow:
    room = wide - lettering.t((2 * EDGE + NEED) * factor) - _result_wide(lettering, row, factor)
    pieces: list[ThrownDie | None] = list(row.dice)
    if row.again:
        pieces += [None, *row.again]
    side, lines = 0, [tuple(pieces)]
    for each in SIDES:
        side = max(lettering.t(each * factor), SIDES[-1])
        lines = _lines(lettering, pieces, side, room, factor)
        if len(lines) <= LINES:
            break
    high = max((side + _gap(side)) * len(lines), lettering.leading(14 * factor)) + lettering.t(8 * factor)
    return LaidRow(row, side, tuple(lines), high)


def _needed(lettering: Lettering, laid: LaidRow, label: int, factor: float) -> int:
    """Return how wide a tray is that has room for a row."""
    longest = max(
        sum(laid.side + _gap(laid.side) if die is not None else _word_wide(lettering, factor) for die in line)
        for line in laid.lines
    )
    edges = label + lettering.t((2 * EDGE + NEED) * factor)
    return longest + edges + _result_wide(lettering, laid.row, factor)


def _gap(side: int) -> int:
    return max(side // 5, 2)


def _word_wide(lettering: Lettering, factor: float) -> int:
    return lettering.width("again", 12 * factor) + lettering.t(10 * factor)


def _lines(
    lettering: Lettering, pieces: Sequence[ThrownDie | None], side: int, room: int, factor: float
) -> list[tuple[ThrownDie | None, ...]]:
    """Return the dice in lines that are at most as wide as the room."""
    lines: list[tuple[ThrownDie | None, ...]] = []
    line: list[ThrownDie | None] = []
    left = room
    for piece in pieces:
        wide = side + _gap(side) if piece is not None else _word_wide(lettering, factor)
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
    _draw_head(surface, lettering, box, laid, state)
    y = box.y + _head_high(lettering, laid.factor)
    for row in laid.rows:
        count = hidden[1] if row is _last_of(laid.rows, hidden[0]) else 0
        is_again = hidden[0].endswith(AGAIN)
        place = pygame.Rect(box.x, y, box.w, row.high)
        _draw_row(surface, lettering, place, row, laid, (count, is_again))
        y += row.high
    surface.set_clip(clip)


def _last_of(rows: Sequence[LaidRow], roll: str) -> LaidRow | None:
    base = base_of(roll)
    return next((row for row in reversed(rows) if row.row.roll == base), None)


def _head_words(tray: Tray, state: State, factor: float) -> tuple[str, str, str]:
    """Return what attacks, what it is about, and which of several weapons it is."""
    name = short_name(unit_name(state, tray.unit)) if tray.unit in state.position.units else "The Horde"
    head = tray.weapon + (f" × {tray.weapons}" if tray.weapons > 1 else "") if tray.weapon else name
    named = short_name(unit_name(state, tray.target)) if tray.target in state.position.units else ""
    note = f"{tray.place[0]} of {tray.place[1]}" if tray.place[1] > 1 else ""
    return head, named, note + (" weapons" if note and factor > 0.7 else "")


def _draw_head(
    surface: pygame.Surface, lettering: Lettering, box: pygame.Rect, laid: LaidTray, state: State
) -> None:
    palette, tray, k = lettering.palette, laid.tray, laid.factor
    edge, size = lettering.t(EDGE * k), 15 * k
    x, y = box.x + edge, box.y + lettering.t(12 * k)
    right = box.right - edge
    head, named, note = _head_words(tray, state, k)
    if note:
        right = lettering.draw(surface, note, (right, y + 1), 13 * k, palette.soft, anchor="topright").x
        right -= lettering.t(10 * k)
    unit = state.position.units.get(tray.unit)
    tone = palette.ink if tray.weapon else palette.side_text(unit.side if unit is not None else "horde")
    link = " charges " if tray.charged else " on "
    tail = lettering.width(f"{link}{named}", size, True) if named else 0
    room = right - x
    head = lettering.fitted(head, size, max(room - tail, room // 2 if named else room, 1), True)
    word = lettering.draw(surface, head, (x, y), size, tone, bold=True)
    if named and word.right + lettering.width(f"{link}M…", size, True) < right:
        word = lettering.draw(surface, link, word.topright, size, palette.ink, bold=True)
        shown = lettering.fitted(named, size, max(right - word.right, 1), True)
        tone = palette.side_text(state.position.units[tray.target].side)
        lettering.draw(surface, shown, word.topright, size, tone, bold=True)


def _draw_row(
    surface: pygame.Surface,
    lettering: Lettering,
    box: pygame.Rect,
    row_laid: LaidRow,
    laid: LaidTray,
    hidden: tuple[int, bool],
) -> None:
    """Draw a row: its label, need, dice, note and result."""
    palette, row, k = lettering.palette, row_laid.row, laid.factor
    edge, size = lettering.t(EDGE * k), 14 * k
    middle = box.y + max(row_laid.side, lettering.leading(size)) // 2
    x = box.x + edge
    label = lettering.fitted(row.label, size, laid.label - lettering.t(6 * k), True)
    lettering.draw(surface, label, (x, middle), size, palette.ink, bold=True, anchor="midleft")
    x += laid.label
    needed = lettering.fitted(row.needed, size, lettering.t((NEED - 4) * k), True)
    if needed:
        lettering.draw(surface, needed, (x, middle), size, palette.accent, bold=True, anchor="midleft")
    x += lettering.t(NEED * k)
    end = _draw_dice(surface, lettering, (x, middle - row_laid.side // 2), row_laid, k, hidden)
    right = box.right - edge
    if row.result and not hidden[0]:
        tone = palette.loss if row.is_loss else palette.ink
        word = lettering.fitted(row.result, size, max(right - end, lettering.t(60 * k)), True)
        at = (right, middle)
        right = lettering.draw(surface, word, at, size, tone, bold=True, anchor="midright").x
    room = right - end - lettering.t(14 * k)
    if row.note and len(row_laid.lines) == 1 and lettering.width(row.note, 13 * k) <= room:
        at = (end + lettering.t(4), middle)
        lettering.draw(surface, row.note, at, 13 * k, palette.soft, anchor="midleft")


def _draw_dice(
    surface: pygame.Surface,
    lettering: Lettering,
    at: tuple[int, int],
    laid: LaidRow,
    factor: float,
    hidden: tuple[int, bool],
) -> int:
    """Draw the dice of a row in its lines; return where the longest line ends."""
    count, is_again = hidden
    row, (left, y) = laid.row, at
    seen = len(row.dice) + len(row.again) - count if is_again or not count else len(row.dice) - count
    shown, ends = 0, left
    for line in laid.lines:
        x = left
        for piece in line:
            if shown >= seen and count:
                break
            if piece is None:
                word_at = (x + lettering.t(3 * factor), y + laid.side // 2)
                size, soft = 12 * factor, lettering.palette.soft
                lettering.draw(surface, "again", word_at, size, soft, anchor="midleft")
                x += _word_wide(lettering, factor)
                continue
            draw_die(surface, lettering, pygame.Rect(x, y, laid.side, laid.side), piece)
            x += laid.side + _gap(laid.side)
            shown += 1
        ends = max(ends, x)
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
