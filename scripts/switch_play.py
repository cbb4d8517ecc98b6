"""Scenarios played in this process with a data file changed.

That is quicker than tests, which import everything anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from datasheets.errors import HordeError
from datasheets.library import Library
from datasheets.scenario import parse_scenario
from engine.scenario.trial import try_scenario
from viewer.commands.cast import CAST

DATA = ("assets", "factions/data")
"""The folders of data that stand in for the packaged ones."""


def first_noticing(copy: Path, scenarios: Sequence[str]) -> str:
    """Return the first scenario that fails with the data of a copy, "" if all hold."""
    assets, factions = (copy / name for name in DATA)
    library = Library(assets=assets, factions=factions)
    return next((each for each in scenarios if not _holds(copy / "tests" / each, library)), "")


def _holds(path: Path, library: Library) -> bool:
    try:
        scenario = parse_scenario(path.read_text(encoding="utf-8"), str(path))
        return try_scenario(scenario, library, str(path), CAST).holds
    except HordeError:
        # What cannot be played any more is noticed, too.
        return False
