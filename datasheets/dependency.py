"""What a battle depends on: its data files, and the overrides of their datasheets.

Owns which files these are. Where they lie and what their digests are, `files` knows.
"""

from __future__ import annotations

from collections.abc import Iterable

from datasheets.files import digest
from datasheets.library import CORE_ABILITIES, TEMPLATES, Library
from datasheets.rule import Rule
from datasheets.schema import Roster

OVERRIDES = "overrides"
"""What the overrides of a battle's datasheets are called beside its files."""


def factions_of(library: Library, hordes: Iterable[str], armies: Iterable[Roster]) -> tuple[str, ...]:
    """Return every faction of which a battle uses data, in order.

    They are the Horde's and the players', those of all datasheets that their spawning tables and rosters
    name, and all whose datasheets these may field too. A player's table is used by what is recruited.
    """
    return tuple(sorted(library.kin((*hordes, *fielded_by(library, hordes, armies)))))


def rules_of(library: Library, hordes: Iterable[str], armies: Iterable[Roster]) -> tuple[Rule, ...]:
    """Return the rule records of a battle: abilities are those of datasheets that it may field."""
    armies = tuple(armies)
    return library.rules(factions_of(library, hordes, armies), fielded_by(library, hordes, armies))


def dependencies(
    library: Library, hordes: Iterable[str], armies: Iterable[Roster], deployment: str, layout: str
) -> dict[str, str]:
    """Return the digest of every data file that a battle uses, by name, and of its overrides.

    What there is no file of is left out.
    """
    factions = factions_of(library, hordes, armies)
    fielded = fielded_by(library, hordes, armies)
    names = [
        CORE_ABILITIES,
        TEMPLATES,
        *library.rule_files(factions, fielded),
        *(f"factions/{each}.toml" for each in factions),
        *(library.sheet_file(each) for each in fielded),
        f"deployments/{deployment}.json",
        f"layouts/{layout}.json",
    ]
    return library.files.digests(names) | _overrides(library, fielded)


def everything(library: Library) -> dict[str, str]:
    """Return the digest of every data file, by name, and of all overrides in force."""
    return library.files.digests(library.data_files()) | _overrides(library, library.factions())


def differences(played_with: dict[str, str], now: dict[str, str]) -> tuple[str, ...]:
    """Return the names of what differs between two mappings of digests, in order."""
    names = sorted({*played_with, *now})
    return tuple(each for each in names if played_with.get(each) != now.get(each))


def fielded_by(library: Library, hordes: Iterable[str], armies: Iterable[Roster]) -> tuple[str, ...]:
    """Return the factions of all datasheets that spawning tables and rosters of a battle name."""
    armies = tuple(armies)
    owners = dict.fromkeys((*hordes, *(army.faction for army in armies)))
    lent = [unit.datasheet.partition("/")[0] for army in armies for unit in army.units]
    brought = [each for owner in owners for each in library.brought_by_table(owner)]
    return tuple(dict.fromkeys((*owners, *lent, *brought)))


def _overrides(library: Library, factions: Iterable[str]) -> dict[str, str]:
    """Return the digest of the overrides of these factions; nothing where there are none."""
    overrides = library.overrides()
    told = overrides.of(factions) if overrides else {}
    return {OVERRIDES: digest(told)} if told else {}
