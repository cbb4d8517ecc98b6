"""Overrides: a file of facts that replace packaged ones, as after a balance update.

Owns what such a file may say, where it lies, and what a datasheet is under it. The library asks for it; it is
made by an importer.

    {"edition": "w40k-10", "source": "…", "datasheets": {"death-guard/plague-marines": {"points": [ … ]}}}

A datasheet may be given any field of `schema.Datasheet` but its id and its faction. Each is replaced whole.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType, structs

from datasheets.errors import BadData, unknown
from datasheets.outside import bounded
from datasheets.record import TOO_DEEP, Record, read_text, record
from datasheets.schema import Datasheet

VARIABLE = "HORDE_OVERRIDES"
"""The environment variable that names the file in force; an empty value is none."""
FILE = "overrides.json"
"""The file in the user's data folder that is in force where the variable is not set."""
FIXED = ("id", "faction")
"""The fields of a datasheet by which it is found."""


class Overrides(Record, frozen=True):
    """What a file of overrides says: edition, source, and new fields by datasheet."""

    edition: str
    source: str
    datasheets: dict[str, dict[str, Any]]

    def of(self, factions: Iterable[str]) -> dict[str, dict[str, Any]]:
        """Return what is said of the datasheets whose ids begin with one of these names."""
        wanted = frozenset(factions)
        return {id: told for id, told in self.datasheets.items() if id.partition("/")[0] in wanted}


def default_path() -> Path:
    """Return the place of the file in the user's data folder, whether or not it is there."""
    # Seldom needed: the environment names the file, or says that there is none.
    from platformdirs import user_data_path

    return user_data_path("horde") / FILE


def path_in_force() -> Path | None:
    """Return the file of overrides in force, the environment's or the user's, if there is one.

    Raises BadData where the environment names a file that is not there.
    """
    named = os.environ.get(VARIABLE)
    if named is None:
        path = default_path()
        return path if path.is_file() else None
    if not named:
        return None
    if not Path(named).is_file():
        raise BadData(named, "", f"there is no such file of overrides; mend {VARIABLE}, or empty it for none")
    return Path(named)


def load_overrides(path: Path, edition: str) -> Overrides:
    """Return the overrides of a file. Raises BadData for the first fault, by its key."""
    try:
        data = bounded(msgspec.json.decode(read_text(path)), str(path))
    except msgspec.DecodeError as error:
        raise BadData(str(path), "", f"is no JSON file ({error})") from None
    except RecursionError:
        raise BadData(str(path), "", TOO_DEEP) from None
    found = record(Overrides, data, str(path))
    if found.edition != edition:
        raise BadData(str(path), "edition", f"should be '{edition}', not '{found.edition}'")
    for name, told in found.datasheets.items():
        record(_change(), told, f"{path}, {name}")
    return found


def check_ids(overrides: Overrides, faction: str, known: Iterable[str], path: Path) -> None:
    """Raise BadData for the first datasheet of a faction that is overridden, but not known."""
    ids = frozenset(known)
    for name in overrides.of((faction,)):
        if name not in ids:
            raise BadData(str(path), f"datasheets.{name}", str(unknown(name, ids, "datasheet")))


def overridden(sheet: Datasheet, overrides: Overrides, path: Path) -> Datasheet:
    """Return a datasheet with the fields that overrides give it.

    Raises BadData where the new fields do not fit the others.
    """
    if sheet.id not in overrides.datasheets:
        return sheet
    change = record(_change(), overrides.datasheets[sheet.id], f"{path}, {sheet.id}")
    given = {name: getattr(change, name) for name in change.__struct_fields__}
    found = structs.replace(sheet, **{name: each for name, each in given.items() if each is not UNSET})
    fault = _misfit(sheet, found)
    if fault:
        raise BadData(f"{path}, {sheet.id}", *fault)
    return found


def _misfit(sheet: Datasheet, found: Datasheet) -> tuple[str, str] | None:
    """Return the key and the mend of the first new field that does not fit the others."""
    for key in ("points", "profiles", "models"):
        if not getattr(found, key):
            return key, "should be a list in [brackets] that is not empty"
    names = set(sheet.profiles[0].characteristics)
    for number, profile in enumerate(found.profiles):
        if set(profile.characteristics) != names:
            return f"profiles.{number}.characteristics", f"should have the keys {', '.join(sorted(names))}"
    profiles = {profile.name for profile in found.profiles}
    armed = {weapon.item for weapon in sheet.weapons} - {weapon.item for weapon in found.weapons}
    for number, kind in enumerate(found.models):
        if kind.profile not in profiles:
            return f"models.{number}.profile", f"no profile is called '{kind.profile}'"
        carried = [*kind.items, *(each for o in kind.options for some in o.alternatives for each in some)]
        lost = next((each.item for each in carried if each.item in armed), None)
        if lost is not None:
            return "weapons", f"'{lost}' has no profile any more, but {kind.name} carries it; give it one"
    return None


@cache
def _change() -> type[msgspec.Struct]:
    """Return the record of new fields: each but the fixed ones may be said, none must."""
    fields = [each for each in structs.fields(Datasheet) if each.name not in FIXED]
    made = [(each.name, each.type | UnsetType, UNSET) for each in fields]
    return msgspec.defstruct("Change", made, frozen=True, forbid_unknown_fields=True)
