"""Moves on random crowded boards: legal and coherent, the same twice and in a mirror."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from msgspec.structs import replace

from geometry.group.group_move import Moved, Party, move_away, move_into_contact, move_to_point, move_toward
from geometry.measure.coherency import Spacing, is_coherent
from geometry.path.budget import Budget
from geometry.path.ground import Ground, may_stand
from geometry.path.planner import Blocked, check_path
from geometry.shape.base import Floats, Polygon
from geometry.shape.convex_shape import Outlines

BOARD = (60.0, 44.0)
SPACING = Spacing()
SIZES = (12.5 / 25.4, 16 / 25.4, 20 / 25.4)


@dataclass(frozen=True)
class Crowd:
    """A unit, its enemies (the first block nearest), its friends, and terrain."""

    unit: Party
    foes: tuple[Outlines, ...]
    friends: Outlines
    walls: tuple[Polygon, ...]
    no_stand: tuple[Polygon, ...]
    point: tuple[float, float]

    @property
    def every_foe(self) -> Outlines:
        return joined(self.foes)


def joined(discs: tuple[Outlines, ...]) -> Outlines:
    return Outlines(np.vstack([d.xy for d in discs]), np.concatenate([d.radius for d in discs]))


def wider(discs: Outlines, by: float = 1.0) -> Outlines:
    return Outlines(discs.xy, discs.radius + by)


def crowd(seed: int, engaged: bool = False) -> Crowd:
    chance = np.random.default_rng(seed)
    walls: list[Polygon] = []
    for _ in range(4):
        x, y = chance.uniform([18, 5], [38, 32])
        w, h = chance.uniform(1.5, 5, 2)
        walls.append(((x, y), (x + w, y), (x + w, y + h), (x, y + h)))
    terrain = (tuple(walls[:2]), tuple(walls[2:]))
    taken = Outlines(np.empty((0, 2)), np.empty(0))
    blocks: list[Outlines] = []
    counts = [int(chance.choice([1, 3, 5, 7, 10])), *chance.choice([1, 3, 5], 6)]
    while len(blocks) < len(counts):
        size = float(chance.choice(SIZES))
        n = len(blocks)
        low, high = ([4, 6], [26, 34]) if n in (0, 4, 5, 6) else ([24, 6], [50, 34])
        corner = chance.uniform(low, high)
        if engaged and n == 1:
            corner = blocks[0].xy[-1] + [2 * size + 0.3 + chance.uniform(0, 0.6), chance.uniform(-0.3, 0.3)]
        columns = int(chance.integers(2, 5))
        step = 2 * size + chance.uniform(0, 0.5)
        xy = np.array([[corner[0] + step * (i % columns), corner[1] + step * (i // columns)]
                       for i in range(counts[n])])  # fmt: skip
        radius = np.full(len(xy), size)
        ground = Ground(BOARD, *terrain, solid=taken)
        if may_stand(ground, xy, radius).all() and is_coherent(xy, xy[:, 0] * 0, radius, SPACING):
            blocks.append(Outlines(xy, radius))
            taken = joined((taken, blocks[-1]))
        elif engaged and n == 1 and chance.random() < 0.2:
            return crowd(seed + 10_000, engaged)
    unit = Party(blocks[0].xy, blocks[0].radius, np.full(counts[0], 6.0))
    point = tuple(float(v) for v in chance.uniform([8, 8], [52, 36]))
    return Crowd(unit, tuple(blocks[1:4]), joined(tuple(blocks[4:])), *terrain, point)


def mirrored(scene: Crowd) -> Crowd:
    """Return the board in a mirror: x from the right."""

    def flip(xy: Floats) -> Floats:
        return xy * [-1, 1] + [BOARD[0], 0]

    def disc(d: Outlines) -> Outlines:
        return Outlines(flip(d.xy), d.radius)

    def ring(p: Polygon) -> Polygon:
        return tuple((BOARD[0] - x, y) for x, y in p)

    return Crowd(
        replace(scene.unit, xy=flip(scene.unit.xy)),
        tuple(disc(d) for d in scene.foes),
        disc(scene.friends),
        tuple(ring(p) for p in scene.walls),
        tuple(ring(p) for p in scene.no_stand),
        (BOARD[0] - scene.point[0], scene.point[1]),
    )


def normal(scene: Crowd) -> Ground:
    foes = scene.every_foe
    return Ground(BOARD, scene.walls, scene.no_stand, solid=foes, avoid=wider(foes), no_end=scene.friends)


def is_engaged(scene: Crowd) -> bool:
    foes = scene.every_foe
    apart = np.hypot(*(scene.unit.xy[:, None] - foes.xy[None]).transpose(2, 0, 1))
    return bool((apart <= scene.unit.radius[:, None] + foes.radius[None] + 1 + 1e-6).any())


def assert_legal(moved: Moved | Blocked, unit: Party, ground: Ground) -> Floats:
    if isinstance(moved, Blocked):
        return unit.xy
    ends = np.array([path.end for path in moved.paths])
    for i, path in enumerate(moved.paths):
        if path.legs:
            assert check_path(path, unit.radius[i], unit.xy[i], unit.limit[i], ground) == ()
    apart = np.hypot(*(ends[:, None] - ends[None]).transpose(2, 0, 1)) - unit.radius[:, None] - unit.radius
    assert (apart[np.triu_indices(len(ends), 1)] >= -1e-6).all()
    if any(path.legs for path in moved.paths):
        assert is_coherent(ends, ends[:, 0] * 0, unit.radius, SPACING)
    return ends


@pytest.mark.rule("CORE.MOVE.4", "CORE.MOVE.5", "CORE.COH.2")
@pytest.mark.parametrize("first", range(0, 100, 10))
def test_normal_moves_are_legal(first: int) -> None:
    for seed in range(first, first + 10):
        scene = crowd(seed)
        if is_engaged(scene):
            continue
        ground = normal(scene)
        toward = move_toward(scene.unit, scene.foes[0], ground, SPACING, 1.001)
        ends = assert_legal(toward, scene.unit, ground)
        assert isinstance(toward, Moved)
        again = move_toward(scene.unit, scene.foes[0], ground, SPACING, 1.001)
        assert isinstance(again, Moved)
        assert [path.end for path in again.paths] == [path.end for path in toward.paths]
        assert (ends != scene.unit.xy).any() or toward.left.min() < 1e-3
        assert_legal(move_to_point(scene.unit, scene.point, ground, SPACING), scene.unit, ground)


@pytest.mark.rule("CORE.CHG.2", "CORE.CHG.3")
@pytest.mark.parametrize("first", range(0, 60, 10))
def test_charges_are_legal(first: int) -> None:
    for seed in range(first, first + 10):
        scene = crowd(seed)
        if is_engaged(scene):
            continue
        unit = replace(scene.unit, limit=np.full(len(scene.unit), 9.0))
        ground = replace(normal(scene), avoid=wider(joined(scene.foes[1:])))
        moved = move_into_contact(unit, scene.foes[:1], ground, SPACING)
        ends = assert_legal(moved, unit, ground)
        if isinstance(moved, Blocked):
            continue
        foe = scene.foes[0]
        touch = unit.radius[:, None] + foe.radius[None]
        before = np.hypot(*(unit.xy[:, None] - foe.xy[None]).transpose(2, 0, 1)) - touch
        after = np.hypot(*(ends[:, None] - foe.xy[None]).transpose(2, 0, 1)) - touch
        assert after.min() <= 1 + 1e-6
        for i, path in enumerate(moved.paths):
            assert not path.legs or (before[i] - after[i] > 1e-6).any()


@pytest.mark.rule("CORE.MOVE.7", "CORE.FGT.4")
@pytest.mark.parametrize("first", range(0, 40, 10))
def test_fights_and_fall_backs_are_legal(first: int) -> None:
    for seed in range(first, first + 10):
        scene = crowd(seed, engaged=True)
        foes = scene.every_foe
        ground = Ground(
            BOARD,
            scene.walls,
            scene.no_stand,
            no_end=joined((scene.friends, foes)),
            end_avoid=wider(foes),
        )
        moved = move_away(scene.unit, foes, ground, SPACING)
        ends = assert_legal(moved, scene.unit, ground)
        if isinstance(moved, Moved):
            assert may_stand(ground, ends, scene.unit.radius).all()
        piling = replace(scene.unit, limit=np.full(len(scene.unit), 3.0))
        close = Ground(BOARD, scene.walls, scene.no_stand, solid=foes, no_end=scene.friends)
        assert_legal(move_into_contact(piling, [foes], close, SPACING, 1.0, False), piling, close)


@pytest.mark.parametrize("most", [0, 5])
def test_searches_that_are_broken_off_end_legally(most: int) -> None:
    """R.BUDGET: in crowds, with far too little to look at, and the same each time."""
    fired = 0
    for seed in range(40):
        scene = crowd(seed)
        if is_engaged(scene):
            continue
        ground, far = normal(scene), np.full(len(scene.unit), 9.0)
        close = replace(ground, avoid=wider(joined(scene.foes[1:])))
        found = []
        for _ in range(2):
            walks = replace(scene.unit, budget=Budget(most))
            charges = replace(scene.unit, limit=far, budget=Budget(most))
            moved = move_toward(walks, scene.foes[0], ground, SPACING, 1.001)
            charged = move_into_contact(charges, scene.foes[:1], close, SPACING)
            ends = assert_legal(moved, walks, ground), assert_legal(charged, charges, close)
            assert walks.budget is not None
            assert charges.budget is not None
            found.append((*(end.tolist() for end in ends), walks.budget.spent, charges.budget.spent))
            fired += walks.budget.spent > most or charges.budget.spent > most
        assert found[0] == found[1]
    assert fired > 10


def test_a_search_says_once_that_it_is_broken_off() -> None:
    """R.BUDGET: when what is counted comes to what is allowed."""
    told: list[str] = []
    budget = Budget(10, lambda: told.append("spent"))
    budget.spend(9)
    assert not budget.is_spent
    assert not told
    for _ in range(3):
        budget.spend(1)
    assert budget.is_spent
    assert told == ["spent"]


@pytest.mark.parametrize("first", range(0, 20, 10))
def test_a_mirror_changes_nothing(first: int) -> None:
    """S.INV: how far everyone has left is the same on the mirrored board."""
    for seed in range(first, first + 10):
        scene = crowd(seed)
        if is_engaged(scene):
            continue
        other = mirrored(scene)
        here = move_toward(scene.unit, scene.foes[0], normal(scene), SPACING, 1.001)
        there = move_toward(other.unit, other.foes[0], normal(other), SPACING, 1.001)
        assert isinstance(here, Moved)
        assert isinstance(there, Moved)
        assert there.left == pytest.approx(here.left, abs=0.01)
