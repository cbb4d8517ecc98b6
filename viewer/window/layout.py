"""The division of the window: header, board, caption, side column and timeline.

Rectangles only; nothing is drawn here.
"""

from __future__ import annotations

from dataclasses import dataclass

import pygame

HEADER = 66
CAPTION = 58
TIMELINE = 50


@dataclass(frozen=True, slots=True)
class Layout:
    """The parts of a window, in pixels."""

    header: pygame.Rect
    board: pygame.Rect
    side: pygame.Rect
    caption: pygame.Rect
    timeline: pygame.Rect

    @property
    def viewport(self) -> tuple[int, int, int, int]:
        """Return the board's part as plain numbers."""
        return self.board.x, self.board.y, self.board.w, self.board.h


def divide(width: int, height: int) -> Layout:
    """Return the parts of a window of this size; a small window keeps its board longest."""
    side = min(max(round(width * 0.275), 300), 460) if width >= 760 else 0
    header = min(HEADER, height // 4)
    timeline = min(TIMELINE, height // 6)
    middle = max(height - header - timeline, 1)
    caption = CAPTION if middle > 400 else 0
    wide = max(width - side, 1)
    return Layout(
        header=pygame.Rect(0, 0, width, header),
        board=pygame.Rect(0, header, wide, middle - caption),
        side=pygame.Rect(wide, header, side, middle),
        caption=pygame.Rect(0, header + middle - caption, wide, caption),
        timeline=pygame.Rect(0, header + middle, width, timeline),
    )
