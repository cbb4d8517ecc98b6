"""Where a popup stands on the board: in a corner, never over what it is about."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

BESIDE = 12
"""How far a popup stays from the edges of the board, in pixels."""
CORNERS = ("bottomright", "topright", "bottomleft", "topleft")
EDGES = ("midright", "midleft", "midbottom", "midtop")
"""Where a popup may stand if every corner would cover what it is about."""


def corner_for(
    size: tuple[int, int],
    board: tuple[int, int, int, int],
    tokens: Sequence[pygame.Rect],
    shunned: Sequence[pygame.Rect],
) -> pygame.Rect:
    """Return the corner of the board where a popup covers no shunned place and fewest tokens."""
    inner = pygame.Rect(board).inflate(-2 * BESIDE, -2 * BESIDE)
    boxes = []
    for place in (*CORNERS, *EDGES):
        box = pygame.Rect(0, 0, *size)
        setattr(box, place, getattr(inner, place))
        boxes.append(box)

    def cost(place: int) -> tuple[int, bool, int, int]:
        box = boxes[place]
        on_edge = place >= len(CORNERS)
        return len(box.collidelistall(shunned)), on_edge, len(box.collidelistall(tokens)), place

    return boxes[min(range(len(boxes)), key=cost)]
