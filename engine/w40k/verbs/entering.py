"""The verbs by which units come onto the battlefield out of the ordinary.

They are added to an army, arrive beside something, get out as their transport is set up, or are set up anew.
How units arrive from reserves is `engine.w40k.phase.reserves`'s.
"""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from engine.core import event as ev
from engine.core.facts import UnitFacts
from engine.core.request import BESIDE, Place, Places, Steps
from engine.core.state import Marker, Unit
from engine.records.language import Act, verb
from engine.w40k.activation.amount import roll_amount
from engine.w40k.activation.stratagem import offer
from engine.w40k.activation.transport import AFTER, BEFORE, get_out, way_out
from engine.w40k.activation.unit_choice import mark
from engine.w40k.battle import Battle
from engine.w40k.boarding import passengers
from engine.w40k.ground.beside import areas_about
from engine.w40k.legality.free_place import all_beside
from engine.w40k.muster import horde_part, muster, trimmed, with_bare_hands
from engine.w40k.phase import deploy, reserves
from engine.w40k.phase.arrival import distances
from geometry.shape.convex_shape import Outlines

AGAINST = "set-up-against"
"""The mark, for the phase, that names the enemy that a unit may engage as it is set up."""


@verb()
def add_unit(
    battle: Battle,
    act: Act,
    beside: Unit,
    sheet: str,
    models: str | int,
    inches: float,
    apart: float,
    wholly: bool = True,
    foe: Unit | None = None,
) -> Steps[None]:
    """Add a unit of a number of models to the army of another, and set it up beside that.

    It is set up wholly within a distance in inches, or only within. It keeps more than `apart` inches from
    enemies, but for a foe that it may engage. It costs no points. Without a place for all of it none comes.
    Rule: R.A110
    """
    if beside.where != "table" or not beside.rows:
        return
    count = roll_amount(battle, str(models), "added-models", unit=beside.id, cause=act.cause)
    facts = _added(battle, beside, sheet, count)
    battle.log(ev.Reserved(unit=facts.id, facts=facts, how="muster"), act.cause)
    deploy.name_unmodelled(battle, facts)
    unit = battle.state.position.units[facts.id]
    if foe is not None:
        mark(battle, unit, AGAINST, foe.id, "phase", act.cause)
    met = {foe.id: 0.0} if foe is not None else {}
    far = float(inches) if wholly else inches + _width(unit)
    answer = yield _place(battle, act, unit, beside, far, float(apart), met)
    assert isinstance(answer, Places)
    if not answer.poses:
        # It never was in the battle: nothing happens as its models go.
        for row in unit.rows:
            battle.log(ev.Destroyed(unit=unit.id, model=row), act.cause)
        battle.log(ev.UnitDestroyed(unit=unit.id), act.cause)
        return
    yield from battle.happen(ev.Placed(unit=unit.id, poses=answer.poses), act.cause)
    # What has just been set up does not move again in the phase. Rule: CORE.RES.3
    mark(battle, unit, "arrived", "added", "turn", act.cause)
    mark(battle, unit, "moved", "normal", "turn", act.cause)
    yield from offer(battle, "set-up", unit)


def _added(battle: Battle, beside: Unit, sheet: str, count: int) -> UnitFacts:
    """Return the facts of a unit that is added to another's army, for no points."""
    name = sheet.rsplit("/", 1)[-1]
    facts = muster(
        battle.state.position.next_id(f"{beside.player}/{name}"),
        [horde_part(battle.library, sheet, count)],
        side=beside.side,
        player=beside.player,
        first_row=len(battle.state.position.models),
        rules=battle.rulebook.of_datasheets,
    )
    facts = trimmed(facts, count)
    facts = replace(facts, parts=tuple(replace(part, points=0) for part in facts.parts))
    return with_bare_hands(facts, battle.ruling("fight.bare_hands"))


def _width(unit: Unit) -> float:
    """Return the shortest side of the unit's bases, in inches.

    What lies wholly within a distance and this side lies within the distance; of a round base the converse
    holds as well.
    """
    return min(min(model.base.length, model.base.width) for model in unit.facts.models)


def _place(
    battle: Battle,
    act: Act,
    unit: Unit,
    thing: Unit | Marker,
    far: float,
    apart: float,
    met: dict[str, float],
) -> Place:
    """Return the question where a unit is set up wholly within a distance of a unit or marker."""
    if isinstance(thing, Marker):
        hulls = Outlines(np.array([thing.at]), np.array([battle.ruleset.parameters.marker_radius]))
    else:
        hulls = battle.field.outlines(thing.rows)
    return Place(
        seats=(unit.player,),
        rule=act.cause,
        decision="arrive",
        prompt=f"Where is {unit.name} set up?",
        unit=unit.id,
        kind=BESIDE,
        rows=unit.rows,
        areas=areas_about(hulls, far),
        clear=apart,
        apart=met,
        beside=thing.id,
        within=far,
        optional=True,
    )


@verb()
def arrive_beside(
    battle: Battle, act: Act, unit: Unit, thing: Unit | Marker, inches: float, apart: float
) -> Steps[None]:
    """Bring a unit on from reserves within a distance of something, and `apart` from enemies."""
    if unit.where != "reserves" or not unit.rows or (isinstance(thing, Unit) and not thing.rows):
        return
    met = distances(battle, unit, float(apart))
    answer = yield _place(battle, act, unit, thing, inches + _width(unit), float(apart), met)
    assert isinstance(answer, Places)
    if answer.poses:
        yield from reserves.enter(battle, unit, answer.poses, BESIDE)


@verb()
def put_out(battle: Battle, act: Act, transport: Unit, apart: float) -> Steps[None]:
    """Let all that rides in a transport get out at once, more than a distance from enemies.

    A unit that finds no place stays aboard. Rule: CORE.TRN.2, R.A114
    """
    for unit in passengers(battle.state.position, transport.id):
        prompt = f"Where does {unit.name} get out of {transport.name}?"
        asked = replace(way_out(battle, unit, transport, prompt), rule=act.cause, clear=float(apart))
        # Where models set up one by one all fit, it gets out; else its player may still know how.
        fits = all_beside(battle.field, asked, {}, asked.areas) is not None
        answer = yield replace(asked, optional=not fits)
        assert isinstance(answer, Places)
        if answer.poses:
            # What spawns has not moved yet when its side's turn begins.
            when = AFTER if battle.state.turn else BEFORE
            yield from get_out(battle, unit, transport, answer.poses, when, act.cause)


@verb()
def redeploy(battle: Battle, act: Act, units: tuple[Unit, ...] | Unit) -> Steps[None]:
    """Set up units anew before the battle, on the battlefield or in reserves. Rule: R.A111"""
    for unit in units if isinstance(units, tuple) else (units,):
        yield from deploy.redeploy(battle, unit, act.cause)
