"""The groups of models of a unit with their limits, and the mixes that the unit may be.

What the facts leave open stands in the trees of wargear and models, and in the table of limits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from datasheets.importers.naming import bare
from datasheets.importers.tables import table, trees
from datasheets.schema import Group, Mix, ModelKind

Row = Mapping[str, Any]


def groups(row: Row, found: Sequence[ModelKind]) -> tuple[Group, ...]:
    """Return the limits of groups of several kinds; those of one kind are its own."""
    return tuple(
        Group(name=path, minimum=least, maximum=most, few=_nodes(row).get(path, {}).get("few"))
        for path, (least, most) in _limits(row).items()
        if len(own := [kind for kind in found if is_below(kind.group, path)]) > 1
        and (most is None or sum(kind.default for kind in own) <= most)
    )


def mixes(row: Row) -> tuple[Mix, ...]:
    """Return the mixes of a datasheet whose units are one of several."""
    told = next((each["mixes"] for each in table("limits")["mixes"] if each["datasheet"] == row["id"]), None)
    if told:
        return tuple(_mix(each) for each in told)
    named = dict.fromkeys(mix for number in range(len(row["models"])) if (mix := mix_of(row, number)))
    found = []
    for mix in named:
        counted: dict[str, tuple[int, int]] = {}
        for number, model in enumerate(row["models"]):
            if mix_of(row, number) in (mix, ""):
                counted[bare(model["name"])] = (model["min"], model["max"])
        least, most = _total(row, mix)
        sizes = [size for size in _sizes(row) if least <= size <= most]
        found += [Mix(minimum=size, maximum=size, kinds=_with_places(counted, size)) for size in sizes]
        if not _sizes(row):
            found.append(Mix(minimum=least, maximum=most, kinds=counted))
    return tuple(found)


def apart(row: Row) -> tuple[str, ...]:
    """Return the kinds of model that are a unit of their own once the battle begins."""
    told = [each["kinds"] for each in table("limits")["apart"] if each["datasheet"] == row["id"]]
    return tuple(told[0]) if told else ()


def _mix(told: Row) -> Mix:
    kinds = {name: (least, most) for name, (least, most) in told["kinds"].items()}
    return Mix(minimum=told["minimum"], maximum=told["maximum"], kinds=kinds)


def is_below(group: str | None, path: str) -> bool:
    return group is not None and (group == path or group.startswith(f"{path} / "))


def _nodes(row: Row) -> Mapping[str, Row]:
    """Return the groups of models of a datasheet by their paths, with their limits."""
    found: Mapping[str, Row] = trees(row["faction"]).get(row["id"], {}).get("groups", {})
    told = {each["group"]: each for each in table("limits")["groups"] if each["datasheet"] == row["id"]}
    bounds = {path: {key: told[path][key] for key in ("few", "most")} for path in told}
    return {path: {**node, **bounds.get(path, {})} for path, node in found.items()}


def _limits(row: Row) -> dict[str, tuple[int, int | None]]:
    """Return the fewest and the most models of each group that no mix is part of, by its path."""
    packs = [path for path, node in _nodes(row).items() if node.get("pack")]
    found: dict[str, tuple[int, int | None]] = {}
    for path, node in _nodes(row).items():
        is_of_pack = any(is_below(path, pack) or is_below(pack, path) for pack in packs)
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
    inside = {each["name"] for each in row["models"] if is_below(each.get("group"), path)}
    return any(each["name"] in inside for each in row["models"] if not is_below(each.get("group"), path))


def _is_of_mix(row: Row, path: str) -> bool:
    return any(is_below(path, mix) and path != mix for mix in _packs(row))


def _has_sub(row: Row, path: str) -> bool:
    return any(is_below(other, path) and other != path for other in _nodes(row))


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


def _with_places(kinds: dict[str, tuple[int, int]], size: int) -> dict[str, tuple[int, int]]:
    """Return the kinds of a mix, fewer of the commonest kind where others replace it.

    Where the fewest of all kinds are not a whole unit, there is room.
    """
    if sum(least for least, _ in kinds.values()) < size:
        return kinds
    extra = sum(most for _, most in kinds.values()) - size
    common = max(kinds, key=lambda name: kinds[name][0])
    least, most = kinds[common]
    return kinds | {common: (max(0, least - max(0, extra)), most)}


def fewest_packs(row: Row, group: str | None) -> int:
    """Return 0 for a kind of a pack that a unit may do without, else 1."""
    packs = [node for path, node in _nodes(row).items() if node.get("pack") and is_below(group, path)]
    return min((min(1, node.get("least", 0)) for node in packs if "most" in node), default=1)


def mix_of(row: Row, number: int) -> str:
    """Return the mix that a listed kind of model is of, or "" for every mix."""
    group = row["models"][number].get("group")
    return next((mix for mix in _packs(row) if is_below(group, mix)), "")


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
        if is_below(each.get("group"), path) and each["group"] != path and each["group"] not in _nodes(row)
    )
    spans = own + [_span(row, other) for other in (*below, *missing)]
    node = _nodes(row).get(path, {})
    least, most = sum(a for a, _ in spans), sum(b for _, b in spans)
    return node.get("least", least), node.get("most", most)
