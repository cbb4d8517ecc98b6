"""The head of a list that is text: its name, factions, detachments, size, totals, Warlord."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from datasheets.rosters.list_words import key_of, plain, size_of
from datasheets.rosters.raw_list import RawEnhancement, RawRoster, RawUnit, Remark
from datasheets.rosters.text_line import LABEL, Price, TextLine, first_number, price_of, split_colon

ON = " (on "


class ListHead:
    """What a list says before its units, filled line by line."""

    def __init__(self) -> None:
        """Begin with a head that says nothing."""
        self.limit: int | None = None
        self.is_fenced = False
        self._said: dict[str, list[str]] = {}
        self._name = ""
        self._total: int | None = None
        self._rest: list[Remark] = []
        self._enhancements: list[RawEnhancement] = []
        self._last = ""
        self._has_ended = False

    def end(self) -> None:
        """End the head: the units begin."""
        self._has_ended = True

    def take(self, line: TextLine) -> bool:
        """Take a line that only the data can tell; return whether the head still lasts."""
        if self._has_ended:
            return False
        size = size_of(line.text)
        if size is not None:
            self.limit = self.limit or size
        else:
            self._rest.append(Remark(line.number, line.text))
        return True

    def take_title(self, price: Price) -> None:
        """Take the line with the list's name and points; it may name faction and detachment."""
        self._name = price.head
        self._total = price.points

    def take_key(self, line: TextLine, *, is_in_unit: bool) -> bool:
        """Take a line of a key and its value; return whether it was one."""
        text = line.text.strip("+& ") if line.text.startswith(("+", "&")) else line.text
        is_fenced = line.bullet in ("+", "&") or line.text.startswith(("+", "&"))
        if line.bullet == "&" and self._last == "enhancement":
            self._enhance(text, line.number)
            return True
        before, after = split_colon(text)
        key = key_of(before)
        if not key or not after or (is_in_unit and not is_fenced) or (line.bullet and not is_fenced):
            return is_fenced and not text
        self.is_fenced = self.is_fenced or is_fenced
        self._last = key
        if key == "enhancement":
            self._enhance(after, line.number)
        else:
            self._said.setdefault(key, []).append(after)
        return True

    def _enhance(self, text: str, line: int) -> None:
        """Keep an enhancement, and the name of the unit that has it ("X (on Char1: Captain)")."""
        name, _, bearer = text.partition(ON)
        label = LABEL.match(bearer)
        bearer = bearer[label.end() :] if label else bearer
        price = price_of(name)
        points = None if price is None else price.points
        self._enhancements.append(
            RawEnhancement(price.head if price else name, points, bearer.rstrip(") "), line)
        )

    def roster(self, form: str, units: Sequence[RawUnit], unresolved: Sequence[Remark]) -> RawRoster:
        """Return the whole list, what its head says of units given to these."""
        title = [part.strip() for part in self._name.split(" - ") if part.strip()]
        head = [Remark(0, part) for part in title[1:]] if len(title) > 1 else []
        return RawRoster(
            form=form,
            name=self._first("name") or self._name,
            factions=tuple(self._said.get("faction", [])),
            detachments=tuple(self._said.get("detachment", [])),
            head=(*([Remark(0, title[0])] if head else []), *head, *self._rest),
            limit=self._limit(),
            total=self._total if "total" not in self._said else first_number(self._first("total")),
            number=first_number(self._first("number")) if "number" in self._said else None,
            units=tuple(self._bound(units)),
            unresolved=tuple(unresolved),
        )

    def _first(self, key: str) -> str:
        return next(iter(self._said.get(key, [])), "")

    def _limit(self) -> int | None:
        """Return the points of the battle, from its size or from the limit that is stated."""
        size = self._first("size")
        stated = first_number(self._first("limit")) or (
            first_number(size.partition("(")[2]) if size else None
        )
        return stated or (size_of(size.partition("(")[0]) if size else None) or self.limit

    def _bound(self, units: Sequence[RawUnit]) -> list[RawUnit]:
        """Return the units with the Warlord and the enhancements that the head names.

        The head's labels are not those of the units: only names bind.
        """
        found = list(units)
        for each in self._enhancements:
            if any(plain(each.name) == plain(had.name) for unit in found for had in unit.enhancements):
                continue
            place = _place(found, each.unit, lambda unit: not unit.enhancements)
            if place is not None:
                found[place] = msgspec.structs.replace(found[place], enhancements=(each,))
        warlord = self._first("warlord")
        label = LABEL.match(warlord)
        place = _place(found, warlord[label.end() :] if label else warlord, lambda unit: True)
        if warlord and place is not None and not any(unit.warlord for unit in found):
            found[place] = msgspec.structs.replace(found[place], warlord=True)
        return found


def _place(units: Sequence[RawUnit], name: str, fits: Callable[[RawUnit], bool]) -> int | None:
    """Return the place of the first unit of this name that fits; None where there is none."""
    wanted = plain(name)
    return next((i for i, unit in enumerate(units) if plain(unit.name) == wanted and fits(unit)), None)
