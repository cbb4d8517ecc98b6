"""Print one hash over what the core computes, and over the logs of short battles.

    python scripts/core_bits.py [--no-battles]

The hash is equal however the core runs: compiled by any compiler, or uncompiled (HORDE_CORE_PLAIN=1). How the
core runs stands on stderr.
"""

from __future__ import annotations

import math
import random
import struct
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import pairwise
from typing import Annotated

import typer

from geometry.core import RUN
from geometry.core.climb import climb_of, height_at
from geometry.core.distance_map import DistanceMap
from geometry.core.numeric import rotated, turned
from geometry.core.search import Search
from geometry.core.shapes import Shapes
from geometry.core.tangents import VisibilityGraph
from geometry.core.targets import Targets

BATTLES = (("death-guard", 1000, 7), ("tyranids", 1000, 11), ("death-guard", 2000, 3), ("tyranids", 2000, 4))
"""Faction, points and seed of each battle."""
ROUNDS = 2
PAIRS = 10_000
BOARDS, SHAPES = 20, 24
"""The number of boards on which ways are searched, and of shapes and searches on each."""
WIDEST = 60.0
"""No drawn vector is longer along an axis, in inches."""


CORNERS, FACES = ([-1, 1, 1, -1], [-1, -1, 1, 1]), ([-1, 0, 1, 0], [0, -1, 0, 1])
SQUARE = [*CORNERS, [0] * 4, *FACES, [0, 1, 0, -1], [-1, 0, 1, 0]]
"""The rim of a square, two inches wide."""


def angles() -> Iterator[float]:
    """Yield the angles between drawn directions, and each direction turned by its angle."""
    chance = random.Random(23)
    drawn = [(chance.uniform(-WIDEST, WIDEST), chance.uniform(-WIDEST, WIDEST)) for _ in range(PAIRS + 1)]
    for here, there in pairwise(drawn):
        angle = turned(*here, *there)
        yield from (angle, *rotated(*here, angle))


def ways() -> Iterator[float]:
    """Yield the legs of shortest ways among drawn shapes, and what a map tells of their starts."""
    chance = random.Random(24)
    for _ in range(BOARDS):
        xs, ys = ([chance.uniform(5.0, 55.0) for _ in range(SHAPES)] for _ in "xy")
        radii = [chance.uniform(0.5, 3.0) for _ in range(SHAPES)]
        rims = [SQUARE if row % 2 else None for row in range(SHAPES)]
        graph = VisibilityGraph(Shapes((0.0, 0.0, WIDEST, WIDEST), xs, ys, radii, rims))
        ring = Shapes((0.0, 0.0, WIDEST, WIDEST), [xs[0]], [ys[0]], [radii[0] + 1.0])
        distances = DistanceMap(graph, Targets(graph, ring), (0.0, 0.0, WIDEST, WIDEST))
        for _ in range(SHAPES):
            x, y = chance.uniform(0.0, WIDEST), chance.uniform(0.0, WIDEST)
            free = graph.freed(x, y)
            legs = Search(free, Targets(free, ring), x, y).shortest(WIDEST)
            yield from (number for leg in legs or () for number in leg)
            yield distances.left(x, y, WIDEST)


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


FUNCTIONS: tuple[Callable[[], Iterator[float]], ...] = (angles, ways, climbs)
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


def main(battles: Annotated[bool, typer.Option(help="Whether battles are played too.")] = True) -> None:
    """Print the hash."""
    sys.stderr.write(f"{RUN.sentence}\n")
    found = sha256(functions_digest().encode())
    for faction, points, seed in BATTLES if battles else ():
        found.update(battle_digest(faction, points, seed).encode())
    sys.stdout.write(f"{found.hexdigest()}\n")


if __name__ == "__main__":
    typer.run(main)
