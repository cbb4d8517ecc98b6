"""Turns the reference maps into deployments and layouts.

Owns the fronts of spawning zones, their order as the players see them, and heights that no map gives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shapely import LineString, Polygon, box
from shapely.ops import linemerge, unary_union

from datasheets.battlefield import TERRAIN_HEIGHTS, Deployment, Layout, Objective, SpawnZone, TerrainPiece

Row = Mapping[str, Any]
Points = tuple[tuple[float, float], ...]


def deployment(row: Row, board: Sequence[float]) -> Deployment:
    """Return a deployment map.

    Its spawning zones are in order from left to right as the players see them.
    """
    return Deployment(
        id=row["id"],
        name=row["name"],
        board=(board[0], board[1]),
        defender=_points(row["defender"]),
        attacker=_points(row["attacker"]),
        defender_edge=_edge(row["defender_edge"]),
        attacker_edge=_edge(row["attacker_edge"]),
        edge_centre=_points([row["edge_centre"]])[0],
        objectives=tuple(
            Objective(id=letter, at=(float(each["x"]), float(each["y"])), zone=each["zone"])
            for letter, each in zip("ABCDEF", row["objectives"], strict=False)
        ),
        spawn_zones={
            int(number): _zones(row, found["zones"], board) for number, found in row["spawn_zones"].items()
        },
    )


def layout(row: Row) -> Layout:
    """Return a layout of terrain with the height of each piece."""
    pieces = tuple(
        TerrainPiece(
            id=each["id"],
            kind=each["kind"],
            polygon=_points(each["polygon"]),
            height=float(each.get("height", TERRAIN_HEIGHTS[each["kind"]])),
        )
        for each in row["pieces"]
    )
    return Layout(id=row["id"], deployment=row["deployment"], pieces=pieces)


def _points(points: Sequence[Sequence[float]]) -> Points:
    return tuple((float(x), float(y)) for x, y in points)


def _edge(row: Row) -> tuple[tuple[float, float], tuple[float, float]]:
    start, end = _points(row["segment"])
    return start, end


def _zones(row: Row, zones: Sequence[Row], board: Sequence[float]) -> tuple[SpawnZone, ...]:
    """Return the spawning zones left to right as seen from the Defender's edge."""
    (x0, y0), (x1, y1) = _edge(row["defender_edge"])
    (x2, y2), (x3, y3) = _edge(row["attacker_edge"])
    ahead = (x2 + x3 - x0 - x1, y2 + y3 - y0 - y1)
    left_to_right = sorted(zones, key=lambda z: z["centroid"][0] * ahead[1] - z["centroid"][1] * ahead[0])
    return tuple(
        SpawnZone(id=zone["id"], polygon=_points(zone["polygon"]), front=_front(zone, row, board))
        for zone in left_to_right
    )


def _front(zone: Row, row: Row, board: Sequence[float]) -> Points:
    """Return the zone's border with No Man's Land, as one line."""
    sides = _sides(zone["polygon"])
    border = Polygon(row["attacker"]).boundary.buffer(1e-3)
    rim = box(0, 0, board[0], board[1]).boundary.buffer(1e-3)
    own = [side for side in sides if border.contains(side) and not rim.contains(side)]
    line = linemerge(unary_union(own)) if len(own) > 1 else own[0]
    return _points(list(line.coords))


def _sides(polygon: Sequence[Sequence[float]]) -> list[LineString]:
    ends = [*polygon[1:], polygon[0]]
    return [LineString([start, end]) for start, end in zip(polygon, ends, strict=True)]
