"""Compares how two commits plan the same recorded moves of units.

    python benchmarks/planner.py BASE [--head HEAD | --here] [--record DIR] [--work DIR] [--json]

The moves are those that `benchmarks/record.py` keeps in the folder of `--record`, recorded first where they
are not there; without it, the sample in `benchmarks/data`. Each file is planned twice by each commit, in
turn, each time in a fresh process; of the two times of a move the least counts.

Told are moves lost and gained, what is left to the goals by one yardstick, that of the tree of this file, how
long planning takes by kind of move, and the dearest moves. `--here` plans by this tree, edited or not, with
this python, in the place of a commit. Exit code 1 where a move is lost or illegal.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Protocol

if __name__ == "__main__":
    # This folder has a module called like a package: it must not stand before it.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import typer
from rich.console import Console

from benchmarks.compare import trees
from benchmarks.planned import BASE, HEAD, Compared, figures, tables, told_apart
from benchmarks.record import BATTLES, files_of
from benchmarks.recorded import SUFFIX, moves_of
from benchmarks.trees import ROOT, output_of
from benchmarks.yardstick import Yardstick
from datasheets.errors import HordeError

DATA = Path(__file__).resolve().with_name("data") / f"moves{SUFFIX}"
"""The committed sample."""
ONE_PLAN = Path(__file__).resolve().with_name("one_plan.py")
INSTALLED = "-"
"""What `one_plan.py` is given in the place of a folder where the tree is installed."""
TURNS = (BASE, HEAD, HEAD, BASE)
"""The order for one file, with base and head exchanged for the next: machines change pace."""
WIDTH = 150


class Planning(Protocol):
    """A tree that plans recorded moves."""

    def planned(self, file: Path) -> Any:
        """Return of each move of a file its name, what it takes and what it gives."""
        ...


class Installed:
    """A commit with an environment of its own."""

    def __init__(self, tree: Any) -> None:
        """Take the tree."""
        self._tree = tree

    def planned(self, file: Path) -> Any:
        """Return of each move of a file its name, what it takes and what it gives."""
        return self._tree.figures(ONE_PLAN, INSTALLED, str(file))


class Here:
    """The tree of this file as it is, planned by the python that runs."""

    def planned(self, file: Path) -> Any:
        """Return of each move of a file its name, what it takes and what it gives."""
        return json.loads(output_of([sys.executable, "-P", str(ONE_PLAN), str(ROOT), str(file)]))


@contextmanager
def planners(base: str, head: str, here: bool, work: Path | None) -> Iterator[tuple[Planning, Planning]]:
    """Yield base and head, ready to plan."""
    with trees(base, base if here else head, work) as (before, after):
        yield Installed(before), Here() if here else Installed(after)


def compared(file: Path, both: Sequence[Planning], is_odd: bool = False) -> Iterator[Compared]:
    """Yield the moves of a file as both plan them; head begins where the file is an odd one."""
    runs = [(who, both[who].planned(file)) for who in (who ^ is_odd for who in TURNS)]
    least = [_least([rows for own, rows in runs if own == who]) for who in (BASE, HEAD)]
    gave = [next(rows for own, rows in runs if own == who) for who in (BASE, HEAD)]
    for row, move in enumerate(moves_of(file)):
        judge = Yardstick(move)
        worth = [judge.judged(rows[row]["gave"]) for rows in gave]
        yield Compared(
            move.name,
            move.kind,
            move.shapes,
            move.is_walled,
            move.is_high,
            (least[BASE][row], least[HEAD][row]),
            (worth[BASE], worth[HEAD]),
        )


def _least(runs: list[list[dict[str, Any]]]) -> list[float]:
    return [min(row["seconds"] for row in rows) for rows in zip(*runs, strict=True)]


def main(
    base: Annotated[str, typer.Argument(help="The commit to compare with.")],
    head: Annotated[str, typer.Option(help="The commit that is judged.")] = "HEAD",
    here: Annotated[bool, typer.Option("--here", help="Judge this tree as it is.")] = False,
    folder: Annotated[Path | None, typer.Option("--record", help="The folder of the record.")] = None,
    battles: Annotated[int, typer.Option(min=1, help="The number of battles of the record.")] = BATTLES,
    work: Annotated[Path | None, typer.Option(help="A folder that keeps the trees.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print each figure by name.")] = False,
) -> None:
    """Compare how BASE and another commit plan recorded moves."""
    moves: list[Compared] = []
    try:
        with planners(base, head, here, work) as both:
            files = [DATA] if folder is None else files_of(folder, battles)
            for place, file in enumerate(files):
                moves += compared(file, both, bool(place % 2))
                print(f"{file.name}: {len(moves)} moves", file=sys.stderr, flush=True)
    except HordeError as fault:
        print(fault, file=sys.stderr)
        raise typer.Exit(2) from None
    if as_json:
        print(json.dumps(figures(moves), indent=2))
    else:
        console = Console(width=WIDTH)
        for table in tables(moves):
            console.print(table)
    named = told_apart(moves)
    raise typer.Exit(int(bool(named["lost"] or named["illegal"])))


if __name__ == "__main__":
    typer.run(main)
