"""Where a marker or terrain that a rule sets up may stand, asked of a seat."""

from __future__ import annotations

import math

import shapely

from datasheets.rule import Pick, Rule
from engine.core.facts import Point, Ring
from engine.core.request import Place, Places, Steps
from engine.core.state import Unit
from engine.records.context import Context
from engine.w40k.battle import Battle
from engine.w40k.ruin import RUINS
from geometry.measure.region import ring
from geometry.shape.constructed import outlines
from geometry.shape.convex_shape import POINT
from geometry.tolerance import TOLERANCE

CORNERS = 180
"""The corners of the polygon, inside a circle, within which a marker may be set up."""


def ask_spot(
    battle: Battle, pick: Pick, context: Context, seat: str, rule: Rule
) -> Steps[tuple[float, ...] | None]:
    """Ask where a 40 mm marker or a piece of terrain is set up; None if it is declined."""
    if pick.piece:
        return (yield from _ask_terrain(pick, context, seat, rule))
    areas = _areas(battle, pick, context)
    if not areas:
        return None
    answer = yield Place(
        seats=(seat,),
        rule=rule.clause,
        decision="marker",
        prompt=pick.prompt or f"{rule.name}: where does the marker go?",
        kind="marker",
        rows=(-1,),
        areas=areas,
        clear=pick.clear,
        avoid=_avoid(battle, pick),
        clear_of_all=pick.clear_of_all,
        optional=True,
    )
    assert isinstance(answer, Places)
    if not answer.poses:
        return None
    x, y = answer.poses[-1][:2]
    return (float(x), float(y))


def _ask_terrain(pick: Pick, context: Context, seat: str, rule: Rule) -> Steps[tuple[float, ...] | None]:
    answer = yield Place(
        seats=(seat,),
        rule=rule.clause,
        decision="marker",
        prompt=pick.prompt or f"{rule.name}: where does the terrain go?",
        kind="terrain",
        rows=(-1,),
        areas=(),
        clear=pick.clear,
        piece=RUINS[context[pick.piece]],
        optional=True,
    )
    assert isinstance(answer, Places)
    if not answer.poses:
        return None
    x, y, _, facing = answer.poses[-1]
    return (float(x), float(y), float(facing))


def _areas(battle: Battle, pick: Pick, context: Context) -> tuple[Ring, ...]:
    if pick.near:
        unit = context[pick.near]
        assert isinstance(unit, Unit)
        grown = battle.field.outlines(unit.rows, pick.within)
        cores = grown.core or (POINT,) * len(grown)
        return tuple(
            tuple((float(x), float(y)) for x, y in ring(core, float(radius), math.tau / CORNERS) + at)
            for at, radius, core in zip(grown.xy, grown.radius, cores, strict=True)
        )
    left, low, right, high = battle.state.position.board.bounds
    inner = shapely.box(left + pick.edge, low + pick.edge, right - pick.edge, high - pick.edge)
    if not pick.zones:
        return outlines(inner)
    zones = [zone.polygon for zone in battle.state.position.zones.values() if zone.kind in pick.zones]
    if not pick.edge:
        return tuple(zones)
    return tuple(ring for zone in zones for ring in outlines(shapely.Polygon(zone).intersection(inner)))


def _avoid(battle: Battle, pick: Pick) -> tuple[tuple[Point, float], ...]:
    """Return discs about objective markers that the marker must stay out of."""
    # A disc must be kept strictly clear of; "at least" lets the marker touch it.
    apart = pick.apart or pick.at_least_apart - 2 * TOLERANCE
    if apart <= 0:
        return ()
    wide = battle.ruleset.parameters.marker_radius + apart
    return tuple((each.at, wide) for each in battle.state.position.objectives.values())
