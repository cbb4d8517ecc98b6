"""A unit of a list that is text: its header, and its lines as entries with counts in all.

Every dialect says the same in these lines, with other signs: what stands deeper belongs to what stands
above it, "4 with a, 2x b" is four models with one and two of each, "9x Model: a, b" nine models with each.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from datasheets.rosters.list_words import mark_of
from datasheets.rosters.raw_list import MOST_DEPTH, RawEnhancement, RawEntry, RawUnit
from datasheets.rosters.text_line import (
    COUNT,
    LABEL,
    Price,
    TextLine,
    counted,
    price_of,
    split_colon,
    split_list,
)

EACH_WITH = re.compile(r"([0-9]{1,4}) (\w{2,6}) (?=\S)")


class _Node(msgspec.Struct):
    """A line and the lines that stand deeper below it."""

    line: TextLine
    below: list[_Node] = msgspec.field(default_factory=list)


class UnitBlock:
    """The header of a unit and the lines below it, which become one `RawUnit`."""

    def __init__(self, line: TextLine, price: Price) -> None:
        """Read the header; lines are added one by one."""
        label = LABEL.match(price.head)
        self._label = label[1] if label else ""
        self._models, self._name = counted(price.head[label.end() :] if label else price.head)
        self._line = line
        self._points = price.points
        self._tail = price.tail
        self._lines: list[TextLine] = []
        self._warlord = False
        self._enhancements: list[RawEnhancement] = []
        self._bound = {"attached": "", "embarked": ""}

    def add(self, line: TextLine) -> None:
        """Add a line that belongs to the unit."""
        self._lines.append(line)

    @property
    def lines(self) -> Sequence[TextLine]:
        """Return the lines below the header."""
        return self._lines

    def unit(self, *, flat: bool) -> RawUnit:
        """Return the unit; `flat` says that the columns of the list tell no depth."""
        entries = self._listed(self._tail, 1, self._line.number)
        entries += self._entries(_tree(self._lines, flat), 1)
        return RawUnit(
            name=self._name,
            line=self._line.number,
            label=self._label,
            points=self._points,
            models=self._models,
            entries=tuple(entries),
            warlord=self._warlord,
            enhancements=tuple(self._enhancements),
            attached_to=self._bound["attached"],
            embarked_in=self._bound["embarked"],
        )

    def _entries(self, nodes: list[_Node], times: int) -> list[RawEntry]:
        """Return what lines of equal depth say; `times` is the models that each of them is of."""
        return [entry for node in nodes for entry in self._of_node(node, times)]

    def _of_node(self, node: _Node, times: int) -> list[RawEntry]:
        text, number = node.line.text, node.line.number
        is_alone = bool(mark_of(split_colon(text)[0])) or len(split_list(text)) == 1
        if is_alone and self._is_mark(text, number):
            return self._entries(node.below, times)
        each = _each_with(text)
        if each is not None:
            models, items = each
            return [*self._listed(items, models, number), *self._entries(node.below, models)]
        count, name = counted(text)
        group, items = split_colon(name)
        if items and len(split_list(group)) == 1:
            models = (1 if count is None else count) * times
            inner = (*self._listed(items, models, number), *self._entries(node.below, 1))
            return [RawEntry(group, models, number, inner=inner)]
        found = self._listed(text, times, number, ",;:" if items else ",;")
        if not found or not node.below:
            return [*found, *self._entries(node.below, times)]
        last = found[-1]
        inner = (*last.inner, *self._entries(node.below, times if count is None else 1))
        return [*found[:-1], msgspec.structs.replace(last, inner=inner)]

    def _listed(self, text: str, models: int, line: int, marks: str = ",;") -> list[RawEntry]:
        """Return what a list between commas says that each of some models has."""
        found = []
        for part in split_list(text, marks):
            each = _each_with(part)
            if each is not None:
                models, part = each
            if self._is_mark(part, line):
                continue
            count, name = counted(part)
            found.append(RawEntry(name, (1 if count is None else count) * models, line))
        return found

    def _is_mark(self, text: str, line: int) -> bool:
        """Take a text that says something of the unit itself; return whether it was one."""
        before, after = split_colon(text)
        price = price_of(text)
        match mark_of(before):
            case "warlord":
                self._warlord = True
            case "enhancement" if after:
                said = price_of(after)
                name, points = (said.head, said.points) if said else (after, None)
                self._enhancements.append(RawEnhancement(name, points, line=line))
            case "attached" | "embarked" as how if after:
                self._bound[how] = counted(after)[1]
            case _ if price is not None and not price.tail and price.head and not COUNT.match(text):
                self._enhancements.append(RawEnhancement(price.head, price.points, line=line))
            case _:
                return False
        return True


def _each_with(text: str) -> tuple[int, str] | None:
    """Return a number of models and what each has ("4 with bolters"); None for another text."""
    found = EACH_WITH.match(text)
    if found is None or mark_of(found[2]) != "with":
        return None
    return int(found[1]), text[found.end() :]


def _tree(lines: Sequence[TextLine], flat: bool) -> list[_Node]:
    """Return the lines, each with those below it that begin further right."""
    roots: list[_Node] = []
    above: list[_Node] = []
    for line in lines:
        node = _Node(line)
        while above and (flat or above[-1].line.column >= line.column or len(above) > MOST_DEPTH):
            above.pop()
        (above[-1].below if above else roots).append(node)
        above.append(node)
    return roots
