"""Looks for leaks to a seat: others' secrets, the order of decks and the dice to come.

    python scripts/view_boundary.py --positions 200 --players 1 2

Each position of a battle is compared with a twin in which all that is another. Half of the battles are played
with small armies, half with the library's. Prints the positions tried by kind of question and number of
players, what was swapped, and the leaks. Exit 1 where there is one.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence

import boundary
from rich.console import Console
from rich.table import Table

from datasheets.library import Library

A_BATTLE = 10
"""How many positions are looked at for each battle that is played."""
TOLD = 3
"""The number of leaks of the same answer that are printed."""


def main() -> None:
    """Compare positions with their twins, and say what differs."""
    asked = _arguments()
    began, library = time.perf_counter(), Library()
    counts = [share(asked.positions, len(asked.players), i) for i in range(len(asked.players))]
    tried = [
        each
        for players, positions in zip(asked.players, counts, strict=True)
        for each in looked_at(players, positions, asked.seed, library, asked.small, asked.often)
    ]
    _print(tried)
    leaks = Counter(leak.split(":")[0].split("(")[0] for each in tried for leak in each.leaks)
    twinless = sum(not each.has_twin for each in tried)
    told = f"{len(tried) - twinless} positions compared in {time.perf_counter() - began:.0f} s"
    names = f" ({', '.join(sorted(leaks))})" if leaks else ""
    sys.stdout.write(f"{told}; {twinless} had no twin; leaks: {leaks.total()}{names}\n")
    sys.exit(1 if leaks else 0)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare what seats are shown with twin battles.")
    parser.add_argument("--positions", type=int, default=200, help="how many positions in all")
    parser.add_argument("--players", type=int, nargs="+", default=[1, 2], help="with how many players")
    parser.add_argument("--seed", type=int, default=1, help="the first battle's seed")
    parser.add_argument("--small", action="store_true", help="play with small armies only")
    parser.add_argument("--often", type=int, default=6, help="how often a method is asked for each argument")
    return parser.parse_args()


def share(whole: int, parts: int, index: int) -> int:
    """Return one of nearly equal parts of a number."""
    return whole // parts + (index < whole % parts)


def looked_at(
    players: int, positions: int, seed: int, library: Library, small: bool, often: int
) -> list[boundary.Tried]:
    """Return what the comparison of each position shows, in battles of this many players.

    Leaks are written to the standard output at once.
    """
    battles = []
    for whole in (False,) if small else (False, True):
        count = max(1, positions // A_BATTLE // (1 if small else 2))
        for job in boundary.jobs(players, count, seed + count * whole, whole=whole):
            battles.append(boundary.played(job, library))
            sys.stderr.write(f"played {job.key}: {len(battles[-1].moments)} questions\n")
    found: list[boundary.Tried] = []
    told: Counter[str] = Counter()
    for battle, moment in boundary.chosen(battles, positions, seed):
        found.append(boundary.tried(battle, moment, library, seed, often=often))
        _tell(found[-1], told)
    return found


def _tell(tried: boundary.Tried, told: Counter[str]) -> None:
    """Write the leaks of a position, of the same answer not too often."""
    moment = tried.moment
    for leak in tried.leaks:
        answer = leak.split(":")[0].split("(")[0]
        told[answer] += 1
        if told[answer] <= TOLD:
            where = f"{tried.job.key}, answer {moment.answers}, {moment.seat}, {moment.decision}"
            sys.stdout.write(f"LEAK {where}: {leak}\n")


def _print(tried: Sequence[boundary.Tried]) -> None:
    """Print how many positions were tried of each sort, and what was swapped in them."""
    players = sorted({each.job.players for each in tried})
    table = Table("question", "seat", *(f"{count} pl." for count in players))
    sorts = Counter((_question(each), _side(each), each.job.players) for each in tried)
    for question, side in sorted({key[:2] for key in sorts}):
        table.add_row(question, side, *(str(sorts[question, side, count]) for count in players))
    swapped = Counter((what, each.job.players) for each in tried for what in each.swapped)
    for what in sorted({key[0] for key in swapped}):
        table.add_row(f"swapped: {what}", "", *(str(swapped[what, count]) for count in players))
    Console().print(table)


def _question(each: boundary.Tried) -> str:
    return f"{each.moment.kind} {each.moment.decision}, {each.moment.phase}"


def _side(each: boundary.Tried) -> str:
    return "horde" if each.moment.seat == "horde" else "players"


if __name__ == "__main__":
    main()
