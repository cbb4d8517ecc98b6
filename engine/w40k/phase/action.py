"""Actions: which a unit may start, what breaks them, and what completing them does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from datasheets.rule import Rule
from engine.core import event as ev
from engine.core.marks import name_of
from engine.core.request import Steps
from engine.core.state import Unit
from engine.records.choice import choose, is_possible
from engine.records.interpreter import carry_out
from engine.records.language import Act
from engine.w40k.activation.objective import control
from engine.w40k.activation.unit_choice import mark
from engine.w40k.attack.eligibility import is_eligible_to_shoot

if TYPE_CHECKING:
    from engine.records.compiled import Choice, Proposal
    from engine.w40k.battle import Battle

KEEPS_ACTION = ("pile-in", "consolidate")

BREAKS_ACTION = ("moved", "shocked", "reserved", "embarked", "removed")
"""Events that may end a unit's action. Rule: ACTION.1, ACTION.2."""
CHOSEN = "action:"
"""How the marks begin that name what an action is done on; the pick's name follows."""


def actions_for(battle: Battle, unit: Unit) -> tuple[Rule, ...]:
    """Return the rules whose action the unit may start now. Rule: ACTION.1."""
    offers = [offer for offer in _offers(battle, unit) if _is_open(battle, offer, unit)]
    if not offers or not may_act(battle, unit):
        return ()
    return tuple(offer.rule for offer in offers)


def _offers(battle: Battle, unit: Unit) -> list[Proposal]:
    """Return the actions of the missions in play, and of the unit's player's secrets."""
    active = {card for deck in battle.state.decks.values() for card in deck.active}
    player = battle.state.players.get(unit.player)
    secrets = [card for card in player.secrets if card not in player.completed] if player else []
    return [
        offer
        for offer in battle.rulebook.offers("shooting")
        if offer.rule.id in active or offer.rule.id in secrets or offer.rule.id in battle.state.rules
    ]


def _is_open(battle: Battle, offer: Proposal, unit: Unit) -> bool:
    begun = battle.state.rule_marks.get(offer.rule.id)
    if offer.clause.count and begun is not None and begun.count("begun") >= offer.clause.count:
        return False
    context = battle.query.context(_names(unit, offer.rule))
    if offer.condition is not None and not battle.query.evaluate(offer.condition, context):
        return False
    return is_possible(battle, offer.choices, context)


def _names(unit: Unit, rule: Rule) -> dict[str, object]:
    return {"unit": unit, "seat": unit.player, "this": rule.id, "owner": unit.player}


def may_act(battle: Battle, unit: Unit) -> bool:
    """Return whether the unit may start an action at all. Rule: ACTION.1, CORE.ACT.1."""
    if not _is_able(battle, unit):
        return False
    if battle.field.engaged_with(unit):
        return "shot" not in unit.marks and "action" not in unit.marks
    return is_eligible_to_shoot(battle, unit)


def _is_able(battle: Battle, unit: Unit) -> bool:
    """Return whether nothing keeps the unit from an action, at its start or end. Rule: ACTION.1"""
    if unit.has("AIRCRAFT") or any(m in unit.marks for m in ("battle-shocked", "advanced", "fell-back")):
        return False
    models = battle.state.position.alive(unit)
    if all(control(battle, unit, each) <= 0 for each in models):
        return False
    titan = unit.has("TITANIC") and unit.has("CHARACTER")
    return titan or not battle.field.engaged_with(unit)


def begin_action(battle: Battle, unit: Unit, rule: Rule) -> Steps[None]:
    """Start an action, and choose what it is done on, if anything. Rule: ACTION.2."""
    for offer in _of(battle, rule):
        context = battle.query.context(_names(unit, rule))
        chosen = yield from choose(battle, offer.choices, context, unit.player, rule, sure=True)
        for name, thing in (chosen or {}).items():
            mark(battle, unit, f"{CHOSEN}{name}", name_of(thing), "battle", rule.clause)
    marks = battle.state.rule_marks.get(rule.id)
    begun = (marks.count("begun") if marks else 0) + 1
    battle.log(ev.Marked(on=f"rule:{rule.id}", key="begun", value=begun, until="turn"), rule.clause)
    yield from battle.happen(ev.ActionBegan(unit=unit.id, rule=rule.id), rule.clause)


def complete_actions(battle: Battle, moment: str) -> Steps[None]:
    """Complete every action that ends at this moment.

    An Attached unit may have lost a part meanwhile. Rule: ACTION.2, CORE.ACT.4, CORE.ACT.5.
    """
    for unit in list(battle.state.position.units.values()):
        name = str(unit.marks.get("action", ""))
        if name not in battle.rulebook:
            continue
        rule = battle.rulebook.rule(name)
        if all(offer.clause.ends != moment for offer in _of(battle, rule)):
            continue
        completed = unit.where == "table" and bool(unit.rows) and _is_able(battle, unit)
        yield from end_action(battle, unit, rule, completed)


def _of(battle: Battle, rule: Rule) -> list[Proposal]:
    """Return the action of a rule."""
    return [offer for offer in battle.rulebook.compiled(rule.id).offers if offer.clause.at == "shooting"]


def end_action(battle: Battle, unit: Unit, rule: Rule, completed: bool) -> Steps[None]:
    """End a unit's action, with what completing it does."""
    yield from battle.happen(ev.ActionEnded(unit=unit.id, rule=rule.id, completed=completed), rule.clause)
    for offer in _of(battle, rule):
        chosen = {choice.pick.name: _chosen(battle, unit, choice) for choice in offer.choices}
        if completed:
            context = battle.query.context({**_names(unit, rule), **chosen})
            yield from carry_out(battle, offer.verbs, Act(rule, context))


def _chosen(battle: Battle, unit: Unit, choice: Choice) -> object:
    """Return what was chosen as the unit's action began, and forget it; None once it is gone."""
    key = f"{CHOSEN}{choice.pick.name}"
    name = unit.marks.get(key, "")
    if key in unit.marks:
        battle.log(ev.Marked(on=f"unit:{unit.id}", key=key, value=None))
    things = battle.query.language.kinds[choice.of.kind].things(battle) if choice.of else ()
    return next((thing for thing in things if name_of(thing) == name), None)


def break_action(battle: Battle, event: ev.Event | None) -> Steps[None]:
    """Fail the action of a unit that moves, is shocked or leaves the table. Rule: CORE.ACT.3."""
    unit = battle.state.position.units.get(getattr(event, "unit", ""))
    if unit is None or "action" not in unit.marks:
        return
    if isinstance(event, ev.Moved) and event.kind_of_move in KEEPS_ACTION:
        return
    yield from end_action(battle, unit, battle.rulebook.rule(str(unit.marks.get("action"))), False)


def command_actions(battle: Battle) -> Steps[bool]:
    """Complete the actions that end with the players' next Command phase."""
    yield from complete_actions(battle, "players.command")
    return False


def turn_actions(battle: Battle) -> Steps[bool]:
    """Complete the actions that end with the turn."""
    yield from complete_actions(battle, "turn-ended")
    return False
