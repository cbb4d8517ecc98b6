"""Attacks in Firefight: Quality dice, Defense dice, and what wounds do to groups and models.

Owns nothing of which unit may attack which.
"""

from __future__ import annotations

from typing import Any

from engine.core import event as ev
from engine.core.event import NumberTrail
from engine.core.game import Game
from engine.core.request import Option, Order, Ordered, Steps
from engine.core.state import Unit


def has(unit: Unit, ability: str) -> bool:
    return ability in unit.facts.parts[0].abilities


def characteristic(game: Game, unit: Unit, name: str) -> int:
    return game.state.position.models[unit.rows[0]].facts.characteristics[name]


def toughness(unit: Unit) -> int:
    """Return from how many wounds on a model may be knocked out: Tough(X), 1 without it.

    Rule: GFF.WND.2.
    """
    found = [a for a in unit.facts.parts[0].abilities if a.startswith("tough ")]
    return int(found[0].split()[1]) if found else 1


def mark(game: Game, unit: Unit, key: str, value: Any, cause: str, until: str = "battle") -> None:
    game.log(ev.Marked(on=f"unit:{unit.id}", key=key, value=value, until=until), cause)


def attack(
    game: Game,
    unit: Unit,
    target: Unit,
    weapon: int,
    rows: tuple[int, ...],
    *,
    worse: int = 0,
    block: int = 0,
    sixes: bool = False,
    furious: bool = False,
    cause: str,
) -> int:
    """Return how many wounds get through: one Quality die each, one Defense die for each hit.

    Rule: GFF.GEN.1, GFF.SHOOT.1, GFF.MELEE.3.
    """
    facts = unit.facts.weapons[weapon]
    number = int(facts.attacks) * len(rows)
    printed = characteristic(game, unit, "Quality")
    need = 6 if sixes else printed + worse
    steps = ((cause, float(need)),) if need != printed else ()
    trail = NumberTrail(number="quality", base=printed, value=need, steps=steps)
    about = {"unit": unit.id, "target": target.id}
    dice = game.roll("quality", number, need=need, trail=trail, cause="GFF.GEN.1", **about)  # type: ignore[arg-type]
    hits = sum(succeeds(die, need) for die in dice)
    hits += sum(die == 6 for die in dice) if furious else 0
    unsaved = 0
    if hits:
        printed = characteristic(game, target, "Defense")
        need = printed - facts.ap - block
        trail = NumberTrail(number="defense", base=printed, value=need)
        dice = game.roll("defense", hits, need=need, trail=trail, cause="GFF.SHOOT.1", **about)  # type: ignore[arg-type]
        unsaved = sum(not succeeds(die, need) for die in dice)
    game.log(
        ev.Attacked(
            unit=unit.id,
            target=target.id,
            weapon=facts.name,
            models=rows,
            attacks=number,
            hits=hits,
            critical_hits=0,
            wounds=hits,
            critical_wounds=0,
            unsaved=unsaved,
        ),
        cause,
    )
    return unsaved


def succeeds(die: int, need: int) -> bool:
    """Return whether a die succeeds: a natural 6 always, a 1 never. Rule: GFF.GEN.1."""
    return die == 6 or (die != 1 and die >= need)


def suffer(game: Game, unit: Unit, wounds: int, by: Unit) -> Steps[None]:
    """Take wounds: models of a group go until one is left, which gathers them.

    Rule: GFF.WND.1, GFF.WND.3.
    """
    spare = len(unit.rows) - 1
    if wounds > 0 and spare:
        rows = yield from order_of_loss(game, unit, wounds)
        for row in rows[: min(wounds, spare)]:
            game.log(ev.Destroyed(unit=unit.id, model=row, by=by.id), "GFF.WND.3")
        wounds -= min(wounds, spare)
    if wounds <= 0:
        return
    markers = unit.marks.count("wounds") + wounds
    mark(game, unit, "wounds", markers, "GFF.WND.1")
    tough = toughness(unit)
    if markers < tough:
        return
    shaken = "shaken" in unit.marks
    out = 5 + tough
    die = game.roll("wound", unit=unit.id, need=out - markers - shaken, cause="GFF.WND.1")[0]
    if die + markers + shaken >= out:
        yield from knock_out(game, unit, by.id, "GFF.WND.1")
    else:
        shake(game, unit, "GFF.WND.1")


def order_of_loss(game: Game, unit: Unit, wounds: int) -> Steps[list[int]]:
    """Return the models in the order in which they are removed, as their player wants it."""
    if wounds >= len(unit.rows):
        return list(unit.rows)
    items = tuple(Option(id=str(row), label=f"model {row}") for row in unit.rows)
    prompt = f"Which models of {unit.name} are removed first?"
    answer = yield Order(
        seats=(unit.player,),
        rule="GFF.WND.3",
        decision="allocation",
        prompt=prompt,
        unit=unit.id,
        items=items,
    )
    assert isinstance(answer, Ordered)
    return [int(each) for each in answer.ids]


def knock_out(game: Game, unit: Unit, by: str, cause: str) -> Steps[None]:
    for row in unit.rows:
        game.log(ev.Destroyed(unit=unit.id, model=row, by=by), cause)
    yield from game.happen(ev.UnitDestroyed(unit=unit.id, by=by), cause)


def shake(game: Game, unit: Unit, cause: str) -> None:
    mark(game, unit, "shaken", True, cause)


def roll(game: Game, kind: str, unit: Unit, need: int) -> int:
    return game.roll(kind, unit=unit.id, need=need, cause="GFF.MOR.1")[0]
