"""What a name means: a faction, a datasheet, a detachment, an enhancement, or nothing known.

Names are compared by letters and figures alone. A name that is only near to one is never taken for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.resources import files

import tomli
from rapidfuzz import fuzz, process

from datasheets.belonging import SheetSource
from datasheets.rosters.list_words import plain, singular_key, words

NEAR = 70
"""How alike a name must be to be suggested, of 100."""
LONGEST_NAME = 80
"""The signs of a name that are compared where something near is looked for."""
LEGENDS = "-legends"


class NameIndex:
    """The names of a library's factions and datasheets. A datasheet's id spells its name."""

    def __init__(self, library: SheetSource) -> None:
        """Look up what factions there are; their datasheets are looked up when first asked for."""
        self._library = library
        self._sheets: dict[str, dict[str, str]] = {}
        self._names: dict[str, str] = {}

    def faction(self, name: str) -> str:
        """Return the id of the faction that a name means ("Imperium - Space Wolves"); "" for none."""
        if not self._names:
            self._names = {plain(each): each for each in self._library.factions()}
            self._names |= {
                plain(self._library.faction(each).name): each for each in self._library.factions()
            }
            for faction, others in words()["factions"].items():
                if faction in self._library.factions():
                    self._names |= {
                        plain(other): faction for other in others if plain(other) not in self._names
                    }
        parts = [name, *reversed(name.split(" - "))]
        return next((found for part in parts if (found := self._names.get(plain(part)))), "")

    def with_included(self, faction: str) -> tuple[str, ...]:
        """Return a faction and those whose datasheets its army may field too."""
        includes = self._library.faction(faction).includes
        return (faction, *(each for each in includes if each in self._library.factions()))

    def including(self, faction: str) -> tuple[str, ...]:
        """Return the factions whose armies may field this one's datasheets too."""
        return tuple(
            each for each in self._library.factions() if faction in self._library.faction(each).includes
        )

    def datasheet(self, name: str, factions: Iterable[str]) -> str:
        """Return the id of the datasheet of this name, of the first faction with one; "" for none."""
        keys = _unit_keys(name)
        return next((found for each in factions for key in keys if (found := self._of(each).get(key))), "")

    def owners(self, name: str) -> tuple[str, ...]:
        """Return the factions that have a datasheet of this name."""
        keys = _unit_keys(name)
        return tuple(each for each in self._library.factions() if any(key in self._of(each) for key in keys))

    def near(self, name: str, factions: Sequence[str]) -> tuple[str, ...]:
        """Return up to three datasheets that a name may have meant, those of these factions first."""
        found: dict[str, None] = {}
        wanted = _spaced(name)
        for group in (factions, self._library.factions()):
            sheets = dict.fromkeys(sheet for each in group for sheet in self._of(each).values())
            choices = {sheet: _spaced(sheet.partition("/")[2]) for sheet in sheets}
            near = process.extract(wanted, choices, scorer=fuzz.WRatio, score_cutoff=NEAR, limit=3)
            found |= dict.fromkeys(self._library.datasheet(sheet).name for _, _, sheet in near)
            if found:
                break
        return tuple(found)[:3]

    def _of(self, faction: str) -> dict[str, str]:
        """Return the datasheets of a faction by what their names are compared by; current ones win."""
        if faction not in self._sheets:
            ids = sorted(self._library.datasheet_ids(faction), key=lambda each: not each.endswith(LEGENDS))
            names = {each: each.partition("/")[2].removesuffix(LEGENDS) for each in ids}
            singular = Counter(singular_key(name) for name in names.values())
            loose = {key: each for each, name in names.items() if singular[key := singular_key(name)] == 1}
            self._sheets[faction] = loose | {plain(name): each for each, name in names.items()}
        return self._sheets[faction]


def _unit_keys(name: str) -> tuple[str, str]:
    """Return what a unit's present name is compared by, exactly and in the singular."""
    for mark in ("[Legends]", "(Legends)"):
        name = name.replace(mark, "")
    former = words()["units"]
    name = next((now for then, now in former.items() if plain(then) == plain(name)), name)
    return plain(name), singular_key(name)


def _spaced(name: str) -> str:
    return " ".join(plain(part) for part in name[:LONGEST_NAME].replace("-", " ").split())


def near_among(name: str, choices: Sequence[str]) -> str:
    """Return the one of some names that a name may have meant; "" for none."""
    found = process.extractOne(
        _spaced(name), [_spaced(each) for each in choices], scorer=fuzz.WRatio, score_cutoff=NEAR
    )
    return choices[found[2]] if found else ""


@lru_cache(maxsize=1)
def _enhancements() -> dict[str, dict[str, int]]:
    """Return the points of every enhancement, by its detachment."""
    path = files("datasheets").joinpath("rosters", "enhancements.toml")
    return tomli.loads(path.read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def _detachments() -> dict[str, str]:
    return {plain(name): name for name in _enhancements()}


def detachment_of(name: str) -> str:
    """Return the detachment that a name means, with its rule's name or without; "" for none."""
    return _detachments().get(plain(name)) or _detachments().get(plain(name.partition("(")[0]), "")


@lru_cache(maxsize=1)
def _by_enhancement() -> dict[str, tuple[tuple[str, str, int], ...]]:
    """Return the enhancements of each name, with or without its brackets, and their detachments."""
    found: dict[str, tuple[tuple[str, str, int], ...]] = {}
    for detachment, table in _enhancements().items():
        for name, points in table.items():
            for key in dict.fromkeys((plain(name), plain(name.partition("(")[0]))):
                found[key] = (*found.get(key, ()), (detachment, name, points))
    return found


def enhancement_of(name: str, detachments: Sequence[str] = ()) -> tuple[str, int] | None:
    """Return an enhancement's name and points, of these detachments first; None if it is none."""
    known = _by_enhancement().get(plain(name), ())
    own = [each for each in known if each[0] in detachments]
    return next(((each[1], each[2]) for each in (*own, *known)), None)
