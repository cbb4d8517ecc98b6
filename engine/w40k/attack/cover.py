"""Which models of a target have the Benefit of Cover against an attacking unit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.core.facts import TerrainFacts
from engine.core.state import Unit
from engine.records.hook import hook
from geometry.measure.region import base_within, farthest_from_polygon
from geometry.shape.base import TOLERANCE, Bools

if TYPE_CHECKING:
    from engine.core.game import Game

HIDES = ("ruin", "woods", "debris", "hill", "container", "wall")
"""Terrain that gives cover to any model that is not fully visible because of it."""


def cover(game: Game, attacker: Unit, target: Unit) -> Bools:
    """Return which models of the target have the Benefit of Cover.

    Rule: CORE.TER.1 to CORE.TER.6, CORE.COV.2, PLAY.7.
    """
    if game.query.has_ability(target, "cover"):
        return np.ones(len(target.rows), dtype=bool)
    covered = _within_terrain(game, target)
    for function, _ in game.query.calls("cover", attacker=attacker, target=target):
        covered |= function(game, attacker, target)
    # What terrain hides in part takes longest to tell, and is often known to be in cover already.
    left = (~covered).nonzero()[0]
    if len(left) and not game.field.looks_through(attacker):
        covered[left] = _behind_terrain(game, attacker, target, tuple(target.rows[k] for k in left))
    return covered


@hook("cover-in-spawning-zones")
def in_spawning_zones(game: Game, attacker: Unit, target: Unit) -> Bools:
    """Return which models of the target have cover for being within a spawning zone.

    Ruling `horde.zone_cover`: "wholly" asks for their whole base. Rule: PLAY.7, R.A89
    """
    wholly = game.ruling("horde.zone_cover") == "wholly"
    return game.field.wholly_in_spawn_zones(target) if wholly else game.field.in_spawn_zone(target)


def _behind_terrain(game: Game, attacker: Unit, target: Unit, rows: tuple[int, ...]) -> Bools:
    """Return which of these models terrain hides in part; models that block come after it and give none."""
    covered = np.zeros(len(rows), dtype=bool)
    hidden = game.field.hidden_by(attacker, target, rows, HIDES)
    for i, terrain in enumerate(game.state.position.terrain.values()):
        if i >= hidden.shape[1] or not hidden[:, i].any():
            continue
        if terrain.kind in HIDES:
            covered |= hidden[:, i]
        elif terrain.kind == "barricade" and game.field.has(target, "INFANTRY"):
            covered |= hidden[:, i] & _wholly_within(game, rows, terrain, 3.0)
    return covered


def _wholly_within(game: Game, rows: tuple[int, ...], terrain: TerrainFacts, inches: float) -> Bools:
    bases = game.field.outlines(rows)
    return np.asarray(farthest_from_polygon(bases, terrain.footprint) <= inches + TOLERANCE)


def _within_terrain(game: Game, target: Unit) -> Bools:
    bases = game.field.outlines(target.rows)
    covered = np.zeros(len(bases), dtype=bool)
    infantry = game.field.has(target, "INFANTRY")
    for terrain in game.state.position.terrain.values():
        if terrain.kind in ("ruin", "woods") or (terrain.kind == "crater" and infantry):
            covered |= base_within(terrain.footprint, bases)
    return covered
