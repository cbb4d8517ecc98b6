"""The resupply table as a seat sees it: for sale now, too dear, of no use.

Reads records and asks the rules in force; it changes nothing and asks nobody. Rule: SP.4
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from datasheets.rule import Rule
from engine.core.marks import label, name_of
from engine.core.state import Objective, Unit
from engine.core.ware import Ware, WareTarget
from engine.horde.steps.resupply import Way, closed, offered, price_of, purchase_context
from engine.records.choice import things_of
from engine.records.clauses import Active
from engine.records.compiled import Proposal
from engine.records.expression import Expression

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

TAG = "buy"
"""The first tag of what stands on the resupply table."""
_BESIDE = frozenset(("here", "melee", "ranged", "phase", "step", "turn", "round", "rounds"))
"""The names of a condition that say nothing of another thing than the marker and one unit."""
_SUBJECTS = ("unit", "attacker")
"""How a condition names the unit on which it acts."""


def wares(battle: Battle, seat: str) -> tuple[Ware, ...]:
    """Return all that stands on the resupply table for a seat, the cheapest first."""
    if seat not in battle.state.players:
        return ()
    ways = offered(battle, seat)
    found = [_of_way(battle, seat, way) for way in ways]
    paid = {way.rule.id for way in ways}
    for proposal in battle.rulebook.offers("resupply"):
        if proposal.rule.id not in paid:
            found.append(_not_to_be_had(battle, seat, proposal))
    known = {ware.rule for ware in found}
    for rule in battle.rulebook.rules:
        if rule.tags[:1] == (TAG,) and rule.reason and rule.id not in known:
            found.append(_ware(rule, rule.id, closed="unmodelled"))
    return tuple(
        sorted(found, key=lambda ware: (ware.missing, ware.is_rolled, ware.price, ware.name, ware.id))
    )


def _of_way(battle: Battle, seat: str, way: Way) -> Ware:
    buyer = way.buyers[0] if way.buyers else seat
    what, prompt, targets = _first_choice(battle, seat, buyer, way.proposal)
    is_rolled = not way.proposal.price and not way.card
    return _ware(
        way.rule, way.id, price=way.price, is_rolled=is_rolled, card=way.card,
        what=what, prompt=prompt, targets=targets,
    )  # fmt: skip


def _not_to_be_had(battle: Battle, seat: str, proposal: Proposal) -> Ware:
    """Return a purchase that cannot be made: too dear, or of no use now."""
    price = price_of(battle, seat, proposal)
    why = closed(battle, seat, proposal, seat)
    spends = battle.query.may("spend-sp", player=seat)
    missing = max(price - battle.state.players[seat].sp, 0)
    what, prompt, targets = _first_choice(battle, seat, seat, proposal)
    return _ware(
        proposal.rule, proposal.rule.id, price=price, is_rolled=not proposal.price, missing=missing,
        closed=why or ("" if spends else "forbidden"), what=what, prompt=prompt, targets=targets,
    )  # fmt: skip


def _ware(rule: Rule, id_: str, **more: object) -> Ware:
    return Ware(
        id=id_, rule=rule.id, clause=rule.clause, name=rule.name, summary=rule.summary,
        kinds=tuple(tag for tag in rule.tags if tag != TAG), **more,  # type: ignore[arg-type]
    )  # fmt: skip


def _first_choice(
    battle: Battle, seat: str, buyer: str, proposal: Proposal
) -> tuple[str, str, tuple[WareTarget, ...]]:
    """Return what is chosen first: the kind of thing, the prompt, and what there is to choose."""
    choice = next(iter(proposal.choices), None)
    if choice is None:
        return "", "", ()
    if choice.pick.spot:
        return "spot", choice.pick.prompt, ()
    things = things_of(battle, choice, purchase_context(battle, buyer, proposal, seat))
    targets = tuple(
        WareTarget(
            id=name_of(thing),
            label=choice.pick.among.get(name_of(thing)) or label(thing),
            reaches=_reached(battle, buyer, proposal.rule.id, thing),
        )
        for thing in things
    )
    return choice.of.kind if choice.of is not None else "word", choice.pick.prompt, targets


def _reached(battle: Battle, buyer: str, rule: str, thing: object) -> tuple[str, ...] | None:
    """Return the units on which a rule would act now if it were in force at a marker.

    None where no clause of its record says so of single units.
    """
    if not isinstance(thing, Objective):
        return None
    compiled = battle.rulebook.compiled(rule)
    active = Active(compiled, {"here": thing, "owner": buyer, "this": rule})
    found: dict[str, None] = {}
    tells = False
    for reaction in compiled.reactions:
        if reaction.each is not None and not reaction.choices:
            tells = True
            selected = battle.query.select(reaction.each, battle.query.context({}, active))
            found |= dict.fromkeys(one.id for one in selected if isinstance(one, Unit))
    conditions = [clause.condition for clause in compiled.changes]
    conditions += [clause.condition for clause in compiled.gifts]
    for condition in conditions:
        subject = _subject(condition)
        if condition is None or not subject:
            continue
        tells = True
        for unit in battle.state.position.on_table():
            if any(_holds(battle, condition, active, subject, unit, melee=m) for m in (True, False)):
                found[unit.id] = None
    return tuple(found) if tells else None


def _subject(condition: Expression | None) -> str:
    """Return how a condition names the one unit of which it speaks, "" where it speaks of more."""
    named = condition.looks if condition is not None else frozenset()
    subjects = [each for each in _SUBJECTS if each in named]
    return subjects[0] if len(subjects) == 1 and named - {subjects[0]} <= _BESIDE else ""


def _holds(
    battle: Battle, condition: Expression, active: Active, subject: str, unit: Unit, *, melee: bool
) -> bool:
    names = {subject: unit, "melee": melee}
    return bool(battle.query.evaluate(condition, battle.query.context(names, active)))
