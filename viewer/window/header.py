"""The strip over the board: round, whose turn, phase, cards in play, and what each seat has.

Draws from the state alone.
"""

from __future__ import annotations

from collections.abc import Mapping

import pygame

from engine.core.state import State
from viewer.story.name import count, phase_name, seat_name, title
from viewer.window.lettering import Lettering
from viewer.window.palette import (
    ACCENT,
    BACKGROUND,
    HORDE_COLOUR,
    HORDE_TEXT,
    INK,
    INK_FAINT,
    INK_SOFT,
    LINE,
    PANEL,
    PLAYERS_TEXT,
    Colour,
    mix,
    side_colour,
    side_text,
)

GAP = 18
WIDEST_HINT = 380
DECKS = {"secondary": "MISSION", "misery": "MISERY"}

Hint = tuple[pygame.Rect, list[str]]
"""Somewhere in the window, and the lines that explain it."""


def draw_header(
    surface: pygame.Surface,
    rect: pygame.Rect,
    lettering: Lettering,
    state: State,
    summaries: Mapping[str, str],
) -> list[Hint]:
    """Draw the strip, and return where its cards are with what they do (`summaries`, by id)."""
    pygame.draw.rect(surface, PANEL, rect)
    pygame.draw.line(surface, LINE, rect.bottomleft, (rect.right, rect.bottom), 1)
    if rect.h < 40:
        return []
    clip = surface.get_clip()
    surface.set_clip(rect)
    right = _draw_seats(surface, rect, lettering, state)
    left = _draw_time(surface, rect, lettering, state)
    room = pygame.Rect(left, rect.y, max(right - left, 0), rect.h)
    hints = _draw_cards(surface, room, lettering, state, summaries)
    surface.set_clip(clip)
    return hints


def _draw_time(surface: pygame.Surface, rect: pygame.Rect, lettering: Lettering, state: State) -> int:
    x = rect.x + 20
    rounds = f" of {state.rounds}" if state.rounds else ""
    lettering.draw(surface, "ROUND", (x, rect.y + 11), 11, INK_FAINT, bold=True)
    box = lettering.draw(
        surface, f"{state.round}" if state.round else "–", (x, rect.y + 23), 28, INK, bold=True
    )
    end = lettering.draw(surface, rounds, (box.right, rect.y + 36), 14, INK_SOFT)
    x = max(end.right, x + 60) + GAP
    whose = {"horde": "HORDE", "players": "PLAYERS"}.get(state.turn, "BATTLE")
    lettering.draw(surface, whose, (x, rect.y + 11), 11, side_text(state.turn), bold=True)
    words = "Battle over" if state.over else phase_name(state.phase) if state.phase else "Between phases"
    box = lettering.draw(surface, words, (x, rect.y + 26), 22, INK, bold=True)
    pygame.draw.rect(surface, side_text(state.turn), (x - 10, rect.y + 12, 3, rect.h - 24), border_radius=2)
    return max(box.right, x + 150) + GAP


def _draw_cards(
    surface: pygame.Surface,
    rect: pygame.Rect,
    lettering: Lettering,
    state: State,
    summaries: Mapping[str, str],
) -> list[Hint]:
    """Draw the missions and misery cards in play; those without room are counted by a last chip."""
    x = rect.x + 6
    hints: list[Hint] = []
    held = {card for player in state.players.values() for card in player.secrets}
    for name, heading in DECKS.items():
        deck = state.decks.get(name)
        cards = [card for card in deck.active if card not in held] if deck is not None else []
        if not cards or x + 120 > rect.right:
            continue
        lettering.draw(surface, heading, (x, rect.y + 11), 11, INK_FAINT, bold=True)
        colour = HORDE_TEXT if name == "misery" else ACCENT
        for i, card in enumerate(cards):
            left = len(cards) - i
            room = rect.right - x - (52 if left > 1 else 0)
            if lettering.width(title(card), 13, True) + 16 > room:
                lines = [title(each) for each in cards[i:]]
                box = _chip(surface, lettering, f"+{left}", (x, rect.y + 28), colour)
                hints.append((box, [f"{left} more in play", *lines]))
                x = box.right + 6
                break
            box = _chip(surface, lettering, title(card), (x, rect.y + 28), colour)
            told = lettering.wrap(summaries.get(card, ""), 13, WIDEST_HINT)
            hints.append((box, [title(card), *told]))
            x = box.right + 6
        x += GAP
    return hints


def _chip(
    surface: pygame.Surface, lettering: Lettering, words: str, at: tuple[int, int], colour: Colour
) -> pygame.Rect:
    box = pygame.Rect(*at, lettering.width(words, 13, True) + 16, 24)
    pygame.draw.rect(surface, mix(colour, BACKGROUND, 0.82), box, border_radius=6)
    pygame.draw.rect(surface, mix(colour, BACKGROUND, 0.45), box, 1, border_radius=6)
    lettering.draw(surface, words, box.center, 13, colour, bold=True, anchor="center")
    return box


def _draw_seats(surface: pygame.Surface, rect: pygame.Rect, lettering: Lettering, state: State) -> int:
    """Draw what each seat has, from the right, and return where it begins."""
    right = rect.right - 20
    sides = [("horde", HORDE_COLOUR, HORDE_TEXT, "Horde", _strength(state, "horde"))]
    for seat, player in enumerate(state.players.values()):
        words = f"{player.cp} CP   {player.sp} SP"
        sides.append((player.facts.id, side_colour("players", seat), PLAYERS_TEXT, "", words))
    for id_, colour, tone, name, words in reversed(sides):
        heading = name or seat_name(state, id_)
        wide = max(lettering.width(heading, 13, True), lettering.width(words, 16, True))
        left = right - wide
        pygame.draw.rect(surface, colour, (left - 12, rect.y + 12, 3, rect.h - 24), border_radius=2)
        lettering.draw(surface, heading, (left, rect.y + 11), 13, tone, bold=True)
        lettering.draw(surface, words, (left, rect.y + 32), 16, INK, bold=True)
        right = left - 12 - GAP - 6
    return right


def _strength(state: State, side: str) -> str:
    units = [u for u in state.position.on_table(side) if u.rows]
    waiting = sum(u.side == side and u.where == "reserves" for u in state.position.units.values())
    words = f"{count(len(units), 'unit')}   {count(sum(len(u.rows) for u in units), 'model')}"
    return f"{words}   +{waiting} in reserves" if waiting else words
