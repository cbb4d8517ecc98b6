"""Switches of data change a value of a TOML or JSON file, found by its key.

A key is `rule[stratagem/grenade].offer[0].price`. The brackets say which entry of a list is meant: by its
number from 0, its id, or another value that no other entry has (`permit[question=charge-after-advance]`).
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from switch_code import Change, changed_expression
from switch_hint import ROOT, Misfit, alike

READ = {".toml": tomllib.loads, ".json": json.loads}
IDENTITY = ("id", "clause", "name", "source", "summary", "tags", "factions")
"""The keys that say which record it is, and where it is in force."""
PART = re.compile(r"\.?([\w-]+)|\[([^\[\]]+)\]")


def path_of(record: str) -> str:
    """Return the path of a data file, below the project's folder. Raises Misfit."""
    if Path(record).suffix not in READ:
        raise Misfit("record", f"{record} is no TOML or JSON file")
    if not (ROOT / record).is_file():
        raise Misfit("record", f"there is no file {record}")
    return record


def changed(text: str, record: str, key: str, by: Any, change: Change) -> str:
    """Return the text of a data file in which one value is changed or dropped.

    Where the change names an expression, only that part of the value changes. Raises Misfit.
    """
    data = READ[Path(record).suffix](text)
    held, last = _place(data, key)
    if change.drop:
        del held[last]
    elif change.expr:
        held[last] = _expressed(held[last], change)
    elif held[last] == by and type(held[last]) is type(by):
        raise Misfit("by", f"is the value that {key} has already")
    else:
        held[last] = by
    return json.dumps(data) if record.endswith(".json") else _toml(data)


def parts(text: str) -> Iterator[tuple[str, str]]:
    """Yield the clause and key of each part of each record of a TOML file, but its identity."""
    for rule in tomllib.loads(text)["rule"]:
        for name, value in rule.items():
            if name in IDENTITY:
                continue
            at = f"rule[{rule['id']}].{name}"
            is_list = isinstance(value, list) and all(isinstance(each, dict) for each in value)
            keys = [f"{at}[{i}]" for i in range(len(value))] if is_list else [at]
            yield from ((rule["clause"], key) for key in keys)


def _expressed(value: Any, change: Change) -> str:
    """Return a condition or a selector ("unit where …") with one expression replaced."""
    if not isinstance(value, str):
        raise Misfit("expr", "the value of the key is no text; leave expr out")
    kind, where, condition = value.rpartition(" where ")
    return f"{kind}{where}{changed_expression(condition, change)}"


def _place(data: Any, key: str) -> tuple[Any, str | int]:
    """Return the table or list that holds the value of a key, and where in it."""
    parts = list(PART.finditer(key))
    if not parts or "".join(part[0] for part in parts) != key:
        raise Misfit("key", f"`{key}` is no key; write it as rule[its id].offer[0].price")
    held, last = data, ""
    for i, part in enumerate(parts):
        held = held[last] if i else data
        last = _step(held, part, key[: part.start()] or "the file")
    return held, last


def _step(data: Any, part: re.Match[str], done: str) -> Any:
    """Return the name or number to which a part of a key leads in a table or a list."""
    name, entry = part.groups()
    if name is not None:
        if not isinstance(data, dict):
            raise Misfit("key", f"{done} is no table; say in brackets which entry of it")
        if name not in data:
            raise Misfit("key", f"there is no {name} in {done}{alike(name, data)}")
        return name
    if not isinstance(data, list):
        raise Misfit("key", f"{done} is no list; leave [{entry}] out")
    if entry.isdigit():
        if int(entry) >= len(data):
            raise Misfit("key", f"{done} has {len(data)} entries; there is no [{entry}]")
        return int(entry)
    return _entry(data, entry, done)


def _entry(data: list[Any], entry: str, done: str) -> int:
    """Return the number of the one entry of a list that has an id, or a value of a field."""
    field, _, value = entry.partition("=") if "=" in entry else ("id", "", entry)
    tables = [each if isinstance(each, dict) else {} for each in data]
    found = [i for i, each in enumerate(tables) if str(each.get(field)) == value]
    if len(found) == 1:
        return found[0]
    hint = "; say which by its number" if found else alike(value, [str(each.get(field)) for each in tables])
    raise Misfit("key", f"{len(found)} entries of {done} have the {field} {value}{hint}")


def _toml(data: dict[str, Any]) -> str:
    """Return a table as TOML, one key a line."""
    return "".join(f"{json.dumps(key)} = {_inline(value)}\n" for key, value in data.items())


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_inline(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_inline(each) for each in value) + "]"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    # JSON writes texts, numbers, true and false as TOML does.
    return json.dumps(value)
