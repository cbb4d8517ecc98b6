"""Compares the committed digests of the data files with the files.

    python scripts/digests.py [--write]

The digest of a file is the SHA-256 of what it says, whatever its layout. The program trusts the committed
ones and reads no file for its digest; a save is refused by them. Prints what differs, and exits with 1 where
something does; with --write the digests are written anew.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from datasheets.dependency import differences
from datasheets.files import COMMITTED, committed, digest
from datasheets.library import Library

FILE = Path(__file__).resolve().parent.parent / "assets" / COMMITTED


def main() -> None:
    """Compare the digests, or write them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the digests of the files as they are")
    write = parser.parse_args().write
    found = digests()
    changed = differences(committed(), found)
    sys.stdout.writelines(f"{'written' if write else 'differs'}: {name}\n" for name in changed)
    if write:
        FILE.write_text(json.dumps(found, indent=0) + "\n", encoding="utf-8", newline="\n")
    sys.exit(bool(changed) and not write)


def digests() -> dict[str, str]:
    """Return the digest of each packaged data file as it is, by name."""
    library = Library(overrides=None)
    return {name: digest(library.files.read(name)) for name in sorted(library.data_files())}


if __name__ == "__main__":
    main()
