"""The Resupply step: players in turn buy from the resupply table, with SP or saved mission cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from datasheets.rule import Rule
from engine.core import event as ev
from engine.core.request import Choose, Chosen, Option, Steps
from engine.records.choice import choose, is_possible
from engine.records.compiled import Proposal
from engine.records.context import Context
from engine.records.expression import Expression
from engine.records.interpreter import carry_out
from engine.records.language import Act
from engine.w40k.activation.unit_choice import DONE, note

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


FREE = "free"
"""What stands for a card where a mission gave one use without a card."""


class Way(msgspec.Struct, frozen=True):
    """A purchase that a player may make now: what it costs, or the saved card that pays for it."""

    proposal: Proposal
    price: int
    card: str = ""

    @property
    def rule(self) -> Rule:
        """Return the purchase."""
        return self.proposal.rule

    @property
    def id(self) -> str:
        """Return the name under which it is offered."""
        return f"{self.card}+{self.rule.id}" if self.card else self.rule.id


def resupply(battle: Battle) -> Steps[bool]:
    """Ask the next player for one purchase; done when all players are. Rule: PLAY.8, SP.4, WIN.3."""
    waiting = [
        seat
        for seat in battle.state.players_alive()
        if "resupply-done" not in battle.state.players[seat].marks
    ]
    if not waiting:
        return False
    seat = waiting[0]
    ways = offered(battle, seat)
    if ways:
        answer = yield _question(battle, seat, ways)
        assert isinstance(answer, Chosen)
        chosen = [way for way in ways if way.id == answer.ids[0]]
        if chosen:
            yield from _buy(battle, seat, chosen[0])
            return True
    battle.log(ev.Marked(on=f"player:{seat}", key="resupply-done", value=True, until="phase"), "SP.4")
    return True


def _question(battle: Battle, seat: str, ways: list[Way]) -> Choose:
    return Choose(
        seats=(seat,),
        rule="SP.4",
        decision="purchase",
        prompt=f"{battle.state.players[seat].facts.name} has {battle.state.players[seat].sp} SP. Buy what?",
        options=(
            *(Option(id=way.id, label=_label(battle, way)) for way in ways),
            Option(id=DONE, label="Done buying"),
        ),
    )


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

    Rule: SP.4, R.A96, S.B06.
    """
    return [
        way
        for proposal in battle.rulebook.offers("resupply")
        if (paid := _paid_for(battle, seat, proposal)) and is_open(battle, seat, proposal)
        for way in paid
    ]


def _paid_for(battle: Battle, seat: str, proposal: Proposal) -> list[Way]:
    """Return the ways in which the player can pay for a purchase now."""
    player = battle.state.players[seat]
    price = price_of(battle, seat, proposal)
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


def is_open(battle: Battle, seat: str, proposal: Proposal) -> bool:
    """Return whether a purchase may be made at all by this player now."""
    rule = proposal.rule
    player = battle.state.players[seat]
    if f"declined:{rule.id}" in player.marks or f"struck:{rule.id}" in battle.state.marks:
        return False
    if proposal.clause.limit and _is_spent(battle, seat, proposal):
        return False
    if not battle.query.may("buy", purchase=rule, player=seat):
        return False
    context = _context(battle, seat, proposal)
    condition = proposal.condition
    if condition is not None and not battle.query.evaluate(condition, context):
        return False
    return is_possible(battle, proposal.choices, context)


def _is_spent(battle: Battle, seat: str, proposal: Proposal) -> bool:
    marks = battle.state.marks if proposal.clause.limit_for == "team" else battle.state.players[seat].marks
    return f"bought:{proposal.rule.id}" in marks


def price_of(battle: Battle, seat: str, proposal: Proposal) -> int:
    """Return what a purchase costs this player in SP."""
    price = proposal.price
    if isinstance(price, Expression):
        price = float(battle.query.evaluate(price, _context(battle, seat, proposal)))
    return int(battle.query.number("buy.price", price, purchase=proposal.rule, player=seat).value)


def _context(battle: Battle, seat: str, proposal: Proposal) -> Context:
    names = {"seat": seat, "buyer": seat, "this": proposal.rule.id, "purchase": proposal.rule}
    return battle.query.context(names)


def _buy(battle: Battle, seat: str, way: Way) -> Steps[None]:
    """Ask what the purchase needs, pay for it, and carry it out; one that is declined costs nothing."""
    context = _context(battle, seat, way.proposal)
    chosen = yield from choose(battle, way.proposal.choices, context, seat, way.rule)
    if chosen is None:
        key = f"declined:{way.rule.id}"
        battle.log(ev.Marked(on=f"player:{seat}", key=key, value=True, until="phase"), way.rule.clause)
        return
    yield from _pay(battle, seat, way)
    act = Act(way.rule, context.with_names(**chosen))
    yield from carry_out(battle, way.proposal.verbs, act)


def _pay(battle: Battle, seat: str, way: Way) -> Steps[None]:
    """Pay, and count the purchase for limits and tallies. Rule: R.A79, R.A96."""
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
        battle.log(ev.Spent(player=seat, what="sp", amount=way.price, total=player.sp - way.price), cause)
        note(battle, "sp-spent", battle.state.marks.count("sp-spent") + way.price, "round")
    for tag in way.rule.tags:
        note(battle, f"bought:{tag}", battle.state.marks.count(f"bought:{tag}") + 1, "round")
    note(battle, f"bought:{way.rule.id}", battle.state.marks.count(f"bought:{way.rule.id}") + 1, "round")
    key = f"bought:{way.rule.id}"
    battle.log(
        ev.Marked(on=f"player:{seat}", key=key, value=player.marks.count(key) + 1, until="round"), cause
    )
    event = ev.Purchased(player=seat, rule=way.rule.id, price=way.price, tags=way.rule.tags)
    yield from battle.happen(event, cause)
