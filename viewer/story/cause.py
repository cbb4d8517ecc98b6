"""Why something happened, in words: the clause or rule that an event names as its cause.

Knows the clauses that people care about and the cards and purchases by their ids; it needs no rule record.
"""

from __future__ import annotations

from engine.core import event as ev
from engine.core.state import State
from viewer.story.name import title, unit_name

_DECKS = {"MISERY": "misery", "SEC": "secondary", "SECRET": "secret"}
_LOSSES = {
    "SPAWN.2": "as its spawning zone was cleared",
    "CORE.COH.2": "out of coherency",
    "CORE.MOVE.7": "in a desperate escape",
    "CORE.WPN.HAZ": "to its own hazardous weapons",
    "CORE.WPN.DEV": "to devastating wounds",
    "CORE.ABL.DD": "to a Deadly Demise",
    "CORE.RES.3": "still in reserves",
}
_AGAIN = {"CORE.STR.1": "Command Re-roll", "CORE.WPN.TWIN": "Twin-linked"}
_INCOME = {"SP.1": "for objectives", "SP.2": "for a kill", "CORE.TURN.2": "at the start of the phase"}


def rule_title(state: State, cause: str) -> str:
    """Return the name of the card or purchase whose clause this is; "" where it is neither."""
    kind, _, rest = cause.partition(".")
    if kind == "BUY":
        return title(f"buy/{rest}")
    deck = _DECKS.get(kind, "")
    found = state.decks.get(deck)
    if not rest.isdigit():
        return ""
    cards = (*found.active, *found.draw, *found.discard) if found is not None else ()
    hands = [card for player in state.players.values() for card in (*player.secrets, *player.completed)]
    return next((title(card) for card in (*cards, *hands) if card.startswith(f"{deck}/{rest}-")), "")


def loss_words(state: State, cause: str) -> str:
    """Return to what wounds or models were lost, "" where it was a plain attack."""
    if cause in _LOSSES:
        return _LOSSES[cause]
    name = rule_title(state, cause)
    return f"to {name}" if name else ""


def income_words(state: State, cause: str) -> str:
    """Return for what something was gained or paid."""
    if cause in _INCOME:
        return _INCOME[cause]
    name = rule_title(state, cause)
    return f"for {name}" if name else ""


def again_words(state: State, cause: str) -> str:
    """Return by what dice were rolled again: a card, a Stratagem, an ability; else ""."""
    named = _AGAIN.get(cause) or rule_title(state, cause)
    last = cause.rpartition(".")[2]
    return named or (
        "" if not last or any(sign.isdigit() or sign.isupper() for sign in last) else title(last)
    )


def end_words(state: State, event: ev.UnitDestroyed) -> str:
    """Return by whom, or else how, a unit was wiped out."""
    how = loss_words(state, event.cause)
    if not event.by or event.by == event.unit:
        return how
    by = f"by {unit_name(state, event.by)}"
    return f"{by} ({how.removeprefix('to ').removeprefix('a ')})" if how and "DEV" not in event.cause else by
