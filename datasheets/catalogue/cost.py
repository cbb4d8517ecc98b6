"""What a unit of a catalogue costs by its number of models.

Owns the modifiers of points. A number of models is left out where the points depend on more than it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from xml.etree.ElementTree import Element

from datasheets.catalogue.condition import NOTHING, Answer, Counts, modifiers
from datasheets.catalogue.size import models, share
from datasheets.catalogue.tree import TreeNode, whole

LARGEST_UNIT = 100


def costs(unit: TreeNode, points: str) -> dict[int, int]:
    """Return the points by each number of models; `points` is the type of the cost."""
    least, most = models(unit)
    if most is None or not 0 < most <= LARGEST_UNIT:
        return {}
    found = {total: _cost(unit, points, total) for total in range(max(1, least), most + 1)}
    return {total: cost for total, cost in found.items() if cost is not None}


def brackets(by_models: Mapping[int, int]) -> dict[int, int]:
    """Return the points by the largest number of models that each of them is paid for."""
    found: dict[int, int] = {}
    last = None
    for total in sorted(by_models):
        if last is not None and by_models[last] == by_models[total]:
            del found[last]
        found[total] = by_models[total]
        last = total
    return found


def _cost(unit: TreeNode, points: str, total: int) -> int | None:
    """Return the points of a unit of `total` models; None where its composition matters, too."""
    own = _own(unit, unit, points, total)
    inner = _inner(unit, points, total)
    return None if own is None or inner is None else own + inner


def _own(node: TreeNode, unit: TreeNode, points: str, total: int) -> int | None:
    """Return the points of one node alone, as modified; None where a modifier perhaps holds."""
    value = sum(_printed(side, points) for side in node.sides)

    def count(condition: Element) -> Counts:
        return _counted(condition, unit, total)

    changes = (each for side in node.sides for each in modifiers(side, node.place, count))
    for modifier, answer in changes:
        if modifier.get("field") != points or answer is False:
            continue
        changed = _changed(value, modifier, answer)
        if changed is None:
            return None
        value = changed
    return value


def _changed(value: int, modifier: Element, answer: Answer) -> int | None:
    """Return points as a modifier leaves them; None where it is not sure to change them."""
    by = whole(modifier.get("value", ""))
    if by is None:
        return None
    steps = {"set": by - value, "increment": by, "decrement": -by}
    step = steps.get(modifier.get("type", ""))
    if step == 0:
        return value
    return None if step is None or answer is None else value + step


def _printed(element: Element, points: str) -> int:
    for each in element.iterfind("costs/cost"):
        if each.get("typeId") == points:
            return whole(each.get("value", "")) or 0
    return 0


def _inner(unit: TreeNode, points: str, total: int) -> int | None:
    """Return what the models cost by themselves; None where that depends on their kinds."""
    inner = [node for node in unit.walk() if node is not unit and node.kind == "model"]
    prices = {node: _own(node, unit, points, total) for node in inner}
    if not any(price != 0 for price in prices.values()):
        return 0
    bounds = [(share(unit, frozenset({node}), total), price) for node, price in prices.items()]
    if any(price is None for _, price in bounds):
        return None
    known = [(low, high or low, price or 0) for (low, high), price in bounds]
    least, most = _filled(sorted(known, key=_price), total), _filled(sorted(known, key=_dearest), total)
    return least if least == most else None


def _price(kind: tuple[int, int, int]) -> int:
    return kind[2]


def _dearest(kind: tuple[int, int, int]) -> int:
    return -kind[2]


def _filled(kinds: Iterable[tuple[int, int, int]], total: int) -> int:
    """Return the points of `total` models: the fewest of each kind, then the first kinds."""
    listed = list(kinds)
    left = total - sum(low for low, _, _ in listed)
    points = sum(low * price for low, _, price in listed)
    for low, high, price in listed:
        more = min(left, high - low)
        points += more * price
        left -= more
    return points


def _counted(condition: Element, unit: TreeNode, total: int) -> Counts:
    """Return how many there are of what a condition counts in a unit of `total` models."""
    wanted = condition.get("childId", "")
    if wanted == "model":
        scope = condition.get("scope", "")
        whole = scope in ("self", "unit", "root-entry", "parent") or scope in unit.ids
        return (total, total) if whole else (0, total)
    part = frozenset(_named(unit, wanted))
    if not part:
        # What holds no model and no weapon is not in the tree: an enhancement, which nobody has chosen.
        return NOTHING
    if all(_holds_models(node) for node in part):
        return share(unit, part, total)
    return 0, None


def _named(unit: TreeNode, wanted: str) -> Iterator[TreeNode]:
    """Yield the outermost nodes below the unit that an id names."""
    for child in unit.children:
        if wanted in child.ids:
            yield child
        else:
            yield from _named(child, wanted)


def _holds_models(node: TreeNode) -> bool:
    return any(each.kind == "model" for each in node.walk())
