"""What of a scenario is simulated: everything else is refused in one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from datasheets.errors import BadData, unknown
from datasheets.scenario import Scenario, Unit, words
from engine.core.facts import HORDE
from engine.core.settings import UnknownRuling
from engine.horde.all_settings import SETTINGS
from engine.scenario.decision import misspelt
from engine.scenario.own_fact import own_faults
from engine.scenario.unit import STATES
from engine.systems import RULESETS

LATER = ("horde-1.0", "firefight", "w40k-9", "w40k-10")
"""Rulesets that the format names and that are not carried out yet."""
NOT_YET = "is not simulated yet"
Fault = tuple[str, str]


def check(scenario: Scenario, path: str) -> None:
    """Raise BadData for the first thing that is not simulated or names nothing."""
    for key, mend in _faults(scenario):
        raise BadData(path, key, mend)


def _faults(scenario: Scenario) -> Iterator[Fault]:
    if scenario.ruleset in LATER:
        yield "ruleset", f"'{scenario.ruleset}' {NOT_YET}; there is {', '.join(RULESETS)}"
    elif scenario.ruleset not in RULESETS:
        yield "ruleset", str(unknown(scenario.ruleset, (*RULESETS, *LATER), "ruleset"))
    for key, value in scenario.rulings.items():
        try:
            SETTINGS.reading(key, value)
        except UnknownRuling as fault:
            yield f"rulings.{key}", str(fault)
    for key in ("cp", "sp", "detachments", "secrets", "revealed", "saved"):
        for name in getattr(scenario, key):
            if not is_player(name):
                yield f"{key}.{name}", _no_side(name)
    yield from _names(scenario)
    for i, unit in enumerate(scenario.unit):
        for key, mend in _unit_faults(scenario, unit):
            yield f"unit.{i}.{key}", mend


def _names(scenario: Scenario) -> Iterator[Fault]:
    """Name everything that speaks of a unit or zone that the file does not have."""
    units = [unit.id for unit in scenario.unit]
    for i, objective in enumerate(scenario.objective):
        if objective.id in units:
            yield f"objective.{i}.id", f"'{objective.id}' is a unit's id; give the marker its own"
    zones = [zone.id for zone in scenario.zone]
    for i, name in enumerate(words(scenario.act)):
        if name not in units:
            yield f"act.{i}", str(unknown(name, units, "unit"))
    for i, answer in enumerate(scenario.answer):
        # A unit that joins in play is known by its player, its datasheet and a number.
        if answer.unit and answer.unit not in units and "#" not in answer.unit:
            yield f"answer.{i}.unit", str(unknown(answer.unit, units, "unit"))
        owner = next((unit.side for unit in scenario.unit if unit.id == answer.unit), "")
        if owner == HORDE:
            yield f"answer.{i}.unit", "the Horde answers by its own rules; script a player's unit"
        if misspelt(answer.decision):
            yield f"answer.{i}.decision", misspelt(answer.decision)
        for target in answer.targets:
            if target not in units:
                yield f"answer.{i}.targets", str(unknown(target, units, "unit"))
    for i, expect in enumerate(scenario.expect):
        if misspelt(expect.decision):
            yield f"expect.{i}.decision", misspelt(expect.decision)
    for i, marker in enumerate(scenario.marker):
        if not is_player(marker.owner):
            yield f"marker.{i}.owner", _no_side(marker.owner)
    for i, spawn in enumerate(scenario.spawn):
        if spawn.unit not in units:
            yield f"spawn.{i}.unit", str(unknown(spawn.unit, units, "unit"))
        if spawn.unit in [other.unit for other in scenario.spawn[:i]]:
            yield f"spawn.{i}.unit", f"'{spawn.unit}' spawns twice; give each zone a unit of its own"
        led = next((unit.attached_to for unit in scenario.unit if unit.id == spawn.unit), "")
        if led:
            yield f"spawn.{i}.unit", f"'{spawn.unit}' comes with the unit that it leads; name '{led}'"
        if zones and spawn.zone not in zones:
            yield f"spawn.{i}.zone", str(unknown(spawn.zone, zones, "zone"))


def _unit_faults(scenario: Scenario, unit: Unit) -> Iterator[Fault]:
    if unit.embarked_in:
        yield from _riding_faults(scenario, unit)
    if unit.side != HORDE and not is_player(unit.side):
        yield "side", _no_side(unit.side)
    for word in unit.state:
        if word not in STATES:
            yield "state", str(unknown(word, STATES, "simulated state"))
    yield from own_faults(unit)
    yield from _standing_faults(scenario, unit)


def is_player(name: str) -> bool:
    """Return whether this is a player's name."""
    return re.fullmatch(r"p[1-9]\d*", name) is not None


def _no_side(name: str) -> str:
    return f"'{name}' is no side; say horde, or a player's name: p1, p2, …"


def _riding_faults(scenario: Scenario, unit: Unit) -> Iterator[Fault]:
    named = {other.id: other for other in scenario.unit}
    if unit.embarked_in not in named:
        yield "embarked_in", str(unknown(unit.embarked_in, named, "unit"))
        return
    transport = named[unit.embarked_in]
    if transport.transport is None and not transport.datasheet:
        mend = f"'{transport.id}' is no transport; give it transport = {{ capacity = 12 }}"
        yield "embarked_in", mend
    elif transport is unit or transport.side != unit.side:
        yield "embarked_in", f"'{transport.id}' cannot carry it; name another unit of its own side"
    elif transport.transport is not None:
        aboard = sum(other.size or 1 for other in named.values() if other.embarked_in == transport.id)
        if aboard > transport.transport.capacity:
            room = transport.transport.capacity
            yield "embarked_in", f"'{transport.id}' carries {room} models, not {aboard}; give it more room"


def _standing_faults(scenario: Scenario, unit: Unit) -> Iterator[Fault]:
    absent = any(_is_absent(scenario, each) for each in (unit, *_led(scenario, unit)))
    if unit.at is None and not absent:
        yield "at", "say where it stands; only a unit that rides, is in reserves or spawns has no place"
    if unit.at is not None and absent:
        yield "at", "a unit that rides, is in reserves or spawns has no place on the table yet; leave it out"
    if unit.attached_to:
        yield from _leading_faults(scenario, unit)


def _leading_faults(scenario: Scenario, unit: Unit) -> Iterator[Fault]:
    named = {other.id: other for other in scenario.unit}
    led = named.get(unit.attached_to)
    if led is None:
        yield "attached_to", str(unknown(unit.attached_to, named, "unit"))
    elif led is unit or led.attached_to or led.side != unit.side:
        yield "attached_to", f"'{led.id}' cannot be led by it; name a unit of its own side that leads none"
    elif _is_absent(scenario, unit) and not _is_absent(scenario, led):
        yield "attached_to", f"it is where '{led.id}' is that it leads; say of that unit that it is elsewhere"


def _is_absent(scenario: Scenario, unit: Unit) -> bool:
    spawning = any(spawn.unit == unit.id for spawn in scenario.spawn)
    return spawning or "in-reserves" in unit.state or bool(unit.embarked_in)


def _led(scenario: Scenario, unit: Unit) -> list[Unit]:
    """Return the unit that a leader is attached to, as it is where that is."""
    return [other for other in scenario.unit if other.id == unit.attached_to]
