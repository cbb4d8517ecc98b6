"""Embarking and disembarking: which unit gets into or out of a transport, and when.

What becomes of the passengers of a transport that is destroyed is `engine.w40k.attack.damage`'s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.core import event as ev
from engine.core.facts import HORDE
from engine.core.request import EMERGENCY, Choose, Chosen, Option, Place, Places, Steps
from engine.core.state import Unit
from engine.w40k.activation.stratagem import offer
from engine.w40k.activation.unit_choice import mark
from engine.w40k.boarding import boards, passengers
from engine.w40k.ground.beside import areas_about, lies_within

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

DISEMBARKED = "disembarked"
"""The mark, for the turn, of a unit that got out of a transport.

It got out before or after the transport moved, or out of its wreck.
"""
BEFORE, AFTER, WRECK = "before", "after", "wreck"
LEFT = "disembarked-from"
"""The mark, for the turn, that names the transport from which a unit got out."""
EMBARKED = "embarked"
"""The mark, for the phase, of a unit that got in."""
STAY_OUT = "stay-out"


def embark(battle: Battle, unit: Unit) -> Steps[None]:
    """Offer a unit that has moved a transport to get into. Rule: CORE.TRN.1"""
    # No clause of the Horde's sends a unit aboard.
    if unit.side == HORDE or DISEMBARKED in unit.marks or not unit.rows:
        return
    near = [each for each in boards(battle.field, unit) if battle.query.may("be-boarded", unit=each)]
    if not near:
        return
    answer = yield Choose(
        seats=(unit.player,),
        rule="CORE.TRN.1",
        decision="embark",
        prompt=f"Does {unit.name} embark?",
        unit=unit.id,
        options=(
            Option(id=STAY_OUT, label="Stay out"),
            *(Option(id=each.id, label=f"Embark in {each.name}") for each in near),
        ),
    )
    assert isinstance(answer, Chosen)
    if answer.ids[0] != STAY_OUT:
        yield from get_in(battle, unit, answer.ids[0], "CORE.TRN.1")


def get_in(battle: Battle, unit: Unit, transport: str, cause: str) -> Steps[None]:
    """Have a unit embark in a transport, by its id, for the phase. Rule: CORE.TRN.1"""
    yield from battle.happen(ev.Embarked(unit=unit.id, transport=transport), cause)
    mark(battle, unit, EMBARKED, True, "phase", cause)


def disembark(battle: Battle, transport: Unit, when: str) -> Steps[None]:
    """Ask whether each unit in a transport gets out, before or after the transport moves.

    Rule: CORE.TRN.2
    """
    for unit in passengers(battle.state.position, transport.id):
        if EMBARKED not in unit.marks:
            yield from _get_out(battle, unit, transport, when)


def _get_out(battle: Battle, unit: Unit, transport: Unit, when: str) -> Steps[None]:
    prompt = f"Does {unit.name} disembark {when} {transport.name} moves?"
    answer = yield way_out(battle, unit, transport, prompt)
    assert isinstance(answer, Places)
    if answer.poses:
        yield from get_out(battle, unit, transport, answer.poses, when)


def way_out(battle: Battle, unit: Unit, transport: Unit, prompt: str) -> Place:
    """Return the question where a unit gets out of a transport, if it does. Rule: CORE.TRN.2"""
    parameters = battle.ruleset.parameters
    return Place(
        seats=(unit.player,),
        rule="CORE.TRN.2",
        decision="disembark",
        prompt=prompt,
        unit=unit.id,
        kind="disembark",
        rows=unit.rows,
        areas=areas_about(battle.field.outlines(transport.rows), parameters.boarding),
        clear=parameters.engagement,
        beside=transport.id,
        within=parameters.boarding,
        optional=True,
    )


def get_out(
    battle: Battle,
    unit: Unit,
    transport: Unit,
    poses: dict[int, ev.Pose],
    when: str,
    cause: str = "CORE.TRN.2",
) -> Steps[None]:
    """Set a unit up at these poses that gets out of a transport, by choice or as a rule says.

    Rule: CORE.TRN.2
    """
    yield from battle.happen(ev.Disembarked(unit=unit.id, transport=transport.id, poses=poses), cause)
    mark(battle, unit, DISEMBARKED, when, "turn", "CORE.TRN.2")
    mark(battle, unit, LEFT, transport.id, "turn", "CORE.TRN.2")
    mark(battle, unit, "moved", "normal", "turn", "CORE.TRN.2")
    if when == AFTER:
        mark(battle, unit, "selected:movement", True, "phase", "CORE.TRN.2")
    yield from offer(battle, "set-up", unit)


def abandon(battle: Battle, unit: Unit, transport: Unit) -> Steps[int]:
    """Set up a unit that rode in a transport that is destroyed.

    Return on which rolls, for each model set up, it suffers: on a 1, or on 1 to 3 where not all get out near
    the wreck. What finds no place is not set up. Rule: CORE.TRN.3, CORE.TRN.4
    """
    parameters, table = battle.ruleset.parameters, battle.state.position.table
    hulls = table.outlines([model.row for model in transport.facts.models])
    answer = yield Place(
        seats=(unit.player,),
        rule="CORE.TRN.3",
        decision="disembark",
        prompt=f"{unit.name} gets out of the wreck of {transport.name}.",
        unit=unit.id,
        kind=EMERGENCY,
        rows=unit.rows,
        areas=areas_about(hulls, parameters.emergency),
        clear=parameters.engagement,
        beside=transport.id,
        within=parameters.emergency,
        partly=True,
    )
    assert isinstance(answer, Places)
    rows, poses = list(answer.poses), np.array(list(answer.poses.values())).reshape(-1, 4)
    near = bool(rows) and all(
        lies_within(table.outlines(rows, poses[:, :2], poses[:, 3]), hulls, parameters.boarding)
    )
    fits = near and len(rows) == len(unit.rows)
    clause = "CORE.TRN.3" if fits else "CORE.TRN.4"
    if answer.poses:
        event = ev.Disembarked(unit=unit.id, transport=transport.id, poses=answer.poses)
        yield from battle.happen(event, clause)
        mark(battle, unit, DISEMBARKED, WRECK, "turn", clause)
        mark(battle, unit, "moved", "normal", "turn", clause)
    return 1 if fits else 3
