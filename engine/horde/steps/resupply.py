"""The Resupply step: players in turn buy from its table, with SP or saved mission cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from datasheets.rule import Rule
from engine.core import event as ev
from engine.core.request import Choose, Chosen, Option, Steps
from engine.core.ware import Closed
from engine.horde.steps.card import undo_in_play
from engine.records.choice import choose, is_possible
from engine.records.compiled import Proposal
from engine.records.context import Context
from engine.records.expression import Expression
from engine.records.interpreter import carry_out
from engine.records.language import Act
from engine.w40k.activation import turn_taking
from engine.w40k.activation.payer import in_game, names_for
from engine.w40k.activation.turn_taking import DONE, PASS
from engine.w40k.activation.unit_choice import note

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


STEP = "resupply"
FREE = "free"
"""What stands for a card where a mission gave one use without a card."""


class Way(msgspec.Struct, frozen=True):
    """A purchase that a player may make now: what it costs, or the saved card that pays for it."""

    proposal: Proposal
    price: int
    card: str = ""
    buyers: tuple[str, ...] = ()
    """In whose name it may be made; whose own points pay for it, one alone. Rule: SECRET.29"""

    @property
    def rule(self) -> Rule:
        """Return the purchase."""
        return self.proposal.rule

    @property
    def id(self) -> str:
        """Return the name under which it is offered."""
        return f"{self.card}+{self.rule.id}" if self.card else self.rule.id


def resupply(battle: Battle) -> Steps[bool]:
    """Ask a player for a purchase, until all are done that could buy.

    Rule: PLAY.1, PLAY.8, SP.4, WIN.3.
    """
    playing = in_game(battle)
    for each in playing:
        if not turn_taking.is_done(battle, each, STEP) and (yield from undo_in_play(battle, each)):
            return True
    ways = {each: offered(battle, each) for each in playing}
    able = [each for each, those in ways.items() if those]
    seat = turn_taking.next_seat(battle, able, STEP)
    if seat is None:
        return False
    answer = yield Choose(
        seats=(seat,),
        rule="SP.4",
        decision="purchase",
        prompt=f"{battle.state.players[seat].facts.name} has {battle.state.players[seat].sp} SP. Buy what?",
        options=(
            *(Option(id=way.id, label=_label(battle, way)) for way in ways[seat]),
            *turn_taking.ways_out(battle, seat, able, STEP, "Done buying"),
        ),
    )
    assert isinstance(answer, Chosen)
    if answer.ids[0] == DONE:
        turn_taking.finish(battle, seat, STEP, "SP.4", supply=battle.state.players[seat].sp)
    elif answer.ids[0] == PASS:
        turn_taking.let_others(battle, seat, STEP, "SP.4")
    else:
        turn_taking.acts(battle, seat, STEP, "SP.4")
        yield from _buy(battle, seat, next(way for way in ways[seat] if way.id == answer.ids[0]))
    return True


def _label(battle: Battle, way: Way) -> str:
    if way.card == FREE:
        return f"{way.rule.name} (free)"
    if way.card:
        price = f" and {way.price} SP" if way.price else ""
        return f"{way.rule.name} (for the card {battle.rulebook.rule(way.card).name}{price})"
    if not way.proposal.price:
        return f"{way.rule.name} (as many SP as are rolled)"
    return f"{way.rule.name} ({way.price} SP)"


def offered(battle: Battle, seat: str) -> list[Way]:
    """Return what the player may buy now: allowed, within its limits, possible and paid for.

    A player that is lost and goes on buys in the name of any survivor. Rule: SP.4, R.A96, S.B06, SECRET.29.
    """
    ways: dict[str, Way] = {}
    buyers = names_for(battle, seat)
    for proposal in battle.rulebook.offers("resupply"):
        for buyer in buyers:
            paid = _paid_for(battle, seat, buyer, proposal)
            for way in paid if paid and is_open(battle, buyer, proposal, seat) else ():
                known = ways.setdefault(way.id, way)
                ways[way.id] = msgspec.structs.replace(known, buyers=(*known.buyers, buyer))
    return list(ways.values())


def _paid_for(battle: Battle, seat: str, buyer: str, proposal: Proposal) -> list[Way]:
    """Return the ways in which the player can pay for a purchase in a buyer's name now."""
    player = battle.state.players[seat]
    price = price_of(battle, buyer, proposal)
    ways = [Way(proposal, price), *_by_cards(battle, seat, proposal, price)]
    free = [Way(proposal, 0, FREE)] if player.marks.count(f"free:{proposal.rule.id}") > 0 else []
    most = player.sp if battle.query.may("spend-sp", player=seat) else 0
    return [way for way in ways if way.price <= most] + free


def _by_cards(battle: Battle, seat: str, proposal: Proposal, price: int) -> list[Way]:
    """Return the ways in which the player's saved mission cards pay for a purchase. Rule: S.B06."""
    saved = [
        battle.rulebook.rule(card) for card in battle.state.players[seat].saved if card in battle.rulebook
    ]
    return [
        Way(proposal, max(0, price - card.discount) if card.discount else 0, card.id)
        for card in saved
        if card.frees and card.frees in (*proposal.rule.tags, proposal.rule.id)
    ]


def is_open(battle: Battle, seat: str, proposal: Proposal, payer: str) -> bool:
    """Return whether a purchase may be made at all in this player's name now."""
    return not closed(battle, seat, proposal, payer)


def closed(battle: Battle, seat: str, proposal: Proposal, payer: str) -> Closed:
    """Return why a purchase may not be made at all in this player's name now, "" where it may."""
    rule = proposal.rule
    if f"declined:{rule.id}" in battle.state.players[payer].marks:
        return "declined"
    if f"struck:{rule.id}" in battle.state.marks:
        return "struck"
    if proposal.clause.limit and _is_spent(battle, seat, proposal):
        return "limit"
    if not battle.query.may("buy", purchase=rule, player=seat):
        return "forbidden"
    context = purchase_context(battle, seat, proposal, payer)
    condition = proposal.condition
    if condition is not None and not battle.query.evaluate(condition, context):
        return "condition"
    return "" if is_possible(battle, proposal.choices, context) else "choice"


def _is_spent(battle: Battle, seat: str, proposal: Proposal) -> bool:
    marks = battle.state.marks if proposal.clause.limit_for == "team" else battle.state.players[seat].marks
    return f"bought:{proposal.rule.id}" in marks


def price_of(battle: Battle, seat: str, proposal: Proposal) -> int:
    """Return what a purchase costs this player in SP."""
    price = proposal.price
    if isinstance(price, Expression):
        price = float(battle.query.evaluate(price, purchase_context(battle, seat, proposal, seat)))
    return int(battle.query.number("buy.price", price, purchase=proposal.rule, player=seat).value)


def purchase_context(battle: Battle, seat: str, proposal: Proposal, payer: str) -> Context:
    """Return the names that the record of a purchase sees, bought in a seat's name."""
    names = {"seat": seat, "buyer": seat, "payer": payer, "this": proposal.rule.id, "purchase": proposal.rule}
    return battle.query.context(names)


def _buy(battle: Battle, seat: str, way: Way) -> Steps[None]:
    """Ask what the purchase needs, pay for it, and carry it out.

    A purchase that the player declines costs nothing.
    """
    buyer = way.buyers[0] if len(way.buyers) == 1 else (yield from _in_whose_name(battle, seat, way))
    context = purchase_context(battle, buyer, way.proposal, seat)
    chosen = yield from choose(battle, way.proposal.choices, context, seat, way.rule)
    if chosen is None:
        key = f"declined:{way.rule.id}"
        battle.log(ev.Marked(on=f"player:{seat}", key=key, value=True, until="phase"), way.rule.clause)
        return
    yield from _pay(battle, seat, buyer, way)
    act = Act(way.rule, context.with_names(**chosen))
    yield from carry_out(battle, way.proposal.verbs, act)


def _in_whose_name(battle: Battle, seat: str, way: Way) -> Steps[str]:
    """Ask a player that is lost and goes on in whose name it buys. Rule: SECRET.29."""
    answer = yield Choose(
        seats=(seat,),
        rule=way.rule.clause,
        decision="in-whose-name",
        prompt=f"In whose name is {way.rule.name} bought?",
        options=tuple(
            Option(id=name, label=battle.state.players[name].facts.name or name) for name in way.buyers
        ),
    )
    assert isinstance(answer, Chosen)
    return answer.ids[0]


def _pay(battle: Battle, seat: str, buyer: str, way: Way) -> Steps[None]:
    """Pay, and count the purchase for limits and tallies. Rule: R.A79, R.A96, SECRET.29."""
    cause = way.rule.clause
    player = battle.state.players[seat]
    if way.card == FREE:
        free = f"free:{way.rule.id}"
        left = player.marks.count(free) - 1
        battle.log(ev.Marked(on=f"player:{seat}", key=free, value=left or None), cause)
        battle.log(ev.Marked(on=f"player:{seat}", key=f"paid:{way.rule.id}", value=1, until="phase"), cause)
    elif way.card:
        battle.log(ev.CardDiscarded(deck="secondary", card=way.card), battle.rulebook.rule(way.card).clause)
    if way.price:
        total = player.sp - way.price
        yield from battle.happen(ev.Spent(player=seat, what="sp", amount=way.price, total=total), cause)
    for tag in way.rule.tags:
        note(battle, f"bought:{tag}", battle.state.marks.count(f"bought:{tag}") + 1, "round")
    note(battle, f"bought:{way.rule.id}", battle.state.marks.count(f"bought:{way.rule.id}") + 1, "round")
    key = f"bought:{way.rule.id}"
    count = battle.state.players[buyer].marks.count(key) + 1
    battle.log(ev.Marked(on=f"player:{buyer}", key=key, value=count, until="round"), cause)
    event = ev.Purchased(player=buyer, rule=way.rule.id, price=way.price, tags=way.rule.tags)
    yield from battle.happen(event, cause)
