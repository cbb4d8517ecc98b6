"""The referee's reading of a finished log: every event is measured anew.

Measures rest on the positions that the log stores. Owns the order of things: what is judged before an event
is carried out, and what at the end of a turn. Each kind of event has its judges in one list; a line of
reasons is passed to those that care for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.audit.referee.allowance import Allowance
from engine.audit.referee.arriving import (
    faults_of_arriving,
    faults_of_disembarking,
    faults_of_placing,
    faults_of_returning,
)
from engine.audit.referee.boarding import faults_of_boarding
from engine.audit.referee.conduct import (
    faults_of_conduct,
    faults_of_falling_back,
    faults_of_getting_out,
    faults_of_hurrying,
)
from engine.audit.referee.intent import faults_of_intent
from engine.audit.referee.moving import faults_of_move
from engine.audit.referee.preference import faults_of_preference
from engine.audit.referee.scene import Disagreement, Scene
from engine.audit.referee.spawning import faults_of_spawn_roll
from engine.audit.referee.standing import apart, standing
from engine.audit.referee.targeting import faults_of_deciding, faults_of_targeting
from engine.core import event as ev
from engine.core.log import BecauseLine
from engine.core.state import State

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.records.rulebook import Rulebook
    from engine.w40k.battle import Battle
from engine.w40k.edition import Edition


@dataclass(frozen=True, slots=True)
class Reading:
    """What a log was found to be: where the referee disagrees, and how much was measured."""

    disagreements: tuple[Disagreement, ...]
    checked: dict[str, int]
    """How many paths, ends, placements, shots, lines of sight, … were measured."""


def read(
    lines: Iterable[object],
    ruleset: Edition[Battle],
    rulebook: Rulebook,
    rulings: Mapping[str, str] | None = None,
) -> Reading:
    """Return what the referee makes of a battle's lines, in their order.

    `rulings` are those that the battle plays by, where not by default.
    """
    state = State()
    allowance = Allowance(state, ruleset, rulebook)
    scene = Scene(state, ruleset.parameters, allowance, rulings=rulings or {})
    found: list[Disagreement] = []
    for line in lines:
        for judge in JUDGES.get(type(line), ()):
            found += judge(scene, line)
        if isinstance(line, ev.Event):
            scene.carry_out(line)
    return Reading(tuple(found), dict(sorted(scene.checked.items())))


def _at_end_of_turn(scene: Scene, event: ev.TurnEnded) -> list[Disagreement]:
    """Return which units end a turn out of coherency. Rule: CORE.COH.1, CORE.COH.2"""
    return [
        Disagreement(event.n, "coherency", unit.id, "it ends the turn together", told)
        for unit in scene.state.position.on_table()
        if (told := apart(scene, standing(scene, unit, {})))
    ]


JUDGES: dict[type, tuple[Callable[[Scene, Any], list[Disagreement]], ...]] = {
    ev.Moved: (faults_of_move, faults_of_hurrying),
    ev.Placed: (faults_of_placing,),
    ev.Arrived: (faults_of_arriving,),
    ev.Disembarked: (faults_of_disembarking, faults_of_getting_out),
    ev.Embarked: (faults_of_boarding,),
    ev.Returned: (faults_of_returning,),
    ev.Decided: (faults_of_deciding, faults_of_falling_back),
    ev.Targeted: (faults_of_targeting, faults_of_preference),
    ev.TurnEnded: (_at_end_of_turn,),
    ev.SpawnRolled: (faults_of_spawn_roll,),
    BecauseLine: (faults_of_intent, faults_of_conduct),
}
"""The judges of each kind of line, asked before it is carried out."""
