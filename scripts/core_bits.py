"""Print one hash over what the core computes, and over the logs of short battles.

    python scripts/core_bits.py [--no-battles]

The hash is equal however the core runs: compiled by any compiler, or uncompiled (HORDE_CORE_PLAIN=1). How the
core runs stands on stderr.
"""

from __future__ import annotations

import random
import struct
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import pairwise
from typing import Annotated

import typer

from geometry.core import RUN
from geometry.core.numeric import rotated, turned

BATTLES = (("death-guard", 1000, 7), ("tyranids", 1000, 11), ("death-guard", 2000, 3), ("tyranids", 2000, 4))
"""Faction, points and seed of each battle."""
ROUNDS = 2
PAIRS = 10_000
WIDEST = 60.0
"""No drawn vector is longer along an axis, in inches."""


def angles() -> Iterator[float]:
    """Yield the angles between drawn directions, and each direction turned by its angle."""
    chance = random.Random(23)
    drawn = [(chance.uniform(-WIDEST, WIDEST), chance.uniform(-WIDEST, WIDEST)) for _ in range(PAIRS + 1)]
    for here, there in pairwise(drawn):
        angle = turned(*here, *there)
        yield from (angle, *rotated(*here, angle))


FUNCTIONS: tuple[Callable[[], Iterator[float]], ...] = (angles,)
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
