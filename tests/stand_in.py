"""Folders that stand in for the packaged data, and small battles from them.

A test may change what they say, and may have listed what is read of them.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from datasheets.library import Library
from datasheets.record import record
from datasheets.schema import Roster
from engine.horde.setup import Options
from engine.systems import new_game
from engine.w40k.battle import Battle

ROOT = Path(__file__).resolve().parent.parent
UNITS = {
    "space-marines": ("Gladius Task Force", "space-marines/intercessor-squad", 5, "space-marines/captain"),
    "orks": ("War Horde", "orks/boyz", 10, "orks/warboss"),
}
"""By faction a detachment, a datasheet, its models, and a CHARACTER as Warlord."""


class Watched:
    """A folder or file whose readings are added to a list, by the names of the files."""

    def __init__(self, path: Path, seen: list[str]) -> None:
        """Watch a path."""
        self._path = path
        self._seen = seen

    @property
    def name(self) -> str:
        """Return the path's last part."""
        return self._path.name

    def joinpath(self, *parts: str) -> Watched:
        """Return what lies under the path."""
        return Watched(self._path.joinpath(*parts), self._seen)

    def iterdir(self) -> Iterator[Watched]:
        """Yield what the folder holds."""
        return (Watched(each, self._seen) for each in self._path.iterdir())

    def is_dir(self) -> bool:
        """Return whether there is such a folder."""
        return self._path.is_dir()

    def is_file(self) -> bool:
        """Return whether there is such a file."""
        return self._path.is_file()

    def read_text(self, encoding: str = "utf-8") -> str:
        """Return what the file says, and list its name."""
        self._seen.append(self._path.name)
        return self._path.read_text(encoding=encoding)


@dataclass(frozen=True)
class StandIn:
    """A copy of all data in a folder."""

    folder: Path

    def library(self, overrides: Path | None = None) -> Library:
        """Return a library of the copy as it is now."""
        sheets, factions, assets = (self.folder / each for each in ("sheets", "factions", "assets"))
        return Library(datasheets=sheets, factions=factions, assets=assets, overrides=overrides)

    def watched(self) -> tuple[Library, list[str]]:
        """Return a library of the copy, and the list of the files that it reads."""
        seen: list[str] = []
        folders: dict[str, Any] = {
            name: Watched(self.folder / folder, seen)
            for name, folder in (("datasheets", "sheets"), ("factions", "factions"), ("assets", "assets"))
        }
        return Library(**folders, overrides=None), seen

    def path(self, name: str) -> Path:
        """Return the place of a data file by its name in a header."""
        top, _, rest = name.partition("/")
        return self.folder / {"datasheets": "sheets", "factions": "factions"}.get(top, f"assets/{top}") / rest

    def change(self, name: str, old: str, new: str) -> None:
        """Change a text in a file, which must be there."""
        path = self.path(name)
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")


def stand_in(folder: Path) -> StandIn:
    """Return a copy of all data, made in this folder."""
    shutil.copytree(ROOT / "datasheets" / "data", folder / "sheets")
    shutil.copytree(ROOT / "factions" / "data", folder / "factions")
    for name in ("deployments", "layouts", "rules", "decks", "clauses"):
        shutil.copytree(ROOT / "assets" / name, folder / "assets" / name)
    return StandIn(folder)


def army(faction: str, extra: str = "") -> Roster:
    """Return a small army of a faction: a squad, a Warlord, and one model of another datasheet."""
    detachment, squad, models, leader = UNITS[faction]
    units: list[dict[str, Any]] = [
        {"id": "squad", "datasheet": squad, "models": models},
        {"id": "leader", "datasheet": leader, "models": 1, "warlord": True},
    ]
    units += [{"id": "extra", "datasheet": extra, "models": 1}] if extra else []
    told = {"name": "A patrol", "faction": faction, "points": 1000, "detachment": detachment, "unit": units}
    return record(Roster, told, "army")


def battle(
    library: Library, horde: str = "tyranids", players: tuple[str, ...] = ("space-marines",)
) -> Battle:
    """Return a battle of one round at its first question."""
    armies = tuple(army(each) for each in players)
    return new_game(Options(armies=armies, factions=(horde,), rounds=1, seed=3), library)


def overrides_file(folder: Path, datasheets: dict[str, Any], name: str = "overrides.json") -> Path:
    """Return a file of overrides of datasheets by their ids."""
    path = folder / name
    path.write_text(json.dumps({"edition": "w40k-10", "source": "a test", "datasheets": datasheets}))
    return path
