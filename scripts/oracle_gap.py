"""Holds distances, overlaps and places in footprints against shapely, over random bases.

    python scripts/oracle_gap.py --cases 1000 --shapes round,oval,hull --out out/oracle_gap.jsonl

Each case is two groups of bases and a footprint. A distance must lie between that of polygons round the
bases and that of polygons within them. Run again, it goes on where it ended; exit 1 on a wrong answer.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import shapely
import typer
from oracle_case import bodies_of, footprint, outlines_of, run, some_pose

from geometry.measure.distance import engaged, gap, overlap
from geometry.sight.landscape import Landscape, Piece

EACH = 8
CLOSE = 1e-6


def judge(seed: int, shapes: tuple[str, ...]) -> dict[str, Any]:
    """Return what one case shows."""
    chance = np.random.default_rng(seed)
    size = float(chance.choice([6.0, 14.0, 40.0]))
    groups = [[some_pose(chance, shapes, (0, 0), (size, size)) for _ in range(EACH)] for _ in range(2)]
    feet = [chance.choice([0.0, 3.0, 5.0, 6.0], EACH).tolist() for _ in range(2)]
    a, b = (bodies_of(poses, [2.0] * EACH, z) for poses, z in zip(groups, feet, strict=True))
    apart, meets, near = gap(a, b), overlap(a, b), engaged(a, b)
    inner = [np.array([pose.inner() for pose in poses]) for poses in groups]
    outer = [np.array([pose.outer() for pose in poses]) for poses in groups]
    low = shapely.distance(outer[0][:, None], outer[1][None])
    high = shapely.distance(inner[0][:, None], inner[1][None])
    wrong: list[str] = []
    for i, j in np.ndindex(EACH, EACH):
        slack = groups[0][i].error + groups[1][j].error + CLOSE
        pair = f"{groups[0][i]} and {groups[1][j]}"
        if not low[i, j] - slack <= apart[i, j] <= high[i, j] + slack:
            wrong.append(f"{apart[i, j]:.7f} apart, not {low[i, j]:.7f} to {high[i, j]:.7f}: {pair}")
        if low[i, j] > slack and meets[i, j]:
            wrong.append(f"overlap though {low[i, j]:.7f} apart: {pair}")
        if high[i, j] == 0 and not meets[i, j] and _depth(inner[0][i], inner[1][j]) > 1e-3:
            wrong.append(f"do not overlap: {pair}")
        level = abs(feet[0][i] - feet[1][j]) <= 5.0
        if near[i, j] and not (level and low[i, j] <= 1.0 + slack):
            wrong.append(f"engaged, though not near: {pair}")
        if not near[i, j] and level and high[i, j] <= 1.0 - slack:
            wrong.append(f"not engaged, though near: {pair}")
    checked, more = _standing(chance, groups[0], size)
    return {"pairs": EACH * EACH, "footprints": checked, "wrong": wrong + more}


def _depth(a: Any, b: Any) -> float:
    return float(a.intersection(b).area)


def _standing(chance: np.random.Generator, poses: list[Any], size: float) -> tuple[int, list[str]]:
    """Return how many places in a footprint were judged, and which wrongly."""
    polygon, _ = footprint(chance, (0, 0), (size, size), (2.0, 12.0))
    landscape = Landscape([Piece("p", polygon, 5.0, "boundless")])
    partly, wholly = (found[:, 0] for found in landscape.standing(outlines_of(poses)))
    area, wrong = shapely.Polygon(polygon), []
    for i, pose in enumerate(poses):
        inner, outer = pose.inner(1024), pose.outer(1024)
        if partly[i] and outer.intersection(area).area == 0 and outer.distance(area) > pose.error + CLOSE:
            wrong.append(f"partly in a footprint that it does not meet: {pose}, {polygon}")
        if not partly[i] and inner.intersection(area).area > 1e-3:
            wrong.append(f"not in a footprint that it meets: {pose}, {polygon}")
        if wholly[i] and inner.difference(area).area > 1e-3:
            wrong.append(f"wholly in a footprint that it sticks out of: {pose}, {polygon}")
        if not wholly[i] and area.contains(outer):
            wrong.append(f"not wholly in a footprint that holds it: {pose}, {polygon}")
    return len(poses), wrong


def main(
    cases: Annotated[int, typer.Option(min=1, help="How many cases.")] = 200,
    seed: Annotated[int, typer.Option(help="The first case.")] = 1,
    shapes: Annotated[str, typer.Option(help="Which shapes: round,oval,hull.")] = "round",
    workers: Annotated[int, typer.Option(min=1, help="How many processes.")] = 1,
    out: Annotated[Path | None, typer.Option(help="Where the rows go.")] = None,
) -> None:
    """Judge distances."""
    run(judge, cases, seed, shapes, workers, out)


if __name__ == "__main__":
    typer.run(main)
