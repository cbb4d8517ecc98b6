"""Twins of battles, in which all that a seat must not know is different.

This is hidden: the secrets of other seats, the orders of decks and the dice to come.

A position is restored twice from its log: once as it was, once from a log with other secrets of the other
seats and with other orders of the cards that lie face down; the dice are others from now on. The step under
way is run again in the twin, so that its request is made from the other hidden things.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import msgspec

from datasheets.library import Library
from engine.core import event as ev
from engine.core.dice import Dice
from engine.core.event import Event
from engine.core.game import IllegalAnswer
from engine.core.log import AnswerLine, BecauseLine, Boundary, LogLine
from engine.core.replay import encode, read_event
from engine.systems import begin
from engine.w40k.battle import Battle

SECRET = "secret"
SEVERAL = "Multiplayer"
"""The tag of the secret objectives that a single player is not dealt. Rule: SETUP.8"""
TRIES = 6
"""How many other secrets are tried where one would have shown itself since the step began."""

_ANSWER = msgspec.json.Decoder(AnswerLine)
_BECAUSE = msgspec.json.Decoder(BecauseLine)


class ForkedDice(Dice):
    """The dice of a seed up to a fork in each stream, and of another seed after the fork.

    A stream forks after as many numbers as it has given before.
    """

    def __init__(self, seed: int, given: dict[str, int], later: int) -> None:
        """Fork after these numbers."""
        super().__init__(seed)
        self._given = dict(given)
        self._later = later

    def _stream(self, name: str) -> Random:
        if name not in self._streams:
            later = Random(f"{self._later}/twin/{name}")
            self._streams[name] = _Forked(f"{self.seed}/{name}", self._given.get(name, 0), later)
        return self._streams[name]


class _Forked(Random):
    """A stream of numbers that goes on as another."""

    def __init__(self, seed: str, given: int, later: Random) -> None:
        super().__init__(seed)
        self._left = given
        self._later = later

    def __new__(cls, seed: str, given: int, later: Random) -> _Forked:
        """Return a stream that is not seeded yet."""
        return super().__new__(cls)

    def random(self) -> float:
        """Return the next number."""
        self._left -= 1
        return super().random() if self._left >= 0 else self._later.random()


@dataclass(frozen=True, slots=True)
class Twins:
    """A battle at a question, as it was and with other hidden things."""

    seat: str
    """The seat that is asked, from which they are hidden."""
    one: Battle
    other: Battle
    swapped: frozenset[str]
    """What is hidden and other: `secrets`, `order of misery`, …, `dice`."""


class NoTwin(Exception):  # noqa: N818 - it is no error of the battle
    """A position without a twin: every other secret would have shown itself by now."""


class Told(Exception):  # noqa: N818 - it is a finding
    """A twin that departs from its battle before the question is asked again.

    Hidden things have shown in it.
    """


def at(
    header: dict[str, Any], library: Library, lines: list[LogLine], back: Boundary, answers: int
) -> Battle:
    """Return the battle of a log after this many answers, taken up at a boundary before them."""
    return _restored(begin(header, library), [_read(line) for line in lines], back, answers)


def _restored(battle: Battle, lines: list[LogLine], back: Boundary, answers: int) -> Battle:
    battle.restore(lines, [battle.boundaries[0]], back, answers)
    return battle


def _read(line: LogLine, rename: Renaming | None = None) -> LogLine:
    """Return a line as a file gives it back, cards renamed in it."""
    text = encode(line)
    if rename is not None:
        text = rename.text(text.decode()).encode()
    if isinstance(line, Event):
        return read_event(text)
    return _ANSWER.decode(text) if isinstance(line, AnswerLine) else _BECAUSE.decode(text)


class Renaming:
    """Cards in place of others: in texts by id, name and clause, and in the orders of decks."""

    def __init__(self, battle: Battle, secrets: dict[str, str], orders: dict[str, dict[str, str]]) -> None:
        """Rename these secrets wherever they stand, and these cards in the orders of their decks."""
        self._orders = orders
        self._words: dict[str, str] = {}
        for card, instead in secrets.items():
            old, new = battle.rulebook.rule(card), battle.rulebook.rule(instead)
            pairs = ((card, instead), (_tail(card), _tail(instead)), (old.clause, new.clause))
            self._words |= dict((*pairs, (old.name, new.name)))
        longest_first = sorted(map(re.escape, self._words), key=len, reverse=True)
        self._pattern = re.compile(rf"(?<![\w/-])(?:{'|'.join(longest_first)})(?![\w-])")

    def text(self, text: str) -> str:
        """Return a text with other cards."""
        if not self._words:
            return text
        return self._pattern.sub(lambda found: self._words[found.group()], text)

    def line(self, line: LogLine) -> LogLine:
        """Return a line of the log with other cards."""
        line = _read(line, self)
        if isinstance(line, ev.Setup):
            line.decks = {name: self._order(name, cards) for name, cards in line.decks.items()}
        elif isinstance(line, ev.CardRevealed | ev.CardDiscarded) and line.draw is not None:
            line.draw = self._order(line.deck, line.draw)
        return line

    def _order(self, deck: str, cards: tuple[str, ...]) -> tuple[str, ...]:
        renamed = self._orders.get(deck, {})
        return tuple(renamed.get(card, card) for card in cards)


def _tail(card: str) -> str:
    return card.rpartition("/")[2]


def twins(one: Battle, seat: str, library: Library, seed: str) -> Twins:
    """Return a battle at a question to a seat, and the same with other hidden things.

    Raises NoTwin where there is none, Told where the twin does not come to its question as the one did.
    """
    back, told = one.boundaries[-1], ""
    for number in range(TRIES):
        chance = Random(f"{seed}/{number}")
        secrets = other_secrets(one, seat, chance)
        orders = other_orders(one, chance, back)
        renaming = Renaming(one, secrets, orders)
        other = begin(one.origin, library)
        other.dice = ForkedDice(one.seed, one.dice.draws, chance.randrange(1 << 30))
        lines = [renaming.line(line) for line in one.lines]
        try:
            _restored(other, lines, back, len(one.answers))
        except IllegalAnswer as fault:
            told = str(fault)
        else:
            told = "" if len(other.answers) == len(one.answers) else "it asks no more"
        if _shown(one, back) == _shown(other, back):
            if told:
                raise Told(told)
            return Twins(seat, one, other, swapped(one, other))
        if not secrets:
            raise Told("other secrets are shown, though none was swapped")
    raise NoTwin(seat)


def _shown(battle: Battle, back: Boundary) -> list[tuple[str, str]]:
    """Return the secrets that were shown since a boundary."""
    events = battle.events[back.events :]
    return [(each.player, each.card) for each in events if isinstance(each, ev.SecretRevealed)]


def other_secrets(battle: Battle, seat: str, chance: Random) -> dict[str, str]:
    """Return the card that replaces each secret hidden from a seat, by the secret's id.

    Hidden are the secrets of other seats and those left in the deck. Cards that the seat has seen stay where
    they are.
    """
    if SECRET not in battle.state.decks:
        return {}
    seen = _seen(battle, seat)
    deck = [card for card in battle.state.decks[SECRET].draw if card not in seen]
    found: dict[str, str] = {}
    for several in (False, True):
        left = [card for card in deck if _for_several(battle, card) == several]
        held = [
            card
            for owner, player in battle.state.players.items()
            for card in player.secrets
            if owner != seat and card not in seen and _for_several(battle, card) == several
        ]
        chance.shuffle(left)
        for card, instead in zip(held, left, strict=False):
            found |= {card: instead, instead: card}
        found |= _turned([card for card in left if card not in found])
    return found


def _seen(battle: Battle, seat: str) -> set[str]:
    """Return the secrets that a seat has seen: its own, and those that were shown."""
    own = {e.card for e in battle.events if isinstance(e, ev.CardRevealed) and e.player == seat}
    shown = {e.card for e in battle.events if isinstance(e, ev.SecretRevealed)}
    return own | shown


def _for_several(battle: Battle, card: str) -> bool:
    """Return whether a card can be nobody's in this battle, as there is a single player."""
    one = len(battle.state.players) == 1 and battle.ruling("secret.multiplayer") != "any"
    return one and SEVERAL in battle.rulebook.rule(card).tags


def other_orders(battle: Battle, chance: Random, back: Boundary) -> dict[str, dict[str, str]]:
    """Return for each deck but the secrets another card in place of each that lies face down.

    Where a card was drawn since a boundary, those that may not always be drawn stay: they show that way.
    """
    drawn = {e.deck for e in battle.events[back.events :] if isinstance(e, ev.CardRevealed)}
    found = {}
    for name, deck in battle.state.decks.items():
        if name == SECRET:
            continue
        cards = [card for card in deck.draw if name not in drawn or _is_drawable(battle, card)]
        chance.shuffle(cards)
        found[name] = _turned(cards)
    return found


def _is_drawable(battle: Battle, card: str) -> bool:
    return battle.rulebook.compiled(card).drawable is None


def _turned(cards: Sequence[str]) -> dict[str, str]:
    """Return the next card of a circle for each: none is its own where there are two."""
    return dict(zip(cards, (*cards[1:], *cards[:1]), strict=True))


def swapped(one: Battle, other: Battle) -> frozenset[str]:
    """Return in which hidden things two battles differ."""
    here, there = one.state, other.state
    found = {f"order of {name}" for name, deck in here.decks.items() if deck.draw != there.decks[name].draw}
    if any(player.secrets != there.players[name].secrets for name, player in here.players.items()):
        found.add("secrets")
    if to_come(one) != to_come(other):
        found.add("dice")
    return frozenset(found)


def to_come(battle: Battle) -> list[int]:
    """Return dice that a battle would roll next; the battle's own are not touched."""
    if isinstance(battle.dice, ForkedDice):
        dice: Dice = ForkedDice(battle.seed, battle.dice._given, battle.dice._later)
    else:
        dice = Dice(battle.seed)
    dice.restore(dict(battle.dice.draws))
    return [dice.die("", 6, name) for name in ("dice", "table", "deck") for _ in range(20)]
