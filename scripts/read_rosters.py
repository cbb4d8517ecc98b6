"""Reads every army list below a folder and says what came of each.

    python scripts/read_rosters.py FOLDER

A folder's name says its dialect; lists in folders that end with `_11e` or with `_9e_negative` are to be
refused. Prints a line for each list (format, faction, units found of all, points stated, added up and by the
data), its findings, and which lists are the same army in several formats.

Exit 1 where a unit is not found, a list of another edition is not refused or another is, the points that
were read are not the prices that stand in the file, or the same army gives two rosters.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from datasheets.errors import HordeError
from datasheets.library import Library
from datasheets.rosters.detect import text_of
from datasheets.rosters.printable import printable
from datasheets.rosters.reading import list_bytes, read_roster
from datasheets.rosters.resolve import ReadRoster

REFUSED = ("_11e", "_9e_negative")
PRICE = re.compile(
    r"[(\[]\s*([0-9]{1,3}(?:[ .,\u00a0\u202f][0-9]{3})|[0-9]{1,5})\s*(?:pts|points)\b", re.IGNORECASE
)
SIZES = re.compile(
    r"strike force|incursion|onslaught|combat patrol|force de frappe|battle size", re.IGNORECASE
)


def main() -> None:
    """Read the folder that the command line names."""
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit("Usage: python scripts/read_rosters.py FOLDER")
    folder, library = Path(sys.argv[1]), Library()
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.parent != folder)
    read: dict[str, ReadRoster] = {}
    faults: list[str] = []
    for path in paths:
        name = printable(str(path.relative_to(folder)))
        faults += [f"{name}: {fault}" for fault in look_at(path, name, library, read)]
    faults += list(differing(read))
    for fault in faults:
        print(f"FAULT {fault}")
    units = sum(each.units for each in read.values())
    print(f"{len(paths)} lists, {len(read)} read, {units} units, {len(faults)} faults")
    sys.exit(1 if faults else 0)


def look_at(path: Path, name: str, library: Library, read: dict[str, ReadRoster]) -> Iterator[str]:
    """Read one list, print what came of it, and yield what is wrong."""
    is_refused = path.parent.name.endswith(REFUSED)
    data = list_bytes(path)
    try:
        found = read_roster(data, name, library)
    except HordeError as refusal:
        print(f"{name}: refused: {printable(str(refusal), 300)}")
        if not is_refused:
            yield "it is refused"
        return
    read[name] = found
    missing = len(found.of("unit"))
    faction = found.roster.faction if found.roster else "none"
    print(
        f"{name}: {found.form}; {faction}; {found.units - missing} of {found.units} units; "
        f"points {found.stated or 'not stated'}, added up {found.total}, by the data {found.points}"
    )
    for finding in found.findings:
        print(f"    [{finding.subject}] {finding}")
    if is_refused:
        yield "it is of another edition and was not refused"
    if missing:
        yield f"{missing} of {found.units} units are not found"
    yield from sums(data, found)


def sums(data: bytes, found: ReadRoster) -> Iterator[str]:
    """Yield where the points that were read are not those that plainly stand in a list of text."""
    if found.stated is not None and found.stated == found.total:
        return
    if "text" not in found.form:
        if found.stated is not None:
            yield f"its units add up to {found.total}, and it says {found.stated}"
        return
    lines = [line for line in text_of(data).splitlines() if not SIZES.search(line)]
    prices = [int(re.sub(r"\D", "", each[1])) for line in lines for each in PRICE.finditer(line)]
    if found.stated in prices:
        prices.remove(found.stated)
    if found.stated is not None and sum(prices) == found.stated:
        yield f"its prices add up to {found.stated}, as it says, and {found.total} were read"


def differing(read: dict[str, ReadRoster]) -> Iterator[str]:
    """Yield where lists of the same units and the same stated points give different rosters."""
    families: dict[object, list[str]] = defaultdict(list)
    for name, found in read.items():
        if found.roster is not None:
            units = tuple(sorted(each.datasheet for each in found.roster.units))
            families[found.roster.faction, units, found.total].append(name)
    for names in families.values():
        if len(names) > 1:
            print(f"The same army: {', '.join(names)}")
        for name in names[1:]:
            for what in differences(read[names[0]], read[name]):
                yield f"{names[0]} and {name} are the same army and differ: {what}"


def differences(one: ReadRoster, other: ReadRoster) -> Iterator[str]:
    """Yield what differs between two rosters, but for what one list does not state at all."""
    first, second = one.roster, other.roster
    assert first is not None
    assert second is not None
    if first.detachment and second.detachment and first.detachment != second.detachment:
        yield f"{first.detachment} and {second.detachment}"
    has_warlord = all(any(each.warlord for each in roster.units) for roster in (first, second))
    has_bought = all(any(each.enhancement for each in roster.units) for roster in (first, second))
    rows = [
        sorted(
            (
                each.datasheet,
                each.models,
                sorted(each.wargear.items()),
                has_warlord and each.warlord,
                (each.enhancement or "") if has_bought else "",
            )
            for each in roster.units
        )
        for roster in (first, second)
    ]
    yield from (f"{here} and {there}" for here, there in zip(*rows, strict=True) if here != there)


if __name__ == "__main__":
    main()
