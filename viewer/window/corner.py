"""The place of a popup over the board: a free corner with as few tokens as may be.

Odds, dice and notices share it. A popup stays where it is until it closes, or would cover what it may not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pygame

BESIDE = 12
"""How far a popup stays from the edges of the board's pane, in pixels."""
STEPS = 4
"""Into how many steps the way along an edge is divided where no corner is free."""
SMALLER = 2
"""The number of tokens for which a popup rather is one size smaller."""
CORNERS = ("bottomright", "topright", "bottomleft", "topleft")


def free_corner(
    size: tuple[int, int],
    board: tuple[int, int, int, int],
    tokens: Sequence[pygame.Rect],
    shunned: Sequence[pygame.Rect],
) -> pygame.Rect:
    """Return the corner of the board where a popup covers no shunned place and fewest tokens.

    Where each corner would cover a shunned place, a place along the edges, then any place within is taken;
    where no place is free, the one that covers least.
    """
    inner = pygame.Rect(board).inflate(-2 * BESIDE, -2 * BESIDE)
    size = min(size[0], max(inner.w, 1)), min(size[1], max(inner.h, 1))
    corners = list(_corners(inner, size))
    free = [box for box in corners if box.collidelist(shunned) < 0]
    if not free:
        corners = list(_grid(inner, size))
        free = [box for box in corners if box.collidelist(shunned) < 0]
    if free:
        return min(free, key=lambda box: len(box.collidelistall(tokens)))
    return min(corners, key=lambda box: sum(_area(box.clip(each)) for each in shunned))


def _corners(inner: pygame.Rect, size: tuple[int, int]) -> Iterator[pygame.Rect]:
    for corner in CORNERS:
        box = pygame.Rect(0, 0, *size)
        setattr(box, corner, getattr(inner, corner))
        yield box


def _grid(inner: pygame.Rect, size: tuple[int, int]) -> Iterator[pygame.Rect]:
    """Yield places along the edges first, then those within."""
    places = []
    for i in range(STEPS + 1):
        for j in range(STEPS + 1):
            x = inner.x + (inner.w - size[0]) * i // STEPS
            y = inner.y + (inner.h - size[1]) * j // STEPS
            is_within = 0 < i < STEPS and 0 < j < STEPS
            places.append((is_within, pygame.Rect(x, y, *size)))
    places.sort(key=lambda each: each[0])
    yield from (box for _, box in places)


def _area(box: pygame.Rect) -> int:
    return box.w * box.h


@dataclass(slots=True)
class Perch:
    """Where a popup stands: it stays there while it is the same one and covers nothing shunned."""

    box: pygame.Rect = field(default_factory=lambda: pygame.Rect(0, 0, 0, 0))
    chosen: int = 0
    """Which of the sizes that were offered it has."""
    _of: object = None
    _board: tuple[int, int, int, int] = (0, 0, 0, 0)
    _corner: str = ""

    def place(
        self,
        of: object,
        sizes: Sequence[tuple[int, int]],
        board: tuple[int, int, int, int],
        tokens: Sequence[pygame.Rect],
        shunned: Sequence[pygame.Rect],
        reserve: int = 0,
    ) -> pygame.Rect:
        """Return the place of a popup about `of`, in one of several sizes, preferred ones first.

        One that has grown keeps its corner; room for a part `reserve` of its height is kept free for that.
        """
        if (of, board) == (self._of, self._board):
            grown = self._grown(sizes[self.chosen], pygame.Rect(board))
            if pygame.Rect(board).contains(grown) and grown.collidelist(shunned) < 0:
                self.box = grown
                return self.box
        found = [free_corner((w, max(h, reserve)), board, tokens, shunned) for w, h in sizes]
        self.chosen = min(range(len(sizes)), key=lambda i: _cost(found[i], i, tokens, shunned))
        self.box, self._of, self._board = found[self.chosen], of, board
        self._corner = _nearest_corner(self.box, pygame.Rect(board))
        self.box = self._grown(sizes[self.chosen], pygame.Rect(board))
        return self.box

    def _grown(self, size: tuple[int, int], board: pygame.Rect) -> pygame.Rect:
        """Return the popup in its corner, in a size of its own."""
        box = pygame.Rect(0, 0, min(size[0], board.w), min(size[1], board.h))
        setattr(box, self._corner, getattr(self.box, self._corner))
        return box

    def close(self) -> None:
        """Be gone."""
        self.box, self._of = pygame.Rect(0, 0, 0, 0), None


def _cost(
    box: pygame.Rect, place: int, tokens: Sequence[pygame.Rect], shunned: Sequence[pygame.Rect]
) -> tuple[int, int]:
    """Return how bad a place is: what it covers wrongly, then tokens and a small size."""
    return sum(_area(box.clip(each)) for each in shunned), len(box.collidelistall(tokens)) + SMALLER * place


def _nearest_corner(box: pygame.Rect, board: pygame.Rect) -> str:
    """Return the corner of a popup that stays where it is while it grows."""
    low = "bottom" if box.centery > board.centery else "top"
    return low + ("right" if box.centerx > board.centerx else "left")
