"""The Movement phase: each unit remains stationary, moves, advances or falls back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.facts import HORDE, PLAYERS
from engine.core.request import Choose, Chosen, Move, Moves, Option, Steps
from engine.core.state import Unit
from engine.w40k.activation.throw import Throw, offer_again, offer_own
from engine.w40k.activation.transport import AFTER, BEFORE, DISEMBARKED, disembark, embark
from engine.w40k.activation.unit_choice import decide, mark, next_unit, waiting
from engine.w40k.activation.walk import ask, carry_out
from engine.w40k.attack.damage import allocation_order, destroy_model
from engine.w40k.boarding import passengers
from engine.w40k.flight import LEAVE, farthest_on, fly_off
from engine.w40k.ground.aircraft import AIRCRAFT, held_by, without_aircraft
from engine.w40k.ground.crossing import Legs, passes_over

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

ESCAPES = 3
"""The roll on which a model escapes. Rule: CORE.MOVE.7"""
SCOUT = "scout"
"""The decision of Scouts that move before the first turn."""
LABELS = {
    "remain-stationary": "Remain Stationary",
    "normal-move": "Normal move",
    "advance": "Advance",
    "fall-back": "Fall Back",
    LEAVE: "Fly off the board, into Strategic Reserves",
}
CLAUSES = {
    "remain-stationary": "CORE.MOVE.1",
    "normal-move": "CORE.MOVE.5",
    "advance": "CORE.MOVE.6",
    "fall-back": "CORE.MOVE.7",
    LEAVE: "CORE.AIR.2",
}


def movement(battle: Battle) -> Steps[bool]:
    """Move one unit; there is more to do while units of the side have not been selected."""
    units = [
        u
        for u in waiting(battle, battle.state.turn, "movement")
        if "arrived" not in u.marks and (can_move(battle, u) or passengers(battle.state.position, u.id))
    ]
    if not units:
        return False
    # AIRCRAFT never remain stationary.
    unit = yield from next_unit(
        battle, units, "CORE.MOVE.1", "movement", must_act=lambda unit: unit.has(AIRCRAFT)
    )
    if unit is None:
        return False
    yield from disembark(battle, unit, BEFORE)
    if can_move(battle, unit):
        yield from move_unit(battle, unit)
    return True


def can_move(battle: Battle, unit: Unit) -> bool:
    """Return whether the unit has any Move characteristic left; AIRCRAFT always fly on.

    Rule: R.A95, CORE.AIR.2
    """
    return unit.has(AIRCRAFT) or (move_of(battle, unit) > 0 and not in_action(unit))


def in_action(unit: Unit) -> bool:
    """Return whether the unit is doing an action that a move would break."""
    return False if "action" not in unit.marks else unit.side == "horde"


def move_of(battle: Battle, unit: Unit) -> float:
    """Return how far the unit's slowest model moves. Rule: CORE.DICE.5, AI.SCOUT, CORE.RES.7."""
    return min(limits(battle, unit).values(), default=0.0)


def limits(battle: Battle, unit: Unit) -> dict[int, float]:
    """Return how far each model may move in a Normal move."""
    extra, query = scouts(battle, unit), battle.query
    found: dict[int, float] = {}
    alike: dict[tuple[int, int], float] = {}
    for model in battle.state.position.alive(unit):
        printed = model.facts.characteristics.get("M", 0)
        key = (query.in_force.told_by(unit, model.row, ("unit.move",)), printed)
        if key not in alike:
            alike[key] = query.about(unit=unit, model=model).value("unit.move", printed)
        found[model.row] = alike[key] + extra
    return found


def scouts(battle: Battle, unit: Unit) -> float:
    """Return how much farther a unit moves that has just spawned. Rule: AI.SCOUT."""
    return scouting_distance(battle, unit) if unit.side == HORDE and "spawned" in unit.marks else 0.0


def scouting_distance(battle: Battle, unit: Unit) -> float:
    """Return how far the unit's Scouts ability lets it move, 0 without it."""
    ability = battle.query.has_ability(unit, "scouts")
    return float(ability.split()[-1].rstrip('"')) if ability else 0.0


def scout(battle: Battle) -> Steps[bool]:
    """Let one of the players' units with Scouts move, before the first turn. Rule: CORE.RES.7"""
    if battle.state.round != 1:
        return False
    far = {unit.id: _scouts_with(battle, unit) for unit in waiting(battle, PLAYERS, SCOUT)}
    units = [battle.state.position.units[name] for name, inches in far.items() if inches]
    if not units:
        return False
    unit = yield from next_unit(battle, units, "CORE.RES.7", SCOUT)
    if unit is None:
        return False
    clear = battle.ruleset.parameters.scouting
    yield from move_up_to(battle, unit, int(far[unit.id]), "CORE.RES.7", decision=SCOUT, clear=clear)
    return True


def _scouts_with(battle: Battle, unit: Unit) -> float:
    """Return how far a unit may scout; a DEDICATED TRANSPORT as far as all its passengers."""
    if held_by(battle.field, unit):
        return 0.0
    riders = passengers(battle.state.position, unit.id)
    carried = [scouting_distance(battle, rider) for rider in riders if unit.has("DEDICATED TRANSPORT")]
    return max(scouting_distance(battle, unit), min(carried, default=0.0))


def move_choice(battle: Battle, unit: Unit) -> Choose:
    """Return the question how a unit moves. Rule: CORE.MOVE.1, CORE.AIR.2"""
    kinds = ["remain-stationary"]
    engaged = bool(held_by(battle.field, unit))
    kinds += [] if engaged else ["normal-move"]
    if not engaged and battle.query.may("advance", unit=unit):
        kinds.append("advance")
    if engaged and battle.query.may("fall-back", unit=unit):
        kinds.append("fall-back")
    if unit.has(AIRCRAFT):
        kinds = ["normal-move", LEAVE]
    return Choose(
        seats=(unit.player,),
        rule="CORE.MOVE.1",
        decision="move",
        prompt=f"How does {unit.name} move?",
        unit=unit.id,
        options=tuple(Option(id=kind, label=LABELS[kind]) for kind in kinds),
    )


def move_unit(battle: Battle, unit: Unit) -> Steps[None]:
    """Ask how the unit moves, and move it. Rule: CORE.MOVE.1, CORE.AIR.2"""
    answer = yield move_choice(battle, unit)
    assert isinstance(answer, Chosen)
    kind = answer.ids[0]
    if kind == "fall-back":
        # Whoever holds a unit as it is selected to Fall Back forbids it.
        yield from battle.fire("selected-to-fall-back", None, unit=unit)
        if not unit.rows:
            return
        kind = kind if battle.query.may("fall-back", unit=unit) else "remain-stationary"
    yield from carry_out_move(battle, unit, kind)


def carry_out_move(battle: Battle, unit: Unit, kind: str) -> Steps[None]:
    """Carry out the kind of move chosen."""
    clause = CLAUSES[kind]
    decide(battle, unit, "move", kind, cause=clause)
    if kind == "remain-stationary":
        # A unit that has disembarked counts as having moved. Rule: CORE.TRN.2
        if DISEMBARKED not in unit.marks:
            mark(battle, unit, "moved", kind, cause=clause)
        return
    if kind == LEAVE:
        yield from fly_off(battle, unit)
        return
    in_the_air = unit.has(AIRCRAFT)
    far = (
        dict.fromkeys(unit.rows, farthest_on(battle.state.position.board))
        if in_the_air
        else limits(battle, unit)
    )
    if kind == "advance":
        bonus = yield from advance_roll(battle, unit)
        far = {row: limit + bonus for row, limit in far.items()}
        mark(battle, unit, "advanced", cause=clause)
    name = kind.removesuffix("-move")
    request = Move(
        seats=(unit.player,),
        rule=clause,
        decision="path",
        prompt=f"Where does {unit.name} go?",
        unit=unit.id,
        kind=name,
        limits=far,
        least=battle.ruleset.parameters.flight if in_the_air else 0.0,
    )
    moves = yield from ask(battle, request)
    if not unit.rows:
        return
    if in_the_air and not any(moves.paths.values()):
        yield from fly_off(battle, unit)
        return
    if kind == "fall-back" and not any(moves.paths.values()):
        # Nobody can get out of engagement range, so this is no Fall Back.
        mark(battle, unit, "moved", "remain-stationary", cause="CORE.MOVE.1")
        return
    mark(battle, unit, "moved", name, cause=clause)
    if kind == "fall-back":
        mark(battle, unit, "fell-back", cause=clause)
        yield from _desperate_escape(battle, unit, moves)
        alive = {row: legs for row, legs in moves.paths.items() if battle.state.position.models[row].alive}
        moves = Moves(paths=alive, facing=moves.facing)
    yield from carry_out(battle, unit, name, moves, clause)
    if not unit.rows:
        return
    if name == "normal" or (name == "advance" and battle.query.may("disembark-after-advance", unit=unit)):
        yield from disembark(battle, unit, AFTER)
    yield from embark(battle, unit)


UP_TO = "moves-up-to"
"""The mark, for the phase, that tells how far a unit may go that moves out of its turn."""


def move_up_to(
    battle: Battle, unit: Unit, inches: int | None, cause: str, *, decision: str = "path", clear: float = 0.0
) -> Steps[None]:
    """Let a unit make a Normal move out of its turn, of up to some inches or its own Move.

    With `clear` it ends farther than that from every enemy. Rule: CORE.MOVE.5.
    """
    if inches is not None or UP_TO in unit.marks:
        mark(battle, unit, UP_TO, inches, "phase", cause)
    told = "" if inches is None else f" up to {inches} inches"
    request = Move(
        seats=(unit.player,),
        rule=cause,
        decision=decision,
        prompt=f"{unit.name} may move{told}.",
        unit=unit.id,
        kind="normal",
        limits=limits(battle, unit) if inches is None else dict.fromkeys(unit.rows, float(inches)),
        clear=clear,
    )
    moves = yield from ask(battle, request)
    if unit.rows and any(moves.paths.values()):
        mark(battle, unit, "moved", "normal", cause=cause)
        yield from carry_out(battle, unit, "normal", moves, cause)
        yield from embark(battle, unit)


def advance_roll(battle: Battle, unit: Unit) -> Steps[int]:
    """Return what an Advance adds to the move. Rule: CORE.MOVE.6, CORE.STR.1."""
    change = battle.query.number("roll.advance-modifier", 0, unit=unit)
    trail = change.trail if change.trail.steps else None
    rolled = battle.roll("advance", unit=unit.id, cause="CORE.MOVE.6", trail=trail)
    throw = Throw("advance", unit, list(rolled), lambda die: die < 6)
    permitted = battle.query.may("reroll-advance", unit=unit)
    yield from offer_own(battle, throw, permitted, "Advance", "CORE.MOVE.6")
    dice = yield from offer_again(battle, throw)
    return max(0, dice[0] + int(change.value))


def _desperate_escape(battle: Battle, unit: Unit, moves: Moves) -> Steps[None]:
    """Test each model that passes over an enemy, or every model of a Battle-shocked unit.

    Rule: CORE.MOVE.7, S.M17.
    """
    testing = len(unit.rows)
    if battle.query.may("pass-desperate-escape", unit=unit):
        return
    is_shaken = "battle-shocked" in unit.marks and not battle.query.may("escape-while-shocked", unit=unit)
    if not is_shaken and not battle.query.may("test-desperate-escape", unit=unit):
        escapes = unit.has("TITANIC") or battle.field.has(unit, "FLY")
        over = [
            row for row, legs in moves.paths.items() if not escapes and _passes_over(battle, unit, row, legs)
        ]
        testing = len(over)
    if not testing:
        return
    change = battle.query.number("roll.desperate-escape-modifier", 0, unit=unit)
    need, trail = ESCAPES - int(change.value), change.trail if change.trail.steps else None
    rolled = battle.roll(
        "desperate-escape", testing, unit=unit.id, need=need, cause="CORE.MOVE.7", trail=trail
    )
    throw = Throw("desperate-escape", unit, list(rolled), lambda die: die < need, need=need)
    dice = yield from offer_again(battle, throw)
    lost = sum(die < need for die in dice)
    order = yield from allocation_order(battle, unit) if lost else _nobody()
    for row in order[:lost]:
        if battle.state.position.models[row].alive:
            yield from destroy_model(battle, unit, battle.state.position.models[row], cause="CORE.MOVE.7")


def _nobody() -> Steps[list[int]]:
    return []
    yield


def _passes_over(battle: Battle, unit: Unit, row: int, legs: Legs) -> bool:
    """Return whether a path leads over an enemy, AIRCRAFT apart. Rule: CORE.MOVE.7, CORE.AIR.3"""
    table = battle.state.position.table
    foes = table.outlines(battle.field.rows(without_aircraft(battle.field.enemies(unit))))
    return passes_over(table, row, table.after(row, ()), legs, foes)
