"""What a file of a deployment or of a terrain layout may say.

Owns deployment maps, their spawning zones and objective markers, and pieces of terrain, in inches.
The Horde is the Attacker, the players are the Defender (SETUP.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from datasheets.record import Record

Point = tuple[float, float]
Polygon = tuple[Point, ...]
TerrainKind = Literal["ruin", "wall", "woods", "crater", "barricade", "hill", "debris", "container"]

TERRAIN_HEIGHTS: Mapping[str, float] = {
    "ruin": 5.0,
    "wall": 5.0,
    "woods": 4.0,
    "crater": 0.0,
    "barricade": 1.0,
    "hill": 3.0,
    "debris": 1.0,
    "container": 3.0,
}
"""How high a piece of terrain is when its file does not say, in inches."""


class Objective(Record, frozen=True):
    """An objective marker of a deployment and the zone it lies in."""

    id: str
    at: Point
    zone: Literal["defender", "no-mans-land", "attacker"]


class SpawnZone(Record, frozen=True):
    """A spawning zone: its outline and its border with No Man's Land. Rule: SETUP.3."""

    id: str
    polygon: Polygon
    front: Polygon


class Deployment(Record, frozen=True):
    """A deployment map: both zones, their edges, the objective markers and the spawning zones.

    `spawn_zones` maps each number of zones to these zones. They stand in the order in which they spawn: left
    to right as the players see them.
    """

    id: str
    name: str
    board: Point
    defender: Polygon
    attacker: Polygon
    defender_edge: tuple[Point, Point]
    attacker_edge: tuple[Point, Point]
    edge_centre: Point
    objectives: tuple[Objective, ...]
    spawn_zones: dict[int, tuple[SpawnZone, ...]]


class TerrainPiece(Record, frozen=True):
    """A piece of terrain: its kind, footprint and height.

    `walls` are lines of no thickness in or round a ruin, as high as it is; `floors` are the heights of floors
    over all of its footprint. A ruin whose walls are not known (None) is solid.
    """

    id: str
    kind: TerrainKind
    polygon: Polygon
    height: float
    walls: tuple[Polygon, ...] | None = None
    floors: tuple[float, ...] = ()


class Layout(Record, frozen=True):
    """The terrain of a battlefield, made for one deployment. Rule: SETUP.4."""

    id: str
    deployment: str
    pieces: tuple[TerrainPiece, ...]
