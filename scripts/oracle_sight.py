"""Holds sight against dense sampling, and its witnesses against shapely, on random tables.

    python scripts/oracle_sight.py --cases 700 --shapes round,oval,hull --out out/oracle_sight.jsonl

Each case is a table with sixteen pairs of bases. No pair may be hidden where one of 128 x 128 lines between
the rims is free, none visible whose witness, a line in space, is not clear, none fully visible where a point
of the target is hidden from all of the observer, and none less than fully visible where no point can be. A
fifth of the tables have low pieces, a fifth raised ones and bodies above the ground (the first two questions
only), a fifth pieces that touch each other, between which no witness may slip.
Run again, it goes on where it ended; exit 1 on a wrong answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import shapely
import typer
from oracle_case import Pose, bodies_of, footprint, run, some_pose

from geometry.shape.base import Bools, Floats, Polygon
from geometry.sight.landscape import Landscape, Opacity, Piece
from geometry.sight.visibility import Sight, sight

EACH = 4
RAYS = 128
DENSE = 2048
SIZE = (24.0, 18.0)
SHRINK = 2e-6
HAIR = 1e-9
"""A line that goes no deeper than this into a piece grazes it."""
DEPTH = 1e-4
"""Points hidden only by less than this are not asked for."""
SPECK = 1e-3
"""Areas smaller than this decide nothing."""
PUSHED = 1e4
GLANCES = 8
STEPS = 5
KINDS = ("low", "raised", "tall", "touching", "tall")
MISSED = "hidden, though a sampled line is free"


@dataclass(frozen=True, slots=True)
class Wall:
    """A piece, its convex parts, and its area: whole, and 1e-9, 2e-6 and 1e-4 inches smaller."""

    piece: Piece
    parts: list[Floats]
    area: Any
    whole: Any
    grazed: Any
    hollow: Any


@dataclass(frozen=True, slots=True)
class Pair:
    """An observer and a target, with how tall they are, and how high they stand."""

    here: Pose
    there: Pose
    tall: float
    aim: float
    foot: float = 0.0
    stands: float = 0.0


def judge(seed: int, shapes: tuple[str, ...]) -> dict[str, Any]:
    """Return what one case shows."""
    chance = np.random.default_rng(seed)
    kind = KINDS[seed % len(KINDS)]
    walls = _table(chance, kind)
    tall = (2.5,) if kind in ("tall", "touching") else (1.5, 2.5, 4.0)
    poses = [
        [some_pose(chance, shapes, (1, 1), (SIZE[0] - 1, SIZE[1] - 1)) for _ in range(EACH)] for _ in "ab"
    ]
    heights = [chance.choice(tall, EACH).tolist() for _ in "ab"]
    feet = [chance.choice([0.0, 3.0] if kind == "raised" else [0.0], EACH).tolist() for _ in "ab"]
    here, there = (bodies_of(p, h, z) for p, h, z in zip(poses, heights, feet, strict=True))
    seen = sight(here, there, Landscape([wall.piece for wall in walls]))
    count = {"pairs": 0, "visible": 0, "fully": 0, "unclear": 0}
    wrong: list[str] = []
    for i, j in np.ndindex(EACH, EACH):
        pair = Pair(poses[0][i], poses[1][j], heights[0][i], heights[1][j], feet[0][i], feet[1][j])
        if pair.here.outer().distance(pair.there.outer()) < 1e-3:
            continue
        closing = _closing(walls, pair)
        if closing is None:
            count["unclear"] += 1
            continue
        count["pairs"] += 1
        count["visible"] += int(seen.visible[i, j])
        count["fully"] += int(seen.fully[i, j])
        faults = _faults_of_line(seen, i, j, pair, closing)
        if kind == "touching" and seen.visible[i, j] and _slips(seen.witness(i, j), walls):
            faults.append("the witness slips between pieces that touch")
        if kind != "raised":
            faults += _faults_of_view(seen, i, j, pair, walls)
        wrong += [f"{fault}: {pair}" for fault in faults]
    return {**count, "wrong": wrong}


def _table(chance: np.random.Generator, kind: str) -> list[Wall]:
    found = []
    opacities: tuple[Opacity, ...] = ("solid", "solid", "boundless", "veil") if kind == "tall" else ("solid",)
    for number in range(int(chance.integers(3, 9))):
        polygon, parts = footprint(chance, (2, 2), (SIZE[0] - 3, SIZE[1] - 3), (0.4, 6.0))
        if kind == "touching" and found:
            polygon, parts = _beside(chance, found[int(chance.integers(len(found)))])
        height = 5.0 if kind in ("tall", "touching") else float(chance.choice([1.0, 2.0, 3.0]))
        raised = float(chance.choice([0.0, 1.3, 2.7])) if kind == "raised" else 0.0
        opacity = opacities[int(chance.integers(len(opacities)))]
        piece = Piece(f"p{number}", polygon, height, opacity, raised)
        area = shapely.Polygon(polygon)
        smaller = (area.buffer(-by, join_style="mitre") for by in (HAIR, SHRINK, DEPTH))
        found.append(Wall(piece, parts, area, *smaller))
    return found


def _beside(chance: np.random.Generator, wall: Wall) -> tuple[Polygon, list[Floats]]:
    """Return a footprint that touches that of a wall: along an edge, or at a corner of either."""
    ring = np.array(
        wall.area.exterior.coords if wall.area.exterior.is_ccw else wall.area.exterior.coords[::-1]
    )
    k = int(chance.integers(len(ring) - 1))
    along = (ring[k + 1] - ring[k]) / np.hypot(*(ring[k + 1] - ring[k]))
    out = np.array([along[1], -along[0]])
    start = ring[k] + float(chance.choice([0.0, 0.5, 1.0])) * (ring[k + 1] - ring[k])
    width, depth = chance.uniform(0.5, 4.0, 2)
    lean = float(chance.choice([0.0, 0.4]))
    corners = [
        start,
        start + width * along,
        start + (width - lean) * along + depth * out,
        start + depth * out,
    ]
    if chance.random() < 0.3:  # on its point
        corners = [start, start + depth * out + lean * along, start + depth * out - width * along]
    made = shapely.MultiPoint(np.array(corners)).convex_hull
    part = np.array(made.exterior.coords[:-1])
    return tuple((float(x), float(y)) for x, y in part), [part]


def _slips(witness: Any, walls: list[Wall]) -> bool:
    """Return whether a line passes through all pieces taken as one."""
    whole = shapely.union_all([wall.area.buffer(SHRINK / 20, join_style="mitre") for wall in walls])
    return bool(shapely.LineString(witness).intersects(whole.buffer(-SHRINK, join_style="mitre")))


def _closing(walls: list[Wall], pair: Pair) -> list[Wall] | None:
    """Return the pieces that close lines between two bases; None where that is unclear.

    It is unclear where an area below SPECK decides it.
    """
    found = []
    for wall in walls:
        if wall.piece.opacity == "solid":
            found.append(wall)
        elif wall.piece.opacity == "boundless":
            met = wall.area.intersection(pair.there.outer()).area
            outside = pair.here.outer().difference(wall.area).area
            if 0 < met < SPECK or 0 < outside < SPECK:
                return None
            if not met and outside:
                found.append(wall)
    return found


def _share(piece: Piece, start: float, end: float) -> tuple[float, float]:
    """Return between which shares of its way a line is within the heights of a piece.

    `start` and `end` are the heights of the line's ends. Where the first share is not below the last, the
    line is never within them.
    """
    low, high = 0.0, 1.0
    limits = [(piece.top, 1.0)] + ([(piece.base_z, -1.0)] if piece.base_z > 0 else [])
    for level, sign in limits:
        # Where this is more than 0 the line is out of the piece. A top as high as the whole line closes it; a
        # line all along the underside only grazes the piece.
        first, last = sign * (start - level), sign * (end - level)
        if max(first, last) <= 0 and (sign > 0 or min(first, last) < 0):
            continue
        if min(first, last) >= 0:
            return 1.0, 0.0
        share = (level - start) / (end - start)
        low, high = (low, min(high, share - 1e-6)) if first < 0 else (max(low, share + 1e-6), high)
    return low, high


def _heights(closing: list[Wall], pair: Pair) -> list[tuple[float, float]]:
    """Return the pairs of heights between which lines are tried.

    Lines lead from top to top, unless a piece is raised.
    """
    if all(wall.piece.base_z <= 0 for wall in closing):
        return [(pair.foot + pair.tall, pair.stands + pair.aim)]
    ups = np.linspace(pair.foot, pair.foot + pair.tall, STEPS)
    downs = np.linspace(pair.stands, pair.stands + pair.aim, STEPS)
    return [(float(up), float(down)) for up in ups for down in downs]


def _shut(
    closing: list[Wall],
    heights: list[tuple[float, float]],
    start: Floats,
    end: Floats,
    strict: bool = False,
) -> Bools:
    """Return which lines (n, 2) between two bodies are closed from and to all of these heights.

    Lines that only graze a piece are free; with `strict`, only those that go no more than 1e-9 inches into
    it.
    """
    found = np.ones(len(start), dtype=np.bool_)
    for up, down in heights:
        rest = np.flatnonzero(found)
        begin, way = start[rest], end[rest] - start[rest]
        shut = np.zeros(len(rest), dtype=np.bool_)
        for wall in closing:
            low, high = _share(wall.piece, up, down)
            if low < high:
                left = np.flatnonzero(~shut)
                here, off = begin[left], way[left]
                area = wall.whole if strict else wall.grazed
                shut[left] = _cuts(area, here + low * off, here + high * off)
        found[rest] = shut
    return found


def _cuts(area: Any, start: Floats, end: Floats) -> Bools:
    shapely.prepare(area)
    return np.asarray(shapely.intersects(area, shapely.linestrings(np.stack([start, end], axis=1))))


def _faults_of_line(seen: Sight, i: int, j: int, pair: Pair, closing: list[Wall]) -> list[str]:
    """Return what is wrong with the verdict whether a line is free, and with its witness."""
    line = seen.line(i, j)
    if line is not None:
        return _faults_of_witness(line, seen.witness(i, j), pair, closing)
    witness, heights = seen.witness(i, j), _heights(closing, pair)
    rays = RAYS if len(heights) == 1 else RAYS // 4
    q, p = pair.here.rim(rays), pair.there.rim(rays)
    start, end = np.repeat(q, rays, axis=0), np.tile(p, (rays, 1))
    found = []
    if not _shut(closing, heights, start, end, strict=True).all():
        found.append(MISSED)
    named = [wall for wall in closing if wall.piece.id in witness]
    if len(named) != len(witness):
        found.append(f"what closes every line closes none: {witness}")
    elif not found and not _shut(named, heights, start, end, strict=True).all():
        found.append(f"{witness} do not close every line")
    return found


def _faults_of_witness(line: Any, witness: Any, pair: Pair, closing: list[Wall]) -> list[str]:
    """Return what is wrong with a line in space that is said to be clear.

    `witness` is the same line as seen from above; its faults are given, too.
    """
    start, end = (np.array(point, dtype=np.float64) for point in line)
    found = []
    for name, pose, point, foot, tall in (
        ("observer", pair.here, start, pair.foot, pair.tall),
        ("target", pair.there, end, pair.stands, pair.aim),
    ):
        aside = pose.outer().distance(shapely.Point(point[:2])) > pose.error + 1e-6
        if aside or not foot - 1e-6 <= point[2] <= foot + tall + 1e-6:
            found.append(f"the witness is not at the {name}")
    if witness != tuple(point[:2] for point in line):
        found.append("the witness is not below its line in space")
    if _shut(closing, [(float(start[2]), float(end[2]))], start[None, :2], end[None, :2])[0]:
        found.append("the witness is not clear")
    return found


def _obscuring(walls: list[Wall], pair: Pair) -> list[Wall] | None:
    """Return the pieces that can hide points of the target; None where that is unclear."""
    closing = _closing(walls, pair)
    for wall in walls:
        if wall.piece.opacity == "veil":
            met = wall.area.intersection(pair.there.outer()).area
            if met:  # a target in a veil is judged by where it stands, not by lines
                return None
    veils = [wall for wall in walls if wall.piece.opacity == "veil"]
    return None if closing is None else [*closing, *veils]


def _faults_of_view(seen: Sight, i: int, j: int, pair: Pair, walls: list[Wall]) -> list[str]:
    """Return what is wrong with the verdict whether all of the target is seen."""
    walls = _obscuring(walls, pair) or []
    if not walls:
        return []
    if seen.fully[i, j]:
        rims = [pair.there.rim(RAYS, share) for share in (0.9995, 0.9, 0.6, 0.25)]
        q = pair.here.rim(RAYS, 0.99999)
        points = np.concatenate([*rims, [pair.there.xy]])
        for eye in q[:: RAYS // GLANCES]:
            points = points[_view_shut(walls, pair, points, np.broadcast_to(eye, points.shape))]
        for point in points:
            if not _view_shut(walls, pair, point, q).all():
                continue
            if _view_shut(walls, pair, point, _telling(walls, pair, point)).all():
                return [f"fully visible, though {np.round(point, 4).tolist()} is hidden"]
        return []
    if not seen.visible[i, j]:
        return []
    hidden = pair.there.outer(64)
    for eye in pair.here.rim(48):
        hidden = hidden.intersection(shapely.union_all([_shadow(wall, pair, eye) for wall in walls]))
        if hidden.area < 1e-12 and hidden.length < 1e-9:
            return ["not fully visible, though no point is hidden"]
    return []


def _reach(wall: Wall, pair: Pair) -> float:
    """Return up to which share of its way a piece closes a line.

    The line leads from the target's foot to the observer's top.
    """
    return 1.0 if wall.piece.opacity != "solid" else min(1.0, wall.piece.top / pair.tall)


def _view_shut(walls: list[Wall], pair: Pair, point: Floats, eyes: Floats) -> Bools:
    """Return from which eyes a point of the target's foot, or each its own, is hidden."""
    found = np.zeros(len(eyes), dtype=np.bool_)
    start = np.broadcast_to(point, eyes.shape)
    for wall in walls:
        rest = np.flatnonzero(~found)
        end = start[rest] + _reach(wall, pair) * (eyes[rest] - start[rest])
        found[rest] = _cuts(wall.hollow, start[rest], end)
    return found


def _telling(walls: list[Wall], pair: Pair, point: Floats) -> Floats:
    """Return the observer's points that tell whether a point of the target is hidden.

    If any point of the observer sees it, one of these does: the corners of the pieces give them.
    """
    rim = pair.here.rim(DENSE, 0.99999)
    hollow = [wall.hollow.exterior.coords for wall in walls if not wall.hollow.is_empty]
    corner = np.concatenate([np.array(ring) for ring in hollow])
    corner = np.concatenate([point + (corner - point) / _reach(wall, pair) for wall in walls] + [corner])
    way = corner - point
    aside = np.stack([-way[:, 1], way[:, 0]], axis=1) / np.maximum(np.hypot(*way.T), 1e-9)[:, None]
    reach = max(pair.here.base.length, pair.here.base.width)
    found = [rim]
    disc = pair.here.inner()
    for nudge in (1e-5, -1e-5):
        rays = np.stack([np.broadcast_to(point, corner.shape), point + 60 * (way + nudge * aside)], axis=1)
        met = shapely.intersection(shapely.linestrings(rays), disc.buffer(-1e-6))
        coords = shapely.get_coordinates(met)
        found.append(coords[np.hypot(*(coords - np.array(pair.here.xy)).T) <= reach])
    return np.concatenate(found)


def _shadow(wall: Wall, pair: Pair, eye: Floats) -> Any:
    """Return what a piece hides from one point, or a little more."""
    share = _reach(wall, pair)
    push = min(1.0 / max(1.0 - share, 1e-9), PUSHED)
    near = [
        shapely.MultiPoint(np.concatenate([part, eye + push * (part - eye)])).convex_hull
        for part in wall.parts
    ]
    return shapely.union_all([wall.area, *near])


def main(
    cases: Annotated[int, typer.Option(min=1, help="How many cases, of sixteen pairs each.")] = 60,
    seed: Annotated[int, typer.Option(help="The first case.")] = 1,
    shapes: Annotated[str, typer.Option(help="Which shapes: round,oval,hull.")] = "round",
    workers: Annotated[int, typer.Option(min=1, help="How many processes.")] = 1,
    out: Annotated[Path | None, typer.Option(help="Where the rows go.")] = None,
) -> None:
    """Judge sight."""
    run(judge, cases, seed, shapes, workers, out)


if __name__ == "__main__":
    typer.run(main)
