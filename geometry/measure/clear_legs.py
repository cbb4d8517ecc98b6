"""The border to the core for legs of paths.

Owns the translation of outlines into flat numbers, and asks which legs run into them or leave the board. A
path is checked here leg by leg, however it was found.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple

from geometry.core.clearance import Leg
from geometry.core.shapes import Shapes
from geometry.shape.base import Floats
from geometry.shape.convex_shape import POINT, Outlines


class Barriers(NamedTuple):
    """Shapes that a leg must not enter.

    Of each there are its core, its place (x, y, …), and the radius round the core, in inches.
    """

    shapes: list[Shapes]
    places: array[float]
    radii: array[float]


def barriers(outlines: Outlines, slack: float | Floats = 0.0) -> Barriers:
    """Return outlines as barriers that a leg may enter no deeper than a slack.

    The slack is one number or (n,), in inches; where it is less than 0, a leg must stay as far off.
    """
    cores = outlines.core or (POINT,) * len(outlines)
    places, radii = (array("d", each.tobytes()) for each in (outlines.xy * 1.0, outlines.radius - slack))
    return Barriers([core.table for core in cores], places, radii)


def runs_into(here: Sequence[float], leg: Sequence[float], barred: Barriers) -> bool:
    """Return whether a level leg from (x, y), a line or an arc, enters one of the barriers."""
    return bool(barred.shapes) and Leg(here[0], here[1], leg).first_entered(*barred) >= 0


def leaves(here: Sequence[float], leg: Sequence[float], low: Sequence[float], high: Sequence[float]) -> bool:
    """Return whether a part of a level leg from (x, y) lies outside the box between two corners."""
    return Leg(here[0], here[1], leg).leaves(low[0], low[1], high[0], high[1])
