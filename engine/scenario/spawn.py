"""Spawning as a scenario gives it: this zone gets these units, and no roll is made for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from engine import event as ev
from engine.facts import UnitFacts
from engine.ruleset import Steps
from engine.steps import spawn
from engine.steps.activation import note

if TYPE_CHECKING:
    from engine.game import Game


def spawn_as_given(units: Mapping[str, Sequence[UnitFacts]]) -> Callable[[Game], Steps[bool]]:
    """Return the spawning step in which these zones get these units, and the others roll. Rule: SPAWN.1"""

    def step(game: Game) -> Steps[bool]:
        done = game.state.marks.names("zones-spawned")
        left = [z for z in game.state.zones.values() if z.kind == "spawn" and z.id not in done]
        if not left or left[0].id not in units:
            return (yield from spawn.spawn(game))
        zone = left[0]
        note(game, "zones-spawned", (*done, zone.id), "round")
        yield from spawn.clear(game, zone)
        given = units[zone.id]
        trail = ev.Trail(number="spawn.modifier", base=0.0, value=0.0)
        names = ", ".join(facts.name for facts in given)
        rolled = ev.SpawnRolled(
            zone=zone.id, natural=(), total=0, bracket=given[0].bracket, trail=trail, entry=names
        )
        game.log(rolled, "SPAWN.3")
        for facts in given:
            yield from spawn.enter(game, zone, _with_rows(facts, len(game.state.models)))
        return True

    return step


def _with_rows(facts: UnitFacts, first: int) -> UnitFacts:
    models = tuple(msgspec.structs.replace(m, row=first + i) for i, m in enumerate(facts.models))
    return msgspec.structs.replace(facts, models=models)
