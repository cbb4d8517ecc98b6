"""The free stretches of a front, held against the rules of standing, and places on these."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from geometry.core.free_stretches import Stretches, free_stretches
from geometry.group.free_front import places_along
from geometry.group.setup import Front
from geometry.measure.distance import gaps
from geometry.measure.region import Segment, extents
from geometry.path.end_ground import end_ground
from geometry.path.ground import Ground, may_stand, placed
from geometry.shape.base import Base, Floats, Polygon, hull_base, oval_base, round_base
from geometry.shape.convex_shape import NOTHING, Outlines, Stance, core_of, margin_of, stance_of

BOARD = (60.0, 44.0)
LEVEL: Polygon = ((10.0, 20.0), (40.0, 20.0), (40.0, 32.0), (10.0, 32.0))
SLANTED: Polygon = ((10.0, 20.0), (25.0, 26.0), (36.0, 22.0), (40.0, 34.0), (10.0, 36.0))
"""Its front turns inward, then outward."""
FRONTS: tuple[tuple[Polygon, int], ...] = ((LEVEL, 1), (SLANTED, 2), (SLANTED, 3))
"""Areas, and how many of their first sides are a front."""
BASES = (round_base(32), oval_base(105, 70), hull_base(3.0, 1.5))
STEP, BLUR = 0.02, 0.01
"""How far apart places are tried, and how near to the end of a stretch none is, in inches.

A corner of a base may reach into an area that it shuns: a millionth of a square inch is no area.
"""


def front_of(area: Polygon, sides: int) -> tuple[Segment, ...]:
    return tuple(pairwise(area))[:sides]


def crowded(area: Polygon, seed: int) -> Ground:
    """Return a ground with models of several shapes, an enemy, a wall and a shunned area."""
    chance = np.random.default_rng(seed)
    kinds = [(base, float(turn)) for base, turn in zip(BASES, chance.uniform(0, 360, 3), strict=True)]
    xy = chance.uniform((10.0, 18.0), (40.0, 26.0), (3, 2))
    solid = Outlines(
        xy, np.array([margin_of(base) for base, _ in kinds]), tuple(core_of(*kind) for kind in kinds)
    )
    x, y = chance.uniform((12.0, 19.0), (38.0, 25.0)).tolist()
    wall: Polygon = ((x, y), (x + 1.5, y + 0.5), (x + 1.4, y + 0.7))
    u, v = chance.uniform((12.0, 19.0), (38.0, 25.0)).tolist()
    foe = Outlines(chance.uniform((12.0, 19.0), (38.0, 24.0), (1, 2)), np.full(1, 1.6))
    return Ground(
        BOARD,
        walls=(wall,),
        no_end=solid,
        end_avoid=foe if seed % 2 else NOTHING,
        shun=(((u, v), (u + 2.0, v), (u, v + 1.0)),),
        area=(area,),
    )


def touching(line: Segment, far: Floats, stance: Stance, side: int) -> Floats:
    """Return the middles of bases that touch a line from one side opposite to places of it."""
    start, end = np.array(line)
    along = (end - start) / np.hypot(*(end - start))
    away = side * np.array([along[1], -along[0]])
    reach = extents(Outlines(np.zeros((1, 2)), np.array([stance.radius]), (stance.core,)), away)[0]
    return np.asarray(start + far[:, None] * along - reach * away)


def by_trial(ground: Ground, line: Segment, far: Floats, stance: Stance) -> Floats:
    """Return at which places of a line a base may stand that touches it."""
    found = np.zeros(len(far), dtype=bool)
    for side in (1, -1):
        xy = touching(line, far, stance, side)
        stances = [stance] * len(far)
        meets = gaps(placed(xy, stances), Front((line,)).bases).min(axis=1) < 1e-6
        found |= may_stand(ground, xy, stances) & meets
    return found


def holds(stretches: Stretches, far: Floats) -> Floats:
    return np.array([any(begin <= each <= end for begin, end in stretches) for each in far.tolist()])


@pytest.mark.rule("R.A101")
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("front", FRONTS)
def test_a_stretch_is_free_where_the_rules_let_a_base_stand(
    front: tuple[Polygon, int], base: Base, seed: int
) -> None:
    area, sides = front
    ground, stance = crowded(area, seed), stance_of(base, 25.0 if seed > 2 else 270.0)
    ends = end_ground(ground, stance)
    for line in front_of(area, sides):
        stretches = free_stretches(ends, *line[0], *line[1])
        length = float(np.hypot(*np.subtract(line[1], line[0])))
        far = np.arange(STEP / 2, length, STEP)
        borders = np.array([end for each in stretches for end in each] or [-1.0])
        clear = (np.abs(far[:, None] - borders) > BLUR).all(axis=1)
        assert (holds(stretches, far) == by_trial(ground, line, far, stance))[clear].all()
        # Where a stretch ends the base may stand too, and beyond it no more.
        assert by_trial(ground, line, borders[borders >= 0], stance).all()
        assert all(last < begin for (_, last), (begin, _) in pairwise(stretches))


@pytest.mark.rule("R.A101")
def test_some_of_the_fronts_are_free_in_part() -> None:
    """The cases above hold nothing where all is free, or nothing is."""
    shares = []
    for area, sides in FRONTS:
        for seed in range(6):
            ends = end_ground(crowded(area, seed), stance_of(BASES[0]))
            shares += [len(free_stretches(ends, *line[0], *line[1])) for line in front_of(area, sides)]
    assert max(shares) > 2 > min(shares)


@pytest.mark.rule("R.A101")
def test_nine_places_are_spaced_over_what_is_free() -> None:
    """A disc leaves 10.5 to 19 and 23 to 39.5 free: there they are 3.125 apart."""
    ground = Ground(BOARD, no_end=Outlines(np.array([[21.0, 20.5]]), np.full(1, 1.5)), area=(LEVEL,))
    front, stances = front_of(LEVEL, 1), [Stance(0.5), Stance(2.0)]
    found = places_along(front, ground, stances, 9)
    xs = sorted(x for x, _ in found)
    assert xs == pytest.approx([10.5 + 3.125 * k + (4.0 if k > 2 else 0.0) for k in range(9)], abs=1e-5)
    middle = [abs(x - 25.0) for x, _ in found]
    assert middle == pytest.approx(sorted(middle), abs=1e-5)


@pytest.mark.rule("R.A101")
def test_where_none_is_free_the_places_lie_on_the_whole_front() -> None:
    ground = Ground(BOARD, walls=(((5.0, 18.0), (45.0, 18.0), (45.0, 21.0), (5.0, 21.0)),), area=(LEVEL,))
    found = places_along(front_of(LEVEL, 1), ground, [Stance(0.5)], 5)
    assert found == [(25.0, 20.0), (17.5, 20.0), (32.5, 20.0), (10.0, 20.0), (40.0, 20.0)]


@pytest.mark.rule("R.A101")
def test_where_a_base_fits_in_one_place_alone_there_is_one_place() -> None:
    slit: Polygon = ((10.0, 20.0), (11.0, 20.0), (11.0, 25.0), (10.0, 25.0))
    found = places_along(front_of(slit, 1), Ground(BOARD, area=(slit,)), [Stance(0.5)], 9)
    assert np.array(found) == pytest.approx(np.array([(10.5, 20.0)] * len(found)), abs=1e-6)
