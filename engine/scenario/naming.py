"""What the names of a scripted answer mean among the models and rules that a request offers.

A request names models by their rows on the table; a file, by their unit or by their number in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeGuard

from datasheets.scenario import Answer, Scenario, words
from engine.core.request import AnyRequest, Choose, Option, Order
from engine.w40k.battle import Battle

OF_MODELS = ("allocation", "precision", "firing-deck", "champion", "grenadier", "heal")
"""The decisions that are about models."""
Part = tuple[str, int]
"""A unit by its id, and which of its parts.

A leader's own id means its part of the unit that it leads.
"""


def parts_of(scenario: Scenario) -> dict[str, Part]:
    """Return which part of which unit each leader is: the bodyguard is the first."""
    found: dict[str, Part] = {}
    for unit in scenario.unit:
        led = unit.attached_to
        if led:
            found[unit.id] = (led, 1 + sum(name == led for name, _ in found.values()))
    return found


def by_their_units(scenario: Scenario) -> Scenario:
    """Return the scenario with leaders called by the units that they lead.

    This is done where whole units act or are aimed at.
    """
    led = {leader: name for leader, (name, _) in parts_of(scenario).items()}
    if not led:
        return scenario
    act = tuple(led.get(name, name) for name in words(scenario.act))
    answers = (
        each.model_copy(
            update={
                "unit": led.get(each.unit, each.unit),
                "targets": tuple(led.get(name, name) for name in each.targets),
            }
        )
        for each in scenario.answer
    )
    expects = (
        each.model_copy(
            update={"rejected": {led.get(name, name): failed for name, failed in each.rejected.items()}}
        )
        for each in scenario.expect
    )
    return scenario.model_copy(update={"act": act, "answer": tuple(answers), "expect": tuple(expects)})


def offers_unit(request: AnyRequest, name: str) -> bool:
    """Return whether a player may use a Stratagem on this unit."""
    return _is_of_stratagem(request) and any(option.id == name for option in request.options)


def _is_of_stratagem(request: AnyRequest) -> TypeGuard[Choose]:
    return isinstance(request, Choose) and request.decision == "stratagem"


def agreed(request: Choose, said: Answer) -> tuple[str, ...]:
    """Return what an answer that names nothing agrees to.

    It is the answer's unit where that is offered, else the first on offer. The answer agrees by a yes, and to
    a Stratagem by speaking of it.
    """
    yes = any(each is True for each in said.choose.values())
    if not yes and (said.choose or not _is_of_stratagem(request)):
        return ()
    offered = [option.id for option in request.options]
    return (said.unit,) if said.unit in offered else tuple(offered[: max(1, request.minimum)])


def meant(
    game: Battle, request: Choose | Order, names: Sequence[str], parts: Mapping[str, Part]
) -> list[str]:
    """Return the ids on offer that these names mean, in their order.

    An unknown name stays as it is. A number is that of a model in its unit; a unit's or leader's id means all
    of its models on offer.
    """
    offered = request.options if isinstance(request, Choose) else request.items
    if request.decision in OF_MODELS:
        found = [_models(game, [option.id for option in offered], name, parts) for name in names]
    else:
        found = [_rules(game, offered, name) for name in names]
    return list(dict.fromkeys(each for ids in found for each in ids))


def _models(game: Battle, offered: Sequence[str], name: str, parts: Mapping[str, Part]) -> list[str]:
    models = [game.state.position.models[int(row)] for row in offered]
    if name.isdigit():
        number = {
            m.row: i
            for each in models
            for i, m in enumerate(game.state.position.units[each.unit].facts.models)
        }
        return [str(each.row) for each in models if number[each.row] == int(name)] or [name]
    unit, part = parts.get(name, (name, 0))
    alone = (
        len(game.state.position.units[unit].facts.parts) == 1 if unit in game.state.position.units else True
    )
    mine = [each for each in models if each.unit == unit and (alone or each.facts.part == part)]
    return [str(each.row) for each in mine] or [name]


def _rules(game: Battle, offered: Sequence[Option], name: str) -> list[str]:
    """Return the items that a rule's clause or id means, which are labelled with its name."""
    if name in {option.id for option in offered} or name not in game.rulebook:
        return [name]
    label = game.rulebook.rule(name).name
    return [each.id for each in offered if each.label == label or each.label.startswith(f"{label} (")] or [
        name
    ]
