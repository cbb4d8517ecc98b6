"""Reads the reference facts: one datasheet a line, names and numbers without rules text.

Owns what a datasheet is as a whole; its parts lie in `kinds`, `weapons`, `prices` and `leading`. What no
source says stands in the tables beside it. It names no datasheet and no faction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from datasheets.importers.carrying import own_wargear
from datasheets.importers.correcting import corrected
from datasheets.importers.kinds import kinds
from datasheets.importers.leading import Names, leads, with_joiners
from datasheets.importers.mixing import apart, groups, mixes
from datasheets.importers.naming import bare, plain
from datasheets.importers.prices import extra_points, points
from datasheets.importers.tables import table
from datasheets.importers.weapons import item_of, number, weapons
from datasheets.schema import (
    Ability,
    AbilityKind,
    Datasheet,
    Gear,
    ModelKind,
    Profile,
    Transport,
    TransportSlot,
    UnitSize,
)

Row = Mapping[str, Any]

CHARACTERISTICS = {"M": "M", "T": "T", "SV": "Sv", "W": "W", "LD": "Ld", "OC": "OC"}
ALL = "ALL MODELS"
"""Whose keywords are those of every model."""
ALIKE = 0.8
"""How alike the names of an ability and of the item that brings it must be, of 1."""


def datasheets(rows: Iterable[Row], includes: Mapping[str, Sequence[str]] | None = None) -> list[Datasheet]:
    """Return the datasheets of the rows of all factions, in order of id.

    `includes` are, by faction, those whose sheets its armies have too. Build-a-character sheets and rows
    without a single profile are left out.
    """
    used = [_with_models(row) for row in rows if not row.get("crucible") and row["profiles"]]
    names = Names(used, includes or {})
    sheets = (corrected(_datasheet(row, names)) for row in used)
    return with_joiners(sorted(sheets, key=lambda sheet: sheet.id))


def _datasheet(row: Row, names: Names) -> Datasheet:
    of_all = [word for who, own in row.get("keywords_by_model", {}).items() for word in own if who == ALL]
    keywords = tuple(sorted({word.upper() for word in (*row["keywords"], *of_all)}))
    profiles, items = weapons(row)
    core = tuple(token for token in map(_core, row["core_abilities"]) if token)
    bracket = row.get("damaged")
    models = kinds(row, keywords, items)
    return Datasheet(
        id=row["id"],
        name=bare(row["name"]),
        faction=row["faction"],
        keywords=keywords,
        faction_keywords=tuple(sorted({word.upper() for word in row["faction_keywords"]})),
        core_abilities=core,
        abilities=tuple(_abilities(row, core)),
        leads=leads(row, names),
        points=points(row, models),
        extra_points=extra_points(row),
        unit_size=UnitSize(minimum=row["unit_size"]["min"], maximum=row["unit_size"]["max"]),
        profiles=_profiles(row),
        models=models,
        groups=groups(row, models),
        mixes=mixes(row),
        apart=apart(row),
        gear=tuple(_gear(row, models)),
        weapons=profiles,
        transport=_transport(row["transport"]),
        **_room(row),
        damaged=bracket["to"] if bracket else None,
        damaged_hit=_lost("hit", row, 1),
        damaged_oc=_lost("control", row, 0),
        legends=row["legends"],
        composition=tuple(each for each in row["composition"] if each[:1].isdigit()),
    )


def _with_models(row: Row) -> Row:
    """Return a row with a kind of model for each profile where the sources list none."""
    if row["models"]:
        return row
    size = row["unit_size"]
    listed = [
        {"name": profile["name"], "profile": profile["name"], "min": 0, "max": None, "default": 0}
        for profile in row["profiles"]
    ]
    listed[0] |= {"min": size["min"], "max": size["max"], "default": size["min"]}
    first = listed[0]["name"]
    armed = [weapon | {"carried": _carried_by(first, weapon)} for weapon in row["weapons"]]
    return {**row, "models": listed, "weapons": armed}


def _carried_by(model: str, weapon: Row) -> list[Row]:
    """Return the entries of a weapon that some model carries; always, where no source says how."""
    told = weapon["carried"] or [{"option": None, "item": weapon["name"], "default": True}]
    return [{**each, "model": model} for each in told]


def _core(token: str) -> str:
    """Return a core ability in lower case without inch marks and bearer; "" for a number."""
    return token.lower().replace('"', "").partition(" (")[0] if token[:1].isalpha() else ""


def _profiles(row: Row) -> tuple[Profile, ...]:
    names = {model["name"] for model in row["models"]}
    saves = [
        each
        for each in row["invuln"]
        if not each["scope"].startswith("wargear") and each["scope"].removeprefix("model:") not in names
    ]
    save = saves[0] if saves else None
    return tuple(
        Profile(
            name=profile["name"],
            characteristics={ours: number(profile[theirs]) for theirs, ours in CHARACTERISTICS.items()},
            invulnerable=number(save["save"]) if save else None,
            invulnerable_against=save.get("only") if save else None,
        )
        for profile in row["profiles"]
    )


def _gear(row: Row, models: Sequence[ModelKind]) -> Iterable[Gear]:
    """Return what wargear changes on its bearers: the table's, and invulnerable saves."""
    told = [each for each in table("gear")["gear"] if row["id"] in each["datasheets"]]
    for each in told:
        yield Gear(
            item=each["item"],
            invulnerable=each.get("invulnerable"),
            set=each.get("set", {}),
            add=each.get("add", {}),
            core_abilities=tuple(each.get("core", ())),
            keywords=tuple(each.get("keywords", ())),
            whole_unit=each.get("whole_unit", False),
            in_full=each.get("in_full", False),
        )
    for save in row["invuln"]:
        item = save["scope"].removeprefix("wargear:").removesuffix(":default")
        if save["scope"].startswith("wargear:") and item not in {each["item"] for each in told}:
            yield Gear(item=item, invulnerable=number(save["save"]))


def _abilities(row: Row, core: Iterable[str]) -> Iterable[Ability]:
    """Yield every ability of the datasheet: core, faction, its own, its wargear's, damaged."""
    elsewhere = {each["ability"]: each["faction"] for each in table("spelling")["army_rule"]}
    for token in core:
        yield Ability(name=token, kind="core")
    for name in row["faction_abilities"]:
        if elsewhere.get(name, row["faction"]) == row["faction"]:
            yield Ability(name=name, kind="faction")
    items: dict[str, str] = {}
    for each in own_wargear(row):
        items.setdefault(plain(each["item"]), item_of(row, each))
        items[plain(each["name"])] = item_of(row, each)
    brought: set[str | None] = set()
    for each in row["abilities"]:
        kind: AbilityKind = "wargear" if each.get("kind") == "wargear" else "datasheet"
        alike = get_close_matches(plain(each["name"]), items, n=1, cutoff=ALIKE if kind == "wargear" else 1)
        item = items[alike[0]] if alike else None
        brought.add(item)
        yield Ability(name=each["name"], kind=kind, item=item)
    names = {plain(each["name"]) for each in row["abilities"]}
    for each in own_wargear(row):
        if item_of(row, each) not in brought and plain(each["name"]) not in names:
            brought.add(item_of(row, each))
            yield Ability(name=each["name"], kind="wargear", item=item_of(row, each))
    if row.get("damaged"):
        yield Ability(name=f"Damaged 1-{row['damaged']['to']}", kind="damaged")


def _lost(what: str, row: Row, usual: int) -> int:
    """Return how much of it a damaged model loses by the table, else what is usual."""
    told = (int(each["lost"]) for each in table("damaged")[what] if row["id"] in each["datasheets"])
    return next(told, usual)


def _room(row: Row) -> dict[str, Any]:
    """Return the room that each model takes aboard, and the ability that says it, by the table."""
    told = [each for each in table("rooms")["room"] if each["datasheet"] == row["id"]]
    return {"room": told[0]["models"], "room_by": told[0]["ability"]} if told else {}


def _transport(transport: Row | None) -> Transport | None:
    if not transport or not transport.get("capacity"):
        return None
    return Transport(
        capacity=transport["capacity"],
        # What a list of units begins with is a sentence; the units are facts.
        allows=(transport.get("allows") or "").removeprefix("models from the following units: "),
        excludes=tuple(transport.get("excludes") or ()),
        slots=tuple(
            TransportSlot(keyword=each["kw"], models=each["n"]) for each in transport.get("slots") or ()
        ),
    )
