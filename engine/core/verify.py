"""Checking a replay by playing its answers again."""

from __future__ import annotations

from dataclasses import dataclass

from datasheets.errors import HordeError
from datasheets.library import Library
from engine.core.event import Event
from engine.core.format import played_elsewhere
from engine.core.game import Begin, Game
from engine.core.header import check_data
from engine.core.log import reasons_of
from engine.core.replay import Replay, ReplayDiverged, encode, read_event


@dataclass(frozen=True, slots=True)
class Verified:
    """What was checked: how many answers and events, and the battle as it ended."""

    answers: int
    events: int
    game: Game


def verify(replay: Replay, library: Library, begin: Begin[Game]) -> Verified:
    """Play a replay's answers again and compare every event.

    Raises HordeError where its format is an older one or data differs that it was played with, ReplayDiverged
    at the first event that differs.
    """
    if replay.header.get("sealed"):
        raise HordeError("The replay is sealed: it can be watched, not verified.")
    elsewhere = played_elsewhere(replay.header)
    if elsewhere:
        raise HordeError(f"The replay cannot be verified: {elsewhere}.")
    check_data(replay.header, library, "The replay")
    game = load(replay, library, begin)
    _compare(game.events, list(replay.events))
    if len(game.events) < len(replay.events):
        raise ReplayDiverged(len(game.events), "nothing more", replay.events[len(game.events)].kind)
    if game.pending is not None:
        raise HordeError("The replay is cut short: the battle is not over after its last answer.")
    return Verified(len(game.answers), len(game.events), game)


def load(replay: Replay, library: Library, begin: Begin[Game]) -> Game:
    """Return the battle of a replay with all its answers given: a save goes on from here."""
    game = begin(replay.header, library, "")
    expected = list(replay.events)
    reasons = reasons_of(replay.lines)
    agreed = 0
    for line in replay.answers:
        agreed = _compare(game.events, expected, agreed)
        if game.pending is None:
            raise ReplayDiverged(len(game.events), "the end of the battle", f"answer {line.answer}")
        try:
            game.resubmit(line, reasons.get(line.answer))
        except HordeError as fault:
            raise ReplayDiverged(
                len(game.events), str(fault), f"answer {line.answer} of {line.seat}"
            ) from None
    return game


def _compare(found: list[Event], expected: list[Event], start: int = 0) -> int:
    """Compare the events from `start` on, and return up to where they agree."""
    for i in range(start, len(found)):
        if i >= len(expected):
            raise ReplayDiverged(i, found[i].kind, "nothing more")
        # As text, since a file does not tell 5 from 5.0 nor a list from a tuple.
        here, there = _text(found[i]), _text(expected[i])
        if here != there:
            raise ReplayDiverged(i, *_difference(here, there))
    return len(found)


def _text(event: Event) -> str:
    """Return an event's row in a file, after it was written and read once.

    A whole number where a float is meant becomes a float.
    """
    return encode(read_event(encode(event))).decode()


def _difference(here: str, there: str) -> tuple[str, str]:
    """Return the parts of two texts about the first place where they differ."""
    at = next((i for i, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), 0)
    window = slice(max(0, at - 60), at + 60)
    return f"…{here[window]}…", f"…{there[window]}…"
