"""Carries out `when` clauses at a moment: picks, then verbs, for each thing selected.

Owns the order of it. What a verb does is its language's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core import event as ev
from engine.core.facts import HORDE
from engine.core.marks import is_marked, place_of
from engine.core.request import Steps
from engine.core.state import Unit
from engine.records.choice import choose
from engine.records.clauses import Active
from engine.records.compiled import Reaction
from engine.records.context import Context, of_event
from engine.records.expression import Expression, VerbCall
from engine.records.language import Act
from engine.records.ruled_battle import RuledBattle
from engine.records.sequence import in_sequence

D6 = 6
"""The highest result of the dice that clauses roll."""


def fire(battle: RuledBattle, moment: str, event: ev.Event | None, context: Mapping[str, Any]) -> Steps[None]:
    """Carry out every `when` clause in force whose moment this is."""
    reactions = battle.query.reactions(moment)
    if not reactions and moment not in battle.query.in_force.calls:
        return
    names = {**of_event(battle.state, event), **context}
    # The unit of the moment keeps a name where a selection calls another one `unit`.
    names.setdefault("actor", names.get("unit"))
    auras: set[tuple[str, int, str]] = set()
    sequence = yield from in_sequence(battle, reactions, names)
    for reaction, active in sequence:
        yield from react(battle, reaction, active, names, auras)
    for function, active in battle.query.calls(moment, **names):
        steps = function(battle, Act(active.rule, battle.query.context(names, active)))
        if steps is not None:
            yield from steps


def fire_own(battle: RuledBattle, name: str, moment: str, **names: Any) -> Steps[None]:
    """Carry out one rule's own clauses for a moment that concerns it alone.

    Its success and its completion are such moments.
    """
    compiled = battle.rulebook.compiled(name)
    active = Active(compiled, {"this": compiled.rule.id})
    for reaction in compiled.reactions:
        if reaction.moment == moment:
            yield from react(battle, reaction, active, names)


def react(
    battle: RuledBattle,
    reaction: Reaction,
    active: Active,
    names: dict[str, Any],
    auras: set[tuple[str, int, str]] | None = None,
) -> Steps[None]:
    """Carry out one clause if its condition holds.

    `auras` are the clauses of auras that have acted already, each with the thing that it acted on.
    """
    if not battle.query.holds(reaction.condition, names, active):
        return
    context = battle.query.context(names, active)
    known = auras if auras is not None and active.rule.aura else None
    if reaction.each is None and not _is_new(reaction, "", known):
        return
    if reaction.when.roll and not reaction.when.roll_each and not _rolls(battle, reaction, context):
        return
    if reaction.each is None:
        yield from _once(battle, reaction, context, None)
        return
    kind = battle.query.language.kinds[reaction.each.kind]
    for thing in battle.query.select(reaction.each, context):
        if not _is_new(reaction, place_of(thing), known):
            continue
        yield from _once(battle, reaction, context.with_names(**{kind.called or kind.name: thing}), thing)


def _is_new(reaction: Reaction, on: str, auras: set[tuple[str, int, str]] | None) -> bool:
    """Return whether a clause acts on this: that of an aura only once, by however many bearers.

    Rule: CORE.ABL.AURA
    """
    if auras is None:
        return True
    key = (reaction.rule.name, reaction.place, on)
    counts = key not in auras
    auras.add(key)
    return counts


def _once(battle: RuledBattle, reaction: Reaction, context: Context, thing: Any) -> Steps[None]:
    key, when = f"once:{reaction.rule.id}:{reaction.place}", reaction.when
    on = _bounded(reaction, context, thing)
    if when.once and is_marked(battle.state, on, key):
        return
    seat = _chooser(battle, context, thing)
    chosen = yield from choose(battle, reaction.choices, context, seat, reaction.rule)
    if chosen is None:
        return
    if when.once:
        battle.log(ev.Marked(on=on, key=key, value=True, until=when.once), reaction.rule.clause)
    inner = context.with_names(**chosen)
    if when.roll_each and not _rolls(battle, reaction, inner):
        return
    act = Act(reaction.rule, inner)
    yield from carry_out(battle, reaction.verbs, act)
    for results, verbs in reaction.table:
        if inner["rolled"] in results:
            yield from carry_out(battle, verbs, act)


def _bounded(reaction: Reaction, context: Context, thing: Any) -> str:
    """Return what bears the mark of a clause that has acted: a thing, the bearer, or its army."""
    if thing is not None:
        return place_of(thing)
    if reaction.when.once_for == "army":
        owner = context["owner"]
        return f"player:{owner}" if owner in context.state.players else f"rule:{reaction.rule.id}"
    bearer = context["bearer"]
    return place_of(bearer) if isinstance(bearer, Unit) else f"rule:{reaction.rule.id}"


def _rolls(battle: RuledBattle, reaction: Reaction, context: Context) -> bool:
    """Roll a clause's die and name the result; return whether it is as high as it needs to be."""
    when, by = reaction.when, reaction.add
    added = int(battle.query.evaluate(by, context)) if isinstance(by, Expression) else int(by)
    need = when.need and when.need - added
    die = battle.roll(when.roll, cause=reaction.rule.clause, need=need)[0] + added
    context["rolled"] = max(1, min(D6, die))
    return die >= when.need


def carry_out(battle: RuledBattle, verbs: tuple[VerbCall, ...], act: Act) -> Steps[None]:
    """Carry out verbs one after another."""
    query = battle.query
    for call in verbs:
        values = [query.evaluate(each, act.context) for each in call.arguments]
        steps = query.language.verbs[call.verb].function(battle, act, *values)
        if steps is not None:
            yield from steps


def _chooser(battle: RuledBattle, context: Context, thing: Any) -> str:
    """Return the seat that chooses: the one for which a clause acts, its owner, or a survivor.

    Rule: AI.0, WIN.3, SEC.4
    """
    if isinstance(thing, str) and thing in battle.state.players:
        return thing
    owner = context["owner"]
    if owner == HORDE or owner in battle.state.players:
        return str(owner)
    return next(iter(battle.state.players_alive() or battle.state.players), "p1")
