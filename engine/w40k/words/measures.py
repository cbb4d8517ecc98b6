"""The words of conditions that measure: distances between things, ranges, zones and areas.

Each word reads the battle and changes nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.core.facts import ZoneFacts
from engine.core.state import Marker, Model, Objective, Unit
from engine.records.context import Context
from engine.records.language import word
from engine.w40k.battle import Battle
from engine.w40k.bearers import bearers
from engine.w40k.words.units import models_passing, passes_filter
from geometry.measure.distance import distances
from geometry.measure.distance import within as within_inches
from geometry.measure.region import farthest_from, quarters
from geometry.portable import span
from geometry.tolerance import TOLERANCE

Thing = Unit | Objective | Marker


@word(clause="MISERY.31")
def distance(battle: Battle, a: Thing, b: Thing) -> float:
    """Return the distance between the closest bases or marker edges of two things."""
    if isinstance(a, Unit) and isinstance(b, Unit):
        return battle.field.gap(a, b)
    if isinstance(b, Unit):
        a, b = b, a
    if isinstance(a, Unit):
        assert not isinstance(b, Unit)
        return float(min(_gaps(battle, a, b), default=float("inf")))
    assert not isinstance(b, Unit)
    return span(a.at, b.at) - 2 * battle.ruleset.parameters.marker_radius


@word()
def within(battle: Battle, unit: Unit, inches: float, thing: Thing) -> bool:
    """Return whether any model of the unit is within this distance of something."""
    return bool(within_inches(distance(battle, unit, thing), inches))


@word(looks_up=("bearer", "aura", "own_part", "this"))
def in_aura(battle: Battle, unit: Unit | None, context: Context) -> bool:
    """Return whether the aura at hand reaches a unit.

    It always reaches the bearer's own unit while that is on the table. It is measured from the models that
    bear the rule, as far as rules let this aura reach; a CHARACTER that does an action has none.
    Rule: CORE.ABL.AURA, CORE.TRN.6
    """
    bearer = context["bearer"]
    if unit is None or unit.where != "table" or bearer.where != "table":
        return False
    if "action" in bearer.marks and bearer.has("CHARACTER"):
        return False
    if unit.id == bearer.id:
        return True
    reach = battle.query.value("aura.range", context["aura"], unit=bearer, what=context["this"])
    own = bearers(battle, context)
    if own is None:
        return within(battle, unit, reach, bearer)
    apart = battle.field.gaps(bearer, unit)[own]
    return bool(within_inches(float(apart.min(initial=np.inf)), reach))


@word()
def wholly_within(battle: Battle, unit: Unit, inches: float, thing: Objective | Marker) -> bool:
    """Return whether every model's whole base is within this distance of a marker's edge."""
    if not unit.rows:
        return False
    apart = farthest_from(battle.field.outlines(unit.rows), thing.at)
    return bool((apart - battle.ruleset.parameters.marker_radius <= inches + TOLERANCE).all())


@word()
def in_range(battle: Battle, thing: Unit | Model, objective: Objective) -> bool:
    """Return whether a model, or any of a unit, is within range of an objective marker.

    Rule: CORE.OBJ.1.
    """
    if isinstance(thing, Unit):
        return bool(battle.field.in_range_of(thing, objective).any())
    unit = battle.state.position.units[thing.unit]
    return thing.row in unit.rows and bool(
        battle.field.in_range_of(unit, objective)[unit.rows.index(thing.row)]
    )


@word()
def wholly_in_range(battle: Battle, unit: Unit, objective: Objective) -> bool:
    """Return whether the whole unit is wholly within range of an objective marker."""
    return wholly_within(battle, unit, battle.ruleset.parameters.objective_range, objective)


@word(filter_at=2, looks_around=True)
def any_within(battle: Battle, unit: Unit, inches: float, text: str) -> bool:
    """Return whether another unit that the filter names is within this distance of the unit."""
    field = battle.field
    return any(
        within_inches(field.gap(unit, other), inches)
        for other in battle.state.position.on_table()
        if other.id != unit.id and passes_filter(other, text)
    )


@word(filter_at=2, looks_around=True)
def any_friend_within(battle: Battle, unit: Unit, inches: float, text: str) -> bool:
    """Return whether another unit of its side that the filter names is within this distance."""
    return unit.where == "table" and any(
        within_inches(battle.field.gap(unit, other), inches)
        for other in battle.state.position.on_table(unit.side)
        if other.id != unit.id and passes_filter(other, text)
    )


@word(filter_at=2, looks_around=True)
def any_friendly_model_within(battle: Battle, unit: Unit, inches: float, text: str) -> bool:
    """Return whether a friendly model that the filter names is within this distance of a unit.

    The unit's own models count. Of an Attached unit those count whose own datasheet has the keywords.
    """
    if unit.where != "table" or not unit.rows:
        return False
    bodies = battle.field.bodies
    passing = (models_passing(each, text) for each in battle.state.position.on_table(unit.side))
    return any(
        rows and bool(within_inches(distances(bodies(unit.rows), bodies(rows)), inches).any())
        for rows in passing
    )


@word(clause="FACTION.astra-militarum", filter_at=2, looks_around=True)
def any_model_within(battle: Battle, model: Model | None, inches: float, text: str) -> bool:
    """Return whether a model that the filter names is within this distance of a model, or is it."""
    return model is not None and any(
        rows and _is_within(battle, model, inches, rows)
        for rows in (models_passing(unit, text) for unit in battle.state.position.on_table())
    )


@word()
def model_within(battle: Battle, model: Model | None, inches: float, unit: Unit) -> bool:
    """Return whether a model is within this distance of any model of a unit."""
    return model is not None and _is_within(battle, model, inches, unit.rows)


def _is_within(battle: Battle, model: Model, inches: float, rows: tuple[int, ...]) -> bool:
    if battle.state.position.units[model.unit].where != "table":
        return False
    bodies = battle.field.bodies
    return bool(within_inches(distances(bodies((model.row,)), bodies(rows)), inches).any())


@word()
def from_centre(battle: Battle, unit: Unit) -> float:
    """Return the distance from the battlefield's centre to the closest base of the unit."""
    return float(min(_from_centre(battle, unit), default=float("inf")))


def _from_centre(battle: Battle, unit: Unit) -> Any:
    return battle.field.gap_to_disc(unit, battle.state.position.board.centre, 0.0)


def _gaps(battle: Battle, unit: Unit, thing: Objective | Marker) -> Any:
    return battle.field.gap_to_disc(unit, thing.at, battle.ruleset.parameters.marker_radius)


@word()
def in_zone(battle: Battle, unit: Unit, kind: str) -> bool:
    """Return whether any model is within a zone of this kind."""
    field = battle.field
    return any(bool(field.within_zone(unit, zone.polygon).any()) for zone in _zones(battle, kind))


@word(clause="SECRET.1")
def wholly_in_zone(battle: Battle, unit: Unit, kind: str) -> bool:
    """Return whether the whole unit is wholly within one zone of this kind."""
    field = battle.field
    return any(bool(field.wholly_within_zone(unit, zone.polygon).all()) for zone in _zones(battle, kind))


@word(clause="SEC.12")
def wholly_in_quarter(battle: Battle, unit: Unit, quarter: int) -> bool:
    """Return whether the unit is wholly within a table quarter and away from the centre.

    `quarter` is 1 to 4; the unit stands outside 6" of the centre.
    """
    quarter_of_table = quarters(battle.state.position.board.bounds)[quarter - 1]
    inside = battle.field.wholly_within_zone(unit, quarter_of_table)
    return bool(inside.all()) and not bool((_from_centre(battle, unit) <= 6 + TOLERANCE).any())


def _zones(battle: Battle, kind: str) -> list[ZoneFacts]:
    return [zone for zone in battle.state.position.zones.values() if zone.kind == kind]


@word()
def zone_of(battle: Battle, objective: Objective) -> str:
    """Return where a marker stands: "defender", "no-mans-land" or "horde"."""
    return objective.facts.zone
