"""The colours of the window as data: one palette for most eyes, one for colour-blind ones.

Owns colours only; it draws nothing and knows no rule. The names in capitals are the default palette's, for
what is drawn without a window.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

Colour = tuple[int, int, int]

_TERRAIN: dict[str, tuple[Colour, Colour]] = {
    "ruin": ((61, 59, 57), (183, 174, 156)),
    "wall": ((72, 70, 68), (183, 174, 156)),
    "woods": ((38, 57, 44), (90, 138, 96)),
    "crater": ((62, 54, 46), (128, 108, 84)),
    "barricade": ((74, 64, 48), (191, 165, 118)),
    "hill": ((72, 70, 50), (150, 144, 98)),
    "debris": ((70, 68, 66), (136, 130, 122)),
    "container": ((62, 74, 84), (128, 152, 170)),
}


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one look of the window."""

    name: str = "default"
    background: Colour = (13, 16, 21)
    panel: Colour = (21, 26, 33)
    raised: Colour = (29, 36, 45)
    hover: Colour = (39, 49, 64)
    line: Colour = (44, 53, 65)
    ground: Colour = (43, 48, 45)
    grid: Colour = (54, 61, 57)
    edge: Colour = (78, 88, 92)
    ink: Colour = (230, 234, 240)
    soft: Colour = (165, 175, 188)
    faint: Colour = (134, 146, 162)
    accent: Colour = (244, 196, 92)
    on_accent: Colour = (23, 19, 10)
    horde: Colour = (226, 92, 58)
    horde_text: Colour = (255, 150, 112)
    players: tuple[Colour, ...] = ((46, 157, 200), (52, 181, 158), (112, 138, 232), (150, 190, 90))
    players_text: Colour = (124, 205, 238)
    neutral: Colour = (150, 158, 168)
    good: Colour = (128, 212, 140)
    loss: Colour = (246, 112, 112)
    spent: Colour = (74, 32, 32)
    """Wounds that are lost."""
    shock: Colour = (199, 155, 251)
    shock_text: Colour = (199, 155, 251)
    crown: Colour = (63, 99, 71)
    """Trees, between their shade and their light."""
    terrain: Mapping[str, tuple[Colour, Colour]] = field(default_factory=lambda: dict(_TERRAIN))
    """Fill and outline of each kind of terrain."""

    def side(self, side: str, seat: int = 0) -> Colour:
        """Return the colour of a side's bases; players of one team differ by their seat's place."""
        return self.horde if side == "horde" else self.players[seat % len(self.players)]

    def side_text(self, side: str) -> Colour:
        """Return the colour in which a side is written about."""
        return {"horde": self.horde_text, "players": self.players_text}.get(side, self.soft)

    def holder(self, by: str) -> Colour:
        """Return the colour of the side that controls something; of nobody, a grey."""
        return {"horde": self.horde, "players": self.players[0]}.get(by, self.neutral)

    def zone(self, kind: str) -> Colour:
        """Return the colour of a kind of zone."""
        return {"spawn": self.horde, "horde": self.horde, "defender": self.players[0]}.get(kind, self.neutral)


DEFAULT = Palette()
COLOUR_BLIND = replace(
    DEFAULT,
    name="colour-blind",
    ground=(43, 45, 48),
    grid=(56, 60, 65),
    accent=(255, 243, 176),
    horde=(240, 138, 29),
    horde_text=(255, 178, 84),
    players=((63, 140, 255), *DEFAULT.players[1:]),
    players_text=(156, 196, 255),
    good=(127, 255, 224),
    loss=(242, 96, 79),
    shock=(192, 75, 216),
    shock_text=DEFAULT.ink,
    crown=(70, 86, 90),
    terrain={
        **_TERRAIN,
        "woods": ((38, 48, 47), (106, 127, 132)),
        "barricade": ((62, 60, 58), (181, 176, 166)),
        "crater": ((56, 55, 54), (122, 118, 112)),
        "hill": ((66, 66, 62), (140, 138, 128)),
    },
)
PALETTES: dict[str, Palette] = {each.name: each for each in (DEFAULT, COLOUR_BLIND)}


def mix(a: Colour, b: Colour, t: float) -> Colour:
    """Return the colour a part `t` of the way from `a` to `b`."""
    return (
        round(a[0] + (b[0] - a[0]) * t),
        round(a[1] + (b[1] - a[1]) * t),
        round(a[2] + (b[2] - a[2]) * t),
    )


def contrast(a: Colour, b: Colour) -> float:
    """Return the contrast of two colours by WCAG 2, 1 to 21."""
    high, low = sorted((_light(a), _light(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _light(colour: Colour) -> float:
    parts = [c / 255 for c in colour]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
