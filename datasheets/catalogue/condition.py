"""Whether a condition of a catalogue's modifier holds: yes, no, or perhaps.

Owns the reading of conditions and their groups. How many of a thing a unit has is asked from outside: a
weapon's numbers are read of a unit that has chosen nothing, its points of one with a number of models.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

Answer = bool | None
Counts = tuple[int, int | None]
"""The fewest and the most that there may be of something; None without a limit."""
Count = Callable[[Element], Counts]
OUTSIDE = frozenset({"force", "roster", "primary-catalogue", "primary-category"})
"""Scopes beyond the unit, which is read as the only one of an army of its own catalogue."""
NOTHING: Counts = (0, 0)


@dataclass(frozen=True, slots=True)
class Step:
    """An entry on the way to a condition: its kind, and every id that a condition may name."""

    kind: str
    ids: frozenset[str]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a condition stands: the entries from the datasheet inward, and its catalogue's id."""

    path: tuple[Step, ...]
    catalogue: str


def nothing_chosen(_: Element) -> Counts:
    """Return that a unit which has chosen nothing has none of whatever is counted."""
    return NOTHING


def anything(_: Element) -> Counts:
    """Return that there may be any number of whatever is counted."""
    return 0, None


def modifiers(element: Element, place: Place, count: Count) -> Iterator[tuple[Element, Answer]]:
    """Yield the modifiers of an element in order, each with whether its conditions hold.

    Those that say which other entries they affect are left out: they belong to upgrades. Those that repeat
    hold perhaps, as often as something is chosen.
    """
    for each in element.iterfind("modifiers/modifier"):
        if not each.get("affects"):
            answer = holds(each, place, count)
            yield each, None if answer and each.find("repeats/repeat") is not None else answer
    for group in element.iterfind("modifierGroups/modifierGroup"):
        around = holds(group, place, count)
        for modifier, answer in modifiers(group, place, count):
            yield modifier, all_of((around, answer))


def holds(element: Element, place: Place, count: Count) -> Answer:
    """Return whether all conditions and groups of conditions of a modifier or group hold."""
    return all_of(_answers(element, place, count))


def all_of(answers: Iterable[Answer]) -> Answer:
    """Return no where one answer is no, else perhaps where one is perhaps."""
    given = list(answers)
    return False if False in given else None if None in given else True


def _any_of(answers: Iterable[Answer]) -> Answer:
    given = list(answers)
    return True if True in given else None if None in given else False


def _answers(element: Element, place: Place, count: Count) -> Iterator[Answer]:
    for each in element.iterfind("conditions/condition"):
        yield _holds(each, place, count)
    for group in element.iterfind("conditionGroups/conditionGroup"):
        answers = list(_answers(group, place, count))
        yield {"and": all_of, "or": _any_of}.get(group.get("type", ""), _perhaps)(answers)


def _perhaps(_: Iterable[Answer]) -> Answer:
    return None


def _holds(condition: Element, place: Place, count: Count) -> Answer:
    kind = condition.get("type", "")
    if kind in ("instanceOf", "notInstanceOf"):
        is_one = _is_instance(condition, place)
        return None if is_one is None else is_one == (kind == "instanceOf")
    try:
        limit = float(condition.get("value", ""))
    except ValueError:
        return None
    is_outside = condition.get("scope") in OUTSIDE or condition.get("field") != "selections"
    return _compared(kind, NOTHING if is_outside else count(condition), limit)


def _compared(kind: str, counts: Counts, limit: float) -> Answer:
    """Return whether a number within these bounds is, say, at least as large as the limit."""
    least, most = counts[0], float("inf") if counts[1] is None else counts[1]
    if kind == "equalTo":
        return False if limit < least or limit > most else True if least == most else None
    tests: dict[str, tuple[bool, bool]] = {
        "atLeast": (least >= limit, most >= limit),
        "greaterThan": (least > limit, most > limit),
        "atMost": (most <= limit, least <= limit),
        "lessThan": (most < limit, least < limit),
    }
    surely, perhaps = tests.get(kind, (False, True))
    return True if surely else None if perhaps else False


def _is_instance(condition: Element, place: Place) -> Answer:
    """Return whether what the scope names is the thing of this id, or of this kind."""
    scope, wanted = condition.get("scope", ""), condition.get("childId", "")
    if scope == "primary-catalogue":
        return place.catalogue == wanted
    if scope in OUTSIDE:
        return False
    steps = _in_scope(scope, place.path)
    return None if steps is None else any(wanted in step.ids or wanted == step.kind for step in steps)


def _in_scope(scope: str, path: tuple[Step, ...]) -> tuple[Step, ...] | None:
    """Return the entries that a scope means, from the end of the path; None for an unknown one."""
    if scope == "ancestor":
        return path
    if scope in ("self", "parent"):
        found = path[-1:] if scope == "self" else path[-2:-1]
        return found or None
    if scope == "root-entry":
        return path[:1]
    kinds = {"model-or-unit": ("model", "unit")}.get(scope, (scope,))
    for step in reversed(path):
        if step.kind in kinds or scope in step.ids:
            return (step,)
    return None
