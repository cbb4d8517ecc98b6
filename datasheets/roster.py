"""A player's army: reading its file, and everything that would make it illegal.

Owns the roster file and the mustering clauses (ARMY.2, ARMY.4, ARMY.5). It places nothing.
"""

from __future__ import annotations

import tomllib
from importlib.resources.abc import Traversable
from pathlib import Path

from datasheets.errors import BadData
from datasheets.record import record
from datasheets.schema import Roster


def load_roster(source: Traversable | Path | str) -> Roster:
    """Return the roster of a TOML file, or of its text. A fault raises `BadData` with path, key and mend."""
    if isinstance(source, str):
        path, text = "roster", source
    else:
        path = str(source)
        try:
            text = source.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise BadData(path, "", f"cannot be read ({error})") from None
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadData(path, "", f"is no TOML file ({error})") from None
    return record(Roster, data, path)
