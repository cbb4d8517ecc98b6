"""`horde rules coverage`: what is simulated and tested of clauses, rulings and abilities."""

from __future__ import annotations

import json
import sys
from collections import Counter
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
NONE = "-"
"""Stands for a share of nothing."""
KINDS = {
    SHEETS: "current datasheets",
    TABLES: "what spawning tables bring, Legends among them, without army rules (PLAY.6)",
}
"""The families of abilities, and whose they are."""


class Row(msgspec.Struct, frozen=True):
    """A thing that is counted: a clause, a ruling, or an ability of one datasheet."""

    id: str
    kind: str
    status: Status
    reason: str | None
    pinned_by: tuple[str, ...] | None
    """The tests that pin it; None where no tests are at hand."""
    listing: bool = False
    """Whether it is an ability of one datasheet: no core ability and no army rule."""

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
            each.is_listing,
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
    for family, what in KINDS.items():
        abilities = [row for row in rows if row.family.partition(".")[0] == family]
        own = [row for row in abilities if row.listing]
        if own:
            yield [f"Abilities of {what}, core ones and army rules apart:", *_listings(own), *_reasons(own)]
        others = [row for row in abilities if not row.listing]
        if others:
            told = _table("abilities", others, lambda row: row.family)
            yield [f"Core abilities and army rules of {what}:", *told, *_reasons(others)]


def _table(things: str, rows: Sequence[Row], name: Callable[[Row], str]) -> list[str]:
    groups = _by(rows, name)
    told: list[tuple[str, ...]] = [("family", things, "modelled", "hooked", "tested", "unmodelled")]
    told += [(family, *_counts(some)) for family, some in groups.items()]
    if len(groups) > 1:
        told.append(("all", *_counts(rows)))
    return table(told)


def _by(rows: Sequence[Row], name: Callable[[Row], str]) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(name(row), []).append(row)
    return groups


def _listings(rows: Sequence[Row]) -> list[str]:
    """Return the table of listings, with the share of those not waiting that acts."""
    families = _by(rows, lambda row: row.family)
    told: list[tuple[str, ...]] = [
        ("family", "listings", "act", "unmodelled", "wait", "acting", "no effect", "tested")
    ]
    told += [(family, *_shares(some)) for family, some in families.items()]
    if len(families) > 1:
        told.append(("all", *_shares(rows)))
    return table(told)


def _shares(rows: Sequence[Row]) -> tuple[str, ...]:
    """Return the counts of listings; those without an effect in battle stand apart."""
    counted = Counter(row.status for row in rows)
    act, idle = counted["modelled"] + counted["hooked"], counted["unmodelled"]
    share = f"{act / (act + idle):.1%}" if act + idle else NONE
    numbers = (act + idle + counted["waiting"], act, idle, counted["waiting"])
    return (*map(str, numbers), share, str(counted["no effect"]), _tested(rows))


def _counts(rows: Sequence[Row]) -> tuple[str, ...]:
    counted = Counter(row.status for row in rows)
    numbers = (len(rows), counted["modelled"], counted["hooked"], _tested(rows), counted["unmodelled"])
    return tuple(map(str, numbers))


def _tested(rows: Sequence[Row]) -> str:
    are_known = all(row.pinned_by is not None for row in rows)
    return str(sum(bool(row.pinned_by) for row in rows)) if are_known else UNKNOWN


def _missing(rows: Sequence[Row]) -> Iterator[str]:
    missing = [row.id for row in rows if row.status == "unmodelled"]
    if missing:
        yield f"Not simulated, or not whole: {', '.join(missing)}."
    yield from _untested(rows)


def _untested(rows: Sequence[Row]) -> Iterator[str]:
    acting = (row for row in rows if row.status in ("modelled", "hooked"))
    untested = [row.id for row in acting if row.pinned_by == ()]
    if untested:
        yield f"Simulated, but without a test: {', '.join(untested)}."


def _reasons(rows: Sequence[Row]) -> Iterator[str]:
    """Yield how many abilities are not simulated, by reason, and which have no test."""
    for status, said in (("unmodelled", "Not simulated"), ("waiting", "Wait for army rules")):
        counted = Counter(row.reason or "" for row in rows if row.status == status)
        for reason, number in sorted(counted.items(), key=lambda each: (-each[1], each[0])):
            yield f"{said}: {number}, as {reason}."
    yield from _untested(rows)
