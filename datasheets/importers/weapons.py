"""The weapons of a datasheet: its profiles, and which item of ours each kind of model carries."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from datasheets.importers.tables import table
from datasheets.schema import Weapon

Row = Mapping[str, Any]


def weapons(row: Row) -> tuple[tuple[Weapon, ...], dict[tuple[str, str], str]]:
    """Return the weapon profiles and, by model and printed item, the item of ours that the model carries.

    Two weapons of one name with different numbers are told apart by the model that carries the first.
    """
    seen: dict[tuple[str, str], str] = {}
    items: dict[tuple[str, str], str] = {}
    found: list[Weapon] = []
    for weapon in row["weapons"]:
        carriers = [each["model"] for each in weapon["carried"]]
        item = weapon["carried"][0]["item"] if weapon["carried"] else weapon["name"]
        key = (weapon["name"].lower(), weapon["type"])
        suffix = f" ({carriers[0]})" if key in seen else ""
        seen.setdefault(key, item)
        for each in weapon["carried"]:
            items[each["model"], each["item"]] = item + suffix
        found.append(_weapon(row["id"], weapon, weapon["name"] + suffix, item + suffix))
    return tuple(found), items


def _weapon(sheet: str, weapon: Row, name: str, item: str) -> Weapon:
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
