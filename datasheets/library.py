"""The library: every datasheet, spawning table, deployment, layout and army that the program knows.

Reads the packaged data of one edition, a file at a time (of datasheets, each) when first asked for, and finds
things by id. It judges no roster (`roster`) and chooses no wargear (`loadout`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import msgspec

from datasheets.ability import Abilities, core_abilities
from datasheets.battlefield import Deployment, Layout
from datasheets.checklist import Line, load_lines, with_rules
from datasheets.errors import BadData, unknown
from datasheets.record import record
from datasheets.roster import load_roster
from datasheets.rule import Rule
from datasheets.rules_file import load_rules, parsed
from datasheets.schema import Datasheet, Faction, Roster, SpawnTable

EDITION = "w40k-10"


class Library:
    """All that a battle can be made of, looked up by id.

    An unknown id raises `UnknownName` with the ids near it; a broken file raises `BadData`.
    """

    def __init__(
        self,
        edition: str = EDITION,
        *,
        datasheets: Traversable | None = None,
        factions: Traversable | None = None,
        assets: Traversable | None = None,
    ) -> None:
        """Open the packaged data of an edition, or folders that stand in for the packaged ones."""
        self.edition = edition
        self._datasheets = (datasheets or files("datasheets").joinpath("data")).joinpath(edition)
        self._factions = factions or files("factions").joinpath("data")
        self._assets = assets or files("assets")
        self._sheets: dict[str, Datasheet] = {}
        self._data: dict[str, Mapping[str, Any]] = {}
        self._tables: dict[str, SpawnTable] = {}
        self._deployments: dict[str, Deployment] = {}
        self._layouts: dict[str, Layout] = {}
        self._rules: tuple[Rule, ...] = ()
        self._names: tuple[str, ...] = ()
        self._spawn: dict[str, dict[str, Any] | None] = {}
        self._hash = ""
        self._abilities: Abilities | None = None

    def rules(self) -> tuple[Rule, ...]:
        """Return every rule record: the mode's own, the decks' and purchases', and the factions'."""
        if not self._rules:
            folders = (self._assets.joinpath("rules"), self._assets.joinpath("decks"))
            paths = [path for folder in folders for path in _files(folder, ".toml")]
            paths += _files(self._factions, "-rules.toml")
            found = {rule.id: (rule, path.name) for path in paths for rule in load_rules(path)}
            self._rules = tuple(rule for rule, _ in found.values())
        return self._rules

    def checklist(self) -> tuple[Line, ...]:
        """Return every clause of the rules: the edition's, the mode's, and those that are records alone."""
        paths = _files(self._assets.joinpath("clauses"), ".toml")
        return with_rules(tuple(line for path in paths for line in load_lines(path)), self.rules())

    def summary(self, clause: str) -> str:
        """Return what a clause says, in a sentence; nothing where none has this id."""
        return next((line.says for line in self.checklist() if line.id == clause), "")

    def factions(self) -> tuple[str, ...]:
        """Return the ids of the factions that have datasheets, in order."""
        if not self._names:
            self._names = tuple(_stem(each) for each in _files(self._datasheets, ".json"))
        return self._names

    def hordes(self) -> tuple[str, ...]:
        """Return the ids of the factions that have a spawning table, in order."""
        return tuple(name for name in self.factions() if self.has_spawn_table(name))

    def has_spawn_table(self, faction: str) -> bool:
        """Return whether there is a spawning table of this faction, which may be unknown."""
        return faction in self.factions() and self._spawn_data(faction) is not None

    def faction(self, faction: str) -> Faction:
        """Return what there is of this faction; one without a table of its own fields no army."""
        sheets = self._sheet_data(faction)
        told, has_table = _faction_head(self._factions.joinpath(f"{faction}.toml"))
        told = told or {"id": faction, "name": _read(self._sheet_file(faction))["name"], "is_army": False}
        found = {"datasheets": sorted(sheets), "has_spawn_table": has_table}
        return record(Faction, told | found, f"{faction}.toml: faction")

    def armies_of(self) -> tuple[str, ...]:
        """Return the ids of the factions that field armies, in order."""
        return tuple(each for each in self.factions() if self.faction(each).is_army)

    def datasheet(self, datasheet: str) -> Datasheet:
        """Return the datasheet with this id ("death-guard/plague-marines")."""
        if datasheet not in self._sheets:
            faction = datasheet.partition("/")[0]
            if faction not in self.factions():
                raise unknown(datasheet, self._datasheet_ids(), "datasheet")
            sheets = self._sheet_data(faction)
            if datasheet not in sheets:
                raise unknown(datasheet, sheets, "datasheet")
            path = f"{self._sheet_file(faction).name}, {datasheet}"
            found = record(Datasheet, sheets[datasheet], path)
            self._sheets[datasheet] = self._known_abilities().told(found)
        return self._sheets[datasheet]

    def datasheets(self, faction: str) -> tuple[Datasheet, ...]:
        """Return the faction's datasheets in order of id."""
        return tuple(self.datasheet(each) for each in sorted(self._sheet_data(faction)))

    def spawn_table(self, faction: str) -> SpawnTable:
        """Return the spawning table of this faction. Rule: SPAWN.4."""
        if faction not in self._tables:
            data = self._spawn_data(faction)
            if data is None:
                raise unknown(faction, self.hordes(), "faction with a spawning table")
            self._tables[faction] = _spawn_table(data, f"{faction}.toml")
        return self._tables[faction]

    def deployments(self) -> tuple[Deployment, ...]:
        """Return every deployment in order of id."""
        if not self._deployments:
            for path in _files(self._assets.joinpath("deployments"), ".json"):
                found = record(Deployment, _read(path), path.name)
                self._deployments[found.id] = found
        return tuple(self._deployments.values())

    def deployment(self, deployment: str) -> Deployment:
        """Return the deployment with this id ("dawn-of-war"). Rule: SETUP.1."""
        self.deployments()
        if deployment not in self._deployments:
            raise unknown(deployment, self._deployments, "deployment")
        return self._deployments[deployment]

    def layouts(self, deployment: str | None = None) -> tuple[Layout, ...]:
        """Return the layouts made for this deployment (or all of them), in order of id. Rule: SETUP.4."""
        if not self._layouts:
            for path in _files(self._assets.joinpath("layouts"), ".json"):
                found = record(Layout, _read(path), path.name)
                self._layouts[found.id] = found
        if deployment is not None:
            self.deployment(deployment)
        return tuple(each for each in self._layouts.values() if deployment in (None, each.deployment))

    def layout(self, layout: str) -> Layout:
        """Return the layout with this id ("horde-dawn-of-war-1")."""
        self.layouts()
        if layout not in self._layouts:
            raise unknown(layout, self._layouts, "layout")
        return self._layouts[layout]

    def armies(self) -> tuple[str, ...]:
        """Return the names of the armies that are shipped, in order."""
        return tuple(_stem(each) for each in _files(self._assets.joinpath("armies"), ".toml"))

    def army(self, army: str | Path) -> Roster:
        """Return a shipped army by its name, or the roster of a file by its path."""
        if str(army) in self.armies():
            return load_roster(self._assets.joinpath("armies", f"{army}.toml"))
        if (
            isinstance(army, Path)
            or "/" in army
            or "\\" in army
            or army.endswith(".toml")
            or Path(army).exists()
        ):
            return load_roster(Path(army))
        raise unknown(army, self.armies(), "army")

    @property
    def hash(self) -> str:
        """Return the SHA-256 of everything in the library, equal on every machine."""
        if not self._hash:
            # Few ask for it, and what it needs takes long to be brought in.
            from hashlib import sha256

            digest = sha256()
            for name, path in self._all_files():
                digest.update(b"%b\0%b\0" % (name.encode(), msgspec.json.encode(_read(path), order="sorted")))
            self._hash = digest.hexdigest()
        return self._hash

    def _all_files(self) -> Iterator[tuple[str, Traversable]]:
        """Return each data file with its name, but for the armies: a battle records its own."""
        folders = {
            f"datasheets/{self.edition}": self._datasheets,
            "factions": self._factions,
            "deployments": self._assets.joinpath("deployments"),
            "layouts": self._assets.joinpath("layouts"),
            "rules": self._assets.joinpath("rules"),
            "decks": self._assets.joinpath("decks"),
        }
        for name, folder in folders.items():
            for path in (*_files(folder, ".json"), *_files(folder, ".toml")):
                yield f"{name}/{path.name}", path

    def _datasheet_ids(self) -> Iterable[str]:
        return [each for faction in self.factions() for each in self._sheet_data(faction)]

    def _sheet_file(self, faction: str) -> Traversable:
        return self._datasheets.joinpath(f"{faction}.json")

    def _sheet_data(self, faction: str) -> Mapping[str, Any]:
        """Return what the faction's file says of each datasheet, by id; only those in play become records."""
        if faction not in self._data:
            if faction not in self.factions():
                raise unknown(faction, self.factions(), "faction")
            sheets = _read(self._sheet_file(faction))["datasheets"]
            self._data[faction] = {each.get("id", str(number)): each for number, each in enumerate(sheets)}
        return self._data[faction]

    def _known_abilities(self) -> Abilities:
        """Return what is simulated of abilities: the clauses and the rule records."""
        if self._abilities is None:
            self._abilities = Abilities(core_abilities(self._assets.joinpath("clauses")), self.rules())
        return self._abilities

    def _spawn_data(self, faction: str) -> dict[str, Any] | None:
        """Return the part of the faction's file that is its spawning table, if it has one."""
        if faction not in self._spawn:
            path = self._factions.joinpath(f"{faction}.toml")
            self._spawn[faction] = _read(path).get("spawn") if path.is_file() else None
        return self._spawn[faction]


def _faction_head(path: Traversable) -> tuple[dict[str, Any], bool]:
    """Return the table [faction] of a faction's file, and whether a spawning table follows.

    The spawning table is long, and no army needs it: where [faction] stands first, only that is parsed.
    """
    if not path.is_file():
        return {}, False
    text = path.read_text(encoding="utf-8")
    spawn = re.search(r"^\[\[?spawn\b", text, re.MULTILINE)
    try:
        told = parsed(text[: spawn.start()] if spawn else text)
        if "faction" not in told and spawn:
            told = parsed(text)
    except tomllib.TOMLDecodeError as error:
        raise BadData(path.name, "", f"cannot be read ({error})") from None
    return dict(told.get("faction", {})), spawn is not None


def _spawn_table(data: dict[str, Any], path: str) -> SpawnTable:
    """Return the table from its rows, each with its bracket, and its list of who may lead what."""
    brackets: dict[int, list[dict[str, Any]]] = {}
    for row in data.get("entry", []):
        entry = {key: value for key, value in row.items() if key != "bracket"}
        if entry.get("leader_choices") and "possible_leaders" not in entry:
            known = data.get("leaders", {})
            leaders = (i for led in entry["units"][0]["datasheets"] for i in known.get(led, ()))
            entry["possible_leaders"] = list(dict.fromkeys(leaders))
        brackets.setdefault(row.get("bracket", 0), []).append(entry)
    table = {key: each for key, each in data.items() if key in ("faction", "name", "made_by_us")}
    table["brackets"] = brackets
    return record(SpawnTable, table, f"{path}: spawn")


def _files(folder: Traversable, suffix: str) -> tuple[Traversable, ...]:
    """Return the folder's files with this suffix in order of name; none where there is no folder."""
    if not folder.is_dir():
        return ()
    return tuple(
        sorted((each for each in folder.iterdir() if each.name.endswith(suffix)), key=lambda f: f.name)
    )


def _stem(path: Traversable) -> str:
    return path.name.rpartition(".")[0]


def _read(path: Traversable) -> dict[str, Any]:
    """Return what a JSON or TOML file says. The answer is shared: change nothing in it."""
    text = path.read_text(encoding="utf-8")
    try:
        return parsed(text) if path.name.endswith(".toml") else _parsed_json(text)
    except (tomllib.TOMLDecodeError, msgspec.DecodeError) as error:
        raise BadData(path.name, "", f"cannot be read ({error})") from None


@lru_cache(maxsize=64)
def _parsed_json(text: str) -> dict[str, Any]:
    """Return what a JSON text says, read once though a library reads it for its records and for its hash."""
    return dict(msgspec.json.decode(text))
