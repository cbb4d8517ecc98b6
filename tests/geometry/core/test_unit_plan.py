"""The core's planner of moves: known outcomes, a grid as oracle, equal bits uncompiled."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from functools import partial

import numpy as np
import pytest
from msgspec.structs import replace

from geometry.group.group_move import Moved, Party, move_away, move_into_contact, move_to_point, move_toward
from geometry.measure.coherency import Spacing, is_coherent
from geometry.measure.distance import clearances
from geometry.path.checker import check_paths
from geometry.path.ground import Ground, may_stand
from geometry.path.planner import Path, ShortestPaths
from geometry.shape.base import Floats, Polygon, round_base
from geometry.shape.convex_shape import Outlines

BOARD = (60.0, 44.0)
R32 = round_base(32).radius
STOP = 1.0


def discs(*at: tuple[float, float], radius: float = R32) -> Outlines:
    return Outlines(np.array(at), np.full(len(at), radius))


def party(*at: tuple[float, float], limit: float = 6.0) -> Party:
    return Party(np.array(at), np.full(len(at), R32), np.full(len(at), limit))


def ends(moved: Moved) -> Floats:
    return np.array([path.end for path in moved.paths])


def sound(moved: object, unit: Party, ground: Ground) -> Moved:
    """Return the move after its paths, its overlaps and its coherency were measured anew."""
    assert isinstance(moved, Moved)
    assert check_paths(moved.paths, unit.radius, unit.xy, unit.limit, ground) == []
    bases = Outlines(ends(moved), unit.radius)
    apart = clearances(bases, bases)
    np.fill_diagonal(apart, 1.0)
    assert (apart > -1e-6).all()
    assert is_coherent(bases, np.zeros(len(unit)), Spacing())
    return moved


def test_models_that_nothing_hinders_go_straight_as_far_as_they_may() -> None:
    unit, ground = party((10, 10), (10, 12), (10, 14)), Ground(BOARD)
    moved = sound(move_toward(unit, discs((40, 12)), ground, Spacing(), STOP), unit, ground)
    assert [path.length for path in moved.paths] == pytest.approx([6.0] * 3, abs=1e-5)
    assert moved.left[1] == pytest.approx(30 - 2 * R32 - STOP - 6.0, abs=1e-5)


def test_who_cannot_end_on_the_point_ends_before_what_covers_it() -> None:
    unit, ground = party((10, 10), limit=12.0), Ground(BOARD, solid=discs((20, 10), radius=2.0))
    moved = sound(move_to_point(unit, (20.0, 10.0), ground, Spacing()), unit, ground)
    assert ends(moved)[0] == pytest.approx((18.0 - R32, 10.0), abs=1e-5)
    assert moved.left[0] == pytest.approx(2.0 + R32, abs=1e-5)


def test_a_column_follows_its_head_through_a_corridor() -> None:
    """A neighbour on either side is all that a corridor of a base's width lets them have."""
    low: Polygon = ((5.0, 5.0), (40.0, 5.0), (40.0, 10.0 - R32 - 0.01), (5.0, 10.0 - R32 - 0.01))
    high: Polygon = ((5.0, 10.0 + R32 + 0.01), (40.0, 10.0 + R32 + 0.01), (40.0, 15.0), (5.0, 15.0))
    unit = party(*((10.0 + 2 * k, 10.0) for k in range(5)))
    ground = Ground(BOARD, (low, high))
    moved = sound(move_to_point(unit, (50.0, 10.0), ground, Spacing()), unit, ground)
    assert ends(moved)[:, 0] == pytest.approx(unit.xy[:, 0] + 6.0, abs=1e-5)


def test_all_crowd_about_a_point_and_the_first_stands_on_it() -> None:
    unit, ground = party(*((10.0 + 2 * k, 10.0) for k in range(7)), limit=12.0), Ground(BOARD)
    moved = sound(move_to_point(unit, (18.0, 16.0), ground, Spacing()), unit, ground)
    # Six discs touch one, and no closer packing leaves less.
    assert moved.left.min() == pytest.approx(0.0, abs=1e-5)
    assert moved.left.sum() == pytest.approx(6 * 2 * R32, abs=1.0)


def scene(seed: int) -> tuple[Party, Outlines, Ground]:
    rng = np.random.default_rng(seed)
    x, y = rng.uniform(16, 24, 2).tolist()
    walls = tuple(
        ((a, b), (a + w, b), (a + w, b + h), (a, b + h))
        for a, b, w, h in rng.uniform((14, 14, 1, 1), (32, 26, 5, 5), (3, 4)).tolist()
    )
    solid = Outlines(rng.uniform(14, 34, (8, 2)), rng.uniform(0.6, 1.6, 8))
    ground = Ground(BOARD, walls, solid=solid)
    unit = party((x, y))
    return unit, discs((34.0, float(rng.uniform(14, 30)))), ground


@pytest.mark.parametrize("seed", range(20))
def test_no_place_on_a_grid_leaves_a_model_less(seed: int) -> None:
    unit, foes, ground = scene(seed)
    if not may_stand(ground, unit.xy, unit.radius)[0]:
        pytest.skip("it would begin in a wall")
    moved = sound(move_toward(unit, foes, ground, Spacing(), STOP), unit, ground)
    ways = ShortestPaths(R32, ground)
    rings = foes.grown(R32 + STOP)
    if moved.lost:
        pytest.skip("no way leads there")
    steps = np.arange(-6.0, 6.01, 0.4)
    spots = unit.xy[0] + np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    spots = spots[may_stand(ground, spots, np.full(len(spots), R32))]
    start = unit.xy[0].tolist()
    for spot in spots.tolist():
        crow = math.dist(spot, foes.xy[0]) - 2 * R32 - STOP
        if crow < moved.left[0] - 1e-6:
            rest, way = ways.nearest(spot, rings), ways.shortest(start, spot, 6.0)
            is_near = isinstance(way, Path) and way.length <= 6.0
            assert not (is_near and isinstance(rest, Path) and rest.length < moved.left[0] - 1e-6)


def told() -> str:
    """Return, to the last bit, where the models of some units end."""
    found = []
    for seed in range(4):
        unit, foes, ground = scene(seed)
        at = [(float(x), float(y)) for x, y in unit.xy[0] + np.array([(0, 0), (0, 2), (2, 0), (2, 2)])]
        near = discs(*(foes.xy - (8.0, 0.0)).tolist())
        charged = replace(ground, solid=ground.solid.joined(near))
        for moved in (
            move_toward(party(*at), foes, ground, Spacing(), STOP),
            move_into_contact(party(*at, limit=12.0), [near], charged, Spacing()),
            move_away(party(*at), near, ground, Spacing()),
        ):
            if isinstance(moved, Moved):
                found += [value.hex() for value in map(float, ends(moved).ravel())]
    return " ".join(found)


def test_the_planner_finds_the_same_bits_uncompiled() -> None:
    run = partial(subprocess.run, capture_output=True, text=True, check=True, cwd=os.getcwd())
    code = "from tests.geometry.core.test_unit_plan import told; print(told())"
    plain = run([sys.executable, "-c", code], env={**os.environ, "HORDE_CORE_PLAIN": "1", "PYTHONPATH": "."})
    assert plain.stdout.strip() == told()


TORN = {
    "a pair and one": ([(18.36, 24.03), (27.24, 22.76), (19.62, 24.21)], (25.57, 18.51)),
    "one from each end": ([(18.07, 23.97), (28.77, 23.39), (25.11, 22.75)], (25.42, 20.84)),
    "three and one": ([(17.72, 24.13), (28.07, 23.53), (21.06, 23.89), (17.51, 22.33)], (25.77, 21.77)),
    "two, two and one": (
        [(17.08, 23.74), (28.62, 23.31), (28.36, 24.71), (22.69, 22.53), (17.95, 24.95)],
        (25.3, 20.08),
    ),
}
"""Where the models of a unit that is out of coherency stand, and the second of two enemies."""


@pytest.mark.rule("CORE.FGT.4", "CORE.COH.1")
@pytest.mark.parametrize("case", TORN)
def test_groups_of_models_draw_together_where_no_single_change_joins_them(case: str) -> None:
    """Each model piles in by up to 3 inches, closer to the enemy that was closest to it."""
    at, second = TORN[case]
    foes = [discs((20.0, 20.0)), discs(second)]
    unit, ground = party(*at, limit=3.0), Ground(BOARD, solid=foes[0].joined(foes[1]))
    moved = sound(move_into_contact(unit, foes, ground, Spacing(), 1.0, False), unit, ground)
    every = foes[0].joined(foes[1])
    before, after = (clearances(Outlines(xy, unit.radius), every) for xy in (unit.xy, ends(moved)))
    assert after.min() <= 1.0 + 1e-6
    closest = before.argmin(axis=1)
    for row, path in enumerate(moved.paths):
        assert not path.legs or after[row, closest[row]] < before[row, closest[row]]
