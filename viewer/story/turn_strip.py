"""The turn as a strip: its phases with their lengths, and how far each has come."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.state import State
from viewer.story.chronicle import Chronicle
from viewer.story.standing import has_acted

WEIGHTS = {"command": 1.0, "movement": 5.0, "shooting": 5.0, "charge": 1.8, "fight": 2.6}
"""How long a phase's part of the strip is, beside the others."""
_OVER = ("end-of-turn", "end-of-round")


@dataclass(frozen=True, slots=True)
class Stretch:
    """A phase's part of the strip: its length, the share that is done, whether it runs."""

    phase: str
    weight: float
    done: float
    is_now: bool


def strip(state: State) -> tuple[Stretch, ...]:
    """Return the phases of the turn; how far one is done, the units that have acted tell."""
    names = list(WEIGHTS)
    now = names.index(state.phase) if state.phase in names else len(names) if state.phase in _OVER else -1
    found = []
    for place, name in enumerate(names):
        done = 1.0 if place < now else _share(state) if place == now else 0.0
        found.append(Stretch(name, WEIGHTS[name], done, place == now))
    return tuple(found)


def _share(state: State) -> float:
    units = state.position.on_table(state.turn or None)
    return sum(has_acted(state, unit) for unit in units) / len(units) if units else 0.0


def place_in_turn(chronicle: Chronicle, cursor: int, phase: str, part: float) -> int | None:
    """Return the moment a part of the way through a phase of the turn that a cursor lies in.

    None where the battle has not come to that phase.
    """
    turn = chronicle.turns.at(cursor)
    if turn is None:
        return None
    end = turn.end if turn.end is not None else len(chronicle)
    stops = [stop for stop in chronicle.phases if turn.first < stop.cursor <= end]
    for place, stop in enumerate(stops):
        if stop.phase == phase:
            last = stops[place + 1].cursor - 1 if place + 1 < len(stops) else end
            return stop.cursor + round((last - stop.cursor) * min(max(part, 0.0), 1.0))
    return None
