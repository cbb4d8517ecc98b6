"""The verbs of Stratagems: rolls made again, and what a unit does out of its turn.

The verbs of every day, and the list itself, are `engine.effect.verb`'s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.effect.names import BESTOWED
from engine.effect.verb import Act, verb
from engine.ruleset import Steps
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


@verb
def shoot_with(act: Act, unit: Unit, target: Unit) -> Steps[None]:
    """Let a unit shoot at one enemy, out of its turn. Rule: CORE.STR.8."""
    from engine.steps import shooting

    yield from shooting.shoot(act.game, unit, target)


@verb
def charge_with(act: Act, unit: Unit, target: Unit) -> Steps[None]:
    """Let a unit charge one enemy, out of its turn. Rule: CORE.STR.11."""
    from engine.steps import charge

    yield from charge.charge_at(act.game, unit, (target.id,))


@verb
def arrive(act: Act, unit: Unit) -> Steps[None]:
    """Bring a unit on from reserves, out of its turn. Rule: CORE.STR.7."""
    from engine.steps import reserves

    yield from reserves.arrive(act.game, unit)


@verb
def fight_next(act: Act, unit: Unit) -> None:
    """Let a unit fight next, out of order. Rule: CORE.STR.2."""
    from engine.steps import activation, fight

    activation.note(act.game, fight.CALLED_UP, unit.id, "phase")


@verb
def wounds_by_dice(act: Act, unit: Unit, dice: int, need: int, most: int) -> Steps[None]:
    """Roll so many D6: each that is high enough inflicts a mortal wound, up to a number.

    Rule: CORE.STR.5, CORE.STR.6.
    """
    from engine.steps import damage

    rolled = act.game.roll("mortal-wounds", dice, unit=act.by, target=unit.id, need=need, cause=act.cause)
    count = min(most, sum(die >= need for die in rolled))
    yield from damage.mortal_wounds(act.game, unit, count, by=act.by, credit=act.credit, cause=act.cause)


@verb
def name_grenadier(act: Act, unit: Unit, target: Unit, inches: float) -> Steps[None]:
    """Single out the model that throws grenades at an enemy. Rule: CORE.STR.5."""
    from engine.steps import champion

    models = champion.throwers(act.game, unit, target, inches)
    yield from champion.single_out(act.game, unit, models, "grenadier", act.cause)


@verb
def name_champion(act: Act, unit: Unit) -> Steps[None]:
    """Single out the CHARACTER that challenges an enemy leader. Rule: CORE.STR.3."""
    from engine.steps import champion

    models = champion.with_keyword(act.game, unit, "CHARACTER")
    yield from champion.single_out(act.game, unit, models, "champion", act.cause)


@verb
def move_up_to(act: Act, unit: Unit, inches: str | int) -> Steps[None]:
    """Let a unit make a Normal move of up to so many inches, out of its turn; they may be rolled."""
    from engine.steps import movement
    from engine.steps.amount import roll_amount

    far = roll_amount(act.game, str(inches), "move", unit=unit.id, cause=act.cause)
    yield from movement.move_up_to(act.game, unit, far, act.cause)
