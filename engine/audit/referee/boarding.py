"""Whether a unit that went aboard a transport may ride in it, and whether there was room.

Recounts keywords and room from the log alone. How near it stood is not judged.
"""

from __future__ import annotations

from collections.abc import Iterator

from datasheets.hold import may_ride, room
from engine.audit.referee.scene import Disagreement, Scene
from engine.core import event as ev
from engine.core.facts import TransportFacts, UnitFacts
from engine.core.state import Unit


def faults_of_boarding(scene: Scene, event: ev.Embarked) -> list[Disagreement]:
    """Return what is wrong with going aboard. Rule: CORE.TRN.1, SPAWN.4"""
    units = scene.state.position.units
    scene.checked["boardings"] += 1
    found = _faults(scene, event.facts or units[event.unit].facts, units[event.transport])
    return [Disagreement(event.n, "boarding", event.unit, stored, told) for stored, told in found]


def _faults(scene: Scene, facts: UnitFacts, transport: Unit) -> Iterator[tuple[str, str]]:
    stored = f"it rides in {transport.id}"
    if transport.hold is None:
        yield stored, "nobody may"
        return
    if transport.side != facts.side:
        yield stored, "the other side's"
    shut = [part.name for part in facts.parts if not may_ride(transport.hold, part.has)]
    if shut:
        yield stored, f"{' and '.join(shut)} may not"
    aboard = [u.facts for u in scene.state.position.units.values() if u.transport == transport.id]
    taken = sum(_room(scene, transport.hold, each) for each in (*aboard, facts))
    if taken > transport.hold.capacity:
        yield f"{transport.hold.capacity} models ride in {transport.id}", f"it carries {taken}"


def _room(scene: Scene, hold: TransportFacts, facts: UnitFacts) -> int:
    """Return the room that a unit's living models take; all of them of a unit that is new."""
    units = scene.state.position.units
    rows = units[facts.id].rows if facts.id in units else [model.row for model in facts.models]
    parts = {model.row: facts.parts[model.part] for model in facts.models}
    return sum(room(hold, parts[row]) for row in rows)
