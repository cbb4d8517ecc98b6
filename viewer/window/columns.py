"""What stands round the board: top bar, units, side column and bottom bar.

Puts the parts together, each of which is drawn by its own module; the window's events are not its business.
"""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from viewer.story.goal import Sight, goals
from viewer.story.roster import roster
from viewer.window.dossier import Dossier
from viewer.window.header import TopBar
from viewer.window.layout import WIDE, Layout
from viewer.window.lettering import Lettering
from viewer.window.logbook import Logbook
from viewer.window.panel import Panel, room_of
from viewer.window.playback import Playback
from viewer.window.player import PlayerSeat
from viewer.window.roster_column import RosterColumn
from viewer.window.screens import Screens
from viewer.window.side import Shown, SideColumn
from viewer.window.subject import able, acting
from viewer.window.timeline import draw_timeline
from viewer.window.turn_watch import TurnWatch

NOBODY = "nobody"
"""What stands for a seat where the eye is held while none is asked."""
NOTCH = 48
"""How far a notch of the wheel scrolls, in pixels."""


@dataclass(frozen=True, slots=True)
class Pointed:
    """Where the mouse is, the units chosen and under it, and whether a secret is looked at."""

    mouse: tuple[int, int] = (-1, -1)
    chosen: str = ""
    hovered: str = ""
    peeks: bool = False


class Columns:
    """The parts round the board."""

    def __init__(self, lettering: Lettering, playback: Playback, player: PlayerSeat) -> None:
        """Start with nothing drawn."""
        self._lettering, self._playback, self._player = lettering, playback, player
        self.top = TopBar()
        self.panel = Panel(lettering)
        self.dossier, self.logbook = Dossier(), Logbook()
        self.units = RosterColumn(lettering)
        self.screens: Screens | None = None
        """What may put a question in the panel's place."""
        self._peeking = ""
        """The seat whose player looks at the secret; another that is asked meanwhile shows none."""
        self.side = SideColumn(lettering, self.panel, self.dossier, self.logbook, self.units)
        self.turn = TurnWatch(lettering, playback, player)

    def draw(self, surface: pygame.Surface, layout: Layout, shown: Shown, pointed: Pointed) -> None:
        """Draw all parts."""
        self._draw_top(surface, layout, pointed)
        self.units.close()
        self.turn.transport.close()
        if self.turn.is_open:
            self.panel.close()
            self.side.close()
            self.turn.draw_summary(surface, layout.side, layout.bottom, pointed.mouse)
            return

        def draw_units(rect: pygame.Rect) -> None:
            self._draw_units(surface, rect, pointed)

        if layout.units.w > 0:
            draw_units(layout.units)
        asked, playback = self._player.asked, self._playback
        if self.screens is not None and self.screens.takes_over(asked):
            fills = self.screens.fills_side(asked)
            asked = None
        else:
            fills = False
        if asked is None:
            self.panel.close()
            if self.turn.is_shown:
                self.turn.draw_bar(surface, layout.bottom, pointed.mouse)
            else:
                draw_timeline(surface, layout.timeline, self._lettering, playback)
        elif layout.side.w < 1:
            # Without a side column a question stands over the board.
            room = room_of(layout)
            self._lettering.cover(room)
            self.panel.draw(surface, room, layout.bottom, asked, pointed.mouse)
        if fills:
            return
        self.side.draw(surface, layout, playback, shown, asked, pointed.mouse, draw_units)
        self.panel.draw_menu(surface, pointed.mouse)

    def _draw_top(self, surface: pygame.Surface, layout: Layout, pointed: Pointed) -> None:
        playback, asked = self._playback, self._player.asked
        seat = asked.view.seat if asked is not None else next(iter(playback.state.players), "")
        if not pointed.peeks:
            self._peeking = ""
        elif not self._peeking:
            self._peeking = seat if asked is not None else NOBODY
        peeks = pointed.peeks and self._peeking == seat
        sight = Sight(self._player.people, seat if asked is not None else "", peeks)
        source = playback.source
        found = goals(playback.state, source.summaries, source.knowledge, sight, now=playback.at_end)
        state = self.turn.opened.state if self.turn.opened is not None else playback.state
        wide = layout.header.w >= WIDE * self._lettering.sizes.text
        self.top.draw(surface, layout.header, self._lettering, state, found, seat, wide=wide)

    def _draw_units(self, surface: pygame.Surface, rect: pygame.Rect, pointed: Pointed) -> None:
        playback, asked = self._playback, self._player.asked
        mustered = playback.source.knowledge.mustered
        sections = roster(playback.state, able(playback, asked), acting(playback, asked), mustered)
        if asked is None:
            sections = self.turn.in_order(sections)
        self.units.draw(surface, rect, playback.state, sections, pointed.chosen, pointed.hovered)

    def hint(self, at: tuple[int, int]) -> list[str]:
        """Return what is said of a chip under a pixel, in lines."""
        return next((lines for box, lines in self.top.hints if box.collidepoint(at)), [])

    def scroll(self, turns: int, at: tuple[int, int]) -> None:
        """Turn the wheel over a part: the decision's facts, the card, the units, else the log."""
        if self.turn.is_open:
            self.turn.page.turn(turns)
        elif self.dossier.rect.collidepoint(at):
            self.dossier.scroll(turns)
        elif self.side.verdict.scroll.rect.collidepoint(at):
            self.side.verdict.scroll.turn(NOTCH * turns)
        elif self.side.card.rect.collidepoint(at):
            self.side.card.turn(NOTCH * turns)
        elif self.units.scroll.rect.collidepoint(at):
            self.units.scroll.turn(NOTCH * turns)
        else:
            self.logbook.scroll(3 * turns)
