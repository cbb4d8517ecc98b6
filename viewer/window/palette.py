"""The colours of the window: dark and calm, the Horde warm, the players cool.

Owns colours only; it draws nothing and knows no rule.
"""

from __future__ import annotations

Colour = tuple[int, int, int]

BACKGROUND: Colour = (13, 16, 21)
PANEL: Colour = (21, 26, 33)
PANEL_RAISED: Colour = (29, 36, 45)
LINE: Colour = (44, 53, 65)
INK: Colour = (230, 234, 240)
INK_SOFT: Colour = (165, 175, 188)
INK_FAINT: Colour = (112, 123, 138)
ACCENT: Colour = (244, 196, 92)

GROUND: Colour = (37, 42, 41)
GRID: Colour = (45, 51, 50)
GRID_FOOT: Colour = (54, 61, 60)
EDGE: Colour = (78, 88, 92)

HORDE_COLOUR: Colour = (226, 92, 58)
HORDE_TEXT: Colour = (255, 150, 112)
PLAYERS_COLOURS: tuple[Colour, ...] = ((46, 157, 200), (52, 181, 158), (112, 138, 232), (150, 190, 90))
PLAYERS_TEXT: Colour = (124, 205, 238)
NEUTRAL: Colour = (150, 158, 168)

LOSS: Colour = (246, 112, 112)
GOOD: Colour = (128, 212, 140)
SHOCK: Colour = (190, 132, 250)

TERRAIN: dict[str, tuple[Colour, Colour]] = {
    "ruin": ((84, 82, 80), (172, 164, 150)),
    "wall": ((96, 94, 92), (186, 178, 164)),
    "woods": ((40, 66, 48), (86, 138, 92)),
    "crater": ((62, 54, 46), (128, 108, 84)),
    "barricade": ((92, 80, 62), (190, 164, 118)),
    "hill": ((72, 70, 50), (150, 144, 98)),
    "debris": ((70, 68, 66), (136, 130, 122)),
    "container": ((62, 74, 84), (128, 152, 170)),
}
"""Fill and outline of each kind of terrain."""

ZONES: dict[str, Colour] = {
    "spawn": HORDE_COLOUR,
    "horde": HORDE_COLOUR,
    "defender": PLAYERS_COLOURS[0],
    "no-mans-land": NEUTRAL,
}


def side_colour(side: str, seat: int = 0) -> Colour:
    """Return the colour of a side's bases; players of one team differ by their seat's place."""
    return HORDE_COLOUR if side == "horde" else PLAYERS_COLOURS[seat % len(PLAYERS_COLOURS)]


def side_text(side: str) -> Colour:
    """Return the colour in which a side is written about."""
    return {"horde": HORDE_TEXT, "players": PLAYERS_TEXT}.get(side, INK_SOFT)


def mix(a: Colour, b: Colour, t: float) -> Colour:
    """Return the colour a part `t` of the way from `a` to `b`."""
    return (
        round(a[0] + (b[0] - a[0]) * t),
        round(a[1] + (b[1] - a[1]) * t),
        round(a[2] + (b[2] - a[2]) * t),
    )
