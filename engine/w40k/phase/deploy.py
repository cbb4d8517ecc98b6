"""Setting up the players' units before the battle: on the battlefield or in reserves."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import shapely

from engine.core import event as ev
from engine.core.facts import Ring, UnitFacts
from engine.core.request import Choose, Chosen, Option, Place, Places, Steps
from engine.core.state import State, Unit
from engine.records.clauses import Active
from engine.w40k.attack.damage import lose_the_unplaced
from engine.w40k.flight import can_hover, choose_hover, is_in_the_air
from geometry.portable import way_at
from geometry.shape.constructed import outlines
from geometry.tolerance import TOLERANCE

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

ROUND = 256
"""The number of corners that draw a quarter of a circle round a corner of a zone."""


def deploy(battle: Battle) -> Steps[bool]:
    """Set up one of the players' units. Rule: SETUP.5, CORE.RES.8, CORE.AIR.1"""
    waiting = [facts for facts in battle.mustered if facts.id not in battle.state.position.units]
    if not waiting:
        yield from battle.fire("deployed", None)
        return False
    facts = waiting[0]
    player = facts.player
    if facts.embarked_in:
        event = ev.Embarked(unit=facts.id, transport=facts.embarked_in, facts=facts)
        yield from battle.happen(event, "SETUP.5")
        name_unmodelled(battle, facts)
        return True
    facts = yield from choose_hover(battle, facts)
    if is_in_the_air(facts):
        battle.log(ev.Reserved(unit=facts.id, facts=facts, how="strategic"), "CORE.AIR.1")
        name_unmodelled(battle, facts)
        return True
    if not may(battle, facts, "begin-on-battlefield"):
        battle.log(ev.Reserved(unit=facts.id, facts=facts, how=_comes_by(facts)), "SETUP.5")
        name_unmodelled(battle, facts)
        return True
    choices = [Option(id="battlefield", label="Set it up on the battlefield")]
    if _may_reserve(battle, facts):
        choices.append(Option(id="reserves", label="Keep it in reserves"))
    answer = yield Choose(
        seats=(player,),
        rule="SETUP.5",
        decision="deploy",
        prompt=f"Where does {facts.name} begin?",
        unit=facts.id,
        options=tuple(choices),
    )
    assert isinstance(answer, Chosen)
    # It enters off the table first, so that the set-up can be asked for by its rows.
    at_once = answer.ids[0] == "battlefield"
    how = "muster" if at_once else _comes_by(facts)
    battle.log(ev.Reserved(unit=facts.id, facts=facts, how=how), "SETUP.5")
    name_unmodelled(battle, facts)
    if at_once:
        yield from _set_up(battle, facts, player)
    return True


def redeploy(battle: Battle, unit: Unit, cause: str) -> Steps[None]:
    """Set a unit up anew before the battle, on the battlefield or in Strategic Reserves.

    However many are in reserves does not matter. Rule: SETUP.5
    """
    answer = yield Choose(
        seats=(unit.player,),
        rule=cause,
        decision="redeploy",
        prompt=f"Where is {unit.name} set up anew?",
        unit=unit.id,
        options=(
            Option(id="battlefield", label="Set it up on the battlefield"),
            Option(id="reserves", label="Put it into Strategic Reserves"),
        ),
    )
    assert isinstance(answer, Chosen)
    at_once = answer.ids[0] == "battlefield"
    yield from battle.happen(ev.Reserved(unit=unit.id, how="muster" if at_once else "strategic"), cause)
    if at_once:
        yield from _set_up(battle, unit.facts, unit.player)


def _set_up(battle: Battle, facts: UnitFacts, player: str) -> Steps[None]:
    """Ask where a unit is set up; models for which there is no room are destroyed.

    Rule: CORE.RES.8
    """
    infiltrates = bool(battle.query.has_ability(battle.state.position.units[facts.id], "infiltrators"))
    zone = next(z.polygon for z in battle.state.position.zones.values() if z.kind == "defender")
    where = "in the Defender's deployment zone"
    if infiltrates:
        where = 'more than 9" from the enemy and its deployment zone'
    unit, areas = battle.state.position.units[facts.id], infiltration(battle) if infiltrates else (zone,)
    answer = yield Place(
        seats=(player,),
        rule="CORE.RES.6" if infiltrates else "SETUP.5",
        decision="place",
        prompt=f"Set up {facts.name} {where}. What finds no place is destroyed.",
        unit=facts.id,
        kind="deploy",
        rows=unit.rows,
        areas=areas,
        partly=True,
    )
    assert isinstance(answer, Places)
    if answer.poses:
        yield from battle.happen(ev.Placed(unit=facts.id, poses=answer.poses), "SETUP.5")
    yield from lose_the_unplaced(battle, unit, cause="CORE.RES.8")


def infiltration(battle: Battle) -> tuple[Ring, ...]:
    """Return where Infiltrators may be set up: more than 9" from the Horde's deployment zone.

    Rule: CORE.RES.6
    """
    allowed = shapely.box(*battle.state.position.board.bounds)
    # "More than" is strict, while a base may touch the border of an area.
    far = battle.ruleset.parameters.deep_strike + 2 * TOLERANCE
    # The corners of the rounded border lie beyond the arc, so that nothing of it is too near.
    far /= way_at(math.pi / (4 * ROUND))[0]
    for zone in battle.state.position.zones.values():
        if zone.kind == "horde":
            allowed = allowed.difference(shapely.Polygon(zone.polygon).buffer(far, quad_segs=ROUND))
    return outlines(allowed)


def name_unmodelled(battle: Battle, facts: UnitFacts) -> None:
    """Name in the log everything of a new unit that is not simulated."""
    for part in facts.parts:
        for name in part.unmodelled:
            event = ev.Unmodelled(rule=name, reason="this ability is not simulated yet", unit=facts.id)
            battle.log(event, part.datasheet)


def deep_strikes(facts: UnitFacts) -> bool:
    """Return whether every model of the unit has Deep Strike. Rule: CORE.RES.5, SP.R14."""
    return all("deep strike" in part.abilities for part in facts.parts)


def _comes_by(facts: UnitFacts) -> str:
    return "deep-strike" if deep_strikes(facts) else "strategic"


def may(battle: Battle, facts: UnitFacts, question: str) -> bool:
    """Return whether no rule of a unit that has still to be set up forbids something."""
    unit = Unit(facts, tuple(model.row for model in facts.models))
    for place, part in enumerate(facts.parts):
        for name in part.rules:
            names = {"bearer": unit, "owner": facts.player, "own_part": place}
            active = Active(battle.rulebook.compiled(name), names)
            for verdict in active.compiled.verdicts:
                asked = verdict.question == question and not verdict.yes
                if asked and battle.query.holds(verdict.condition, {"unit": unit}, active):
                    return False
    return True


def _may_reserve(battle: Battle, facts: UnitFacts) -> bool:
    """Return whether the player's reserves stay within their share with this unit.

    AIRCRAFT that are still to be set up count already. Rule: SETUP.5, CORE.RES.1, CORE.AIR.1
    """
    mine = [f for f in battle.mustered if f.player == facts.player]
    counted = [f for f in mine if _counts(battle, f)]
    bound = {f.id for f in mine if f.id not in battle.state.position.units and _is_bound(battle, f)}
    waiting = [f for f in counted if _in_reserves(battle.state, f.embarked_in or f.id)]
    waiting += [f for f in counted if (f.embarked_in or f.id) in bound]
    kept = sum(f.points for f in waiting)
    coming = sum(f.points for f in mine if facts.id in (f.id, f.embarked_in))
    limit = battle.ruleset.parameters.reserves_share * sum(f.points for f in mine)
    fortification = any("FORTIFICATION" in part.keywords for part in facts.parts)
    return not fortification and kept + coming <= limit


def _is_bound(battle: Battle, facts: UnitFacts) -> bool:
    """Return whether a unit that has still to be set up can only come from reserves."""
    in_the_air = is_in_the_air(facts) and not can_hover(facts)
    return in_the_air or not may(battle, facts, "begin-on-battlefield")


def _counts(battle: Battle, facts: UnitFacts) -> bool:
    """Return whether a unit counts for its player's share of reserves: some transports do not.

    Rule: SETUP.5
    """
    carrier = next((f for f in battle.mustered if f.id == facts.embarked_in), facts)
    return may(battle, carrier, "count-in-reserves")


def _in_reserves(state: State, unit: str) -> bool:
    return unit in state.position.units and state.position.units[unit].where == "reserves"
