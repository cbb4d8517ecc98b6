"""The verbs of Stratagems: rolls made again, and what a unit does out of its turn.

The verbs of every day are `engine.w40k.verbs.effects`'s.
"""

from __future__ import annotations

from engine.core.marks import BESTOWED, GIVEN_BY, lasting
from engine.core.request import Steps
from engine.core.state import Unit
from engine.records.language import Act, verb
from engine.w40k.activation import champion, unit_choice
from engine.w40k.activation.amount import roll_amount
from engine.w40k.activation.throw import Throw, agree, offer_own, pick_roll, set_to
from engine.w40k.activation.throw import roll_again as roll_at_again
from engine.w40k.activation.transport import get_in
from engine.w40k.attack import damage
from engine.w40k.attack.outcome import own_rows
from engine.w40k.battle import Battle
from engine.w40k.phase import charge, fight, movement, reserves, shooting
from engine.w40k.phase import surge as surging


@verb(span_at=1)
def bestow(battle: Battle, act: Act, unit: Unit, until: str, record: str = "") -> None:
    """Put a rule in force on a unit for a while: a state, or this rule's own clauses.

    A state is a rule with that tag. It counts once, however many bestow it, and outlives the unit that did;
    a condition may name that unit as its `giver`, and then holds where it does for any of them. It lasts for
    a phase, turn, round or the battle, until the end of the turn after this one ("next turn"), or until the
    start of its owner's next turn or phase ("own turn", "own movement").
    """
    giver = act.by if act.by not in ("", unit.id) else ""
    key = f"{BESTOWED}{record or act.rule.id}"
    if giver and battle.rulebook.compiled(record or act.rule.id).names_giver:
        key += f"{GIVEN_BY}{giver}"
    unit_choice.mark(battle, unit, key, giver or True, lasting(until, act.side), act.cause)


@verb(clause="CORE.STR.1")
def roll_again(battle: Battle, act: Act, throw: Throw) -> Steps[None]:
    """Make one of the rolls just made again, as its player picks. Rule: CORE.STR.1, CORE.DICE.1."""
    place = yield from pick_roll(battle, throw, act.cause)
    roll_at_again(battle, throw, place, act.cause)


@verb(writes="throw", span_at=2)
def may_better(
    battle: Battle, act: Act, throw: Throw, key: str, until: str, face: int | None = None
) -> Steps[None]:
    """Ask whether the worst roll just made is made again, or becomes this unmodified face.

    Its unit is marked where it does. Rule: CORE.DICE.1.
    """
    kind, place = throw.roll.replace("-", " "), throw.worst()
    if place is None:
        return
    if face is None:
        done = yield from offer_own(battle, throw, True, kind, act.cause)
    else:
        done = yield from agree(throw, f"to {kind}", f"changed to {face}", act.cause)
    if done and face is not None:
        set_to(battle, throw, place, face, act.cause)
    if done:
        unit_choice.mark(battle, throw.unit, key, True, lasting(until, act.side), act.cause)


@verb()
def shoot_back(battle: Battle, act: Act, unit: Unit, target: Unit, part: int | None = None) -> Steps[None]:
    """Let a unit, or a part of it, shoot at one enemy as in its own Shooting phase."""
    rows = unit.rows if part is None else own_rows(unit, part)
    yield from shooting.shoot_back(battle, unit, rows, target)


@verb()
def shoot_with(battle: Battle, act: Act, unit: Unit, target: Unit) -> Steps[None]:
    """Let a unit shoot at one enemy, out of its turn. Rule: CORE.STR.8."""
    yield from shooting.shoot(battle, unit, target)


@verb(clause="CORE.STR.11")
def charge_with(battle: Battle, act: Act, unit: Unit, target: Unit) -> Steps[None]:
    """Let a unit charge one enemy, out of its turn. Rule: CORE.STR.11."""
    yield from charge.charge_at(battle, unit, (target.id,))


@verb(clause="CORE.STR.7")
def arrive(battle: Battle, act: Act, unit: Unit) -> Steps[None]:
    """Bring a unit on from reserves, out of its turn. Rule: CORE.STR.7."""
    yield from reserves.arrive(battle, unit)


@verb(clause="CORE.STR.2")
def fight_next(battle: Battle, act: Act, unit: Unit) -> None:
    """Let a unit fight next, out of order. Rule: CORE.STR.2."""
    unit_choice.note(battle, fight.CALLED_UP, unit.id, "phase")


@verb()
def wounds_by_dice(battle: Battle, act: Act, unit: Unit, dice: int, need: int, most: int) -> Steps[None]:
    """Roll a number of D6: each that is high enough inflicts a mortal wound, up to a number.

    Rule: CORE.STR.5, CORE.STR.6.
    """
    rolled = battle.roll("mortal-wounds", dice, unit=act.by, target=unit.id, need=need, cause=act.cause)
    count = min(most, sum(die >= need for die in rolled))
    dealer = champion.dealer_of(battle, act)
    yield from damage.mortal_wounds(
        battle, unit, count, by=act.by, credit=act.credit, dealer=dealer, cause=act.cause
    )


@verb(clause="CORE.STR.5")
def name_grenadier(battle: Battle, act: Act, unit: Unit, target: Unit, inches: float) -> Steps[None]:
    """Single out the model that throws grenades at an enemy. Rule: CORE.STR.5."""
    models = champion.throwers(battle, unit, target, inches)
    yield from champion.single_out(battle, unit, models, champion.GRENADIER, act.cause)


@verb(clause="CORE.STR.3")
def name_champion(battle: Battle, act: Act, unit: Unit) -> Steps[None]:
    """Single out the CHARACTER that challenges an enemy leader. Rule: CORE.STR.3."""
    models = champion.with_keyword(battle, unit, "CHARACTER")
    yield from champion.single_out(battle, unit, models, "champion", act.cause)


@verb(clause="DATASHEET.emergency-combat-embarkation")
def board(battle: Battle, act: Act, unit: Unit, transport: Unit) -> Steps[None]:
    """Have a unit embark in a transport. Rule: CORE.TRN.1"""
    yield from get_in(battle, unit, transport.id, act.cause)


@verb()
def move_up_to(battle: Battle, act: Act, unit: Unit, inches: str | int) -> Steps[None]:
    """Let a unit make a Normal move of up to this many inches, out of its turn.

    The distance may be rolled; "M" is each model's own Move.
    """
    far = None if inches == "M" else roll_amount(battle, str(inches), "move", unit=unit.id, cause=act.cause)
    yield from movement.move_up_to(battle, unit, far, act.cause)


@verb()
def surge(battle: Battle, act: Act, unit: Unit, inches: str | int, passed: str = "") -> Steps[None]:
    """Have a unit move up to a number of inches, as close to the closest enemy as it may.

    The distance may be rolled; enemies with the keyword `passed` do not count.
    """
    far = roll_amount(battle, str(inches), "move", unit=unit.id, cause=act.cause)
    yield from surging.surge(battle, unit, far, passed, act.cause)
