"""The cards that a player plays for or against, with their progress.

A seat's secret is for its own player alone; where several share the screen, only when that player asks.
Rule: PLAY.9
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.core.state import State
from engine.w40k.seat_log import is_hidden
from viewer.story.knowledge import Knowledge
from viewer.story.name import seat_name, title

HIDDEN_WORDS = "hidden"


@dataclass(frozen=True, slots=True)
class Goal:
    """A card in play: secret, mission or misery, its name, what it asks, how far it has come."""

    kind: str
    card: str
    name: str
    says: str
    seat: str = ""
    done: int | None = None
    of: int = 0
    hidden: bool = False
    met: bool = False
    own: bool = False
    """Whether it is of the one player that is at the window."""

    @property
    def progress(self) -> str:
        """Return how far it has come, in words; "" where no number tells it."""
        if self.met:
            return "met"
        return f"{self.done} of {self.of}" if self.done is not None else ""


@dataclass(frozen=True, slots=True)
class Sight:
    """Whose secrets are shown: the seats of the people at the window, and the one asked."""

    people: tuple[str, ...] = ()
    """Nobody: the battle is watched, and all is shown that its log tells."""
    asked: str = ""
    """The seat that is asked just now."""
    peeks: bool = False
    """Whether that seat's player looks at the secret."""

    def sees(self, seat: str) -> bool:
        """Return whether a seat's secret is shown, as far as the log names it."""
        return not self.people or self.may_ask(seat)

    def may_ask(self, seat: str) -> bool:
        """Return whether the player of this seat is at the window, alone or looking at the secret."""
        if self.people == (seat,):
            return True
        return self.peeks and seat == self.asked and seat in self.people


def goals(
    state: State, summaries: Mapping[str, str], knowledge: Knowledge, sight: Sight, *, now: bool
) -> tuple[Goal, ...]:
    """Return the cards in play, secrets first; `now` says that the state is the battle's latest."""
    found = [*_secrets(state, summaries, knowledge, sight, now=now)]
    held = {card for player in state.players.values() for card in player.secrets}
    for deck, kind in (("secondary", "mission"), ("misery", "misery")):
        cards: Sequence[str] = state.decks[deck].active if deck in state.decks else ()
        for card in cards:
            if card in held:
                continue
            counted = knowledge.progress(card) if now and kind == "mission" else None
            done, of = counted if counted is not None else (None, 0)
            found.append(Goal(kind, card, title(card), summaries.get(card, ""), done=done, of=of))
    return tuple(found)


def _secrets(
    state: State, summaries: Mapping[str, str], knowledge: Knowledge, sight: Sight, *, now: bool
) -> list[Goal]:
    """Return the secrets of the seats at the window, or of all where the battle is watched."""
    seats = sight.people or tuple(state.players)
    if len(sight.people) > 1:
        seats = (sight.asked,) if sight.asked in sight.people else ()
    found = []
    for seat in seats:
        player = state.players.get(seat)
        if player is None:
            continue
        name = "" if len(seats) == 1 else seat_name(state, seat)
        for card in player.secrets:
            if card in player.revealed:
                known = card
            elif not sight.sees(seat):
                known = ""
            elif not is_hidden(card):
                known = card
            else:
                place = player.secrets.index(card)
                known = _kept(knowledge, seat, place) if sight.may_ask(seat) else ""
            if not known:
                found.append(Goal("secret", "", HIDDEN_WORDS, "", name, hidden=True, own=bool(sight.people)))
                continue
            counted = knowledge.progress(known, seat) if now else None
            done, of = counted if counted is not None else (None, 0)
            met = known in player.completed
            says = summaries.get(known, "")
            own = bool(sight.people)
            found.append(Goal("secret", known, title(known), says, name, done, of, met=met, own=own))
    return found


def _kept(knowledge: Knowledge, seat: str, place: int) -> str:
    """Return a secret that the log at the window does not name, for its own player."""
    if knowledge.game is None or seat not in knowledge.game.state.players:
        return ""
    cards = knowledge.game.state.players[seat].secrets
    return cards[place] if place < len(cards) else ""
