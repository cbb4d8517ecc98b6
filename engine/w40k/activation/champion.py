"""The one model of a unit whose deed something is: champion, grenadier, bearer of a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.core.request import Choose, Chosen, Option, Steps
from engine.core.state import Model, Unit
from engine.records.language import Act
from engine.w40k.activation.unit_choice import mark
from geometry.measure.distance import within
from geometry.tolerance import TOLERANCE

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


GRENADIER = "grenadier"
"""The mark, for the phase, with the row of the model that throws its unit's grenades."""


def throwers(battle: Battle, unit: Unit, target: Unit, inches: float) -> list[Model]:
    """Return the unit's models with grenades that see an enemy within this distance.

    Rule: CORE.STR.5.
    """
    if not within(battle.field.gap(unit, target), inches):
        return []
    near = battle.field.gaps(unit, target) <= inches + TOLERANCE
    reached = np.asarray((near & battle.field.visible(unit, target)).any(axis=1))
    carriers = with_keyword(battle, unit, "GRENADES")
    return [model for model in carriers if reached[unit.rows.index(model.row)]]


def with_keyword(battle: Battle, unit: Unit, keyword: str) -> list[Model]:
    """Return the unit's models whose own datasheet has a keyword."""
    return [
        m for m in battle.state.position.alive(unit) if keyword in unit.facts.parts[m.facts.part].keywords
    ]


def single_out(battle: Battle, unit: Unit, models: list[Model], key: str, cause: str) -> Steps[None]:
    """Mark one of these models for the phase.

    Its player picks it where the models differ in name or weapons.
    """
    unlike = list({(model.facts.name, model.facts.weapons): model for model in reversed(models)}.values())[
        ::-1
    ]
    row = unlike[0].row
    if len(unlike) > 1:
        answer = yield Choose(
            seats=(unit.player,),
            rule=cause,
            decision=key,
            prompt=f"Which model of {unit.name} is the {key}?",
            unit=unit.id,
            options=tuple(Option(id=str(model.row), label=model.facts.name) for model in unlike),
        )
        assert isinstance(answer, Chosen)
        row = int(answer.ids[0])
    mark(battle, unit, key, row, "phase", cause)


def dealer_of(battle: Battle, act: Act) -> int | None:
    """Return the row of the model that deals the damage of a rule; None where no one is known.

    It is the bearer of an enhancement, the one that throws the grenades, else a model of the part of the unit
    whose rule it is. Rule: SEC.16
    """
    hero, bearer = act.context["hero"], act.context["bearer"]
    if isinstance(hero, Model):
        return hero.row
    if not isinstance(bearer, Unit):
        return None
    if "stratagem" in act.rule.tags and GRENADIER in bearer.marks:
        return bearer.marks.count(GRENADIER)
    alive = battle.state.position.alive(bearer)
    parts = bearer.facts.parts
    own = [model for model in alive if act.rule.id in parts[model.facts.part].rules]
    if not own and len({model.facts.part for model in alive}) == 1:
        own = alive
    return own[0].row if own else None
