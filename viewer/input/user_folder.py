"""The user's own folder: where files go that no command names a place for."""

from __future__ import annotations

from pathlib import Path

SAVES, PICTURES, FAULTS = "saves", "pictures", "faults"
"""The kinds of files in it."""


def user_folder(name: str) -> Path:
    """Return the user's own folder for a kind of files; it is made if need be. Raises OSError."""
    # Seldom needed: most files lie where the person plays.
    from platformdirs import user_data_path

    folder = user_data_path("horde") / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def next_file(folder: Path, stem: str, suffix: str) -> Path:
    """Return a file that is not there yet: stem, hyphen, and the lowest number that is free."""
    number = 1
    while (found := folder / f"{stem}-{number}{suffix}").exists():
        number += 1
    return found
