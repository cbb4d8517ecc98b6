"""The last screen's tables: models lost by round, wounds dealt and taken by unit."""

from __future__ import annotations

import pygame

from viewer.story.ending import Ending, UnitLine
from viewer.window.pages import Draw, Page
from viewer.window.palette import Colour, mix

CHART = 150
"""How high the chart of losses is."""


def add_losses(page: Page, found: Ending) -> None:
    """Add the models lost in each round, by side."""
    lettering, palette = page.lettering, page.lettering.palette
    if not found.by_round:
        return
    page.heading("Models lost per round", "players and Horde")
    most = max((max(own, foe) for _, own, foe in found.by_round), default=0) or 1
    tall = lettering.t(CHART)
    high = tall + lettering.leading(12) * 2 + lettering.t(8)

    def draw(surface: pygame.Surface, x: int, y: int) -> None:
        foot = y + tall + lettering.leading(12)
        each = page.wide / len(found.by_round)
        bar = min(round(each * 0.28), lettering.t(36))
        for i, (number, own, foe) in enumerate(found.by_round):
            middle = x + round(each * (i + 0.5))
            for side, value, left in (
                (palette.players[0], own, middle - bar - 2),
                (palette.horde, foe, middle + 2),
            ):
                box = pygame.Rect(left, 0, bar, max(round(tall * value / most), 2))
                box.bottom = foot
                pygame.draw.rect(surface, side, box, border_radius=2)
                at = (box.centerx, box.y)
                lettering.draw(surface, f"{value}", at, 12, palette.ink, bold=True, anchor="midbottom")
            at = (middle, foot + lettering.t(2))
            lettering.draw(surface, f"R{number}", at, 12, palette.soft, anchor="midtop")
        pygame.draw.line(surface, palette.line, (x, foot), (x + page.wide, foot), 1)

    page.add(high, draw)


def add_heads(page: Page, name: str) -> None:
    """Add the heads of the columns of damage."""
    lettering, palette = page.lettering, page.lettering.palette

    def draw(surface: pygame.Surface, x: int, y: int) -> None:
        first, second = _stops(page.wide)
        y += lettering.t(8)
        for left, words in ((x, name), (x + first, "Wounds dealt"), (x + second, "Wounds taken")):
            shown = lettering.fitted(words.upper(), 11, round(page.wide * 0.23), True)
            lettering.draw(surface, shown, (left, y), 11, palette.faint, bold=True)

    page.add(lettering.leading(11) + lettering.t(12), draw)


def unit_line(page: Page, line: UnitLine, colour: Colour, most: int) -> tuple[int, Draw]:
    """Return a unit's line: its height, and what draws it; `most` is the longest bar."""
    lettering, palette = page.lettering, page.lettering.palette
    wide = page.wide
    side = lettering.t(28)
    first, second = _stops(wide)
    room = first - side - lettering.t(18)
    # A name is never cut: a long one has a second line.
    names, notes = lettering.wrap(line.name, 13, room, True), lettering.wrap(line.note, 12, room)
    high = len(names) * lettering.leading(13) + len(notes) * lettering.leading(12) + lettering.t(6)

    def draw(surface: pygame.Surface, x: int, y: int) -> None:
        pygame.draw.line(surface, palette.line, (x, y), (x + wide, y), 1)
        sign = pygame.Rect(x, 0, side, side)
        sign.centery = y + high // 2
        is_horde = colour == palette.horde
        radius = lettering.u(5) if is_horde else side // 2
        pygame.draw.rect(surface, mix(colour, palette.background, 0.72), sign, border_radius=radius)
        pygame.draw.rect(surface, colour, sign, max(lettering.u(2), 2), border_radius=radius)
        lettering.glyphs.draw(surface, line.role, sign.center, round(side * 0.56), palette.ink)
        left = sign.right + lettering.t(10)
        top = y + lettering.t(3)
        for name in names:
            lettering.draw(surface, name, (left, top), 13, palette.ink, bold=True)
            top += lettering.leading(13)
        tone = palette.loss if line.lost and not is_horde else palette.soft
        for note in notes:
            lettering.draw(surface, note, (left, top), 12, tone)
            top += lettering.leading(12)
        for value, start, fill in ((line.dealt, first, colour), (line.taken, second, palette.edge)):
            bar = pygame.Rect(x + start, 0, 0, lettering.t(10))
            bar.w = max(round(wide * 0.15 * value / most), 2)
            bar.centery = sign.centery
            pygame.draw.rect(surface, fill, bar, border_radius=2)
            at = (bar.right + lettering.t(7), bar.centery)
            lettering.draw(surface, f"{value}", at, 13, palette.ink, bold=True, anchor="midleft")

    return high, draw


def _stops(wide: int) -> tuple[int, int]:
    """Return where the columns of damage begin, in a table of this width."""
    return round(wide * 0.54), round(wide * 0.78)
