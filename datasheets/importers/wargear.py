"""From a tree of wargear to what a kind of model always carries and the choices that it has.

A tree (`trees/<faction>.json`, written by scripts/read_trees.py) is a list of nodes: an `item`, a `pack` that
is carried together, or a `group` of which some are chosen. `least` and `most` bound how many of a node hang
below its parent; `default` names what a group has unless something else is chosen; `without` names nodes
that leave no room for this one; `of` is what hangs below. This module knows nothing of other sources.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product
from math import comb
from typing import Any

import msgspec
from msgspec.structs import replace

from datasheets.schema import Carried, Option

Node = Mapping[str, Any]
Bundle = tuple[Carried, ...]
MOST_WAYS = 400
"""A group with more ways than these is given as several choices of one."""


class Way(msgspec.Struct, frozen=True):
    """One way to take a node: the items, whether it is the default, the names taken."""

    items: tuple[tuple[str, int], ...] = ()
    is_default: bool = True
    names: frozenset[str] = frozenset()

    def beside(self, other: Way) -> Way:
        """Return both ways taken together."""
        return Way(self.items + other.items, self.is_default and other.is_default, self.names | other.names)

    def bundle(self) -> Bundle:
        """Return what is carried, equal items counted together."""
        counted: Counter[str] = Counter()
        for item, count in self.items:
            counted[item] += count
        return tuple(Carried(item=item, count=count) for item, count in counted.items())


class Choice(msgspec.Struct, frozen=True):
    """An option, and whether one of its alternatives must be taken."""

    option: Option
    is_needed: bool


NOTHING = Way()


def name_of(node: Node) -> str:
    """Return the name of a node."""
    return str(node.get("group") or node.get("item") or node.get("pack"))


def open_tree(nodes: Sequence[Node]) -> tuple[Bundle, list[Choice]]:
    """Return what is always carried, and the choices, of the nodes that hang below a model."""
    fixed: list[tuple[str, int]] = []
    found: list[Choice] = []
    joined = [each for group in _joined(nodes) for each in group]
    for group in _joined(nodes):
        ways = list(_together(group))
        found.append(_choice(name_of(group[0]), ways, all(way.items for way in ways)))
    for node in nodes:
        if not any(node is each for each in joined):
            _open(node, fixed, found)
    return Way(tuple(fixed)).bundle(), found


def _open(node: Node, fixed: list[tuple[str, int]], found: list[Choice]) -> None:
    """Add what a node always brings to `fixed` and its choices to `found`."""
    least, inner = node.get("least", 0), node.get("of", [])
    if _is_container(node) or (least == 1 == node.get("most") and inner and "group" not in node):
        fixed += [(node["item"], 1)] if "item" in node else []
        carried, choices = open_tree(inner)
        fixed += [(each.item, each.count) for each in carried]
        found += choices
        return
    if "group" in node and _count_of_ways(node) > MOST_WAYS:
        found += _one_by_one(node)
        return
    ways = list(taken(node))
    own = [way for way in ways if way.items]
    if least and len(own) == 1:
        fixed += own[0].items
    elif own:
        found.append(_choice(name_of(node), own, is_needed=len(own) == len(ways)))


def _one_by_one(node: Node) -> Iterator[Choice]:
    """Return a group of many as that many choices of one."""
    least, most = node.get("least", 0), node["most"]
    bounds = {
        each["item"]: each["most"]
        for each in node["of"]
        if "item" in each and each.get("most") is not None and each["most"] < most
    }
    for number in range(most):
        ways = [way for way in taken({**node, "least": 1, "most": 1}) if way.items]
        choice = _choice(f"{name_of(node)} {number + 1}", ways, is_needed=number < least)
        default = choice.option.default if number < least else None
        yield Choice(replace(choice.option, default=default, most=bounds), choice.is_needed)


def _choice(name: str, ways: Iterable[Way], is_needed: bool) -> Choice:
    """Return the ways as one option, each bundle once."""
    bundles: dict[Bundle, bool] = {}
    for way in ways:
        bundle = way.bundle()
        if bundle:
            bundles[bundle] = bundles.get(bundle, False) or way.is_default
    default = next((number for number, is_it in enumerate(bundles.values()) if is_it), None)
    return Choice(Option(name=name, alternatives=tuple(bundles), default=default), is_needed)


# ways


def taken(node: Node) -> Iterator[Way]:
    """Return every way to take as many of a node as its parent wants."""
    if "group" in node:
        yield from _of_group(node)
        return
    least = node.get("least", 0)
    for count in range(least, max(node.get("most") or 1, least) + 1):
        for way in _one(node) if count else [NOTHING]:
            yield Way(
                tuple((item, number * count) for item, number in way.items),
                way.is_default and count == least,
                way.names,
            )


def _one(node: Node) -> Iterator[Way]:
    """Return every way to take an item or a pack once, with what hangs below it."""
    start = Way(((node["item"], 1),) if "item" in node else (), names=frozenset((name_of(node),)))
    for ways in product(*(list(taken(child)) for child in node.get("of", []))):
        whole = start
        for way in ways:
            whole = whole.beside(way)
        yield whole


def _of_group(node: Node) -> Iterator[Way]:
    """Return every way to choose from a group."""
    own = Way(names=frozenset((name_of(node),)))
    if _is_container(node):
        for ways in product(*(list(taken(child)) for child in node["of"])):
            whole = own
            for way in ways:
                whole = whole.beside(way)
            yield whole
        return
    least, most = node.get("least", 0), node.get("most") or max(1, node.get("least", 0))
    members, usual = list(_members(node)), _usual(node)
    for count in range(least, most + 1):
        if not count:
            yield Way(is_default=not usual)
        for chosen in combinations_with_replacement(range(len(members)), count):
            counted = Counter(members[number][1] for number in chosen)
            if _is_within(members, counted):
                whole = Way(is_default=counted == usual, names=own.names)
                for number in chosen:
                    whole = whole.beside(members[number][0])
                yield whole


def _usual(node: Node) -> Counter[str]:
    """Return what is had of a bounded group by default, at least the fewest of its members."""
    total, default = max(1, node.get("least", 0)), node.get("default")
    if default is not None and total == 1:
        return Counter((str(default),))
    found = Counter({name_of(child): child["least"] for child in node["of"] if child.get("least")})
    if default is not None and found.total() < total:
        found[str(default)] += total - found.total()
    return found


def _members(node: Node) -> Iterator[tuple[Way, str, int | None]]:
    """Return each way to choose one from a group, with the member's name and its limit."""
    for child in node["of"]:
        if "group" in child:
            inner = {**child, "least": 1, "most": 1}
            ways = _flat(child) if _is_container(child) else _of_group(inner)
        else:
            ways = _one(child)
        for way in ways:
            yield way, name_of(child), child.get("most")


def _flat(node: Node) -> Iterator[Way]:
    """Return each way to choose one from a group that bounds nothing itself."""
    for way, _, _ in _members(node):
        yield way


def _is_within(members: Sequence[tuple[Way, str, int | None]], counted: Counter[str]) -> bool:
    """Return whether no member is chosen more often than it may be."""
    limits = {name: most for _, name, most in members}
    return all(limits[name] is None or count <= int(limits[name] or 0) for name, count in counted.items())


def _is_container(node: Node) -> bool:
    """Return whether a group only holds other nodes and bounds nothing."""
    if "group" not in node:
        return False
    if int(node.get("least", 0)) > sum(each.get("least", 0) for each in node["of"]):
        return False
    most = [each.get("most") for each in node["of"]]
    return node.get("most") is None or (None not in most and sum(most) <= int(node["most"]))


def _count_of_ways(node: Node) -> int:
    """Return at most how many ways there are to choose from a group."""
    if _is_container(node):
        return 0
    members, most = len(list(_members(node))), node.get("most") or max(1, node.get("least", 0))
    return sum(comb(members + count - 1, count) for count in range(most + 1))


# nodes that leave no room for each other


def _joined(nodes: Sequence[Node]) -> list[list[Node]]:
    """Return the sets of nodes of which some leave no room for others, each in order."""
    found: list[list[Node]] = []
    for node in nodes:
        barring = [each for each in nodes if each is not node and _names(each) & set(node.get("without", ()))]
        if barring:
            linked = [node, *barring]
            old = [group for group in found if any(a is b for a in group for b in linked)]
            found = [group for group in found if group not in old]
            whole = [each for group in [*old, linked] for each in group]
            found.append([each for each in nodes if any(each is other for other in whole)])
    return found


def _names(node: Node) -> set[str]:
    """Return the names of a node and of all that hangs below it."""
    return {name_of(node)}.union(*(_names(child) for child in node.get("of", ())))


def _together(nodes: Sequence[Node]) -> Iterator[Way]:
    """Return every way to take nodes of which some leave no room for others."""
    for ways in product(*([*taken(node), NOTHING] for node in nodes)):
        names = frozenset[str]().union(*(way.names for way in ways))
        if all(_has_room(node, way, names) for node, way in zip(nodes, ways, strict=True)):
            whole = NOTHING
            for way in ways:
                whole = whole.beside(way)
            yield whole


def _has_room(node: Node, way: Way, names: frozenset[str]) -> bool:
    """Return whether a node is left out where it must be, and else not without need."""
    if names & set(node.get("without", ())):
        return way is NOTHING
    return way is not NOTHING or not node.get("least", 0)
