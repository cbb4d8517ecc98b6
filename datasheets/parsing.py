"""TOML texts of the library's data, each parsed once, for its records and its digest."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import tomli


@lru_cache(maxsize=128)
def parsed(text: str) -> dict[str, Any]:
    """Return what a TOML text says, read once for the rules of a library and for its digest.

    The answer is shared: change nothing in it. Raises TOMLDecodeError.
    """
    return tomli.loads(text)
