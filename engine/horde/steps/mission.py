"""Secondary missions, revealed as a round starts and counted up as it ends; and supply."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from engine.core import event as ev
from engine.core.facts import PLAYERS
from engine.core.request import Steps
from engine.horde.steps import card
from engine.records.interpreter import fire_own
from engine.records.question import Number
from engine.records.sequence import matter_of_card, may_matter, ordered
from engine.w40k.activation.objective import update
from engine.w40k.activation.payer import in_game
from engine.w40k.activation.unit_choice import note

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

SECONDARY = "secondary"
MISSIONS_ORDER = "missions-order"
"""The mark of the battle with the missions in the order in which they are counted up."""


def bring_forward(battle: Battle, event: ev.Event | None) -> Steps[None]:
    """Make what last round's missions brought count now. Rule: ROUND.3, R.A82."""
    for key in sorted(k for k in battle.state.marks.values if k.startswith("next:")):
        note(battle, "now:" + key.removeprefix("next:"), battle.state.marks.get(key), "round")
        note(battle, key, None)
    return
    yield


def reveal_mission(battle: Battle) -> Steps[bool]:
    """Reveal the round's secondary mission. Rule: ROUND.1, S.B02."""
    if SECONDARY in battle.state.decks:
        yield from reveal(battle, "ROUND.1")
    return False


def reveal(battle: Battle, cause: str) -> Steps[None]:
    """Reveal one secondary mission more."""
    name = card.draw(battle, SECONDARY, cause)
    if name is not None:
        yield from card.resolve(battle, name, SECONDARY)


def start_rewards(battle: Battle) -> Steps[bool]:
    """Carry out what happens as the round starts, after the cards. Rule: ROUND.1."""
    yield from battle.fire("start-of-round", None)
    return False


def spawn_modifier(battle: Battle, zone: str, first: bool) -> Number:
    """Return what is added to the spawn roll of a zone; `first` for the round's first one.

    Rule: ROUND.2, ROUND.3, R.A72, R.A82.
    """
    return battle.query.number("spawn.modifier", 0, zone=zone, first=first)


def supply(battle: Battle) -> Steps[bool]:
    """Give every player SP for the objective markers that the players control.

    Rule: SP.1, R.A78.
    """
    yield from update(battle)
    held = sum(objective.by == PLAYERS for objective in battle.state.position.objectives.values())
    for seat in in_game(battle):
        income = int(battle.query.number("supply.income", held, player=seat).value)
        if income > 0:
            total = battle.state.players[seat].sp + income
            battle.log(ev.Gained(player=seat, what="sp", amount=income, total=total), "SP.1")
    return False


def resolve_missions(battle: Battle) -> Steps[bool]:
    """Count up one revealed mission. Rule: ROUND.3."""
    if "round-closing" not in battle.state.marks:
        note(battle, "round-closing", True, "round")
        yield from update(battle)
        yield from battle.fire("end-of-round", None)
        return True
    active = battle.state.decks[SECONDARY].active if SECONDARY in battle.state.decks else ()
    if not active:
        return False
    name = yield from _next_mission(battle, active)
    yield from _count_up(battle, name)
    return True


def _next_mission(battle: Battle, active: tuple[str, ...]) -> Steps[str]:
    """Return which of the revealed missions is counted up next.

    The players order them where the order may matter.
    Rule: CORE.SEQ.1, R.ORDER
    """
    known = battle.state.marks.names(MISSIONS_ORDER)
    if not known and len(active) > 1:
        rules = [battle.rulebook.compiled(name) for name in active]
        matters = [matter_of_card(each, battle.query.language) for each in rules]
        if any(may_matter(one, other) for one, other in combinations(matters, 2)):
            order = yield from ordered(battle, [(each.rule.name, PLAYERS) for each in rules])
            known = tuple(active[i] for i in order)
            note(battle, MISSIONS_ORDER, known, "round")
    return next((name for name in known if name in active), active[0])


def _count_up(battle: Battle, name: str) -> Steps[None]:
    compiled = battle.rulebook.compiled(name)
    if compiled.success is not None:
        context = battle.query.context({"this": name})
        success = bool(battle.query.evaluate(compiled.success, context))
        tally = battle.state.marks.count(name)
        event = ev.MissionResolved(card=name, success=success, tally=tally)
        yield from battle.happen(event, compiled.rule.clause)
        outcome = "success" if success else "failure"
        key = f"missions-{outcome}"
        note(battle, key, battle.state.marks.count(key) + 1, "battle")
        yield from fire_own(battle, name, outcome)
    if name in battle.state.decks[SECONDARY].active:
        battle.log(ev.CardDiscarded(deck=SECONDARY, card=name), "ROUND.3")


def save(battle: Battle, name: str, cause: str) -> Steps[None]:
    """Give a mission's card to a random surviving player, to be used later."""
    alive = battle.state.players_alive()
    if alive:
        seat = alive[0] if len(alive) == 1 else alive[battle.pick("save-card", len(alive), cause=cause)]
        yield from battle.happen(ev.CardDiscarded(deck=SECONDARY, card=name, to=seat), cause)
