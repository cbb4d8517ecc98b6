"""Reading files of rule records: TOML with a list of `[[rule]]`."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources.abc import Traversable
from typing import Any

from datasheets.errors import BadData
from datasheets.record import record
from datasheets.rule import Rule


@lru_cache(maxsize=64)
def parsed(text: str) -> dict[str, Any]:
    """Return what a TOML text says, read once for the rules of a library and for its digest.

    The answer is shared: change nothing in it. Raises TOMLDecodeError.
    """
    return tomllib.loads(text)


def load_rules(path: Traversable) -> tuple[Rule, ...]:
    """Return the rules of a file in its order. Raises BadData for a fault, with the rule and the key."""
    try:
        data = parsed(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise BadData(path.name, "", f"cannot be read ({error})") from None
    strangers = sorted(set(data) - {"rule"})
    if strangers:
        raise BadData(
            path.name, strangers[0], "this key is not known here; a file of rules has [[rule]] only"
        )
    found: list[Rule] = []
    for number, each in enumerate(data.get("rule", [])):
        found.append(record(Rule, each, f"{path.name}, {each.get('id', f'rule {number + 1}')}"))
    seen: set[str] = set()
    for rule in found:
        if rule.id in seen:
            raise BadData(path.name, rule.id, "two rules have this id; give one another")
        seen.add(rule.id)
    return tuple(found)
