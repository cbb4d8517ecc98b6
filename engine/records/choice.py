"""What a rule lets somebody choose before its verbs run: a thing, several, or a spot for a marker.

Owns the requests for it; random picks are rolled on the table's stream.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import shapely

from datasheets.rule import Pick, Rule
from engine.core import event as ev
from engine.core.facts import Point, Ring, TerrainFacts
from engine.core.request import Choose, Chosen, Option, Place, Places, Steps
from engine.core.state import Model, Unit
from engine.records.compiled import Choice
from engine.records.context import Context
from engine.w40k.words.units import name_of
from geometry.measure.region import ring
from geometry.shape.base import TOLERANCE
from geometry.shape.convex_shape import POINT

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

DRAWN = "drawn"
"""What is logged as decided where dice have picked from several things."""
CORNERS = 180
"""A circle within which a marker is set up is asked for as a polygon of so many corners inside it."""


def choose(
    battle: Battle,
    choices: tuple[Choice, ...],
    context: Context,
    seat: str,
    rule: Rule,
    *,
    sure: bool = False,
) -> Steps[dict[str, Any] | None]:
    """Return what was chosen, by the names of the picks; None where nothing is, or can be.

    With `sure` nobody is asked where there is no choice.
    """
    found: dict[str, Any] = {}
    for choice in choices:
        inner = context.with_names(**found)
        if choice.pick.spot:
            spot = yield from _spot(battle, choice.pick, inner, seat, rule)
            if spot is None:
                return None
            found[choice.pick.name] = spot
            continue
        things = _things(battle, choice, inner)
        if not things:
            return None
        if sure and len(things) == 1:
            picked = things
        else:
            bearer = inner["bearer"].id if isinstance(inner["bearer"], Unit) else ""
            picked = yield from _pick(battle, choice.pick, things, seat, rule, bearer)
        if not picked:
            return None
        found[choice.pick.name] = tuple(picked) if max(choice.pick.count, choice.pick.most) > 1 else picked[0]
    return found


def is_possible(battle: Battle, choices: tuple[Choice, ...], context: Context) -> bool:
    """Return whether the first thing to choose can be chosen; a spot is taken to be possible."""
    for choice in choices:
        if not choice.pick.spot:
            things = _things(battle, choice, context)
            if not things:
                return False
            context = context.with_names(**{choice.pick.name: things[0]})
    return True


def _things(battle: Battle, choice: Choice, context: Context) -> list[Any]:
    """Return what there is to choose from: what is selected, or those of the words that may be chosen."""
    words = battle.query.vocabulary
    if choice.of is not None:
        return words.select(choice.of, context)
    return [
        option
        for option in choice.pick.among
        if choice.where is None or words.evaluate(choice.where, context.with_names(option=option))
    ]


def _pick(
    battle: Battle, pick: Pick, things: list[Any], seat: str, rule: Rule, bearer: str
) -> Steps[list[Any]]:
    count = min(pick.count, len(things))
    if pick.random:
        left = list(things)
        drawn = [left.pop(_index(battle, pick.name, len(left), rule)) for _ in range(count)]
        if left:
            names = tuple(name_of(thing) for thing in drawn)
            battle.log(ev.Decided(seat="", decision=DRAWN, choice=names), rule.clause)
        return drawn
    answer = yield Choose(
        seats=(seat,),
        rule=rule.clause,
        decision="target",
        prompt=pick.prompt or f"{rule.name}: choose.",
        unit=bearer,
        options=tuple(
            Option(id=name_of(thing), label=pick.among.get(name_of(thing)) or label(thing))
            for thing in things
        ),
        minimum=count,
        maximum=max(count, min(pick.most, len(things))),
    )
    assert isinstance(answer, Chosen)
    known = {name_of(thing): thing for thing in things}
    return [known[each] for each in answer.ids]


def _index(battle: Battle, what: str, count: int, rule: Rule) -> int:
    return 0 if count == 1 else battle.pick(what, count, cause=rule.clause)


def label(thing: Any) -> str:
    """Return what something is called in a list of options."""
    if isinstance(thing, Unit):
        return thing.name
    if isinstance(thing, Model):
        return thing.facts.name
    if isinstance(thing, Rule):
        return thing.name
    if isinstance(thing, TerrainFacts):
        return f"{thing.kind} {thing.id}"
    return name_of(thing)


def _spot(battle: Battle, pick: Pick, context: Context, seat: str, rule: Rule) -> Steps[Point | None]:
    """Ask where a 40 mm marker is set up; None where it is declined."""
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
        return _rings(inner)
    zones = [zone.polygon for zone in battle.state.position.zones.values() if zone.kind in pick.zones]
    if not pick.edge:
        return tuple(zones)
    return tuple(ring for zone in zones for ring in _rings(shapely.Polygon(zone).intersection(inner)))


def _rings(shape: shapely.Geometry) -> tuple[Ring, ...]:
    pieces = [piece for piece in getattr(shape, "geoms", [shape]) if piece.geom_type == "Polygon"]
    return tuple(
        tuple((float(x), float(y)) for x, y in piece.exterior.coords[:-1])
        for piece in pieces
        if not piece.is_empty
    )


def _avoid(battle: Battle, pick: Pick) -> tuple[tuple[Point, float], ...]:
    """Return discs about objective markers that the marker must stay out of."""
    # A disc must be kept strictly clear of; "at least" lets the marker touch it.
    apart = pick.apart or pick.at_least_apart - 2 * TOLERANCE
    if apart <= 0:
        return ()
    wide = battle.ruleset.parameters.marker_radius + apart
    return tuple((each.at, wide) for each in battle.state.position.objectives.values())
