"""The weapons of a datasheet: its profiles, and which item of ours each kind of model carries."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from datasheets.importers.tables import table
from datasheets.schema import Weapon

Row = Mapping[str, Any]


def weapons(row: Row) -> tuple[tuple[Weapon, ...], dict[tuple[str, str, str | None], str]]:
    """Return the weapon profiles and, by model, printed item and option, the item of ours carried there.

    Two weapons of one name with different numbers are told apart: by the option that brings one of them, if
    the table of spellings says so, else by the model that carries the later one.
    """
    known: dict[tuple[str, str], Weapon] = {}
    items: dict[tuple[str, str, str | None], str] = {}
    found: list[Weapon] = []
    for weapon in row["weapons"]:
        item = weapon["carried"][0]["item"] if weapon["carried"] else weapon["name"]
        own = _weapon(weapon, weapon["name"] + _bearer(weapon), item + _bearer(weapon))
        first = known.get((own.name.lower(), own.type))
        if first is not None and replace(own, name=first.name, item=first.item) != first:
            suffix = f" ({weapon['carried'][0]['model']})"
            own = replace(own, name=own.name + suffix, item=own.item + suffix)
            first = None
        if first is None:
            known[own.name.lower(), own.type] = own
            found.append(own)
        for each in weapon["carried"]:
            items[each["model"], each["item"], each["option"]] = (first or own).item
    return tuple(found), items


def _bearer(weapon: Row) -> str:
    """Return what tells a weapon apart that comes with an option of the table of spellings."""
    ends = {(each["option"] or "").rpartition(" / ")[2] for each in weapon["carried"]}
    bearers = table("spelling")["bearer"]["options"]
    return next((f" ({end})" for end in sorted(ends) if end in bearers), "")


def _weapon(weapon: Row, name: str, item: str) -> Weapon:
    is_melee = weapon["type"] == "melee"
    skill = weapon["WS" if is_melee else "BS"]
    return Weapon(
        name=name,
        item=item,
        type=weapon["type"],
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
    """Return a weapon keyword in lower case, spelled as most are ("anti-vehicle 3+", "twin-linked")."""
    word = re.sub(r"^anti ", "anti-", text.lower())
    word = re.sub(r"^(anti-.*\d)$", r"\1+", word)
    return str(table("spelling")["keyword"].get(word, word))
