"""The battle of one seed as two trees play it: the order of runs, the battle and its costs.

Holds the file of battles, from which an interrupted comparison goes on. What the costs say of a limit is
`benchmarks/compare.py`'s.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.trees import Run, Tree

BASE, HEAD, CONTROL = "base", "head", "control"
ROUNDS = 2


def turns(seed: int) -> list[str]:
    """Return the order of the runs of a seed: BASE, HEAD or CONTROL for each run.

    The order of even seeds is that of odd seeds, reversed in each round.
    """
    once = [BASE, HEAD, CONTROL]
    return (once if seed % 2 else once[::-1]) * ROUNDS


@dataclass(frozen=True, slots=True)
class Pairing:
    """The battle of one seed as it was played by base, head and control."""

    seed: int
    runs: tuple[Run, ...]

    def of(self, who: str) -> list[Run]:
        """Return the runs of one of the three."""
        return [run for run, turn in zip(self.runs, turns(self.seed), strict=True) if turn == who]

    def cost(self, who: str) -> float:
        """Return the least seconds per event."""
        return min(run.cost for run in self.of(who))

    def start(self, who: str) -> float:
        """Return the least seconds of the start."""
        return min(run.start for run in self.of(who))

    def dearest(self, who: str) -> float | None:
        """Return the seconds of the dearest answer in the run where it is least; None where unknown."""
        return min((run.dearest for run in self.of(who) if run.dearest is not None), default=None)

    @property
    def same_log(self) -> bool:
        """Return whether all runs wrote the same log."""
        return len({run.log for run in self.runs}) == 1


@dataclass(frozen=True, slots=True)
class Pairings:
    """Two trees, the size of their battles, and the file of the battles that were played."""

    base: Tree
    head: Tree
    points: int
    file: Path

    def pairing(self, faction: str, seed: int) -> Pairing:
        """Return the runs of a seed: those of the file where they are whole, otherwise new ones.

        A seed that was interrupted is played again from its first run: its runs must stand close together.
        """
        count = len(turns(seed))
        runs = self._known(faction, seed)
        if len(runs) < count:
            runs = [self._play(faction, seed, turn) for turn in range(count)]
        return Pairing(seed, tuple(runs))

    def _play(self, faction: str, seed: int, turn: int) -> Run:
        """Return a new run, and add it to the file."""
        who = turns(seed)[turn]
        tree = self.head if who == HEAD else self.base
        run = tree.play("--faction", faction, "--points", str(self.points), "--seed", str(seed))
        row = {"faction": faction, "points": self.points, "seed": seed, "turn": turn, "who": who}
        with self.file.open("a") as file:
            file.write(json.dumps({**row, "run": asdict(run)}) + "\n")
        return run

    def _known(self, faction: str, seed: int) -> list[Run]:
        """Return the runs of a seed that the file holds, in order; of one turn the last counts."""
        found: dict[int, Run] = {}
        for line in self.file.read_text().splitlines() if self.file.exists() else ():
            row = json.loads(line)
            if (row["faction"], row["points"], row["seed"]) == (faction, self.points, seed):
                found[row["turn"]] = Run(**row["run"])
        return [found[turn] for turn in sorted(found)]
