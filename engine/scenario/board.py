"""The battlefield of a scenario: terrain, zones, objective markers and edges on the table.

Owns what a deployment brings and what the file's own zones replace. It sets up no unit.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

import shapely

from datasheets.battlefield import TERRAIN_HEIGHTS
from datasheets.errors import BadData, unknown
from datasheets.library import Library
from datasheets.scenario import Scenario, Terrain, Zone, words
from datasheets.spelling import kebab
from engine.core.facts import BoardFacts, ObjectiveFacts, Point, Ring, TerrainFacts, ZoneFacts
from engine.horde.setup import board_of
from engine.scenario.frame import Frame
from geometry.portable import span
from geometry.tolerance import AREA_TOLERANCE_SQUARE_INCHES, TOLERANCE

DEPLOYMENT = "dawn-of-war"
SPAWN_ZONES = 2


def deployment_of(scenario: Scenario, library: Library) -> str:
    """Return the scenario's deployment: the one named, else dawn-of-war where the size fits.

    It is "none" where neither is so.
    """
    if scenario.board.deployment is not None:
        return kebab(scenario.board.deployment)
    size = scenario.board.size
    return DEPLOYMENT if size in (None, library.deployment(DEPLOYMENT).board) else "none"


def size_of(scenario: Scenario, library: Library, path: str) -> Point:
    """Return the size of the scenario's board. Raises BadData where its deployment has another."""
    name = deployment_of(scenario, library)
    known = [each.id for each in library.deployments()]
    if name not in ("none", *known):
        raise BadData(path, "board.deployment", str(unknown(name, known, "deployment")))
    said = scenario.board.size
    if name == "none":
        return said or (60.0, 44.0)
    size = library.deployment(name).board
    if said is not None and said != size:
        mend = f'{name} is {size[0]:g} by {size[1]:g}; leave the size out, or say deployment = "none"'
        raise BadData(path, "board.size", mend)
    return size


def board(scenario: Scenario, library: Library, frame: Frame, path: str) -> BoardFacts:
    """Return the battlefield as it lies on the table."""
    name = deployment_of(scenario, library)
    width, depth = frame.size
    base = BoardFacts(size=frame.size)
    if name == "none":
        base = BoardFacts(
            size=frame.size,
            defender_edge=((0.0, 0.0), (width, 0.0)),
            horde_edge=((0.0, depth), (width, depth)),
            edge_centre=(width / 2, 0.0),
        )
    else:
        deployed = library.deployment(name)
        layout = library.layouts(name)[0]
        number = SPAWN_ZONES if scenario.board.spawn_zones is None else scenario.board.spawn_zones
        if number and number not in deployed.spawn_zones:
            known = ", ".join(map(str, (0, *sorted(deployed.spawn_zones))))
            raise BadData(path, "board.spawn_zones", f"{name} may have {known}, not {number}")
        base = board_of(deployed, layout, number or min(deployed.spawn_zones))
        if not number:
            base = _without_spawn_zones(base)
    bare = name == "none"
    zones = _own_zones(scenario, frame.size, path) if scenario.zone or bare else base.zones
    return BoardFacts(
        size=frame.board,
        corner=frame.corner,
        deployment=name,
        layout="none",
        defender_edge=_pair(frame, base.defender_edge),
        horde_edge=_pair(frame, base.horde_edge),
        edge_centre=frame.point(base.edge_centre),
        terrain=(*_terrain(scenario, frame, path), *_beyond(frame)),
        zones=tuple(_zone(frame, zone) for zone in zones),
        objectives=tuple(
            ObjectiveFacts(id=each.id, at=frame.point(each.at), zone=_zone_at(each.at, zones))
            for each in scenario.objective
        ),
    )


def _without_spawn_zones(base: BoardFacts) -> BoardFacts:
    zones = tuple(zone for zone in base.zones if zone.kind != "spawn")
    return BoardFacts(
        size=base.size,
        deployment=base.deployment,
        defender_edge=base.defender_edge,
        horde_edge=base.horde_edge,
        edge_centre=base.edge_centre,
        zones=zones,
    )


def _pair(frame: Frame, ends: tuple[Point, Point]) -> tuple[Point, Point]:
    return frame.point(ends[0]), frame.point(ends[1])


def _zone(frame: Frame, zone: ZoneFacts) -> ZoneFacts:
    front = tuple(_pair(frame, ends) for ends in zone.front)
    return ZoneFacts(id=zone.id, kind=zone.kind, polygon=frame.ring(zone.polygon), front=front)


def _terrain(scenario: Scenario, frame: Frame, path: str) -> Iterator[TerrainFacts]:
    for i, each in enumerate(scenario.terrain):
        check_outline(each.footprint, path, f"terrain.{i}.footprint")
        height = TERRAIN_HEIGHTS[each.kind] if each.height is None else each.height
        name = each.id or f"{each.kind}-{i}"
        _check_inside(each, path, f"terrain.{i}")
        yield TerrainFacts(
            id=name,
            kind=each.kind,
            footprint=frame.ring(each.footprint),
            height=max(height, *each.floors, 0.0),
            walls=_walls(each, frame),
            floors=tuple(sorted(each.floors)),
        )


def _walls(terrain: Terrain, frame: Frame) -> tuple[Ring, ...] | None:
    """Return the walls of a ruin, none but those given; None of what is solid."""
    if terrain.kind != "ruin" or terrain.solid:
        return None
    return tuple(frame.ring(wall) for wall in terrain.walls)


def _check_inside(terrain: Terrain, path: str, key: str) -> None:
    """Raise BadData for a bad wall or floor of a ruin, and for any elsewhere.

    A wall leads through at least two points, and a floor lies above the ground. Only a ruin may be solid, and
    then it has no walls.
    """
    for i, wall in enumerate(terrain.walls):
        if len(wall) < 2 or len(set(wall)) < len(wall):
            raise BadData(path, f"{key}.walls.{i}", "a wall is a line through at least two points, each once")
    for i, floor in enumerate(terrain.floors):
        if floor <= 0:
            raise BadData(path, f"{key}.floors.{i}", "a floor lies above the ground")
    if terrain.kind != "ruin" and (terrain.walls or terrain.floors):
        inner = "walls" if terrain.walls else "floors"
        raise BadData(path, f"{key}.{inner}", f"only a ruin has {inner}; a {terrain.kind} has a height")
    if terrain.solid and (terrain.kind != "ruin" or terrain.walls):
        told = "only a ruin whose walls are not known is told to be solid"
        raise BadData(path, f"{key}.solid", told)


def _beyond(frame: Frame) -> Iterator[TerrainFacts]:
    for i, ring in enumerate(frame.outside()):
        yield TerrainFacts(id=f"beyond-the-board-{i}", kind="wall", footprint=ring, height=100.0)


def _own_zones(scenario: Scenario, size: Point, path: str) -> tuple[ZoneFacts, ...]:
    for i, each in enumerate(scenario.zone):
        check_outline(each.polygon, path, f"zone.{i}.polygon")
    zones = []
    for i, each in enumerate(scenario.zone):
        front = tuple(side for side in pairwise(each.front) if span(*side) > TOLERANCE)
        if each.front and not front:
            raise BadData(path, f"zone.{i}.front", "a front is a line through at least two points")
        if each.kind == "spawn" and not front:
            front = _front(each, scenario.zone, size)
        zones.append(ZoneFacts(id=each.id, kind=each.kind, polygon=each.polygon, front=front))
    left = shapely.box(0, 0, *size)
    for zone in zones:
        left = left.difference(shapely.Polygon(zone.polygon))
    pieces = [ring for piece in getattr(left, "geoms", [left]) for ring in _rings(piece)]
    zones += [
        ZoneFacts(id=f"no-mans-land-{i}", kind="no-mans-land", polygon=ring)
        for i, ring in enumerate(pieces, start=1)
    ]
    return tuple(zones)


def _front(zone: Zone, zones: tuple[Zone, ...], size: Point) -> tuple[tuple[Point, Point], ...]:
    """Return the sides of a spawning zone that border No Man's Land.

    Of these only the sides that face the Defender are returned, if there are any. Where the zone borders
    none, as in the middle of a Horde zone, all of its sides are looked at.
    """
    horde = shapely.union_all([shapely.Polygon(z.polygon) for z in zones if z.kind != "defender"])
    open_, edge = (line.buffer(TOLERANCE) for line in (horde.boundary, shapely.box(0, 0, *size).exterior))
    ring = shapely.Polygon(zone.polygon).normalize().exterior.coords
    every = [((a[0], a[1]), (b[0], b[1])) for a, b in pairwise(ring)]
    lines = shapely.linestrings(every)
    borders = open_.covers(lines) & ~edge.covers(lines)
    sides = [side for side, is_border in zip(every, borders, strict=True) if is_border] or every
    # Clockwise the zone lies on the right: beyond a side that leads left is the Defender's edge.
    return tuple(side for side in sides if side[1][0] < side[0][0] - TOLERANCE) or tuple(sides)


def _rings(piece: shapely.Polygon) -> Iterator[Ring]:
    """Return an area as outlines without holes, cut through the middle of its holes."""
    if piece.area <= AREA_TOLERANCE_SQUARE_INCHES:
        return
    if not piece.interiors:
        yield tuple((float(x), float(y)) for x, y in piece.exterior.coords[:-1])
        return
    x0, y0, x1, y1 = piece.bounds
    middle = shapely.Polygon(piece.interiors[0]).centroid.x
    for half in (shapely.box(x0, y0, middle, y1), shapely.box(middle, y0, x1, y1)):
        part = piece.intersection(half)
        for each in getattr(part, "geoms", [part]):
            if each.geom_type == "Polygon":
                yield from _rings(each)


def _zone_at(at: Point, zones: tuple[ZoneFacts, ...]) -> Literal["defender", "horde", "no-mans-land"]:
    spot = shapely.Point(at)
    held = {z.kind for z in zones if shapely.Polygon(z.polygon).covers(spot)}
    return "defender" if "defender" in held else "horde" if "horde" in held else "no-mans-land"


def check_places(scenario: Scenario, size: Point, path: str) -> None:
    """Raise BadData for the first thing that lies off the battlefield.

    A file of facts may hold units that stand where they may not; one that is played may not.
    """
    places = [(f"objective.{i}.at", each.at) for i, each in enumerate(scenario.objective)]
    places += [(f"marker.{i}.at", each.at) for i, each in enumerate(scenario.marker)]
    if words(scenario.step) != ("none",):
        for i, unit in enumerate(scenario.unit):
            middle = () if unit.middle is None else (unit.middle,)
            places += [(f"unit.{i}.at", (at[0], at[1])) for at in unit.places or middle]
    for key, (x, y) in places:
        if not (0 <= x <= size[0] and 0 <= y <= size[1]):
            mend = f"[{x:g}, {y:g}] lies off the battlefield, which is {size[0]:g} by {size[1]:g} inches"
            raise BadData(path, key, mend)


def check_outline(ring: Ring, path: str, key: str) -> None:
    """Raise BadData for an outline that encloses nothing or crosses itself."""
    if len(ring) < 3 or shapely.Polygon(ring).convex_hull.area <= AREA_TOLERANCE_SQUARE_INCHES:
        raise BadData(path, key, "encloses no area; give at least three corners that are not in line")
    if not shapely.Polygon(ring).is_valid:
        raise BadData(path, key, "crosses itself; give its corners in order")
