"""What the rules of asking cost: battles with everything asked against those with rules.

    python scripts/skip_rules.py --seeds 200 --workers 2 --out out/skip-rules.jsonl
    python scripts/skip_rules.py --seeds 50 --set stratagem=never

Each seed is fought twice by the autopilot: asked everything, and behind the rules, where it takes the
suggestion at each question that is put. `--out` gets one JSON line a battle; run again, it goes on from
there. A sign test at 5% looks at the seeds where only one of the two wins. It prints how many battles are
the same event by event, and the CP spent and models lost on average. Exit 1 where the test finds a side.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from math import comb
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from rich.console import Console
from series import play_all, row_of, told, with_faults
from suggested import Suggested, fought, rules_of

ASKED = "asked"
"""What a battle is called in which everything is asked."""
LEVEL = (5, 100)
"""From which chance on a side is found: the numbers of a fraction."""


class Job(NamedTuple):
    """One battle to play."""

    seed: int
    points: int
    rules: str
    """The changes of the default rules, parted by commas, or "asked"."""

    @property
    def key(self) -> str:
        """Return the name under which the battle is found again."""
        return f"{self.points}/{self.seed}/{self.rules or 'default'}"


def jobs(seeds: int, first: int, points: int, rules: str) -> list[Job]:
    """Return both battles of each seed."""
    return [Job(seed, points, how) for seed in range(first, first + seeds) for how in (ASKED, rules)]


def played(job: Job) -> dict[str, Any]:
    """Return what one battle shows; one that fails to be played says so under "error"."""
    return row_of(job, {"key": job.key, **job._asdict()}, _shown)


def _shown(job: Job) -> dict[str, Any]:
    from ai.agents import agent
    from engine.core import event as ev
    from engine.core.replay import encode
    from viewer.input.gate import Gate
    from viewer.story.report import report

    is_asked = job.rules == ASKED
    gate = Gate(None if is_asked else rules_of(job.rules.split(",") if job.rules else ()))
    player = agent("steady") if is_asked else Suggested(gate)
    game = fought(job.seed, job.points, player)
    found = report(game.lines).as_dict()
    spent = [each for each in game.events if isinstance(each, ev.Spent) and each.what == "cp"]
    units = game.state.position.units
    lost = [
        each for each in game.events if isinstance(each, ev.Destroyed) and units[each.unit].side == "players"
    ]
    return {
        "won": bool(found["winners"]),
        "cp": sum(each.amount for each in spent),
        "lost": len(lost),
        "digest": sha256(b"\n".join(encode(each) for each in game.events)).hexdigest()[:16],
        "settled": sum(gate.counts.settled.values()),
        "stops": sum(gate.counts.stops.values()),
    }


def chance(ones: int, others: int) -> tuple[int, int]:
    """Return the chance of a split of fair coins at least as uneven, as a fraction."""
    coins, fewer = ones + others, min(ones, others)
    tail = 2 * sum(comb(coins, k) for k in range(fewer + 1))
    return min(tail, 2**coins), 2**coins


def finds_a_side(ones: int, others: int) -> bool:
    """Return whether a sign test at 5% tells the two apart."""
    above, below = chance(ones, others)
    return above * LEVEL[1] <= below * LEVEL[0]


def main(
    seeds: Annotated[int, typer.Option(min=1, help="How many seeds, each played twice.")] = 200,
    first: Annotated[int, typer.Option(help="The first seed.")] = 1,
    points: Annotated[int, typer.Option(help="1000 or 2000.")] = 1000,
    change: Annotated[list[str] | None, typer.Option("--set", help="KIND=RULE or KIND=THRESHOLD.")] = None,
    workers: Annotated[int, typer.Option(min=1, help="How many processes.")] = 2,
    out: Annotated[Path, typer.Option(help="Where the rows go.")] = Path("out/skip-rules.jsonl"),
) -> None:
    """Play the battles that are missing, and compare."""
    console = Console(width=150)
    changes = change or []
    rules_of(changes)
    rows = play_all(played, jobs(seeds, first, points, ",".join(changes)), workers, out, told(console))
    if with_faults(rows, ("error",), console):
        sys.exit(1)
    pairs = list(zip(rows[::2], rows[1::2], strict=True))
    for line in told_of(pairs):
        console.print(line, highlight=False, soft_wrap=True)
    sys.exit(1 if finds_a_side(*only_one(pairs)) else 0)


Pair = tuple[dict[str, Any], dict[str, Any]]


def only_one(pairs: list[Pair]) -> tuple[int, int]:
    """Return how many seeds are won only with everything asked, and only with the rules."""
    asked = sum(one["won"] and not other["won"] for one, other in pairs)
    return asked, sum(other["won"] and not one["won"] for one, other in pairs)


def told_of(pairs: list[Pair]) -> list[str]:
    """Return the comparison in words."""
    same = sum(one["digest"] == other["digest"] for one, other in pairs)
    ones, others = only_one(pairs)
    above, below = chance(ones, others)
    lines = [f"{len(pairs)} seeds; {same} battles are the same in every event"]
    for name, rows in (
        ("everything asked", [p[0] for p in pairs]),
        ("with the rules", [p[1] for p in pairs]),
    ):
        means = (sum(row[key] for row in rows) / len(rows) for key in ("won", "cp", "lost"))
        won, cp, lost = means
        lines.append(f"{name}: won {won:.3f}, CP spent {cp:.2f}, models lost {lost:.2f} on average")
    stops = [row["stops"] for _, row in pairs]
    settled = sum(row["settled"] for _, row in pairs) / len(pairs)
    lines.append(
        f"stops: {sum(stops) / len(stops):.1f} on average, {max(stops)} at most; settled {settled:.1f}"
    )
    verdict = "a side is found" if finds_a_side(ones, others) else "no side is found"
    lines.append(
        f"won by one alone: {ones} asked, {others} with the rules; chance {above}/{below}"
        f" = {above / below:.3f}: {verdict}"
    )
    return lines


if __name__ == "__main__":
    typer.run(main)
