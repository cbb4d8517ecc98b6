"""What seats keep from one another: secret objectives, and their tallies. Rule: PLAY.9"""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.state import Marks, Player, State


def players_as_known(state: State, seat: str) -> dict[str, Player]:
    """Return the players by seat, of others than this one without what they keep secret."""
    secrets = _secrets(state)
    players = state.players.items()
    return {name: player if name == seat else _as_others_know(player, secrets) for name, player in players}


def _secrets(state: State) -> frozenset[str]:
    """Return every secret objective of the battle, in a hand or in its deck."""
    deck = state.decks.get("secret")
    piles = (deck.draw, deck.active, deck.discard) if deck else ()
    hands = (cards for player in state.players.values() for cards in (player.secrets, player.completed))
    return frozenset(card for cards in (*piles, *hands) for card in cards)


def _as_others_know(player: Player, secrets: frozenset[str]) -> Player:
    """Return a player as the others know it: without secret objectives not yet revealed.

    Nor do they know the tally of one that went back into the deck.
    """
    hidden = secrets.difference(player.revealed)
    return replace(
        player,
        secrets=tuple(card for card in player.secrets if card not in hidden),
        completed=tuple(card for card in player.completed if card not in hidden),
        marks=Marks({key: mark for key, mark in player.marks.values.items() if key not in hidden}),
    )
