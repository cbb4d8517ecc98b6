"""What the oracle scripts share: bases as shapely polygons, random tables, runs that resume.

Owns the shapes as mathematics has them (an oval is an ellipse here), between polygons that lie within and
without. It asks nothing of the code that it is to judge, but for the arrays in which questions are put.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from series import workers_of

from geometry.measure.body import Bodies
from geometry.shape.base import Base, Floats, Polygon, hull_base, oval_base, round_base
from geometry.shape.convex_shape import Outlines, stance_of

SIDES = 256
OVAL_ERROR = 4e-5
"""The most, in inches, that the program's rim of an oval may be off its ellipse."""
BASES: dict[str, tuple[Base, ...]] = {
    "round": tuple(round_base(mm) for mm in (25, 32, 40, 60, 90)),
    "oval": tuple(oval_base(*mm) for mm in ((60, 35), (75, 42), (90, 52), (105, 70), (170, 109))),
    "hull": tuple(hull_base(*inches) for inches in ((4.5, 3.0), (5.0, 2.5), (2.4, 2.4), (7.0, 4.2))),
}
FOOTPRINTS: dict[str, list[list[tuple[float, float]]]] = {
    "box": [[(0, 0), (1, 0), (1, 1), (0, 1)]],
    "wedge": [[(0, 0), (1, 0.2), (0.4, 1)]],
    "ell": [[(0, 0), (1, 0), (1, 0.3), (0, 0.3)], [(0, 0), (0.3, 0), (0.3, 1), (0, 1)]],
    "horseshoe": [
        [(0, 0), (1, 0), (1, 0.3), (0, 0.3)],
        [(0, 0), (0.3, 0), (0.3, 1), (0, 1)],
        [(0.7, 0), (1, 0), (1, 1), (0.7, 1)],
    ],
}
"""Footprints in the unit square, each as the convex parts that it is made of."""


@dataclass(frozen=True, slots=True)
class Pose:
    """A base on the ground, with its facing in degrees."""

    base: Base
    xy: tuple[float, float]
    facing: float = 0.0

    @property
    def error(self) -> float:
        """Return how far the program's rim may be from the true one."""
        return OVAL_ERROR if self.base.shape == "oval" else 1e-9

    def rim(self, count: int, share: float = 1.0) -> Floats:
        """Return points of the rim, or of the rim made smaller about its middle."""
        half = np.array([self.base.length, self.base.width]) / 2 * share
        if self.base.shape == "hull":
            corner = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1), (1, 1)]) * half
            along = np.arange(count) * 4 / count
            side = along.astype(int)
            local = corner[side] + (along - side)[:, None] * (corner[side + 1] - corner[side])
        else:
            turn = np.arange(count) * math.tau / count
            local = np.stack([np.cos(turn), np.sin(turn)], axis=1) * half
        return self._placed(local)

    def inner(self, sides: int = SIDES) -> shapely.Polygon:
        """Return a polygon within the base: the base itself where it is a hull."""
        return shapely.Polygon(self.rim(4 if self.base.shape == "hull" else sides))

    def outer(self, sides: int = SIDES) -> shapely.Polygon:
        """Return a polygon round the base: the base itself where it is a hull."""
        if self.base.shape == "hull":
            return self.inner()
        return shapely.Polygon(self.rim(sides, 1 / math.cos(math.pi / sides)))

    def _placed(self, local: Floats) -> Floats:
        c, s = math.cos(math.radians(self.facing)), math.sin(math.radians(self.facing))
        return np.asarray(local @ np.array([[c, s], [-s, c]]) + np.array(self.xy))


def some_pose(
    chance: np.random.Generator, shapes: Sequence[str], low: Sequence[float], high: Sequence[float]
) -> Pose:
    """Return a base of one of these shapes somewhere in a rectangle."""
    of_shape = BASES[shapes[int(chance.integers(len(shapes)))]]
    base = of_shape[int(chance.integers(len(of_shape)))]
    x, y = np.round(chance.uniform(low, high), 4).tolist()
    facing = float(chance.choice([0.0, 90.0, 45.0, round(float(chance.uniform(0, 360)), 2)]))
    return Pose(base, (x, y), 0.0 if base.shape == "round" else facing)


def outlines_of(poses: Sequence[Pose]) -> Outlines:
    """Return the bases as the program has them."""
    stances = [stance_of(pose.base, pose.facing) for pose in poses]
    core = () if all(s.core.is_point for s in stances) else tuple(s.core for s in stances)
    xy = np.array([pose.xy for pose in poses], dtype=np.float64).reshape(-1, 2)
    return Outlines(xy, np.array([s.radius for s in stances], dtype=np.float64), core)


def bodies_of(poses: Sequence[Pose], height: Sequence[float], z: Sequence[float] | None = None) -> Bodies:
    """Return the bases as bodies that no terrain favours."""
    found, none = outlines_of(poses), np.zeros(len(poses), dtype=np.bool_)
    feet = np.zeros(len(poses)) if z is None else np.array(z, dtype=np.float64)
    tall = np.array(height, dtype=np.float64)
    return Bodies(found.xy, feet, found.radius, tall, none, none, found.core)


def footprint(
    chance: np.random.Generator, low: Sequence[float], high: Sequence[float], size: tuple[float, float]
) -> tuple[Polygon, list[Floats]]:
    """Return a random footprint, and the convex parts that it is made of."""
    parts = FOOTPRINTS[str(chance.choice(sorted(FOOTPRINTS)))]
    turn = float(chance.choice([0.0, math.pi / 2, chance.uniform(0, math.tau)]))
    c, s = math.cos(turn), math.sin(turn)
    grow, at = chance.uniform(*size, 2), chance.uniform(low, high)
    made = [np.array(part) * grow @ np.array([[c, s], [-s, c]]) + at for part in parts]
    whole = shapely.union_all([shapely.Polygon(part) for part in made])
    ring = shapely.Polygon(whole.exterior).simplify(0.0)
    return tuple((float(x), float(y)) for x, y in ring.exterior.coords[:-1]), made


def stretched(part: Floats, shape: Floats) -> shapely.Polygon:
    """Return where the middle of a convex shape (given about its middle) meets a convex part."""
    return shapely.MultiPoint((part[:, None] - shape[None]).reshape(-1, 2)).convex_hull


MANY = 20
"""A share of fewer than this many tells nothing."""
Judge = Callable[[int, tuple[str, ...]], dict[str, Any]]
"""Judges one case: what it counted, and under "wrong" what the program answered wrongly."""


def run(
    judge: Judge,
    cases: int,
    first: int,
    shapes: str,
    workers: int,
    out: Path | None,
    most: tuple[str, str, float] | None = None,
) -> None:
    """Judge cases from a seed on, say what they show, and exit: 1 if an answer is wrong.

    The file gets one JSON line a case; cases that it holds are not judged again. `most` names a count that
    may be no more than a share of another.
    """
    kinds = tuple(shapes.split(","))
    if unknown := set(kinds) - set(BASES):
        sys.exit(f"no such shape: {', '.join(sorted(unknown))}")
    known = _read(out, shapes)
    left = [seed for seed in range(first, first + cases) if seed not in known]
    began = time.perf_counter()
    for seed, row in _judged(judge, left, kinds, workers):
        known[seed] = row
        if out is not None:
            out.parent.mkdir(parents=True, exist_ok=True)
            with out.open("a") as file:
                file.write(json.dumps({"seed": seed, "shapes": shapes, **row}) + "\n")
    rows = [known[seed] for seed in range(first, first + cases)]
    total: Counter[str] = Counter()
    for row in rows:
        total.update({name: value for name, value in row.items() if isinstance(value, int)})
    wrong = [f"case {first + i}: {text}" for i, row in enumerate(rows) for text in row["wrong"]]
    if most is not None and total[most[0]] > most[2] * max(total[most[1]], MANY):
        wrong.append(f"{total[most[0]]} {most[0]} of {total[most[1]]} {most[1]}")
    took = time.perf_counter() - began
    counts = ", ".join(f"{value} {name}" for name, value in sorted(total.items()))
    print(f"{cases} cases of {shapes} from {first} on ({took:.0f} s): {counts}; {len(wrong)} wrong")
    for text in wrong[:40]:
        print(f"  {text}")
    sys.exit(1 if wrong else 0)


def _read(out: Path | None, shapes: str) -> dict[int, dict[str, Any]]:
    known: dict[int, dict[str, Any]] = {}
    for line in out.read_text().splitlines() if out is not None and out.exists() else []:
        row = json.loads(line)
        if row.pop("shapes") == shapes:
            known[row.pop("seed")] = row
    return known


def _judged(judge: Judge, seeds: Sequence[int], kinds: tuple[str, ...], workers: int) -> Any:
    if workers == 1:
        yield from ((seed, judge(seed, kinds)) for seed in seeds)
        return
    with workers_of(workers) as pool:
        asked = {pool.submit(judge, seed, kinds): seed for seed in seeds}
        for future in as_completed(asked):
            yield asked[future], future.result()
