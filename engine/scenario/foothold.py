"""The exact places of models whose places in a file have few decimals.

Such a place may be slightly over an edge, a wall or a base that the model is meant to stand beside. Owns the
small push that makes the place legal, or puts it in contact; what is wrong by more stays as it is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely
from msgspec.structs import replace

from engine.core.event import Pose
from engine.core.facts import Point, UnitFacts
from engine.core.state import Unit
from engine.w40k.ground.tabletop import Tabletop
from geometry.measure.distance import clearances
from geometry.path.ground import Ground, may_stand, placed
from geometry.portable import norm, ways_at
from geometry.shape.base import Bools, Floats, Polygon
from geometry.shape.convex_shape import NOTHING, Outlines, Stance, stance_of
from geometry.shape.polygon import rings, union_of
from geometry.tolerance import SLIVER_INCHES, TOLERANCE

SHORT = 1e-3
"""A charge that ends no farther from a base, in inches, is meant to end in contact with it."""
STEPS, WAYS = 4, 16
"""How many lengths of a push are tried, the shortest first, and in how many directions."""
HALVINGS = 40
Spot = tuple[float, ...]


def pushed_clear(field: Tabletop, name: str) -> dict[int, Pose]:
    """Return the new poses of a unit's models that a push clears of edges and terrain."""
    table, unit = field.position.table, field.position.units.get(name)
    if unit is None or not unit.rows:
        return {}
    ground = field.ground(unit, "normal")
    bare = replace(ground, solid=NOTHING, no_end=NOTHING, crowd=None)
    found: dict[int, Pose] = {}
    for row in unit.rows:
        x, y, z, facing = table.after(row, ())
        to_x, to_y, *_ = clear_place(bare, (x, y, z), table.stance(row))
        if (to_x, to_y) != (x, y):
            found[row] = (to_x, to_y, z, facing)
    return found


@dataclass(frozen=True, slots=True)
class Stood:
    """A base, where the file puts it and where it stands."""

    said: Pose
    pose: Pose
    base: Stance


def pushed_apart(field: Tabletop, standing: Mapping[str, Mapping[int, Pose]]) -> dict[str, dict[int, Pose]]:
    """Return, by unit, the new poses of models that are written slightly over a friend.

    Each is pushed off the models before it. As they are written, a vehicle could not set out beside another,
    nor a unit end as it stands.
    """
    found: dict[str, dict[int, Pose]] = {name: {} for name in standing}
    units = [unit for name in standing if (unit := field.position.units.get(name)) and unit.where == "table"]
    for side in dict.fromkeys(unit.side for unit in units):
        before: list[Stood] = []
        for unit in units:
            for row, said in standing[unit.id].items() if unit.side == side else ():
                base = field.position.table.stance(row, said[3])
                pose = _off(before, said, base)
                if pose != said and _fits(field, unit, pose, base):
                    found[unit.id][row] = pose
                before.append(Stood(said, found[unit.id].get(row, said), base))
    return found


def _off(others: list[Stood], said: Pose, base: Stance) -> Pose:
    """Return the pose at which a base is over no friend, if it is written slightly over one.

    Only friends at its height count.
    """
    near = [each for each in others if _is_near(each, said, base)]
    if not near:
        return said
    bases = [each.base for each in near]
    written = placed(np.array([each.said[:2] for each in near]), bases)
    friends = placed(np.array([each.pose[:2] for each in near]), bases)
    xy = np.array(said[:2])
    if clearances(placed(xy[None], [base]), written).min() < -SLIVER_INCHES:
        return said
    for _ in range(HALVINGS):
        away = clearances(placed(xy[None], [base]), friends)[0]
        worst = int(away.argmin())
        if away[worst] >= -TOLERANCE:
            return said if (xy == said[:2]).all() else (*xy.tolist(), *said[2:])
        way = xy - friends.xy[worst]
        xy = xy + way / norm(*way) * (TOLERANCE / 2 - away[worst])
    return said


def _is_near(other: Stood, said: Pose, base: Stance) -> bool:
    """Return whether a base at the same height may be met."""
    (x, y, z, _), (to_x, to_y, to_z, _) = said, other.pose
    far = base.radius + base.core.reach + other.base.radius + other.base.core.reach
    return abs(z - to_z) <= TOLERANCE and norm(x - to_x, y - to_y) <= far


def _fits(field: Tabletop, unit: Unit, pose: Pose, base: Stance) -> bool:
    """Return whether a base stands clear of edges and terrain."""
    bare = replace(field.ground(unit, "normal"), solid=NOTHING, no_end=NOTHING, crowd=None)
    return bool(_stands(bare.at(pose[2]), np.array([pose[:2]]), base)[0])


def over_the_edge(facts: UnitFacts, poses: Mapping[int, Pose], size: Point) -> int | None:
    """Return the number of the first model whose base is not wholly on the board."""
    standing = [(i, model) for i, model in enumerate(facts.models) if model.row in poses]
    if not standing:
        return None
    bases = [stance_of(model.base.base(), poses[model.row][3]) for _, model in standing]
    stands = may_stand(Ground(size), np.array([poses[model.row][:2] for _, model in standing]), bases)
    return next((i for (i, _), fits in zip(standing, stands.tolist(), strict=True) if not fits), None)


def clear_place(ground: Ground, spot: Spot, base: Stance, own: Outlines = NOTHING) -> Spot:
    """Return the place within a small push where the base overlaps nothing.

    `own` are its unit's other models, which it does not overlap either. It is the place itself where that is
    legal, or where no push makes it legal.
    """
    here = ground.at(spot[2] if len(spot) > 2 else 0.0)
    at = np.array(spot[:2])
    if _stands(here, at[None], base, own)[0]:
        return spot
    spots = at + _pushes()
    legal = _stands(here, spots, base, own).nonzero()[0]
    if not len(legal):
        return spot
    x, y = spots[legal[0]].tolist()
    return (x, y, *spot[2:])


def touching_place(ground: Ground, spot: Spot, base: Stance, foes: Outlines, own: Outlines) -> Spot:
    """Return the place next to this one at which the base touches a foe, if it all but does."""
    away = clearances(placed(np.array([spot[:2]]), [base]), foes)[0]
    if not len(away) or not -SLIVER_INCHES <= away.min() <= SHORT:
        return spot
    met = _contact(spot, base, foes.take([int(away.argmin())]))
    here = ground.at(spot[2] if len(spot) > 2 else 0.0)
    return (*met, *spot[2:]) if _stands(here, np.array([met]), base, own)[0] else spot


def _contact(spot: Spot, base: Stance, met: Outlines) -> tuple[float, float]:
    """Return where on the line to its middle the base comes to stand against another."""
    middle, start = met.xy[0], np.array(spot[:2])
    way = (start - middle) / norm(*(start - middle))
    low, high = start - SHORT * 2 * way, start + SLIVER_INCHES * 2 * way
    for _ in range(HALVINGS):
        half = (low + high) / 2
        if clearances(placed(half[None], [base]), met)[0, 0] < 0:
            low = half
        else:
            high = half
    return float(high[0]), float(high[1])


def _stands(ground: Ground, spots: Floats, base: Stance, own: Outlines = NOTHING) -> Bools:
    """Return at which spots a base overlaps no edge, no terrain and no model, to the tolerance."""
    bases = placed(spots, [base] * len(spots))
    stands = may_stand(Ground(ground.size), spots, [base] * len(spots))
    for models in (ground.solid, ground.no_end, own):
        if len(models):
            stands &= (clearances(bases, models) >= -TOLERANCE).all(axis=1)
    return stands & _clear(ground.walls, bases) & _clear(ground.no_stand, bases)


def _clear(areas: tuple[Polygon, ...], bases: Outlines) -> Bools:
    if not areas:
        return np.ones(len(bases), dtype=bool)
    edges = np.array([pair for ring in rings(areas, merged=True) for pair in pairwise(ring)])
    far = bases.line_distances(edges[:, 0], edges[:, 1]).min(axis=0)
    inside = shapely.intersects(union_of(areas), shapely.points(bases.xy))
    return np.asarray((far >= -TOLERANCE) & ~inside)


def _pushes() -> Floats:
    angle = 2 * np.pi * np.arange(WAYS) / WAYS
    ways = ways_at(angle)
    lengths = SLIVER_INCHES * np.arange(1, STEPS + 1) / STEPS
    return np.asarray((lengths[:, None, None] * ways).reshape(-1, 2))
