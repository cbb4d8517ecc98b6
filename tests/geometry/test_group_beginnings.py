"""Moves of units that no single order of models finds: reduced from battles."""

from __future__ import annotations

import numpy as np
import pytest

from geometry.group.group_move import Moved, Party, move_away, move_into_contact
from geometry.measure.coherency import is_coherent
from geometry.measure.distance import clearances
from geometry.path.ground import Ground, placed
from geometry.shape.base import Base, Polygon
from tests.geometry.test_group import BOARD, SPACING, assert_legal, discs, ends, gaps_to, party

R25 = 12.5 / 25.4
R40 = 20 / 25.4


@pytest.mark.rule("CORE.FGT.4")
def test_a_base_that_turns_ends_closer_than_it_stood() -> None:
    """An oval does not end off the closest target, before which it stood lengthwise."""
    oval = Base("oval", 120 / 25.4, 92 / 25.4)
    foes = discs((17.2, 25.1), (17.6, 20.8))
    unit = Party(
        xy=np.array([[17.9, 17.6]]),
        radius=np.zeros(1),
        limit=np.array([3.0]),
        bases=(oval,),
        facing=np.array([90.0]),
        pivot=np.array([2.0]),
    )
    ground = Ground(BOARD, walls=(((17.0, 20.0), (22.0, 20.0), (22.0, 30.0), (17.0, 30.0)),))
    moved = move_into_contact(unit, [foes], ground, SPACING, must_reach_all=False)
    if isinstance(moved, Moved) and moved.paths[0].legs:
        (path,) = moved.paths
        end = placed(np.array([path.end]), [unit.stance_after(0, path)])
        assert clearances(end, foes)[0, 1] < clearances(unit.outlines, foes)[0, 1]


@pytest.mark.rule("CORE.CHG.2")
def test_who_gets_into_range_ousts_those_that_crowd_there() -> None:
    """Ovals before two walls: one gets into range, those whose spots it takes look for others."""
    at = [(19.7, 20.5), (20.3, 19.1), (19.1, 17.9), (18.1, 19.5), (15.0, 19.0), (14.6, 17.7), (16.8, 18.1)]
    foes, count = discs((21.1, 23.6), (18.3, 22.6), radius=R25), len(at)
    unit = Party(
        xy=np.array(at),
        radius=np.zeros(count),
        limit=np.full(count, 4.0),
        bases=(Base("oval", 60 / 25.4, 35.5 / 25.4),) * count,
        facing=np.zeros(count),
        pivot=np.ones(count),
    )
    walls: tuple[Polygon, ...] = (
        ((22.50005, 16.5), (22.50005, 21.5), (22.49995, 21.5), (22.49995, 16.5)),
        ((22.5, 21.50005), (12.5, 21.50005), (12.5, 21.49995), (22.5, 21.49995)),
    )
    ground = Ground(BOARD, walls=walls, no_end=discs((16.1, 21.0), (18.0, 20.7), radius=R25))
    moved = move_into_contact(unit, [foes], ground, SPACING)
    xy = ends(moved)
    assert isinstance(moved, Moved)
    bases = placed(xy, [unit.stance_after(row, path) for row, path in enumerate(moved.paths)])
    assert clearances(bases, foes).min() <= 1 + 1e-6
    assert (clearances(bases, bases)[np.triu_indices(count, 1)] >= -1e-6).all()
    assert is_coherent(bases, np.zeros(count), SPACING)


@pytest.mark.rule("CORE.FGT.4")
def test_models_drawn_apart_pile_in_from_where_they_stand() -> None:
    """Each is drawn to an enemy of its own; both in coherency, one of them comes into range."""
    foes = discs((13, 1), (23, 1), radius=R40)
    unit = party((21, 3), (17, 2), limit=3.0, radius=R40)
    ground = Ground(BOARD)
    moved = move_into_contact(unit, [foes], ground, SPACING, must_reach_all=False)
    assert_legal(moved, unit, ground)
    assert gaps_to(ends(moved), foes, R40).min() <= 1 + 1e-6


@pytest.mark.rule("CORE.MOVE.7")
def test_those_on_two_sides_of_an_enemy_get_away_together() -> None:
    """Each side goes its own way, too far for two neighbours: all follow one of the last."""
    unit = party(
        (19.1, 21.4), (23.5, 25.7), (19.1, 22.6), (18.8, 23.9), (19.0, 20.1), (19.7, 24.8), (23.0, 26.8)
    )
    ground, foe = Ground(BOARD), discs((22.9, 23.1))
    moved = move_away(unit, foe, ground, SPACING)
    assert_legal(moved, unit, ground)
    assert (gaps_to(ends(moved), foe) > 2.0).all()
