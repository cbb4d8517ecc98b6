"""Compares the packaged datasheets, field by field, with the facts that they were made from.

    python scripts/compare_facts.py FOLDER [--decisions FILE] [--data FOLDER]

FOLDER holds the facts, a file <faction>.jsonl each. The script reads them by itself and shares no code with
the importer. It prints how many values it compared, of each field and of each faction, and every difference.
A difference is decided where the file of decisions lists the field and the datasheet, with the reason. The
exit code is 1 where one is not, or where a decision decides nothing.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from datasheets.record import record
from datasheets.schema import Datasheet, ModelKind, Weapon

SHEETS = Path(__file__).resolve().parent.parent / "datasheets"
DATA = SHEETS / "data" / "w40k-10"
DECISIONS = SHEETS / "importers" / "decisions.toml"
PRINTED = {"M": "M", "T": "T", "SV": "Sv", "W": "W", "LD": "Ld", "OC": "OC"}
Row = Mapping[str, Any]


class Check(NamedTuple):
    """One value compared: the field, what the facts say, what the data says."""

    field: str
    facts: object
    data: object


class Difference(NamedTuple):
    """A value of a datasheet that is not what the facts say."""

    datasheet: str
    check: Check


@cache
def plain(text: str) -> str:
    """Return a name in lower case without marks that the sources write in two ways."""
    text = text.replace("[Legends]", "").replace("’", "'").replace("‘", "'")
    return " ".join(text.lower().split())


def whole(text: str | None) -> int:
    """Return the number in a printed value, 0 where it has none."""
    digits = re.search(r"\d+", text or "")
    return int(digits[0]) if digits else 0


def is_called(name: str, wanted: str) -> bool:
    """Return whether a name is the wanted one, or that with a word in brackets or of wargear."""
    return plain(name) == plain(wanted) or plain(name).startswith(
        (f"{plain(wanted)} (", f"{plain(wanted)} w/ ")
    )


def checks(row: Row, sheet: Datasheet, known: Mapping[str, set[str]]) -> Iterator[Check]:
    """Return every value of a datasheet that can be compared."""
    yield Check("name", plain(row["name"]), plain(sheet.name))
    yield Check("faction", row["faction"], sheet.faction)
    yield Check("legends", row["legends"], sheet.legends)
    said = {*row["keywords"], *row.get("keywords_by_model", {}).get("ALL MODELS", ())}
    yield Check("keywords", {word.upper() for word in said}, set(sheet.keywords))
    yield Check("faction keywords", {w.upper() for w in row["faction_keywords"]}, set(sheet.faction_keywords))
    size = (row["unit_size"]["min"], row["unit_size"]["max"])
    yield Check("unit size", size, (sheet.unit_size.minimum, sheet.unit_size.maximum))
    counted = [each for each in row["composition"] if each[:1].isdigit()]
    yield Check("composition", counted, list(sheet.composition))
    damaged = row.get("damaged")
    yield Check("damaged", damaged and (damaged["from"], damaged["to"]), sheet.damaged and (1, sheet.damaged))
    yield from profiles(row, sheet)
    yield from models(row, sheet)
    yield from saves(row, sheet)
    yield from abilities(row, sheet)
    yield from weapons(row, sheet)
    yield from wargear(row, sheet)
    yield from points(row, sheet)
    yield from bases(row, sheet)
    yield from transport(row, sheet)
    yield from leaders(row, sheet, known)


def profiles(row: Row, sheet: Datasheet) -> Iterator[Check]:
    """Return the characteristics of each profile."""
    ours = {each.name: each.characteristics for each in sheet.profiles}
    for each in row["profiles"]:
        said = {name: whole(each[theirs]) for theirs, name in PRINTED.items()}
        yield Check("profile", (each["name"], said), (each["name"], ours.get(each["name"])))
    yield Check("profiles", {each["name"] for each in row["profiles"]}, set(ours))


def models(row: Row, sheet: Datasheet) -> Iterator[Check]:
    """Return the kinds of model, and how many of each there may be.

    A minimum may be lower, as others may take the kind's place. Of a kind that stands several times, in
    several mixes or for several models, only the name is compared.
    """
    counts = Counter(plain(each["name"]) for each in row["models"])
    for each in row["models"]:
        kinds = _bearers(sheet, each["name"])
        yield Check("model", (each["name"], True), (each["name"], bool(kinds)))
        if not kinds or counts[plain(each["name"])] > 1:
            continue
        kind = kinds[0]
        yield Check("minimum", (kind.name, True), (kind.name, kind.minimum <= each["min"]))
        if each["max"] is not None:
            yield Check("maximum", (kind.name, each["max"]), (kind.name, kind.maximum))
        yield Check("default", (kind.name, each["default"]), (kind.name, kind.default))
        if each["profile"] in {own["name"] for own in row["profiles"]}:
            yield Check("profile of model", (kind.name, each["profile"]), (kind.name, kind.profile))
    for kind in sheet.models if row["models"] else ():
        told = any(is_called(kind.name, each["name"]) for each in row["models"])
        yield Check("model of ours", (kind.name, True), (kind.name, told))
    for owner, words in row.get("keywords_by_model", {}).items():
        own = {word.upper() for word in words} - set(sheet.keywords)
        found = {word for kind in sheet.models for word in kind.keywords}
        yield Check("keywords of model", (owner, set()), (owner, own - found))


def saves(row: Row, sheet: Datasheet) -> Iterator[Check]:
    """Return the invulnerable saves: of the unit, of kinds of model, and of what they carry."""
    names = {each["name"] for each in row["models"]}
    common = [save for save in row["invuln"] if _is_common(save["scope"], names)]
    said = (whole(common[0]["save"]), common[0].get("only")) if common else (None, None)
    for profile in sheet.profiles:
        yield Check("invulnerable", said, (profile.invulnerable, profile.invulnerable_against))
    for save in row["invuln"]:
        kind, _, name = save["scope"].partition(":")
        if kind == "model" and name in names:
            found = {each.invulnerable for each in sheet.models if is_called(each.name, name)}
            yield Check("invulnerable of model", (name, {whole(save["save"])}), (name, found))
        elif kind == "wargear":
            item = name.removesuffix(":default")
            gear = {each.invulnerable for each in sheet.gear if plain(each.item) == plain(item)}
            yield Check("invulnerable of wargear", (item, {whole(save["save"])}), (item, gear))


def _is_common(scope: str, names: set[str]) -> bool:
    kind, _, name = scope.partition(":")
    return kind in ("unit", "csv") or (kind == "model" and name not in names)


def abilities(row: Row, sheet: Datasheet) -> Iterator[Check]:
    """Return the abilities: core, of the army, of the datasheet and of its wargear."""
    core = {_token(each) for each in row["core_abilities"] if each[:1].isalpha()}
    yield Check("core abilities", core, set(sheet.core_abilities))
    for token, owner in row.get("core_by_model", {}).items():
        name = owner.partition(":")[2]
        found = {own for kind in sheet.models if is_called(kind.name, name) for own in kind.core_abilities}
        yield Check("core abilities of model", (owner, True), (owner, _token(token) in found))
    army = {each.name for each in sheet.abilities if each.kind == "faction"}
    yield Check("army rules", set(row["faction_abilities"]), army)
    own = Counter(each.name for each in sheet.abilities if each.kind in ("datasheet", "wargear"))
    said = Counter(each["name"] for each in row["abilities"])
    by_item = Counter({each["name"] for each in row["wargear_abilities"]} - set(said))
    yield Check("abilities", said, own - by_item)
    for ability in sheet.abilities:
        if ability.item:
            able = any(_most(kind, ability.item) for kind in sheet.models)
            yield Check("item of ability", (ability.name, True), (ability.name, able))


def _token(text: str) -> str:
    return text.lower().replace('"', "").split(" (")[0]


def weapons(row: Row, sheet: Datasheet) -> Iterator[Check]:
    """Return every profile of a weapon, in both directions."""
    ours = [(weapon, _numbers_of(weapon)) for weapon in sheet.weapons]
    theirs = [(weapon, _numbers(weapon)) for weapon in row["weapons"]]
    for weapon, numbers in theirs:
        same = [
            own for each, own in ours if is_called(each.name, weapon["name"]) and each.type == weapon["type"]
        ]
        found = numbers if numbers in same else next(iter(same), None)
        yield Check("weapon", (weapon["name"], numbers), (weapon["name"], found))
    for each, own in ours:
        told = any(is_called(each.name, w["name"]) and own == numbers for w, numbers in theirs)
        yield Check("weapon of ours", (each.name, True), (each.name, told))


def _numbers(weapon: Row) -> tuple[object, ...]:
    """Return the numbers and abilities of a weapon of the facts."""
    melee = weapon["type"] == "melee"
    strength = weapon["S"].upper()
    return (
        None if melee else float(whole(weapon["range"])),
        weapon["A"].upper(),
        whole(weapon["WS" if melee else "BS"]) or None,
        strength if "D" in strength else whole(strength),
        0 if weapon["AP"] == "-" else int(weapon["AP"]),
        weapon["D"].upper(),
        frozenset(map(_ability, weapon["keywords"])),
    )


def _numbers_of(weapon: Weapon) -> tuple[object, ...]:
    """Return the numbers and abilities of a weapon of the data."""
    named = frozenset(map(_ability, weapon.keywords))
    first = (weapon.range, weapon.attacks, weapon.skill, weapon.strength)
    return (*first, weapon.ap, weapon.damage, named)


def _ability(text: str) -> str:
    """Return a weapon's ability without what is spelled in two ways."""
    return text.lower().replace("-", " ").rstrip("+")


def wargear(row: Row, sheet: Datasheet) -> Iterator[Check]:
    """Return whether each kind of model may carry what the facts say, and nothing else."""
    for weapon in row["weapons"]:
        for each in weapon["carried"]:
            kinds = _bearers(sheet, each["model"])
            wanted = each.get("count") or 1
            names = (each["item"], weapon["name"], weapon["name"].partition(" - ")[0])
            most = max((_most(kind, name) for kind in kinds for name in names), default=0)
            where = (each["model"], each["item"])
            yield Check("carried", (where, True), (where, most >= wanted))
            if each["option"] is None and each["default"]:
                carried = [c.item for kind in kinds for c in kind.items]
                always = any(is_called(item, name) for item in carried for name in names)
                yield Check("always carried", (where, True), (where, always))
    for each in row["wargear_abilities"]:
        kinds = _bearers(sheet, each["model"])
        where = (each["model"], each["item"])
        able = any(_most(kind, name) for kind in kinds for name in (each["item"], each["name"]))
        yield Check("wargear", (where, True), (where, able))
    told = [each["item"] for weapon in row["weapons"] for each in weapon["carried"]]
    told += [weapon["name"] for weapon in row["weapons"] if not weapon["carried"]]
    told += [weapon["name"].partition(" - ")[0] for weapon in row["weapons"]]
    told += [each[key] for each in row["wargear_abilities"] for key in ("item", "name")]
    for kind in sheet.models if row["models"] else ():
        for item in sorted(_items(kind)):
            yield Check("item of ours", (item, True), (item, any(is_called(item, each) for each in told)))


def _bearers(sheet: Datasheet, model: str | None) -> list[ModelKind]:
    """Return the kinds of this name, else those like it; every kind where none is named."""
    exact = [kind for kind in sheet.models if plain(kind.name) == plain(model or "")]
    if model in (None, "(unit)"):
        return list(sheet.models)
    return exact or [kind for kind in sheet.models if is_called(kind.name, model)]


def _items(kind: ModelKind) -> set[str]:
    bundles = [kind.items, *(bundle for option in kind.options for bundle in option.alternatives)]
    return {each.item for bundle in bundles for each in bundle}


def _most(kind: ModelKind, item: str) -> int:
    """Return how many of an item a model of this kind may carry at most."""
    always = sum(each.count for each in kind.items if is_called(each.item, item))
    chosen = [
        max(
            sum(each.count for each in bundle if is_called(each.item, item)) for bundle in option.alternatives
        )
        for option in kind.options
    ]
    return always + sum(chosen)


def points(row: Row, sheet: Datasheet) -> Iterator[Check]:
    """Return the prices: the newest where they are given by models, else what units cost."""
    now, older = row.get("points_now") or [], row["points"]
    ours = sorted((each.models, each.points) for each in sheet.points)
    if now and all(each.get("models") for each in now):
        yield Check("points", sorted((each["models"], each["pts"]) for each in now), ours)
    elif now and not any("per_model" in each for each in now):
        prices = {each["pts"] for each in now}
        yield Check("points", set(), prices - {each.points for each in sheet.points})
    elif not now and older:
        said = sorted((each["models"], each["pts"]) for each in older if each["models"])
        yield Check("points", said, ours)
    extra = {each["desc"]: each["pts"] for each in older if not each["models"]}
    yield Check("extra points", extra, dict(sheet.extra_points))
    allied = {each["pts"] for each in older if "Assigned Agent" in (each["desc"] or "")}
    yield Check("allied points", allied, {each.points for each in sheet.points if each.allied})


def bases(row: Row, sheet: Datasheet) -> Iterator[Check]:
    """Return the bases: those of the list, and whether what it lacks is marked as an estimate."""
    listed = {tuple(each["mm"]) for each in row["base"] if each["shape"] in ("round", "oval") and each["mm"]}
    noted = {float(mm) for each in row["base"] for mm in re.findall(r"(\d+)mm", each.get("note") or "")}
    own = {kind.base.mm for kind in sheet.models if not kind.base.estimated}
    yield Check("base", set(), own - listed - {(mm,) for mm in noted})
    if listed:
        yield Check("a base of the list", True, bool(own))
    if not all(each["shape"] in ("round", "oval") and each["mm"] for each in row["base"]) or not row["base"]:
        yield Check("estimated base", True, any(kind.base.estimated for kind in sheet.models))
    yield Check("height", True, all(0 < kind.height <= 25 for kind in sheet.models))


def transport(row: Row, sheet: Datasheet) -> Iterator[Check]:
    """Return what a transport carries."""
    said, ours = row["transport"], sheet.transport
    told = said and (
        said["capacity"],
        said.get("allows") or "",
        tuple(said.get("excludes") or ()),
        tuple((each["kw"], each["n"]) for each in said.get("slots") or ()),
    )
    slots = tuple((each.keyword, each.models) for each in ours.slots) if ours else ()
    yield Check("transport", told, ours and (ours.capacity, ours.allows, ours.excludes, slots))


def leaders(row: Row, sheet: Datasheet, known: Mapping[str, set[str]]) -> Iterator[Check]:
    """Return the units of a leader: at least one datasheet of each name, none of another name."""
    led = set(sheet.leads)
    for name in row["leads"]:
        if ids := known.get(plain(name)):
            yield Check("leads", (name, True), (name, bool(ids & led)))
    named = set[str]().union(*(known.get(plain(name), set()) for name in row["leads"]))
    yield Check("leads of ours", set(), led - named)


# the whole


def packaged(folder: Path, faction: str) -> dict[str, Datasheet]:
    """Return the datasheets of a faction's data file by id; none where there is no file."""
    path = folder / f"{faction}.json"
    data = json.loads(path.read_text(encoding="utf-8"))["datasheets"] if path.is_file() else []
    return {each["id"]: record(Datasheet, each, path.name) for each in data}


def compare(rows: list[Row], folder: Path) -> tuple[Counter[tuple[str, str]], list[Difference]]:
    """Return how many values were compared by faction and field, and every difference."""
    used = [row for row in rows if not row.get("crucible") and row["profiles"]]
    known: dict[str, set[str]] = {}
    for row in used:
        known.setdefault(plain(row["name"]), set()).add(row["id"])
    compared: Counter[tuple[str, str]] = Counter()
    different: list[Difference] = []
    for faction in sorted({row["faction"] for row in used}):
        ours = packaged(folder, faction)
        own = [row for row in used if row["faction"] == faction]
        found = [("", Check("datasheets", {row["id"] for row in own}, set(ours)))]
        for row in own:
            if row["id"] in ours:
                found += [(row["id"], check) for check in checks(row, ours[row["id"]], known)]
        for datasheet, check in found:
            compared[faction, check.field] += 1
            if check.facts != check.data:
                different.append(Difference(datasheet or faction, check))
    return compared, different


def read_decisions(path: Path) -> dict[tuple[str, str], str]:
    """Return the reasons of the decisions by field and datasheet."""
    listed = tomllib.loads(path.read_text(encoding="utf-8")).get("decision", [])
    return {(each["field"], sheet): each["why"] for each in listed for sheet in each["datasheets"]}


def is_decided(difference: Difference, decided: Mapping[tuple[str, str], str]) -> bool:
    """Return whether a decision is about this field of the datasheet, or of its whole faction."""
    faction = difference.datasheet.partition("/")[0] + "/*"
    return any((difference.check.field, name) in decided for name in (difference.datasheet, faction))


def main() -> None:
    """Compare, print, and say by the exit code whether all is as decided."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="the folder with the facts (*.jsonl)")
    parser.add_argument("--decisions", type=Path, default=DECISIONS, help="the file of decisions (*.toml)")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of the datasheets (*.json)")
    arguments = parser.parse_args()
    rows = [
        json.loads(line)
        for path in sorted(arguments.folder.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    compared, different = compare(rows, arguments.data)
    decided = read_decisions(arguments.decisions)
    used = {(each.check.field, each.datasheet) for each in different}
    used |= {(field, sheet.partition("/")[0] + "/*") for field, sheet in used}
    open_ones = [each for each in different if not is_decided(each, decided)]
    stale = sorted(key for key in decided if key not in used)
    sys.stdout.writelines(_report(compared, different, open_ones))
    for sheet, check in open_ones:
        print(f"{sheet}: {check.field}: the facts say {_said(check.facts)}, the data {_said(check.data)}")
    for field, sheet in stale:
        print(f"{sheet}: {field}: is decided, and there is no difference; take the decision out")
    sys.exit(bool(open_ones or stale or not rows))


def _report(
    compared: Counter[tuple[str, str]], different: list[Difference], open_ones: list[Difference]
) -> Iterator[str]:
    """Return the lines that count what was compared, by field and by faction."""
    fields, factions = Counter[str](), Counter[str]()
    for (faction, field), count in compared.items():
        fields[field] += count
        factions[faction] += count
    by_field = Counter(each.check.field for each in different)
    by_faction = Counter(each.datasheet.partition("/")[0] for each in different)
    for title, counts, found in (("field", fields, by_field), ("faction", factions, by_faction)):
        yield f"{title:28}{'compared':>10}{'different':>11}\n"
        for name, count in sorted(counts.items()):
            yield f"{name:28}{count:>10}{found[name]:>11}\n"
    decided = len(different) - len(open_ones)
    yield f"compared {compared.total()}, different {len(different)}, "
    yield f"decided {decided}, open {len(open_ones)}\n"


def _said(value: object) -> str:
    """Return a value in words, sets in order."""
    if isinstance(value, set | frozenset):
        return "{" + ", ".join(sorted(map(str, value))) + "}"
    return str(value)


if __name__ == "__main__":
    main()
