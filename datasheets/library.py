"""The library: all datasheets, spawning tables, deployments, layouts and armies there are.

Reads the packaged data of one edition, a file at a time when something of that file is first asked for, and
finds things by id. It judges no roster (`roster`) and chooses no wargear (`loadout`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import tomli
from msgspec import UNSET, UnsetType

from datasheets.ability import CLAUSES, Abilities, core_abilities
from datasheets.ability_template import Template, load_templates
from datasheets.battlefield import Deployment, Layout
from datasheets.checklist import Line, load_lines, with_rules
from datasheets.errors import BadData, unknown
from datasheets.files import DataFiles, stem
from datasheets.overrides import Overrides, check_ids, load_overrides, overridden, path_in_force
from datasheets.parsing import parsed
from datasheets.record import record
from datasheets.roster import load_roster
from datasheets.rule import Rule
from datasheets.rules_file import load_rules
from datasheets.schema import Datasheet, Faction, Roster, SpawnTable

EDITION = "w40k-10"
ASSETS = ("deployments", "layouts", "rules", "decks", "clauses")
"""The folders of assets of which a battle uses files."""
CORE_ABILITIES = f"clauses/{CLAUSES}"
"""The clauses of core abilities. Datasheets depend on them, and on no other clauses."""
RULES = "-rules.toml"
"""The end of the name of a file of rules beside the factions' other data."""
TEMPLATES = "rules/ability-templates.toml"
"""The templates that abilities are like; what they become, their own files say."""


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
        overrides: Path | str | UnsetType | None = UNSET,
    ) -> None:
        """Open the packaged data of an edition, or folders that stand in for the packaged ones.

        The overrides are those of a file; of the one in force where none is said; with None there are none.
        """
        self.edition = edition
        self._assets = assets or files("assets")
        self._sheet_folder = f"datasheets/{edition}"
        folders = {
            self._sheet_folder: (datasheets or files("datasheets").joinpath("data")).joinpath(edition),
            "factions": factions or files("factions").joinpath("data"),
        }
        own = {name: self._assets.joinpath(name) for name in ASSETS}
        stand_in = {self._sheet_folder: datasheets, "factions": factions} | dict.fromkeys(own, assets)
        packaged = [name for name, folder in stand_in.items() if folder is None]
        self.files = DataFiles(folders | own, packaged)
        named = path_in_force() if isinstance(overrides, UnsetType) else overrides
        self._overrides_path = None if named is None else Path(named)
        self._overrides: Overrides | None = None
        self._sheets: dict[str, Datasheet] = {}
        self._data: dict[str, Mapping[str, Any]] = {}
        self._tables: dict[str, SpawnTable] = {}
        self._deployments: dict[str, Deployment] = {}
        self._layouts: dict[str, Layout] = {}
        self._rules: dict[tuple[frozenset[str] | None, frozenset[str] | None], tuple[Rule, ...]] = {}
        self._templates: Mapping[str, Template] | None = None
        self._rule_files: dict[str, tuple[Rule, ...]] = {}
        self._texts: dict[str, str] = {}
        self._heads: dict[str, tuple[dict[str, Any], bool]] = {}
        self._core: tuple[Line, ...] | None = None
        self._abilities: dict[str, Abilities] = {}
        self._names: tuple[str, ...] = ()
        self._listed: dict[str, Line] = {}
        """The clauses that are listed, by id, once a file of them has been read."""

    @property
    def overrides_path(self) -> Path | None:
        """Return the file of the overrides of this library; None where it has none."""
        return self._overrides_path

    def overrides(self) -> Overrides | None:
        """Return the overrides in force. Raises BadData for one of a faction that there is not."""
        path = self._overrides_path
        if self._overrides is None and path is not None:
            found = load_overrides(path, self.edition)
            for name in found.datasheets:
                if name.partition("/")[0] not in self.factions():
                    mend = str(unknown(name, self.factions(), "faction with such a datasheet"))
                    raise BadData(str(path), f"datasheets.{name}", mend)
            self._overrides = found
        return self._overrides

    def rules(
        self, factions: Iterable[str] | None = None, fielded: Iterable[str] | None = None
    ) -> tuple[Rule, ...]:
        """Return every rule record: the mode's own, the decks' and purchases', and the factions'.

        Of factions that are left out where some are named, no file is read. The abilities are those of the
        datasheets of the factions that are `fielded`: of all that are named, where none is said to be.
        """
        wanted = None if factions is None else frozenset(factions)
        borne = wanted if fielded is None else frozenset(fielded)
        if (wanted, borne) not in self._rules:
            names = self.rule_files(wanted, borne)
            found = {rule.id: rule for name in names for rule in self._rules_of(name)}
            self._rules[wanted, borne] = tuple(found.values())
        return self._rules[wanted, borne]

    def templates(self) -> Mapping[str, Template]:
        """Return the templates of abilities by id."""
        if self._templates is None:
            self._templates = load_templates(self.files.path(TEMPLATES))
        return self._templates

    def data_files(self) -> tuple[str, ...]:
        """Return the names of all files that a battle may use."""
        spoken = [name for name in self.files.of("clauses", ".toml") if name != CORE_ABILITIES]
        return tuple(name for name in self.files.all() if name not in spoken)

    def rule_files(
        self, factions: Iterable[str] | None = None, fielded: Iterable[str] | None = None
    ) -> tuple[str, ...]:
        """Return the names of the files in which these rules stand."""
        shared = tuple(name for name in self.files.of("rules", ".toml") if name != TEMPLATES)
        own = (*shared, *self.files.of("decks", ".toml"))
        others = self.files.of("factions", RULES)
        if factions is not None:
            # A file that is called like no faction is every battle's.
            unwanted = {f"factions/{each}{RULES}" for each in {*self.factions()} - {*factions}}
            others = tuple(name for name in others if name not in unwanted)
        return (*own, *others, *self._ability_files(fielded))

    def _ability_files(self, fielded: Iterable[str] | None) -> tuple[str, ...]:
        """Return the names of the files of the abilities of these factions' datasheets, or of all."""
        folders = self.files.within("factions")
        wanted = {*folders} if fielded is None else {f"factions/{each}" for each in fielded}
        return tuple(
            name for folder in folders if folder in wanted for name in self.files.of(folder, ".toml")
        )

    def checklist(self) -> tuple[Line, ...]:
        """Return every clause of the rules: the edition's, the mode's, those of records alone."""
        return with_rules(tuple(self._lines().values()), self.rules())

    def summary(self, clause: str) -> str:
        """Return what a clause says, in a sentence; nothing where none has this id."""
        # Of most clauses the list tells by itself, and no file of rules has to be read.
        line = self._lines().get(clause)
        told = line.says if line is not None else ""
        return told or next((rule.summary for rule in self.rules() if rule.clause == clause), "")

    def factions(self) -> tuple[str, ...]:
        """Return the ids of the factions that have datasheets, in order. Reads none of their files."""
        if not self._names:
            self._names = self._ids(self._sheet_folder, ".json")
        return self._names

    def kin(self, factions: Iterable[str]) -> tuple[str, ...]:
        """Return factions, and after them all whose datasheets they may field too, each once."""
        found = list(dict.fromkeys(factions))
        for faction in found:
            told = self._head(faction)[0].get("includes", ())
            found += [each for each in dict.fromkeys(told) if each not in found]
        return tuple(found)

    def hordes(self) -> tuple[str, ...]:
        """Return the ids of the factions that have a spawning table, in order."""
        return tuple(name for name in self.factions() if self.has_spawn_table(name))

    def has_spawn_table(self, faction: str) -> bool:
        """Return whether there is a spawning table of this faction, which may be unknown."""
        return faction in self.factions() and self._head(faction)[1]

    def faction(self, faction: str) -> Faction:
        """Return what there is of this faction; one without a table of its own fields no army.

        Its datasheets are not read.
        """
        if faction not in self.factions():
            raise unknown(faction, self.factions(), "faction")
        told, has_table = self._head(faction)
        if not told:
            name = self.files.read(self.sheet_file(faction))["name"]
            told = {"id": faction, "name": name, "is_army": False}
        return record(Faction, told | {"has_spawn_table": has_table}, f"{faction}.toml: faction")

    def armies_of(self) -> tuple[str, ...]:
        """Return the ids of the factions that field armies, in order."""
        return tuple(each for each in self.factions() if self.faction(each).is_army)

    def datasheet(self, datasheet: str) -> Datasheet:
        """Return the datasheet with this id ("death-guard/plague-marines"), as overrides have it."""
        if datasheet not in self._sheets:
            faction = datasheet.partition("/")[0]
            if faction not in self.factions():
                raise unknown(datasheet, self._datasheet_ids(), "datasheet")
            sheets = self._sheet_data(faction)
            if datasheet not in sheets:
                raise unknown(datasheet, sheets, "datasheet")
            found = record(Datasheet, sheets[datasheet], f"{faction}.json, {datasheet}")
            overrides, path = self.overrides(), self._overrides_path
            if overrides and path:
                found = overridden(found, overrides, path)
            self._sheets[datasheet] = self._known_abilities(faction).told(found)
        return self._sheets[datasheet]

    def datasheet_ids(self, faction: str) -> tuple[str, ...]:
        """Return the ids of the faction's datasheets in order."""
        return tuple(sorted(self._sheet_data(faction)))

    def datasheets(self, faction: str) -> tuple[Datasheet, ...]:
        """Return the faction's datasheets in order of id."""
        return tuple(self.datasheet(each) for each in self.datasheet_ids(faction))

    def sheet_file(self, faction: str) -> str:
        """Return the name of the file of a faction's datasheets."""
        return f"{self._sheet_folder}/{faction}.json"

    def spawn_table(self, faction: str) -> SpawnTable:
        """Return the spawning table of this faction. Rule: SPAWN.4."""
        if faction not in self._tables:
            if not self.has_spawn_table(faction):
                raise unknown(faction, self.hordes(), "faction with a spawning table")
            name = f"{faction}.toml"
            self._tables[faction] = _spawn_table(_toml(self._text(faction), name)["spawn"], name)
        return self._tables[faction]

    def brought_by_table(self, faction: str) -> tuple[str, ...]:
        """Return the factions of the datasheets that a spawning table names; none without a table.

        They are found in its text: to parse it takes longer, and a player's table is seldom needed.
        """
        if not self.has_spawn_table(faction):
            return ()
        table = self._text(faction).partition("[spawn")[2]
        named = dict.fromkeys(re.findall(r"""["']([^"'/\s]+)/""", table))
        return tuple(each for each in named if each in self.factions())

    def deployments(self) -> tuple[Deployment, ...]:
        """Return every deployment in order of id."""
        return tuple(self.deployment(each) for each in self._ids("deployments", ".json"))

    def deployment(self, deployment: str) -> Deployment:
        """Return the deployment with this id ("dawn-of-war"). Rule: SETUP.1."""
        if deployment not in self._deployments:
            self._check_deployment(deployment)
            name = f"{deployment}.json"
            found = record(Deployment, self.files.read(f"deployments/{name}"), name)
            if found.id != deployment:
                raise BadData(name, "id", f"should be '{deployment}', as its file is called")
            self._deployments[deployment] = found
        return self._deployments[deployment]

    def layout_ids(self, deployment: str | None = None) -> tuple[str, ...]:
        """Return the ids of a deployment's layouts, or of all, in order. Rule: SETUP.4.

        No file is read: a layout's name has that of its deployment in it.
        """
        if deployment is not None:
            self._check_deployment(deployment)
        found = self._ids("layouts", ".json")
        return tuple(each for each in found if deployment is None or _is_for(each, deployment))

    def layouts(self, deployment: str | None = None) -> tuple[Layout, ...]:
        """Return the layouts of this deployment, or all of them, in order of id. Rule: SETUP.4."""
        return tuple(self.layout(each) for each in self.layout_ids(deployment))

    def layout(self, layout: str) -> Layout:
        """Return the layout with this id ("horde-dawn-of-war-1")."""
        if layout not in self._layouts:
            if layout not in self.layout_ids():
                raise unknown(layout, self.layout_ids(), "layout")
            name = f"{layout}.json"
            found = record(Layout, self.files.read(f"layouts/{name}"), name)
            if found.id != layout:
                raise BadData(name, "id", f"should be '{layout}', as its file is called")
            if not _is_for(layout, found.deployment):
                raise BadData(name, "deployment", f"name the file for it: 'horde-{found.deployment}-1.json'")
            self._layouts[layout] = found
        return self._layouts[layout]

    def armies(self) -> tuple[str, ...]:
        """Return the names of the armies that are shipped, in order."""
        return tuple(stem(each.name) for each in _files(self._assets.joinpath("armies"), ".toml"))

    def army_within(self, faction: str, points: int) -> str:
        """Return the name of a faction's largest shipped army of no more points. Raises UnknownName."""
        sizes = [each.rpartition("-") for each in self.armies()]
        fitting = [int(size) for owner, _, size in sizes if owner == faction and int(size) <= points]
        if not fitting:
            raise unknown(f"{faction}-{points}", self.armies(), "army")
        return f"{faction}-{max(fitting)}"

    def army(self, army: str | Path) -> Roster:
        """Return a shipped army by its name, or that of a file of any format by its path."""
        if str(army) in self.armies():
            return load_roster(self._assets.joinpath("armies", f"{army}.toml"))
        if (
            isinstance(army, Path)
            or "/" in army
            or "\\" in army
            or army.endswith(".toml")
            or Path(army).exists()
        ):
            return self._army_of_file(Path(army))
        raise unknown(army, self.armies(), "army")

    def _army_of_file(self, path: Path) -> Roster:
        if path.suffix == ".toml" or not path.is_file():
            return load_roster(path)
        # Most battles are of our own files, and the readers of others take long to be brought in.
        from datasheets.rosters.reading import army_of_file

        return army_of_file(path, self)

    def _ids(self, folder: str, suffix: str) -> tuple[str, ...]:
        """Return the ids of what a folder holds a file of, each, in order."""
        return tuple(stem(name) for name in self.files.of(folder, suffix))

    def _lines(self) -> dict[str, Line]:
        """Return the clauses that are listed, by id, without those that are records alone."""
        if not self._listed:
            paths = _files(self._assets.joinpath("clauses"), ".toml")
            self._listed = {line.id: line for path in paths for line in load_lines(path)}
        return self._listed

    def _rules_of(self, name: str) -> tuple[Rule, ...]:
        if name not in self._rule_files:
            path, folder = self.files.path(name), name.split("/")[1]
            # Files of abilities are called alike in every faction's folder.
            told = f"{folder}/{path.name}" if name.count("/") > 1 else path.name
            found = load_rules(path, told, self.templates())
            self._rule_files[name] = _borne_by(folder, found, told) if "/" in told else found
        return self._rule_files[name]

    def _check_deployment(self, deployment: str) -> None:
        known = self._ids("deployments", ".json")
        if deployment not in known:
            raise unknown(deployment, known, "deployment")

    def _datasheet_ids(self) -> Iterable[str]:
        return [each for faction in self.factions() for each in self._sheet_data(faction)]

    def _sheet_data(self, faction: str) -> Mapping[str, Any]:
        """Return what the faction's file says of each datasheet, by id.

        Only the datasheets in play become records.
        """
        if faction not in self._data:
            if faction not in self.factions():
                raise unknown(faction, self.factions(), "faction")
            sheets = self.files.read(self.sheet_file(faction))["datasheets"]
            found = {each.get("id", str(number)): each for number, each in enumerate(sheets)}
            overrides, path = self.overrides(), self._overrides_path
            if overrides and path:
                check_ids(overrides, faction, found, path)
            self._data[faction] = found
        return self._data[faction]

    def _known_abilities(self, faction: str) -> Abilities:
        """Return what is simulated of a faction's abilities, by clauses and its kin's rules."""
        if faction not in self._abilities:
            if self._core is None:
                self._core = core_abilities(self._assets.joinpath("clauses"))
            self._abilities[faction] = Abilities(self._core, self.rules(self.kin((faction,)), (faction,)))
        return self._abilities[faction]

    def _head(self, faction: str) -> tuple[dict[str, Any], bool]:
        """Return what a faction's own file says of its armies, and whether it has a spawning table."""
        if faction not in self._heads:
            self._heads[faction] = _head_of(self._text(faction), f"{faction}.toml")
        return self._heads[faction]

    def _text(self, faction: str) -> str:
        """Return the text of a faction's own file; nothing where it has none."""
        if faction not in self._texts:
            path = self.files.path(f"factions/{faction}.toml")
            self._texts[faction] = path.read_text(encoding="utf-8") if path.is_file() else ""
        return self._texts[faction]


def _borne_by(faction: str, rules: tuple[Rule, ...], name: str) -> tuple[Rule, ...]:
    """Return the rules of a faction's folder. Raises BadData for one of other datasheets."""
    for rule in rules:
        if not rule.datasheets and "state" not in rule.tags:
            raise BadData(name, f"{rule.id}: datasheets", "name the datasheets that have this ability")
        for each in rule.datasheets:
            if each.partition("/")[0] != faction:
                mend = f"'{each}' is of another faction; write the record there, or where several share it"
                raise BadData(name, f"{rule.id}: datasheets", f"{mend}, in assets/rules/abilities.toml")
    return rules


def _is_for(layout: str, deployment: str) -> bool:
    """Return whether a layout is called for a deployment."""
    return f"-{deployment}-" in f"-{layout}-"


def _head_of(text: str, name: str) -> tuple[dict[str, Any], bool]:
    """Return the table [faction] of a faction's file, and whether a spawning table follows.

    The spawning table is long, and no army needs it: where [faction] stands first, only that is parsed.
    """
    spawn = re.search(r"^\[\[?spawn\b", text, re.MULTILINE)
    told = _toml(text[: spawn.start()] if spawn else text, name)
    if "faction" not in told and spawn:
        told = _toml(text, name)
    return dict(told.get("faction", {})), spawn is not None


def _toml(text: str, name: str) -> dict[str, Any]:
    try:
        return parsed(text)
    except tomli.TOMLDecodeError as error:
        raise BadData(name, "", f"cannot be read ({error})") from None


def _spawn_table(data: dict[str, Any], path: str) -> SpawnTable:
    """Return the table from its rows with their brackets and its list of possible leaders."""
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
    """Return the folder's files with this suffix, by name; none where there is no folder."""
    if not folder.is_dir():
        return ()
    return tuple(
        sorted((each for each in folder.iterdir() if each.name.endswith(suffix)), key=lambda f: f.name)
    )
