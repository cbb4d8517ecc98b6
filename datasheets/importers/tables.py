"""The committed tables beside this module: estimates, decisions, facts of other sources.

Owns their reading. What each table says stands at its head, and for the trees in `wargear`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import tomli

Table = Mapping[str, Any]
_HERE = files("datasheets.importers")


@cache
def table(name: str) -> Table:
    """Return the table of this name, read from its TOML file."""
    return tomli.loads(_HERE.joinpath(f"{name}.toml").read_text(encoding="utf-8"))


@cache
def trees(faction: str) -> Table:
    """Return the trees of wargear by datasheet of a faction; none for a new faction."""
    path = _HERE.joinpath("trees", f"{faction}.json")
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}
