"""Firing Deck: models inside a transport fire a weapon each from it, as its own.

Owns which of them may man it, and whose weapons they are; `engine.w40k.phase.shooting` says at what they may
fire.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from engine.core.request import Choose, Chosen, Option, Steps
from engine.core.state import Model, Unit
from engine.w40k.activation.unit_choice import mark
from engine.w40k.boarding import passengers

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

MANNED = "firing-deck"
"""The mark, for the phase, with the rows of the models that fire from a transport."""


class Gun(msgspec.Struct, frozen=True):
    """A weapon of a model that rides, by its place among those that the transport may fire."""

    rider: Unit
    model: Model
    place: int


def size(battle: Battle, transport: Unit) -> int:
    """Return how many models inside a transport may fire from it. Rule: CORE.TRN.5"""
    ability = battle.query.has_ability(transport, "firing deck")
    return int(ability.split()[-1]) if ability else 0


def guns(battle: Battle, transport: Unit) -> Iterator[Gun]:
    """Yield the guns of the models that man the deck.

    While no model mans it, yield those of all models that may. Rule: CORE.TRN.5
    """
    if not transport.rows or not size(battle, transport):
        return
    manned = transport.marks.names(MANNED) if MANNED in transport.marks else None
    for rider in passengers(battle.state.position, transport.id):
        if manned is None and "shot" in rider.marks:
            continue
        for model in battle.state.position.alive(rider):
            if manned is not None and str(model.row) not in manned:
                continue
            for place in dict.fromkeys(model.facts.weapons):
                if not rider.weapon(place).is_melee:
                    yield Gun(rider, model, transport.deck[model.row] + place)


def man(battle: Battle, transport: Unit, useful: set[int]) -> Steps[None]:
    """Ask which models fire from the deck; their units shoot no more.

    `useful` holds the rows of the models that have a target. Rule: CORE.TRN.5
    """
    models = {gun.model.row: gun.rider for gun in guns(battle, transport) if gun.model.row in useful}
    if not models:
        return
    places = min(size(battle, transport), len(models))
    rows = tuple(str(row) for row in models)
    if places < len(models):
        answer = yield Choose(
            seats=(transport.player,),
            rule="CORE.TRN.5",
            decision="firing-deck",
            prompt=f"Who fires from {transport.name}? (up to {places})",
            unit=transport.id,
            options=tuple(
                Option(id=str(row), label=f"{battle.state.position.models[row].facts.name} of {rider.name}")
                for row, rider in models.items()
            ),
            minimum=0,
            maximum=places,
        )
        assert isinstance(answer, Chosen)
        rows = answer.ids
    mark(battle, transport, MANNED, rows, "phase", "CORE.TRN.5")
    for rider in dict.fromkeys(models[int(row)].id for row in rows):
        mark(battle, battle.state.position.units[rider], "shot", True, "turn", "CORE.TRN.5")
