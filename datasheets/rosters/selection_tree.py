"""Lists that are a tree of selections, as BattleScribe, New Recruit and ListForge save them.

Owns what the tree means; `json_list` and `xml_list` read it. Numbers and points are of the whole unit
already, nothing is multiplied. Rules and profiles stay unread.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from datasheets.rosters.list_words import edition_of_system, mark_of, other_edition, plain
from datasheets.rosters.raw_list import (
    MOST_DEPTH,
    MOST_UNITS,
    RawEnhancement,
    RawEntry,
    RawRoster,
    RawUnit,
    RefusedList,
    Remark,
)
from datasheets.rosters.text_line import first_number

GAME = ("40000", "40k")
FACTION_CATEGORY = "Faction: "


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """One selection: its name, type (unit, model, upgrade), number, own points and contents."""

    name: str
    type: str = ""
    number: int = 1
    points: int = 0
    group: str = ""
    categories: tuple[str, ...] = ()
    primary: str = ""
    inner: tuple[Selection, ...] = ()

    def everything(self) -> Iterator[Selection]:
        """Yield the selection and all within it."""
        yield self
        for each in self.inner:
            yield from each.everything()


class Force(msgspec.Struct, frozen=True):
    """A part of an army that is of one catalogue."""

    catalogue: str
    selections: tuple[Selection, ...]


class SavedList(msgspec.Struct, frozen=True, kw_only=True):
    """A whole saved list: its game, its points, its limit and its forces."""

    form: str
    name: str = ""
    system: str = ""
    system_name: str = ""
    total: int | None = None
    limit: int | None = None
    forces: tuple[Force, ...] = ()


def roster_of(saved: SavedList) -> RawRoster:
    """Return what a saved list says.

    Raises `RefusedList` for another game or edition, or where the list has no unit.
    """
    edition = edition_of_system(saved.system, saved.system_name)
    if edition:
        raise RefusedList(other_edition(edition))
    game = plain(saved.system_name)
    if game and not any(name in game for name in GAME):
        raise RefusedList("it is a list of another game; only lists of Warhammer 40,000 are read")
    selections = [each for force in saved.forces for each in force.selections]
    fielded = [each for each in selections if each.type in ("unit", "model")]
    units = [unit for each in fielded for unit in _units(each)]
    if not units:
        raise RefusedList("no unit is found in it")
    if len(units) > MOST_UNITS:
        raise RefusedList(f"it has {len(units)} units, more than any army")
    settings = [each for each in selections if each.type not in ("unit", "model")]
    odd = [each.name for each in settings if plain(each.primary) != "configuration" and not _is_setting(each)]
    return RawRoster(
        form=saved.form,
        name=saved.name,
        factions=_factions(saved, fielded),
        detachments=tuple(_detachments(settings)),
        limit=_limit(settings) or saved.limit,
        total=saved.total,
        units=tuple(units),
        unresolved=tuple(Remark(0, name) for name in odd),
    )


def _is_setting(selection: Selection) -> bool:
    name = plain(selection.name)
    return name.startswith("detachment") or name == "battlesize" or not (selection.inner or selection.points)


def _factions(saved: SavedList, fielded: Sequence[Selection]) -> tuple[str, ...]:
    """Return the catalogues of the forces, the first force's last; without any, what units say."""
    named = [force.catalogue for force in saved.forces if force.catalogue]
    if named:
        return tuple(dict.fromkeys(reversed(named)))
    said = [word for each in fielded for word in each.categories if word.startswith(FACTION_CATEGORY)]
    return tuple(dict.fromkeys(word.removeprefix(FACTION_CATEGORY) for word in said))


def _detachments(settings: Sequence[Selection]) -> Iterator[str]:
    for each in settings:
        if plain(each.name).startswith("detachment"):
            yield from (inner.name for inner in each.inner)


def _limit(settings: Sequence[Selection]) -> int | None:
    """Return the points of the battle's size ("2. Strike Force (2000 Point limit)")."""
    sizes = [inner.name for each in settings if plain(each.name) == "battlesize" for inner in each.inner]
    return next((number for name in sizes if (number := first_number(name.partition("(")[2]))), None)


def _units(selection: Selection) -> Iterator[RawUnit]:
    """Yield the unit that a selection is, or the several equal units that its number says."""
    copies = selection.number if selection.type == "unit" else 1
    copies = max(1, min(copies, MOST_UNITS))
    unit = _unit(selection)
    if copies > 1 and unit.points is not None:
        models = None if unit.models is None else unit.models // copies
        entries = tuple(_shared(each, copies) for each in unit.entries)
        unit = msgspec.structs.replace(unit, points=unit.points // copies, models=models, entries=entries)
    for _ in range(copies):
        yield unit


def _shared(entry: RawEntry, copies: int) -> RawEntry:
    inner = tuple(_shared(each, copies) for each in entry.inner)
    return msgspec.structs.replace(entry, count=max(1, entry.count // copies), inner=inner)


def _unit(selection: Selection) -> RawUnit:
    everything = list(selection.everything())
    models = sum(each.number for each in everything if each.type == "model")
    upgrades = [each for each in everything[1:] if each.type != "model"]
    bought = [each for each in upgrades if _is_enhancement(each)]
    return RawUnit(
        name=selection.name,
        points=sum(each.points for each in everything),
        models=models or None,
        entries=tuple(_entries(selection.inner)),
        warlord=any(mark_of(each.name) == "warlord" for each in upgrades),
        enhancements=tuple(RawEnhancement(each.name, each.points or None) for each in bought),
    )


def _is_enhancement(selection: Selection) -> bool:
    return selection.points > 0 or "enhancement" in selection.group.casefold()


def _entries(selections: Sequence[Selection]) -> Iterator[RawEntry]:
    """Yield what is within a unit, but its Warlord's mark and its enhancements."""
    for each in selections:
        is_model = each.type in ("model", "unit")
        if not is_model and (mark_of(each.name) or _is_enhancement(each)):
            continue
        inner = tuple(_entries(each.inner))
        yield RawEntry(each.name, each.number, kind="model" if is_model else "gear", inner=inner)


def too_deep() -> RefusedList:
    """Return the refusal of a list whose parts are nested too deeply."""
    return RefusedList(f"its selections are nested more than {MOST_DEPTH} deep; that is no army list")
