"""Judges whether a commit is no slower than another, over whole battles of both.

    python benchmarks/compare.py BASE [--head HEAD] [--seeds 20] [--most 100] [--limit 1.03] [--work DIR]

Each commit has a worktree with an environment of its own, and each battle a fresh process. The battle of a
seed is played six times: twice by base, twice by head, and twice more by base as the control. They take
turns, and the order is reversed from one seed to the next. Of each two the least counts. The cost is in
processor seconds per event, as two commits may play a seed differently.

The ratio head / base stands beside the control's, which shows what the machine alone makes of it. Where the
95% interval contains the limit, seeds are added. The limit is missed, and the exit code is 1, where the
whole interval lies above it. Each faction is judged apart. No limit judges the dearest answer of the Horde.

With `--work` worktrees, environments and battles are kept, and an interrupted comparison goes on after the
last seed that was played whole.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Annotated

if __name__ == "__main__":
    # This folder has a module called like a package: it must not stand before it.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import typer
from rich.console import Console
from rich.table import Table

from benchmarks.pairing import BASE, CONTROL, HEAD, Pairing, Pairings
from benchmarks.ratio import Ratio, Verdict, ratio_of
from benchmarks.trees import SHORT, Tree, commit_of
from datasheets.errors import HordeError

NO_SLOWER = 1.03
FACTIONS = "death-guard,tyranids"
STEP = 10
"""The number of seeds that are added at a time."""
WIDTH = 150
BOTH = (BASE, HEAD)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the battles against one faction say of a limit."""

    faction: str
    limit: float
    pairings: tuple[Pairing, ...]

    def ratio(self, who: str) -> Ratio:
        """Return the ratio of the costs of head or control to those of base."""
        return ratio_of([(each.cost(BASE), each.cost(who)) for each in self.pairings])

    @property
    def verdict(self) -> Verdict:
        """Return the verdict on head."""
        return self.ratio(HEAD).verdict(self.limit)

    @property
    def same_logs(self) -> int:
        """Return the number of seeds of which both trees wrote the same log."""
        return sum(each.same_log for each in self.pairings)

    def cost(self, who: str) -> float:
        """Return the median cost in milliseconds per event."""
        return 1e3 * median(each.cost(who) for each in self.pairings)

    def start(self, who: str) -> float:
        """Return the median start in seconds."""
        return median(each.start(who) for each in self.pairings)

    def dearest(self, who: str) -> float | None:
        """Return the seconds of the dearest answer of the Horde; None where unknown."""
        found = (each.dearest(who) for each in self.pairings)
        return max((seconds for seconds in found if seconds is not None), default=None)

    def figures(self) -> dict[str, object]:
        """Return all figures by name."""
        return {
            "seeds": len(self.pairings),
            "limit": self.limit,
            "verdict": self.verdict,
            "ratio": asdict(self.ratio(HEAD)),
            "control": asdict(self.ratio(CONTROL)),
            "same_logs": self.same_logs,
            "ms_per_event": {who: self.cost(who) for who in BOTH},
            "start_s": {who: self.start(who) for who in BOTH},
            "dearest_answer_s": {who: self.dearest(who) for who in BOTH},
        }


@dataclass(frozen=True, slots=True)
class Rule:
    """The limit, the number of seeds at first, and the number where it ends."""

    limit: float
    seeds: int
    most: int

    def judge(self, faction: str, play: Callable[[Iterable[int]], Iterable[Pairing]]) -> Judgement:
        """Return the judgement of a faction, with more seeds while the interval contains the limit."""
        judged = Judgement(faction, self.limit, tuple(play(range(1, self.seeds + 1))))
        while judged.verdict == Verdict.OPEN and len(judged.pairings) < self.most:
            played = len(judged.pairings)
            more = play(range(played + 1, min(played + STEP, self.most) + 1))
            judged = Judgement(faction, self.limit, (*judged.pairings, *more))
        return judged


def shown(pairings: Pairings, faction: str, seed: int) -> Pairing:
    """Return the pairing of a seed, and print its ratio as progress."""
    found = pairings.pairing(faction, seed)
    ratio = found.cost(HEAD) / found.cost(BASE)
    print(f"{faction}, seed {seed}: {ratio:.4f}", file=sys.stderr, flush=True)
    return found


def table_of(judgements: list[Judgement], points: int) -> Table:
    """Return the judgements as a table with a column for each faction."""

    def interval(ratio: Ratio) -> str:
        return f"{ratio.value:.4f} ({ratio.low:.4f} to {ratio.high:.4f})"

    def change(figure: Callable[[str], float | None]) -> str:
        found = [figure(who) for who in BOTH]
        return " -> ".join("unknown" if value is None else f"{value:.3f}" for value in found)

    rows: dict[str, Callable[[Judgement], str]] = {
        "seeds": lambda judged: str(len(judged.pairings)),
        "head / base, with its 95% interval": lambda judged: interval(judged.ratio(HEAD)),
        "base / base, the control": lambda judged: interval(judged.ratio(CONTROL)),
        "limit": lambda judged: f"{judged.limit:g}: {judged.verdict}",
        "seeds with equal logs": lambda judged: str(judged.same_logs),
        "ms per event, median": lambda judged: change(judged.cost),
        "start in s, median": lambda judged: change(judged.start),
        "dearest answer of the Horde in s": lambda judged: change(judged.dearest),
    }
    title = f"Battles of {points} points, processor time"
    made = Table("figure", *(judged.faction for judged in judgements), title=title)
    for name, cell in rows.items():
        made.add_row(name, *map(cell, judgements))
    return made


@contextmanager
def trees(base: str, head: str, work: Path | None) -> Iterator[tuple[Tree, Tree]]:
    """Yield the trees of two commits, made in a folder: the base's, then the head's.

    Without a folder they are made in a temporary one, and removed at the end.
    """
    commits = [commit_of(base), commit_of(head)]
    with TemporaryDirectory(prefix="horde-compare-") as temporary:
        folder = (work or Path(temporary)).resolve()
        made = [Tree(commit, folder / commit[:SHORT]) for commit in commits]
        try:
            for tree in made:
                tree.folder.mkdir(parents=True, exist_ok=True)
                tree.make()
            yield made[0], made[1]
        finally:
            for tree in made if work is None else ():
                tree.remove()


def compare(
    base: Annotated[str, typer.Argument(help="The commit to compare with.")],
    head: Annotated[str, typer.Option(help="The commit that is judged.")] = "HEAD",
    seeds: Annotated[int, typer.Option(min=2, help="The number of seeds at first.")] = 20,
    most: Annotated[int, typer.Option(min=2, help="The number of seeds at which it ends.")] = 100,
    limit: Annotated[float, typer.Option(help="The limit of head / base.")] = NO_SLOWER,
    factions: Annotated[str, typer.Option(help="The Horde factions, with commas.")] = FACTIONS,
    points: Annotated[int, typer.Option(help="The size of the battles.")] = 2000,
    work: Annotated[Path | None, typer.Option(help="A folder that keeps trees and battles.")] = None,
    workers: Annotated[int, typer.Option(min=1, help="The number of seeds played side by side.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print each figure by name.")] = False,
) -> None:
    """Judge whether a commit is no slower than BASE."""
    rule = Rule(limit, seeds, max(seeds, most))
    try:
        with trees(base, head, work) as (before, after), ThreadPoolExecutor(workers) as pool:
            file = before.folder.parent / f"{before.folder.name}-{after.folder.name}.jsonl"
            pairings = Pairings(before, after, points, file)
            judgements = [
                rule.judge(faction, partial(pool.map, partial(shown, pairings, faction)))
                for faction in factions.split(",")
            ]
    except HordeError as fault:
        print(fault, file=sys.stderr)
        raise typer.Exit(2) from None
    if as_json:
        print(json.dumps({judged.faction: judged.figures() for judged in judgements}, indent=2))
    else:
        Console(width=WIDTH).print(table_of(judgements, points))
    raise typer.Exit(int(any(judged.verdict == Verdict.MISSED for judged in judgements)))


if __name__ == "__main__":
    typer.run(compare)
