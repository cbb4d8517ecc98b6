"""Print a hash over what the core computes, and one over the log of each short battle.

    python scripts/core_bits.py [--battles 1]

Each line is equal however the core runs: compiled by any compiler, or uncompiled (HORDE_CORE_PLAIN=1). How
the core runs stands on stderr.
"""

from __future__ import annotations

import math
import random
import struct
import sys
from array import array
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import pairwise
from typing import Annotated

import typer

from geometry.core import RUN
from geometry.core.area import Area
from geometry.core.climb import climb_of, height_at
from geometry.core.distance_map import DistanceMap
from geometry.core.end_ground import EndGround
from geometry.core.free_places import FreePlaces
from geometry.core.free_stretches import free_stretches
from geometry.core.numeric import angle_of, put_angles, put_ways, rotated, sum_of, turned, way_of
from geometry.core.search import Search
from geometry.core.shapes import Shapes
from geometry.core.spot_pool import SpotPool
from geometry.core.tangents import VisibilityGraph
from geometry.core.targets import Targets
from geometry.core.unit_setup import UnitSetup

BATTLES = (("tyranids", 1000, 11), ("death-guard", 1000, 7), ("death-guard", 2000, 3), ("tyranids", 2000, 4))
"""Faction, points and seed of each battle."""
ROUNDS = 2
PAIRS = 10_000
BOARDS, SHAPES = 20, 24
"""The number of boards on which ways are searched, and of shapes and searches on each."""
LONG_CORNERS = 96
"""The number of corners of a long rim."""
TURN = 6.283185307179586
CORNERS, FACES = ([-1, 1, 1, -1], [-1, -1, 1, 1]), ([-1, 0, 1, 0], [0, -1, 0, 1])
SQUARE = [*CORNERS, [0] * 4, *FACES, [0, 1, 0, -1], [-1, 0, 1, 0]]
"""The rim of a square, two inches wide."""
SET_UPS, BASES = 4, 8
"""The number of set-ups, and of bases in each."""
WIDEST = 60.0
"""No drawn vector is longer along an axis, in inches."""


def angles() -> Iterator[float]:
    """Yield the angles between drawn directions, and each direction turned by its angle."""
    chance = random.Random(23)
    drawn = [(chance.uniform(-WIDEST, WIDEST), chance.uniform(-WIDEST, WIDEST)) for _ in range(PAIRS + 1)]
    for here, there in pairwise(drawn):
        angle = turned(*here, *there)
        yield from (angle, *rotated(*here, angle), angle_of(*here), *way_of(angle_of(*here)))
    flat = array("d", [each for way in drawn for each in way])
    bearings, ways = array("d", bytes(4 * len(flat))), array("d", bytes(8 * len(flat)))
    put_angles(flat, bearings)
    put_ways(bearings, ways)
    yield from (*bearings, *ways, sum_of(flat))


def long_rim() -> list[list[float]]:
    """Return the rim of a regular polygon with enough corners to be halved by searches."""
    step = TURN / LONG_CORNERS
    corners = [rotated(1.0, 0.0, step * corner) for corner in range(LONG_CORNERS)]
    faces = [rotated(1.0, 0.0, step * (corner + 0.5)) for corner in range(LONG_CORNERS)]
    columns = [[each[axis] for each in corners] for axis in (0, 1)]
    ends = [[each[axis] for each in faces] for axis in (0, 1)]
    begins = [[axis[-1], *axis[:-1]] for axis in ends]
    return [*columns, [0.0] * LONG_CORNERS, *begins, *ends]


def ways() -> Iterator[float]:
    """Yield the legs of shortest ways among drawn shapes, and what a map tells of their starts."""
    chance = random.Random(24)
    long = long_rim()
    for _ in range(BOARDS):
        xs, ys = ([chance.uniform(5.0, 55.0) for _ in range(SHAPES)] for _ in "xy")
        radii = [chance.uniform(0.5, 3.0) for _ in range(SHAPES)]
        rims = [(SQUARE, None, long)[row % 3] for row in range(SHAPES)]
        graph = VisibilityGraph(Shapes((0.0, 0.0, WIDEST, WIDEST), xs, ys, radii, rims))
        ring = Shapes((0.0, 0.0, WIDEST, WIDEST), [xs[0]], [ys[0]], [radii[0] + 1.0])
        distances = DistanceMap(graph, Targets(graph, ring), (0.0, 0.0, WIDEST, WIDEST))
        for _ in range(SHAPES):
            x, y = chance.uniform(0.0, WIDEST), chance.uniform(0.0, WIDEST)
            free = graph.freed(x, y)
            legs = Search(free, Targets(free, ring), x, y).shortest(WIDEST)
            yield from (number for leg in legs or () for number in leg)
            yield distances.left(x, y, WIDEST)


def set_ups() -> Iterator[float]:
    """Yield where round and square bases are set up, and the free places of one more."""
    chance = random.Random(25)
    everywhere = (0.0, 0.0, WIDEST, WIDEST)
    ring = [(10.0, 10.0), (19.0, 10.0), (19.0, 15.0), (15.0, 15.0), (15.0, 19.0), (10.0, 19.0)]
    for _ in range(SET_UPS):
        xs, ys = ([chance.uniform(9.0, 20.0) for _ in range(SHAPES)] for _ in "xy")
        radii = [chance.uniform(0.2, 0.9) for _ in range(SHAPES)]
        rims = [SQUARE if row % 4 == 0 else None for row in range(SHAPES)]
        kinds = ((0.6, None), (0.0, SQUARE))
        pools = []
        for own, (radius, rim) in enumerate(kinds):
            # A little too wide for squares: it is the bits that count here.
            wide = [each + radius + own for each in radii]
            base = Shapes(everywhere, [0.0] * 2, [0.0] * 2, [radius] * 2, [rim] * 2)
            ground = EndGround(Shapes(everywhere, xs, ys, wide, rims), base, Area([ring]))
            beside = [kinds[0][0] + radius, kinds[1][0] + radius + own]
            targets = Shapes(everywhere, [14.0], [9.0], [radius + 0.5])
            meetings = [rim, SQUARE] * 2
            pairs = Shapes(everywhere, [0.0] * 4, [0.0] * 4, beside * 2, meetings)
            pools.append(SpotPool(ground, targets, [(14.0, 9.0)], bool(own), pairs, 2.0, None))
            places = FreePlaces(
                ground, Shapes(everywhere, xs[:2], ys[:2], wide[:2]), [0, 0], [False] * 2, 2.0, 1
            )
            yield from (number for place in places.nearest_first(14.0, 9.0)[:3] for number in place)
        unit = UnitSetup([row % 2 for row in range(BASES)], pools, [], [0] + [1] * BASES, False)
        yield from (number for base in unit.place() for number in base)


def climbs() -> Iterator[float]:
    """Yield shortest ways among drawn shapes, of which half may be climbed, and lengths."""
    chance = random.Random(25)
    for _ in range(BOARDS):
        xs, ys = ([chance.uniform(5.0, 55.0) for _ in range(SHAPES)] for _ in "xy")
        radii = [chance.uniform(0.5, 3.0) for _ in range(SHAPES)]
        rims = [SQUARE if row % 2 else None for row in range(SHAPES)]
        heights = [chance.uniform(0.5, 3.0) if row % 4 < 2 else math.inf for row in range(SHAPES)]
        box = (0.0, 0.0, WIDEST, WIDEST)
        graph = VisibilityGraph(Shapes(box, xs, ys, radii, rims, None, heights))
        ring = Shapes(box, [xs[0]], [ys[0]], [radii[0] + 1.0])
        distances = DistanceMap(graph, Targets(graph, ring), box)
        for _ in range(SHAPES):
            x, y = chance.uniform(0.0, WIDEST), chance.uniform(0.0, WIDEST)
            free = graph.freed(x, y)
            search = Search(free, Targets(free, ring), x, y)
            yield from (number for leg in search.shortest(2 * WIDEST) or () for number in leg)
            yield from (
                search.length,
                climb_of(graph.shapes, x, y, xs[0], ys[0]),
                height_at(graph.shapes, x, y),
            )
            yield distances.left(x, y, WIDEST)
            yield from distances.ahead(x, y, 6.0)


def fronts() -> Iterator[float]:
    """Yield which stretches of fronts are free for round and square bases among drawn shapes."""
    chance = random.Random(26)
    everywhere = (0.0, 0.0, WIDEST, WIDEST)
    ring = [(10.0, 10.0), (40.0, 13.0), (40.0, 20.0), (10.0, 20.0)]
    for _ in range(SET_UPS):
        xs, ys = ([chance.uniform(9.0, 41.0) for _ in range(SHAPES)] for _ in "xy")
        radii = [chance.uniform(0.2, 0.9) for _ in range(SHAPES)]
        rims = [SQUARE if row % 4 == 0 else None for row in range(SHAPES)]
        for radius, rim in ((0.6, None), (0.0, SQUARE)):
            base = Shapes(everywhere, [0.0] * 2, [0.0] * 2, [radius] * 2, [rim] * 2)
            wide = [each + radius for each in radii]
            ground = EndGround(Shapes(everywhere, xs, ys, wide, rims), base, Area([ring]))
            yield from (end for each in free_stretches(ground, *ring[0], *ring[1]) for end in each)


FUNCTIONS: tuple[Callable[[], Iterator[float]], ...] = (angles, ways, set_ups, climbs, fronts)
"""What is computed for the hash: each yields numbers from drawn cases, always the same."""


def functions_digest() -> str:
    """Return the digest of the bits that the functions of the core yield."""
    found = sha256()
    for numbers in FUNCTIONS:
        for number in numbers():
            found.update(struct.pack("<d", number))
    return found.hexdigest()


def battle_digest(faction: str, points: int, seed: int) -> str:
    """Return the digest of the log of a battle's first rounds."""
    from ai.agents import agent
    from datasheets.library import Library
    from engine.core.play import play
    from engine.core.replay import encode
    from engine.horde.setup import Options
    from engine.systems import new_game
    from engine.w40k.view import View

    library = Library()
    army = library.army(f"space-marines-{points}")
    game = new_game(Options((army,), (faction,), points, rounds=ROUNDS, seed=seed), library)
    play(game, {"horde": agent("horde"), "p1": agent("steady")}, View)
    return sha256(b"\n".join(map(encode, game.lines))).hexdigest()


def main(
    battles: Annotated[int, typer.Option(min=0, help="The number of battles.")] = len(BATTLES),
) -> None:
    """Print the hashes."""
    sys.stderr.write(f"{RUN.sentence}\n")
    sys.stdout.write(f"functions {functions_digest()}\n")
    for faction, points, seed in BATTLES[:battles]:
        sys.stdout.write(f"{faction}/{points}/{seed} {battle_digest(faction, points, seed)}\n")


if __name__ == "__main__":
    typer.run(main)
