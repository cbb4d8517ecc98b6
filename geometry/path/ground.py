"""Where one mover may go and stand. The caller has already decided all about keywords.

Owns the question "may this base stand here"; paths are `geometry.path.planner`'s.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TypeVar

import msgspec
import numpy as np
import shapely
from msgspec.structs import force_setattr, replace

from geometry.measure.distance import clearances
from geometry.measure.region import base_touches
from geometry.path.elevation import FREE_HEIGHT, Crowd, Rise
from geometry.shape.arrangement import distances
from geometry.shape.base import Bools, Floats, Polygon
from geometry.shape.cached import cached_property
from geometry.shape.constructed import gaps
from geometry.shape.convex_shape import NOTHING, Outlines, Stance
from geometry.shape.polygon import rings, union_of
from geometry.tolerance import TOLERANCE

T = TypeVar("T")
STRICTLY = math.nextafter(TOLERANCE, math.inf)
"""The least distance, in inches, to what a base keeps strictly clear of."""
FAR = 1e-3
"""Bases whose circles are this far apart, in inches, or farther are measured no closer."""


class Areas(tuple[Polygon, ...]):
    """Some areas, which keep their hash.

    What is kept for a board is looked up by them again and again.
    """

    def __hash__(self) -> int:
        """Return the hash, worked out once."""
        known: int | None = vars(self).get("hash")
        if known is None:
            known = vars(self)["hash"] = super().__hash__()
        return known


@lru_cache(maxsize=512)
def areas_of(polygons: tuple[Polygon, ...]) -> Areas:
    """Return these areas, always the same ones for equal polygons."""
    return Areas(polygons)


class Ground(msgspec.Struct, frozen=True, dict=True):
    """The board and what stands on it, as one mover meets it.

    All shapes are as they are before the mover's own is added.

    `walls` may not be crossed or overlapped, `no_stand` only not be ended on. `solid` shapes may never be
    overlapped; `avoid` shapes must be kept strictly clear of, all along the way; `no_end` and `end_avoid` ask
    the same of the end alone: a base that begins where it may not be, and may pass on its way out, gets
    `end_avoid` instead of `avoid`. `area`: the base must end wholly within these, taken together. `shun`: it
    may not end with any part in these.

    All of this is as a base on the ground meets it. `rises` says which of the walls and of the terrain that
    is not rested on have a height, so that they may be climbed, and where they carry a base; heights up to
    `free` count as the ground, and with `free_climb` no way up or down costs anything. `crowd` is all that
    stands on the table where not everything stands on the ground; `at` is the ground at another height. A
    mover that `flies` goes straight through space.
    """

    size: tuple[float, float]
    walls: tuple[Polygon, ...] = ()
    no_stand: tuple[Polygon, ...] = ()
    solid: Outlines = NOTHING
    avoid: Outlines = NOTHING
    no_end: Outlines = NOTHING
    end_avoid: Outlines = NOTHING
    area: tuple[Polygon, ...] = ()
    shun: tuple[Polygon, ...] = ()
    rises: tuple[Rise, ...] = ()
    crowd: Crowd | None = None
    flies: bool = False
    free_climb: bool = False
    free: float = FREE_HEIGHT

    def __post_init__(self) -> None:
        """Keep areas that know their hash."""
        for name in ("walls", "no_stand", "area", "shun"):
            areas = getattr(self, name)
            if not isinstance(areas, Areas):
                force_setattr(self, name, areas_of(areas))

    @cached_property
    def models(self) -> Outlines:
        """Return the shapes of `solid`, `no_end`, `avoid` and `end_avoid`, in this order."""
        return self.solid.joined(self.no_end).joined(self.avoid).joined(self.end_avoid)

    def kept(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what `make` gives, worked out once for this ground."""
        known: dict[Hashable, T] = vars(self).setdefault("known", {})
        if key not in known:
            known[key] = make()
        return known[key]

    def at(self, low: float, high: float | None = None) -> Ground:
        """Return what a base meets whose foot is at this height, or anywhere between two heights."""
        top = low if high is None else high
        passed = {rise.polygon for rise in self.rises if rise.height <= low + TOLERANCE}
        found = self
        if passed:
            walls = tuple(p for p in self.walls if p not in passed)
            stands = tuple(p for p in self.no_stand if p not in passed)
            found = replace(self, walls=walls, no_stand=stands)
        if self.crowd is None:
            return found
        crowd = self.crowd
        return replace(
            found,
            solid=crowd.solid.between(low, top),
            avoid=crowd.avoid.between(low, top),
            no_end=crowd.no_end.between(low, top),
            end_avoid=crowd.end_avoid.between(low, top),
        )


def without(ground: Ground, bases: Outlines) -> Ground:
    """Return the ground without solid and avoided shapes about the middle of one of these."""
    if not len(bases):
        return ground
    return replace(ground, solid=_others(ground.solid, bases), avoid=_others(ground.avoid, bases))


def _others(shapes: Outlines, leave: Outlines) -> Outlines:
    if not len(shapes):
        return shapes
    kept: Bools = np.asarray((distances(shapes.xy, leave.xy) > TOLERANCE).all(axis=1))
    return shapes.take(kept) if kept.any() else NOTHING


Bases = Floats | Sequence[Stance]
"""How bases stand: the radii of round ones, or a stance for each."""


def placed(xy: Floats, bases: Bases) -> Outlines:
    """Return bases that stand at these points (n, 2)."""
    if isinstance(bases, np.ndarray):
        return Outlines(xy, bases)
    radius = np.array([base.radius for base in bases])
    if all(base.core.is_point for base in bases):
        return Outlines(xy, radius)
    return Outlines(xy, radius, tuple(base.core for base in bases))


def faults_by_kind(ground: Ground, xy: Floats, bases: Bases) -> dict[str, Bools]:
    """Return, for each way in which a place may be illegal, which of the bases stand so."""
    return _faults(ground, placed(xy, bases))


def _faults(ground: Ground, bases: Outlines) -> dict[str, Bools]:
    found = {"off the board": _is_off_board(ground.size, bases)}
    for name, polygons in (
        ("in a wall", ground.walls),
        ("on terrain that carries no model", ground.no_stand),
    ):
        if polygons:
            found[name] = _in_any(polygons, bases)
    if len(ground.models):
        apart, end = _apart(bases, ground.models), 0
        for name, shapes, least in (
            ("on another model", ground.solid, -TOLERANCE),
            ("on a model", ground.no_end, -TOLERANCE),
            ("too near an enemy", ground.avoid, STRICTLY),
            ("too near to an enemy", ground.end_avoid, STRICTLY),
        ):
            start, end = end, end + len(shapes)
            found[name] = np.asarray((apart[:, start:end] < least).any(axis=1))
    if ground.area:
        found["outside the area"] = ~wholly_in(ground.area, bases)
    if ground.shun:
        found["in a zone to be left"] = _in_any(ground.shun, bases)
    return found


def _apart(bases: Outlines, models: Outlines) -> Floats:
    """Return how far bases are from models.

    With ovals or hulls, it is infinite for models that are too far off to matter.
    """
    if not bases.core and not models.core:
        return clearances(bases, models)
    far = distances(bases.xy, models.xy) - bases.reach[:, None] - models.reach
    near = np.asarray((far < FAR).any(axis=0)).nonzero()[0]
    found = np.full((len(bases), len(models)), np.inf)
    found[:, near] = clearances(bases, models.take(near))
    return np.asarray(found)


def _is_off_board(size: tuple[float, float], bases: Outlines) -> Bools:
    low, high = bases.xy - bases.radius[:, None], bases.xy + bases.radius[:, None]
    for row, core in enumerate(bases.core):
        if not core.is_point:
            near, far = core.extent
            low[row] += near
            high[row] += far
    return np.asarray(((low < -TOLERANCE) | (high > np.array(size) + TOLERANCE)).any(axis=1))


def _in_any(areas: tuple[Polygon, ...], bases: Outlines) -> Bools:
    """Return which bases cover a part of one of the areas."""
    found = np.asarray(shapely.dwithin(union_of(areas), shapely.points(bases.xy), bases.reach))
    rows = found.nonzero()[0]
    if len(rows):
        found[rows] = _any(base_touches(p, bases.take(rows)) for p in areas)
    return found


def wholly_in(areas: tuple[Polygon, ...], bases: Outlines) -> Bools:
    """Return which bases lie wholly within the areas taken together."""
    area, spots = union_of(areas), shapely.points(bases.xy)
    border = gaps(shapely.boundary(area), spots)
    found = np.asarray(shapely.intersects(area, spots) & (border >= bases.reach - TOLERANCE))
    for row, core in enumerate(bases.core):
        if not core.is_point and not found[row] and shapely.intersects(area, spots[row]):
            edges = np.array([pair for ring in rings(areas, merged=True) for pair in pairwise(ring)])
            far = bases.take([row]).line_distances(edges[:, 0], edges[:, 1])
            found[row] = bool((far >= -TOLERANCE).all())
    return found


def may_stand(ground: Ground, xy: Floats, bases: Bases) -> Bools:
    """Return which of the bases (n, 2) may stand where they are."""
    if not len(xy):
        return np.zeros(0, dtype=bool)
    return ~_any(faults_by_kind(ground, xy, bases).values())


def faults_of_standing(ground: Ground, xy: Floats, bases: Bases) -> tuple[str, ...]:
    """Return a short reason for each base that may not stand where it is."""
    if not len(xy):
        return ()
    return tuple(
        f"model {i} is {name}"
        for name, bad in faults_by_kind(ground, xy, bases).items()
        for i in bad.nonzero()[0]
    )


def _any(marked: Iterable[Bools]) -> Bools:
    return np.asarray(np.logical_or.reduce(list(marked)))
