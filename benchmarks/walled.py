"""Makes tables with walls and floors: shipped layouts, with an L of walls in each ruin.

    python benchmarks/walled.py FOLDER

FOLDER becomes a whole folder of assets, from which a library is opened with `Library(assets=FOLDER)`. Its
layouts are called as the shipped ones. Those of `LAYOUTS` have walls and floors, the others are as shipped.

The walls of a ruin stand along two sides of its footprint that meet; the corner where they meet is the one
nearest to the middle of the board, so that the ruin is open on the side of its own zone. The floor is over
the whole footprint.
"""

from __future__ import annotations

import json
import shutil
import sys
from importlib.resources import as_file, files
from math import dist
from pathlib import Path
from typing import Annotated, Any

if __name__ == "__main__":
    # This folder has a module called like a package: it must not stand before it.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import typer

from datasheets.library import Library

LAYOUTS = (
    "horde-search-and-destroy-1",
    "horde-search-and-destroy-2",
    "horde-sweeping-engagement-1",
    "horde-sweeping-engagement-2",
    "horde-tipping-point-2",
    "horde-dawn-of-war-1",
    "horde-hammer-and-anvil-1",
    "horde-crucible-of-battle-1",
)
"""The layouts that get walls, of every deployment one at least: those with four ruins first."""
FLOOR_INCHES = 3.0
"""The height of the floor: over a model of 2 inches, and under the top of every ruin."""

Corner = tuple[float, float]


def walls_of(footprint: list[Corner], middle: Corner) -> list[list[Corner]]:
    """Return the walls of a ruin: two sides that meet at the corner nearest to a point."""
    count = len(footprint)
    # Rounded, as two corners may be equally near but for the last digit; then the first one counts.
    at = min(range(count), key=lambda i: (round(dist(footprint[i], middle), 6), i))
    return [[footprint[at - 1], footprint[at], footprint[(at + 1) % count]]]


def walled(layout: dict[str, Any], board: Corner) -> dict[str, Any]:
    """Return what the file of a layout says, with walls and a floor in each ruin."""
    middle = (board[0] / 2, board[1] / 2)
    pieces = [
        {**piece, "walls": walls_of(piece["polygon"], middle), "floors": [FLOOR_INCHES]}
        if piece["kind"] == "ruin"
        else piece
        for piece in layout["pieces"]
    ]
    return {**layout, "pieces": pieces}


def make(folder: Path) -> None:
    """Make the folder of assets; one that is there is made anew where its layouts differ."""
    library = Library()
    with as_file(files("assets")) as shipped:
        shutil.copytree(
            shipped, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.py", "__pycache__")
        )
    for name in LAYOUTS:
        path = folder / "layouts" / f"{name}.json"
        board = library.deployment(library.layout(name).deployment).board
        path.write_text(json.dumps(walled(json.loads(path.read_text()), board), indent=1) + "\n")


def main(folder: Annotated[Path, typer.Argument(help="The folder of assets that is made.")]) -> None:
    """Make a folder of assets whose ruins have walls and floors."""
    make(folder)
    print(f"{len(LAYOUTS)} layouts with walls and floors in {folder / 'layouts'}")


if __name__ == "__main__":
    typer.run(main)
