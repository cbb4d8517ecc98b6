"""`horde army`: rosters, and whether they are legal."""

from __future__ import annotations

import sys
from pathlib import Path

from datasheets.errors import HordeError
from datasheets.library import Library
from datasheets.roster import check_roster, share
from viewer.commands.options import whole_number


def check_army(file: str, points: str, players: str) -> None:
    """Print that a roster is legal; raise with every fault where it is not."""
    library = Library()
    roster = library.army(Path(file) if Path(file).suffix or "/" in file else file)
    allowed = share(whole_number(points, "game size in points"), whole_number(players, "number of players"))
    faults = check_roster(roster, library, allowed)
    if faults:
        raise HordeError("\n".join(f"{file}: {fault}" for fault in faults))
    sys.stdout.write(f"{file}: {roster.name} is legal for {allowed} points.\n")
