"""Plays whole battles in ways in which machines differ, and compares their logs.

    python scripts/portable.py [--sample] [--ways plain,ulp,features] [--python PATH]

`plain` plays as here; `ulp` with the functions that machines compute differently off by one unit in the last
place (`off_by_ulp.py`); `features` with numpy using no more of the processor than the oldest kind has. With
`--python`, the Python of another environment plays too. Each way has a file of its own in the folder of
`--out`, and a run goes on where an earlier one ended: another commit needs another folder.

Exit code 1 where two ways play a battle otherwise. Exit code 3 where they do not, but something could not be
tried, such as numpy's code for AVX-512 on a processor without: then a line says "not tested here".
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from battle_bits import Battle, compared
from one_battle import features
from rich.console import Console
from series import Row, play_all, row_of, told

HERE = Path(__file__).parent
FACTIONS, SIZES, SEEDS = ("death-guard", "tyranids"), (1000, 2000), range(5100, 5111)
SAMPLE = (
    *(Battle("death-guard", 1000, 5100), Battle("tyranids", 1000, 5110), Battle("death-guard", 1000, 5106)),
    *(Battle("tyranids", 2000, 5100), Battle("death-guard", 2000, 5110), Battle("tyranids", 1000, 5106)),
)
"""What is played for a quick answer, the shortest first."""
AVX_512 = ("X86_V4", "AVX512")
"""What the names of numpy's code for processors with AVX-512 begin with."""
PYTHON = "python-"
"""What the name of the way of another environment begins with; its numpy's version ends it."""
LONGEST = 3600
"""No battle takes longer, in seconds."""


def battles(sample: bool, count: int | None = None) -> tuple[Battle, ...]:
    """Return the battles to play: all, or the sample; of these the first `count`."""
    every = tuple(Battle(*each) for each in _every())
    return (SAMPLE if sample else every)[:count]


def _every() -> list[tuple[str, int, int]]:
    return [(faction, points, seed) for seed in SEEDS for faction in FACTIONS for points in SIZES]


def played(way: str, python: str, battle: Battle) -> Row:
    """Return the row of a battle that a process of its own plays in a way."""
    return row_of(battle, {"key": battle.key}, partial(_shown, way, python))


def _shown(way: str, python: str, battle: Battle) -> Row:
    words = [python, str(HERE / "one_battle.py"), battle.faction, str(battle.points), str(battle.seed)]
    done = subprocess.run(
        [*words, "--ulp"] if way == "ulp" else words,
        env=_environment(way),
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    row: Row = json.loads(done.stdout)
    if "error" in row:
        raise RuntimeError(row["error"])
    if (way == "ulp") is not row["off"]:
        raise RuntimeError(f"the functions are off by a unit: {row['off']}")
    return row


def _environment(way: str) -> dict[str, str]:
    """Return the variables of a battle's process."""
    used = " ".join(features()["used"])
    off = {"NPY_DISABLE_CPU_FEATURES": used} if way == "features" and used else {}
    return {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", **off}


def untested(ways: Sequence[str], rows: dict[str, list[Row]]) -> list[str]:
    """Return a sentence for each part of the ways that changes nothing here."""
    if "features" not in ways:
        return []
    known, used = features()["known"], features()["used"]
    absent = [name for name in known if name.startswith(AVX_512) and name not in used]
    found = [f"not tested here: {', '.join(absent)}, which this processor has not"] if absent else []
    left = {name for row in rows["features"] for name in row["features"]["used"]}
    if not used or left:
        found.append("not tested here: numpy uses the same of this processor in both ways")
    return found


def version_of(python: str) -> str:
    """Return the version of another environment's numpy."""
    done = subprocess.run(
        [python, "-c", "import numpy; print(numpy.__version__)"], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def main(
    ways: Annotated[str, typer.Option(help="The ways to play.")] = "plain,ulp,features",
    python: Annotated[str, typer.Option(help="The Python of another environment.")] = "",
    sample: Annotated[bool, typer.Option("--sample", help="Play six battles, plain and ulp.")] = False,
    count: Annotated[int | None, typer.Option(help="Play no more than the first so many.")] = None,
    workers: Annotated[int, typer.Option(help="Battles at a time.")] = 2,
    out: Annotated[Path, typer.Option(help="The folder of the results.")] = Path("out/portable"),
) -> None:
    """Play the battles that are missing, and compare all ways."""
    console = Console(highlight=False)
    wanted = battles(sample, count)
    names = ["plain", "ulp"] if sample else ways.split(",")
    names += [PYTHON + version_of(python)] if python else []
    rows: dict[str, list[Row]] = {}
    for way in names:
        own = python if way.startswith(PYTHON) else sys.executable
        file = out / f"{way}.jsonl"
        rows[way] = play_all(partial(played, way, own), wanted, workers, file, told(console))
        for row in rows[way]:
            if "error" in row:
                console.print(f"{way}: {row['key']}: {row['error']}")
        seen = {f"numpy {row['numpy']} with {row['features']['used']}" for row in rows[way] if "numpy" in row}
        console.print(f"{way}: {', '.join(sorted(seen))}", markup=False)
    failed = any("error" in row for each in rows.values() for row in each)
    agree = compared(console, out, wanted)
    for sentence in untested(names, rows):
        console.print(sentence)
    if failed or not agree:
        raise typer.Exit(1)
    if untested(names, rows):
        raise typer.Exit(3)


if __name__ == "__main__":
    typer.run(main)
