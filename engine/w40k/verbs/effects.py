"""The verbs of rule records: what a rule can do to a battle of the edition.

Each takes the battle, the act (which rule, in whose name) and its arguments, and changes the state through
events. What wounds and destruction are is `engine.w40k.attack.damage`'s.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from engine.core import event as ev
from engine.core.facts import Point, Ring, TerrainFacts
from engine.core.marks import lasting, marks_of, name_of, place_of
from engine.core.request import Steps
from engine.core.state import Marker, Model, Objective, Unit
from engine.records.language import Act, verb
from engine.w40k.activation.amount import roll_amount
from engine.w40k.activation.champion import dealer_of
from engine.w40k.activation.objective import HELD
from engine.w40k.attack import damage, returning, standing_up
from engine.w40k.battle import Battle
from engine.w40k.phase import command
from engine.w40k.phase.closing import WITHDRAWN
from engine.w40k.phase.reserves import EVACUATED
from engine.w40k.ruin import RUINS, laid
from engine.w40k.words.units import is_a
from geometry.measure.region import grid

# wounds


@verb()
def mortal_wounds(battle: Battle, act: Act, unit: Unit, amount: str | int) -> Steps[None]:
    """Inflict mortal wounds on a unit: a number, or dice to roll. Rule: CORE.ATK.6."""
    if unit.where != "table" or not unit.rows:
        return
    count = roll_amount(battle, str(amount), "mortal-wounds", target=unit.id, cause=act.cause)
    yield from _hurt(battle, act, unit, count)


def _hurt(battle: Battle, act: Act, unit: Unit, count: int) -> Steps[None]:
    """Inflict mortal wounds, and keep the marker's tally of the wounds lost."""
    before = _wounds(battle, unit)
    dealer = dealer_of(battle, act)
    yield from damage.mortal_wounds(
        battle, unit, count, by=act.by, credit=act.credit, dealer=dealer, cause=act.cause
    )
    here = act.context["here"]
    if isinstance(here, Marker) and here.id in battle.state.position.markers:
        dealt = here.marks.count("damage") + before - _wounds(battle, unit)
        battle.log(ev.Marked(on=f"marker:{here.id}", key="damage", value=dealt), act.cause)


def _wounds(battle: Battle, unit: Unit) -> int:
    return sum(model.wounds for model in battle.state.position.alive(unit))


@verb(clause="BUY.artillery-strike")
def wounds_by_model(battle: Battle, act: Act, unit: Unit, need: int, each: int) -> Steps[None]:
    """Roll a D6 for each model of a unit; each that is high enough inflicts mortal wounds."""
    if unit.where == "table" and unit.rows:
        dice = battle.roll("mortal-wounds", len(unit.rows), target=unit.id, need=need, cause=act.cause)
        yield from _hurt(battle, act, unit, each * sum(die >= need for die in dice))


@verb()
def bombard(battle: Battle, act: Act, area: TerrainFacts | str, amount: str) -> Steps[None]:
    """Inflict mortal wounds on every unit within a terrain piece, or a sixth of the battlefield."""
    for unit in battle.state.position.on_table():
        ground = _cell(battle, int(area)) if isinstance(area, str) else area.footprint
        if unit.rows and bool(battle.field.within_zone(unit, ground).any()):
            count = roll_amount(battle, amount, "mortal-wounds", target=unit.id, cause=act.cause)
            yield from _hurt(battle, act, unit, count)


def _cell(battle: Battle, cell: int) -> Ring:
    """Return a sixth of the battlefield.

    The board is cut into two rows and three columns along its longer side, numbered from 1 at the corner
    (0, 0), along the longer side first. Rule: MISERY.6.
    """
    left, low, right, high = bounds = battle.state.position.board.bounds
    across, up = (3, 2) if right - left >= high - low else (2, 3)
    return grid(bounds, across, up)[cell - 1]


@verb()
def destroy_model(battle: Battle, act: Act, model: Model) -> Steps[None]:
    """Destroy a model, to nobody's credit. Rule: R.A77"""
    if model.alive:
        unit = battle.state.position.units[model.unit]
        yield from damage.destroy_model(battle, unit, model, cause=act.cause)


@verb()
def heal(battle: Battle, act: Act, unit: Unit, wounds: str | int, part: int | None = None) -> None:
    """Give wounded models of a unit, or of a part, wounds back: a number, or dice to roll."""
    if unit.rows and damage.wounded(battle, unit, part):
        count = roll_amount(battle, str(wounds), "heal", unit=unit.id, cause=act.cause)
        damage.heal(battle, unit, count, act.cause, part)


@verb()
def return_models(
    battle: Battle, act: Act, unit: Unit, amount: str | int, keyword: str = "", *barred: str
) -> Steps[None]:
    """Return destroyed models to a unit with all their wounds: a number, or dice to roll.

    Leaders do not return; with a keyword only models return whose datasheet has it, or is of that name. None
    returns whose datasheet has a barred keyword, or that has a barred name itself.
    """
    lost = [
        each
        for each in returning.lost(battle, unit, leaders=False)
        if _is_of(battle, each, keyword)
        and each.facts.name not in barred
        and not any(is_a(battle, each, name) for name in barred)
    ]
    if lost and unit.rows:
        count = roll_amount(battle, str(amount), "return", unit=unit.id, cause=act.cause)
        for model in lost[:count]:
            yield from returning.bring_back(battle, unit, model, returning.whole(model), act.cause)


def _is_of(battle: Battle, model: Model, keyword: str) -> bool:
    return not keyword or is_a(battle, model, keyword)


@verb()
def mend(battle: Battle, act: Act, unit: Unit, wounds: int) -> Steps[None]:
    """Heal a unit wound by wound, or return a model to it once all are whole.

    Rule: BUY.field-hospital.
    """
    yield from returning.mend(battle, unit, wounds, act.cause)


@verb()
def stand_up(battle: Battle, act: Act, model: Model, need: int, wounds: str | int) -> None:
    """Let a destroyed model stand up at the end of the phase, on a roll.

    It has some wounds then, which may be dice to roll, or "all". It stands where it fell, or as near as it
    can engaging no enemy; a leader whose bodyguard lives does so as a unit of its own. Rule: R.A117
    """
    standing_up.await_end(battle, model, int(need), str(wounds), act.cause)


@verb(clause="DATASHEET.honour-of-ultramar")
def spare(battle: Battle, act: Act, model: Model, wounds: str | int) -> None:
    """Give wounds back to a model that waits to be removed: it is not destroyed then."""
    if not model.alive:
        unit = battle.state.position.units[model.unit]
        count = roll_amount(battle, str(wounds), "heal", unit=unit.id, cause=act.cause)
        damage.heal_model(battle, unit, model, min(count, returning.whole(model)), act.cause)


@verb(clause="MISERY.8")
def restore(battle: Battle, act: Act, unit: Unit) -> Steps[None]:
    """Return a unit to its Starting Strength with all its wounds. Rule: MISERY.8, R.A85."""
    yield from returning.restore(battle, unit, act.cause)


# units


@verb()
def battle_shock_test(battle: Battle, act: Act, unit: Unit, modifier: int = 0) -> Steps[None]:
    """Have a unit take a Battle-shock test, with a modifier. Rule: CORE.BS.1"""
    if unit.rows and unit.where == "table":
        yield from command.take_test(battle, unit, act.cause, int(modifier))


@verb(mark_at=1, span_at=2)
def leadership_test(battle: Battle, act: Act, unit: Unit, key: str, until: str) -> Steps[None]:
    """Have a unit take a Leadership test, and mark it with "passed" or "failed"."""
    if unit.rows and unit.where == "table":
        passed = yield from command.take_leadership_test(battle, unit, act.cause)
        said, span = "passed" if passed else "failed", lasting(until, act.side)
        battle.log(ev.Marked(on=place_of(unit), key=key, value=said, until=span), act.cause)


@verb()
def recover(battle: Battle, act: Act, unit: Unit) -> Steps[None]:
    """End a unit's Battle-shock."""
    if "battle-shocked" in unit.marks:
        yield from battle.happen(ev.Recovered(unit=unit.id), act.cause)


@verb()
def withdraw(battle: Battle, act: Act, unit: Unit, early: bool = False) -> Steps[None]:
    """Take a unit off into Strategic Reserves; an early one may arrive again in any round.

    Rule: CORE.RES.4, BUY.emergency-evac
    """
    yield from battle.happen(ev.Reserved(unit=unit.id, how="strategic"), act.cause)
    left = EVACUATED if early else WITHDRAWN
    battle.log(ev.Marked(on=f"unit:{unit.id}", key=left, value=True), act.cause)


# players


@verb(adds=True)
def gain(battle: Battle, act: Act, seat: str, what: str, amount: int) -> None:
    """Give a player CP or SP."""
    player = battle.state.players[seat]
    total = (player.cp if what == "cp" else player.sp) + int(amount)
    battle.log(ev.Gained(player=seat, what=what, amount=int(amount), total=total), act.cause)


@verb(adds=True, clause="DATASHEET.sevenfold-chant")
def gain_by_dice(battle: Battle, act: Act, seat: str, what: str, dice: int, need: int) -> None:
    """Give a player 1 CP or SP where some D6, added up, are high enough."""
    if sum(battle.roll("gain", dice, unit=act.by, need=need, cause=act.cause)) >= need:
        gain(battle, act, seat, what, 1)


@verb(writes="resource")
def lose(battle: Battle, act: Act, seat: str, what: str, amount: int) -> None:
    """Take CP or SP from a player, never below 0. Rule: SP.3."""
    player = battle.state.players[seat]
    has = player.cp if what == "cp" else player.sp
    taken = min(has, int(amount))
    battle.log(ev.Spent(player=seat, what=what, amount=taken, total=has - taken), act.cause)


@verb(adds=True)
def count_up(battle: Battle, act: Act, seat: str, key: str, amount: int = 1) -> None:
    """Add to a player's tally."""
    total = battle.state.players[seat].marks.count(key) + int(amount)
    battle.log(ev.Marked(on=f"player:{seat}", key=key, value=total), act.cause)


# tallies and marks


@verb(adds=True)
def tally(battle: Battle, act: Act, key: str, amount: int = 1, until: str = "round") -> None:
    """Add to a tally of the battle."""
    total = battle.state.marks.count(key) + int(amount)
    battle.log(ev.Marked(on="battle", key=key, value=total, until=until), act.cause)


@verb(adds=True)
def remember(battle: Battle, act: Act, key: str, things: Any, until: str = "round") -> None:
    """Keep names of things for the battle."""
    names = tuple(name_of(each) for each in (things if isinstance(things, tuple) else (things,)))
    battle.log(ev.Marked(on="battle", key=key, value=names, until=until), act.cause)


@verb(mark_at=1, span_at=3)
def mark(battle: Battle, act: Act, thing: Any, key: str, value: Any = True, until: str = "battle") -> None:
    """Set a mark on a unit, player, objective or marker: a value, or the name of another thing."""
    if isinstance(value, Unit | Objective | Marker):
        value = name_of(value)
    span = lasting(until, act.side)
    battle.log(ev.Marked(on=place_of(thing), key=key, value=value, until=span), act.cause)


@verb(mark_at=1)
def clear(battle: Battle, act: Act, thing: Any, key: str) -> None:
    """Wipe a mark off a unit, player, objective or marker, if it bears it."""
    if key in marks_of(battle.state, thing):
        battle.log(ev.Marked(on=place_of(thing), key=key, value=None), act.cause)


@verb(adds=True, clause="ARMY.10.combat-doctrines")
def list_up(battle: Battle, act: Act, thing: Any, key: str, name: str) -> None:
    """Add a word to a list that is kept on a unit, player, objective or marker for the battle."""
    names = marks_of(battle.state, thing).names(key)
    battle.log(ev.Marked(on=place_of(thing), key=key, value=(*names, name), until="battle"), act.cause)


@verb(adds=True)
def carry(battle: Battle, act: Act, key: str, amount: int) -> None:
    """Add to what the next round begins with: misery cards, spawn modifiers.

    Rule: ROUND.3, R.A82.
    """
    total = battle.state.marks.count(f"next:{key}") + int(amount)
    battle.log(ev.Marked(on="battle", key=f"next:{key}", value=total), act.cause)


# the battlefield


@verb()
def remove_terrain(battle: Battle, act: Act, terrain: TerrainFacts) -> Steps[None]:
    """Take a terrain piece off the battlefield."""
    yield from battle.happen(ev.Removed(what=f"terrain:{terrain.id}"), act.cause)


@verb()
def remove_objective(battle: Battle, act: Act, objective: Objective | None) -> Steps[None]:
    """Take an objective marker off the battlefield, if it is still there."""
    if objective is not None:
        yield from battle.happen(ev.Removed(what=f"objective:{objective.facts.id}"), act.cause)


@verb()
def remove_marker(battle: Battle, act: Act, marker: Marker) -> Steps[None]:
    """Take a marker off the battlefield."""
    if marker.id in battle.state.position.markers:
        yield from battle.happen(ev.Removed(what=f"marker:{marker.id}"), act.cause)


@verb()
def place_marker(battle: Battle, act: Act, kind: str, spot: Point, unit: Unit | None = None) -> Steps[None]:
    """Set up a 40 mm marker of the rule's owner, where it is said for one unit alone."""
    name = _fresh(battle, kind)
    event = ev.Placed(thing=kind, marker=name, owner=act.credit, at=spot)
    yield from battle.happen(event, act.cause)
    if unit is not None:
        battle.log(ev.Marked(on=f"marker:{name}", key="for", value=unit.id), act.cause)


@verb(clause="BUY.supply-drop")
def place_objective(battle: Battle, act: Act, spot: Point) -> Steps[None]:
    """Set up a new objective marker in No Man's Land."""
    name = _fresh(battle, "supply-drop")
    yield from battle.happen(ev.Placed(thing="objective", marker=name, at=spot), act.cause)


@verb(clause="BUY.defensive-positions")
def place_ruin(battle: Battle, act: Act, ruin: str, spot: tuple[float, float, float]) -> Steps[None]:
    """Set up one of the ruins to choose from, at a spot and turned to a facing."""
    x, y, facing = spot
    made = sum(isinstance(e, ev.Placed) and e.terrain is not None for e in battle.events)
    piece = replace(laid(RUINS[ruin], (x, y), facing), id=f"{act.rule.id.rsplit('/', 1)[-1]}#{made + 1}")
    event = ev.Placed(thing="ruin", owner=act.credit, at=(x, y), terrain=piece)
    yield from battle.happen(event, act.cause)


def _fresh(battle: Battle, kind: str) -> str:
    made = sum(isinstance(e, ev.Placed) and e.marker.startswith(f"{kind}#") for e in battle.events)
    return f"{kind}#{made + 1}"


@verb()
def hold(battle: Battle, act: Act, objective: Objective) -> None:
    """Keep a marker under the control of the rule's owner until its enemy controls it."""
    on = f"objective:{objective.facts.id}"
    battle.log(ev.Marked(on=on, key=HELD, value=str(act.context["owner"])), act.cause)


@verb()
def fortify(battle: Battle, act: Act, objective: Objective) -> None:
    """Fortify an objective marker with this rule."""
    on = f"objective:{objective.facts.id}"
    battle.log(ev.Marked(on=on, key="fortified-by", value=act.credit), act.cause)
    battle.log(ev.Marked(on=on, key="fortified", value=act.rule.id), act.cause)


@verb()
def unfortify(battle: Battle, act: Act, objective: Objective) -> None:
    """Destroy the Fortified marker on an objective marker."""
    if objective.fortified:
        on = f"objective:{objective.facts.id}"
        battle.log(ev.Marked(on=on, key="fortified", value=None), act.cause)
        battle.log(ev.Marked(on=on, key="fortified-by", value=None), act.cause)
