"""Stratagems: which a player may use at a moment and on what, what they cost, and how often.

Owns the offering and the paying. What each of them does lies in its record; steps call the moments out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import event as ev
from engine.core.request import Choose, Chosen, Steps
from engine.core.state import Player, Unit
from engine.records.choice import choose, is_possible
from engine.records.interpreter import carry_out
from engine.records.language import Act
from engine.w40k.activation.payer import payments
from engine.w40k.activation.unit_choice import decide, options

if TYPE_CHECKING:
    from engine.records.compiled import Proposal
    from engine.records.context import Context
    from engine.w40k.battle import Battle

MOMENTS: dict[str, str] = {
    "command": "The Command phase has begun.",
    "battle-shock-test": "{actor} is about to take a Battle-shock test.",
    "set-up": "{actor} has been set up.",
    "move-began": "{actor} starts to move.",
    "move-ended": "{actor} has moved.",
    "phase-ended": "The phase is about to end.",
    "selected-to-shoot": "{actor} is about to shoot.",
    "targeted": "{actor} has selected its targets.",
    "selected-to-fight": "{actor} is about to fight.",
    "fought": "{actor} has fought.",
}
"""What a player reads of the moment at which a Stratagem is offered."""

REPEAT = "repeat-stratagem"
"""The question whether a Stratagem may be used again, on another unit than before."""
TALLY = "stratagems"
"""The mark that counts how often a player paid CP for one. Rule: SECRET.20"""


def offer(battle: Battle, moment: str, actor: Unit | None = None, **names: object) -> Steps[None]:
    """Offer every player in turn each Stratagem that may be used at this moment.

    `actor` is the unit that does something; `names` are what else the records may ask for. A player that
    is lost and goes on is asked once for each one in whose name it may be used. Rule: WIN.3, SECRET.29
    """
    pairs = payments(battle)
    for proposal in battle.rulebook.offers(moment):
        for payer, seat in pairs:
            gone = actor is not None and not actor.rows and moment != "fought"
            if gone or not has_left(battle, seat, proposal):
                continue
            context = _context(battle, seat, proposal, {**names, "actor": actor, "payer": payer})
            units = _affordable(battle, proposal, context)
            if units:
                yield from _ask(battle, proposal, context, units)


def offer_at_phase_end(battle: Battle) -> Steps[None]:
    """Offer what may be used at the end of a phase. Rule: CORE.STR.7."""
    yield from offer(battle, "phase-ended")


def has_left(battle: Battle, seat: str, proposal: Proposal) -> bool:
    """Return whether the player may use a Stratagem again, whatever it costs the payer.

    Rule: PLAY.3, PLAY.6, MISERY.22, ARMY.10.
    """
    player = battle.state.players[seat]
    if _used(proposal) in player.marks and REPEAT not in battle.query.in_force.questions:
        return False
    if proposal.rule.id in battle.state.barred or not _is_brought(player, proposal):
        return False
    return battle.query.may("use-stratagems", player=seat)


def _is_brought(player: Player, proposal: Proposal) -> bool:
    """Return whether a Stratagem is open to all players or of the player's detachment.

    Rule: ARMY.10.
    """
    return not proposal.rule.detachment or proposal.rule.id in player.facts.rules


def usable_on(battle: Battle, proposal: Proposal, context: Context) -> list[Unit]:
    """Return the units on which a Stratagem may be used, none of them Battle-shocked.

    Rule: CORE.BS.3.
    """
    query = battle.query
    if proposal.condition is not None and not query.evaluate(proposal.condition, context):
        return []
    assert proposal.on is not None
    return [
        unit
        for unit in query.select(proposal.on, context)
        if "battle-shocked" not in unit.marks
        and may_target(battle, proposal, str(context["seat"]), unit)
        and is_possible(battle, proposal.choices, context.with_names(bearer=unit))
    ]


def may_target(battle: Battle, proposal: Proposal, seat: str, unit: Unit) -> bool:
    """Return whether a Stratagem was not used yet, or may be used again on this unit.

    No rule lets it be used on one unit twice. Rule: CORE.STR.1 to CORE.STR.11
    """
    key, marks = _used(proposal), battle.state.players[seat].marks
    if key not in marks:
        return True
    if unit.id in marks.names(key):
        return False
    return battle.query.may("repeat-stratagem", seat=seat, unit=unit, rule=proposal.rule.id)


def is_usable(battle: Battle, moment: str, actor: Unit) -> bool:
    """Return whether any Stratagem may be used in the name of the unit's player at this moment."""
    seat = actor.player
    payers = [payer for payer, name in payments(battle) if name == seat]
    return any(
        has_left(battle, seat, proposal)
        and bool(
            _affordable(battle, proposal, _context(battle, seat, proposal, {"actor": actor, "payer": payer}))
        )
        for proposal in battle.rulebook.offers(moment)
        for payer in payers
    )


def _affordable(battle: Battle, proposal: Proposal, context: Context) -> list[Unit]:
    """Return the units on which the payer can afford to use a Stratagem. Rule: PLAY.3, MISERY.22"""
    payer = str(context["payer"])
    has = battle.state.players[payer].cp if battle.query.may("spend-cp", player=payer) else 0
    seat = str(context["seat"])
    assert isinstance(proposal.price, int | float)
    if proposal.price > has and not battle.query.are_asked("stratagem.price"):
        # No rule makes it cheaper, so the units, which can be dear to find, do not matter.
        return []
    units = usable_on(battle, proposal, context)
    return [unit for unit in units if price_of(battle, proposal, seat, unit) <= has]


def price_of(battle: Battle, proposal: Proposal, seat: str, unit: Unit | None) -> int:
    """Return what a Stratagem costs in CP that a player uses on a unit.

    What its enemies add comes to what is free, too.
    """
    assert isinstance(proposal.price, int | float)
    about = battle.query.about(seat=seat, unit=unit, rule=proposal.rule.id)
    return max(0, int(about.value("stratagem.price", proposal.price) + about.value("stratagem.surcharge", 0)))


def _used(proposal: Proposal) -> str:
    return f"used:{proposal.rule.id}"


def _context(battle: Battle, seat: str, proposal: Proposal, names: dict[str, object]) -> Context:
    return battle.query.context({**names, "seat": seat, "owner": seat, "this": proposal.rule.id})


def _ask(battle: Battle, proposal: Proposal, context: Context, units: list[Unit]) -> Steps[None]:
    """Ask on what a Stratagem is used, if on anything; pay for it and carry it out."""
    rule, payer = proposal.rule, str(context["payer"])
    answer = yield _question(battle, proposal, context, units)
    assert isinstance(answer, Chosen)
    if not answer.ids:
        return
    unit = battle.state.position.units[answer.ids[0]]
    inner = context.with_names(bearer=unit)
    chosen = yield from choose(battle, proposal.choices, inner, payer, rule, sure=True)
    if chosen is None:
        return
    yield from _pay(battle, proposal, context, unit)
    yield from carry_out(battle, proposal.verbs, Act(rule, inner.with_names(**chosen)))


def _question(battle: Battle, proposal: Proposal, context: Context, units: list[Unit]) -> Choose:
    rule, actor, payer = proposal.rule, context["actor"], str(context["payer"])
    on = f"on {units[0].name}" if len(units) == 1 else "on which unit"
    prices = {price_of(battle, proposal, str(context["seat"]), unit) for unit in units}
    cost = f"{' or '.join(map(str, sorted(prices)))} of {battle.state.players[payer].cp} CP"
    return Choose(
        seats=(payer,),
        rule=rule.clause,
        decision="stratagem",
        prompt=f"{_moment(proposal, context)} Use {rule.name} {on} ({cost})?",
        unit=actor.id if isinstance(actor, Unit) else "",
        options=options(units),
        minimum=0,
    )


def _moment(proposal: Proposal, context: Context) -> str:
    if context["throw"] is not None:
        return str(context["throw"])
    actor = context["actor"]
    return MOMENTS[proposal.clause.at].format(actor=actor.name if isinstance(actor, Unit) else "")


def _pay(battle: Battle, proposal: Proposal, context: Context, unit: Unit) -> Steps[None]:
    """Log that a Stratagem is used, with its cost and until when it may not be used again."""
    seat, payer = str(context["seat"]), str(context["payer"])
    cause, clause = proposal.rule.clause, proposal.clause
    cost = price_of(battle, proposal, seat, unit)
    decide(battle, unit, "stratagem", proposal.rule.id, cause=cause)
    key = _used(proposal)
    on = (*battle.state.players[seat].marks.names(key), unit.id)
    battle.log(ev.Marked(on=f"player:{seat}", key=key, value=on, until=clause.limit or "phase"), cause)
    if cost:
        count = battle.state.players[seat].marks.count(TALLY) + 1
        battle.log(ev.Marked(on=f"player:{seat}", key=TALLY, value=count), cause)
    left = battle.state.players[payer].cp - cost
    yield from battle.happen(ev.Spent(player=payer, what="cp", amount=cost, total=left), cause)
    yield from battle.fire("stratagem-used", None, seat=seat, unit=unit, rule=proposal.rule.id)
