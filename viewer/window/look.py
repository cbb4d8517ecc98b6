"""How a person wants the window to look: its palette and the size of its words.

Plain data; the sizes that follow from it and from the window's height are worked out here, too.
"""

from __future__ import annotations

from dataclasses import dataclass

from datasheets.errors import BadData, unknown
from viewer.input.preferences import LARGEST, SMALLEST
from viewer.window.palette import PALETTES, Palette

STANDARD = 1080
"""The height of a window, in pixels, for which all sizes are given."""


@dataclass(frozen=True, slots=True)
class Look:
    """The settings of the window's look."""

    palette: str = "default"
    text: int = 100
    """The size of words, in percent."""
    less_motion: bool = False
    """Whether everything but ghosts is shown as it ends, without motion."""
    follow: bool = True
    """Whether the view follows the unit that acts, while a person plays."""

    def __post_init__(self) -> None:
        """Refuse a palette that is not there (UnknownName) and a size out of bounds (BadData)."""
        if self.palette not in PALETTES:
            raise unknown(self.palette, PALETTES, "palette")
        if not SMALLEST <= self.text <= LARGEST:
            raise BadData("text", "", f"the size of words is from {SMALLEST} to {LARGEST} percent")

    @property
    def colours(self) -> Palette:
        """Return the palette."""
        return PALETTES[self.palette]

    @property
    def setting(self) -> float:
        """Return by how much words are larger than usual."""
        return self.text / 100


@dataclass(frozen=True, slots=True)
class Sizes:
    """By how much things are drawn larger than in a window of the standard height."""

    ui: float = 1.0
    """Lines and gaps."""
    setting: float = 1.0
    """What the person asked for, of words."""

    @property
    def text(self) -> float:
        """Return the factor of words, bars and columns."""
        return self.ui * self.setting

    @property
    def plate(self) -> float:
        """Return the factor of words on the board, which grow less."""
        return self.ui * float(self.setting**0.5)


def sizes(height: int, look: Look) -> Sizes:
    """Return the factors for a window of this height in pixels."""
    ui = round(height / STANDARD * 4) / 4
    return Sizes(min(max(ui, 1.0), 4.0), look.setting)
