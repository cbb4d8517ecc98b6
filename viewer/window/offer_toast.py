"""The offer of a Stratagem in a corner of the board: its worth, its keys, its buttons.

Draws `viewer.input.offer`, and says what was clicked.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pygame

from viewer.input.answering import Answering
from viewer.input.offer import Offer
from viewer.window.buttons import ButtonFace, draw_button_bar, draw_face
from viewer.window.corner import free_corner
from viewer.window.layout import Layout
from viewer.window.lettering import Lettering
from viewer.window.palette import mix
from viewer.window.table import Table

WIDE = 328
MOST_DICE = 12
"""The most dice that are drawn."""
MOST_ROWS = 6
"""The most units that are listed."""
USE, KEEP, UNDO, ROW = "use", "keep", "undo", "row:"
USE_KEYS, KEEP_KEYS = ("r", "u"), ("k",)
_PIPS = {
    1: (4,),
    2: (0, 8),
    3: (0, 4, 8),
    4: (0, 2, 6, 8),
    5: (0, 2, 4, 6, 8),
    6: (0, 2, 3, 5, 6, 8),
}
"""The places of a die's pips, in three rows of three."""


def draw_die(
    surface: pygame.Surface, box: pygame.Rect, lettering: Lettering, value: int, *, counts: bool
) -> None:
    """Draw a die: light where it counts, an outline where it does not."""
    palette = lettering.palette
    if counts:
        pygame.draw.rect(surface, palette.ink, box, border_radius=4)
    else:
        pygame.draw.rect(surface, palette.edge, box, 1, border_radius=4)
    ink = palette.background if counts else palette.soft
    for place in _PIPS.get(value, ()):
        column, row = place % 3, place // 3
        at = (box.x + box.w * (column + 1) / 4, box.y + box.h * (row + 1) / 4)
        pygame.draw.circle(surface, ink, at, max(box.w / 10, 1.2))


@dataclass(slots=True)
class OfferToast:
    """The toast: where it stands, and where its buttons were drawn last."""

    table: Table
    rect: pygame.Rect = field(default_factory=lambda: pygame.Rect(0, 0, 0, 0))
    bar: pygame.Rect = field(default_factory=lambda: pygame.Rect(0, 0, 0, 0))
    buttons: list[tuple[pygame.Rect, str]] = field(default_factory=list)
    _of: Answering | None = None
    _board: tuple[int, int, int, int] = (0, 0, 0, 0)
    _most: int = MOST_ROWS
    """The units that are listed at a time."""

    def shows(self, asked: Answering | None) -> bool:
        """Return whether an offer waits."""
        return asked is not None and asked.offer is not None

    def hides(self, at: tuple[int, int]) -> bool:
        """Return whether a pixel is the toast's, or its bar's."""
        return self.rect.collidepoint(at) or self.bar.collidepoint(at)

    def close(self) -> None:
        """Be gone, until the next offer."""
        self.rect, self.bar, self._of, self.buttons = (
            pygame.Rect(0, 0, 0, 0),
            pygame.Rect(0, 0, 0, 0),
            None,
            [],
        )

    # keys and mouse

    def key(self, asked: Answering, name: str, sign: str) -> bool:
        """Take a key; return whether it was one of the toast's. One not seen yet takes none."""
        if asked.offer is None or asked.line or asked is not self._of:
            return False
        letter = (sign or name).lower()
        if letter in USE_KEYS:
            self._do(asked.offer, USE)
        elif letter in KEEP_KEYS:
            self._do(asked.offer, KEEP)
        elif name in ("up", "down") and len(asked.offer.options) > 1:
            asked.offer.step(1 if name == "down" else -1)
        else:
            return False
        return True

    def is_own(self, asked: Answering, name: str, sign: str) -> bool:
        """Return whether a key is one that answers the offer."""
        return not asked.line and (sign or name).lower() in (*USE_KEYS, *KEEP_KEYS)

    def click(self, asked: Answering, at: tuple[int, int]) -> None:
        """Take a click on the toast or its bar."""
        wanted = next((id_ for box, id_ in self.buttons if box.collidepoint(at)), "")
        if asked.offer is not None and wanted:
            self._do(asked.offer, wanted)

    def _do(self, offer: Offer, wanted: str) -> None:
        player = self.table.player
        if wanted.startswith(ROW):
            offer.choose(int(wanted.removeprefix(ROW)))
        elif wanted == UNDO:
            player.enter("undo")
        else:
            player.answer(offer.use if wanted == USE else offer.keep)

    # drawing

    def draw(self, surface: pygame.Surface, layout: Layout, asked: Answering, mouse: tuple[int, int]) -> None:
        """Draw the toast in its corner, which it keeps, and its buttons in the bar."""
        offer, lettering = asked.offer, self.table.lettering
        if offer is None:
            return
        size = self._size(layout, offer)
        if asked is not self._of or self._board != self.table.camera.viewport or self.rect.size != size:
            self._of, self._board = asked, self.table.camera.viewport
            self.rect = self._place(size, asked, offer, mouse)
        self.buttons = []
        lettering.cover(self.rect)
        clip = surface.get_clip()
        surface.set_clip(self.rect.clip(clip))
        self._draw_box(surface, offer, mouse)
        surface.set_clip(clip)
        self.bar = layout.bottom
        faces = [ButtonFace(UNDO, "Undo", "Ctrl Z", icon="undo")]
        faces += [ButtonFace(USE, self._use_words(offer), "R"), ButtonFace(KEEP, "Keep", "K")]
        settled = asked.settled[-1] if asked.settled else "The board, cards and log stay open."
        words = asked.fault or (f"Typed: {asked.line}" if asked.line else settled)
        head = f"{offer.name} waits for you."
        self.buttons += draw_button_bar(surface, self.bar, lettering, head, words, faces, mouse)

    def _place(
        self, size: tuple[int, int], asked: Answering, offer: Offer, mouse: tuple[int, int]
    ) -> pygame.Rect:
        """Return the corner that covers neither the units that it is about nor the mouse."""
        rooms = self.table.scene.rooms(self.table.camera, self.table.playback)
        last = asked.view.last_roll
        about = {asked.request.unit, offer.unit, *(option.id for option in offer.options)}
        if last is not None and offer.dice:
            about |= {last.unit, last.target}
        shunned = [box for unit in sorted(about) for box in rooms.get(unit, ())]
        shunned.append(pygame.Rect(mouse, (1, 1)).inflate(24, 24))
        tokens = [box for boxes in rooms.values() for box in boxes]
        tokens += [each.box for each in self.table.lettering.written]
        return free_corner(size, self.table.camera.viewport, tokens, shunned)

    def _size(self, layout: Layout, offer: Offer) -> tuple[int, int]:
        lettering = self.table.lettering
        wide = min(lettering.t(WIDE), layout.board.w - 24)
        self._most = min(max((layout.board.h - lettering.t(420)) // lettering.t(30), 2), MOST_ROWS)
        room = wide - 2 * lettering.t(14)
        high = lettering.t(14) + lettering.leading(16)
        high += lettering.t(30) if offer.dice else 0
        high += lettering.leading(12) * len(self._words(offer, room))
        high += self._rows_high(offer) + lettering.t(10) + self._button_high() + lettering.t(14)
        return wide, min(high, layout.board.h - 24)

    def _button_high(self) -> int:
        return max(self.table.lettering.t(36), 36)

    def _rows_high(self, offer: Offer) -> int:
        shown = min(len(offer.options), self._most)
        return shown * self.table.lettering.t(30) + self.table.lettering.t(6) if shown > 1 else 0

    def _words(self, offer: Offer, room: int) -> list[str]:
        lettering = self.table.lettering
        told = lettering.wrap(offer.moment, 12, room)[:3]
        words = f"{offer.worth}."
        if offer.options:
            words = f"{offer.label(offer.options[offer.chosen])}: {words[:1].lower()}{words[1:]}"
        return [*told, *lettering.wrap(words, 12, room, True)[:2]]

    def _use_words(self, offer: Offer) -> str:
        return "Roll again" if offer.dice else f"Use {offer.name}"

    def _draw_box(self, surface: pygame.Surface, offer: Offer, mouse: tuple[int, int]) -> None:
        lettering, palette, box = self.table.lettering, self.table.lettering.palette, self.rect
        pygame.draw.rect(surface, palette.raised, box, border_radius=10)
        pygame.draw.rect(surface, palette.accent, box, 2, border_radius=10)
        pad = lettering.t(14)
        x, y, room = box.x + pad, box.y + pad, box.w - 2 * pad
        price = lettering.draw(
            surface, offer.price, (x + room, y + lettering.t(2)), 12, palette.soft, anchor="topright"
        )
        title = lettering.fitted(f"{offer.name}?", 16, price.x - x - lettering.t(8), True)
        lettering.draw(surface, title, (x, y), 16, palette.ink, bold=True)
        y += lettering.leading(16)
        if offer.dice:
            y = self._draw_dice(surface, offer, x, y, room)
        words = self._words(offer, room)
        said = len(lettering.wrap(offer.moment, 12, room)[:3])
        for i, line in enumerate(words):
            bold = i >= said
            shown = lettering.fitted(line, 12, room, bold)
            lettering.draw(surface, shown, (x, y), 12, palette.ink if bold else palette.soft, bold=bold)
            y += lettering.leading(12)
        if len(offer.options) > 1:
            y = self._draw_rows(surface, offer, x, y + lettering.t(6), room)
        y = box.bottom - pad - self._button_high()
        keep = max(round(room * 0.3), lettering.t(90))
        gap = lettering.u(8)
        use = pygame.Rect(x, y, room - keep - gap, self._button_high())
        face = ButtonFace(USE, self._use_words(offer), "R", main=offer.suggested)
        draw_face(surface, use, lettering, face, over=use.collidepoint(mouse))
        other = pygame.Rect(use.right + gap, y, keep, self._button_high())
        kept = ButtonFace(KEEP, "Keep", "K", main=not offer.suggested)
        draw_face(surface, other, lettering, kept, over=other.collidepoint(mouse))
        self.buttons += [(use, USE), (other, KEEP)]

    def _draw_dice(self, surface: pygame.Surface, offer: Offer, x: int, y: int, room: int) -> int:
        lettering, palette = self.table.lettering, self.table.lettering.palette
        side, gap = lettering.t(20), lettering.t(5)
        middle = y + lettering.t(14)
        left = x
        if offer.need:
            words = lettering.fitted(offer.need, 12, room // 2, True)
            box = lettering.draw(surface, words, (x, middle), 12, palette.ink, bold=True, anchor="midleft")
            left = box.right + lettering.t(10)
        most = max((x + room - left) // (side + gap), 1)
        for place, (value, counts) in enumerate(offer.dice[: min(MOST_DICE, most)]):
            die = pygame.Rect(left + place * (side + gap), 0, side, side)
            die.centery = middle
            draw_die(surface, die, lettering, value, counts=counts)
        return y + lettering.t(30)

    def _draw_rows(self, surface: pygame.Surface, offer: Offer, x: int, y: int, room: int) -> int:
        """Draw the units on which it may be used, the chosen one marked."""
        lettering, palette = self.table.lettering, self.table.lettering.palette
        most = self._most
        first = max(min(offer.chosen - most + 1, len(offer.options) - most), 0)
        for place, option in enumerate(offer.options[first : first + most], start=first):
            row = pygame.Rect(x, y, room, lettering.t(28))
            chosen = place == offer.chosen
            pygame.draw.rect(surface, mix(palette.panel, palette.raised, 0.3), row, border_radius=5)
            edge = palette.accent if chosen else palette.line
            pygame.draw.rect(surface, edge, row, 2 if chosen else 1, border_radius=5)
            worth = offer.worth_on(option)
            at = (row.right - lettering.t(9), row.centery)
            tone = palette.accent if chosen else palette.soft
            value = lettering.draw(surface, worth, at, 12, tone, bold=chosen, anchor="midright")
            words = lettering.fitted(offer.label(option), 12, value.x - row.x - lettering.t(16), chosen)
            at = (row.x + lettering.t(9), row.centery)
            lettering.draw(surface, words, at, 12, palette.ink, bold=chosen, anchor="midleft")
            self.buttons.append((row, f"{ROW}{place}"))
            y += lettering.t(30)
        return y
