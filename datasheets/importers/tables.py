"""The committed tables beside this module: what we estimate, decide or read elsewhere than in the facts.

Owns their reading. What each table says stands at its head, and for the trees in `wargear`.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

Table = Mapping[str, Any]
_HERE = files("datasheets.importers")


@cache
def table(name: str) -> Table:
    """Return the table of this name, read from its TOML file."""
    return tomllib.loads(_HERE.joinpath(f"{name}.toml").read_text(encoding="utf-8"))


@cache
def trees(faction: str) -> Table:
    """Return by datasheet how its kinds of model and their wargear hang together; none for a new faction."""
    path = _HERE.joinpath("trees", f"{faction}.json")
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}
