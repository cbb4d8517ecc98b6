"""How many models a unit of a catalogue may have, and how many of them are of one kind.

Owns the arithmetic of least and most over groups within groups. Points are `cost`'s.
"""

from __future__ import annotations

from collections.abc import Iterable, Set

from datasheets.catalogue.tree import TreeNode

Bounds = tuple[int, int | None]
NOBODY: frozenset[TreeNode] = frozenset()


def models(unit: TreeNode) -> Bounds:
    """Return the fewest and the most models of the unit; None where nothing limits them.

    A unit of which no part is said to be a model is one.
    """
    least, most = one(unit)
    return (1, 1) if most == 0 else (least, most)


def is_loose(unit: TreeNode) -> bool:
    """Return whether choices change limits of models, so that the bounds are too wide."""
    return any(node.is_loose and one(node)[1] != 0 for node in unit.walk())


def one(node: TreeNode, without: Set[TreeNode] = NOBODY, *, loose: bool = False) -> Bounds:
    """Return the fewest and the most models of one choice of the node, itself among them.

    Nodes `without` count as never chosen; `loose` forgets the minima of groups, which those would have met.
    """
    if node in without:
        return 0, 0
    own = 1 if node.kind == "model" else 0
    if node.kind == "group":
        return _group(node, without, loose)
    return _sum([(own, own), *(chosen(child, without, loose=loose) for child in node.children)])


def chosen(node: TreeNode, without: Set[TreeNode] = NOBODY, *, loose: bool = False) -> Bounds:
    """Return the fewest and the most models of the node, as often as it may be chosen."""
    least, most = one(node, without, loose=loose)
    if node.kind == "group" or most == 0:
        return least, most
    ceiling = None if most is None or node.maximum is None else most * node.maximum
    return least * node.minimum, ceiling


def _sum(bounds: Iterable[Bounds]) -> Bounds:
    listed = list(bounds)
    ends = [most for _, most in listed if most is not None]
    return sum(least for least, _ in listed), sum(ends) if len(ends) == len(listed) else None


def _group(node: TreeNode, without: Set[TreeNode], loose: bool) -> Bounds:
    """Return the bounds of a group, whose limits count choices: of models, or of sets of them."""
    children = [child for child in node.children if one(child, without, loose=loose) != (0, 0)]
    least, most = _sum(chosen(child, without, loose=loose) for child in children)
    fewest, _ = _per_choice(node, without)
    if not loose and node.minimum:
        missing = node.minimum - sum(_minimum(child) for child in children)
        least += max(0, missing) * fewest
    if node.maximum is not None:
        ceiling = _most_of(children, node.maximum, without)
        most = ceiling if most is None or ceiling is None else min(most, ceiling)
    return least, most


def _most_of(children: list[TreeNode], choices: int, without: Set[TreeNode]) -> int | None:
    """Return the most models of a number of choices: first of those that bring most each."""
    listed = [(_per_choice(child, without)[1], _most_choices(child)) for child in children]
    if any(each is None for each, _ in listed):
        return None
    total = 0
    for each, limit in sorted(((each or 0, limit) for each, limit in listed), key=_by_size):
        taken = choices if limit is None else min(choices, limit)
        total += taken * each
        choices -= taken
    return total


def _by_size(listed: tuple[int, int | None]) -> int:
    return -listed[0]


def _most_choices(node: TreeNode) -> int | None:
    """Return how many choices of its group a child makes at most; None without a limit."""
    if node.kind != "group":
        return node.maximum
    inner = [_most_choices(child) for child in node.children]
    ends = [each for each in inner if each is not None]
    limits = [node.maximum, sum(ends) if len(ends) == len(inner) else None]
    return min((each for each in limits if each is not None), default=None)


def _per_choice(node: TreeNode, without: Set[TreeNode]) -> Bounds:
    """Return the fewest and the most models of one choice of a node, or within a group."""
    if node.kind != "group":
        return one(node, without)
    listed = [
        _per_choice(child, without)
        for child in node.children
        if child not in without and one(child, without) != (0, 0)
    ]
    ends = [most for _, most in listed if most is not None]
    most = max(ends, default=0) if len(ends) == len(listed) else None
    return min((least for least, _ in listed), default=0), most


def _minimum(node: TreeNode) -> int:
    """Return how often a child is chosen at least; of an inner group, what is within it."""
    if node.kind == "group":
        return max(node.minimum, sum(_minimum(child) for child in node.children))
    return node.minimum


def share(unit: TreeNode, part: frozenset[TreeNode], total: int) -> Bounds:
    """Return how many of the `total` models are in one part of a unit, at least and at most."""
    parts = [chosen(node) for node in part]
    least, most = sum(low for low, _ in parts), None
    if all(high is not None for _, high in parts):
        most = sum(high for _, high in parts if high is not None)
    others = one(unit, part, loose=True)
    low = least if others[1] is None else max(least, total - others[1])
    high = total - others[0] if most is None else min(most, total - others[0])
    return low, max(low, high)
