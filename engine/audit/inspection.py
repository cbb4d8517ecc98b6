"""The faults on the table that a finished log shows, and what each side did.

A fault is a base that overlaps another or leaves the board, or a unit out of coherency. The module reads
events and the state that they fold to, measures everything anew from the positions, and knows no agent. How
the Horde's units got on toward their targets is `engine.audit.progress`'s.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from engine.audit.thrown import Thrown
from engine.core import event as ev
from engine.core.apply import apply
from engine.core.state import State, Unit
from engine.table.index import Index
from engine.w40k.parameters import Parameters
from geometry.measure.coherency import is_coherent
from geometry.measure.distance import clearances
from geometry.measure.region import base_within, grid
from geometry.tolerance import TOLERANCE

MOVES = ("normal", "advance", "fall-back")
DEEDS = ("moved", "shot", "charged", "fought")
SIDES = ("horde", "players")


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that may not be on a table, after the event with this number."""

    n: int
    check: str
    """overlap, board, coherency or dice."""
    text: str


@dataclass(slots=True)
class Inspection:
    """What a log shows: its faults, how often each side did what, and the rules at work."""

    state: State = field(default_factory=State)
    faults: list[Fault] = field(default_factory=list)
    deeds: dict[str, dict[str, int]] = field(
        default_factory=lambda: {side: dict.fromkeys(DEEDS, 0) for side in SIDES}
    )
    revealed: list[str] = field(default_factory=list)
    """The cards turned up, in order."""
    bought: list[str] = field(default_factory=list)
    causes: dict[str, int] = field(default_factory=dict)
    """How many events each rule or clause brought about, or changed a number in."""
    index: Index = field(init=False)
    thrown: Thrown = field(default_factory=Thrown)

    def __post_init__(self) -> None:
        """Index the table."""
        self.index = Index(self.state.position)

    def missing(self) -> list[str]:
        """Return what a side never did, as "side: deed"."""
        return [f"{side}: {deed}" for side in SIDES for deed in DEEDS if not self.deeds[side][deed]]


def inspect(events: Iterable[ev.Event], parameters: Parameters) -> Inspection:
    """Return what a log shows, checked event by event."""
    found = Inspection()
    for event in events:
        apply(found.state, event)
        _note(found, event)
        found.faults += faults_after(found.index, found.state, event, parameters)
        if isinstance(event, ev.Rolled):
            found.faults += [Fault(event.n, "dice", text) for text in found.thrown.faults(event)]
    return found


def faults_after(index: Index, state: State, event: ev.Event, parameters: Parameters) -> list[Fault]:
    """Return what is wrong on the table after an event.

    Models that were moved may overlap others or leave the board; as a turn ends, units may be out of
    coherency. The index is that of the state's position.
    """
    if isinstance(event, ev.TurnEnded):
        return [Fault(event.n, "coherency", text) for text in out_of_coherency(state, parameters)]
    rows = [row for row in _moved_rows(event) if state.position.table.on[row]]
    if not rows:
        return []
    return [
        *(Fault(event.n, "overlap", text) for text in overlapping(index, state, rows)),
        *(Fault(event.n, "board", text) for text in off_board(state, rows)),
    ]


def _moved_rows(event: ev.Event) -> tuple[int, ...]:
    if isinstance(event, ev.Placed | ev.Moved | ev.Arrived | ev.Disembarked):
        return tuple(row for row in event.poses if row >= 0)
    return (event.model,) if isinstance(event, ev.Returned) else ()


def overlapping(index: Index, state: State, rows: Iterable[int]) -> list[str]:
    """Return which of these models stand on another model. Rule: CORE.MOVE.4"""
    table = state.position.table
    found = []
    for row in rows:
        (x, y), reach = table.xy[row].tolist(), table.base[row].radius
        standing = np.array(index.models_about((x - reach, y - reach, x + reach, y + reach)), dtype=np.intp)
        apart = clearances(table.outlines((row,)), table.outlines(standing))[0]
        lift = np.abs(table.z[standing] - table.z[row])
        room = np.where(table.z[standing] > table.z[row], table.height[row], table.height[standing])
        bad = (apart < -TOLERANCE) & (lift < room - TOLERANCE)
        found += [
            f"{_named(state, row)} overlaps {_named(state, int(other))}"
            for other in standing[bad]
            if other != row
        ]
    return found


def off_board(state: State, rows: Iterable[int]) -> list[str]:
    """Return which of these models stand over the board's edge. Rule: CORE.MOVE.4"""
    board, rows = grid(state.position.board.bounds, 1, 1)[0], list(rows)
    on = base_within(board, state.position.table.outlines(rows))
    off = [row for row, inside in zip(rows, on, strict=True) if not inside]
    places = {row: state.position.table.xy[row] for row in off}
    return [f"{_named(state, row)} leaves the board at {x:.3f}, {y:.3f}" for row, (x, y) in places.items()]


def out_of_coherency(state: State, parameters: Parameters) -> list[str]:
    """Return which units on the table are not one coherent group. Rule: CORE.COH.1"""
    table = state.position.table
    return [
        f"{unit.id} is out of coherency"
        for unit in state.position.on_table()
        if unit.rows
        and not is_coherent(table.outlines(unit.rows), table.z[list(unit.rows)], parameters.spacing)
    ]


def _named(state: State, row: int) -> str:
    return f"model {row} of {state.position.models[row].unit}"


def _note(found: Inspection, event: ev.Event) -> None:
    for deed, unit in _deeds(found.state, event):
        found.deeds[unit.side][deed] += 1
    if isinstance(event, ev.CardRevealed):
        found.revealed.append(event.card)
    elif isinstance(event, ev.Purchased):
        found.bought.append(event.rule)
    for cause in dict.fromkeys(_causes(event)):
        found.causes[cause] = found.causes.get(cause, 0) + 1


def _deeds(state: State, event: ev.Event) -> Iterator[tuple[str, Unit]]:
    """Yield what a unit did in this event; a charge counts where its dice were rolled."""
    if isinstance(event, ev.Moved) and event.kind_of_move in MOVES:
        yield "moved", state.position.units[event.unit]
    elif isinstance(event, ev.Targeted) and event.shots:
        yield "fought" if event.melee else "shot", state.position.units[event.unit]
    elif isinstance(event, ev.Rolled) and event.roll == "charge" and event.unit:
        yield "charged", state.position.units[event.unit]


def _causes(event: ev.Event) -> Iterator[str]:
    if event.cause:
        yield event.cause
    trails = event.trails if isinstance(event, ev.Attacked) else ()
    if isinstance(event, ev.Rolled | ev.Damaged) and event.trail is not None:
        trails = (event.trail,)
    if isinstance(event, ev.SpawnRolled):
        trails = (event.trail,)
    for trail in trails:
        yield from (rule for rule, _ in trail.steps)
