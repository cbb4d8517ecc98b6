"""Holds set-ups and moves of small groups against brute force, over random crowded places.

    python scripts/oracle_packing.py --cases 400 --shapes round --out out/oracle_packing.jsonl

Each case is a set-up in a narrow zone, a charge and a fall back of one to four models. Brute force tries all
ends of a grid, and all on the rims of enemies, in every order that leads anywhere. No model may be left out
that it finds room for, no move be refused that it finds, and what we answer must be legal by shapely. How
often it brings more models into contact is counted: more than one charge in ten is wrong, too. Run again, it
goes on where it ended; exit 1 on a wrong answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import networkx
import numpy as np
import shapely
import typer
from oracle_case import BASES, Pose, footprint, outlines_of, run, some_pose

from geometry.group.group_move import Front, Moved, Party, move_away, move_into_contact, place_group
from geometry.measure.coherency import Spacing
from geometry.path.ground import Ground
from geometry.path.planner import Blocked
from geometry.shape.base import Base, Bools, Floats, Polygon

SIZE = (22.0, 18.0)
MIDDLE = (11.0, 9.0)
SPACING = Spacing()
STEP = 0.2
RIM = 96
SIDES, FINE = 64, 1024
HAIR = 1e-6
TOUCH = 2e-3
"""Brute force is this coarse about base contact: its rims are polygons."""
NODES = 3000
"""Brute force gives up after it has looked at this many partial outcomes."""
CHARGE = 6.0


@dataclass(frozen=True, slots=True)
class Scene:
    """A small group of one kind of base among walls, enemies and others."""

    base: Base
    starts: list[Pose]
    walls: list[Polygon]
    foes: list[Pose]
    friends: list[Pose]


class Force:
    """All ends of a grid for a group of one kind of round base, and which ends fit together."""

    def __init__(self, ends: list[Floats], radius: float, count: int) -> None:
        """Take the ends that each model may take, the best first."""
        self.ends, self.radius, self.count = ends, radius, count
        self.nodes = 0

    def best(self, value: Callable[[Floats, int], float], good: Callable[[Floats], bool]) -> float | None:
        """Return the most that a good outcome is worth, of those looked at; None if none is good."""
        self.nodes = 0
        worth = [np.array([value(xy, row) for xy in ends]) for row, ends in enumerate(self.ends)]
        found: list[float] = []
        for order in _orders(self.count):
            self._fill(order, {}, 0.0, worth, good, found)
            if self.nodes > NODES:
                break
        return max(found, default=None)

    def _fill(
        self,
        left: Sequence[int],
        taken: dict[int, Floats],
        total: float,
        worth: list[Floats],
        good: Callable[[Floats], bool],
        found: list[float],
    ) -> None:
        self.nodes += 1
        if self.nodes > NODES:
            return
        if not left:
            ends = np.array([taken[row] for row in range(self.count)])
            if good(ends):
                found.append(total)
            return
        row = left[0]
        fits = self._beside(self.ends[row], list(taken.values()))
        rows = np.flatnonzero(fits)
        order = rows[np.argsort(-worth[row][rows], kind="stable")]
        # The best few, and some of every other kind.
        few = np.unique(np.concatenate([order[:6], order[:: max(1, len(order) // 6)]]))
        for choice in sorted(few.tolist(), key=lambda k: -worth[row][k]):
            more = {**taken, row: self.ends[row][choice]}
            self._fill(left[1:], more, total + float(worth[row][choice]), worth, good, found)

    def _beside(self, ends: Floats, taken: list[Floats]) -> Bools:
        if not taken or not len(ends):
            return np.ones(len(ends), dtype=np.bool_)
        apart = np.hypot(*(ends[:, None] - np.array(taken)[None]).transpose(2, 0, 1)) - 2 * self.radius
        return np.asarray((apart >= 0).all(axis=1) & (apart <= SPACING.reach).any(axis=1))


def _orders(count: int) -> list[list[int]]:
    rows = list(range(count))
    return [rows[turn:] + rows[:turn] for turn in range(count)]


def judge(seed: int, shapes: tuple[str, ...]) -> dict[str, Any]:
    """Return what one case shows."""
    row: dict[str, Any] = {"set-ups": 0, "charges": 0, "falls back": 0, "fewer in contact": 0, "wrong": []}
    for kind in (_set_up, _charge, _fall_back):
        chance = np.random.default_rng((seed, len(kind.__name__)))
        found = kind(chance, shapes)
        for name, value in found.items():
            row[name] = row[name] + value
    return row


def _scene(chance: np.random.Generator, shapes: tuple[str, ...], near: tuple[float, float]) -> Scene | None:
    """Return a group at a distance from the enemies in the middle; None if there was no room."""
    base = BASES["round"][int(chance.integers(3))]
    count = int(chance.integers(1, 5))
    foes = _ranks(chance, BASES["round"][int(chance.integers(3))], int(chance.integers(1, 4)), MIDDLE, 1.0)
    walls = [footprint(chance, (4, 4), (16, 12), (1.0, 5.0))[0] for _ in range(int(chance.integers(1, 4)))]
    friends = [some_pose(chance, shapes, (3, 3), (19, 15)) for _ in range(int(chance.integers(0, 5)))]
    still = shapely.union_all([shapely.Polygon(wall) for wall in walls])
    if any(foe.outer().intersects(still) for foe in foes):
        return None
    friends = [f for f in friends if not any(f.outer().intersects(o.outer()) for o in foes)]
    friends = [f for f in friends if not f.outer().intersects(still)]
    others = shapely.union_all([p.outer() for p in [*foes, *friends]] + [still])
    for _ in range(40):
        group = _ranks(chance, base, count, chance.uniform((3, 3), (19, 15)).tolist(), 0.5)
        area = shapely.union_all([pose.outer() for pose in group])
        gap = area.distance(shapely.union_all([foe.outer() for foe in foes]))
        if near[0] <= gap <= near[1] and not area.intersects(others):
            return Scene(base, group, walls, foes, friends)
    return None


def _ranks(
    chance: np.random.Generator, base: Base, count: int, at: Sequence[float], loose: float
) -> list[Pose]:
    step = base.length + 0.01 + float(chance.uniform(0, loose))
    turn = float(chance.uniform(0, math.tau))
    spots = [(step * (i % 2), step * (i // 2)) for i in range(count)]
    c, s = math.cos(turn), math.sin(turn)
    return [Pose(base, (round(at[0] + x * c - y * s, 5), round(at[1] + x * s + y * c, 5))) for x, y in spots]


def _closed(scene: Scene, zone: float, poses: Sequence[Pose]) -> Any:
    """Return where the group's bases may not be because of walls and bases, a little too large."""
    slack = 1 / math.cos(math.pi / SIDES / 2)
    r = scene.base.length / 2
    walls = [shapely.Polygon(w).buffer((r + HAIR) * slack, quad_segs=SIDES) for w in scene.walls]
    bases = [p.outer().buffer((r + zone + HAIR) * slack, quad_segs=SIDES) for p in poses]
    inside = shapely.box(r, r, SIZE[0] - r, SIZE[1] - r)
    found = shapely.union_all([*walls, *bases, shapely.box(-99, -99, 99, 99).difference(inside)])
    shapely.prepare(found)
    return found


def _ends(scene: Scene, passing: Any, ending: Any, limit: float) -> list[Floats]:
    """Return for each model the ends that it reaches straight, or with one bend of a few."""
    x, y = np.meshgrid(np.arange(0, SIZE[0], STEP), np.arange(0, SIZE[1], STEP))
    grid = [np.stack([x.ravel(), y.ravel()], axis=1)]
    for foe in scene.foes:
        for more in (TOUCH / 2, 0.5, 0.99):
            grid.append(_circle(foe.xy, (foe.base.length + scene.base.length) / 2 + more, RIM))
    every = np.concatenate(grid)
    every = every[~shapely.intersects_xy(ending, every[:, 0], every[:, 1])]
    found = []
    for pose in scene.starts:
        at = np.array(pose.xy)
        near = every[np.hypot(*(every - at).T) <= limit - 1e-9]
        reached = _free(passing, np.broadcast_to(at, near.shape), near)
        for bend in np.concatenate([_circle(pose.xy, share * limit, 12) for share in (0.3, 0.6)]):
            rest = np.flatnonzero(~reached)
            rest = rest[math.dist(at, bend) + np.hypot(*(near[rest] - bend).T) <= limit - 1e-9]
            if len(rest) and _free(passing, at[None], bend[None])[0]:
                reached[rest] = _free(passing, np.broadcast_to(bend, near[rest].shape), near[rest])
        found.append(near[reached])
    return found


def _circle(centre: Sequence[float], radius: float, count: int) -> Floats:
    turn = np.arange(count) * math.tau / count
    return np.asarray(np.array(centre) + radius * np.stack([np.cos(turn), np.sin(turn)], axis=1))


def _free(closed: Any, start: Floats, end: Floats) -> Bools:
    return np.asarray(~shapely.intersects(closed, shapely.linestrings(np.stack([start, end], axis=1))))


def _coherent(ends: Floats, radius: float) -> bool:
    """Return whether up to six bases make one group."""
    off = np.hypot(*(ends[:, None] - ends[None]).transpose(2, 0, 1))
    near: Any = networkx.from_numpy_array(off <= 2 * radius + SPACING.reach + 2 * HAIR)
    return bool(networkx.is_connected(near))


def _apart(ends: Floats, radius: float) -> bool:
    off = np.hypot(*(ends[:, None] - ends[None]).transpose(2, 0, 1)) + 99 * np.eye(len(ends))
    return bool(off.min() >= 2 * radius - 2 * HAIR)


def _set_up(chance: np.random.Generator, shapes: tuple[str, ...]) -> dict[str, Any]:
    """Judge a set-up in a zone that barely holds the group."""
    scene = _scene(chance, shapes, (0.0, 99.0))
    if scene is None:
        return {}
    r, count = scene.base.length / 2, len(scene.starts)
    wide, deep = chance.uniform(2 * r, 2 * r * count + 2, 2).round(3).tolist()
    x, y = chance.uniform((0, 0), (SIZE[0] - wide, SIZE[1] - deep)).round(3).tolist()
    zone = ((x, y), (x + wide, y), (x + wide, y + deep), (x, y + deep))
    there = [*scene.foes, *scene.friends]
    ground = Ground(SIZE, tuple(scene.walls), solid=outlines_of(there), area=(zone,))
    placed = place_group(np.full(count, r), ground, SPACING, Front(((zone[0], zone[1]),)))
    room = 0 if isinstance(placed, Blocked) else len(placed.xy)
    wrong = []
    closed = _closed(scene, 0.0, there)
    inner = shapely.box(x + r, y + r, x + wide - r, y + deep - r) if min(wide, deep) >= 2 * r else None
    if not isinstance(placed, Blocked):
        where = f"{placed.xy.tolist()} in {zone}"
        if _on_something(scene, placed.xy, [(pose, 0.0) for pose in there]).any():
            wrong.append(f"set up on something: {where}")
        if inner is None or any(inner.distance(shapely.Point(xy)) > 2 * HAIR for xy in placed.xy):
            wrong.append(f"set up outside the zone: {where}")
        if not (_apart(placed.xy, r) and _coherent(placed.xy, r)):
            wrong.append(f"set up on one another, or not coherent: {where}")
    if inner is not None and room < count:
        ends = _spots(inner, closed)
        for more in range(room + 1, count + 1):
            force = Force([ends] * more, r, more)
            if force.best(lambda xy, _: -float(xy[1]), lambda xy: _coherent(xy, r)) is not None:
                wrong.append(f"{room} set up where {more} fit: {zone}, {scene}")
    return {"set-ups": 1, "wrong": wrong}


def _spots(inner: Any, closed: Any) -> Floats:
    """Return places of a grid, finer along the borders of where a base may be."""
    x0, y0, x1, y1 = inner.bounds
    axes = [np.unique(np.append(np.arange(low, high, STEP), high)) for low, high in ((x0, x1), (y0, y1))]
    x, y = np.meshgrid(*axes)
    xy = np.stack([x.ravel(), y.ravel()], axis=1)
    return np.asarray(xy[~shapely.intersects_xy(closed, xy[:, 0], xy[:, 1])])


def _charge(chance: np.random.Generator, shapes: tuple[str, ...]) -> dict[str, Any]:
    """Judge a charge of six inches."""
    scene = _scene(chance, shapes, (1.2, 5.5))
    if scene is None:
        return {}
    r = scene.base.length / 2
    foes, friends = outlines_of(scene.foes), outlines_of(scene.friends)
    ground = Ground(SIZE, tuple(scene.walls), solid=foes, no_end=friends)
    moved = move_into_contact(_party(scene, CHARGE), [foes], ground, SPACING)
    passing = _closed(scene, 0.0, scene.foes)
    ending = _closed(scene, 0.0, [*scene.foes, *scene.friends])

    def gap_of(xy: Floats) -> float:
        return min(math.dist(xy, foe.xy) - foe.base.length / 2 - r for foe in scene.foes)

    def contact(xy: Floats, row: int) -> float:
        return float(gap_of(xy) <= TOUCH) - 1e-3 * gap_of(xy)

    def good(ends: Floats) -> bool:
        return min(gap_of(xy) for xy in ends) <= 1.0 and _coherent(ends, r)

    found = Force(_closer(scene, _ends(scene, passing, ending, CHARGE)), r, len(scene.starts)).best(
        contact, good
    )
    wrong = _illegal(scene, moved, CHARGE, [(pose, 0.0) for pose in (*scene.foes, *scene.friends)])
    fewer = 0
    if isinstance(moved, Blocked):
        wrong += [] if found is None else [f"a charge refused ({moved.reason}): {scene}"]
    else:
        ours = np.array([way.end for way in moved.paths])
        if min(gap_of(xy) for xy in ours) > 1.0 + HAIR:
            wrong.append(f"a charge that does not arrive: {scene}")
        touching = sum(gap_of(xy) <= TOUCH for xy in ours)
        fewer = int(found is not None and round(found) > touching)
    return {"charges": 1, "fewer in contact": fewer, "wrong": wrong}


def _closer(scene: Scene, ends: list[Floats]) -> list[Floats]:
    """Return the ends that are closer to some enemy than the start, and the start itself."""
    kept = []
    for pose, some in zip(scene.starts, ends, strict=True):
        foes = np.array([foe.xy for foe in scene.foes])
        before = np.hypot(*(np.array(pose.xy) - foes).T)
        after = np.hypot(*(some[:, None] - foes[None]).transpose(2, 0, 1))
        kept.append(np.vstack([some[(after < before - 1e-3).any(axis=1)], np.array(pose.xy)]))
    return kept


def _fall_back(chance: np.random.Generator, shapes: tuple[str, ...]) -> dict[str, Any]:
    """Judge a fall back of five inches."""
    scene = _scene(chance, shapes, (0.0, 0.9))
    if scene is None:
        return {}
    r = scene.base.length / 2
    foes, friends = outlines_of(scene.foes), outlines_of(scene.friends)
    ground = Ground(SIZE, tuple(scene.walls), no_end=friends.joined(foes), end_avoid=foes.grown(1.0))
    moved = move_away(_party(scene, 5.0), foes, ground, SPACING)
    passing, ending = _closed(scene, 0.0, []), _closed(scene, 1.0, scene.foes)
    ending = shapely.union_all([ending, _closed(scene, 0.0, scene.friends)])
    shapely.prepare(ending)
    near = [(pose, 1.0) for pose in scene.foes] + [(pose, 0.0) for pose in scene.friends]
    wrong = _illegal(scene, moved, 5.0, near)
    if isinstance(moved, Blocked):
        force = Force(_ends(scene, passing, ending, 5.0), r, len(scene.starts))
        if force.best(lambda xy, _: 0.0, lambda ends: _coherent(ends, r)) is not None:
            wrong.append(f"a fall back refused ({moved.reason}): {scene}")
    return {"falls back": 1, "wrong": wrong}


def _party(scene: Scene, limit: float) -> Party:
    count = len(scene.starts)
    xy = np.array([pose.xy for pose in scene.starts])
    return Party(xy, np.full(count, scene.base.length / 2), np.full(count, limit))


def _on_something(scene: Scene, ends: Floats, others: Sequence[tuple[Pose, float]]) -> Bools:
    """Return which bases stand on a wall, beyond the board, or too near to another base."""
    r, points = scene.base.length / 2, shapely.points(ends)
    found = ((ends < r - 2 * HAIR) | (ends > np.array(SIZE) - r + 2 * HAIR)).any(axis=1)
    for wall in scene.walls:
        found |= shapely.distance(shapely.Polygon(wall), points) < r - 2 * HAIR
    for pose, margin in others:
        # A polygon within a base is no nearer than the base.
        found |= shapely.distance(pose.inner(FINE), points) < r + margin - 2 * HAIR - pose.error
    return np.asarray(found)


def _illegal(
    scene: Scene, moved: Moved | Blocked, limit: float, others: Sequence[tuple[Pose, float]]
) -> list[str]:
    if isinstance(moved, Blocked):
        return []
    ends = np.array([way.end for way in moved.paths])
    r, wrong = scene.base.length / 2, []
    gone = np.array([bool(way.legs) for way in moved.paths])
    if any(way.length > limit + HAIR for way in moved.paths):
        wrong.append("a way too long")
    if (_on_something(scene, ends, others) & gone).any():
        wrong.append("an end on something")
    if not (_apart(ends, r) and _coherent(ends, r)):
        wrong.append("models on one another, or not coherent")
    return [f"{fault}: {scene}" for fault in wrong]


def main(
    cases: Annotated[int, typer.Option(min=1, help="How many cases.")] = 60,
    seed: Annotated[int, typer.Option(help="The first case.")] = 1,
    shapes: Annotated[str, typer.Option(help="Shapes of those who stand about: round,oval,hull.")] = "round",
    workers: Annotated[int, typer.Option(min=1, help="How many processes.")] = 1,
    out: Annotated[Path | None, typer.Option(help="Where the rows go.")] = None,
) -> None:
    """Judge set-ups and moves of small groups."""
    run(judge, cases, seed, shapes, workers, out, ("fewer in contact", "charges", 0.1))


if __name__ == "__main__":
    typer.run(main)
