"""A unit's card as a page: profiles, weapons, what acts on it, abilities, last decision.

Lays out what `viewer.story.unit_card` says; it knows no state.
"""

from __future__ import annotations

import re
from functools import partial

import pygame

from engine.core.request import Because
from engine.core.state import State
from viewer.story.name import plain
from viewer.story.reasoning import reason_sentence, rejected_sentence
from viewer.story.source import Reason
from viewer.story.unit_card import Number, Profile, UnitCard, WeaponLine
from viewer.window.lettering import Lettering
from viewer.window.pages import Draw, Page, Run
from viewer.window.palette import Colour, mix

MOST_REASONS = 3
_SIGNS = {1: "+", -1: "−", 0: "·"}


def card_page(
    lettering: Lettering,
    wide: int,
    card: UnitCard,
    *,
    pinned: bool = False,
    told: Page | None = None,
    tight: bool = False,
) -> Page:
    """Return the page of a card; `told` are lines under its head, which is low where `tight`."""
    page = Page(lettering, wide)
    _head(page, card, pinned=pinned, most=1 if tight else 2)
    page.gap(6)
    _profiles(page, card.profiles)
    _wounds(page, card)
    if told is not None:
        page.lines += told.lines
    for melee in (False, True):
        _weapons(page, [line for line in card.weapons if line.melee == melee])
    _effects(page, card)
    _abilities(page, card)
    if card.deeds:
        page.heading("This battle")
        for words in card.deeds:
            page.write(words, 13, lettering.palette.ink, most=2)
    page.gap(6)
    page.write(card.keywords, 12, lettering.palette.faint, most=2)
    return page


def reason_page(lettering: Lettering, wide: int, state: State, reason: Reason) -> Page:
    """Return the lines on a decision: its clauses, and what they found."""
    page = Page(lettering, wide)
    page.heading(f"Last decision: {plain(reason.decision)}")
    colour = lettering.palette.holder("horde" if reason.seat == "horde" else "players")
    shown: set[tuple[str, str]] = set()
    for because in reason.because:
        words = reason_sentence(because, state, reason.unit)
        alike = (because.clause, re.sub(r"[\d.]+″", "″", words))
        if alike in shown or len(shown) >= MOST_REASONS:
            continue
        shown.add(alike)
        _reason(page, because, words, rejected_sentence(because, state), colour)
    return page


def _reason(page: Page, because: Because, words: str, rejected: str, colour: Colour) -> None:
    lettering, palette = page.lettering, page.lettering.palette
    wide = lettering.width(because.clause, 11, True) + lettering.t(10)
    high = lettering.height(11, True) + lettering.t(3)

    def chip(surface: pygame.Surface, x: int, y: int) -> None:
        box = pygame.Rect(x, y, wide, high)
        pygame.draw.rect(surface, mix(colour, palette.background, 0.6), box, border_radius=4)
        lettering.draw(surface, because.clause, box.center, 11, palette.ink, bold=True, anchor="center")
        if because.ruling:
            at = (box.right + lettering.t(8), box.centery)
            room = page.wide - wide - lettering.t(8)
            words = lettering.fitted(f"ruling {because.ruling}", 11, room)
            lettering.draw(surface, words, at, 11, palette.faint, anchor="midleft")

    page.add(high + lettering.t(3), chip)
    page.write(words, 13, palette.ink, most=3)
    if rejected:
        page.write(rejected, 12, palette.soft, most=2)


def _head(page: Page, card: UnitCard, *, pinned: bool, most: int) -> None:
    """Add the unit's sign, its name and what it is, each in at most some lines."""
    lettering, palette = page.lettering, page.lettering.palette
    side = lettering.t(40)
    indent = side + lettering.t(12)
    room = page.wide - indent - (lettering.t(20) if pinned else 0)
    names = lettering.wrap(card.name, 16, room, True)
    if len(names) > most:
        names = [*names[: most - 1], lettering.fitted(" ".join(names[most - 1 :]), 16, room, True)]
    parts = card.subtitle.split(" · ")
    while len(lettering.wrap(" · ".join(parts), 12, page.wide - indent)) > most and len(parts) > 1:
        parts.pop()
    lines = lettering.wrap(" · ".join(parts), 12, page.wide - indent)[:most]
    lead, small = lettering.leading(16), lettering.leading(12)
    high = max(lead * len(names) + small * len(lines), side)
    colour = palette.holder(card.side)

    def draw(surface: pygame.Surface, x: int, y: int) -> None:
        box = pygame.Rect(x, y + lettering.u(2), side, side)
        radius = side // 2 if card.side != "horde" else lettering.u(6)
        pygame.draw.rect(surface, mix(colour, palette.background, 0.7), box, border_radius=radius)
        pygame.draw.rect(surface, colour, box, max(lettering.u(2.5), 2), border_radius=radius)
        tone = mix(palette.side_text(card.side), palette.ink, 0.3)
        lettering.glyphs.draw(surface, card.role, box.center, round(side * 0.56), tone)
        if pinned:
            spot = (x + page.wide - lettering.t(9), y + lettering.t(10))
            lettering.glyphs.draw(surface, "pin", spot, lettering.t(15), palette.accent)
        top = y
        for words in names:
            shown = lettering.fitted(words, 16, room, True)
            lettering.draw(surface, shown, (x + indent, top), 16, palette.ink, bold=True)
            top += lead
        for words in lines:
            shown = lettering.fitted(words, 12, page.wide - indent)
            lettering.draw(surface, shown, (x + indent, top), 12, palette.soft)
            top += small

    page.add(high, draw)


def _tone(number: Number, lettering: Lettering, usual: Colour) -> Colour:
    palette = lettering.palette
    return palette.good if number.better > 0 else palette.loss if number.better < 0 else usual


def _profiles(page: Page, profiles: tuple[Profile, ...]) -> None:
    """Add the first profile as cells, and of the others what differs."""
    living = [each for each in profiles if each.alive] or list(profiles)
    if not living:
        return
    first = living[0]
    numbers = list(first.numbers)
    lettering = page.lettering
    least = max(lettering.width(number.now, 16, True) for number in numbers) + lettering.t(9)
    count = max(min(len(numbers), (page.wide + lettering.t(5)) // max(least, 1)), 1)
    rows = -(-len(numbers) // count)
    count = -(-len(numbers) // rows)
    for start in range(0, len(numbers), count):
        _cells(page, numbers[start : start + count], count)
    usual = {number.name: number.now for number in first.numbers}
    for each in living[1:]:
        runs = [Run(f"{each.name}:", lettering.palette.soft)]
        for number in each.numbers:
            if usual.get(number.name) != number.now:
                tone = _tone(number, lettering, lettering.palette.ink)
                runs.append(Run(f"{number.name} {number.now}", tone, bold=True))
        if len(runs) > 1:
            page.runs(runs, 12)


def _cells(page: Page, numbers: list[Number], count: int) -> None:
    lettering, palette = page.lettering, page.lettering.palette
    gap = lettering.t(5)
    wide = (page.wide - gap * (count - 1)) // count
    high = lettering.height(11) + lettering.height(16, True) + lettering.t(6)

    def draw(surface: pygame.Surface, x: int, y: int) -> None:
        for i, number in enumerate(numbers):
            box = pygame.Rect(x + i * (wide + gap), y, wide, high)
            pygame.draw.rect(surface, palette.background, box, border_radius=5)
            at = (box.centerx, box.y + lettering.t(3))
            head = lettering.draw(surface, number.name, at, 11, palette.faint, anchor="midtop")
            tone = _tone(number, lettering, palette.ink)
            shown = lettering.fitted(number.now, 16, wide, True)
            lettering.draw(surface, shown, (box.centerx, head.bottom), 16, tone, bold=True, anchor="midtop")

    page.add(high + lettering.t(5), draw)


def _wounds(page: Page, card: UnitCard) -> None:
    """Add a small bar for each living model, filled as far as it has wounds left."""
    if all(full < 2 for _, full in card.wounds):
        return
    lettering, palette = page.lettering, page.lettering.palette
    colour, high, gap = palette.holder(card.side), lettering.t(7), lettering.t(3)
    rows: list[list[tuple[int, int, int]]] = [[]]
    x = 0
    for left, full in card.wounds:
        wide = min(max(lettering.t(3) * full, lettering.t(8)), page.wide)
        if x + wide > page.wide and rows[-1]:
            rows.append([])
            x = 0
        rows[-1].append((wide, left, full))
        x += wide + gap

    def line(row: list[tuple[int, int, int]]) -> None:
        def draw(surface: pygame.Surface, x: int, y: int) -> None:
            for wide, left, full in row:
                box = pygame.Rect(x, y, wide, high)
                pygame.draw.rect(surface, palette.spent, box, border_radius=2)
                filled = pygame.Rect(x, y, round(wide * max(left, 0) / full), high)
                pygame.draw.rect(surface, colour, filled, border_radius=2)
                x += wide + gap

        page.add(high + gap, draw)

    for row in rows:
        line(row)


def _weapons(page: Page, weapons: list[WeaponLine]) -> None:
    """Add a table of weapons of one kind.

    Without room for names beside all numbers the range goes to the name, and then the name over the numbers.
    """
    if not weapons:
        return
    lettering, palette = page.lettering, page.lettering.palette
    melee = weapons[0].melee
    ranged = not melee and page.wide >= lettering.t(320)
    heads = [*(["Range"] if ranged else []), *(number.name for number in weapons[0].numbers)]
    rows = [[*([Number("", line.reach, line.reach)] if ranged else []), *line.numbers] for line in weapons]
    pad = lettering.t(9)
    widths = [
        max(lettering.width(head, 11), *(lettering.width(row[i].now, 13) for row in rows)) + pad
        for i, head in enumerate(heads)
    ]
    page.gap(6)
    room = page.wide - sum(widths)
    beside = room >= page.wide * 0.34
    title = "Melee" if melee else "Ranged"

    def cells(surface: pygame.Surface, x: int, y: int, row: list[Number], size: float, usual: Colour) -> None:
        left = x + page.wide - sum(widths)
        for number, wide in zip(row, widths, strict=True):
            left += wide
            tone = _tone(number, lettering, usual)
            bold = bool(number.better)
            lettering.draw(surface, number.now, (left, y), size, tone, bold=bold, anchor="topright")

    def header(surface: pygame.Surface, x: int, y: int) -> None:
        if beside:
            shown = lettering.fitted(title.upper(), 11, room, True)
            lettering.draw(surface, shown, (x, y), 11, palette.faint, bold=True)
        cells(surface, x, y, [Number("", head, head) for head in heads], 11, palette.faint)

    if not beside:
        page.write(title.upper(), 11, palette.faint, bold=True)
    page.add(lettering.leading(11), header)
    for line, row in zip(weapons, rows, strict=True):
        name = f"{line.name} ×{line.count}" if line.count > 1 else line.name
        name = name if melee or ranged else f"{name}, {line.reach}"
        draw = partial(cells, row=row, size=13, usual=palette.ink)
        _weapon(page, line, name, room if beside else page.wide, draw, beside=beside)


def _weapon(page: Page, line: WeaponLine, name: str, room: int, cells: Draw, *, beside: bool) -> None:
    """Add a weapon: its name, its numbers (`cells`) beside or under it, and its abilities."""
    lettering, palette = page.lettering, page.lettering.palette
    names = lettering.wrap(name, 13, room - lettering.t(4))
    lead = lettering.leading(13)

    def draw(surface: pygame.Surface, x: int, y: int) -> None:
        pygame.draw.line(surface, palette.line, (x, y), (x + page.wide, y))
        top = y + lettering.u(2)
        for words in names:
            shown = lettering.fitted(words, 13, room)
            lettering.draw(surface, shown, (x, top), 13, palette.ink)
            top += lead
        cells(surface, x, y + lettering.u(2) if beside else top)

    page.add(lead * (len(names) + (0 if beside else 1)) + lettering.u(4), draw)
    words = ", ".join(line.keywords) + ("," if line.keywords and line.granted else "")
    runs = [Run(words, palette.soft), Run(", ".join(line.granted), palette.good)]
    page.runs(runs, 12, indent=lettering.t(8))


def _effects(page: Page, card: UnitCard) -> None:
    if not card.effects:
        return
    lettering, palette = page.lettering, page.lettering.palette
    page.heading("Acting on it now")
    tones = {1: palette.good, -1: palette.loss, 0: palette.soft}
    for each in card.effects:
        runs = [Run(f"{each.name}:", palette.ink, bold=True), Run(each.says, palette.ink)]
        if each.until:
            runs.append(Run(f"· {each.until}", palette.soft))
        mark = Run(_SIGNS[each.sign], tones[each.sign], bold=True)
        page.runs(runs, 13, indent=lettering.t(16), mark=mark)


def _abilities(page: Page, card: UnitCard) -> None:
    lettering, palette = page.lettering, page.lettering.palette
    known = [line for line in card.abilities if not line.missing]
    if known:
        page.heading("Abilities")
    for line in known:
        says = f"{line.name}:" if line.says else line.name
        runs = [Run(says, palette.ink, bold=True), Run(line.says, palette.soft)]
        mark = Run("✓" if line.acts else "·", palette.good if line.acts else palette.faint, bold=True)
        page.runs(runs, 12, indent=lettering.t(16), mark=mark)
    for missing in dict.fromkeys(line.missing for line in card.abilities if line.missing):
        names = [line.name for line in card.abilities if line.missing == missing]
        runs = [Run(f"{missing.capitalize()}:", palette.soft, bold=True), Run(", ".join(names), palette.soft)]
        page.runs(runs, 12, indent=lettering.t(16), mark=Run("?", palette.faint, bold=True))
