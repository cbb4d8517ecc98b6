"""Lists that are text, of every dialect: the official app's, New Recruit's and ListForge's.

Only a few lists still say which program wrote them, so that the shape of the lines decides: a price ends the
header of a unit, what stands before the first unit is the head, a caption ends a unit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from datasheets.rosters.list_head import ListHead
from datasheets.rosters.list_words import (
    changes_nothing,
    edition_of_line,
    is_caption,
    key_of,
    mark_of,
    other_edition,
    says_nothing,
    size_of,
)
from datasheets.rosters.raw_list import MOST_UNITS, RawRoster, RefusedList, Remark
from datasheets.rosters.text_line import BARE_PRICE, PRICE, Price, TextLine, lines_of, price_of, split_colon
from datasheets.rosters.unit_block import EACH_WITH, UnitBlock

RULE = re.compile(r"[+=_*~#•–—\- ]{3,}")
DEAREST_UNIT = 400
"""Points from which a list's first price, with plain text after it, is the whole list's."""
FORCE_TITLE = re.compile(r"\+\+.{1,80}\+\+", re.DOTALL)


def read_text_list(text: str) -> RawRoster:
    """Return what a list says that is text.

    Raises `RefusedList` for another edition, or where the list has no unit.
    """
    lines = lines_of(text)
    for line in lines:
        edition = edition_of_line(line.text)
        if edition:
            raise RefusedList(f"line {line.number}: {other_edition(edition)}")
    return _Reading(lines).roster()


class _Reading:
    """One list as its lines are taken, in order."""

    def __init__(self, lines: tuple[TextLine, ...]) -> None:
        self._lines = lines
        self._priced = _unit_prices(lines)
        self._title = _title(lines, self._priced)
        self._head = ListHead()
        self._units: list[UnitBlock] = []
        self._unit: UnitBlock | None = None
        self._unresolved: list[Remark] = []

    def roster(self) -> RawRoster:
        """Return the list as a whole."""
        for place, line in enumerate(self._lines):
            self._take(place, line)
        if not self._units:
            raise RefusedList(
                "no unit is found in it; a unit's line ends with its points: 'Intercessor Squad (80 Points)'"
            )
        if len(self._units) > MOST_UNITS:
            raise RefusedList(f"it has {len(self._units)} units, more than any army; give one list alone")
        flat = _is_flat([line for unit in self._units for line in unit.lines])
        units = [unit.unit(flat=flat) for unit in self._units]
        return self._head.roster(_form(self._lines, self._units, self._head), units, self._unresolved)

    def _take(self, place: int, line: TextLine) -> None:
        """Take one line, by what it is."""
        price = self._priced.get(place)
        if RULE.fullmatch(line.text) or says_nothing(line.text):
            return
        if place == self._title and price is not None:
            self._head.take_title(price)
        elif self._head.take_key(line, is_in_unit=self._unit is not None):
            return
        elif _is_caption(line, price):
            self._unit = None
            self._head.end()
        elif price is not None and size_of(price.head) is not None:
            self._head.limit = price.points
        elif price is not None:
            self._unit = UnitBlock(line, price)
            self._units.append(self._unit)
            self._head.end()
        elif self._unit is not None:
            self._unit.add(line)
        elif not changes_nothing(line.text) and not self._head.take(line):
            self._unresolved.append(Remark(line.number, line.text))


def _unit_prices(lines: Sequence[TextLine]) -> dict[int, Price]:
    """Return the prices of lines that may be headers, by their places.

    Lines with bullets are headers only where all but the title have them.
    """
    found = {place: price for place, line in enumerate(lines) if (price := _unit_price(line))}
    bare = {place: price for place, price in found.items() if not lines[place].bullet}
    headers = [price for price in bare.values() if size_of(price.head) is None]
    listed = sum(price.points for place, price in found.items() if place not in bare)
    is_all_listed = not headers or (len(headers) == 1 and headers[0].points == listed)
    return found if is_all_listed else bare


def _unit_price(line: TextLine) -> Price | None:
    """Return the points of a line that may be the header of a unit or of the list."""
    found = price_of(line.text)
    if found is None or found.is_added or not found.head or EACH_WITH.match(found.head):
        return None
    if mark_of(split_colon(found.head)[0]) or (line.bullet and not PRICE.search(line.text)):
        return None
    key = key_of(split_colon(line.text)[0])
    return None if key and not PRICE.search(line.text) else found


def _is_caption(line: TextLine, price: Price | None) -> bool:
    """Return whether a line stands above units of a kind ("Epic Hero [195 pts]:")."""
    if line.text.startswith("#") or FORCE_TITLE.match(line.text):
        return True
    text = price.head if price is not None else line.text
    return not line.bullet and is_caption(re.sub(r"\([0-9]{1,3}\)$", "", text.strip(" :=+#*-_")))


def _title(lines: Sequence[TextLine], priced: dict[int, Price]) -> int | None:
    """Return the place of the line that names the list and its points, if one does."""
    first = next(iter(priced), None)
    if first is None or size_of(priced[first].head) is not None or priced[first].tail:
        return None
    is_late = any(_is_caption(line, None) for line in lines[:first])
    if is_late or first + 1 >= len(lines):
        return None
    line, rest = lines[first + 1], [priced[place] for place in priced if place != first]
    follower = priced.get(first + 1)
    if any(size_of(price.head) is not None for price in rest) or _has_size(lines):
        return first
    if follower is not None and not _is_caption(line, follower):
        return first if len(rest) > 2 and priced[first].points == sum(each.points for each in rest) else None
    before = split_colon(line.text)[0]
    is_key = bool(key_of(before)) and not (mark_of(before) or line.bullet)
    is_head = is_key or _is_caption(line, follower)
    return first if is_head or (line.is_plain and priced[first].points >= DEAREST_UNIT) else None


def _has_size(lines: Sequence[TextLine]) -> bool:
    """Return whether a line of its own says the size of the battle."""
    return any(
        key_of(split_colon(line.text.lstrip("+ "))[0]) == "size" or size_of(line.text) is not None
        for line in lines
        if not line.bullet
    )


def _is_flat(lines: Sequence[TextLine]) -> bool:
    """Return whether columns tell no depth: bullets are mixed with none, and all is at the left."""
    is_indented = any(line.column > (2 if line.bullet else 0) for line in lines)
    return not is_indented and len({bool(line.bullet) for line in lines}) > 1


def _form(lines: Sequence[TextLine], units: Sequence[UnitBlock], head: ListHead) -> str:
    """Return the name of the dialect, for people: it decides nothing."""
    body = [line for unit in units for line in unit.lines]
    if head.is_fenced:
        if any(EACH_WITH.match(line.text) for line in body):
            return "New Recruit WTC text"
        has_tails = any((price := price_of(line.text)) and price.tail for line in lines)
        return "New Recruit WTC-compact text" if has_tails else "New Recruit GW text"
    if any("[" in found[0] for line in lines if (found := PRICE.search(line.text))):
        return "New Recruit text"
    if any(line.text.endswith(":") and _is_caption(line, None) for line in lines):
        return "ListForge text"
    if any(line.column > 2 for line in body):
        return "app text"
    if not any(PRICE.search(line.text) for line in lines) and any(
        BARE_PRICE.search(line.text) for line in lines
    ):
        return "app text with glued prices"
    return "app text, flattened" if body else "short text"
