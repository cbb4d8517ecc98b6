"""The Reinforcements step: units arrive from reserves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import shapely

from engine.core import event as ev
from engine.core.facts import Ring
from engine.core.request import Place, Places, Steps
from engine.core.state import Unit
from engine.w40k.activation.unit_choice import Asking, mark, pick
from engine.w40k.boarding import passengers
from engine.w40k.flight import may_arrive
from engine.w40k.phase.arrival import arrival_round, deep_strikes_now, distances
from geometry.measure.region import grid
from geometry.shape.constructed import outlines

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


EVACUATED, RECRUITED = "evacuated", "recruited"
"""The marks of units in reserves that may arrive in any round."""


def whole_board(battle: Battle) -> Ring:
    """Return the battlefield as a polygon."""
    return grid(battle.state.position.board.bounds, 1, 1)[0]


def reinforcements(battle: Battle) -> Steps[bool]:
    """Let the players bring one unit on, or none.

    Rule: CORE.RES.2, CORE.RES.5, BUY.emergency-evac, BUY.reinforcements.
    """
    # Units that were evacuated or bought in this turn come on in it, even in the first round.
    units = [
        u
        for u in battle.state.position.units.values()
        if u.side == "players" and u.where == "reserves" and "declined" not in u.marks and may_come(battle, u)
    ]
    if not units:
        return False
    asking = Asking("CORE.RES.2", "reinforce", "Which unit arrives from reserves?", "None")
    unit = yield from pick(battle, units, "reinforcements", asking)
    if unit is None:
        return False
    yield from arrive(battle, unit)
    return True


def may_come(battle: Battle, unit: Unit) -> bool:
    """Return whether a players' unit may arrive in this round. Rule: CORE.RES.2, CORE.AIR.1"""
    number = arrival_round(battle, unit)
    early = EVACUATED in unit.marks or RECRUITED in unit.marks
    return (number >= 2 or early) and may_arrive(unit, number, battle.state.round)


def arrive(battle: Battle, unit: Unit) -> Steps[None]:
    """Ask where a players' unit arrives, and set it up there. Rule: CORE.RES.2, CORE.RES.5, CORE.STR.7."""
    strikes = deep_strikes_now(battle, unit)
    how = "deep-strike" if strikes else "strategic"
    yield from battle.fire("arriving", None, unit=unit, kind=how)
    near = battle.ruleset.parameters.deep_strike
    answer = yield Place(
        seats=(unit.player,),
        rule="CORE.RES.5" if strikes else "CORE.RES.2",
        decision="arrive",
        prompt=f"Where does {unit.name} arrive?",
        unit=unit.id,
        kind="deep-strike" if strikes else "reserves",
        rows=unit.rows,
        areas=(whole_board(battle),)
        if strikes
        else edge_strips(battle, "horde", arrival_round(battle, unit)),
        clear=near,
        apart=distances(battle, unit, near),
        optional=True,
    )
    assert isinstance(answer, Places)
    if not answer.poses:
        mark(battle, unit, "declined", True, "phase", "CORE.RES.2")
        return
    yield from enter(battle, unit, answer.poses, how)


def enter(battle: Battle, unit: Unit, poses: dict[int, ev.Pose], how: str) -> Steps[None]:
    """Bring a players' unit on from reserves to these poses. Rule: CORE.RES.3"""
    # Its passengers may get out at once.
    riders = passengers(battle.state.position, unit.id)
    yield from battle.happen(ev.Arrived(unit=unit.id, poses=poses, how=how), "CORE.RES.2")
    mark(battle, unit, "arrived", how, "turn", "CORE.RES.3")
    for each in (unit, *riders):
        mark(battle, each, "entered", True, "round", "CORE.RES.3")
    mark(battle, unit, "moved", "normal", "turn", "CORE.RES.3")


def edge_strips(battle: Battle, barred: str, number: int) -> tuple[Ring, ...]:
    """Return where strategic reserves may stand in a round: within 6" of a board edge.

    In the second round the enemy's deployment zone, that of the kind `barred`, is out. Rule: CORE.RES.2.
    """
    left, low, right, high = bounds = battle.state.position.board.bounds
    strip = battle.ruleset.parameters.reserves_edge
    inner = shapely.box(left + strip, low + strip, right - strip, high - strip)
    allowed = shapely.box(*bounds).difference(inner)
    if number < 3:
        for zone in battle.state.position.zones.values():
            if zone.kind == barred:
                allowed = allowed.difference(shapely.Polygon(zone.polygon))
    # Strips with a hole are cut into rings, since an area is one outline.
    halves = tuple(map(shapely.Polygon, grid(bounds, 2, 1)))
    return tuple(ring for half in halves for ring in outlines(allowed.intersection(half)))
