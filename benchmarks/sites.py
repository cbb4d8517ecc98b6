"""The places of the program that ask what is near: each question by hand, and by the rtree.

Owns both ways and what is asked; `benchmarks/near.py` times them. By hand means by a loop, or by arrays of
all rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely

from engine.audit.referee.body import Body, body_of, bounds, overlap, surely_within
from engine.core.facts import TerrainFacts
from engine.core.state import Position, Unit
from engine.table.index import Index
from engine.w40k.ground.engagement import Engagement, barricades_of
from engine.w40k.parameters import Parameters
from geometry.measure.distance import clearances, gaps, within
from geometry.measure.region import Bounds, base_touches, base_within
from geometry.tolerance import TOLERANCE

Chance = np.random.Generator
PARAMETERS = Parameters()
PIXEL = 1 / 16
"""A pixel of the window in inches, with the board at its usual size."""
HAND, INDEX = "hand", "index"


@dataclass(frozen=True, slots=True)
class Site:
    """A question about what is near, with its ways to an answer: by hand and by the index.

    `where` names the place that asks, `kept` the way that the program uses.
    """

    where: str
    told: str
    ask: Callable[[Position, Chance], Any]
    by_hand: Callable[[Position, Any], Any]
    by_index: Callable[[Position, Index, Any], Any]
    kept: str
    is_exact: bool = True
    """Whether both answers are equal; by hand a few are rougher."""


# what is asked about


def spot(position: Position, chance: Chance) -> tuple[float, float]:
    """Return a point of the board."""
    x, y = chance.uniform(0, 1, 2) * position.board.size
    return float(x), float(y)


def unit(position: Position, chance: Chance) -> Unit:
    """Return a unit on the table."""
    units = [each for each in position.on_table() if each.rows]
    return units[int(chance.integers(len(units)))]


def marker(position: Position, chance: Chance) -> tuple[float, float]:
    """Return the centre of an objective marker."""
    markers = list(position.objectives.values())
    return markers[int(chance.integers(len(markers)))].at


def zone(position: Position, chance: Chance) -> Any:
    """Return the polygon of a spawning zone."""
    zones = [each.polygon for each in position.zones.values() if each.kind == "spawn"]
    return zones[int(chance.integers(len(zones)))]


def two_units(position: Position, chance: Chance) -> tuple[Unit, Unit]:
    """Return two units on the table, perhaps one and the same."""
    return unit(position, chance), unit(position, chance)


def leg(position: Position, chance: Chance) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return a leg of six inches."""
    x, y = spot(position, chance)
    turn = float(chance.uniform(0, math.tau))
    return (x, y), (x + 6 * math.cos(turn), y + 6 * math.sin(turn))


def standing(position: Position) -> list[int]:
    return [row for each in position.on_table() for row in each.rows]


def foes_of(position: Position, own: Unit) -> list[int]:
    return [row for each in position.on_table() if each.side != own.side for row in each.rows]


def box_of(position: Position, rows: tuple[int, ...], reach: float = 0.0) -> Bounds:
    """Return a rectangle that holds the circles round these bases, wider by a reach."""
    bases = position.table.outlines(rows)
    (left, low), (right, high) = (
        (bases.xy - bases.reach[:, None]).min(axis=0),
        (bases.xy + bases.reach[:, None]).max(axis=0),
    )
    return float(left) - reach, float(low) - reach, float(right) + reach, float(high) + reach


# the window


def model_under_mouse(position: Position, at: tuple[float, float]) -> int | None:
    """Return the row of the nearest model whose circle holds a point; None where none does.

    The circle is two pixels wider than the base. This is the loop that the window had.
    """
    best: tuple[float, int] | None = None
    for model in position.models:
        if not position.table.on[model.row]:
            continue
        far = math.dist(position.table.xy[model.row], at)
        reach = max(model.facts.base.length, model.facts.base.width) / 2 + 2 * PIXEL
        if far <= reach and (best is None or far < best[0]):
            best = (far, model.row)
    return best[1] if best else None


def model_by_index(position: Position, index: Index, at: tuple[float, float]) -> int | None:
    rows = index.models_near_point(*at, 2 * PIXEL)
    return min(rows, key=lambda row: math.dist(position.table.xy[row], at), default=None)


def terrain_under_mouse(position: Position, at: tuple[float, float]) -> tuple[int, ...]:
    return tuple(i for i, each in enumerate(position.terrain.values()) if _inside(each, *at))


def _inside(piece: TerrainFacts, x: float, y: float) -> bool:
    odd, ring = False, piece.footprint
    for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            odd = not odd
    return odd


# the audits


def body(position: Position, row: int) -> Body:
    """Return a model as the referee measures it."""
    table = position.table
    x, y = table.xy[row]
    pose = (float(x), float(y), float(table.z[row]), float(table.facing[row]))
    return body_of(position.models[row].facts, pose)


def stood_on(position: Position, own: Unit) -> list[int]:
    """Return the models that the unit's first model overlaps, one pair of bodies after another."""
    return _overlapped(position, own.rows[0], standing(position))


def stood_on_by_index(position: Position, index: Index, own: Unit) -> list[int]:
    near = frozenset(index.models_about(bounds([body(position, own.rows[0])])))
    return _overlapped(position, own.rows[0], [row for row in standing(position) if row in near])


def _overlapped(position: Position, row: int, others: list[int]) -> list[int]:
    own = body(position, row)
    return [other for other in others if other != row and overlap(own, body(position, other))]


def met(position: Position, own: Unit) -> list[int]:
    """Return the enemy models that are engaged with a unit, one pair of bodies after another."""
    return _met(position, own, foes_of(position, own))


def met_by_index(position: Position, index: Index, own: Unit) -> list[int]:
    boxes = [bounds([body(position, row)]) for row in own.rows]
    near = frozenset[int]().union(*(index.models_about(_wider(box, 2.0)) for box in boxes))
    return _met(position, own, [row for row in foes_of(position, own) if row in near])


def _wider(box: Bounds, far: float) -> Bounds:
    return box[0] - far, box[1] - far, box[2] + far, box[3] + far


def _met(position: Position, own: Unit, foes: list[int]) -> list[int]:
    ours = [body(position, row) for row in own.rows]
    theirs = {row: body(position, row) for row in foes}
    return [row for row, foe in theirs.items() if any(surely_within(each, foe, 1.0) for each in ours)]


def inspected(position: Position, own: Unit) -> list[list[int]]:
    """Return the models that each model of a unit overlaps, each measured from all."""
    rows = position.table.on.nonzero()[0]
    return [_covered(position, row, rows.tolist()) for row in own.rows]


def inspected_by_index(position: Position, index: Index, own: Unit) -> list[list[int]]:
    return [_covered(position, row, list(index.models_about(box_of(position, (row,))))) for row in own.rows]


def _covered(position: Position, row: int, others: list[int]) -> list[int]:
    apart = clearances(position.table.outlines((row,)), position.table.outlines(others))[0]
    return [
        other for other, far in zip(others, apart.tolist(), strict=True) if far < -TOLERANCE and other != row
    ]


# the table


def at_markers(position: Position, _: Any) -> list[list[int]]:
    """Return the rows of the models within range of each marker, one list for each marker.

    The distances to all markers are measured together.
    """
    rows, reach = standing(position), PARAMETERS.marker_radius + PARAMETERS.objective_range
    places = np.array([each.at for each in position.objectives.values()])
    near = within(position.table.outlines(rows).distances(places), reach)
    near &= within(position.table.z[rows], PARAMETERS.objective_vertical)
    return [sorted(rows[k] for k in each.nonzero()[0].tolist()) for each in near]


def at_markers_by_index(position: Position, index: Index, _: Any) -> list[list[int]]:
    reach, z = PARAMETERS.marker_radius + PARAMETERS.objective_range, position.table.z
    found = [index.models_near_point(*each.at, reach) for each in position.objectives.values()]
    return [[row for row in rows if within(float(z[row]), PARAMETERS.objective_vertical)] for rows in found]


def engaged(position: Position, own: Unit) -> set[str]:
    """Return the enemies in engagement range of a unit, of all together."""
    return _engaged(position, own, foes_of(position, own))


def engaged_by_index(position: Position, index: Index, own: Unit) -> set[str]:
    near = frozenset(index.models_about(box_of(position, own.rows, PARAMETERS.engagement)))
    return _engaged(position, own, [row for row in foes_of(position, own) if row in near])


def _engaged(position: Position, own: Unit, foes: list[int]) -> set[str]:
    if not foes:
        return set()
    table = position.table
    near = within(gaps(table.outlines(own.rows), table.outlines(foes)), PARAMETERS.engagement)
    near &= within(np.abs(table.z[list(own.rows)][:, None] - table.z[foes]), PARAMETERS.engagement_vertical)
    return {position.models[foes[k]].unit for k in np.unique(near.nonzero()[1]).tolist()}


def in_reach(position: Position, own: Unit) -> set[str]:
    """Return the units within six inches of one, from the distances of all models."""
    return _in_reach(position, own, [row for row in standing(position) if row not in own.rows])


def in_reach_by_index(position: Position, index: Index, own: Unit) -> set[str]:
    near = index.models_about(box_of(position, own.rows, 6.0))
    return _in_reach(position, own, [row for row in near if row not in own.rows])


def _in_reach(position: Position, own: Unit, others: list[int]) -> set[str]:
    if not others:
        return set()
    apart = gaps(position.table.outlines(own.rows), position.table.outlines(others)).min(axis=0)
    return {
        position.models[row].unit for row, far in zip(others, apart.tolist(), strict=True) if within(far, 6.0)
    }


def beside_barricades(position: Position, own: Unit) -> list[int]:
    """Return the models of a unit that are near a barricade, by a box round each barricade."""
    made = ENGAGEMENTS.get(id(position))
    if made is None:
        made = Engagement(PARAMETERS, barricades_of(list(position.terrain.values())))
        ENGAGEMENTS[id(position)] = made
    near = made.beside(position.table.outlines(own.rows))
    return [row for row, is_near in zip(own.rows, near.tolist(), strict=True) if is_near]


ENGAGEMENTS: dict[int, Engagement] = {}
"""The barricades of each position, made ready once, as a battlefield keeps them."""


def beside_barricades_by_index(position: Position, index: Index, own: Unit) -> list[int]:
    bases, pieces = position.table.outlines(own.rows), list(position.terrain.values())
    found = []
    for row, (x, y), reach in zip(own.rows, bases.xy.tolist(), bases.reach.tolist(), strict=True):
        near = index.terrain_near_point(x, y, reach + PARAMETERS.engagement_barricade)
        if any(pieces[place].kind == "barricade" for place in near):
            found.append(row)
    return found


def in_cover(position: Position, own: Unit) -> list[bool]:
    """Return which models of a unit are wholly within a piece of terrain, of all pieces."""
    return _in_cover(position, own, range(len(position.terrain)))


def in_cover_by_index(position: Position, index: Index, own: Unit) -> list[bool]:
    return _in_cover(position, own, index.terrain_about(box_of(position, own.rows)))


def _in_cover(position: Position, own: Unit, places: Any) -> list[bool]:
    bases, pieces = position.table.outlines(own.rows), list(position.terrain.values())
    covered = np.zeros(len(bases), dtype=bool)
    for place in places:
        if pieces[place].kind in ("ruin", "woods", "crater"):
            covered |= base_within(pieces[place].footprint, bases)
    return [bool(each) for each in covered]


def bystanders(position: Position, both: tuple[Unit, Unit]) -> list[int]:
    """Return the models of others that may stand between two units, by the hull of both."""
    return _bystanders(position, both, standing(position))


def bystanders_by_index(position: Position, index: Index, both: tuple[Unit, Unit]) -> list[int]:
    ends = position.table.outlines(both[0].rows + both[1].rows)
    (left, low), (right, high) = ends.xy.min(axis=0).tolist(), ends.xy.max(axis=0).tolist()
    near = frozenset(index.models_about(_wider((left, low, right, high), float(ends.reach.max()))))
    return _bystanders(position, both, [row for row in standing(position) if row in near])


def _bystanders(position: Position, both: tuple[Unit, Unit], rows: list[int]) -> list[int]:
    own = both[0].rows + both[1].rows
    rows = [row for row in rows if row not in own]
    if not rows:
        return []
    ends, others = position.table.outlines(own), position.table.outlines(rows)
    hull = shapely.convex_hull(shapely.multipoints(ends.xy))
    far = shapely.distance(hull, shapely.points(others.xy)) <= others.reach + ends.reach.max()
    return [row for row, is_near in zip(rows, far.tolist(), strict=True) if is_near]


def in_zone(position: Position, area: Any) -> list[str]:
    """Return the units with a model in a zone, one unit after another."""
    units = [each for each in position.on_table() if each.rows]
    return [each.id for each in units if base_touches(area, position.table.outlines(each.rows)).any()]


def in_zone_by_index(position: Position, index: Index, area: Any) -> list[str]:
    near = index.models_about(shapely.Polygon(area).bounds)
    inside = base_touches(area, position.table.outlines(near)) if near else ()
    found = {position.models[row].unit for row, is_in in zip(near, inside, strict=True) if is_in}
    return [each.id for each in position.on_table() if each.id in found]


def on_the_way(position: Position, way: Any) -> list[int]:
    """Return the models that a base of 32 mm runs into on a leg, all rows at once."""
    rows = position.table.on.nonzero()[0]
    start, end = np.array([way[0]]), np.array([way[1]])
    return [int(row) for row in rows[position.table.outlines(rows).grown(0.63).met(start, end, 0.0)]]


def on_the_way_by_index(position: Position, index: Index, way: Any) -> list[int]:
    return list(index.models_near_path(way, 0.63))


# the agents


def blockers(position: Position, at: tuple[float, float]) -> list[str]:
    """Return the units of which a model has its centre at a point, one unit after another."""
    found = []
    for each in position.on_table():
        off = position.table.xy[list(each.rows)] - at
        if len(off) and np.hypot(off[:, 0], off[:, 1]).min() <= TOLERANCE:
            found.append(each.id)
    return found


def blockers_by_index(position: Position, index: Index, at: tuple[float, float]) -> list[str]:
    table = position.table
    rows = [row for row in index.models_at(*at) if math.dist(table.xy[row], at) <= TOLERANCE]
    met = {position.models[row].unit for row in rows}
    return [each.id for each in position.on_table() if each.id in met]


def closest(position: Position, at: tuple[float, float]) -> float:
    """Return how far the nearest centre of the Horde is, of all."""
    rows = [row for each in position.on_table("horde") for row in each.rows]
    return round(float(np.hypot(*(position.table.xy[rows] - np.array(at)).T).min()), 9)


def closest_by_index(position: Position, index: Index, at: tuple[float, float]) -> float:
    """Return the same by looking ever farther, twice as far each time."""
    reach = 3.0
    while True:
        rows = [
            row
            for row in index.models_about((at[0] - reach, at[1] - reach, at[0] + reach, at[1] + reach))
            if position.units[position.models[row].unit].side == "horde"
        ]
        if rows:
            least = float(np.hypot(*(position.table.xy[rows] - np.array(at)).T).min())
            if least <= reach:
                return round(least, 9)
        reach *= 2


SITES = (
    Site(
        "viewer/window/scene.model_at",
        "the model under the mouse",
        spot,
        model_under_mouse,
        model_by_index,
        INDEX,
        is_exact=False,
    ),
    Site(
        "viewer/window/scene.words_at",
        "the terrain under the mouse",
        spot,
        terrain_under_mouse,
        lambda _, index, at: index.terrain_at(*at),
        INDEX,
    ),
    Site("audit/referee/standing", "on whom a model stands", unit, stood_on, stood_on_by_index, INDEX),
    Site("audit/referee/scene.engaged", "whom a unit engages", unit, met, met_by_index, INDEX),
    Site("audit/inspection.overlapping", "on whom a unit stands", unit, inspected, inspected_by_index, INDEX),
    Site("table/proximity.near", "who is at which marker", marker, at_markers, at_markers_by_index, HAND),
    Site("table/unit_gaps.between", "who is within six inches", unit, in_reach, in_reach_by_index, HAND),
    Site("w40k/ground/engaged_pairs", "whom a unit engages", unit, engaged, engaged_by_index, HAND),
    Site(
        "w40k/ground/engagement.beside",
        "who is near a barricade",
        unit,
        beside_barricades,
        beside_barricades_by_index,
        HAND,
    ),
    Site("w40k/attack/cover", "who is wholly in terrain", unit, in_cover, in_cover_by_index, INDEX),
    Site("table/battlefield._bystanders", "who is between", two_units, bystanders, bystanders_by_index, HAND),
    Site("horde/steps/spawn.clear", "who is in a zone", zone, in_zone, in_zone_by_index, INDEX),
    Site("geometry/path/obstacles", "who is on a leg", leg, on_the_way, on_the_way_by_index, HAND),
    Site("ai/horde/obstruction._closed", "whose centre is here", spot, blockers, blockers_by_index, INDEX),
    Site("ai/autopilot/resupply", "how far the Horde is", spot, closest, closest_by_index, HAND),
)
"""All of them, by layer from the top down."""
