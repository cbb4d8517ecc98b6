"""Which models of a unit touch what it makes for.

Questions about one model agree with those about many.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from geometry.group.group_move import Moved, Party, move_into_contact
from geometry.measure.coherency import Spacing
from geometry.measure.distance import clearances
from geometry.path.ground import Ground
from geometry.shape.base import Floats
from geometry.shape.convex_shape import Outlines
from geometry.tolerance import TOLERANCE

BOARD = (44.0, 60.0)
WALL = ((14.0, 22.0), (20.0, 22.0), (20.0, 23.0), (14.0, 23.0))
FOE = Outlines(np.array([[20.0, 20.0]]), np.array([1.0]))
GROUND = Ground(BOARD, solid=FOE)


def moved_from(*starts: tuple[float, float], limits: Sequence[float]) -> Moved:
    """Return the pile-in of bases an inch wide."""
    unit = Party(np.array(starts), np.full(len(starts), 0.5), np.array(limits))
    found = move_into_contact(unit, [FOE], GROUND, Spacing(), must_reach_all=False)
    assert isinstance(found, Moved)
    return found


def ends(moved: Moved) -> Floats:
    return np.array([path.end for path in moved.paths])


@pytest.mark.rule("CORE.CHG.3")
def test_as_many_touch_as_there_is_room_for() -> None:
    """Nine bases of an inch stand round one of two inches, and no more.

    180 / asin(1/3) is 9.2.
    """
    starts = [(15.0 + 1.01 * i, 14.0 + 0.1 * i) for i in range(11)]
    found = ends(moved_from(*starts, limits=[12.0] * 11))
    far = np.hypot(*(found - FOE.xy[0]).T)
    assert (far < 1.5 + TOLERANCE).sum() >= 8
    apart = clearances(Outlines(found, np.full(11, 0.5)), Outlines(found, np.full(11, 0.5)))
    assert (apart[~np.eye(11, dtype=bool)] >= -TOLERANCE).all()


def test_one_makes_room_for_another_that_has_no_other_spot() -> None:
    """The second model reaches only the nearest spot: the first takes one beside it."""
    found = ends(moved_from((18.0, 20.0), (14.5, 20.0), limits=[4.0, 4.0]))
    assert np.hypot(*(found - FOE.xy[0]).T) == pytest.approx(1.5)
    assert found[1] == pytest.approx([18.5, 20.0])


def test_who_touches_already_may_stay() -> None:
    found = moved_from((18.5, 20.0), (17.0, 20.0), limits=[6.0, 6.0])
    assert not found.paths[0].legs
    assert ends(found)[0] == pytest.approx([18.5, 20.0])
    assert math.dist(ends(found)[1], (18.5, 20.0)) >= 1 - TOLERANCE


@pytest.mark.rule("CORE.FGT.4")
def test_who_may_not_move_keeps_its_place_and_the_others_keep_off_it() -> None:
    """A model that stays has the nearest spot, though it comes last: the other goes beside it."""
    found = ends(moved_from((17.0, 20.0), (18.5, 20.0), limits=[6.0, 0.0]))
    assert found[1] == pytest.approx([18.5, 20.0])
    assert math.dist(found[0], (18.5, 20.0)) >= 1 - TOLERANCE
    assert math.dist(found[0], (20.0, 20.0)) == pytest.approx(1.5)


def test_contacts_that_hold_together_are_near_one_another() -> None:
    """Two foes are eight inches apart; each draws the model nearest to it.

    But the two models must be neighbours.
    """
    foes = Outlines(np.array([[20.0, 20.0], [28.0, 20.0]]), np.array([1.0, 1.0]))
    unit = Party(np.array([(23.0, 16.0), (25.0, 16.0)]), np.full(2, 0.5), np.full(2, 6.0))
    moved = move_into_contact(unit, [foes], Ground(BOARD, solid=foes), Spacing())
    assert isinstance(moved, Moved)
    found = ends(moved)
    assert math.dist(found[0], found[1]) <= 3.0 + TOLERANCE
    far = np.hypot(*(found[:, None] - foes.xy).transpose(2, 0, 1)).min(axis=1)
    assert far == pytest.approx(1.5)
