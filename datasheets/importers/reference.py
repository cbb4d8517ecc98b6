"""Reads the project's reference facts: one datasheet a line, names and numbers without any rules text.

Owns the mending of what the sources spell differently and the repairs that their report asks for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from datasheets.importers.footprint import from_wounds, height, hull, missing_base
from datasheets.importers.options import Piece, choices, path_of
from datasheets.schema import (
    Ability,
    AbilityKind,
    BaseSize,
    Carried,
    Datasheet,
    ModelKind,
    PointsRow,
    Profile,
    Transport,
    TransportSlot,
    UnitSize,
    Weapon,
)

Row = Mapping[str, Any]

CHARACTERISTICS = {"M": "M", "T": "T", "SV": "Sv", "W": "W", "LD": "Ld", "OC": "OC"}

SECOND_LEADERS = (
    "space-marines/ancient",
    "space-marines/ancient-in-terminator-armor",
    "space-marines/apothecary",
    "space-marines/apothecary-biologis",
    "space-marines/bladeguard-ancient",
    "space-marines/lieutenant",
    "space-marines/lieutenant-in-phobos-armour",
    "space-marines/lieutenant-in-reiver-armour",
    "space-marines/lieutenant-titus",
    "death-guard/biologus-putrifier",
    "death-guard/foul-blightspawn",
    "death-guard/icon-bearer",
    "death-guard/noxious-blightbringer",
    "death-guard/plague-surgeon",
    "death-guard/tallyman",
)
"""Leaders that may join a unit which another leads; the sources do not print it, so it is our own list."""

SHARED_LIMITS = {
    "death-guard/blightlord-terminators": ("plague spewer", "blight launcher", "reaper autocannon"),
}
"""Words of kinds of model that share one limit on a datasheet, where the sources limit each by itself."""


def datasheets(rows: Iterable[Row]) -> list[Datasheet]:
    """Return the datasheets of the rows, in order of id.

    Build-a-character sheets and rows without a single profile are left out.
    """
    used = [_with_models(row) for row in rows if not row.get("crucible") and row["profiles"]]
    ids: dict[str, list[str]] = {}
    for row in used:
        ids.setdefault(_plain(row["name"]), []).append(row["id"])
    return sorted((_datasheet(row, ids) for row in used), key=lambda sheet: sheet.id)


def _datasheet(row: Row, ids: Mapping[str, list[str]]) -> Datasheet:
    keywords = tuple(sorted({word.upper() for word in row["keywords"]}))
    weapons, items = _weapons(row)
    core = tuple(token for token in map(_core, row["core_abilities"]) if token)
    damaged = row.get("damaged")
    return Datasheet(
        id=row["id"],
        name=_bare(row["name"]),
        faction=row["faction"],
        keywords=keywords,
        faction_keywords=tuple(sorted({word.upper() for word in row["faction_keywords"]})),
        core_abilities=core,
        abilities=tuple(_abilities(row, core)),
        leads=tuple(sorted({each for name in row["leads"] for each in ids.get(_plain(name), [])})),
        joins_leader=row["id"] in SECOND_LEADERS,
        points=_points(row),
        unit_size=UnitSize(minimum=row["unit_size"]["min"], maximum=row["unit_size"]["max"]),
        profiles=_profiles(row),
        models=tuple(_model(row, model, keywords, items) for model in row["models"]),
        weapons=weapons,
        transport=_transport(row["transport"]),
        damaged=damaged["to"] if damaged else None,
        legends=row["legends"],
        composition=tuple(row["composition"]),
    )


def _with_models(row: Row) -> Row:
    """Return a row with a kind of model for each profile where the sources list none."""
    if row["models"]:
        return row
    size = row["unit_size"]
    kinds = [
        {"name": profile["name"], "profile": profile["name"], "min": 0, "max": None, "default": 0}
        for profile in row["profiles"]
    ]
    kinds[0] |= {"min": size["min"], "max": size["max"], "default": size["min"]}
    carried = [{"model": kinds[0]["name"], "option": None, "default": True}]
    weapons = [
        weapon | {"carried": [each | {"item": weapon["name"]} for each in carried]}
        for weapon in row["weapons"]
    ]
    return {**row, "models": kinds, "weapons": weapons}


def _plain(name: str) -> str:
    return _bare(name).lower()


def _bare(name: str) -> str:
    return name.replace("[Legends]", "").strip()


def _number(text: str) -> int:
    """Return the first whole number of a printed characteristic; 0 for a dash."""
    found = re.search(r"\d+", text)
    return int(found.group()) if found else 0


def _core(token: str) -> str:
    """Return a core ability in lower case without inch marks; "" for a stray number."""
    return token.lower().replace('"', "") if token[:1].isalpha() else ""


def _points(row: Row) -> tuple[PointsRow, ...]:
    rows = row.get("points_now") or row["points"]
    if not rows:
        return (PointsRow(models=row["unit_size"]["max"], points=0),)
    if "models" not in rows[0]:
        ends = [each["models_from"] - 1 for each in rows[1:]] + [row["unit_size"]["max"]]
        rows = [{"models": end, "pts": each["pts"]} for each, end in zip(rows, ends, strict=True)]
    found = [PointsRow(models=each["models"], points=each["pts"]) for each in rows if each["models"]]
    return tuple(sorted(found, key=lambda each: each.models))


def _profiles(row: Row) -> tuple[Profile, ...]:
    save = next((each for each in row["invuln"] if not each["scope"].startswith("wargear")), None)
    return tuple(
        Profile(
            name=profile["name"],
            characteristics={ours: _number(profile[theirs]) for theirs, ours in CHARACTERISTICS.items()},
            invulnerable=_number(save["save"]) if save else None,
            invulnerable_against=save.get("only") if save else None,
        )
        for profile in row["profiles"]
    )


def _weapons(row: Row) -> tuple[tuple[Weapon, ...], dict[tuple[str, str], str]]:
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
        found.append(_weapon(weapon, weapon["name"] + suffix, item + suffix))
    return tuple(found), items


def _weapon(weapon: Row, name: str, item: str) -> Weapon:
    is_melee = weapon["type"] == "melee"
    skill = weapon["WS" if is_melee else "BS"]
    return Weapon(
        name=name,
        item=item,
        type=weapon["type"],
        range=None if is_melee else float(_number(weapon["range"])),
        attacks=weapon["A"].upper(),
        skill=_number(skill) or None,
        strength=_number(weapon["S"]),
        ap=int(weapon["AP"]) if weapon["AP"] != "-" else 0,
        damage=weapon["D"].upper(),
        keywords=tuple(sorted(_keyword(each) for each in weapon["keywords"])),
    )


def _keyword(text: str) -> str:
    """Return a weapon keyword in lower case with its hyphen ("anti-vehicle 3+", "sustained hits d3")."""
    return text.lower().replace("anti ", "anti-")


def _model(
    row: Row, model: Row, keywords: tuple[str, ...], items: Mapping[tuple[str, str], str]
) -> ModelKind:
    name = model["name"]
    pieces = [
        Piece(
            item=items[name, each["item"]],
            is_melee=weapon["type"] == "melee",
            is_default=each["default"],
            count=each.get("count") or 1,
            path=path_of(each["option"]),
        )
        for weapon in row["weapons"]
        for each in weapon["carried"]
        if each["model"] == name
    ]
    is_special = model["default"] == 0
    fixed, options = choices(pieces, Counter() if is_special else _printed(row, name), is_special)
    extra = {each["item"] for each in row["wargear_abilities"] if each["model"] == name and each["default"]}
    base = _base(row, name)
    names = {each["name"] for each in row["profiles"]}
    return ModelKind(
        name=_bare(name),
        profile=model["profile"] if model["profile"] in names else row["profiles"][0]["name"],
        base=base,
        height=height(base, keywords),
        minimum=_minimum(row, model),
        maximum=model["max"],
        default=model["default"],
        group=_group(row, model),
        items=fixed + tuple(Carried(item=item) for item in sorted(extra)),
        options=options,
    )


def _minimum(row: Row, model: Row) -> int:
    """Return the fewest models of a kind, with room for the kinds that may replace it.

    The sources count an ordinary kind's minimum as if nobody in the smallest unit were of a special kind.
    """
    minimum: int = model["min"]
    smallest, largest = int(row["unit_size"]["min"]), int(row["unit_size"]["max"])
    others = sum(int(each["min"]) for each in row["models"]) - minimum
    instead = [each for each in row["models"] if each["default"] == 0 and _set(each) == _set(model)]
    if minimum == model["max"] or not instead or others + minimum < smallest:
        return minimum
    limits = [int(each["max"] or largest) for each in instead]
    if max(limits) >= largest - others:
        return 0
    return max(0, smallest - others - sum(max(1, limit * smallest // largest) for limit in limits))


def _set(model: Row) -> str:
    """Return the outermost group of a kind of model."""
    return str(model.get("group")).split(" / ")[0]


def _group(row: Row, model: Row) -> str | None:
    """Return the group that a kind of model belongs to; kinds of one sub-group share a limit."""
    group: str | None = model.get("group")
    words = SHARED_LIMITS.get(row["id"], ())
    return f"{group} / Shared limit" if any(word in model["name"] for word in words) else group


def _printed(row: Row, model: str) -> Counter[str]:
    """Return the items of the printed default loadout of this model, counted, by lower-case name."""
    loadouts = (row.get("default_loadout") or {}).get("models", [])
    first = model.lower().split(" w/")[0].rstrip("s")
    own = [each for each in loadouts if first in each["who"].lower()]
    general = [each for each in loadouts if each["who"] in ("This model", "Every model", "Each model")]
    counted: Counter[str] = Counter()
    for loadout in own or general:
        for each in loadout["items"]:
            name = each["item"].lower()
            profile = each["profiles"][0].lower().split(" - ")[0] if each["profiles"] else name
            counted[profile if profile.rstrip("s") == name.rstrip("s") else name] += each["count"]
    return counted


def _base(row: Row, model: str) -> BaseSize:
    """Return the base of a model: the list's entry for it, else the first; an estimate where it has none."""
    bases = row["base"]
    name = model.lower().split(" w/")[0].rstrip("s")
    entry = next(
        (each for each in bases if each["model"].lower().rstrip("s") in name), bases[0] if bases else None
    )
    if entry is None:
        return missing_base(row["name"]) or from_wounds(row)
    if entry["shape"] not in ("round", "oval") or not entry["mm"]:
        return hull(model) or hull(row["name"]) or from_wounds(row)
    return BaseSize(shape=entry["shape"], mm=tuple(entry["mm"]), flying=entry["flying"])


def _abilities(row: Row, core: Iterable[str]) -> Iterable[Ability]:
    """Return every ability of the datasheet by name: core, faction, its own, its wargear's, being damaged."""
    items = {each["name"]: each["item"] for each in row["wargear_abilities"]}
    for token in core:
        yield Ability(name=token, kind="core")
    for name in row["faction_abilities"]:
        if name != "Templar Vows":
            yield Ability(name=name, kind="faction")
    for each in row["abilities"]:
        kind: AbilityKind = "wargear" if each.get("kind") == "wargear" else "datasheet"
        yield Ability(name=each["name"], kind=kind, item=items.get(each["name"]))
    if row.get("damaged"):
        yield Ability(name=f"Damaged 1-{row['damaged']['to']}", kind="damaged")


def _transport(transport: Row | None) -> Transport | None:
    if not transport or not transport.get("capacity"):
        return None
    return Transport(
        capacity=transport["capacity"],
        allows=transport.get("allows") or "",
        excludes=tuple(transport.get("excludes") or ()),
        slots=tuple(
            TransportSlot(keyword=each["kw"], models=each["n"]) for each in transport.get("slots") or ()
        ),
    )
