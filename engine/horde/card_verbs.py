"""The verbs that single rules need: units that players buy, their sacrifice, and what is judged late.

The verbs of every day, and the list itself, are `engine.w40k.verbs.effects`'s.
"""

from __future__ import annotations

from typing import Any

from datasheets.rule import Rule
from engine.core import event as ev
from engine.core.request import Choose, Chosen, Option, Steps
from engine.core.state import Model, Unit
from engine.w40k.numbers import ENHANCED
from engine.w40k.verbs.effects import Act, verb


@verb
def reinforce(act: Act, seat: str) -> Steps[None]:
    """Add a unit of a bracket rolled on the player's own table to its reserves. Rule: BUY.reinforcements."""
    from engine.horde.steps import recruit

    yield from recruit.reinforcements(act.battle, seat, act.cause)


@verb
def promote(act: Act, unit: Unit) -> Steps[None]:
    """Destroy a unit and set another up in its place, if its player pays. Rule: BUY.field-promotion."""
    from engine.horde.steps import recruit

    yield from recruit.promote(act.battle, unit, act.cause, act.rule.id)


@verb
def patch_up(act: Act, unit: Unit) -> Steps[None]:
    """Return a unit to its Starting Strength with its lost leaders, for its bracket's price.

    Rule: BUY.patched-up.
    """
    from engine.horde.steps import recruit
    from engine.w40k.attack import returning

    if recruit.pay(act.battle, unit.player, recruit.bracket_price(act.battle, unit), act.rule.id):
        yield from returning.restore(act.battle, unit, act.cause, leaders=True)


@verb
def sacrifice(act: Act) -> Steps[None]:
    """Let each player vote for a unit of the team: it is destroyed, or a random one of those named.

    Rule: MISERY.18.
    """
    from engine.w40k.attack.damage import destroy_unit
    from engine.w40k.phase.deploy import players_alive

    battle = act.battle
    units = battle.state.position.on_table("players")
    if not units:
        return
    votes: list[str] = []
    for seat in players_alive(battle.state):
        answer = yield Choose(
            seats=(seat,),
            rule=act.cause,
            decision="sacrifice",
            prompt="Which unit is given to the Horde?",
            options=tuple(Option(id=unit.id, label=unit.name) for unit in units),
        )
        assert isinstance(answer, Chosen)
        votes.append(answer.ids[0])
    named = sorted(set(votes))
    chosen = named[0] if len(named) == 1 else named[battle.pick("sacrifice", len(named), cause=act.cause)]
    yield from destroy_unit(battle, battle.state.position.units[chosen], cause=act.cause)


@verb
def spawn_into_reserves(act: Act) -> Steps[None]:
    """Spawn one Horde unit more, which arrives behind the players' lines. Rule: MISERY.13."""
    from engine.horde.steps import spawn

    yield from spawn.spawn_into_reserves(act.battle)


@verb
def complete_secret(act: Act, completed: bool = True) -> Steps[None]:
    """Mark the secret objective that is this rule as completed, if it is, revealed before or not."""
    seat = str(act.context["owner"])
    if completed and act.rule.id not in act.battle.state.players[seat].completed:
        yield from act.battle.happen(
            ev.SecretRevealed(player=seat, card=act.rule.id, completed=True), act.cause
        )


@verb
def clear(act: Act, thing: Any, key: str) -> None:
    """Wipe a mark off a unit, player, objective or marker, if it bears it."""
    from engine.records.interpreter import marks_of, place_of

    if key in marks_of(act.battle, thing):
        act.battle.log(ev.Marked(on=place_of(thing), key=key, value=None), act.cause)


@verb
def list_up(act: Act, thing: Any, key: str, name: str) -> None:
    """Add a word to a list that is kept on a unit, player, objective or marker for the battle."""
    from engine.records.interpreter import marks_of, place_of

    names = marks_of(act.battle, thing).names(key)
    act.battle.log(ev.Marked(on=place_of(thing), key=key, value=(*names, name), until="battle"), act.cause)


@verb
def enhance(act: Act, model: Model, rule: Rule) -> None:
    """Give a model an enhancement. Rule: BUY.name-earned."""
    act.battle.log(ev.Marked(on=f"unit:{model.unit}", key=f"{ENHANCED}{model.row}", value=rule.id), act.cause)


@verb
def strip(act: Act, unit: Unit) -> None:
    """Take all enhancements from a unit's models. Rule: MISERY.23."""
    for key in [key for key in unit.marks.values if key.startswith(ENHANCED)]:
        act.battle.log(ev.Marked(on=f"unit:{unit.id}", key=key, value=None), act.cause)
