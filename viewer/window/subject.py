"""What a moment is about: the units that may act, the one that does, the one of the card.

Reads the question and the playback; it draws nothing.
"""

from __future__ import annotations

from engine.core.request import Chosen, Ordered
from viewer.input.answering import Answering
from viewer.story.source import Reason
from viewer.story.standing import has_acted
from viewer.window.playback import Playback


def able(playback: Playback, asked: Answering | None) -> frozenset[str] | None:
    """Return the units that may act now, None where that is not asked."""
    if asked is None or asked.request.decision != "next-unit":
        return None
    state, seat = playback.state, asked.view.seat
    others = (u for u in state.position.on_table() if u.player != seat and not has_acted(state, u))
    return frozenset((*(each.id for each in asked.options), *(unit.id for unit in others)))


def acting(playback: Playback, asked: Answering | None) -> str:
    """Return the unit that acts just now, "" where none does."""
    if asked is not None:
        return asked.subject
    decision = playback.decision
    entry = playback.chronicle.entries[decision] if decision is not None else None
    return entry.unit if isinstance(entry, Reason) else ""


def told_of(playback: Playback, asked: Answering | None, chosen: str) -> str:
    """Return whose last decision is shown: the chosen unit's, no player's while one is asked."""
    unit = playback.state.position.units.get(chosen)
    is_own = unit is not None and unit.side == "players" and asked is not None
    return "" if is_own else chosen


def subject(playback: Playback, asked: Answering | None, reason: Reason | None) -> str:
    """Return the unit of the card where neither mouse nor click says one, "" without any."""
    if asked is None:
        return reason.unit if reason is not None else ""
    if asked.subject:
        return asked.subject
    advised = asked.advised
    ids = advised.ids if isinstance(advised, Chosen | Ordered) else ()
    suggested = next((each for each in ids if each in playback.state.position.units), "")
    coming = playback.source.knowledge.mustered if not playback.state.round else ()
    return suggested or (coming[0].id if coming else "")
