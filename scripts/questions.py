"""Counts the questions of battles in which a person takes the suggestion at every stop.

    python scripts/questions.py --seeds 1-5 --json
    python scripts/questions.py --seeds 3 --set stratagem=0.5 --set army-rule=always

A stop halts the battle until it is answered and was not called up: the first unit of a phase is one, what
that unit then does is none. For each seed it tells the stops by kind, those in each turn of the Horde, the
questions that the person called up, and those that were settled unasked. Exit 1 where a battle of the
default size has more than 60 stops, or a turn of the Horde more than 5.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer
from suggested import Suggested, fought, rules_of

if TYPE_CHECKING:
    from viewer.input.gate import Counts
    from viewer.input.settings import Rules

MOST_STOPS = 60
MOST_OF_A_TURN = 5
"""The most stops in one turn of the Horde."""


def seeds_of(text: str) -> list[int]:
    """Return the seeds of a list such as "1-5,9"."""
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        if not first.isdigit() or (last and not last.isdigit()):
            raise typer.BadParameter(f"'{text}' is no list of seeds; write 1-5 or 1,3,9.")
        found += range(int(first), int(last or first) + 1)
    return found


def counted(seed: int, points: int, rules: Rules) -> dict[str, Any]:
    """Return the questions of one battle."""
    from viewer.input.gate import Gate

    gate = Gate(rules)
    fought(seed, points, Suggested(gate))
    return {"seed": seed, **shown(gate.counts)}


def shown(counts: Counts) -> dict[str, Any]:
    """Return counts as plain data."""
    stops: Counter[str] = Counter()
    turns: Counter[int] = Counter()
    for (kind, (number, turn, _)), many in counts.stops.items():
        stops[kind] += many
        turns[number] += many if turn == "horde" else 0
    settled: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for (kind, why), many in counts.settled.items():
        settled[kind] += many
        reasons[why] += many
    return {
        "stops": stops.total(),
        "stops_by_kind": dict(stops.most_common()),
        "horde_turns": {number: many for number, many in sorted(turns.items()) if many},
        "called_up": counts.called_up.total(),
        "called_up_by_kind": dict(counts.called_up.most_common()),
        "settled": settled.total(),
        "settled_by_kind": dict(settled.most_common()),
        "settled_by_reason": dict(reasons.most_common()),
    }


def main(
    seeds: Annotated[str, typer.Option(help="Which battles: 1-5, or 1,3,9.")] = "1-5",
    points: Annotated[int, typer.Option(help="1000 or 2000.")] = 1000,
    change: Annotated[list[str] | None, typer.Option("--set", help="KIND=RULE or KIND=THRESHOLD.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print for a machine to read.")] = False,
) -> None:
    """Play the battles, and print what was asked."""
    rules = rules_of(change or [])
    rows = [counted(seed, points, rules) for seed in seeds_of(seeds)]
    if as_json:
        print(json.dumps(rows, indent=1))
    else:
        for row in rows:
            most = max(row["horde_turns"].values(), default=0)
            print(
                f"seed {row['seed']}: {row['stops']} stops (a turn of the Horde: {most} at most), "
                f"{row['called_up']} called up, {row['settled']} settled unasked"
            )
            print(f"  stops: {_told(row['stops_by_kind'])}")
            print(f"  settled: {_told(row['settled_by_kind'])}")
    most = max((max(row["horde_turns"].values(), default=0) for row in rows), default=0)
    too_many = any(row["stops"] > MOST_STOPS for row in rows) or most > MOST_OF_A_TURN
    sys.exit(1 if too_many and points == 1000 and not change else 0)


def _told(counts: dict[str, int]) -> str:
    return ", ".join(f"{many} {kind}" for kind, many in counts.items())


if __name__ == "__main__":
    typer.run(main)
