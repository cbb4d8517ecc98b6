"""The one model of a unit that a Stratagem singles out: its champion, or who throws its grenades."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.core.request import Choose, Chosen, Option, Steps
from engine.core.state import Model, Unit
from engine.w40k.activation.unit_choice import mark
from geometry.measure.distance import within
from geometry.shape.base import TOLERANCE

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


def throwers(battle: Battle, unit: Unit, target: Unit, inches: float) -> list[Model]:
    """Return the unit's models with grenades that see an enemy within this distance. Rule: CORE.STR.5."""
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
    """Mark one of these models for the phase; its player picks where they carry different weapons."""
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
