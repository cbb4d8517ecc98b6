"""What a rule lets a seat choose before its verbs run: things, or a spot for a marker.

Owns the requests for it; random picks are rolled on the table's stream.
"""

from __future__ import annotations

from typing import Any

from datasheets.rule import Pick, Rule
from engine.core import event as ev
from engine.core.marks import label, name_of
from engine.core.request import Choose, Chosen, Option, Steps
from engine.core.state import Unit
from engine.records.compiled import Choice
from engine.records.context import Context
from engine.records.ruled_battle import RuledBattle

DRAWN = "drawn"
"""What is logged as decided where dice have picked from several things."""


def choose(
    battle: RuledBattle,
    choices: tuple[Choice, ...],
    context: Context,
    seat: str,
    rule: Rule,
    *,
    sure: bool = False,
) -> Steps[dict[str, Any] | None]:
    """Return what was chosen, by the names of the picks; None where nothing is, or can be.

    With `sure` nobody is asked where there is no choice.
    """
    found: dict[str, Any] = {}
    for choice in choices:
        inner = context.with_names(**found)
        if choice.pick.spot:
            ask_spot = battle.query.language.ask_spot
            assert ask_spot is not None, "a record asks for a spot in a language that knows none"
            spot = yield from ask_spot(battle, choice.pick, inner, seat, rule)
            if spot is None:
                return None
            found[choice.pick.name] = spot
            continue
        things = things_of(battle, choice, inner)
        if not things:
            return None
        if sure and len(things) == 1:
            picked = things
        else:
            bearer = inner["bearer"].id if isinstance(inner["bearer"], Unit) else ""
            picked = yield from _pick(battle, choice.pick, things, seat, rule, bearer)
        if not picked:
            return None
        found[choice.pick.name] = tuple(picked) if max(choice.pick.count, choice.pick.most) > 1 else picked[0]
    return found


def is_possible(battle: RuledBattle, choices: tuple[Choice, ...], context: Context) -> bool:
    """Return whether the first thing to choose can be chosen; a spot is taken to be possible."""
    for choice in choices:
        if not choice.pick.spot:
            things = things_of(battle, choice, context)
            if not things:
                return False
            context = context.with_names(**{choice.pick.name: things[0]})
    return True


def things_of(battle: RuledBattle, choice: Choice, context: Context) -> list[Any]:
    """Return what there is to choose from: the selected things, or the words that are allowed."""
    query = battle.query
    if choice.of is not None:
        return query.select(choice.of, context)
    return [
        option
        for option in choice.pick.among
        if choice.where is None or query.evaluate(choice.where, context.with_names(option=option))
    ]


def _pick(
    battle: RuledBattle, pick: Pick, things: list[Any], seat: str, rule: Rule, bearer: str
) -> Steps[list[Any]]:
    count = min(pick.count, len(things))
    if pick.random:
        left = list(things)
        drawn = [left.pop(_index(battle, pick.name, len(left), rule)) for _ in range(count)]
        if left:
            names = tuple(name_of(thing) for thing in drawn)
            battle.log(ev.Decided(seat="", decision=DRAWN, choice=names), rule.clause)
        return drawn
    answer = yield Choose(
        seats=(seat,),
        rule=rule.clause,
        decision="target",
        prompt=pick.prompt or f"{rule.name}: choose.",
        unit=bearer,
        options=tuple(
            Option(id=name_of(thing), label=pick.among.get(name_of(thing)) or label(thing))
            for thing in things
        ),
        minimum=count,
        maximum=max(count, min(pick.most, len(things))),
    )
    assert isinstance(answer, Chosen)
    known = {name_of(thing): thing for thing in things}
    return [known[each] for each in answer.ids]


def _index(battle: RuledBattle, what: str, count: int, rule: Rule) -> int:
    return 0 if count == 1 else battle.pick(what, count, cause=rule.clause)
