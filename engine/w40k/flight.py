"""How AIRCRAFT come into the battle, move and leave it.

They hover or are in the air; in the air they fly straight on, or off the board. Owns what an aircraft itself
may do. What it is to others is `engine.w40k.ground.aircraft`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import structs

from engine.core import event as ev
from engine.core.facts import BoardFacts, UnitFacts
from engine.core.request import Said, Steps, YesNo
from engine.core.state import Unit
from engine.w40k.ground.aircraft import AIRCRAFT
from engine.w40k.parameters import Parameters
from geometry.portable import norm, radians, way_at
from geometry.tolerance import FACING_TOLERANCE_DEGREES, TOLERANCE

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

HOVER = "hover"
LEAVE = "leave-board"
FLOWN_OFF = "flown-off"
"""The mark of a unit that flew off the board: in which round it did so last."""
Legs = Sequence[Sequence[float]]


# into the battle


def is_in_the_air(facts: UnitFacts) -> bool:
    """Return whether any part of a unit is AIRCRAFT."""
    return any(AIRCRAFT in part.keywords for part in facts.parts)


def can_hover(facts: UnitFacts) -> bool:
    """Return whether all AIRCRAFT of a unit may hover instead. Rule: CORE.ABL.HOVER"""
    planes = [part for part in facts.parts if AIRCRAFT in part.keywords]
    return bool(planes) and all(HOVER in part.abilities for part in planes)


def hovering(facts: UnitFacts, parameters: Parameters) -> UnitFacts:
    """Return a unit as it is when it hovers: with a Move of 20", and no AIRCRAFT.

    Rule: CORE.ABL.HOVER
    """
    planes = {i for i, part in enumerate(facts.parts) if AIRCRAFT in part.keywords}
    move = {"M": int(parameters.hover)}
    return structs.replace(
        facts,
        parts=tuple(structs.replace(part, keywords=part.keywords - {AIRCRAFT}) for part in facts.parts),
        models=tuple(
            structs.replace(m, characteristics={**m.characteristics, **move}) if m.part in planes else m
            for m in facts.models
        ),
    )


def choose_hover(battle: Battle, facts: UnitFacts) -> Steps[UnitFacts]:
    """Ask a unit's owner whether it hovers; return its facts after the answer.

    Rule: CORE.ABL.HOVER
    """
    if not can_hover(facts):
        return facts
    answer = yield YesNo(
        seats=(facts.player,),
        rule="CORE.ABL.HOVER",
        decision=HOVER,
        prompt=f"Does {facts.name} hover? It moves up to {battle.ruleset.parameters.hover:g} inches then, "
        "and is no AIRCRAFT in this battle.",
        unit=facts.id,
    )
    assert isinstance(answer, Said)
    return hovering(facts, battle.ruleset.parameters) if answer.yes else facts


# over the board


def farthest_on(board: BoardFacts) -> float:
    """Return how far AIRCRAFT may fly: from corner to corner of the board.

    Nothing else bounds it. Rule: CORE.AIR.2
    """
    return norm(*board.size)


def faults_of_flight(start: tuple[float, float, float], legs: Legs, parameters: Parameters) -> list[str]:
    """Return what is wrong with a flight from a place and facing.

    An aircraft flies straight ahead, then makes one turn at most. Rule: CORE.AIR.2
    """
    x, y, facing = start
    if not legs or len(legs) > 2 or len(legs[0]) not in (2, 3) or (len(legs) == 2 and len(legs[1]) != 4):
        return ["flies straight forward, and turns once at the end at the most"]
    over, up = legs[0][0] - x, legs[0][1] - y
    along = way_at(radians(facing))
    ahead, aside = over * along[0] + up * along[1], up * along[0] - over * along[1]
    found = [] if abs(aside) <= TOLERANCE and ahead > 0 else ["does not fly straight forward"]
    if ahead < parameters.flight - TOLERANCE:
        found.append(f"flies {ahead:.4f} inches forward, less than {parameters.flight:g}")
    if len(legs) == 2 and abs(turned(facing, legs[1][2])) > parameters.flight_turn + FACING_TOLERANCE_DEGREES:
        found.append(f"turns by more than {parameters.flight_turn:g} degrees")
    return found


def turned(facing: float, other: float) -> float:
    """Return by how many degrees one facing is turned from another, from -180 to 180."""
    return (other - facing + 180.0) % 360.0 - 180.0


def fly_off(battle: Battle, unit: Unit) -> Steps[None]:
    """Put an aircraft that leaves the board, or cannot fly on, into Strategic Reserves.

    Rule: CORE.AIR.2
    """
    gone = ev.Marked(on=f"unit:{unit.id}", key=FLOWN_OFF, value=battle.state.round, until="battle")
    battle.log(gone, "CORE.AIR.2")
    yield from battle.happen(ev.Reserved(unit=unit.id, how="strategic"), "CORE.AIR.2")


def may_arrive(unit: Unit, number: int, now: int) -> bool:
    """Return whether a unit in reserves may arrive, as AIRCRAFT do from the second round on.

    `number` is the round that counts for its arrival, `now` the battle's. Rule: CORE.AIR.1, CORE.AIR.2
    """
    if not unit.has(AIRCRAFT):
        return True
    return number >= 2 and unit.marks.get(FLOWN_OFF) != now
