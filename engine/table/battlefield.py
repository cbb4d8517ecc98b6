"""The table as geometry sees it: keywords and terrain kinds turned into properties, in this one place.

Answers who sees whom, how far apart units are and where a unit may go; everything is cached by the
table's version. It judges no rule.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import chain

import numpy as np
import shapely

from engine.core.event import Pose
from engine.core.facts import Point
from engine.core.state import Objective, Position, Table, Unit
from engine.table.allowances import PRINTED, Allowances
from engine.table.outlook import Grounds, Outlook, Outlooks
from engine.table.proximity import Proximity
from engine.table.unit_gaps import Gaps
from engine.w40k.ground.engaged_pairs import Encounters
from engine.w40k.ground.engagement import Engagement, barricades_of
from engine.w40k.ground.passage import IN_COMBAT, ground_for, is_on_foot, landing_for, settled
from engine.w40k.ground.terrain import Footing, piece
from engine.w40k.parameters import Parameters
from geometry.group.party import Party
from geometry.measure.body import Bodies
from geometry.measure.distance import within
from geometry.measure.region import base_touches, base_within
from geometry.measure.segment_crossing import Across
from geometry.path.ground import Ground, wholly_in
from geometry.shape.base import Bools, Floats, Polygon
from geometry.shape.convex_shape import NOTHING, Outlines
from geometry.sight.landscape import Landscape, solid_bodies
from geometry.sight.visibility import Sight, hidden_by, sight, visible

Rows = tuple[int, ...]
TERRAIN = 100_000_000
"""Fewer changes of positions there are in a battle."""
BIG = ("MONSTER", "VEHICLE")
"""The models that close lines of sight where models do. Rule: S.L21"""


class Battlefield:
    """The state's table with the questions of geometry, cached."""

    def __init__(self, position: Position, parameters: Parameters, allowances: Allowances = PRINTED) -> None:
        """Read what stands where from this position, and ask the allowances what rules in force change."""
        self.position = position
        self.parameters = parameters
        self._allowances = allowances
        self._version = -1
        self._outlooks = Outlooks(self)
        self._points: dict[Hashable, tuple[Grounds, Bools]] = {}
        self._sights: dict[tuple[str, str], Sight] = {}
        self._hidden: dict[tuple[Rows, tuple[str, ...]], dict[int, Bools]] = {}
        self._gaps = Gaps(self)
        self._stood = _poses(position.table)
        self._bases: dict[tuple[int, ...], Outlines] = {}
        self._proximity = Proximity(self)
        self._encounters = Encounters(self)
        self._engagement: tuple[int, Engagement] | None = None
        self._landscapes: dict[tuple[int, bool], Landscape] = {}
        self._footing: tuple[int, Footing] | None = None
        self._behinds: dict[int, Outlines] = {}
        self._grounds: dict[Hashable, Ground] = {}
        self._crowded: dict[tuple[bool, frozenset[str]], Landscape] = {}

    def _fresh(self) -> None:
        table = self.position.table
        version = table.version + TERRAIN * table.terrain_version
        if version != self._version:
            moved = self._moved()
            self._gaps.forget({self.position.models[row].unit for row in moved})
            anew = self._version < 0 or version - self._version >= TERRAIN
            self._encounters.forget(None if anew else moved)
            # Where models only fall, all that concerns the others holds, but for lines that models close.
            if moved or anew or self.parameters.models_block:
                self._hidden.clear()
                self._bases.clear()
                self._proximity.forget()
            self._version = version
            self._sights.clear()
            self._crowded.clear()
            self._behinds.clear()
            self._grounds.clear()

    def _moved(self) -> list[int]:
        """Return the rows that stand elsewhere, or otherwise, than when this was asked last."""
        before, self._stood = self._stood, _poses(self.position.table)
        same = (self._stood[: len(before)] == before).all(axis=1)
        found: list[int] = (~same).nonzero()[0].tolist()
        return found + list(range(len(before), len(self._stood)))

    def forget(self) -> None:
        """Forget what was worked out, as rules that bear on it have changed."""
        self._version = -1

    # what stands on the table

    def has(self, unit: Unit, keyword: str) -> bool:
        """Return whether every living part of the unit has the keyword, printed or granted."""
        if all(keyword in part.keywords for part in unit.parts):
            return True
        return self._allowances.granted_keyword(unit, keyword)

    def bodies(self, rows: tuple[int, ...]) -> Bodies:
        """Return the models of these rows as upright bodies."""
        table = self.position.table
        i = np.array(rows, dtype=np.intp)
        over, out = self._have(rows, "AIRCRAFT"), self._have(rows, "TOWERING")
        bases = self.outlines(rows)
        return Bodies(bases.xy, table.z[i], bases.radius, table.height[i], over, out, bases.core)

    def _have(self, rows: tuple[int, ...], keyword: str) -> Bools:
        """Return which models are of a unit with a keyword."""
        names = [self.position.models[row].unit for row in rows]
        having = {name: self.position.units[name].has(keyword) for name in dict.fromkeys(names)}
        return np.array([having[name] for name in names], dtype=bool)

    def outlines(self, rows: tuple[int, ...], margin: float = 0.0) -> Outlines:
        """Return the bases of these rows, each wider by the margin."""
        if not rows:
            return NOTHING
        self._fresh()
        if rows not in self._bases:
            self._bases[rows] = self.position.table.outlines(rows)
        bases = self._bases[rows]
        return bases.grown(margin) if margin else bases

    def pivot_cost(self, row: int) -> float:
        """Return what the first pivot of a move costs a model, in inches. Rule: CORE.MOVE.3."""
        unit, base = (
            self.position.units[self.position.models[row].unit],
            self.position.table.base[row],
        )
        if unit.has("AIRCRAFT"):
            return 0.0
        if base.shape != "round":
            return (
                self.parameters.pivot_big
                if unit.has("MONSTER") or unit.has("VEHICLE")
                else self.parameters.pivot
            )
        stem = self.position.models[row].facts.base.flying and unit.has("VEHICLE")
        return self.parameters.pivot_big if stem and base.length > self.parameters.pivot_stem else 0.0

    def kept_clear(self, clear: float, of_all: bool, discs: tuple[tuple[Point, float], ...]) -> Outlines:
        """Return what a marker must stay out of: discs, and what is too near a Horde model or any at all."""
        near = self.position.on_table() if of_all else self.position.on_table("horde") if clear > 0 else []
        return self.outlines(self.rows(near), clear).joined(discs_of(discs))

    def rows(self, units: list[Unit]) -> tuple[int, ...]:
        """Return the rows of all models of these units."""
        return tuple(chain.from_iterable([unit.rows for unit in units]))

    def enemies(self, unit: Unit) -> list[Unit]:
        """Return the units of the other side on the battlefield."""
        return self.position.on_table("players" if unit.side == "horde" else "horde")

    def friends(self, unit: Unit) -> list[Unit]:
        """Return the other units of its side on the battlefield."""
        return [other for other in self.position.on_table(unit.side) if other.id != unit.id]

    def kept_off(self, unit: Unit) -> list[Unit]:
        """Return the units that it stays clear of: its enemies, in some editions its friends too."""
        return self.enemies(unit) + (self.friends(unit) if self.parameters.keep_off_friends else [])

    # distances

    def gaps(self, a: Unit, b: Unit) -> Floats:
        """Return the distances between the models of two units, shape (models of a, models of b)."""
        self._fresh()
        return self._gaps.between(a, b).gaps

    def flat_gaps(self, a: Unit, b: Unit) -> Floats:
        """Return the same as seen from above, whatever the heights at which they stand."""
        self._fresh()
        return self._gaps.between(a, b).flat

    def touching(self, a: Unit, b: Unit) -> Bools:
        """Return which models of a (rows) are in base contact with which of b, never across floors."""
        z, free = self.position.table.z, self.parameters.free_height
        level = within(np.abs(z[list(a.rows)][:, None] - z[list(b.rows)]), free)
        return np.asarray(within(self.flat_gaps(a, b), 0.0) & level)

    def gap(self, a: Unit, b: Unit) -> float:
        """Return the distance between the closest models of two units; infinite if one has none."""
        self._fresh()
        return self._gaps.between(a, b).closest

    def engaged(self, a: Unit, b: Unit) -> bool:
        """Return whether two units are within engagement range. Rule: CORE.ER.1."""
        self._fresh()
        return b.id in self._encounters.of(a.id)

    def engaged_by(self, units: list[Unit]) -> frozenset[str]:
        """Return the ids of the enemies within engagement range of any of these units."""
        self._fresh()
        return frozenset().union(*[self._encounters.of(unit.id) for unit in units])

    def are_near(self, a: Rows, b: Rows, apart: Floats) -> Bools:
        """Return which models of some rows, so far apart, are within engagement range of which of others."""
        z = self.position.table.z
        i, j = np.array(a, dtype=np.intp), np.array(b, dtype=np.intp)
        level = within(np.abs(z[i][:, None] - z[j][None, :]), self.parameters.engagement_vertical)
        return np.asarray(self.engagement.near(apart, self.outlines(a), self.outlines(b)) & level)

    @property
    def engagement(self) -> Engagement:
        """Return engagement range among the terrain as it is now."""
        if self._engagement is None or self._engagement[0] != self.position.table.terrain_version:
            barricades = barricades_of(list(self.position.terrain.values()))
            self._engagement = (
                self.position.table.terrain_version,
                Engagement(self.parameters, barricades),
            )
        return self._engagement[1]

    def behind(self, row: int) -> Outlines:
        """Return the places within engagement range of a model across a barricade. Rule: CORE.ER.2."""
        self._fresh()
        if row not in self._behinds:
            (x, y), facing = (
                self.position.table.xy[row].tolist(),
                float(self.position.table.facing[row]),
            )
            self._behinds[row] = self.engagement.behind(row, (x, y, facing), lambda: self.outlines((row,)))
        return self._behinds[row]

    def beside_barricades(self, rows: tuple[int, ...]) -> list[int]:
        """Return which of these models stand so near to a barricade that some may be in range across it."""
        if not self.engagement.barricades:
            return []
        near = self.engagement.beside(self.outlines(rows)).tolist()
        return [row for row, is_near in zip(rows, near, strict=True) if is_near]

    def across(self, rows: tuple[int, ...]) -> Across | None:
        """Return where others may be in range of these models across a barricade; None where nowhere."""
        places = NOTHING
        for row in self.beside_barricades(rows):
            places = places.joined(self.behind(row))
        return self.engagement.across(places)

    def engaged_models(self, a: Unit, b: Unit) -> Bools:
        """Return which models of a (rows) are within engagement range of which of b (columns)."""
        return self.are_near(a.rows, b.rows, self.flat_gaps(a, b))

    def engaged_with(self, unit: Unit) -> list[Unit]:
        """Return the enemy units within engagement range of this unit."""
        self._fresh()
        met = self._encounters.of(unit.id)
        return [enemy for enemy in self.enemies(unit) if enemy.id in met] if met else []

    def gap_to_objective(self, unit: Unit, objective: Objective) -> Floats:
        """Return the distance from each model of the unit to the marker's edge."""
        return self.gap_to_disc(unit, objective.at, self.parameters.marker_radius)

    def gap_to_disc(self, unit: Unit, at: Point, radius: float) -> Floats:
        """Return the distance from each model of the unit to a disc."""
        self._fresh()
        return self._proximity.gaps(unit, at, radius)

    def in_range_of(self, unit: Unit, objective: Objective) -> Bools:
        """Return which models of the unit are within range of the marker. Rule: CORE.OBJ.1."""
        self._fresh()
        return self._proximity.in_range(unit, objective.at)

    def near(self, objective: Objective) -> list[Unit]:
        """Return the units with a model within range of the marker, in order of arrival."""
        self._fresh()
        return self._proximity.near(objective.at)

    # zones

    def within_zone(self, unit: Unit, polygon: Polygon) -> Bools:
        """Return which models of the unit have any part of their base in the polygon. Rule: R.A66, R.A89."""
        return base_touches(polygon, self.outlines(unit.rows))

    def wholly_within_zone(self, unit: Unit, polygon: Polygon) -> Bools:
        """Return which models of the unit have their whole base in the polygon."""
        return base_within(polygon, self.outlines(unit.rows))

    def spawn_zones(self) -> list[Polygon]:
        """Return the polygons of the spawning zones."""
        return [zone.polygon for zone in self.position.zones.values() if zone.kind == "spawn"]

    def in_spawn_zone(self, unit: Unit) -> Bools:
        """Return which models of the unit are within a spawning zone."""
        inside = np.zeros(len(unit.rows), dtype=bool)
        for polygon in self.spawn_zones():
            inside |= self.within_zone(unit, polygon)
        return inside

    def wholly_in_spawn_zones(self, unit: Unit) -> Bools:
        """Return which models have their whole base in the spawning zones taken together."""
        zones = tuple(self.spawn_zones())
        bases = self.outlines(unit.rows)
        return wholly_in(zones, bases) if zones else np.zeros(len(bases), dtype=bool)

    # sight

    def landscape(self, ignores_terrain: bool = False) -> Landscape:
        """Return the terrain as sight meets it; none of it for who ignores it."""
        key = (self.position.table.terrain_version, ignores_terrain)
        if key not in self._landscapes:
            pieces = [] if ignores_terrain else [piece(t) for t in self.position.terrain.values()]
            self._landscapes[key] = Landscape(pieces)
        return self._landscapes[key]

    def looks_through(self, unit: Unit) -> bool:
        """Return whether terrain hides nothing from the unit."""
        return not self._allowances.may("sight-blocked", unit=unit)

    def between(self, a: Unit, b: Unit | None = None) -> Landscape:
        """Return what closes the lines from unit a to unit b, or to what is no unit.

        Where models block, the big ones of all other units do. Rule: CORE.LOS.1, S.L21
        """
        through = self.looks_through(a)
        if not self.parameters.models_block:
            return self.landscape(through)
        self._fresh()
        apart = frozenset(unit.id for unit in (a, b) if unit is not None)
        key = (through, apart)
        if key not in self._crowded:
            seen = () if b is None else b.rows
            others = self._bystanders(apart, self.bodies(a.rows), self.bodies(seen))
            self._crowded[key] = self._crowd(through, others)
        return self._crowded[key]

    def _bystanders(self, apart: frozenset[str], own: Bodies, there: Bodies) -> tuple[int, ...]:
        """Return the big models of other units that may stand between; all if nobody is looked at."""
        units = [unit for unit in self.position.on_table() if unit.id not in apart]
        rows = self.rows([unit for unit in units if any(map(unit.has, BIG))])
        if not rows or not len(there):
            return rows
        ends, others = own.outlines.joined(there.outlines), self.outlines(rows)
        hull = shapely.convex_hull(shapely.multipoints(ends.xy))
        apart_by = shapely.distance(hull, shapely.points(others.xy))
        near = apart_by <= others.reach + ends.reach.max(initial=0.0)
        return tuple(row for row, is_near in zip(rows, near.tolist(), strict=True) if is_near)

    def _crowd(self, through: bool, rows: tuple[int, ...]) -> Landscape:
        """Return the terrain, but for who looks through it, and these models as pieces."""
        names = [f"{self.position.models[row].unit}.{row}" for row in rows]
        terrain = [] if through else [piece(t) for t in self.position.terrain.values()]
        return (
            Landscape([*terrain, *solid_bodies(self.bodies(rows), names)])
            if rows
            else self.landscape(through)
        )

    def seen(self, unit: Unit, own: Bodies, rows: tuple[int, ...]) -> Bools:
        """Return which bodies of a unit, where they stand or would, see which models of these rows."""
        through = self.looks_through(unit)
        found = visible(own, self.bodies(rows), self.landscape(through))
        if not self.parameters.models_block:
            return found
        # Models only ever close lines: whoever terrain hides need not be asked again.
        names = [self.position.models[row].unit for row in rows]
        for name in dict.fromkeys(names):
            columns = np.array([k for k, each in enumerate(names) if each == name], dtype=np.intp)
            columns, lines = (
                columns[found[:, columns].any(axis=0)],
                np.logical_or.reduce(found[:, columns], axis=1).nonzero()[0],
            )
            mine, there = own.take(lines), self.bodies(tuple(rows[k] for k in columns))
            others = self._bystanders(frozenset((unit.id, name)), mine, there) if len(columns) else ()
            if others:
                found[np.ix_(lines, columns)] = visible(mine, there, self._crowd(through, others))
        return found

    def outlook(self, unit: Unit) -> Outlook:
        """Return what the unit sees of its enemies on the battlefield. Rule: CORE.LOS.1."""
        return self._outlooks.of(unit)

    def visible(self, a: Unit, b: Unit) -> Bools:
        """Return which models of a see which models of b."""
        if a.side != b.side:
            view = self.outlook(a)
            return view.visible[:, view.span(b.id)]
        return visible(self.bodies(a.rows), self.bodies(b.rows), self.between(a, b))

    def sight(self, a: Unit, b: Unit) -> Sight:
        """Return the whole sight of a on b, with what is fully visible and what hides a part."""
        self._fresh()
        key = (a.id, b.id)
        if key not in self._sights:
            self._sights[key] = sight(self.bodies(a.rows), self.bodies(b.rows), self.between(a, b))
        return self._sights[key]

    def hidden_by(self, a: Unit, b: Unit, rows: tuple[int, ...], enough: tuple[str, ...]) -> Bools:
        """Return which terrain keeps which of these models of b from being fully visible to all of a.

        Of a model that terrain of one of these kinds hides in part, others may be left out.
        """
        self._fresh()
        known = self._hidden.setdefault((a.rows, enough), {})
        new = tuple(row for row in rows if row not in known)
        if new:
            land, terrain = (
                self.between(a, b),
                [each.kind in enough for each in self.position.terrain.values()],
            )
            counts = np.array([*terrain, *[False] * len(land)][: len(land)], dtype=np.bool_)
            found = hidden_by(self.bodies(a.rows), self.bodies(new), land, counts)
            known.update(zip(new, found, strict=True))
        return np.array([known[row] for row in rows])

    def sees_points(self, unit: Unit, at: Sequence[Point], radius: float) -> Bools:
        """Return which models of the unit (rows) see which of these flat discs on the ground. Rule: R.A10."""
        key, now = (unit.id, tuple(at), radius), self._outlooks.grounds(unit, ())
        known = self._points.get(key)
        if known is None or known[0] != now:
            seen = visible(self.bodies(unit.rows), flat_discs(at, radius), self.between(unit))
            known = self._points[key] = (now, seen)
        return known[1]

    # movement

    @property
    def footing(self) -> Footing:
        """Return the terrain of now as movers meet it."""
        if self._footing is None or self._footing[0] != self.position.table.terrain_version:
            terrain = tuple(self.position.terrain.values())
            self._footing = (
                self.position.table.terrain_version,
                Footing(terrain, self.parameters.free_height),
            )
        return self._footing[1]

    def ground(self, unit: Unit, kind: str, targets: tuple[str, ...] = (), planned: bool = True) -> Ground:
        """Return where the models of the unit may go in a move of this kind.

        `kind` is normal, advance, fall-back, charge, pile-in or consolidate. Rule: CORE.MOVE.4.
        """
        self._fresh()
        flies, on_foot = self.has(unit, "FLY"), is_on_foot(self, unit)
        # Only barricades make a difference between a plan and its check.
        planned = planned and bool(self.engagement.barricades)
        # A unit in combat finds the same in its way wherever it moves.
        key = (unit.id, kind in IN_COMBAT or kind, targets, planned, flies, on_foot)
        if key not in self._grounds:
            self._grounds[key] = ground_for(self, unit, kind, targets, planned)
        return self._grounds[key]

    def landing(self, unit: Unit) -> Ground:
        """Return where the unit may be set up: clear of terrain that carries no model, and of all bases."""
        return landing_for(self, unit)

    def party(
        self,
        rows: Sequence[int],
        limits: Mapping[int, float],
        paths: Mapping[int, Sequence[Sequence[float]]] | None = None,
    ) -> Party:
        """Return models as the geometry moves them, where they stand or after paths, each with its limit.

        Whoever has turned already has paid for it. Rule: CORE.MOVE.3
        """
        table, made = self.position.table, paths or {}
        poses = np.array([table.after(row, made.get(row, ())) for row in rows]).reshape(-1, 4)
        limit = np.array([limits.get(row, 0.0) for row in rows])
        xy, radius = poses[:, :2], table.radius[list(rows)]
        if radius.all():
            return Party(xy, radius, limit, z=poses[:, 2])
        turned = [any(len(leg) == 4 for leg in made.get(row, ())) for row in rows]
        cost = [0.0 if done else self.pivot_cost(row) for row, done in zip(rows, turned, strict=True)]
        bases = tuple(table.base[row] for row in rows)
        return Party(xy, radius, limit, bases, poses[:, 3], np.array(cost), poses[:, 2])

    def after(self, row: int, legs: Sequence[Sequence[float]]) -> Pose:
        """Return the pose of a row at the end of a path, as high as it really stands there."""
        pose = self.position.table.after(row, legs)
        return settled(self, row, pose) if legs else pose


def _poses(table: Table) -> Floats:
    """Return where and how every model stands, (n, 4)."""
    return np.concatenate([table.xy, table.z[:, None], table.facing[:, None]], axis=1)


def flat_discs(at: Sequence[Point], radius: float) -> Bodies:
    """Return flat discs on the ground as something to be seen."""
    none, flat = np.zeros(len(at), bool), np.zeros(len(at))
    return Bodies(np.array(at), flat, np.full(len(at), radius), flat, none, none)


def discs_of(discs: tuple[tuple[Point, float], ...]) -> Outlines:
    """Return discs given by centre and radius."""
    if not discs:
        return NOTHING
    return Outlines(np.array([at for at, _ in discs]), np.array([radius for _, radius in discs]))
