"""Judges whether a battle starts no slower than in another commit.

    python benchmarks/start.py BASE [--head HEAD] [--starts 40] [--limit 1.1] [--work DIR]

Each commit has a worktree with an environment of its own, as `benchmarks/compare.py` makes them, and each
start a fresh process. The two take turns, and the order is reversed from one pair to the next. Measured are
processor seconds from the start of the process to the first event of the battle; the ratio is that of the
medians.

Of head the loading of all that the library has is measured beside the import of the program, by the median of
a quarter as many processes. Exit code 1 where a limit is missed.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Annotated

if __name__ == "__main__":
    # This folder has a module called like a package: it must not stand before it.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import typer

from benchmarks.compare import trees
from benchmarks.trees import Tree
from datasheets.errors import HordeError

ONE_START = Path(__file__).resolve().with_name("one_start.py")
NO_SLOWER = 1.1
WHOLE_LIBRARY = 3.0
"""The limit of the whole library's loading, in imports of the program."""
OPTIONS = ("--seed", "1")
"""The options of the battle that is started."""


@dataclass(frozen=True, slots=True)
class Share:
    """A time and the time to compare it with, in processor seconds, and the limit of the ratio."""

    time: float
    of: float
    limit: float

    @property
    def ratio(self) -> float:
        """Return the time as a multiple of the other."""
        return self.time / self.of

    @property
    def is_missed(self) -> bool:
        """Return whether the ratio is above the limit."""
        return self.ratio > self.limit

    def __str__(self) -> str:
        """Return the ratio, the limit and both times in milliseconds."""
        verdict = "missed" if self.is_missed else "met"
        times = f"{1e3 * self.time:.0f} ms / {1e3 * self.of:.0f} ms"
        return f"{self.ratio:.3f} ({times}); limit {self.limit:g}: {verdict}"


def start_of(base: Tree, head: Tree, starts: int, limit: float) -> Share:
    """Return head's median time to the first event as a share of base's."""
    times: dict[Tree, list[float]] = {base: [], head: []}
    for number in range(starts):
        for tree in (base, head) if number % 2 else (head, base):
            times[tree].append(tree.figures(ONE_START, "battle", *OPTIONS)["seconds"])
    return Share(median(times[head]), median(times[base]), limit)


def library_of(head: Tree, times: int) -> Share:
    """Return the median time to load head's whole library as a share of the program's import."""
    found = [head.figures(ONE_START, "library") for _ in range(times)]
    loading, importing = (median(each[key] for each in found) for key in ("library", "import"))
    return Share(loading, importing, WHOLE_LIBRARY)


def start(
    base: Annotated[str, typer.Argument(help="The commit to compare with.")],
    head: Annotated[str, typer.Option(help="The commit that is judged.")] = "HEAD",
    starts: Annotated[int, typer.Option(min=4, help="The number of starts of each.")] = 40,
    limit: Annotated[float, typer.Option(help="The limit of head / base.")] = NO_SLOWER,
    work: Annotated[Path | None, typer.Option(help="A folder that keeps the trees.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print each figure by name.")] = False,
) -> None:
    """Judge whether a battle starts no slower than with BASE."""
    try:
        with trees(base, head, work) as (before, after):
            shares = {
                "start of a battle, head / base": start_of(before, after, starts, limit),
                "whole library / import of the program": library_of(after, max(1, starts // 4)),
            }
    except HordeError as fault:
        print(fault, file=sys.stderr)
        raise typer.Exit(2) from None
    if as_json:
        figures = {name: asdict(each) | {"ratio": each.ratio} for name, each in shares.items()}
        print(json.dumps(figures, indent=2))
    else:
        print("\n".join(f"{name}: {each}" for name, each in shares.items()))
    raise typer.Exit(int(any(each.is_missed for each in shares.values())))


if __name__ == "__main__":
    typer.run(start)
