"""A list as it is written becomes a roster of this program, with all that was found in it.

Nothing is guessed: a unit is found by its name or is named as not found, a line is understood or listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from datasheets.belonging import SheetSource
from datasheets.rosters.finding import Finding, Subject, quoted
from datasheets.rosters.list_words import plain
from datasheets.rosters.name_index import NameIndex, detachment_of
from datasheets.rosters.printable import printable
from datasheets.rosters.raw_list import RawRoster, RawUnit, RefusedList, Remark
from datasheets.rosters.resolve_unit import ResolvedUnit
from datasheets.schema import Roster, RosterUnit

MOST_SUGGESTED = 40
"""Of how many unknown units names are suggested: to look for near names takes long."""


class ReadRoster(msgspec.Struct, frozen=True):
    """What came of a list: its roster, what was found, and its points as stated and by the data.

    `roster` is None where no unit was found. `total` is what the units' stated points add up to.
    """

    form: str
    roster: Roster | None
    findings: tuple[Finding, ...]
    units: int
    stated: int | None
    total: int
    points: int

    def of(self, subject: str) -> tuple[Finding, ...]:
        """Return the findings on one subject."""
        return tuple(each for each in self.findings if each.subject == subject)


def resolved(raw: RawRoster, library: SheetSource) -> ReadRoster:
    """Return the roster that a list says, with the findings in the order of its lines."""
    return _Resolving(raw, library).result()


class _Resolving:
    """The resolving of one list."""

    def __init__(self, raw: RawRoster, library: SheetSource) -> None:
        self._raw = raw
        self._library = library
        self._index = NameIndex(library)
        self._findings: list[Finding] = [_not_understood(each) for each in raw.unresolved]
        self._detachments: list[str] = []
        self._written = self._read_head()
        self._faction = self._faction_of_units()
        self._search = self._order_of_search()

    def result(self) -> ReadRoster:
        """Return what came of the list."""
        if not self._raw.units:
            raise RefusedList("no unit is found in it")
        units = [unit for raw in self._raw.units for unit in self._unit(raw)]
        self._count(units)
        roster = self._roster(units) if units else None
        ordered = sorted(self._findings, key=lambda each: each.line)
        return ReadRoster(
            form=self._raw.form,
            roster=roster,
            findings=tuple(ordered),
            units=len(self._raw.units),
            stated=self._raw.total,
            total=sum(each.points or 0 for each in self._raw.units),
            points=sum(each.points for each in units),
        )

    def _read_head(self) -> str:
        """Read the names of the head; return the faction that is written last, "" for none."""
        faction = ""
        for name in self._raw.factions:
            known = self._index.faction(name)
            faction = known or faction
            if not known:
                self._find("faction", f"the faction {quoted(name)} is not known")
        for name in self._raw.detachments:
            self._detachments += _detachments_in(name)
        rest: list[Remark] = []
        for remark in self._raw.head:
            named, detachment = self._index.faction(remark.text), detachment_of(remark.text)
            if named:
                faction = named if not self._raw.factions else faction
            elif detachment:
                self._detachments.append(detachment)
            else:
                rest.append(remark)
        self._take_rest(rest, bool(faction))
        self._detachments = list(dict.fromkeys(self._detachments))
        return faction

    def _take_rest(self, rest: Sequence[Remark], has_faction: bool) -> None:
        """Take lines of the head that name nothing known: a detachment where none is said."""
        title = {plain(part) for part in self._raw.name.split(" - ")}
        lines = [each for each in rest if plain(each.text) not in title]
        if not self._detachments and has_faction and len(lines) == 1:
            self._detachments.append(printable(lines[0].text))
            self._find("line", f"the detachment {quoted(lines[0].text)} is not known", lines[0].line)
            return
        self._findings += [_not_understood(each) for each in lines]

    def _faction_of_units(self) -> str:
        """Return the faction of the army: as written, or the one that fields most of the units.

        A chapter that may field all that is written wins over the whole of which it is one.
        """
        owners = [self._index.owners(unit.name) for unit in self._raw.units]
        if self._written:
            able = (self._written, *self._index.including(self._written))
        else:
            able = tuple(dict.fromkeys(each for names in owners for each in names))
        able = tuple(each for each in able if self._library.faction(each).is_army or each == self._written)
        if not able:
            return ""

        def fitness(faction: str) -> tuple[int, int, bool]:
            lent = self._index.with_included(faction)
            fielded = sum(any(each in lent for each in names) for names in owners)
            return fielded, sum(faction in names for names in owners), faction == self._written

        order = sorted(able, key=lambda each: (each != self._written, each))
        best = max(order, key=lambda each: (fitness(each)[0], fitness(each)[2], fitness(each)[1]))
        if best != self._written:
            name = self._library.faction(best).name
            self._find("faction", f"the list names no faction that fields its units; {name} is taken")
        return best

    def _order_of_search(self) -> tuple[str, ...]:
        """Return the factions in the order in which a unit is looked for."""
        first = self._index.with_included(self._faction) if self._faction else ()
        return (*first, *(each for each in self._library.factions() if each not in first))

    def _unit(self, raw: RawUnit) -> list[ResolvedUnit]:
        """Return the units that a header says: one as a rule, none where its name is unknown."""
        sheet_id = self._index.datasheet(raw.name, self._search)
        if not sheet_id:
            self._say_unknown(raw)
            return []
        sheet = self._library.datasheet(sheet_id)
        copies = raw.models or 1
        alone = sheet.unit_size.maximum == 1 and copies > 1 and raw.points == copies * sheet.cost(1)
        if alone:
            raw = msgspec.structs.replace(raw, models=1, points=sheet.cost(1))
        unit = ResolvedUnit(raw, sheet, self._detachments)
        self._findings += unit.findings
        return [unit] * (copies if alone else 1)

    def _say_unknown(self, raw: RawUnit) -> None:
        told = sum(each.subject == "unit" for each in self._findings)
        first = self._search[: len(self._index.with_included(self._faction))] if self._faction else ()
        near = self._index.near(raw.name, first) if told < MOST_SUGGESTED else ()
        hint = f"; did you mean {' or '.join(map(quoted, near))}?" if near else "; write its English name"
        self._find("unit", f"there is no unit {quoted(raw.name)}{hint}", raw.line)

    def _count(self, units: Sequence[ResolvedUnit]) -> None:
        """Find where numbers of the list as a whole differ."""
        raw = self._raw
        if raw.number is not None and raw.number != len(raw.units):
            self._find("number", f"the list says {raw.number} units, and {len(raw.units)} are found")
        total = sum(each.points or 0 for each in raw.units)
        if raw.total is not None and raw.total != total:
            self._find("points", f"the list says {raw.total} points, and its units add up to {total}")
        ours, bonus = sum(each.points for each in units), sum(each.bonus for each in units)
        if len(units) >= len(raw.units) and total != ours + bonus:
            beside = f" and {bonus} for enhancements" if bonus else ""
            self._find("points", f"its units cost {total} points by the list, and {ours}{beside} by the data")
        if len(self._detachments) > 1:
            named = ", ".join(map(quoted, self._detachments))
            self._find("breach", f"the list has {len(self._detachments)} detachments ({named}); keep one")
        if not self._detachments:
            self._find("breach", "the list names no detachment")

    def _roster(self, units: Sequence[ResolvedUnit]) -> Roster:
        raw, counts, made = self._raw, Counter[str](), []
        for unit in units:
            slug = unit.sheet.id.partition("/")[2]
            counts[slug] += 1
            made.append(
                RosterUnit(
                    id=f"{slug}-{counts[slug]}",
                    datasheet=unit.sheet.id,
                    models=unit.models,
                    wargear=unit.wargear,
                    warlord=unit.raw.warlord,
                    enhancement=printable(unit.enhancement) if unit.enhancement else None,
                )
            )
        cost = sum(each.points for each in units)
        return Roster(
            name=self._name(),
            faction=self._faction or units[0].sheet.faction,
            detachment=self._detachments[0] if self._detachments else "",
            points=raw.limit or raw.total or cost,
            units=tuple(self._bound(made, units)),
        )

    def _bound(self, made: list[RosterUnit], units: Sequence[ResolvedUnit]) -> list[RosterUnit]:
        """Return the units with those that they lead and ride in, where the list says so."""
        ids: dict[str, list[str]] = {}
        for row, unit in zip(made, units, strict=True):
            ids.setdefault(plain(unit.sheet.name), []).append(row.id)
        found = []
        for row, unit in zip(made, units, strict=True):
            for key, name in (("attached_to", unit.raw.attached_to), ("embarked_in", unit.raw.embarked_in)):
                others = [each for each in ids.get(plain(name), []) if each != row.id]
                if others:
                    row = msgspec.structs.replace(row, **{key: others[0]})
                elif name:
                    self._find("line", f"there is no unit {quoted(name)} in the list for {row.id}")
            found.append(row)
        return found

    def _name(self) -> str:
        """Return the name of the list, without the faction and the detachment that some titles hold."""
        parts = [part.strip() for part in self._raw.name.split(" - ") if part.strip()]
        if len(parts) > 1:
            parts = [each for each in parts if not self._index.faction(each) and not detachment_of(each)]
            parts = [each for each in parts if plain(each) not in ("xenos", "imperium", "chaos")]
        name = printable(" - ".join(parts))
        if name:
            return name
        return self._library.faction(self._faction).name if self._faction else "Army"

    def _find(self, subject: Subject, text: str, line: int = 0) -> None:
        self._findings.append(Finding(subject, text, line))


def _detachments_in(name: str) -> list[str]:
    """Return the detachments that a value of the head names: one, or several between commas."""
    known = detachment_of(name)
    if known:
        return [known]
    parts = [found for part in name.replace(" + ", ",").split(",") if (found := detachment_of(part))]
    return parts if len(parts) > 1 else [printable(name)]


def _not_understood(remark: Remark) -> Finding:
    return Finding("line", f"{quoted(remark.text)} is not understood", remark.line)
