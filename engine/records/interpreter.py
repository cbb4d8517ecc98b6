"""Carrying out `when` clauses: at a moment, for each thing selected, what is picked, then the verbs.

Owns the order of it. What a verb does is `engine.w40k.verbs.effects`'s.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engine.core import event as ev
from engine.core.facts import HORDE
from engine.core.request import Steps
from engine.core.state import Marker, Marks, Objective, Unit
from engine.records.choice import choose
from engine.records.compiled import Reaction
from engine.records.context import Context, of_event
from engine.records.rulebook import Active
from engine.records.sequence import in_sequence
from engine.w40k.verbs.effects import VERBS, Act
from engine.w40k.words.units import CALLED, name_of

if TYPE_CHECKING:
    from engine.records.expression import VerbCall
    from engine.w40k.battle import Battle


def fire(battle: Battle, moment: str, event: ev.Event | None, context: Mapping[str, Any]) -> Steps[None]:
    """Carry out every `when` clause in force whose moment this is."""
    reactions = battle.query.reactions(moment)
    if not reactions and moment not in battle.query.in_force.calls:
        return
    names = {**of_event(battle, event), **context}
    auras: set[tuple[str, int, str]] = set()
    sequence = yield from in_sequence(battle, reactions, names)
    for reaction, active in sequence:
        yield from react(battle, reaction, active, names, auras)
    for function, active in battle.query.calls(moment, **names):
        steps = function(Act(battle, active.rule, battle.query.context(names, active)))
        if steps is not None:
            yield from steps


def fire_own(battle: Battle, name: str, moment: str, **names: Any) -> Steps[None]:
    """Carry out one rule's own clauses for a moment that concerns it alone: its success, its completion."""
    compiled = battle.rulebook.compiled(name)
    active = Active(compiled, {"this": compiled.rule.id})
    for reaction in compiled.reactions:
        if reaction.moment == moment:
            yield from react(battle, reaction, active, names)


def react(
    battle: Battle,
    reaction: Reaction,
    active: Active,
    names: dict[str, Any],
    auras: set[tuple[str, int, str]] | None = None,
) -> Steps[None]:
    """Carry out one clause if its condition holds; `auras` are those that have done their work already."""
    if not battle.query.holds(reaction.condition, names, active):
        return
    context = battle.query.context(names, active)
    if reaction.when.roll:
        die = battle.roll(reaction.when.roll, cause=active.rule.clause, need=reaction.when.need)[0]
        if die < reaction.when.need:
            return
        context["rolled"] = die
    known = auras if auras is not None and active.rule.aura else None
    if reaction.each is None:
        if _is_new(reaction, "", known):
            yield from _once(battle, reaction, context, None)
        return
    kind = CALLED.get(reaction.each.kind, reaction.each.kind)
    for thing in battle.query.vocabulary.select(reaction.each, context):
        if not _is_new(reaction, place_of(thing), known):
            continue
        yield from _once(battle, reaction, context.with_names(**{kind: thing}), thing)


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


def _once(battle: Battle, reaction: Reaction, context: Context, thing: Any) -> Steps[None]:
    key = f"once:{reaction.rule.id}:{reaction.place}"
    on = place_of(thing) if thing is not None else f"rule:{reaction.rule.id}"
    if reaction.when.once and _is_marked(battle, on, key):
        return
    chosen = yield from choose(battle, reaction.choices, context, _chooser(battle, context), reaction.rule)
    if chosen is None:
        return
    if reaction.when.once:
        battle.log(ev.Marked(on=on, key=key, value=True, until=reaction.when.once), reaction.rule.clause)
    yield from carry_out(battle, reaction.verbs, Act(battle, reaction.rule, context.with_names(**chosen)))


def carry_out(battle: Battle, verbs: tuple[VerbCall, ...], act: Act) -> Steps[None]:
    """Carry out verbs one after another."""
    vocabulary = battle.query.vocabulary
    for call in verbs:
        values = [vocabulary.evaluate(each, act.context) for each in call.arguments]
        steps = VERBS[call.verb](act, *values)
        if steps is not None:
            yield from steps


def _chooser(battle: Battle, context: Context) -> str:
    """Return the seat that chooses for a rule: its owner, the Horde for its own units. Rule: AI.0"""
    owner = context["owner"]
    if owner == HORDE or owner in battle.state.players:
        return str(owner)
    return next(iter(battle.state.players), "p1")


def place_of(thing: Any) -> str:
    """Return the name under which something bears marks: "unit:ID", "player:ID", …"""
    if isinstance(thing, Unit):
        return f"unit:{thing.id}"
    if isinstance(thing, Objective):
        return f"objective:{thing.facts.id}"
    if isinstance(thing, Marker):
        return f"marker:{thing.id}"
    return f"player:{name_of(thing)}"


def marks_of(battle: Battle, thing: Any) -> Marks:
    """Return the marks on a unit, objective or marker, or on the player of that name."""
    if isinstance(thing, Unit | Objective | Marker):
        return thing.marks
    return battle.state.players[name_of(thing)].marks


def _is_marked(battle: Battle, on: str, key: str) -> bool:
    kind, _, name = on.partition(":")
    state = battle.state
    if kind == "rule":
        return name in state.rule_marks and key in state.rule_marks[name]
    things: dict[str, Any] = {
        "unit": state.position.units,
        "objective": state.position.objectives,
        "marker": state.position.markers,
        "player": state.players,
    }
    return key in things[kind][name].marks
