"""The weapons of a datasheet: its profiles, and the items that each kind of model carries."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from datasheets.importers.naming import plain
from datasheets.importers.tables import table
from datasheets.schema import Weapon

Row = Mapping[str, Any]
MELEE = "melee"
"""How a weapon for striking is marked, in its type or in its range."""


def weapons(row: Row) -> tuple[tuple[Weapon, ...], dict[tuple[str, str, str | None], tuple[str, ...]]]:
    """Return the weapon profiles, and our items by model, printed item and option.

    Two weapons of one name with different numbers are told apart: by the option that brings one of them, if
    the table of spellings says so, else by the model that carries the later one.
    """
    known: dict[tuple[str, str], Weapon] = {}
    items: dict[tuple[str, str, str | None], tuple[str, ...]] = {}
    found: list[Weapon] = []
    for weapon in row["weapons"]:
        item = _item(weapon)
        bearer = _bearer(weapon) if _is_twin(weapon, row) else ""
        own = _weapon(weapon, weapon["name"] + bearer, item + bearer)
        first = known.get((own.name.lower(), own.type))
        if first is not None and replace(own, name=first.name, item=first.item) != first:
            suffix = f" ({weapon['carried'][0]['model']})"
            own = replace(own, name=own.name + suffix, item=own.item + suffix)
            first = None
        if first is None:
            known[own.name.lower(), own.type] = own
            found.append(own)
        for each in weapon["carried"]:
            key = (each["model"], each["item"], each["option"])
            items[key] = tuple(dict.fromkeys((*items.get(key, ()), (first or own).item)))
    for ability in row["wargear_abilities"]:
        for key in [key for key in items if key[:2] == (ability["model"], ability["item"])]:
            if item_of(row, ability) != ability["item"]:
                items[key] = tuple(dict.fromkeys((*items[key], item_of(row, ability))))
    return tuple(found), items


def item_of(row: Row, ability: Row) -> str:
    """Return the item that brings an ability: of a pack ("Axe and shield") its own part."""
    armed = {(each["model"], each["item"]) for weapon in row["weapons"] for each in weapon["carried"]}
    is_part = plain(ability["name"]) in plain(ability["item"]) and _is_pack(ability["item"])
    if (ability["model"], ability["item"]) in armed and is_part:
        return str(ability["name"])
    return str(ability["item"])


def _item(weapon: Row) -> str:
    """Return the item that a weapon is a profile of: the first of its own name, if any."""
    items = [str(each["item"]) for each in weapon["carried"]] or [str(weapon["name"])]
    base = weapon["name"].partition(" - ")[0]
    named = [item for item in items if plain(item) in plain(weapon["name"])]
    if not named and _is_pack(items[0]) and plain(base) in plain(items[0]):
        return str(base)
    return (named or items)[0]


def _is_pack(item: str) -> bool:
    """Return whether an item of the sources is several."""
    return any(word in item for word in (" & ", " and ", ", "))


def _is_twin(weapon: Row, row: Row) -> bool:
    """Return whether a datasheet has another weapon of this name and type."""
    names = [(each["name"].lower(), each["type"]) for each in row["weapons"]]
    return names.count((weapon["name"].lower(), weapon["type"])) > 1


def _bearer(weapon: Row) -> str:
    """Return what tells a weapon apart that comes with an option of the table of spellings."""
    ends = {(each["option"] or "").rpartition(" / ")[2] for each in weapon["carried"]}
    bearers = table("spelling")["bearer"]["options"]
    return next((f" ({end})" for end in sorted(ends) if end in bearers), "")


def _weapon(weapon: Row, name: str, item: str) -> Weapon:
    is_melee = MELEE in (weapon["type"], weapon["range"].lower())
    skill = weapon["WS" if weapon["type"] == MELEE else "BS"]
    return Weapon(
        name=name,
        item=item,
        type="melee" if is_melee else "ranged",
        range=None if is_melee else float(number(weapon["range"])),
        attacks=weapon["A"].upper(),
        skill=number(skill) or None,
        strength=_strength(weapon["S"]),
        ap=int(weapon["AP"]) if weapon["AP"] != "-" else 0,
        damage=weapon["D"].upper(),
        keywords=tuple(sorted({keyword(each) for each in weapon["keywords"]})),
    )


def _strength(text: str) -> int | str:
    """Return a Strength as a number, or as the dice that it is rolled with."""
    return text.upper() if "D" in text.upper() else number(text)


def number(text: str) -> int:
    """Return the first whole number of a printed characteristic; 0 for a dash."""
    found = re.search(r"\d+", text)
    return int(found.group()) if found else 0


def keyword(text: str) -> str:
    """Return a weapon keyword in lower case and in our spelling ("anti-vehicle 3+")."""
    word = re.sub(r"^anti ", "anti-", text.lower())
    word = re.sub(r"^(anti-.*\d)$", r"\1+", word)
    return str(table("spelling")["keyword"].get(word, word))
