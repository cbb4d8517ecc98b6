"""Where the board is on the screen: inches to pixels and back, zoom and pan.

The board's y runs up, the screen's down. Knows nothing of pygame and of what stands on the board.
"""

from __future__ import annotations

from dataclasses import dataclass

Pair = tuple[float, float]

CLOSEST = 140.0
FARTHEST = 3.0


@dataclass(slots=True)
class Camera:
    """A view of the board: `centre` (inches) amid `viewport`, at `scale` pixels an inch."""

    viewport: tuple[int, int, int, int]
    """Left, top, width and height on the screen, in pixels."""
    centre: Pair = (30.0, 22.0)
    scale: float = 16.0

    @property
    def middle(self) -> Pair:
        """Return the middle of the viewport on the screen."""
        left, top, width, height = self.viewport
        return left + width / 2, top + height / 2

    def to_screen(self, x: float, y: float) -> Pair:
        """Return the pixel of a point of the board."""
        mx, my = self.middle
        return mx + (x - self.centre[0]) * self.scale, my - (y - self.centre[1]) * self.scale

    def to_world(self, sx: float, sy: float) -> Pair:
        """Return the point of the board under a pixel."""
        mx, my = self.middle
        return self.centre[0] + (sx - mx) / self.scale, self.centre[1] - (sy - my) / self.scale

    def contains(self, sx: float, sy: float) -> bool:
        """Return whether a pixel lies in the viewport."""
        left, top, width, height = self.viewport
        return left <= sx < left + width and top <= sy < top + height

    def fit(self, width: float, height: float, margin: float = 1.6) -> None:
        """Show a board of this size whole, with a margin in inches round it."""
        _, _, pixels_wide, pixels_high = self.viewport
        across = pixels_wide / (width + 2 * margin)
        up = pixels_high / (height + 2 * margin)
        self.scale = _bounded(min(across, up))
        self.centre = (width / 2, height / 2)

    def fit_within(self, width: float, height: float, margin: tuple[int, int, int, int]) -> None:
        """Show a board of this size whole, this many pixels free at the left, right, top and bottom."""
        _, _, pixels_wide, pixels_high = self.viewport
        left, right, top, foot = margin
        across = (pixels_wide - left - right) / width
        up = (pixels_high - top - foot) / height
        self.scale = _bounded(min(across, up))
        aside, down = (left - right) / 2 / self.scale, (foot - top) / 2 / self.scale
        self.centre = (width / 2 - aside, height / 2 - down)

    def zoom(self, factor: float, about: Pair) -> None:
        """Zoom by a factor so that the point of the board under the pixel `about` stays there."""
        x, y = self.to_world(*about)
        self.scale = _bounded(self.scale * factor)
        mx, my = self.middle
        self.centre = (x - (about[0] - mx) / self.scale, y + (about[1] - my) / self.scale)

    def pan(self, right: float, down: float) -> None:
        """Move the view over the board by this many pixels."""
        self.centre = (self.centre[0] + right / self.scale, self.centre[1] - down / self.scale)

    def hold(self, width: float, height: float) -> None:
        """Keep the middle of the view on a board of this size, so that it cannot be lost."""
        x, y = self.centre
        self.centre = (min(max(x, 0.0), width), min(max(y, 0.0), height))

    def key(self) -> tuple[float, ...]:
        """Return numbers that change when the view does."""
        return (*self.viewport, *self.centre, self.scale)


def _bounded(scale: float) -> float:
    return min(max(scale, FARTHEST), CLOSEST)
