"""`horde datasheets import`: follow a balance update by the community's catalogues."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from datasheets.catalogue.compare import Comparison
from datasheets.catalogue.importing import Imported, import_catalogues, write
from datasheets.library import Library
from datasheets.overrides import default_path

LONGEST_NAME = 60


def run(folder: Path, output: Path | None, dry_run: bool, verbose: bool) -> None:
    """Compare a folder of catalogues with the packaged datasheets and write what changed.

    Raises BadData for a folder or a file that cannot be read; the file of overrides then stays as it was.
    """
    library = Library(overrides=None)
    sheets = [sheet for faction in library.factions() for sheet in library.datasheets(faction)]
    found = import_catalogues(folder, sheets)
    path = output or default_path()
    if not dry_run:
        write(path, found.overrides(library.edition))
    told = [*_told(found), *(_left_out(found) if verbose else ()), *_counts(found, verbose)]
    told.append("Nothing was written." if dry_run else f"Wrote {path}.")
    sys.stdout.write("\n".join(told) + "\n")


def _told(found: Imported) -> Iterator[str]:
    """Yield each changed datasheet with what changed."""
    for each in found.changed:
        yield each.sheet.id
        yield from (f"  {difference}" for difference in each.differences)


def _counts(found: Imported, verbose: bool) -> Iterator[str]:
    total = len(found.compared) + len(found.unmatched)
    left_out = sum(len(each.left_out) for each in found.compared)
    yield (
        f"{found.catalogues} files: {len(found.compared)} of {total} datasheets compared, "
        f"{len(found.changed)} changed."
    )
    hint = "" if verbose else " (--verbose lists them)"
    yield (
        f"Not compared{hint}: {left_out} facts, {len(found.unmatched)} datasheets that the catalogues lack, "
        f"{len(found.new_sheets)} that only they have."
    )


def _left_out(found: Imported) -> Iterator[str]:
    """Yield what could not be compared: facts of a datasheet, then datasheets of one side alone."""
    yield "Not compared:"
    for each in found.compared:
        yield from _lines(each)
    for sheet in found.unmatched:
        yield f"  {sheet.id}: the catalogues have no datasheet of this name"
    for facts in found.new_sheets:
        yield f"  {facts.catalogue}: {facts.name[:LONGEST_NAME]} is none of our datasheets"


def _lines(comparison: Comparison) -> Iterator[str]:
    for each in comparison.left_out:
        yield f"  {comparison.sheet.id}: {each}"
