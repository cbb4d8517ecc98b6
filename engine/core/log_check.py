"""Whether a log from outside can be read: what its events name is there when they happen.

Owns that check alone. It folds the events as any reader does; whether they are what the answers lead to is
`engine.core.verify`'s.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from datasheets.errors import BadData
from engine.core import event as ev
from engine.core.apply import apply
from engine.core.facts import HORDE, PLAYERS, UnitFacts
from engine.core.log import LogLine
from engine.core.state import State

UNITS = ("unit", "target", "transport")
"""Fields that hold the id of a unit, in a decision of a zone or marker too, or nothing."""
FREE = (ev.Unmodelled, ev.Decided, ev.Rolled)
"""Events whose unit may not be set up yet, or be another thing: readers only name it."""
ROWS = ("models", "poses", "paths")
"""Fields that hold rows of models."""
FARTHEST = 10_000.0
"""No coordinate of a place is larger, in inches."""


def check_log(lines: Sequence[LogLine], path: str) -> None:
    """Raise BadData for the first line that names what is not there, or cannot be carried out."""
    state = State()
    for number, line in enumerate(lines, start=2):
        if not isinstance(line, ev.Event):
            continue
        fault = next(_faults(line, state), "") or _carried_out(line, state)
        if fault:
            raise BadData(path, f"line {number}", f"this line names {fault}; the file was changed by hand")


def _carried_out(event: ev.Event, state: State) -> str:
    """Carry an event out; return what is wrong with it where that fails."""
    try:
        apply(state, event)
    except (KeyError, IndexError, ValueError, TypeError, AttributeError, OverflowError):
        return "something that is not there"
    return ""


def _faults(event: ev.Event, state: State) -> Iterator[str]:
    """Yield what an event names and is not there."""
    position = state.position
    facts: UnitFacts | None = getattr(event, "facts", None)
    if facts is not None:
        yield from _faults_of_new(facts, len(position.models))
    new = facts.id if facts is not None else None
    named = (position.units, position.objectives, position.zones, position.markers)
    for field in UNITS if not isinstance(event, FREE) else ():
        name = getattr(event, field, "")
        if name and name != new and not any(name in some for some in named):
            yield f"a unit '{name}' that is not there"
    count = len(position.models) + (len(facts.models) if facts is not None else 0)
    for row in _rows(event):
        if not 0 <= row < count:
            yield f"a model {row} that is not there"
    player = getattr(event, "player", "")
    if player and player != HORDE and player not in state.players:
        yield f"a player '{player}' that is not there"
    for pose in _poses(event):
        if len(pose) < 2 or not all(math.isfinite(number) and abs(number) <= FARTHEST for number in pose):
            yield "a place that is nowhere"
    if isinstance(event, ev.Targeted):
        yield from _faults_of_shots(event, state)
    if isinstance(event, ev.Controlled) and event.by not in (HORDE, PLAYERS, ""):
        yield f"a side '{event.by}' that is not there"


def _faults_of_new(facts: UnitFacts, first: int) -> Iterator[str]:
    """Yield what is wrong with the rows of a new unit: they follow those before them."""
    for row, model in enumerate(facts.models, start=first):
        if model.row != row:
            yield f"a model {model.row} where model {row} is to be"


def _faults_of_shots(event: ev.Targeted, state: State) -> Iterator[str]:
    unit = state.position.units[event.unit]
    weapons = len(unit.facts.weapons) + len(unit.borrowed)
    for shot in event.shots:
        if shot.target not in state.position.units:
            yield f"a unit '{shot.target}' that is not there"
        if not 0 <= shot.weapon < weapons:
            yield f"a weapon {shot.weapon} that is not there"
        if not 0 <= shot.model < len(state.position.models):
            yield f"a model {shot.model} that is not there"


def _rows(event: ev.Event) -> Iterator[int]:
    for field in ROWS:
        rows: Iterable[int] = getattr(event, field, ())
        yield from rows
    if isinstance(event, ev.Damaged | ev.Healed | ev.Returned | ev.Destroyed):
        yield event.model


def _poses(event: ev.Event) -> Iterator[Sequence[float]]:
    poses: dict[int, Any] = getattr(event, "poses", {})
    yield from poses.values()
    if isinstance(event, ev.Returned):
        yield event.pose
    if isinstance(event, ev.Placed):
        yield event.at
    if isinstance(event, ev.Moved):
        for legs in event.paths.values():
            yield from legs
