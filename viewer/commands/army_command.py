"""`horde army`: whether a roster is legal, and a new one."""

from __future__ import annotations

import sys
from pathlib import Path

from ai.muster.builder import new_army, random_army
from datasheets.errors import BadData, HordeError
from datasheets.library import Library
from datasheets.roster import check_roster, cost
from datasheets.roster_text import roster_toml
from datasheets.share import share
from viewer.commands.options import whole_number
from viewer.commands.template import write_new

MOST_POINTS = 2000
"""No army has more points than the largest game. Rule: ARMY.1"""


def check_army(file: str, points: str, players: str, handicap: str, transferred: str) -> None:
    """Print that a roster is legal; raise with every fault where it is not.

    Rule: ARMY.2, ARMY.3, ARMY.7
    """
    library = Library()
    roster = library.army(Path(file) if Path(file).suffix or "/" in file else file)
    allowed = share_of(points, players, handicap) + whole_number(transferred, "number of points")
    faults = check_roster(roster, library, allowed)
    if faults:
        raise HordeError("\n".join(f"{file}: {fault}" for fault in faults))
    sys.stdout.write(f"{file}: {roster.name} is legal for {allowed} points.\n")


def share_of(points: str, players: str, handicap: str) -> int:
    """Return a player's share of a game. Raises HordeError. Rule: ARMY.2, ARMY.7"""
    size, seats = whole_number(points, "game size in points"), whole_number(players, "number of players")
    return share(size, seats, whole_number(handicap, "handicap in points"))


def write_army(
    faction: str, points: str, players: str, seed: str, is_random: bool, output: Path | None
) -> None:
    """Print a new army, or write it to a file that is not there yet. Raises HordeError.

    With several players it is one of them, with its share of a game's points; of one, points are any.
    """
    library = Library()
    allowed = whole_number(points, "points of an army")
    if players != "1":
        allowed = share_of(points, players, "0")
    if not 0 < allowed <= MOST_POINTS:
        raise BadData("points", "", f"an army has 1 to {MOST_POINTS} points, not {allowed}")
    make = random_army if is_random else new_army
    roster = make(faction, allowed, whole_number(seed, "seed"), library)
    text = roster_toml(roster)
    if output is None:
        sys.stdout.write(text)
        return
    write_new(output, text)
    sys.stdout.write(f"{output}: {roster.name}, {cost(roster, library)} points, {len(roster.units)} units.\n")
