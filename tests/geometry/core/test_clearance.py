"""Legs among shapes of the core, where it is known which they enter."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple

import pytest

from geometry.core.clearance import Leg
from geometry.shape.base import hull_base
from geometry.shape.convex_shape import POINT, core_of
from geometry.shape.core_polygon import Core

HULL = core_of(hull_base(4.0, 2.0))
HALF_CIRCLE = (-3.0, 0.0, 0.0, 0.0)
"""From (3, 0) to (-3, 0) round the origin."""


class Placed(NamedTuple):
    """All within a radius of a core that stands at (x, y)."""

    core: Core
    x: float
    y: float
    radius: float


def first_entered(start: Sequence[float], leg: Sequence[float], *rows: Placed) -> int:
    """Return the first of some shapes that a leg enters."""
    places = array("d", [number for row in rows for number in (row.x, row.y)])
    radii = array("d", [row.radius for row in rows])
    return Leg(start[0], start[1], leg).first_entered([row.core.table for row in rows], places, radii)


@pytest.mark.parametrize(
    ("radius", "row"),
    [(0.999, -1), (1.0, -1), (1.001, 0), (-0.5, -1)],
    ids=["short", "touch", "deep", "none"],
)
def test_a_line_enters_a_disc_that_reaches_beyond_it(radius: float, row: int) -> None:
    assert first_entered((0.0, 0.0), (8.0, 0.0), Placed(POINT, 4.0, 1.0, radius)) == row


@pytest.mark.parametrize(("deeper", "row"), [(-0.499, 0), (-0.501, -1), (0.0, 0)])
def test_a_line_may_enter_a_hull_by_its_slack(deeper: float, row: int) -> None:
    assert first_entered((0.0, 0.5), (9.0, 0.5), Placed(HULL, 4.0, 0.0, deeper)) == row


def test_the_first_of_several_is_told() -> None:
    beside, ahead = Placed(HULL, 4.0, 5.0, 0.1), Placed(HULL, 4.0, 0.0, 0.1)
    assert first_entered((0.0, 0.0), (9.0, 0.0), beside, ahead, ahead) == 1


@pytest.mark.parametrize(("turn", "row"), [(1.0, 0), (-1.0, 1)])
def test_an_arc_enters_what_lies_on_its_side(turn: float, row: int) -> None:
    above, below = Placed(POINT, 0.0, 3.5, 0.6), Placed(POINT, 0.0, -3.5, 0.6)
    assert first_entered((3.0, 0.0), (*HALF_CIRCLE, turn), above, below) == row


@pytest.mark.parametrize(("radius", "row"), [(1.99, -1), (2.01, 0)])
def test_an_arc_round_a_hull_comes_nearest_square_to_its_side(radius: float, row: int) -> None:
    # The arc's top lies at y = 3, the hull's lower side at y = 5.
    assert first_entered((3.0, 0.0), (*HALF_CIRCLE, 1.0), Placed(HULL, 0.0, 6.0, radius)) == row


@pytest.mark.parametrize("turn", [1.0, -1.0])
def test_an_arc_on_the_rim_of_a_disc_touches_it_and_no_more(turn: float) -> None:
    assert first_entered((3.0, 0.0), (*HALF_CIRCLE, turn), Placed(POINT, 0.0, 0.0, 3.0 - 1e-9)) == -1
    assert first_entered((3.0, 0.0), (*HALF_CIRCLE, turn), Placed(POINT, 0.0, 0.0, 3.0 + 1e-9)) == 0


def test_an_arc_of_three_quarters_passes_all_sides_but_one() -> None:
    leg = (0.0, -3.0, 0.0, 0.0, 1.0)
    sides = [(3.2, 3.2), (-3.2, 3.2), (-3.2, -3.2), (3.2, -3.2)]
    rows = [first_entered((3.0, 0.0), leg, Placed(POINT, x, y, 2.0)) for x, y in sides]
    assert rows == [0, 0, 0, -1]


@pytest.mark.parametrize(
    ("turn", "box", "is_out"),
    [
        (1.0, (-3.0, 0.0, 3.0, 3.0), False),
        (1.0, (-3.0, 0.0, 3.0, 2.9), True),
        (-1.0, (-3.0, -2.9, 3.0, 3.0), True),
        (-1.0, (-3.0, -3.0, 3.0, 0.0), False),
        (1.0, (-2.9, -3.0, 3.0, 3.0), True),
    ],
)
def test_an_arc_leaves_a_box_that_its_top_or_bottom_lies_beyond(
    turn: float, box: tuple[float, float, float, float], is_out: bool
) -> None:
    assert Leg(3.0, 0.0, (*HALF_CIRCLE, turn)).leaves(*box) == is_out


def test_a_line_leaves_a_box_with_either_end() -> None:
    assert Leg(1.0, 1.0, (5.0, 1.0)).leaves(0.0, 0.0, 4.0, 4.0)
    assert Leg(-1.0, 1.0, (2.0, 1.0)).leaves(0.0, 0.0, 4.0, 4.0)
    assert not Leg(0.0, 0.0, (4.0, 4.0)).leaves(0.0, 0.0, 4.0, 4.0)
