"""Holds the check of paths against shapely: which legs run into something or off the board.

    python scripts/oracle_clear.py --cases 2500 --shapes round,oval,hull --out out/oracle_clear.jsonl

Each case is a board with bases, zones round bases and a wall, and four legs of a base, lines and arcs. What
the base sweeps over must be clear where a polygon round it is, and not where a polygon within it meets
something. What lies between is not judged. Run again, it goes on where it ended; exit 1 on a wrong answer.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import shapely
import typer
from oracle_case import Pose, footprint, outlines_of, run, some_pose

from geometry.path.checker import faults_of_legs
from geometry.path.ground import Ground
from geometry.path.path import Path as Way
from geometry.shape.base import Polygon
from geometry.shape.convex_shape import stance_of

BOARD = (26.0, 22.0)
LEGS = 4
ZONE = 1.0
"""How far a zone reaches beyond a base, in inches."""
STEPS = 80
"""How many places along an arc stand for all of it."""
CLOSE = 1e-6
COVERED = 1e-3
"""An area that two polygons surely share, in square inches."""
SIDES = 64
"""How many sides the polygons have that stand for the base that moves."""


def judge(seed: int, shapes: tuple[str, ...]) -> dict[str, Any]:
    """Return what one case shows."""
    chance = np.random.default_rng(seed)
    solid = [some_pose(chance, shapes, (0, 0), BOARD) for _ in range(3)]
    avoid = [some_pose(chance, shapes, (0, 0), BOARD) for _ in range(2)]
    walls = (footprint(chance, (4, 4), (22, 18), (1.0, 5.0))[0],)
    ground = Ground(BOARD, walls, solid=outlines_of(solid), avoid=outlines_of(avoid).grown(ZONE))
    counts, wrong = {"clear": 0, "shut": 0, "open": 0}, []
    for _ in range(LEGS):
        mover = some_pose(chance, shapes, (3, 3), (BOARD[0] - 3, BOARD[1] - 3))
        leg = some_leg(chance, mover.xy)
        stance = stance_of(mover.base, mover.facing)
        told = " ".join(faults_of_legs(Way(mover.xy, (leg,)), [stance, stance], ground))
        for kind, known in judged(mover, leg, solid, avoid, walls).items():
            counts["open" if known is None else "shut" if known else "clear"] += 1
            if known is not None and known != (kind in told):
                wrong.append(f"{kind}: {'shut' if known else 'clear'}, told '{told}': {mover}, {leg}")
    return {**counts, "wrong": wrong}


def some_leg(chance: np.random.Generator, at: tuple[float, float]) -> tuple[float, ...]:
    """Return a straight leg or an arc from a point."""
    way, far = chance.uniform(0, math.tau), chance.uniform(0, 8)
    if chance.integers(2):
        return (at[0] + far * math.cos(way), at[1] + far * math.sin(way))
    radius, turn = float(chance.choice([0.7, 2.0, 6.0])), float(chance.choice([-1, 1]))
    centre = (at[0] + radius * math.cos(way), at[1] + radius * math.sin(way))
    end = way + math.pi + turn * chance.uniform(0, math.tau)
    return (centre[0] + radius * math.cos(end), centre[1] + radius * math.sin(end), *centre, turn)


def places(at: tuple[float, float], leg: tuple[float, ...]) -> tuple[list[tuple[float, float]], float]:
    """Return places along a leg, and how far the leg may be from the lines between them."""
    if len(leg) == 2:
        return [at, (leg[0], leg[1])], 0.0
    x, y, centre_x, centre_y, turn = leg
    radius = math.dist(at, (centre_x, centre_y))
    first = math.atan2(at[1] - centre_y, at[0] - centre_x)
    swept = ((math.atan2(y - centre_y, x - centre_x) - first) * turn) % math.tau
    angles = [first + turn * swept * i / STEPS for i in range(STEPS + 1)]
    spots = [(centre_x + radius * math.cos(a), centre_y + radius * math.sin(a)) for a in angles]
    return spots, radius * (1 - math.cos(swept / STEPS / 2))


def judged(
    mover: Pose, leg: tuple[float, ...], solid: list[Pose], avoid: list[Pose], walls: tuple[Polygon, ...]
) -> dict[str, bool | None]:
    """Return of each kind of thing whether a leg surely runs into it.

    True is surely, False surely not, None neither. The names are words of the faults: model, wall, board.
    """
    spots, off = places(mover.xy, leg)
    poses = [replace(mover, xy=at) for at in spots]
    inner, outer = (
        _swept([pose.inner(SIDES) for pose in poses]),
        _swept([pose.outer(SIDES) for pose in poses]),
    )
    slack = off + mover.error + CLOSE
    far = [outer.distance(pose.outer()) - slack - pose.error for pose in solid]
    far += [outer.distance(pose.outer()) - slack - pose.error - ZONE for pose in avoid]
    is_clear = min(far) > 0
    shut = any(_meets(inner, pose.inner(), off) for pose in solid)
    shut |= any(inner.distance(pose.inner()) + slack + pose.error < ZONE for pose in avoid)
    found: dict[str, bool | None] = {"model": True if shut else False if is_clear else None}
    wall = shapely.Polygon(walls[0])
    is_clear, shut = outer.distance(wall) > slack, _meets(inner, wall, off)
    found["wall"] = True if shut else False if is_clear else None
    (low_x, low_y, high_x, high_y), (left, low, right, high) = inner.bounds, outer.bounds
    shut = min(low_x, low_y, BOARD[0] - high_x, BOARD[1] - high_y) < -slack
    is_clear = min(left, low, BOARD[0] - right, BOARD[1] - high) > slack
    found["board"] = True if shut else False if is_clear else None
    return found


def _swept(shapes: list[shapely.Polygon]) -> Any:
    """Return what a convex polygon covers on its way straight from each place to the next."""
    return shapely.union_all([shapely.union(a, b).convex_hull for a, b in pairwise(shapes)])


def _meets(swept: Any, other: shapely.Polygon, off: float) -> bool:
    """Return whether what is swept, but for its rim, surely covers a part of another polygon."""
    return bool(swept.buffer(-off).intersection(other).area > COVERED)


def main(
    cases: Annotated[int, typer.Option(min=1, help="How many cases.")] = 200,
    seed: Annotated[int, typer.Option(help="The first case.")] = 1,
    shapes: Annotated[str, typer.Option(help="Which shapes: round,oval,hull.")] = "round",
    workers: Annotated[int, typer.Option(min=1, help="How many processes.")] = 1,
    out: Annotated[Path | None, typer.Option(help="Where the rows go.")] = None,
) -> None:
    """Judge the check of paths."""
    run(judge, cases, seed, shapes, workers, out)


if __name__ == "__main__":
    typer.run(main)
