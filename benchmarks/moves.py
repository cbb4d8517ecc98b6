"""How fast units move and are set up, and whether a legal move is found if there is one.

Owns their figures, and the cases put to our moves and to the slow search alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from msgspec.structs import replace

from benchmarks.board import RADIUS, SIZE, Board, board
from benchmarks.search import Search
from benchmarks.sights import LoopTimes
from benchmarks.timing import Figure, seconds
from geometry.group.group_move import (
    Front,
    Moved,
    Party,
    move_away,
    move_into_contact,
    move_toward,
    place_group,
)
from geometry.measure.coherency import Spacing, is_coherent
from geometry.path.ground import Ground, may_stand
from geometry.path.planner import Blocked, check_paths
from geometry.shape.base import Floats
from geometry.single.goal import gaps

SPACING = Spacing()
SIZES = (1, 5, 10, 20)
STOP = 1.001
REPEATS = 21
"""How often a move is made; the least time counts.

On a machine that others use, few times are not enough.
"""
NEARER = 0.5
"""The least sum, in inches, by which the models of a unit must come nearer.

Only then has the slow search found a move.
"""
CHARGE = 9.0
KINDS = ("toward", "charge", "away")


def moves(boards: int, loop: LoopTimes) -> list[Figure]:
    """Return how long units of all sizes take, over this many boards each."""
    found: list[Figure] = []
    for models in SIZES:
        times = [_time_of_move(seed, models) for seed in range(boards)]
        median = float(np.median(times))
        mean = 1e3 * float(np.mean(times))
        found.append(Figure(f"move{models}_ms", 1e3 * median, "ms", f"a move of {models} models, median"))
        found.append(Figure(f"move{models}_mean_ms", mean, "ms", f"a move of {models} models, mean"))
    most = max(SIZES)
    took = 1e-3 * next(f.value or 0.0 for f in found if f.name == f"move{most}_ms")
    told = f"a move of {most} models, median, over one pair by 16 x 16 rays, none of them free"
    found.append(Figure(f"move{most}_ratio", took / loop.whole, "x", told, most=1.0))
    told = "the same over such a pair by a loop over prepared pieces"
    found.append(Figure(f"move{most}_prepared_ratio", took / loop.prepared_whole, "x", told))
    spawns = [_time_of_spawn(seed) for seed in range(boards)]
    found.append(
        Figure("spawn20_ms", 1e3 * float(np.median(spawns)), "ms", "a spawn of 20 in a zone, median")
    )
    return found


def _time_of_move(seed: int, models: int) -> float:
    """Return the least time of some that a move takes on a map where others have moved before."""
    for variant in (3, 2, 1):
        other = board(seed, models, variant=variant)
        move_toward(other.unit, other.foes, other.ground(), SPACING, STOP)
    made = board(seed, models)
    ground = made.ground()
    return seconds(partial(move_toward, made.unit, made.foes, ground, SPACING, STOP), REPEATS)


def _time_of_spawn(seed: int) -> float:
    made = board(seed)
    width, depth = SIZE
    zone = ((0.0, depth - 10), (width / 2, depth - 10), (width / 2, depth), (0.0, depth))
    front = Front(((zone[0], zone[1]),))
    ground = Ground(SIZE, made.pieces, solid=made.foes.joined(made.friends), area=(zone,))
    radius = np.full(20, RADIUS)
    place_group(radius, ground, SPACING, front)
    return seconds(lambda: place_group(radius, ground, SPACING, front))


@dataclass(frozen=True, slots=True)
class Case:
    """One move: the unit, the ground, our answer, what ends have left, and which are good."""

    kind: str
    seed: int
    party: Party
    ground: Ground
    ours: Callable[[], Moved | Blocked]
    left: Callable[[Floats], Floats]
    good: Callable[[Floats], bool]


def case(seed: int) -> Case:
    """Return the case of a seed: a move toward the enemy, a charge, or a fall back."""
    kind = KINDS[seed % len(KINDS)]
    made = board(seed)
    if kind == "toward":
        return _toward(seed, made)
    return _charge(seed, made) if kind == "charge" else _away(seed, made)


def _toward(seed: int, made: Board) -> Case:
    unit, ground = made.unit, made.ground()

    def left(xy: Floats) -> Floats:
        return np.asarray(np.maximum(gaps(xy, RADIUS, made.foes).min(axis=1) - STOP, 0.0))

    total = float(left(unit.xy).sum())
    return Case(
        "toward",
        seed,
        unit,
        ground,
        lambda: move_toward(unit, made.foes, ground, SPACING, STOP),
        left,
        lambda ends: float(left(ends).sum()) <= total - NEARER,
    )


def _beside(made: Board, seed: int, near: float, far: float) -> Party | None:
    """Return the unit in ranks, from `near` to `far` inches from the first enemies.

    It is None where there is no room.
    """
    chance = np.random.default_rng((seed, 11))
    first = made.foes.take(range(10))
    count = len(made.unit)
    ground = Ground(SIZE, made.pieces, solid=made.foes.joined(made.friends))
    for _ in range(4000):
        columns, step = int(chance.integers(2, 8)), 2 * RADIUS + float(chance.uniform(0.01, 0.7))
        middle = first.xy.mean(axis=0) + chance.uniform(-14, 14, 2)
        rows = np.arange(count)
        xy = np.round(middle + step * np.stack([rows % columns, rows // columns], axis=1), 6)
        gap = float(gaps(xy, RADIUS, first).min())
        rest = float(gaps(xy, RADIUS, made.foes.take(range(10, len(made.foes)))).min())
        party = replace(made.unit, xy=xy)
        if near <= gap <= far and rest > 1.01 and not _is_misplaced(party, ground):
            return party
    return None


def _is_misplaced(party: Party, ground: Ground) -> bool:
    """Return whether some model stands where it may not, or the unit is not coherent."""
    coherent = is_coherent(party.xy, party.xy[:, 0] * 0, party.radius, SPACING)
    return not (coherent and may_stand(ground, party.xy, party.radius).all())


def _charge(seed: int, made: Board) -> Case:
    target, others = made.foes.take(range(10)), made.foes.take(range(10, len(made.foes)))
    unit = _beside(made, seed, 1.5, 7.5) or made.unit
    unit = replace(unit, limit=np.full(len(unit), CHARGE))
    ground = replace(made.ground(), avoid=others.grown(1.0))
    before = gaps(unit.xy, RADIUS, target)

    def good(ends: Floats) -> bool:
        after = gaps(ends, RADIUS, target)
        moved = (np.abs(ends - unit.xy) > 1e-9).any(axis=1)
        closer = (after < before - 1e-6).any(axis=1)
        return bool(after.min() <= 1.0 and (closer | ~moved).all())

    return Case(
        "charge",
        seed,
        unit,
        ground,
        lambda: move_into_contact(unit, [target], ground, SPACING),
        lambda xy: np.maximum(gaps(xy, RADIUS, target).min(axis=1), 0.0),
        good,
    )


def _away(seed: int, made: Board) -> Case:
    unit = _beside(made, seed, 0.01, 0.9) or made.unit
    foes = made.foes
    ground = Ground(SIZE, made.pieces, no_end=made.friends.joined(foes), end_avoid=foes.grown(1.0))
    return Case(
        "away",
        seed,
        unit,
        ground,
        lambda: move_away(unit, foes, ground, SPACING),
        lambda xy: -np.asarray(gaps(xy, RADIUS, foes).min(axis=1)),
        lambda ends: bool(gaps(ends, RADIUS, foes).min() > 1.0 + 1e-6),
    )


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether our move and the slow search found a legal answer, and why ours found none."""

    kind: str
    seed: int
    ours: bool
    slow: bool
    why: str = ""


def verdict(seed: int, restarts: int) -> Verdict:
    """Return what our move and the slow search make of one case."""
    put = case(seed)
    found = put.ours()
    ours, why = _is_good(put, found)
    search = Search(put.party, put.ground, put.left, seed)
    slow = search.found(SPACING, put.good, restarts)
    return Verdict(put.kind, seed, ours, slow is not None, why)


def _is_good(put: Case, found: Moved | Blocked) -> tuple[bool, str]:
    if isinstance(found, Blocked):
        return False, found.reason
    ends = np.array([path.end for path in found.paths])
    faults = check_paths(found.paths, put.party.radius, put.party.xy, put.party.limit, put.ground)
    if faults:
        return False, f"illegal: {faults[0]}"
    if not is_coherent(ends, ends[:, 0] * 0, put.party.radius, SPACING):
        return False, "illegal: not coherent"
    apart = np.hypot(*(ends[:, None] - ends[None]).transpose(2, 0, 1)) + 9 * np.eye(len(ends))
    if apart.min() < 2 * RADIUS - 1e-6:
        return False, "illegal: models overlap"
    # What the slow search must beat by a margin, ours need only beat.
    nearer = float(put.left(ends).sum()) < float(put.left(put.party.xy).sum()) - 1e-6
    good = nearer if put.kind == "toward" else put.good(ends)
    return good, "" if good else "stays where it is"


def found_share(rows: list[Verdict]) -> list[Figure]:
    """Return how often we find a move where the slow search finds one."""
    could = [row for row in rows if row.slow]
    lost = Counter(f"{row.kind} {row.seed}: {row.why}" for row in could if not row.ours)
    share = sum(row.ours for row in could) / len(could) if could else None
    told = f"of {len(could)} cases with a move known, {len(rows)} in all" + "".join(
        f"; {k}" for k in sorted(lost)
    )
    more = sum(row.ours and not row.slow for row in rows)
    return [
        Figure("move20_found", share, "", told, least=0.99),
        Figure("move20_found_more", float(more), "", "cases in which only ours finds a move"),
    ]
