"""`horde rules coverage`: what is simulated and tested of clauses, rulings and abilities."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from datasheets.census import current, spawned
from datasheets.checklist import Line
from datasheets.library import Library
from datasheets.schema import Ability, Datasheet, Status
from datasheets.spelling import kebab
from viewer.commands.pin import Pins, pins, tests_folder
from viewer.commands.rules_command import NO_TESTS, rulings, unknown_clause
from viewer.commands.sheet_text import table

SHEETS, TABLES = "DATASHEET", "SPAWNED"
"""The families of abilities: of current datasheets, and of those that spawning tables bring."""
UNKNOWN = "?"
"""Stands for a number that is not known."""


class Row(msgspec.Struct, frozen=True):
    """A thing that is counted: a clause, a ruling, or an ability of one datasheet."""

    id: str
    kind: str
    status: Status
    reason: str | None
    pinned_by: tuple[str, ...] | None
    """The tests that pin it; None where no tests are at hand."""

    @property
    def family(self) -> str:
        """Return the family under which it is counted."""
        return group(self.id)


def coverage(family: str, tests: Path | None, as_json: bool) -> None:
    """Print how much is simulated and tested, and name what is not. Raises UnknownName."""
    folder = tests_folder(tests)
    listed = tuple(_all_rows(Library(), pins(folder)))
    rows = [row for row in listed if _belongs(row.id, family)]
    if not rows:
        raise unknown_clause(family, {row.family for row in listed}, "family of clauses")
    if folder is None:
        # Without tests at hand nothing is said of what is tested.
        rows = [msgspec.structs.replace(row, pinned_by=None) for row in rows]
    if as_json:
        sys.stdout.write(json.dumps(msgspec.to_builtins(rows), indent=1) + "\n")
        return
    sys.stdout.write("\n\n".join("\n".join(part) for part in _parts(rows)) + "\n")
    if folder is None:
        sys.stdout.write(f"{NO_TESTS[0].upper()}{NO_TESTS[1:]}.\n")


def group(clause: str) -> str:
    """Return the family under which an id is counted: "CORE.WPN", "AI.MOVE", "MISERY"."""
    parts = clause.split(".")
    return ".".join(parts[:2]) if len(parts) > 2 else parts[0]


def _all_rows(library: Library, found: Pins) -> Iterator[Row]:
    # The records of datasheets are counted on the datasheets that have them.
    clauses = (line for line in library.checklist() if group(line.id) != SHEETS)
    yield from (_of_line(line, "clause", found) for line in clauses)
    yield from (_of_line(line, "ruling", found) for line in rulings(found))
    for faction in library.factions():
        for sheet in current(library, faction):
            yield from _of_sheet(sheet, sheet.abilities, f"{SHEETS}.{faction}", found)
    for faction in library.hordes():
        for sheet in spawned(library, faction):
            yield from _of_sheet(sheet, sheet.abilities_of_horde, f"{TABLES}.{faction}", found)


def _of_line(line: Line, kind: str, found: Pins) -> Row:
    return Row(line.id, kind, line.status, line.unmodelled or None, found.get(line.id, ()))


def _of_sheet(sheet: Datasheet, abilities: Iterable[Ability], family: str, found: Pins) -> Iterator[Row]:
    """Yield a row for each ability of a datasheet; its tests are those of its clause."""
    name = sheet.id.partition("/")[2]
    for each in abilities:
        yield Row(
            f"{family}.{name}.{kebab(each.name)}",
            "ability",
            each.status,
            each.reason,
            found.get(each.clause, ()),
        )


def _belongs(clause: str, family: str) -> bool:
    told, wanted = clause.lower(), family.lower().rstrip(".")
    return not wanted or told == wanted or told.startswith(f"{wanted}.")


def _parts(rows: Sequence[Row]) -> Iterator[list[str]]:
    """Yield the table of each kind of thing, with its heading and what is missing."""
    clauses = [row for row in rows if row.kind == "clause"]
    if clauses:
        yield [*_table("clauses", clauses, lambda row: row.family), *_missing(clauses)]
    settled = [row for row in rows if row.kind == "ruling"]
    if settled:
        yield [*_table("rulings", settled, lambda _: "R"), *_untested(settled)]
    for family, heading in (
        (SHEETS, "Abilities of current datasheets:"),
        (TABLES, "Abilities of what spawning tables bring, Legends among them, without army rules (PLAY.6):"),
    ):
        abilities = [row for row in rows if row.family.partition(".")[0] == family]
        if abilities:
            yield [heading, *_table("abilities", abilities, lambda row: row.family), *_reasons(abilities)]


def _table(things: str, rows: Sequence[Row], name: Callable[[Row], str]) -> list[str]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(name(row), []).append(row)
    told: list[tuple[str, ...]] = [("family", things, "modelled", "hooked", "tested", "unmodelled")]
    told += [(family, *_counts(some)) for family, some in groups.items()]
    if len(groups) > 1:
        told.append(("all", *_counts(rows)))
    return table(told)


def _counts(rows: Sequence[Row]) -> tuple[str, ...]:
    statuses = [row.status for row in rows]
    are_known = all(row.pinned_by is not None for row in rows)
    tested = sum(bool(row.pinned_by) for row in rows) if are_known else UNKNOWN
    counted = (statuses.count("modelled"), statuses.count("hooked"), tested, statuses.count("unmodelled"))
    return tuple(map(str, (len(rows), *counted)))


def _missing(rows: Sequence[Row]) -> Iterator[str]:
    missing = [row.id for row in rows if row.status == "unmodelled"]
    if missing:
        yield f"Not simulated, or not whole: {', '.join(missing)}."
    yield from _untested(rows)


def _untested(rows: Sequence[Row]) -> Iterator[str]:
    untested = [row.id for row in rows if row.status != "unmodelled" and row.pinned_by == ()]
    if untested:
        yield f"Simulated, but without a test: {', '.join(untested)}."


def _reasons(rows: Sequence[Row]) -> Iterator[str]:
    """Yield how many abilities are not simulated, by reason, and which have no test."""
    counted: dict[str, int] = {}
    for row in rows:
        if row.status == "unmodelled":
            counted[row.reason or ""] = counted.get(row.reason or "", 0) + 1
    for reason, number in sorted(counted.items(), key=lambda each: (-each[1], each[0])):
        yield f"Not simulated: {number}, as {reason}."
    yield from _untested(rows)
