"""What each kind of model carries: always, by choice, and in the printed loadout.

Owns the joining of the facts with the trees of wargear, and wargear that the sources give to a unit as a
whole: one of its ordinary models may then carry it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from msgspec.structs import replace

from datasheets.importers.naming import plain, words
from datasheets.importers.options import Bundle, Piece, choices, path_of, settled
from datasheets.importers.tables import table, trees
from datasheets.importers.wargear import name_of, open_tree
from datasheets.importers.weapons import item_of
from datasheets.schema import Carried, Option

Row = Mapping[str, Any]
Items = Mapping[tuple[str, str, str | None], tuple[str, ...]]
"""By kind of model, printed item and option: the items of ours that the kind carries there."""
UNIT = "(unit)"
"""The carriers of what the sources give to a unit as a whole."""
EVERYBODY = frozenset(words("this the every each all other models unit"))
"""Words of the owners of a printed loadout that name no kind of model."""
WITH = r" w/ ?| with | \("
"""Where the name of a kind of model ends and its wargear begins."""
ALIKE = 0.85
"""How alike two names are that are spelled in two ways, of 1."""


def most(row: Row, number: int, items: Items) -> dict[str, tuple[int, int]]:
    """Return how many of an item such kinds may have, in the smallest and the largest unit."""
    listed = trees(row["faction"]).get(row["id"], {}).get("items", [])
    told = listed[number] if number < len(listed) else {}
    ours = {plain(item): names[0] for (_, item, _), names in items.items()}
    found = {ours.get(plain(item), item): (few, largest) for item, (few, largest) in told.items()}
    own = _of_unit(row, items) if number == bearer(row) else ()
    return found | {each.name: (1, 1) for each in own}


def with_printed_kinds(row: Row) -> Row:
    """Return a row whose default kinds of model are those that may carry the printed loadout.

    Where a default kind may not, and another of its group may, the other takes its place.
    """
    carried: dict[str, set[str]] = {}
    for weapon in row["weapons"]:
        for each in weapon["carried"]:
            carried.setdefault(each["model"], set()).add(each["item"].lower())
    known = set[str]().union(*carried.values())
    listed = [dict(model) for model in row["models"]]
    for model in listed:
        printed = set(printed_items(row, model["name"])) & known
        if model["default"] and not model["min"] and not printed <= carried.get(model["name"], set()):
            for other in listed:
                near = str(other.get("group")).split(" / ")[0] == str(model.get("group")).split(" / ")[0]
                has_room = other["max"] is None or other["max"] >= model["default"]
                if (
                    not other["default"]
                    and near
                    and has_room
                    and printed <= carried.get(other["name"], set())
                ):
                    other["default"], model["default"] = model["default"], 0
                    break
    return {**row, "models": listed}


def wargear(row: Row, number: int, items: Items) -> tuple[Bundle, tuple[Option, ...]]:
    """Return what a kind always carries, and its options with the printed loadout as defaults."""
    model = row["models"][number]
    name, is_special = model["name"], model["default"] == 0
    printed = Counter[str]() if is_special else printed_items(row, name)
    all_trees = trees(row["faction"]).get(row["id"], {}).get("models", [])
    tree = all_trees[number] if number < len(all_trees) else []
    pieces = list(_pieces(row, name, items))
    if tree:
        fixed, found = open_tree(_named(tree, items, name))
        needed = {i for i, each in enumerate(found) if each.is_needed}
        armed = {piece.item for piece in pieces}
        options = [_armed_first(each.option, armed) for each in found]
        for piece in list(_left_out(pieces, fixed, options)):
            if piece.path is None and piece.is_default:
                fixed += (Carried(item=piece.item, count=piece.count),)
            else:
                options.append(_alone(piece.item))
        carried, chosen = fixed, settled(options, fixed, printed, needed)
    else:
        carried, chosen = choices(pieces, printed, is_special)
    carried, chosen = _with_extras(row, name, carried, chosen)
    return carried, (*chosen, *(_of_unit(row, items) if number == bearer(row) else ()))


def bearer(row: Row) -> int:
    """Return the number of the kind that carries what a unit has as a whole: its commonest kind."""
    listed = row["models"]
    return max(range(len(listed)), key=lambda i: (listed[i]["default"], -i), default=0)


def _of_unit(row: Row, items: Items) -> Iterator[Option]:
    """Return an option for each item that the sources give to the unit as a whole."""
    mark = table("spelling")["told"]["mark"]
    known = {piece.item for piece in _pieces(row, UNIT, items) if mark not in piece.item}
    known |= {item_of(row, each) for each in own_wargear(row) if each["model"] in (UNIT, None)}
    yield from map(_alone, sorted(known))


def own_wargear(row: Row) -> list[Row]:
    """Return the wargear with abilities that a datasheet has itself, and not by a detachment."""
    told = {each["name"] for each in row["abilities"]}
    named = {each["name"] for each in row["wargear_abilities"]}
    foreign = (set(table("spelling")["by_detachment"]["abilities"]) & named) - told
    return [each for each in row["wargear_abilities"] if each["item"] not in foreign]


def _named(nodes: Sequence[Row], items: Items, model: str, path: tuple[str, ...] = ()) -> list[Row]:
    """Return a tree of wargear with the items' names of ours, by where they hang."""
    found: list[Row] = []
    for node in nodes:
        inner = _named(node.get("of", ()), items, model, (*path, name_of(node)))
        changed = {**node, "of": inner} if inner else dict(node)
        if "item" in node:
            changed |= _items_at(items, model, node["item"], " / ".join(path), inner)
            if "pack" in changed:
                del changed["item"]
        found.append(changed)
    return found


def _items_at(items: Items, model: str, item: str, option: str, inner: Sequence[Row]) -> dict[str, Any]:
    """Return our item for one of the sources below an option; a pack for several of ours."""
    own = {at: ours for (who, each, at), ours in items.items() if who == model and plain(each) == plain(item)}
    found = own.get(option or None, next(iter(own.values()), (item,)))
    if len(found) == 1:
        return {"item": found[0]}
    return {"pack": item, "of": [*inner, *({"item": each, "least": 1, "most": 1} for each in found)]}


def _armed_first(option: Option, weapons: Container[str]) -> Option:
    """Return an option without a default with its alternatives that have a weapon first."""
    if option.default is not None:
        return option
    ranked = sorted(option.alternatives, key=lambda bundle: not any(each.item in weapons for each in bundle))
    return replace(option, alternatives=tuple(ranked))


def _left_out(pieces: Iterable[Piece], fixed: Bundle, options: Sequence[Option]) -> Iterator[Piece]:
    """Return the first piece of each item of the facts that the tree does not know."""
    bundles = [fixed, *(bundle for option in options for bundle in option.alternatives)]
    known = {each.item for bundle in bundles for each in bundle}
    for piece in pieces:
        if piece.item not in known:
            known.add(piece.item)
            yield piece


def _alone(item: str) -> Option:
    """Return the option that adds an item."""
    return Option(name=item, alternatives=((Carried(item=item),),))


def _with_extras(
    row: Row, model: str, carried: Bundle, options: tuple[Option, ...]
) -> tuple[Bundle, tuple[Option, ...]]:
    """Return the wargear with what only abilities name: always carried where it is a default."""
    bundles = [carried, *(bundle for option in options for bundle in option.alternatives)]
    known = {plain(each.item) for bundle in bundles for each in bundle}
    extra: dict[str, bool] = {}
    for each in own_wargear(row):
        item = item_of(row, each)
        if each["model"] == model and plain(item) not in known:
            extra[item] = extra.get(item, False) or each["default"]
    always = tuple(Carried(item=item) for item, is_default in sorted(extra.items()) if is_default)
    more = [_alone(item) for item, is_default in extra.items() if not is_default]
    return carried + always, (*options, *more)


def _pieces(row: Row, model: str, items: Items) -> Iterator[Piece]:
    """Return the weapons of a kind as the facts list them."""
    for weapon in row["weapons"]:
        for each in weapon["carried"]:
            if each["model"] == model:
                for item in items[model, each["item"], each["option"]]:
                    yield Piece(
                        item=item,
                        is_melee=weapon["type"] == "melee",
                        is_default=each["default"],
                        count=each.get("count") or 1,
                        path=path_of(each["option"]),
                    )


def printed_items(row: Row, model: str) -> Counter[str]:
    """Return the items in this model's printed default loadout, counted by lower-case name."""
    loadouts = (row.get("default_loadout") or {}).get("models", [])
    scores = [_likeness_of_owner(each["who"], model) for each in loadouts]
    best = max(scores, default=0.0)
    own = [each for each, score in zip(loadouts, scores, strict=True) if score and score == best]
    counted: Counter[str] = Counter()
    for loadout in own:
        for each in loadout["items"]:
            name = each["item"].lower()
            profile = each["profiles"][0].lower().split(" - ")[0] if each["profiles"] else name
            counted[profile if profile.rstrip("s") == name.rstrip("s") else name] += each["count"]
    return counted


def _likeness_of_owner(who: str, model: str) -> float:
    """Return how well the owners of a printed loadout fit a kind of model, from 0 to 1.

    A loadout of everybody, or of all others, fits those that have none of their own.
    """
    name, head = words(model), words(re.split(WITH, model)[0])
    best = 0.0
    for part in re.split(r",| and |;", who):
        said = tuple(each for each in words(part) if each not in EVERYBODY)
        short = tuple(each for each in words(re.split(WITH, part)[0]) if each not in EVERYBODY)
        if not said:
            best = max(best, 0.1)
        elif said in (name, head):
            best = 1.0
        elif SequenceMatcher(None, " ".join(said), " ".join(name)).ratio() > ALIKE:
            best = max(best, 0.9)
        elif short == head:
            best = max(best, 0.8)
        elif short[-len(head) :] == head or short == head[-len(short) :]:
            best = max(best, 0.5)
    return best
