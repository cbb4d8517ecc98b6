"""Spawning as a scenario gives it: this zone gets these units, and no roll is made for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from engine.core import event as ev
from engine.core.facts import ZoneFacts
from engine.core.request import Steps
from engine.core.state import Unit
from engine.horde.steps import spawn
from engine.scenario.unit import Entry, opening
from engine.w40k.activation.unit_choice import note

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


def spawn_as_given(
    given: Mapping[str, Sequence[Entry]], riders: Mapping[str, Sequence[Entry]]
) -> Callable[[Battle], Steps[bool]]:
    """Return the spawning step in which these zones get these units, and the others roll.

    With a transport come the units that ride in it.

    Rule: SPAWN.1
    """

    def step(game: Battle) -> Steps[bool]:
        done = game.state.marks.names("zones-spawned")
        left = [z for z in game.state.position.zones.values() if z.kind == "spawn" and z.id not in done]
        if not left or left[0].id not in given:
            return (yield from spawn.spawn(game))
        zone = left[0]
        note(game, "zones-spawned", (*done, zone.id), "round")
        yield from spawn.clear(game, zone)
        units = given[zone.id]
        trail = ev.NumberTrail(number="spawn.modifier", base=0.0, value=0.0)
        names = ", ".join(entry.facts.name for entry in units)
        rolled = ev.SpawnRolled(
            zone=zone.id, natural=(), total=0, bracket=units[0].facts.bracket, trail=trail, entry=names
        )
        game.log(rolled, "SPAWN.3")
        for entry in units:
            yield from _enter(game, zone, entry, riders.get(entry.unit.id, ()))
        return True

    return step


def _enter(game: Battle, zone: ZoneFacts, entry: Entry, riders: Sequence[Entry]) -> Steps[None]:
    def board(transport: Unit) -> None:
        """Let those that ride in it come aboard before it is set up."""
        for rider in riders:
            for event in opening(_with_rows(rider, len(game.state.position.models))):
                game.log(event)

    entry = _with_rows(entry, len(game.state.position.models))
    yield from spawn.enter(game, zone, entry.facts, board)
    if not game.state.position.units[entry.unit.id].rows:
        return
    for event in opening(entry)[1:]:
        game.log(event)


def _with_rows(entry: Entry, first: int) -> Entry:
    """Return a unit with the table's rows from this one on."""
    models = tuple(msgspec.structs.replace(m, row=first + i) for i, m in enumerate(entry.facts.models))
    lost = tuple(row - entry.facts.models[0].row + first for row in entry.lost)
    return replace(entry, facts=msgspec.structs.replace(entry.facts, models=models), lost=lost)
