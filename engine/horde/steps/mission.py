"""Secondary missions and supply: revealed as a round starts, counted up as it ends, paid in SP."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from engine.core import event as ev
from engine.core.facts import PLAYERS
from engine.core.ruleset import Steps
from engine.horde.steps import card
from engine.records.interpreter import fire_own
from engine.records.question import Number
from engine.records.sequence import matter_of_card, may_matter, ordered
from engine.w40k.activation.objective import update
from engine.w40k.activation.unit_choice import note
from engine.w40k.phase.deploy import players_alive

if TYPE_CHECKING:
    from engine.core.game import Game

SECONDARY = "secondary"
MISSIONS_ORDER = "missions-order"
"""The mark of the battle with the missions in the order in which they are counted up."""


def reveal_mission(game: Game) -> Steps[bool]:
    """Reveal the round's secondary mission. Rule: ROUND.1, S.B02."""
    if SECONDARY in game.state.decks:
        yield from reveal(game, "ROUND.1")
    return False


def reveal(game: Game, cause: str) -> Steps[None]:
    """Reveal one secondary mission more."""
    name = card.draw(game, SECONDARY, cause)
    if name is not None:
        yield from card.resolve(game, name, SECONDARY)


def start_rewards(game: Game) -> Steps[bool]:
    """Carry out what happens as the round starts, after the cards. Rule: ROUND.1."""
    yield from game.fire("start-of-round", None)
    return False


def spawn_modifier(game: Game, zone: str, first: bool) -> Number:
    """Return what is added to the spawn roll of a zone; `first` for the round's first one.

    Rule: ROUND.2, ROUND.3, R.A72, R.A82.
    """
    return game.query.number("spawn.modifier", 0, zone=zone, first=first)


def supply(game: Game) -> Steps[bool]:
    """Give every player SP for the objective markers that the players control. Rule: SP.1, R.A78."""
    yield from update(game)
    held = sum(objective.by == PLAYERS for objective in game.state.position.objectives.values())
    for seat in players_alive(game.state):
        income = int(game.query.number("supply.income", held, player=seat).value)
        if income > 0:
            total = game.state.players[seat].sp + income
            game.log(ev.Gained(player=seat, what="sp", amount=income, total=total), "SP.1")
    return False


def resolve_missions(game: Game) -> Steps[bool]:
    """Count up one revealed mission. Rule: ROUND.3."""
    if "round-closing" not in game.state.marks:
        note(game, "round-closing", True, "round")
        yield from update(game)
        yield from game.fire("end-of-round", None)
        return True
    active = game.state.decks[SECONDARY].active if SECONDARY in game.state.decks else ()
    if not active:
        return False
    name = yield from _next_mission(game, active)
    yield from _count_up(game, name)
    return True


def _next_mission(game: Game, active: tuple[str, ...]) -> Steps[str]:
    """Return which of the revealed missions is counted up next: as the players order them, where it matters.

    Rule: CORE.SEQ.1, R.ORDER
    """
    known = game.state.marks.names(MISSIONS_ORDER)
    if not known and len(active) > 1:
        rules = [game.rulebook.compiled(name) for name in active]
        if any(may_matter(matter_of_card(a), matter_of_card(b)) for a, b in combinations(rules, 2)):
            order = yield from ordered(game, [(each.rule.name, PLAYERS) for each in rules])
            known = tuple(active[i] for i in order)
            note(game, MISSIONS_ORDER, known, "round")
    return next((name for name in known if name in active), active[0])


def _count_up(game: Game, name: str) -> Steps[None]:
    compiled = game.rulebook.compiled(name)
    if compiled.success is not None:
        context = game.query.context({"this": name})
        success = bool(game.query.vocabulary.evaluate(compiled.success, context))
        tally = game.state.marks.count(name)
        event = ev.MissionResolved(card=name, success=success, tally=tally)
        yield from game.happen(event, compiled.rule.clause)
        outcome = "success" if success else "failure"
        key = f"missions-{outcome}"
        note(game, key, game.state.marks.count(key) + 1, "battle")
        yield from fire_own(game, name, outcome)
    if name in game.state.decks[SECONDARY].active:
        game.log(ev.CardDiscarded(deck=SECONDARY, card=name), "ROUND.3")


def save(game: Game, name: str, cause: str) -> Steps[None]:
    """Give a mission's card to a random surviving player, to be used later."""
    alive = players_alive(game.state)
    if alive:
        seat = alive[0] if len(alive) == 1 else alive[game.pick("save-card", len(alive), cause=cause)]
        yield from game.happen(ev.CardDiscarded(deck=SECONDARY, card=name, to=seat), cause)
