"""A summary that is open, and what the board marks of its turn: ways, losses, markers."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.state import State
from viewer.story.aftermath import trails
from viewer.story.name import inches, objective_name, short_name, unit_name
from viewer.story.turn_summary import TurnSummary
from viewer.story.turns import Turn
from viewer.window.playback import Playback
from viewer.window.scene import Told


@dataclass(frozen=True, slots=True)
class OpenSummary:
    """A summary that is shown: its turn, what it says, and whither to go back."""

    turn: Turn
    summary: TurnSummary
    state: State
    """The battle as the turn ended."""
    back: int | None
    """The moment to go back to, None where the battle goes on from the turn's end."""
    playing: bool


def marks_of(playback: Playback, opened: OpenSummary) -> Told:
    """Return the trails, notes and plates of the turn that is summed up."""
    chronicle, turn, state = playback.chronicle, opened.turn, opened.state
    assert turn.end is not None
    ways = trails(chronicle.entries, chronicle.starts, turn.first, turn.end)
    gone: dict[str, float] = {}
    for way in ways:
        gone[way.unit] = gone.get(way.unit, 0.0) + way.inches
    notes = {unit: f"moved {inches(far)}" for unit, far in gone.items()}
    plates: list[tuple[str, str, tuple[float, float]]] = []
    fallen = chronicle.fallen.between(turn.first, turn.end)
    for line in (*opened.summary.lost, *opened.summary.it_lost):
        unit = state.position.units[line.unit]
        notes[line.unit] = f"−{line.wounds}" if line.wounds else f"−{line.models}"
        spots = [fall.at for fall in fallen if fall.unit == line.unit]
        if not unit.rows and spots:
            number = f" {len(spots)}" if len(spots) > 1 else ""
            name = short_name(unit_name(state, line.unit))
            plates.append((f"{name} lost{number}", unit.side, spots[-1]))
    for each in opened.summary.table:
        objective = state.position.objectives.get(each.thing)
        if objective is not None:
            name = objective_name(each.thing)
            plates.append((f"{name[:1].upper()}{name[1:]}: {each.note}", each.side, objective.at))
    return Told(tuple(ways), tuple(notes.items()), tuple(plates))
