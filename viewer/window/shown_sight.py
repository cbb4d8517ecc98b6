"""The sights that are shown over the board: of what is held, chosen, or under the mouse.

Owns of what they are and where the mouse points; what sees what is asked through `viewer.input.seeing`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from engine.core.facts import Point
from viewer.input.answering import Answering
from viewer.input.moment import Moment, poses_of
from viewer.input.seeing import Glance, Sightline, glances, onlookers


class ShownSight(NamedTuple):
    """What is shown of sights: of a unit, or of a place where no unit is chosen."""

    unit: str = ""
    moment: Moment | None = None
    """The table on which the unit stands as it is asked about."""
    glances: tuple[Glance, ...] = ()
    onlookers: Mapping[str, Sightline] = MappingProxyType({})
    pointed: str = ""
    """The enemy under the mouse."""
    place: Point | None = None
    """Where the unit is supposed to stand, or the place that is looked at."""


def shown_sight(now: Moment, asked: Answering | None, unit: str, place: Point | None) -> ShownSight:
    """Return what sees what: of a draft's unit, of a unit here or at a place, of a place."""
    poses = poses_of(asked) if asked is not None else {}
    if poses and asked is not None and asked.request.unit in now.state.position.units:
        return _seen(now.elsewhere(poses), asked.request.unit)
    if unit:
        return _seen(now, unit) if place is None else _carried_to(now, unit, place)
    if place is None:
        return ShownSight()
    return ShownSight(moment=now, onlookers=onlookers(now.field, place), place=place)


def stands(now: Moment, unit: str) -> bool:
    """Return whether a unit stands on the battlefield."""
    known = now.state.position.units.get(unit)
    return known is not None and known.where == "table" and bool(known.rows)


def _carried_to(now: Moment, name: str, place: Point) -> ShownSight:
    """Return what a unit would see with its middle at a place, as it stands in itself."""
    unit, table = now.state.position.units[name], now.state.position.table
    xy = table.xy[list(unit.rows)]
    dx, dy = (xy.mean(axis=0) * -1 + place).tolist()
    poses = {
        row: (x + dx, y + dy, 0.0, float(table.facing[row]))
        for row, (x, y) in zip(unit.rows, xy.tolist(), strict=True)
    }
    return _seen(now.elsewhere(poses), name)._replace(place=place)


def _seen(moment: Moment, unit: str) -> ShownSight:
    found = glances(moment.field, moment.state.position.units[unit], moment.cover)
    return ShownSight(unit, moment, tuple(found))
