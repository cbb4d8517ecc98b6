"""Firefight: a ruleset unlike the 10th edition, on the same Battle.

It holds what a small skirmish needs.

Units are activated in turn by both sides; there are no phases and no turns. A model has a Quality and a
Defense and nothing else; attacks are one Quality die each, blocked by one Defense die. Nothing of the
engine's own steps is used: what the two games share is the Battle, its requests, events, dice and table.
Of special rules it knows AP, Tough, Fearless, Furious and Bad Shot.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core import event as ev
from engine.core.event import Shot
from engine.core.facts import HORDE, PLAYERS, BoardFacts, PlayerFacts, Side, UnitFacts
from engine.core.request import (
    Choose,
    Chosen,
    Move,
    Moves,
    Option,
    Place,
    Places,
    Said,
    Steps,
    YesNo,
)
from engine.core.ruleset import Step
from engine.core.state import Unit
from engine.records.language import Language
from engine.records.rulebook import Rulebook
from engine.w40k.battle import Battle
from engine.w40k.edition import Edition
from engine.w40k.legality.answer_check import faults
from engine.w40k.numbers import NUMBERS, QUESTIONS
from engine.w40k.parameters import Parameters
from geometry.measure.coherency import Spacing
from geometry.tolerance import TOLERANCE
from tests.engine.firefight import force
from tests.engine.firefight.wound import (
    attack,
    characteristic,
    has,
    knock_out,
    mark,
    roll,
    shake,
    succeeds,
    suffer,
)

ADVANCE, RUSH, CHARGE, STEP_UP, GO_ON, BACK_OFF = 6.0, 12.0, 12.0, 3.0, 3.0, 1.0
STRIKE, STRIKE_UP = 2.0, 4.0
COVER = ("woods", "ruin", "crater")
ROUNDS = 4
OTHER: dict[str, Side] = {HORDE: PLAYERS, PLAYERS: HORDE}


# marks and questions


def note(game: Battle, key: str, value: str | None, cause: str) -> None:
    game.log(ev.Marked(on="battle", key=key, value=value), cause)


def ids(units: Sequence[Unit]) -> tuple[Option, ...]:
    return tuple(Option(id=unit.id, label=unit.name) for unit in units)


def ask(game: Battle, unit: Unit, rule: str, decision: str, prompt: str, names: Sequence[str]) -> Choose:
    """Return the question which one of these a unit's player chooses."""
    options = tuple(Option(id=name, label=name) for name in names)
    return Choose(
        seats=(unit.player,), rule=rule, decision=decision, prompt=prompt, unit=unit.id, options=options
    )


# setting up


def set_up(game: Battle) -> Steps[bool]:
    """Set up one unit within 12" of its own edge. Rule: GFF.PREP.1."""
    left = [facts for facts in game.mustered if facts.id not in game.state.position.units]
    if not left:
        return False
    facts = left[0]
    width, depth = game.state.position.board.size
    low = depth - 12 if facts.side == HORDE else 0.0
    strip = ((0.0, low), (width, low), (width, low + 12), (0.0, low + 12))
    game.log(ev.Reserved(unit=facts.id, facts=facts, how="muster"), "GFF.PREP.1")
    answer = yield Place(
        seats=(facts.player,),
        rule="GFF.PREP.1",
        decision="place",
        prompt=f"Set up {facts.name}.",
        unit=facts.id,
        kind="deploy",
        rows=tuple(model.row for model in facts.models),
        areas=(strip,),
    )
    assert isinstance(answer, Places)
    yield from game.happen(ev.Placed(unit=facts.id, poses=answer.poses), "GFF.PREP.1")
    return True


# alternating activations


def waiting(game: Battle, side: str) -> list[Unit]:
    return [unit for unit in game.state.position.on_table(side) if "activated" not in unit.marks]  # type: ignore[arg-type]


def activate(game: Battle) -> Steps[bool]:
    """Activate one unit of the side whose go it is. Rule: GFF.TURN.1."""
    if "go" not in game.state.marks:
        die = game.roll("first-side", cause="GFF.TURN.1")[0]
        note(game, "go", PLAYERS if die >= 4 else HORDE, "GFF.TURN.1")
    side = str(game.state.marks.get("go"))
    units = waiting(game, side)
    if not units:
        side = OTHER[side]
        units = waiting(game, side)
    if not units:
        return False
    answer = yield Choose(
        seats=(units[0].player,),
        rule="GFF.TURN.1",
        decision="next-unit",
        prompt="Which unit is activated?",
        options=ids(units),
    )
    assert isinstance(answer, Chosen)
    unit = game.state.position.units[answer.ids[0]]
    mark(game, unit, "activated", True, "GFF.TURN.1", "round")
    yield from act(game, unit)
    for each in (side, OTHER[side]):
        if not waiting(game, each) and "finished" not in game.state.marks:
            note(game, "finished", each, "GFF.TURN.1")
    note(game, "go", OTHER[side], "GFF.TURN.1")
    return True


def act(game: Battle, unit: Unit) -> Steps[None]:
    """Carry out what a unit does when it is activated. Rule: GFF.ACT.1, GFF.SHK.1."""
    if "shaken" in unit.marks:
        mark(game, unit, "shaken", None, "GFF.SHK.1")
        decide(game, unit, "idle", "GFF.SHK.1")
        return
    near = [e for e in game.field.enemies(unit) if game.field.gap(unit, e) <= CHARGE + TOLERANCE]
    kinds = ["hold", "advance", "rush", *(["charge"] if near else [])]
    answer = yield ask(game, unit, "GFF.ACT.1", "action", f"What does {unit.name} do?", kinds)
    assert isinstance(answer, Chosen)
    kind = answer.ids[0]
    decide(game, unit, kind, "GFF.ACT.1")
    if kind == "charge":
        yield from charge(game, unit, near)
    elif kind == "rush":
        yield from walk(game, unit, "normal", RUSH, "GFF.ACT.1")
    else:
        if kind == "advance":
            yield from walk(game, unit, "normal", ADVANCE, "GFF.ACT.1")
        yield from shoot(game, unit)


def decide(game: Battle, unit: Unit, choice: str, cause: str) -> None:
    game.log(ev.Decided(seat=unit.player, decision="action", unit=unit.id, choice=(choice,)), cause)


def walk(
    game: Battle, unit: Unit, kind: str, far: float, rule: str, targets: tuple[str, ...] = ()
) -> Steps[bool]:
    """Return whether the unit moved. Rule: GFF.MOVE.1."""
    answer = yield Move(
        seats=(unit.player,),
        rule=rule,
        decision="path",
        prompt=f'{unit.name} moves up to {far:.3g}".',
        unit=unit.id,
        kind=kind,
        limits=dict.fromkeys(unit.rows, far),
        targets=targets,
    )
    assert isinstance(answer, Moves)
    paths = {row: legs for row, legs in answer.paths.items() if legs}
    if paths:
        poses = {row: game.field.after(row, legs) for row, legs in paths.items()}
        yield from game.happen(ev.Moved(unit=unit.id, kind_of_move=kind, poses=poses, paths=paths), rule)
    return bool(paths)


# shooting


def shoot(game: Battle, unit: Unit) -> Steps[None]:
    """Fire all ranged weapons at one target or two, each type at one. Rule: GFF.SHOOT.1."""
    types = [i for i, weapon in enumerate(unit.facts.weapons) if not weapon.is_melee]
    reached = {i: [e for e in game.field.enemies(unit) if firing(game, unit, i, e)] for i in types}
    targets = list(dict.fromkeys(enemy.id for units in reached.values() for enemy in units))
    if not targets:
        return
    answer = yield Choose(
        seats=(unit.player,),
        rule="GFF.SHOOT.1",
        decision="targets",
        prompt=f"At whom does {unit.name} shoot?",
        unit=unit.id,
        options=ids([game.state.position.units[name] for name in targets]),
        minimum=0,
        maximum=min(2, len(targets)),
    )
    assert isinstance(answer, Chosen)
    for weapon, enemies in reached.items():
        chosen = [enemy.id for enemy in enemies if enemy.id in answer.ids]
        if len(chosen) > 1:
            name = unit.facts.weapons[weapon].name
            split = yield ask(game, unit, "GFF.SHOOT.1", "target", f"At whom with {name}?", chosen)
            assert isinstance(split, Chosen)
            chosen = list(split.ids)
        if chosen:
            yield from fire(game, unit, weapon, game.state.position.units[chosen[0]])


def firing(game: Battle, unit: Unit, weapon: int, target: Unit) -> tuple[int, ...]:
    """Return the models in range and sight of a target."""
    far = unit.facts.weapons[weapon].range or 0.0
    near = game.field.gaps(unit, target) <= far + TOLERANCE
    able = (near & game.field.visible(unit, target)).any(axis=1)
    return tuple(row for row, can in zip(unit.rows, able, strict=True) if can)


def fire(game: Battle, unit: Unit, weapon: int, target: Unit) -> Steps[None]:
    rows = firing(game, unit, weapon, target) if target.rows else ()
    if rows:
        worse = 1 if has(unit, "bad shot") else 0
        shots = tuple(Shot(model=row, weapon=weapon, target=target.id) for row in rows)
        game.log(ev.Targeted(unit=unit.id, shots=shots), "GFF.SHOOT.1")
        block = in_cover(game, target)
        unsaved = attack(game, unit, target, weapon, rows, worse=worse, block=block, cause="GFF.SHOOT.1")
        yield from suffer(game, target, unsaved, unit)


def in_cover(game: Battle, unit: Unit) -> int:
    """Return 1 where most models are inside terrain that covers. Rule: GFF.TER.1."""
    pieces = [t.footprint for t in game.state.position.terrain.values() if t.kind in COVER]
    inside = sum(game.field.within_zone(unit, ring).astype(int) for ring in pieces)
    return int(bool(pieces) and bool(2 * (inside > 0).sum() > len(unit.rows)))  # type: ignore[union-attr]


# melee


def charge(game: Battle, unit: Unit, near: list[Unit]) -> Steps[None]:
    """Charge one unit and fight it. Rule: GFF.MELEE.1, GFF.MELEE.2, GFF.MOVE.2."""
    names = [enemy.id for enemy in near]
    answer = yield ask(game, unit, "GFF.ACT.1", "charge", f"Whom does {unit.name} charge?", names)
    assert isinstance(answer, Chosen)
    foe = game.state.position.units[answer.ids[0]]
    if not (yield from walk(game, unit, "charge", CHARGE, "GFF.MOVE.2", (foe.id,))):
        return
    yield from walk(game, foe, "pile-in", STEP_UP, "GFF.MELEE.1")
    yield from strike(game, unit, foe, charging=True)
    if foe.rows:
        prompt = f"Does {foe.name} strike back?"
        said = yield YesNo(
            seats=(foe.player,), rule="GFF.MELEE.1", decision="strike-back", prompt=prompt, unit=foe.id
        )
        assert isinstance(said, Said)
        if said.yes:
            yield from strike(game, foe, unit)
    if unit.rows and foe.rows:
        # The unit must be more than one inch away, hence the tolerances; farther off, it need not move.
        if game.field.engaged(unit, foe):
            yield from walk(game, unit, "fall-back", BACK_OFF + 10 * TOLERANCE, "GFF.MELEE.2")
    elif unit.rows or foe.rows:
        yield from walk(game, unit if unit.rows else foe, "normal", GO_ON, "GFF.MELEE.2")


def strike(game: Battle, unit: Unit, foe: Unit, charging: bool = False) -> Steps[None]:
    """Strike with all melee weapons, and be fatigued by it.

    Rule: GFF.MELEE.1, GFF.MELEE.3, GFF.SHK.1.
    """
    tired = "fatigued" in unit.marks or "shaken" in unit.marks
    mark(game, unit, "fatigued", True, "GFF.MELEE.3", "round")
    level = (
        game.state.position.table.z[list(unit.rows)][:, None] - game.state.position.table.z[list(foe.rows)]
    )
    near = (game.field.gaps(unit, foe) <= STRIKE + TOLERANCE) & (abs(level) <= STRIKE_UP + TOLERANCE)
    rows = tuple(row for row, is_near in zip(unit.rows, near.any(axis=1), strict=True) if is_near)
    for weapon, facts in enumerate(unit.facts.weapons):
        if facts.is_melee and rows and foe.rows:
            furious = charging and has(unit, "furious")
            unsaved = attack(game, unit, foe, weapon, rows, sixes=tired, furious=furious, cause="GFF.MELEE.1")
            yield from suffer(game, foe, unsaved, unit)


# the end of a round


def end_round(game: Battle) -> Steps[bool]:
    """Test morale, settle the objective markers, and hand the first go on.

    Rule: GFF.MOR.1, GFF.OBJ.1, GFF.TURN.1.
    """
    for side in (PLAYERS, HORDE):
        yield from morale(game, side)
    for objective in game.state.position.objectives.values():
        near = {u.side for u in game.state.position.on_table() if holds(game, u, objective)}
        by = objective.by if not near else next(iter(near)) if len(near) == 1 else ""
        if by != objective.by:
            players = ("p1",) if by == PLAYERS else ()
            event = ev.Controlled(objective=objective.facts.id, by=by, players=players)
            yield from game.happen(event, "GFF.OBJ.1")
    note(game, "go", str(game.state.marks.get("finished", PLAYERS)), "GFF.TURN.1")
    note(game, "finished", None, "GFF.TURN.1")
    left = [side for side in (PLAYERS, HORDE) if game.state.position.on_table(side)]
    if len(left) < 2 or game.state.round == game.state.rounds:
        held = {side: sum(o.by == side for o in game.state.position.objectives.values()) for side in left}
        best = [side for side in left if held[side] == max(held.values())]
        winners = tuple("p1" if side == PLAYERS else HORDE for side in best)
        game.log(
            ev.BattleEnded(winners=winners, reason="one side is left" if len(left) < 2 else "time is up")
        )
    return False


def holds(game: Battle, unit: Unit, objective: Any) -> bool:
    """Return whether a unit seizes or contests a marker. Rule: GFF.OBJ.1, GFF.SHK.1."""
    return "shaken" not in unit.marks and bool(game.field.in_range_of(unit, objective).any())


def morale(game: Battle, side: Side) -> Steps[None]:
    """Test every unit of a side that is down to half of its units or fewer. Rule: GFF.MOR.1."""
    fielded = [unit for unit in game.state.position.units.values() if unit.side == side]
    living = game.state.position.on_table(side)
    if 2 * len(living) > len(fielded):
        return
    for unit in living:
        was_shaken = "shaken" in unit.marks
        need = characteristic(game, unit, "Quality")
        passed = not was_shaken and succeeds(roll(game, "morale", unit, need), need)
        if not passed and has(unit, "fearless"):
            passed = succeeds(roll(game, "fearless", unit, 4), 4)
        if passed:
            continue
        if was_shaken:
            yield from knock_out(game, unit, "", "GFF.MOR.1")
        else:
            shake(game, unit, "GFF.MOR.1")


FIREFIGHT = Edition(
    id="firefight",
    check=faults,
    language=Language.of(numbers=(NUMBERS,), questions=(QUESTIONS,)),
    parameters=Parameters(
        engagement=1.0,
        spacing=Spacing(reach=1.0, vertical=4.0, two_from=99),
        keep_off_friends=True,
        pile_in=STEP_UP,
    ),
    steps=(
        Step("setup.deploy", "setup", set_up),
        Step("activations", "", activate),
        Step("end-of-round", "", end_round),
    ),
)


def setup(board: BoardFacts = force.BOARD, rounds: int = ROUNDS) -> ev.Setup:
    players = (PlayerFacts(id="p1", name="p1"),)
    return ev.Setup(ruleset=FIREFIGHT.id, board=board, players=players, rounds=rounds)


def skirmish(
    seed: int, library: Any, rounds: int = ROUNDS, mustered: tuple[UnitFacts, ...] = (), **more: Any
) -> Battle:
    """Return a skirmish of two units a side at its first question."""
    origin = {"ruleset": FIREFIGHT.id, "seed": seed}
    return Battle(
        FIREFIGHT,
        library,
        seed,
        setup(rounds=rounds),
        rulebook=Rulebook(()),
        mustered=mustered or force.FIELDED,
        origin=origin,
        **more,
    )
