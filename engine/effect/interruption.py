"""The verbs of Stratagems: rolls made again, and what a unit does out of its turn.

The verbs of every day, and the list itself, are `engine.effect.verb`'s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.effect.names import BESTOWED
from engine.effect.verb import Act, verb
from engine.state import Unit

if TYPE_CHECKING:
    from engine.steps.throw import Throw


@verb
def bestow(act: Act, unit: Unit, until: str) -> None:
    """Put this rule's own clauses in force on a unit, for a phase or turn."""
    from engine.steps.activation import mark

    mark(act.game, unit, f"{BESTOWED}{act.rule.id}", True, until, act.cause)


@verb
def roll_again(act: Act, throw: Throw) -> None:
    """Make the worst of the rolls just made again. Rule: CORE.STR.1, CORE.DICE.1."""
    from engine.steps import throw as dice

    dice.roll_again(act.game, throw, act.cause)
