"""The kinds of model of a datasheet: how many there may be, what they stand on, and what they carry.

Owns the joining of kinds that the sources list once for each mix of a unit, and the limits of groups.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from msgspec.structs import replace

from datasheets.importers.footprint import footprint, height
from datasheets.importers.naming import bare, plain, words
from datasheets.importers.options import Bundle, Piece, choices, path_of, settled
from datasheets.importers.tables import table, trees
from datasheets.importers.wargear import name_of, open_tree
from datasheets.schema import BaseSize, Carried, Group, Mix, ModelKind, Option

Row = Mapping[str, Any]
Items = Mapping[tuple[str, str, str | None], str]
"""By a kind of model, a printed item and its option, the item of ours that the kind carries there."""
ANYBODY = frozenset(words("all other models"))
EVERYBODY = frozenset(words("this the every each all other models unit"))
"""Words of the owners of a printed loadout that name no kind of model."""
WITH = r" w/ ?| with | \("
"""Where the name of a kind of model ends and its wargear begins."""
ALIKE = 0.85
"""How alike two names are that are spelled in two ways, of 1."""


def kinds(row: Row, keywords: tuple[str, ...], items: Items) -> tuple[ModelKind, ...]:
    """Return the kinds of model of a datasheet, each name once."""
    row = with_printed_kinds(row)
    listed = [_kind(row, number, keywords, items) for number in range(len(row["models"]))]
    found: list[ModelKind] = []
    for number, kind in enumerate(listed):
        at = next((i for i, each in enumerate(found) if each.name == kind.name), None)
        if at is None:
            found.append(kind)
        elif _mix_of(row, number) or (found[at].items, found[at].options) == (kind.items, kind.options):
            found[at] = _both(found[at], kind, is_mix=bool(_mix_of(row, number)))
        else:
            found.append(replace(kind, name=_other_name(kind, found)))
    return tuple(_limited(row, kind) for kind in _with_room(row, found))


def groups(row: Row, found: Sequence[ModelKind]) -> tuple[Group, ...]:
    """Return the limits of groups of several kinds; those of one kind are its own."""
    return tuple(
        Group(name=path, minimum=least, maximum=most, few=_nodes(row).get(path, {}).get("few"))
        for path, (least, most) in _limits(row).items()
        if len(own := [kind for kind in found if _is_below(kind.group, path)]) > 1
        and (most is None or sum(kind.default for kind in own) <= most)
    )


def most(row: Row, items: Items) -> dict[str, tuple[int, int]]:
    """Return how many of an item the smallest and the largest unit may have over all models."""
    told = trees(row["faction"]).get(row["id"], {}).get("items", {})
    ours = {plain(item): name for (_, item, _), name in items.items()}
    return {ours.get(plain(item), item): (few, largest) for item, (few, largest) in told.items()}


def mixes(row: Row) -> tuple[Mix, ...]:
    """Return the mixes of a datasheet whose units are one of several."""
    named = dict.fromkeys(mix for number in range(len(row["models"])) if (mix := _mix_of(row, number)))
    found = []
    for mix in named:
        counted: dict[str, tuple[int, int]] = {}
        for number, model in enumerate(row["models"]):
            if _mix_of(row, number) in (mix, ""):
                counted[bare(model["name"])] = (model["min"], model["max"])
        least, most = _total(row, mix)
        sizes = [size for size in _sizes(row) if least <= size <= most]
        found += [Mix(minimum=size, maximum=size, kinds=counted) for size in sizes]
        if not _sizes(row):
            found.append(Mix(minimum=least, maximum=most, kinds=counted))
    return tuple(found)


def with_printed_kinds(row: Row) -> Row:
    """Return a row in which the kinds of the default unit are those that may carry the printed loadout.

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


# one kind


def _kind(row: Row, number: int, keywords: tuple[str, ...], items: Items) -> ModelKind:
    model = row["models"][number]
    name = model["name"]
    base = base_of(row, name)
    carried, options = _wargear(row, number, items)
    profiles = {each["name"] for each in row["profiles"]}
    save = next((each for each in row["invuln"] if each["scope"] == f"model:{name}"), None)
    return ModelKind(
        name=bare(name),
        profile=model["profile"] if model["profile"] in profiles else row["profiles"][0]["name"],
        base=base,
        height=height(name, row["name"], base, keywords),
        minimum=model["min"] * _fewest_packs(row, model.get("group")),
        maximum=model["max"],
        default=model["default"],
        group=_group(row, model),
        items=carried,
        options=options,
        keywords=_own_keywords(row, name, keywords),
        core_abilities=tuple(
            token.lower().replace('"', "").partition(" (")[0]
            for token, owner in row.get("core_by_model", {}).items()
            if owner == f"model:{name}"
        ),
        invulnerable=int(save["save"][0]) if save else None,
        invulnerable_against=save.get("only") if save else None,
    )


def _wargear(row: Row, number: int, items: Items) -> tuple[Bundle, tuple[Option, ...]]:
    """Return what a kind always carries and its options, with the printed loadout as their defaults."""
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
        options += _left_out(pieces, fixed, options)
        carried, chosen = fixed, settled(options, fixed, printed, needed)
    else:
        carried, chosen = choices(pieces, printed, is_special)
    return _with_extras(row, name, carried, chosen)


def _named(nodes: Sequence[Row], items: Items, model: str, path: tuple[str, ...] = ()) -> list[Row]:
    """Return a tree of wargear with the items' names of ours, by where they hang."""
    found: list[Row] = []
    for node in nodes:
        inner = _named(node.get("of", ()), items, model, (*path, name_of(node)))
        changed = {**node, "of": inner} if inner else dict(node)
        if "item" in node:
            changed["item"] = _item_at(items, model, node["item"], " / ".join(path))
        found.append(changed)
    return found


def _item_at(items: Items, model: str, item: str, option: str) -> str:
    """Return our name for an item of a kind of model below an option; else for one of that name."""
    own = {
        at: ours for (owner, each, at), ours in items.items() if owner == model and plain(each) == plain(item)
    }
    return own.get(option or None, next(iter(own.values()), item))


def _armed_first(option: Option, weapons: Container[str]) -> Option:
    """Return an option without a default with its alternatives that have a weapon first."""
    if option.default is not None:
        return option
    ranked = sorted(option.alternatives, key=lambda bundle: not any(each.item in weapons for each in bundle))
    return replace(option, alternatives=tuple(ranked))


def _left_out(pieces: Iterable[Piece], fixed: Bundle, options: Sequence[Option]) -> list[Option]:
    """Return an option for each item of the facts that the tree does not know."""
    bundles = [fixed, *(bundle for option in options for bundle in option.alternatives)]
    known = {each.item for bundle in bundles for each in bundle}
    missing = dict.fromkeys(piece.item for piece in pieces if piece.item not in known)
    return [Option(name=item, alternatives=((Carried(item=item),),)) for item in missing]


def _with_extras(
    row: Row, model: str, carried: Bundle, options: tuple[Option, ...]
) -> tuple[Bundle, tuple[Option, ...]]:
    """Return the wargear with what only the abilities name: always carried where it is a default."""
    bundles = [carried, *(bundle for option in options for bundle in option.alternatives)]
    known = {plain(each.item) for bundle in bundles for each in bundle}
    extra: dict[str, bool] = {}
    known |= {plain(name) for name in table("spelling")["by_detachment"]["abilities"]}
    for each in row["wargear_abilities"]:
        if each["model"] == model and plain(each["item"]) not in known:
            extra[each["item"]] = extra.get(each["item"], False) or each["default"]
    always = tuple(Carried(item=item) for item, is_default in sorted(extra.items()) if is_default)
    more = [Option(name=item, alternatives=((Carried(item=item),),)) for item, it in extra.items() if not it]
    return carried + always, (*options, *more)


def _pieces(row: Row, model: str, items: Items) -> Iterator[Piece]:
    """Return the weapons of a kind as the facts list them."""
    for weapon in row["weapons"]:
        for each in weapon["carried"]:
            if each["model"] == model:
                yield Piece(
                    item=items[model, each["item"], each["option"]],
                    is_melee=weapon["type"] == "melee",
                    is_default=each["default"],
                    count=each.get("count") or 1,
                    path=path_of(each["option"]),
                )


def printed_items(row: Row, model: str) -> Counter[str]:
    """Return the items of the printed default loadout of this model, counted, by lower-case name."""
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
    """Return how well the owners of a printed loadout fit a kind of model: 1 for its name, 0 for others.

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


def _own_keywords(row: Row, model: str, keywords: Sequence[str]) -> tuple[str, ...]:
    """Return the keywords that this kind has by its own name and the datasheet has not for all."""
    found: set[str] = set()
    for owner, own in row.get("keywords_by_model", {}).items():
        parts = re.split(r",| AND ", re.sub(r" (ONLY|MODEL)$", "", owner))
        if any(set(words(part)) <= set(words(model)) for part in parts if words(part)):
            found |= {word.upper() for word in own}
    return tuple(sorted(found - set(keywords)))


def base_of(row: Row, model: str) -> BaseSize:
    """Return the base of a model: that of the entry whose name is most like its own; else an estimate."""
    entries = [each for each in row["base"] if each["shape"] in ("round", "oval") and each["mm"]]
    hulls = [each for each in row["base"] if each not in entries]
    entry = max(row["base"], key=lambda each: _likeness(each["model"], model), default=None)
    if entry is None or entry in hulls:
        return footprint(model, row["name"])
    mm = _noted(row, model) or tuple(map(float, entry["mm"]))
    return BaseSize(shape="round" if len(mm) == 1 else "oval", mm=mm, flying=bool(entry.get("flying")))


def _noted(row: Row, model: str) -> tuple[float, ...]:
    """Return the base that a note on the list gives to this model alone ("Kill-broker 32mm")."""
    for entry in row["base"]:
        found = re.fullmatch(r"(.+) (\d+(?:\.\d+)?)mm", entry.get("note") or "")
        if found and set(words(found[1])) <= set(words(model)):
            return (float(found[2]),)
    return ()


def _likeness(entry: str, model: str) -> float:
    """Return how well an entry's name fits a model: the best of the names in it, 0 for none."""
    kind = set(words(model))
    parts = [set(words(part)) for part in re.split(r",| and | & |/", entry)]
    shared = max((len(part & kind) / len(part | kind) for part in parts if part), default=0.0)
    return max(shared, 0.01) if any(part <= ANYBODY for part in parts) else shared


# several kinds


def _both(a: ModelKind, b: ModelKind, *, is_mix: bool) -> ModelKind:
    """Return one kind for two of one name: of two mixes, or both in a unit."""
    if not is_mix:
        most = None if a.maximum is None or b.maximum is None else a.maximum + b.maximum
        return replace(a, minimum=a.minimum + b.minimum, maximum=most, default=a.default + b.default)
    return replace(
        a,
        minimum=min(a.minimum, b.minimum),
        maximum=None if a.maximum is None or b.maximum is None else max(a.maximum, b.maximum),
        default=max(a.default, b.default),
        group=b.group if (b.maximum or 0) >= (a.maximum or 0) else a.group,
        options=a.options or b.options,
    )


def _other_name(kind: ModelKind, others: Sequence[ModelKind]) -> str:
    """Return a name of its own for a kind that carries other wargear than one of its name."""
    known = {item.item for other in others for item in other.items}
    own = next((each.item for each in kind.items if each.item not in known), None)
    taken = {other.name for other in others}
    names = [f"{kind.name} w/ {own}"] if own else []
    names += [f"{kind.name} ({number})" for number in range(2, len(others) + 3)]
    return next(name for name in names if name not in taken)


def _with_room(row: Row, found: Sequence[ModelKind]) -> list[ModelKind]:
    """Return the kinds with room below the ordinary ones for those that may replace them.

    The sources count an ordinary kind's minimum as if nobody in the smallest unit were of a special kind. A
    kind that not every mix has may be missing.
    """
    if mixes(row):
        named = [mix.kinds for mix in mixes(row)]
        return [
            replace(
                kind,
                minimum=min(each.get(kind.name, (0, 0))[0] for each in named),
                maximum=max(each.get(kind.name, (0, 0))[1] for each in named),
            )
            for kind in found
        ]
    return [replace(kind, minimum=_minimum(row, kind, found)) for kind in found]


def _minimum(row: Row, kind: ModelKind, found: Sequence[ModelKind]) -> int:
    smallest, largest = int(row["unit_size"]["min"]), int(row["unit_size"]["max"])
    others = sum(each.minimum for each in found) - kind.minimum
    instead = [each for each in found if each.default == 0 and _outermost(each) == _outermost(kind)]
    if kind.minimum == kind.maximum or not instead or others + kind.minimum < smallest:
        return kind.minimum
    limits = [int(each.maximum or largest) for each in instead]
    if max(limits) >= largest - others:
        return 0
    return max(0, smallest - others - sum(max(1, limit * smallest // largest) for limit in limits))


def _outermost(kind: ModelKind) -> str:
    return str(kind.group).split(" / ")[0]


def _limited(row: Row, kind: ModelKind) -> ModelKind:
    """Return the kind with its limit in the smallest unit, and one where the facts have none."""
    names = [bare(model["name"]) for model in row["models"]]
    told = trees(row["faction"]).get(row["id"], {}).get("limits", [])
    if names.count(kind.name) != 1 or len(told) != len(names):
        return kind
    few, most = told[names.index(kind.name)]
    if kind.maximum is None:
        return replace(kind, maximum=most, few=few) if most and most >= kind.default else kind
    return replace(kind, few=few) if most == kind.maximum and few is not None else kind


def _group(row: Row, model: Row) -> str | None:
    """Return the group that a kind of model belongs to; kinds of one sub-group share a limit."""
    group: str | None = model.get("group")
    for shared in table("limits")["shared"]:
        if shared["datasheet"] == row["id"] and any(word in model["name"] for word in shared["words"]):
            return f"{group} / Shared limit"
    return group


def _is_below(group: str | None, path: str) -> bool:
    return group is not None and (group == path or group.startswith(f"{path} / "))


# limits and mixes


def _nodes(row: Row) -> Mapping[str, Row]:
    """Return the groups of models of a datasheet by their paths, with their limits."""
    found: Mapping[str, Row] = trees(row["faction"]).get(row["id"], {}).get("groups", {})
    return found


def _limits(row: Row) -> dict[str, tuple[int, int | None]]:
    """Return the fewest and the most models of each group that no mix is part of, by its path."""
    packs = [path for path, node in _nodes(row).items() if node.get("pack")]
    found: dict[str, tuple[int, int | None]] = {}
    for path, node in _nodes(row).items():
        is_of_pack = any(_is_below(path, pack) or _is_below(pack, path) for pack in packs)
        if not is_of_pack or (_is_of_mix(row, path) and "most" in node and not _has_sub(row, path)):
            least = 0 if is_of_pack or _shares_names(row, path) else node.get("least", 0)
            found[path] = (least, node.get("most"))
    for shared in table("limits")["shared"]:
        if shared["datasheet"] == row["id"]:
            parent = next(each["group"] for each in row["models"] if each.get("group"))
            found[f"{parent} / Shared limit"] = (0, shared["most"])
    return found


def _shares_names(row: Row, path: str) -> bool:
    """Return whether a kind of the group stands outside of it too."""
    inside = {each["name"] for each in row["models"] if _is_below(each.get("group"), path)}
    return any(each["name"] in inside for each in row["models"] if not _is_below(each.get("group"), path))


def _is_of_mix(row: Row, path: str) -> bool:
    return any(_is_below(path, mix) and path != mix for mix in _packs(row))


def _has_sub(row: Row, path: str) -> bool:
    return any(_is_below(other, path) and other != path for other in _nodes(row))


def _packs(row: Row) -> list[str]:
    """Return the paths of the packs of which a unit is one: those below a group that takes one."""
    nodes = _nodes(row)
    return [
        path
        for path, node in nodes.items()
        if node.get("pack")
        and node.get("most") is None
        and nodes.get(path.rpartition(" / ")[0], {}).get("most") == 1
    ]


def _fewest_packs(row: Row, group: str | None) -> int:
    """Return 0 for a kind of a pack that a unit may do without, else 1."""
    packs = [node for path, node in _nodes(row).items() if node.get("pack") and _is_below(group, path)]
    return min((min(1, node.get("least", 0)) for node in packs if "most" in node), default=1)


def _mix_of(row: Row, number: int) -> str:
    """Return the mix that a listed kind of model is of, or "" for every mix."""
    group = row["models"][number].get("group")
    return next((mix for mix in _packs(row) if _is_below(group, mix)), "")


def _sizes(row: Row) -> list[int]:
    """Return the only sizes that a unit may have, where the table of limits says them."""
    found = [each["models"] for each in table("limits")["sizes"] if each["datasheet"] == row["id"]]
    return list(found[0]) if found else []


def _total(row: Row, mix: str) -> tuple[int, int]:
    """Return the fewest and the most models of a unit that is this mix."""
    tops = dict.fromkeys(str(each.get("group") or "").split(" / ")[0] for each in row["models"])
    outer = mix.split(" / ")[0]
    spans = [_span(row, mix)]
    spans += [_span(row, top) for top in tops if top and top != outer]
    spans += [(each["min"], each["max"]) for each in row["models"] if not each.get("group")]
    return sum(least for least, _ in spans), sum(most for _, most in spans)


def _span(row: Row, path: str) -> tuple[int, int]:
    """Return the fewest and the most models of a group."""
    own = [(each["min"], each["max"]) for each in row["models"] if each.get("group") == path]
    below = [other for other in _nodes(row) if other.rpartition(" / ")[0] == path]
    missing = dict.fromkeys(
        each["group"]
        for each in row["models"]
        if _is_below(each.get("group"), path) and each["group"] != path and each["group"] not in _nodes(row)
    )
    spans = own + [_span(row, other) for other in (*below, *missing)]
    node = _nodes(row).get(path, {})
    least, most = sum(a for a, _ in spans), sum(b for _, b in spans)
    return node.get("least", least), node.get("most", most)
