"""The log of a battle as a seat may read it. Rule: PLAY.9

It leaves out what others hide and how the decks lie. Lines never change once they were shown: a secret that
is revealed later has no name in the lines before.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from engine.core import event as ev
from engine.core.facts import HORDE
from engine.core.log import AnswerLine, BecauseLine, LogLine
from engine.core.request import Chosen

HIDDEN = "/hidden-"
"""What stands in the place of a card that others hide, between its deck and a number."""

BALLOTS = ("sacrifice",)
"""Decisions that every seat takes in secret: no seat reads the others'. Rule: MISERY.18"""


class SeatLog:
    """The log as these seats may read it; grows with the log itself."""

    def __init__(self, *seats: str) -> None:
        """Begin with nothing read."""
        self._seats = seats
        self._forget()

    def _forget(self) -> None:
        self._read: list[LogLine] = []
        self._shown: list[LogLine] = []
        self._events = 0
        self._decks: dict[str, tuple[str, ...]] = {}
        self._secrets: frozenset[str] = frozenset()
        self._hands: dict[str, dict[str, str]] = {}
        self._given = 0
        self._revealed: set[tuple[str, str]] = set()

    def of(self, lines: Sequence[LogLine]) -> Sequence[LogLine]:
        """Return what may be read of a log, which goes on from where it was or was cut back."""
        known = len(self._read)
        if len(lines) < known or (known and lines[known - 1] is not self._read[-1]):
            self._forget()
        for line in lines[len(self._read) :]:
            self._read.append(line)
            shown = self._line(line)
            if shown is not None:
                self._shown.append(shown)
        return self._shown

    def _line(self, line: LogLine) -> LogLine | None:
        """Return a line as it may be read, None where it may not be."""
        if isinstance(line, AnswerLine):
            return self._answer(line)
        if isinstance(line, BecauseLine):
            return line if line.seat in (HORDE, *self._seats) else None
        event = self._event(line)
        if event is None:
            return None
        number, self._events = self._events, self._events + 1
        # What is left out leaves no gap in the numbers.
        return event if event.n == number else replace(event, n=number)

    def _answer(self, line: AnswerLine) -> AnswerLine:
        if line.decision in BALLOTS and line.seat not in self._seats:
            return replace(line, value=Chosen(ids=()))
        hand = self._hands.get(line.seat, {})
        if not hand or not isinstance(line.value, Chosen):
            return line
        ids = tuple(hand.get(name, name) for name in line.value.ids)
        return replace(line, value=replace(line.value, ids=ids))

    def _event(self, event: ev.Event) -> ev.Event | None:
        if isinstance(event, ev.Setup):
            self._decks = {name: tuple(sorted(cards)) for name, cards in event.decks.items()}
            return replace(event, decks=self._decks)
        if isinstance(event, ev.CardRevealed):
            return self._drawn(event)
        if isinstance(event, ev.CardDiscarded):
            card = next((hand.pop(event.card) for hand in self._hands.values() if event.card in hand), "")
            return replace(event, card=card or event.card, draw=self._pile(event.deck, event.draw))
        if isinstance(event, ev.SecretRevealed):
            self._revealed.add((event.player, event.card))
            self._hands.get(event.player, {}).pop(event.card, None)
        if isinstance(event, ev.Marked) and self._is_hidden(event):
            return None
        return event

    def _drawn(self, event: ev.CardRevealed) -> ev.CardRevealed:
        """Return a draw: of a card that goes into the hand of another seat, without its name."""
        card = event.card
        if event.player:
            self._secrets |= frozenset(self._decks.get(event.deck, ()))
        if event.player and event.player not in self._seats:
            self._given += 1
            card = f"{event.deck}{HIDDEN}{self._given}"
            self._hands.setdefault(event.player, {})[event.card] = card
        return replace(event, card=card, draw=self._pile(event.deck, event.draw))

    def _pile(self, deck: str, order: tuple[str, ...] | None) -> tuple[str, ...] | None:
        """Return the cards of a pile in no order; nothing where they tell which cards are in hands."""
        if order is None or self._secrets.intersection(self._decks.get(deck, ())):
            return None
        return tuple(sorted(order))

    def _is_hidden(self, event: ev.Marked) -> bool:
        """Return whether a mark is the tally of a secret that its player has not revealed."""
        kind, _, owner = event.on.partition(":")
        if event.key not in self._secrets or (kind == "player" and owner in self._seats):
            return False
        return (owner, event.key) not in self._revealed if kind == "player" else self._is_held(event.key)

    def _is_held(self, card: str) -> bool:
        return any(card in hand for hand in self._hands.values())


def is_hidden(card: str) -> bool:
    """Return whether this stands in the place of a card that others hide."""
    return HIDDEN in card
