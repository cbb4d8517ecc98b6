"""The verbs of Stratagems: rolls made again, and what a unit does out of its turn.

The verbs of every day, and the list itself, are `engine.w40k.verbs.effects`'s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.request import Steps
from engine.core.state import Unit
from engine.w40k.numbers import BESTOWED
from engine.w40k.verbs.effects import Act, verb

if TYPE_CHECKING:
    from engine.w40k.activation.throw import Throw


@verb
def bestow(act: Act, unit: Unit, until: str) -> None:
    """Put this rule's own clauses in force on a unit, for a phase or turn."""
    from engine.w40k.activation.unit_choice import mark

    mark(act.battle, unit, f"{BESTOWED}{act.rule.id}", True, until, act.cause)


@verb
def roll_again(act: Act, throw: Throw) -> None:
    """Make the worst of the rolls just made again. Rule: CORE.STR.1, CORE.DICE.1."""
    from engine.w40k.activation import throw as dice

    dice.roll_again(act.battle, throw, act.cause)


@verb
def shoot_with(act: Act, unit: Unit, target: Unit) -> Steps[None]:
    """Let a unit shoot at one enemy, out of its turn. Rule: CORE.STR.8."""
    from engine.w40k.phase import shooting

    yield from shooting.shoot(act.battle, unit, target)


@verb
def charge_with(act: Act, unit: Unit, target: Unit) -> Steps[None]:
    """Let a unit charge one enemy, out of its turn. Rule: CORE.STR.11."""
    from engine.w40k.phase import charge

    yield from charge.charge_at(act.battle, unit, (target.id,))


@verb
def arrive(act: Act, unit: Unit) -> Steps[None]:
    """Bring a unit on from reserves, out of its turn. Rule: CORE.STR.7."""
    from engine.w40k.phase import reserves

    yield from reserves.arrive(act.battle, unit)


@verb
def fight_next(act: Act, unit: Unit) -> None:
    """Let a unit fight next, out of order. Rule: CORE.STR.2."""
    from engine.w40k.activation import unit_choice
    from engine.w40k.phase import fight

    unit_choice.note(act.battle, fight.CALLED_UP, unit.id, "phase")


@verb
def wounds_by_dice(act: Act, unit: Unit, dice: int, need: int, most: int) -> Steps[None]:
    """Roll so many D6: each that is high enough inflicts a mortal wound, up to a number.

    Rule: CORE.STR.5, CORE.STR.6.
    """
    from engine.w40k.attack import damage

    rolled = act.battle.roll("mortal-wounds", dice, unit=act.by, target=unit.id, need=need, cause=act.cause)
    count = min(most, sum(die >= need for die in rolled))
    yield from damage.mortal_wounds(act.battle, unit, count, by=act.by, credit=act.credit, cause=act.cause)


@verb
def name_grenadier(act: Act, unit: Unit, target: Unit, inches: float) -> Steps[None]:
    """Single out the model that throws grenades at an enemy. Rule: CORE.STR.5."""
    from engine.w40k.activation import champion

    models = champion.throwers(act.battle, unit, target, inches)
    yield from champion.single_out(act.battle, unit, models, "grenadier", act.cause)


@verb
def name_champion(act: Act, unit: Unit) -> Steps[None]:
    """Single out the CHARACTER that challenges an enemy leader. Rule: CORE.STR.3."""
    from engine.w40k.activation import champion

    models = champion.with_keyword(act.battle, unit, "CHARACTER")
    yield from champion.single_out(act.battle, unit, models, "champion", act.cause)


@verb
def move_up_to(act: Act, unit: Unit, inches: str | int) -> Steps[None]:
    """Let a unit make a Normal move of up to so many inches, out of its turn; they may be rolled."""
    from engine.w40k.activation.amount import roll_amount
    from engine.w40k.phase import movement

    far = roll_amount(act.battle, str(inches), "move", unit=unit.id, cause=act.cause)
    yield from movement.move_up_to(act.battle, unit, far, act.cause)
