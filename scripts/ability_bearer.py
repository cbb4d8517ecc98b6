"""The unit that bears an ability: its datasheets, what its models carry, and their widths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice

from datasheets.library import Library
from datasheets.loadout import default_loadout
from datasheets.schema import Datasheet

MM = 25.4


def bearers(
    sheet: Datasheet, library: Library, named: Sequence[str] = (), *, led: bool
) -> tuple[Datasheet, ...]:
    """Return the datasheets of a bearer's unit, the bodyguard first; its own alone if not led.

    Of its leaders, and of those that it leads, it is the first that is named, if any is.
    """
    if not led:
        return (sheet,)
    if sheet.leads:
        bodies = [library.datasheet(each) for each in (sheet.leads if named else sheet.leads[:1])]
        return (next((body for body in bodies if _words(body) & {*named}), bodies[0]), sheet)
    leaders = leaders_of(library, sheet.id)
    wanted = [each for each in leaders if each.name.upper() in named]
    return (sheet, *(wanted or leaders)[:1])


def _words(sheet: Datasheet) -> set[str]:
    """Return the name of a datasheet with the keywords of it and of its models."""
    return {sheet.name.upper(), *sheet.keywords, *(word for kind in sheet.models for word in kind.keywords)}


@cache
def leaders_of(library: Library, sheet: str) -> tuple[Datasheet, ...]:
    """Return the datasheets that can lead a unit of this one, those of its own faction first."""
    own = sheet.partition("/")[0]
    factions = (own, *library.faction(own).includes)
    return tuple(each for name in factions for each in library.datasheets(name) if sheet in each.leads)


def size_with(sheet: Datasheet, names: Sequence[str]) -> int:
    """Return the smallest size of a unit with a model of one of these names, if any."""
    kinds = {kind.name for kind in sheet.models} & {*names}
    sizes = (n for n in sheet.sizes if kinds & {model.kind for model in default_loadout(sheet, n)})
    return next(sizes, sheet.sizes[0])


def wargear_of(sheet: Datasheet, items: Sequence[str], *, armed: bool) -> dict[str, int]:
    """Return a bearer's wargear: these items and, if armed, a melee weapon of each choice."""
    known = {weapon.name.lower(): weapon.item for weapon in sheet.weapons}
    plain = {each.item for model in default_loadout(sheet, sheet.sizes[0]) for each in model.items}
    asked = [
        *dict.fromkeys(known.get(name.lower(), name) for name in items),
        *(_arms(sheet) if armed else ()),
    ]
    return {item: asked.count(item) for item in asked if item not in plain}


def _arms(sheet: Datasheet) -> Iterator[str]:
    """Yield a melee weapon, alone, of each choice of a datasheet's models."""
    melee = {weapon.item for weapon in sheet.weapons if weapon.type == "melee"}
    for option in (option for kind in sheet.models for option in kind.options):
        alone = (each[0].item for each in option.alternatives if len(each) == 1 and each[0].item in melee)
        yield from islice(alone, 1)


def radius_of(sheet: Datasheet) -> float:
    """Return the radius in inches of the widest base of a datasheet's models, along its facing."""
    sizes = (kind.base.inches or tuple(mm / MM for mm in kind.base.mm) for kind in sheet.models)
    return max(map(max, sizes)) / 2
