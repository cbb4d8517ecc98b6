"""The division of the window: top bar, units, board, side column and bottom bar.

Rectangles only; nothing is drawn here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pygame

from viewer.window.look import Sizes

WIDE = 1500
"""A window narrower than this, by the size of its words, has no column of units of its own."""
UNITS, SIDE = 264, 380
"""How wide the columns are."""
TOP, BOTTOM = (56, 64), (52, 56)
"""How high the bars are, in a narrow and in a wide window."""
GROWTH = 0.66
"""The part of the words' growth that bars take up."""
SMALLEST = 760
"""A window narrower than this, in pixels, is board alone between its bars."""


def _nothing() -> pygame.Rect:
    return pygame.Rect(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Layout:
    """The parts of a window, in pixels; those of no width are not there."""

    header: pygame.Rect
    board: pygame.Rect
    side: pygame.Rect
    """The right column: card, question, log."""
    bottom: pygame.Rect
    units: pygame.Rect = field(default_factory=_nothing)
    """The left column; where it is not there, the side column has its content as a tab."""
    margin: tuple[int, int, int, int] = (30, 14, 8, 30)
    """What the board leaves free of its pane at the left, right, top and bottom."""
    aside: int = 0
    """How wide the right column was asked to be, 0 where it is as always."""

    @property
    def timeline(self) -> pygame.Rect:
        """Return where the line of time is drawn: the bottom bar."""
        return self.bottom

    @property
    def viewport(self) -> tuple[int, int, int, int]:
        """Return the board's part as plain numbers."""
        return self.board.x, self.board.y, self.board.w, self.board.h

    @property
    def has_tabs(self) -> bool:
        """Return whether the side column shows one of several contents."""
        return self.side.w > 0 and self.units.w == 0


MOST_ASIDE = 0.56
"""The most of a window's width that a wide right column takes."""


def divide(width: int, height: int, sizes: Sizes | None = None, aside: int = 0) -> Layout:
    """Return the parts of a window of this size; a small window keeps its board longest.

    `aside` asks for a right column of this width, which takes the place of the left one too.
    """
    sizes = sizes or Sizes()
    wide = width / sizes.text >= WIDE
    grown = sizes.ui * (1 + (sizes.setting - 1) * GROWTH)
    header = min(round(TOP[wide] * grown), height // 4)
    bottom = min(round(BOTTOM[wide] * grown), height // 6)
    middle = max(height - header - bottom, 1)
    units = round(UNITS * sizes.text) if wide and not aside else 0
    side = min(aside, round(width * MOST_ASIDE)) if aside else _side(width, sizes, wide)
    board = max(width - side - units, 1)
    return Layout(
        header=pygame.Rect(0, 0, width, header),
        units=pygame.Rect(0, header, units, middle),
        board=pygame.Rect(units, header, board, middle),
        side=pygame.Rect(width - side, header, side, middle),
        bottom=pygame.Rect(0, header + middle, width, bottom),
        margin=_margin(sizes, wide),
        aside=aside,
    )


def _side(width: int, sizes: Sizes, wide: bool) -> int:
    """Return how wide the right column is: in a narrow window at most some share of it."""
    if width < SMALLEST:
        return 0
    whole = round(SIDE * sizes.text)
    if wide:
        return whole
    share = 288 + 0.406 * (width / sizes.ui - 1024)
    share *= 1 + max(sizes.setting - 1.5, 0.0) * 0.5
    return min(whole, max(round(share * sizes.ui), 240))


def _margin(sizes: Sizes, wide: bool) -> tuple[int, int, int, int]:
    """Return the room round the board: at its left and foot the numbers of inches stand."""
    digits = 11 * max(sizes.text, 1.0)
    left = round((16 if wide else 10) * sizes.ui + 1.3 * digits)
    foot = round((14 if wide else 8) * sizes.ui + 1.3 * digits)
    right, top = round(14 * sizes.ui), round(8 * sizes.ui)
    return left, right, top, foot
