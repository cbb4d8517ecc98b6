"""Actions: which a unit may start, what breaks them, and what completing them does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from datasheets.rule import Rule
from engine.core import event as ev
from engine.core.ruleset import Steps
from engine.core.state import Unit
from engine.records.interpreter import carry_out
from engine.w40k.verbs.effects import Act

if TYPE_CHECKING:
    from engine.core.game import Game
    from engine.records.compiled import Proposal

KEEPS_ACTION = ("pile-in", "consolidate")


def actions_for(game: Game, unit: Unit) -> tuple[Rule, ...]:
    """Return the rules whose action the unit may start now. Rule: ACTION.1."""
    offers = [offer for offer in _offers(game, unit) if _is_open(game, offer, unit)]
    if not offers or not may_act(game, unit):
        return ()
    return tuple(offer.rule for offer in offers)


def _offers(game: Game, unit: Unit) -> list[Proposal]:
    """Return the actions of the missions in play, and of the unit's player's secrets."""
    active = {card for deck in game.state.decks.values() for card in deck.active}
    player = game.state.players.get(unit.player)
    secrets = player.secrets if player else ()
    return [
        offer
        for offer in game.rulebook.offers("shooting")
        if offer.rule.id in active or offer.rule.id in secrets or offer.rule.id in game.state.rules
    ]


def _is_open(game: Game, offer: Proposal, unit: Unit) -> bool:
    begun = game.state.rule_marks.get(offer.rule.id)
    if offer.clause.count and begun is not None and begun.count("begun") >= offer.clause.count:
        return False
    if offer.condition is None:
        return True
    context = game.query.context({"unit": unit, "seat": unit.player, "this": offer.rule.id})
    return bool(game.query.vocabulary.evaluate(offer.condition, context))


def may_act(game: Game, unit: Unit) -> bool:
    """Return whether the unit may do an action at all. Rule: ACTION.1, CORE.ACT.1."""
    from engine.w40k.activation.objective import control
    from engine.w40k.phase.shooting import is_eligible_to_shoot

    if unit.has("AIRCRAFT") or any(m in unit.marks for m in ("battle-shocked", "advanced", "fell-back")):
        return False
    models = game.state.position.alive(unit)
    if all(control(game, unit, m.facts.characteristics.get("OC", 0)) <= 0 for m in models):
        return False
    titan = unit.has("TITANIC") and unit.has("CHARACTER")
    if titan and game.field.engaged_with(unit):
        return "shot" not in unit.marks and "action" not in unit.marks
    return is_eligible_to_shoot(game, unit)


def begin_action(game: Game, unit: Unit, rule: Rule) -> Steps[None]:
    """Start an action. Rule: ACTION.2."""
    marks = game.state.rule_marks.get(rule.id)
    begun = (marks.count("begun") if marks else 0) + 1
    game.log(ev.Marked(on=f"rule:{rule.id}", key="begun", value=begun, until="turn"), rule.clause)
    yield from game.happen(ev.ActionBegan(unit=unit.id, rule=rule.id), rule.clause)


def complete_actions(game: Game, moment: str) -> Steps[None]:
    """Complete every action that ends at this moment; an Attached unit may have lost a part meanwhile.

    Rule: ACTION.2, CORE.ACT.4, CORE.ACT.5.
    """
    for unit in list(game.state.position.units.values()):
        name = str(unit.marks.get("action", ""))
        if name not in game.rulebook:
            continue
        offer = next((o for o in game.rulebook.compiled(name).offers if o.clause.at == "shooting"), None)
        if offer is None or offer.clause.ends != moment:
            continue
        completed = unit.where == "table" and bool(unit.rows) and "battle-shocked" not in unit.marks
        yield from end_action(game, unit, offer.rule, completed)


def end_action(game: Game, unit: Unit, rule: Rule, completed: bool) -> Steps[None]:
    """End a unit's action, with what completing it does."""
    yield from game.happen(ev.ActionEnded(unit=unit.id, rule=rule.id, completed=completed), rule.clause)
    if not completed:
        return
    for offer in game.rulebook.compiled(rule.id).offers:
        if offer.clause.at == "shooting":
            names = {"unit": unit, "seat": unit.player, "this": rule.id, "owner": unit.player}
            yield from carry_out(game, offer.verbs, Act(game, rule, game.query.context(names)))


def break_action(game: Game, event: ev.Event | None) -> Steps[None]:
    """Fail the action of a unit that moves, is shocked or leaves the table. Rule: CORE.ACT.3."""
    unit = game.state.position.units.get(getattr(event, "unit", ""))
    if unit is None or "action" not in unit.marks:
        return
    if isinstance(event, ev.Moved) and event.kind_of_move in KEEPS_ACTION:
        return
    yield from end_action(game, unit, game.rulebook.rule(str(unit.marks.get("action"))), False)


def command_actions(game: Game) -> Steps[bool]:
    """Complete the actions that end with the players' next Command phase."""
    yield from complete_actions(game, "players.command")
    return False


def turn_actions(game: Game) -> Steps[bool]:
    """Complete the actions that end with the turn."""
    yield from complete_actions(game, "turn-ended")
    return False
