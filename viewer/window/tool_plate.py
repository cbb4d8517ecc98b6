"""Words of the tools on plates, clear of one another, of other words and of tokens.

Owns what is taken already. What is written is its callers'.
"""

from __future__ import annotations

import pygame

from viewer.window.camera import Camera
from viewer.window.lettering import Lettering
from viewer.window.palette import Colour

Pair = tuple[float, float]
APART = 14
"""The least gap between a plate and the point that it is of, in pixels."""


class ToolPlates:
    """The plates on a sheet."""

    def __init__(self, lettering: Lettering) -> None:
        """Begin with nothing written."""
        self._lettering = lettering
        self.taken: list[pygame.Rect] = []
        """The rooms in which words stand."""
        self.tokens: list[pygame.Rect] = []
        """The rooms of tokens, over which plates stand where there is no other room."""
        self.written: list[tuple[str, pygame.Rect]] = []
        """What was written, and where."""

    def begin(self, taken: list[pygame.Rect], tokens: list[pygame.Rect]) -> None:
        """Begin a sheet on which words and tokens stand already."""
        self.taken, self.tokens, self.written = [box.inflate(6, 2) for box in taken], tokens, []

    def size(self, words: str) -> tuple[int, int]:
        """Return how wide and high a plate with these words is."""
        size = self._lettering.on_board(12)
        wide, high = self._lettering.width(words, size, True), self._lettering.height(size)
        return wide + self._lettering.u(12), high + self._lettering.u(6)

    def plate(
        self, surface: pygame.Surface, camera: Camera, words: str, at: Pair, colour: Colour, *, must: bool
    ) -> pygame.Rect | None:
        """Write words on a plate beside a point and return where; without room only if they must."""
        size, within = self._lettering.on_board(12), pygame.Rect(camera.viewport)
        words = self._lettering.fitted(words, size, within.w - 30, True)
        box = pygame.Rect((0, 0), self.size(words))
        places = _around(box, at, self._lettering.u(APART))
        found = self._free(places, within)
        if found is None and not must:
            return None
        box = found or places[0].clamp(within)
        self.taken.append(box.inflate(4, 2))
        self.framed(surface, box, words, colour)
        return box

    def room(self, camera: Camera, words: str, at: Pair, instead: pygame.Rect | None) -> pygame.Rect:
        """Return a room on the screen for words beside a point, `instead` of others on the sheet."""
        left, top, wide, high = camera.viewport
        box, within = pygame.Rect((0, 0), self.size(words)), pygame.Rect(0, 0, wide, high)
        places = _around(box, (at[0] - left, at[1] - top), self._lettering.u(APART))
        own = instead.inflate(4, 2) if instead is not None else None
        known, self.taken = self.taken, [each for each in self.taken if each != own]
        found = self._free(places, within) or places[0].clamp(within)
        self.taken = known
        return found.move(left, top)

    def _free(self, places: list[pygame.Rect], within: pygame.Rect) -> pygame.Rect | None:
        """Return a place clear of words at all costs, and over as few tokens as may be."""
        best: tuple[int, pygame.Rect] | None = None
        for each in places:
            if not within.contains(each) or each.collidelist(self.taken) >= 0:
                continue
            over = len(each.collidelistall(self.tokens))
            if not over:
                return each
            if best is None or over < best[0]:
                best = over, each
        return best[1] if best is not None else None

    def framed(self, surface: pygame.Surface, box: pygame.Rect, words: str, colour: Colour) -> None:
        """Write words in a frame."""
        palette = self._lettering.palette
        pygame.draw.rect(surface, palette.background, box, border_radius=4)
        pygame.draw.rect(surface, colour, box, 1, border_radius=4)
        self.written.append((words, box))
        size = self._lettering.on_board(12)
        self._lettering.draw(surface, words, box.center, size, colour, bold=True, anchor="center")


def _around(box: pygame.Rect, at: Pair, gap: int) -> list[pygame.Rect]:
    """Return places for a box round a point, the nearest first."""
    x, y = round(at[0]), round(at[1])
    found = []
    for step in range(1, 6):
        far = gap + (step - 1) * (box.h + 4)
        for anchor, spot in (
            ("midbottom", (x, y - far)),
            ("midtop", (x, y + far)),
            ("midleft", (x + far, y)),
            ("midright", (x - far, y)),
            ("bottomleft", (x + far, y - far)),
            ("topright", (x - far, y + far)),
        ):
            place = box.copy()
            setattr(place, anchor, spot)
            found.append(place)
    return found
