"""Which models of a target have the Benefit of Cover against an attacking unit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine.core.facts import TerrainFacts
from engine.core.state import Unit
from engine.records.hook import hook
from geometry.measure.region import base_touches, base_within, farthest_from_polygon
from geometry.shape.base import Bools
from geometry.shape.convex_shape import Outlines
from geometry.sight.landscape import Landscape, solid_bodies
from geometry.sight.visibility import hidden_by
from geometry.tolerance import TOLERANCE

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

HIDES = ("ruin", "woods", "debris", "hill", "container", "wall")
"""Terrain that gives cover to any model that is not fully visible because of it."""


def cover(battle: Battle, attacker: Unit, target: Unit) -> Bools:
    """Return which models of the target have the Benefit of Cover.

    Rule: CORE.TER.1 to CORE.TER.6, CORE.COV.2, PLAY.7.
    """
    if battle.query.has_ability(target, "cover"):
        return np.ones(len(target.rows), dtype=bool)
    covered = _within_terrain(battle, target)
    for function, active in battle.query.calls("cover", attacker=attacker, target=target):
        covered |= function(battle, attacker, target, active.names)
    # What terrain hides in part takes longest to tell, and is often known to be in cover already.
    left = (~covered).nonzero()[0]
    if len(left) and not battle.field.screens.looks_through(attacker):
        covered[left] = _behind_terrain(battle, attacker, target, tuple(target.rows[k] for k in left))
    return covered


@hook("cover-in-spawning-zones")
def in_spawning_zones(battle: Battle, attacker: Unit, target: Unit, names: dict[str, Any]) -> Bools:
    """Return which models of the target have cover for being within a spawning zone.

    Ruling `horde.zone_cover`: "wholly" asks for their whole base. Rule: PLAY.7, R.A89
    """
    wholly = battle.ruling("horde.zone_cover") == "wholly"
    return battle.field.wholly_in_spawn_zones(target) if wholly else battle.field.in_spawn_zone(target)


@hook("cover-behind-bearer")
def behind_bearer(battle: Battle, attacker: Unit, target: Unit, names: dict[str, Any]) -> Bools:
    """Return which models have cover, as the bearer keeps them from being fully visible.

    A bearer hides nothing of itself. Rule: CORE.COV.2, CORE.LOS.2
    """
    bearer = names["bearer"]
    if bearer.where != "table" or bearer.id in (attacker.id, target.id):
        return np.zeros(len(target.rows), dtype=bool)
    bodies = battle.field.bodies
    land = Landscape(solid_bodies(bodies(bearer.rows), [str(row) for row in bearer.rows]))
    every = np.ones(len(land), dtype=np.bool_)
    hidden = hidden_by(bodies(attacker.rows), bodies(target.rows), land, every)
    return np.asarray(hidden.any(axis=1))


def _behind_terrain(battle: Battle, attacker: Unit, target: Unit, rows: tuple[int, ...]) -> Bools:
    """Return which of these models have cover because terrain hides them in part.

    Models that block sight come after the terrain in what hides, and give no cover.
    """
    covered = np.zeros(len(rows), dtype=bool)
    hidden = battle.field.hidden_by(attacker, target, rows, HIDES)
    for i, terrain in enumerate(battle.state.position.terrain.values()):
        if i >= hidden.shape[1] or not hidden[:, i].any():
            continue
        if terrain.kind in HIDES:
            covered |= hidden[:, i]
        elif terrain.kind == "barricade" and battle.field.has(target, "INFANTRY"):
            covered |= hidden[:, i] & _wholly_within(battle, rows, terrain, 3.0)
    return covered


def _wholly_within(battle: Battle, rows: tuple[int, ...], terrain: TerrainFacts, inches: float) -> Bools:
    bases = battle.field.outlines(rows)
    return np.asarray(farthest_from_polygon(bases, terrain.footprint) <= inches + TOLERANCE)


def _within_terrain(battle: Battle, target: Unit) -> Bools:
    """Return which models terrain shelters that they are in.

    Ruling `cover.toe_in`: "within" has a ruin shelter any of which a part is in it. Rule: CORE.TER.6
    """
    bases = battle.field.outlines(target.rows)
    covered = np.zeros(len(bases), dtype=bool)
    infantry, partly = battle.field.has(target, "INFANTRY"), battle.ruling("cover.toe_in") == "within"
    for terrain in _about(battle, bases, partly):
        if partly and terrain.kind == "ruin":
            covered |= base_touches(terrain.footprint, bases)
        elif terrain.kind in ("ruin", "woods") or (terrain.kind == "crater" and infantry):
            covered |= base_within(terrain.footprint, bases)
    return covered


def _about(battle: Battle, bases: Outlines, partly: bool) -> list[TerrainFacts]:
    """Return the terrain in which the middles of bases, or parts of them, may lie, in order."""
    if not len(bases):
        return []
    wider = float(np.max(bases.reach)) if partly else 0.0
    (left, low), (right, high) = bases.xy.min(axis=0).tolist(), bases.xy.max(axis=0).tolist()
    pieces = list(battle.state.position.terrain.values())
    box = (left - wider, low - wider, right + wider, high + wider)
    return [pieces[place] for place in battle.near.terrain_about(box)]
