"""The words of conditions about moves: what a unit may do already, what it moved over.

Each word reads the battle and changes nothing.
"""

from __future__ import annotations

from engine.core.facts import TerrainFacts
from engine.core.state import Unit
from engine.records.context import Context
from engine.records.language import word
from engine.w40k.activation.transport import DISEMBARKED
from engine.w40k.battle import Battle
from engine.w40k.boarding import boards
from engine.w40k.ground.crossing import Journey


@word(looks_up=("this",))
def may_already(battle: Battle, unit: Unit, *questions: str | Context) -> bool:
    """Return whether rules other than the one at hand permit a unit each of these."""
    *asked, context = questions
    assert isinstance(context, Context)
    return all(battle.query.may_apart_from(context["this"], str(each), unit=unit) for each in asked)


@word(clause="DATASHEET.emergency-combat-embarkation")
def could_board(battle: Battle, unit: Unit, transport: Unit) -> bool:
    """Return whether a unit stands near enough to a transport with room. Rule: CORE.TRN.1"""
    if DISEMBARKED in unit.marks or not battle.query.may("be-boarded", unit=transport):
        return False
    return any(each is transport for each in boards(battle.field, unit))


@word(clause="DATASHEET.stalking-forward")
def height(battle: Battle, terrain: TerrainFacts) -> float:
    """Return how high a terrain piece is, in inches."""
    return terrain.height


@word(looks_up=("journey",))
def moved_over(battle: Battle, unit: Unit, context: Context) -> bool:
    """Return whether the move that was just made led over a model of a unit, as seen from above."""
    journey, table = context["journey"], battle.state.position.table
    return isinstance(journey, Journey) and journey.leads_over(table, table.outlines(unit.rows))
