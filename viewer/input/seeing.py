"""The sights between a unit and its enemies, with their proof: a clear line, or a blocker.

Lines, blockers and cover are the engine's answers for the closest models that settle the matter. Where a
closed line is cut is drawn alone: where it first meets what closes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
import numpy as np
import shapely

from engine.core.facts import Point, TerrainFacts
from engine.core.state import Position, Unit
from engine.table.battlefield import Battlefield, flat_discs
from geometry.measure.body import Bodies
from geometry.sight.landscape import Landscape, Piece
from geometry.sight.visibility import clear_line, closers
from viewer.input.region import polygons_of
from viewer.story.name import Known, listed, short_name, unit_name

Line = tuple[Point, Point]
Cover = Callable[[Unit, Unit], frozenset[int]]
"""Return the rows of the second unit's models that have cover against the first."""


class Sightline(msgspec.Struct, frozen=True):
    """A look at something: a clear line to it, or the middle line up to what hides it."""

    line: Line
    blockers: tuple[str, ...] = ()
    """The ids of what closes every line, none to spare; empty where the line is clear."""

    @property
    def is_clear(self) -> bool:
        """Return whether something is seen."""
        return not self.blockers


class Glance(msgspec.Struct, frozen=True):
    """A unit and one enemy: how far they are apart, and the look of each at the other."""

    unit: str
    apart: float
    """Between the closest models, in inches."""
    ahead: Sightline
    """The unit's look at the enemy…"""
    back: Sightline
    """…and the enemy's at the unit."""
    covered: int | None = None
    """How many of the enemy's models have cover against the unit; None where that is not known."""
    models: int = 1

    @property
    def is_mutual(self) -> bool:
        """Return whether each sees the other, or neither does."""
        return self.ahead.is_clear == self.back.is_clear


def glances(field: Battlefield, unit: Unit, cover: Cover | None = None) -> list[Glance]:
    """Return how a unit on the battlefield and each of its enemies there look at each other."""
    return [glance(field, unit, enemy, cover) for enemy in field.enemies(unit) if enemy.rows]


def glance(field: Battlefield, unit: Unit, enemy: Unit, cover: Cover | None = None) -> Glance:
    """Return how a unit and an enemy on the battlefield look at each other."""
    ahead = sightline(field, unit, enemy)
    covered = len(cover(unit, enemy)) if cover is not None and ahead.is_clear else None
    back = sightline(field, enemy, unit)
    return Glance(enemy.id, field.gap(unit, enemy), ahead, back, covered, len(enemy.rows))


def sightline(field: Battlefield, a: Unit, b: Unit) -> Sightline:
    """Return the look of a unit at an enemy: of the closest models that settle it."""
    seen, apart = field.visible(a, b), field.gaps(a, b)
    i, j = divmod(int(np.where(seen, apart, np.inf).argmin() if seen.any() else apart.argmin()), len(b.rows))
    own, other = field.bodies((a.rows[i],)), field.bodies((b.rows[j],))
    return _looked(own, other, field.screens.between(a, b))


def onlookers(field: Battlefield, at: Point) -> dict[str, Sightline]:
    """Return the look of every unit on the battlefield at a point of the ground, by its id."""
    found = {}
    for unit in field.position.on_table():
        seen = field.sees_points(unit, [at], 0.0)[:, 0]
        apart = field.gap_to_disc(unit, at, 0.0)
        i = int(np.where(seen, apart, np.inf).argmin() if seen.any() else apart.argmin())
        own = field.bodies((unit.rows[i],))
        found[unit.id] = _looked(own, flat_discs([at], 0.0), field.screens.between(unit))
    return found


def _looked(own: Bodies, other: Bodies, land: Landscape) -> Sightline:
    """Return the look of one body at another."""
    clear = clear_line(own, other, land)
    if clear is not None:
        return Sightline(clear)
    ids = closers(own, other, land)
    pieces = [piece for piece in land.pieces if piece.id in ids]
    return Sightline(_cut(own, other, pieces), ids)


def _cut(own: Bodies, other: Bodies, pieces: list[Piece]) -> Line:
    """Return the line from a body's rim to another's middle, up to where it first meets a piece."""
    a, b = _point(own), _point(other)
    middle = shapely.LineString([a, b])
    bases = polygons_of(own.outlines)
    outside = shapely.difference(middle, bases[0]) if bases else middle
    start = _first(outside, a) or a
    met = [_first(shapely.intersection(middle, shape), a) for piece in pieces for shape in _rims(piece)]
    ends = [point for point in met if point is not None]
    end = min(ends, key=lambda point: _far(a, point), default=b)
    return (start, end) if _far(a, start) < _far(a, end) else (a, end)


def _rims(piece: Piece) -> list[shapely.Geometry]:
    """Return the lines at which a piece closes others: its border and its walls."""
    border = [] if piece.opacity in ("open", "veil") and piece.walls else [piece.polygon]
    rings = [shapely.LinearRing(each) for each in border]
    return [*rings, *(shapely.LineString(wall) for wall in piece.walls)]


def _first(shape: shapely.Geometry, start: Point) -> Point | None:
    """Return the point of a shape's corners that is nearest to a start; None of nothing."""
    corners = [(float(x), float(y)) for x, y in shapely.get_coordinates(shape)]
    return min(corners, key=lambda point: _far(start, point), default=None)


def _far(a: Point, b: Point) -> float:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _point(body: Bodies) -> Point:
    x, y = body.xy[0].tolist()
    return x, y


# words


def told(names: Known, each: Glance) -> str:
    """Return how a unit and an enemy look at each other, in a sentence for the board."""
    name = short_name(unit_name(names, each.unit))
    if each.ahead.is_clear:
        back = "" if each.back.is_clear else " · it sees nothing back"
        return f"{name}: {each.apart:.1f}″, clear line{_cover(each)}{back}"
    back = " · but sees this unit" if each.back.is_clear else ""
    return f"{name} is hidden by {blockers_told(names, each.ahead.blockers)}{back}"


def _cover(each: Glance) -> str:
    if each.covered is None:
        return ""
    if each.covered == 0:
        return ", no cover"
    return ", in cover" if each.covered == each.models else f", {each.covered} of {each.models} in cover"


def blockers_told(names: Known, blockers: tuple[str, ...]) -> str:
    """Return what hides something: terrain by its kind and place, models by their unit's name."""
    units = names.position.units
    found = []
    for each in blockers:
        unit = each.rpartition(".")[0]
        piece = names.position.terrain.get(each)
        found.append(
            _place(piece) if piece is not None else unit_name(names, unit if unit in units else each)
        )
    return listed(list(dict.fromkeys(found)))


def _place(piece: TerrainFacts) -> str:
    middle = shapely.centroid(shapely.Polygon(piece.footprint))
    return f"the {piece.kind} at {middle.x:.0f}, {middle.y:.0f}"


def outline_of(position: Position, blocker: str) -> list[shapely.Geometry]:
    """Return the outlines of what hides something: a piece's footprint, or a model's base."""
    piece = position.terrain.get(blocker)
    if piece is not None:
        return [shapely.Polygon(piece.footprint)]
    row = blocker.rpartition(".")[2]
    return polygons_of(position.table.outlines([int(row)])) if row.isdigit() else []


def counted(looks: Mapping[str, Sightline]) -> int:
    """Return how many of some looks are clear."""
    return sum(look.is_clear for look in looks.values())
