"""The tabs of several players: whose turn it is, everyone's CP and SP, a tick if done."""

from __future__ import annotations

import pygame

from engine.core.state import State
from engine.w40k.activation.turn_taking import is_done_here
from viewer.story.name import seat_name
from viewer.window.lettering import Lettering
from viewer.window.palette import mix

LEAST, MOST = 74, 180
"""The least and the greatest width of a tab, at the usual size of words."""
SHARE = 0.55
"""The most of the room beside the phases that the tabs take."""


def draw_seats(
    surface: pygame.Surface, room: pygame.Rect, lettering: Lettering, state: State, asked: str
) -> tuple[int, list[tuple[pygame.Rect, str]]]:
    """Draw a tab for each seat; return where they end, and the tabs."""
    gap = lettering.t(6)
    seats = list(state.players)
    wide = int((room.w * SHARE - gap * len(seats)) / len(seats))
    wide = min(max(wide, lettering.t(LEAST)), lettering.t(MOST))
    alive = state.players_alive()
    x, found = room.x, []
    for place, seat in enumerate(seats):
        box = pygame.Rect(x, room.y + lettering.u(5), wide, room.h - lettering.u(11))
        if box.right > room.right:
            break
        is_lost = bool(state.round) and seat not in alive
        _draw_tab(surface, box, lettering, state, place, asked=seat == asked, lost=is_lost)
        found.append((box, seat))
        x += wide + gap
    return x + gap, found


def seat_lines(state: State, seat: str) -> list[str]:
    """Return what is said of a seat when the mouse is over its tab."""
    player = state.players[seat]
    done = "done for now" if is_done_here(player) else "not done"
    return [seat_name(state, seat), f"{player.cp} CP, {player.sp} SP, {done}"]


def _draw_tab(
    surface: pygame.Surface, box: pygame.Rect, lettering: Lettering, state: State, place: int,
    *, asked: bool, lost: bool,
) -> None:  # fmt: skip
    """Draw a seat's number and name, its points, and a tick where it is done."""
    palette, seat = lettering.palette, list(state.players)[place]
    player, colour = state.players[seat], palette.side("players", place)
    pygame.draw.rect(surface, palette.hover if asked else palette.raised, box, border_radius=6)
    edge = palette.accent if asked else mix(colour, palette.background, 0.55)
    pygame.draw.rect(surface, edge, box, 2 if asked else 1, border_radius=6)
    bar = pygame.Rect(box.x, box.y + 3, lettering.u(3), box.h - 6)
    pygame.draw.rect(surface, colour, bar, border_radius=2)
    left, right = box.x + lettering.t(9), box.right - lettering.t(7)
    lines = lettering.height(12, True) + lettering.height(13, True)
    top = box.y + max((box.h - lines) // 2, 1)
    if is_done_here(player) and not lost:
        side = lettering.t(14)
        middle = (right - side / 2, top + lettering.height(12, True) / 2)
        lettering.glyphs.draw(surface, "done", middle, side, palette.good)
        right -= side + lettering.t(3)
    words = f"{place + 1} {seat_name(state, seat)}"
    if lettering.width(words, 12, True) > right - left:
        words = lettering.fitted(f"Player {place + 1}", 12, right - left, True)
    ink = palette.faint if lost else palette.ink if asked else palette.soft
    head = lettering.draw(surface, words, (left, top), 12, ink, bold=True)
    points = "lost" if lost else f"{player.cp} CP · {player.sp} SP"
    shown = lettering.fitted(points, 13, box.right - lettering.t(7) - left, True)
    lettering.draw(surface, shown, (left, head.bottom), 13, ink, bold=True)
