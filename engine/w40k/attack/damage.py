"""Wounds lost and models destroyed.

That is allocation, Feel No Pain, mortal wounds, Deadly Demise and credit. It counts no attacks;
`engine.w40k.attack.attack_sequence` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import event as ev
from engine.core.facts import HORDE, WeaponFacts
from engine.core.request import Option, Order, Ordered, Steps
from engine.core.state import Model, Unit
from engine.w40k.activation.amount import roll_amount
from engine.w40k.activation.transport import abandon
from engine.w40k.attack.fallen import is_kept
from engine.w40k.boarding import passengers
from geometry.measure.distance import distances, within

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

GIVEN = "given-attacks"
"""The mark, for the phase, that names the model of a unit that was given attacks last."""


def is_character(unit: Unit, model: Model) -> bool:
    """Return whether a model of an Attached unit is one of its CHARACTER models."""
    return "CHARACTER" in unit.facts.parts[model.facts.part].keywords


def allocation_order(battle: Battle, unit: Unit) -> Steps[list[int]]:
    """Return the unit's rows in the order in which its owner gives them wounds.

    Rule: CORE.ATK.2.
    """
    rows = [row for row in unit.rows if battle.state.position.models[row].alive]
    if len(rows) < 2:
        return rows
    answer = yield Order(
        seats=(unit.player,),
        rule="CORE.ATK.2",
        decision="allocation",
        prompt=f"Which models of {unit.name} take wounds first?",
        unit=unit.id,
        items=tuple(Option(id=str(row), label=battle.state.position.models[row].facts.name) for row in rows),
    )
    assert isinstance(answer, Ordered)
    return [int(row) for row in answer.ids]


def next_to_suffer(
    battle: Battle, unit: Unit, order: list[int], chosen: tuple[int, ...] = ()
) -> Model | None:
    """Return the model that must take the next wound.

    The first living model that Precision chose comes first. Else a wounded model goes first, then one that
    was given attacks in this phase, and no CHARACTER of an Attached unit before its bodyguard is gone.
    Rule: CORE.ATK.2, CORE.ATK.3, CORE.WPN.PREC.
    """
    for row in chosen:
        if battle.state.position.models[row].alive:
            return battle.state.position.models[row]
    living = [battle.state.position.models[row] for row in order if battle.state.position.models[row].alive]
    if unit.is_attached:
        living = [m for m in living if not is_character(unit, m)] or living
    wounded = [m for m in living if m.wounds < m.facts.characteristics.get("W", 1)]
    given = [m for m in living if m.row == unit.marks.get(GIVEN, -1)]
    return (wounded or given or living or [None])[0]  # type: ignore[list-item]


def remember_allocation(battle: Battle, unit: Unit, model: Model) -> None:
    """Mark a model that was given attacks and has all its wounds: it takes the next.

    Rule: CORE.ATK.2.
    """
    whole = model.wounds >= model.facts.characteristics.get("W", 1)
    if whole and len(unit.rows) > 1 and unit.marks.get(GIVEN, -1) != model.row:
        event = ev.Marked(on=f"unit:{unit.id}", key=GIVEN, value=model.row, until="phase")
        battle.log(event, "CORE.ATK.2")


def mortal_wounds(
    battle: Battle,
    unit: Unit,
    amount: int,
    *,
    by: str = "",
    credit: str = "",
    dealer: int | None = None,
    spill: bool = True,
    cause: str,
    chosen: tuple[int, ...] = (),
    order: list[int] | None = None,
    weapon: WeaponFacts | None = None,
) -> Steps[None]:
    """Inflict mortal wounds one at a time, with no saving throw, on those chosen first.

    Their owner is asked for the `order` of the models where none is given. With a `weapon` it is an attack
    that inflicts them. Rule: CORE.ATK.6.
    """
    if amount <= 0 or unit.where != "table":
        return
    if order is None:
        order = yield from allocation_order(battle, unit)
    victim = next_to_suffer(battle, unit, order, chosen)
    for _ in range(amount):
        if victim is None:
            return
        if not victim.alive:
            if not spill:
                return
            victim = next_to_suffer(battle, unit, order, chosen)
            if victim is None:
                return
        yield from lose_wounds(
            *(battle, unit, victim, 1),
            by=by,
            credit=credit,
            dealer=dealer,
            cause=cause,
            mortal=True,
            weapon=weapon,
        )


def lose_wounds(
    battle: Battle,
    unit: Unit,
    model: Model,
    amount: int,
    *,
    by: str,
    credit: str,
    cause: str,
    dealer: int | None = None,
    mortal: bool = False,
    melee: bool = False,
    trail: ev.NumberTrail | None = None,
    weapon: WeaponFacts | None = None,
) -> Steps[None]:
    """Take wounds off a model, after Feel No Pain; what it has not is lost.

    Each wound of the damage is rolled for, those beyond what the model has left too: it dies only of as many
    as it has. `dealer` is the row of the model that deals them, with a `weapon` by an attack with it. The
    `trail` is how the amount came about. Rule: CORE.ATK.5, CORE.ATK.7.
    """
    whole = float(amount) if trail is None else trail.base
    steps = [] if trail is None else list(trail.steps)
    if mortal and "allocated" in battle.query.in_force.moments:
        yield from battle.fire("allocated", None, unit=unit, target=unit, model=model, mortal=True)
    need = feel_no_pain(battle, unit, model, by=by, dealer=dealer, mortal=mortal, melee=melee, weapon=weapon)
    if need <= 6 and amount > 0:
        dice = battle.roll("feel-no-pain", amount, unit=unit.id, need=need, cause="CORE.ATK.7")
        amount -= sum(die >= need for die in dice)
        steps.append(("CORE.ATK.7", float(amount)))
    if amount > model.wounds:
        amount = model.wounds
        steps.append(("CORE.ATK.5", float(amount)))
    if amount <= 0:
        return
    left = model.wounds - amount
    told = (
        ev.NumberTrail(number="damage", base=whole, value=float(amount), steps=tuple(steps))
        if steps
        else None
    )
    event = ev.Damaged(
        unit=unit.id,
        model=model.row,
        amount=amount,
        wounds=left,
        by=by,
        dealer=dealer,
        mortal=mortal,
        trail=told,
    )
    yield from battle.happen(event, cause, weapon=weapon)
    if left <= 0 and not is_kept(battle, unit, model, by, credit, cause):
        yield from destroy_model(battle, unit, model, by=by, credit=credit, cause=cause)


def feel_no_pain(
    battle: Battle,
    unit: Unit,
    model: Model,
    *,
    by: str = "",
    dealer: int | None = None,
    mortal: bool = False,
    melee: bool = False,
    weapon: WeaponFacts | None = None,
) -> int:
    """Return the roll at which a wound is ignored, 7 where none is.

    A wound may be `mortal`, or of a `melee` attack; it is of an attack if it has a `weapon`.
    Rule: CORE.ABL.FNP.
    """
    part = unit.facts.parts[model.facts.part]
    printed = [int(a.split()[-1].rstrip("+")) for a in part.abilities if a.startswith("feel no pain ")]
    attacker = battle.state.position.units.get(by)
    number = battle.query.number(
        "model.feel-no-pain",
        min(printed, default=7),
        unit=unit,
        target=unit,
        model=model,
        attacker=attacker,
        dealer=None if dealer is None else battle.state.position.models[dealer],
        attack=weapon is not None,
        weapon=weapon,
        mortal=mortal,
        melee=melee,
    )
    return int(number.value)


def destroy_model(
    battle: Battle, unit: Unit, model: Model, *, by: str = "", credit: str = "", cause: str
) -> Steps[None]:
    """Destroy a model and, with its last one, its part of the unit. Rule: R.A76, R.A77, SP.2."""
    part, stood = model.facts.part, unit.where == "table"
    yield from battle.happen(ev.Destroyed(unit=unit.id, model=model.row, by=by, credit=credit), cause)
    blast = _deadly_demise(battle, unit, model)
    yield from lose_part(battle, unit, part, by=by, credit=credit, cause=cause)
    if blast is not None:
        yield from _explode(battle, unit, model, blast)
    yield from _spill_out(battle, unit, stood, by=by, credit=credit)


def lose_part(battle: Battle, unit: Unit, part: int, *, by: str, credit: str, cause: str) -> Steps[None]:
    """Log that a part of a unit, and the unit, have lost their last model; credit it.

    Rule: SP.2, R.A77, CORE.ABL.LEADER, WIN.3.
    """
    left = {battle.state.position.models[row].facts.part for row in unit.rows}
    if part in left:
        return
    yield from battle.happen(ev.UnitDestroyed(unit=unit.id, part=part, by=by, credit=credit), cause)
    if unit.side == HORDE and credit in battle.state.players and not _is_out(battle, credit):
        gain(battle, credit, "sp", 1, "SP.2")
    if not left:
        yield from battle.happen(ev.UnitDestroyed(unit=unit.id, by=by, credit=credit), cause)


def _is_out(battle: Battle, seat: str) -> bool:
    """Return whether a player has lost every unit it had. Rule: WIN.3, SECRET.29."""
    own = [unit for unit in battle.state.position.units.values() if unit.player == seat]
    return bool(own) and all(unit.where == "destroyed" for unit in own)


def gain(battle: Battle, player: str, what: str, amount: int, cause: str) -> None:
    """Give a player CP or SP; in Horde Mode no limit a round holds. Rule: CORE.TURN.3."""
    owner = battle.state.players[player]
    total = (owner.cp if what == "cp" else owner.sp) + amount
    battle.log(ev.Gained(player=player, what=what, amount=amount, total=total), cause)


def _deadly_demise(battle: Battle, unit: Unit, model: Model) -> str | None:
    for ability in unit.facts.parts[model.facts.part].abilities:
        if ability.startswith("deadly demise "):
            return ability.removeprefix("deadly demise ").upper()
    return None


def _explode(battle: Battle, unit: Unit, model: Model, amount: str) -> Steps[None]:
    """Carry out Deadly Demise: on a 6 each unit within 6" suffers. Rule: CORE.ABL.DD, R.A76.

    What it kills is its own side's deed: no player is credited for what a Horde model takes with it.
    """
    if battle.roll("deadly-demise", unit=unit.id, need=6, cause="CORE.ABL.DD")[0] < 6:
        return
    for other in battle.state.position.on_table():
        apart = distances(battle.field.bodies((model.row,)), battle.field.bodies(other.rows))
        if apart.size and within(float(apart.min()), 6):
            hurt = roll_amount(battle, amount, "deadly-demise-wounds", unit=other.id, cause="CORE.ABL.DD")
            owner = "" if unit.side == HORDE else unit.player
            yield from mortal_wounds(
                battle, other, hurt, by=unit.id, credit=owner, dealer=model.row, cause="CORE.ABL.DD"
            )


def destroy_unit(
    battle: Battle, unit: Unit, *, by: str = "", credit: str = "", cause: str, explodes: bool = False
) -> Steps[None]:
    """Destroy a whole unit at once, wherever it is.

    Deadly Demise is rolled for only if it `explodes`.
    """
    stood = unit.where == "table"
    for row in tuple(unit.rows):
        model = battle.state.position.models[row]
        yield from battle.happen(ev.Destroyed(unit=unit.id, model=row, by=by, credit=credit), cause)
        yield from lose_part(battle, unit, model.facts.part, by=by, credit=credit, cause=cause)
        blast = _deadly_demise(battle, unit, model) if explodes and stood else None
        if blast is not None:
            yield from _explode(battle, unit, model, blast)
    yield from _spill_out(battle, unit, stood, by=by, credit=credit)


def _spill_out(battle: Battle, transport: Unit, stood: bool, *, by: str, credit: str) -> Steps[None]:
    """Get the units inside a transport out of its wreck, if none of it is left.

    If the transport was off the table, they are destroyed with it. Rule: CORE.TRN.3, CORE.TRN.4
    """
    if transport.rows:
        return
    for unit in passengers(battle.state.position, transport.id):
        if not stood:
            yield from destroy_unit(battle, unit, by=by, credit=credit, cause="CORE.TRN.4")
            continue
        bad = yield from abandon(battle, unit, transport)
        yield from lose_the_unplaced(battle, unit, by=by, credit=credit, cause="CORE.TRN.4")
        if unit.where != "table":
            continue
        dice = battle.roll("wreck", len(unit.rows), unit=unit.id, cause="CORE.TRN.3")
        hurt = sum(die <= bad for die in dice)
        clause = "CORE.TRN.3" if bad == 1 else "CORE.TRN.4"
        yield from mortal_wounds(battle, unit, hurt, by=by, credit=credit, cause=clause)
        if unit.where == "table" and "battle-shocked" not in unit.marks:
            yield from battle.happen(ev.Shocked(unit=unit.id), "CORE.TRN.3")


def lose_the_unplaced(
    battle: Battle, unit: Unit, *, by: str = "", credit: str = "", cause: str
) -> Steps[None]:
    """Destroy the models of a unit that found no place in its set-up.

    Rule: CORE.TRN.4, CORE.RES.8
    """
    for row in unit.rows:
        if not battle.state.position.table.on[row]:
            part = battle.state.position.models[row].facts.part
            yield from battle.happen(ev.Destroyed(unit=unit.id, model=row, by=by, credit=credit), cause)
            yield from lose_part(battle, unit, part, by=by, credit=credit, cause=cause)


def heal(battle: Battle, unit: Unit, wounds: int, cause: str, part: int | None = None) -> int:
    """Give wounded models of a unit, or of a part, wounds back up to a number; return how many."""
    done = 0
    for model in wounded(battle, unit, part):
        amount = min(model.facts.characteristics.get("W", 1) - model.wounds, wounds - done)
        if amount > 0:
            heal_model(battle, unit, model, amount, cause)
            done += amount
    return done


def wounded(battle: Battle, unit: Unit, part: int | None = None) -> list[Model]:
    """Return the living models of a unit, or of one part of it, that have lost wounds."""
    return [
        model
        for model in battle.state.position.alive(unit)
        if model.wounds < model.facts.characteristics.get("W", 1) and part in (None, model.facts.part)
    ]


def heal_model(battle: Battle, unit: Unit, model: Model, amount: int, cause: str) -> None:
    """Give a model wounds back that it has lost."""
    event = ev.Healed(unit=unit.id, model=model.row, amount=amount, wounds=model.wounds + amount)
    battle.log(event, cause)
