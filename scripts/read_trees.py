"""Reads how wargear and kinds of model hang together from the community's catalogues.

    python scripts/read_trees.py DATASHEETS_FOLDER CATALOGUES_FOLDER

The facts of datasheets (*.jsonl) tell what a model may carry, but not what may be carried together. This
writes it into datasheets/importers/trees, which the importer reads: names and limits, no text. A sheet or
a model whose facts leave no choice is left out.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import parse

from datasheets.importers.carrying import own_wargear
from datasheets.importers.naming import plain, tidy

ROOT = Path(__file__).resolve().parent.parent
BY_ARMY = {"Weapon Modifications", "Crusade", "Enhancements", "Battle Honours", "Battle Scars"}
"""Groups that are no part of a datasheet."""
DEEPEST = 9
BEYOND_UNIT = ("roster", "force", "self", "primary-catalogue")
"""Scopes of limits that say nothing of one unit."""
Node = dict[str, Any]


class Size(NamedTuple):
    """How many models a unit has, and whether it is the largest of its datasheet."""

    models: int
    is_largest: bool


class Catalogues:
    """Every entry, group and link of the catalogues, by id."""

    def __init__(self, folder: Path) -> None:
        """Read all catalogues of the folder; of an id that stands twice the first counts."""
        self.by_id: dict[str, Element] = {}
        self._changes: dict[str, list[Element]] = {}
        for path in sorted([*folder.glob("*.cat"), *folder.glob("*.gst")]):
            root = parse(path).getroot()
            for each in root.iter() if root is not None else ():
                each.tag = each.tag.partition("}")[2]
                if each.tag in ("selectionEntry", "selectionEntryGroup", "entryLink"):
                    self.by_id.setdefault(each.attrib["id"], each)
                elif each.tag == "modifier":
                    self._changes.setdefault(each.get("field") or "", []).append(each)

    def target(self, entry: Element) -> Element | None:
        """Return what a link leads to, and an entry or a group itself."""
        return self.by_id.get(entry.attrib["targetId"]) if entry.tag == "entryLink" else entry

    def sides(self, entry: Element) -> list[Element]:
        """Return an entry, and with a link what it leads to."""
        target = self.target(entry)
        return [entry] if target is None or target is entry else [target, entry]

    def children(self, entry: Element) -> list[Element]:
        """Return the entries, groups and links right below one, in order, without dead links."""
        tags = ("selectionEntries", "selectionEntryGroups", "entryLinks")
        found = [
            child for side in self.sides(entry) for tag in tags for box in side.findall(tag) for child in box
        ]
        return [
            child for child in found if self.target(child) is not None and self.name(child) not in BY_ARMY
        ]

    def name(self, entry: Element) -> str:
        """Return the name, with plain apostrophes and single spaces."""
        return tidy(self.sides(entry)[0].attrib["name"])

    def is_group(self, entry: Element) -> bool:
        """Return whether this is a group and no entry."""
        return self.sides(entry)[0].tag == "selectionEntryGroup"

    def is_model(self, entry: Element) -> bool:
        """Return whether this is an entry for models."""
        return not self.is_group(entry) and self.sides(entry)[0].get("type") == "model"

    def limits(self, entry: Element, size: Size) -> tuple[int, int | None]:
        """Return the fewest and the most that may be taken below the parent, in a unit of this size."""
        told = [rule for rule in self._rules(entry) if rule.get("scope") == "parent"]
        least = [self._at(rule, size) for rule in told if rule.get("type") == "min"]
        most = [self._at(rule, size) for rule in told if rule.get("type") == "max"]
        return max(least, default=0), min((each for each in most if each >= 0), default=None)

    def most_of_unit(self, entry: Element, size: Size, apart: tuple[str, ...] = ()) -> int | None:
        """Return the most of a kind or an item in a unit of this size, without limits of `apart`."""
        told = [rule for rule in self._rules(entry) if rule.get("scope") not in (*BEYOND_UNIT, *apart)]
        most = [self._at(rule, size) for rule in told if rule.get("type") == "max"]
        return min((each for each in most if each >= 0), default=None)

    def _rules(self, entry: Element) -> list[Element]:
        found = [rule for side in self.sides(entry) for rule in side.findall("constraints/constraint")]
        return [rule for rule in found if rule.get("field") == "selections"]

    def _at(self, rule: Element, size: Size) -> int:
        """Return what a limit is in a unit of this size; only changes that count models are heard."""
        value = int(float(rule.attrib["value"]))
        for change in self._changes.get(rule.attrib["id"], ()):
            asked = [*change.iter("condition"), *change.iter("repeat")]
            if not asked or not all(map(self._counts_models, asked)):
                continue
            if all(_holds(each, size) for each in change.iter("condition")):
                repeats = list(change.iter("repeat"))
                times = sum(
                    size.models // int(float(r.attrib["value"])) * int(r.attrib["repeats"]) for r in repeats
                )
                amount = int(float(change.attrib["value"])) * (times if repeats else 1)
                by = {"set": amount - value, "increment": amount, "decrement": -amount}
                value += by.get(change.attrib["type"], 0)
        return value

    def _counts_models(self, condition: Element) -> bool:
        """Return whether a condition asks how many models a unit has, or a group of them."""
        child = condition.get("childId") or ""
        entry = self.by_id.get(child)
        return child == "model" or (entry is not None and any(True for _ in models(self, entry)))

    def default(self, group: Element) -> str | None:
        """Return the name of a group's default entry."""
        ids = {side.get("defaultSelectionEntryId") for side in self.sides(group)} - {None, ""}
        for child in self.children(group):
            if ids & {side.attrib["id"] for side in self.sides(child)}:
                return self.name(child)
        return None

    def barred_by(self, entry: Element, others: Mapping[str, str]) -> list[str]:
        """Return the names of those of the others (by id) that leave no room for this one."""
        own = {
            rule.attrib["id"]
            for side in self.sides(entry)
            for rule in side.findall("constraints/constraint")
            if rule.get("type") == "max"
        }
        found = []
        for side in self.sides(entry):
            for change in side.iter("modifier"):
                to_none = change.get("field") in own and change.get("value") == "0"
                if not (to_none or (change.get("field") == "hidden" and change.get("value") == "true")):
                    continue
                for each in change.iter("condition"):
                    limit = (each.get("type"), each.get("value"))
                    if limit in (("atLeast", "1"), ("equalTo", "1"), ("greaterThan", "0")):
                        found.append(others.get(each.get("childId") or "", ""))
        return sorted({name for name in found if name and name != self.name(entry)})


def _holds(condition: Element, size: Size) -> bool:
    """Return whether a condition on the number of models holds in a unit of this size.

    Of a group or a pack, the largest unit alone is taken to have enough.
    """
    value = float(condition.attrib["value"])
    asked = condition.get("type")
    if condition.get("childId") != "model":
        return size.is_largest
    if asked in ("lessThan", "atMost"):
        return size.models < value or (asked == "atMost" and size.models == value)
    if asked == "equalTo":
        return size.models == value
    return size.models > value or (asked == "atLeast" and size.models == value)


def models(books: Catalogues, entry: Element, path: tuple[str, ...] = ()) -> Iterator[Element]:
    """Return the entries for models of a unit, in order."""
    if books.is_model(entry):
        yield entry
    elif len(path) < DEEPEST:
        for child in books.children(entry):
            yield from models(books, child, (*path, books.name(child)))


def below(books: Catalogues, entry: Element, depth: int = 0) -> Iterator[Element]:
    """Return every entry, group and link below one."""
    if depth < DEEPEST:
        for child in books.children(entry):
            yield child
            yield from below(books, child, depth + 1)


def node(
    books: Catalogues, entry: Element, items: Mapping[str, str], ids: Mapping[str, str], size: Size
) -> Node | None:
    """Return an entry or a group with what lies below it; None where it holds none of the items."""
    name = books.name(entry)
    inner = [found for child in books.children(entry) if (found := node(books, child, items, ids, size))]
    is_item = not books.is_group(entry) and plain(name) in items
    if not inner and not is_item:
        return None
    kind = "group" if books.is_group(entry) else "item" if is_item else "pack"
    least, most = books.limits(entry, size)
    told: Node = {kind: items[plain(name)] if is_item else name}
    more = {
        "least": least or None,
        "most": most,
        "default": books.default(entry) if kind == "group" else None,
        "without": books.barred_by(entry, ids) or None,
        "of": inner or None,
    }
    return told | {key: value for key, value in more.items() if value is not None}


def wargear(
    books: Catalogues, entry: Element, items: Mapping[str, str], size: Size, *, is_one: bool
) -> list[Node]:
    """Return what hangs below a model; nothing without a choice where one kind has its name."""
    ids = {
        side.attrib["id"]: books.name(child) for child in below(books, entry) for side in books.sides(child)
    }
    found = [each for child in books.children(entry) if (each := node(books, child, items, ids, size))]
    is_fixed = all(each.get("least") == each.get("most") and "of" not in each for each in found)
    return [] if is_fixed and is_one else found


def groups(
    books: Catalogues, entry: Element, sizes: tuple[Size, Size], path: tuple[str, ...] = ()
) -> Iterator[tuple[str, Node]]:
    """Return the groups of models with their limits, by their path as the facts say it."""
    for child in books.children(entry):
        if books.is_model(child) or not any(True for _ in models(books, child)):
            continue
        here = (*path, books.name(child))
        least, few = books.limits(child, sizes[0])
        _, most = books.limits(child, sizes[1])
        is_pack = not books.is_group(child) or None
        found = {"least": least or None, "few": few if few != most else None, "most": most, "pack": is_pack}
        yield " / ".join(here), {key: value for key, value in found.items() if value is not None}
        if len(here) < DEEPEST:
            yield from groups(books, child, sizes, here)


def sheet(books: Catalogues, row: Mapping[str, Any]) -> Node:
    """Return the groups of models and the wargear of each kind; empty without a choice."""
    entry = books.by_id.get(row.get("bs_id") or "")
    if entry is None:
        return {}
    by_name: dict[str, list[Element]] = {}
    for each in models(books, entry):
        by_name.setdefault(plain(books.name(each)), []).append(each)
    seen: Counter[str] = Counter()
    kinds: list[list[Node]] = []
    smallest, largest = row["unit_size"]["min"], row["unit_size"]["max"]
    sizes = (Size(smallest, smallest == largest), Size(largest, True))
    limits: list[tuple[int | None, int | None]] = []
    of_unit: list[dict[str, tuple[int, int]]] = []
    for model in row["models"]:
        name = plain(model["name"])
        entries = by_name.get(name, [])
        items = {plain(item): item for item in _items(row, model["name"])}
        at = min(seen[name], len(entries) - 1)
        is_one = sum(plain(each["name"]) == name for each in row["models"]) == 1
        seen[name] += 1
        of_unit.append({})
        if not entries:
            kinds.append([])
            limits.append((None, None))
            continue
        kinds.append(wargear(books, entries[at], items, sizes[1], is_one=is_one))
        few, most = (books.most_of_unit(entries[at], size) for size in sizes)
        limits.append((few, most))
        for each in below(books, entries[at]):
            item = items.get(plain(books.name(each)))
            if item and not books.is_group(each) and largest > 1:
                few, most = (books.most_of_unit(each, size, ("parent", "model")) for size in sizes)
                if few and most:
                    of_unit[-1][item] = (few, most)
    paths = {path for model in row["models"] for path in _prefixes(model.get("group"))}
    limited = {
        path: found
        for path, found in (groups(books, entry, sizes) if not books.is_model(entry) else ())
        if found and path in paths
    }
    found: Node = {"groups": limited} if limited else {}
    if largest > 1 and len(limits) > 1:
        found["limits"] = limits
    if any(of_unit):
        found["items"] = of_unit
    return found | ({"models": kinds} if any(kinds) else {})


def _items(row: Mapping[str, Any], model: str) -> Iterator[str]:
    for weapon in row["weapons"]:
        yield from (each["item"] for each in weapon["carried"] if each["model"] == model)
    yield from (each["item"] for each in own_wargear(row) if each["model"] == model)


def _prefixes(group: str | None) -> Iterator[str]:
    parts = (group or "").split(" / ")
    for length in range(1, len(parts) + 1):
        yield " / ".join(parts[:length])


def main() -> None:
    """Read both folders and write a file for each faction."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("datasheets", type=Path, help="the folder with the datasheets' facts (*.jsonl)")
    parser.add_argument("catalogues", type=Path, help="the folder with the catalogues (*.cat, *.gst)")
    arguments = parser.parse_args()
    books = Catalogues(arguments.catalogues)
    for path in sorted(arguments.datasheets.glob("*.jsonl")):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        used = sorted((row for row in rows if not row.get("crucible")), key=lambda row: str(row["id"]))
        found = [(row["id"], each) for row in used if (each := sheet(books, row))]
        lines = [f" {json.dumps(id_)}: {json.dumps(each, ensure_ascii=False)}" for id_, each in found]
        target = ROOT / "datasheets" / "importers" / "trees" / f"{path.stem}.json"
        target.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
