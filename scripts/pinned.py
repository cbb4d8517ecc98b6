"""Compares the digest of the pinned battle with the committed one.

    python scripts/pinned.py [--write]

`horde doctor` plays this battle wherever it is asked. A change of rules or plans changes the battle, and its
digest is written anew with it. Exit code 1 where it differs and is not written.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from viewer.commands.doctor_command import PINNED, ROUNDS, SEED, pinned_digest

FILE = Path(__file__).resolve().parent.parent / "assets" / PINNED


def main(
    write: Annotated[bool, typer.Option("--write", help="Write the digest as it is now.")] = False,
) -> None:
    """Compare the digest, or write it."""
    told = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    found = pinned_digest()
    if told.get("digest") == found:
        return
    sys.stdout.write(f"{'written' if write else 'differs'}: {PINNED}\n")
    if not write:
        raise typer.Exit(1)
    text = json.dumps({"seed": SEED, "rounds": ROUNDS, "digest": found}, indent=1)
    FILE.write_text(f"{text}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    typer.run(main)
