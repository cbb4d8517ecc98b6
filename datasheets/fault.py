"""The words for a fault in a file: at which key it is, and what its author can do about it.

Owns the words. What a fault is, msgspec and `datasheets.form` find out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

import msgspec
from msgspec import inspect

from datasheets.errors import BadData

MISSING = "this key is missing"
UNKNOWN = "this key is not known here; remove or rename it"
SOME = "…"
"""A key that is not known."""
_KINDS = {
    str: "str",
    int: "int",
    float: "float",
    bool: "bool",
    list: "array",
    dict: "object",
    type(None): "null",
}
_WORDS = {
    "`int | float | str`": 'a number or a text in "quotes"',
    "`int | str`": 'a whole number or a text in "quotes"',
    "`int`": "a whole number",
    "`float`": "a number",
    "`str`": 'a text in "quotes"',
    "`bool`": "true or false",
    "`array`": "a list in [brackets]",
    "`object`": "keys with values",
    "of length >= 1": "that is not empty",
    "of length <= ": "of at most ",
    "of length ": "of ",
    ">= ": "of at least ",
    "<= ": "of at most ",
}
"""What msgspec says of a value, and what the author of a file does."""


def fault(text: str, kind: type[msgspec.Struct], data: Any, path: str) -> BadData:
    """Return the fault in a player's words: what is wrong, and at which key.

    `text` is msgspec's sentence for it ("… - at `$.unit[0].id`").
    """
    what, _, where = text.partition(" - at ")
    wanted = _sole(inspect.type_info(kind))
    steps: list[str | int] = []
    for name, place in re.findall(r"\.(\w+)|\[([\d.]+)\]", where):
        steps.append(name or (int(place) if place.isdigit() else _wrong_key(what, data)))
        wanted = _sole(_part(wanted, steps[-1]))
        data = None if steps[-1] == SOME else data and data[steps[-1]]
    named = re.fullmatch(r"Object (?:missing required|contains unknown) field `(.+)`", what)
    if named is None:
        return BadData(path, ".".join(map(str, steps)), _mend(what, wanted, data))
    mend = MISSING if "missing" in what else UNKNOWN + meant(named[1], _keys(inspect.type_info(kind)))
    return BadData(path, ".".join(map(str, [*steps, named[1]])), mend)


def _sole(wanted: inspect.Type) -> inspect.Type:
    """Return what is wanted where something is, if one thing is."""
    if isinstance(wanted, inspect.UnionType):
        found = [each for each in wanted.types if not isinstance(each, inspect.NoneType)]
        return found[0] if len(found) == 1 else wanted
    return wanted


def _part(wanted: inspect.Type, step: str | int) -> inspect.Type:
    """Return what is wanted at a key or place of what is wanted."""
    match wanted:
        case inspect.StructType():
            return next(field.type for field in wanted.fields if field.encode_name == step)
        case inspect.TupleType():
            return wanted.item_types[int(step)]
        case inspect.VarTupleType():
            return wanted.item_type
        case inspect.DictType():
            return wanted.value_type
    return wanted


def _wrong_key(what: str, data: Mapping[str, Any]) -> str:
    """Return the first key with a value of the kind that msgspec refuses.

    Its sentence does not say at which key the value is.
    """
    kinds = {key: _KINDS.get(type(value), type(value).__name__) for key, value in data.items()}
    return next((key for key, kind in kinds.items() if what.endswith(f"got `{kind}`")), SOME)


def _mend(what: str, wanted: inspect.Type, found: object) -> str:
    """Return in a player's words what to do about one fault."""
    if isinstance(wanted, inspect.LiteralType):
        what = f"Expected {' or '.join(map(repr, wanted.values))}"
    if not what.startswith("Expected "):
        return what
    text, _, got = what.removeprefix("Expected ").replace(" | null", "").partition(", got ")
    text = re.sub(r"`str` matching regex '.*D\[36\].*'", 'a number or dice such as "D6+1"', text)
    for theirs, ours in _WORDS.items():
        text = text.replace(theirs, ours)
    not_that = f", not {found!r}" if isinstance(found, str | int | float) else f", not {got}" if got else ""
    for theirs, ours in _WORDS.items():
        not_that = not_that.replace(theirs, ours)
    return f"should be {text}{not_that}"


def meant(key: str, known: Iterable[str]) -> str:
    """Return a hint at the known keys that are near to a wrong one."""
    near = get_close_matches(key, sorted(known), n=2)
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""


def _keys(wanted: inspect.Type) -> set[str]:
    """Return every key of a record and of the records within it."""
    match wanted:
        case inspect.StructType():
            inner = (_keys(field.type) for field in wanted.fields)
            return {field.encode_name for field in wanted.fields}.union(*inner)
        case inspect.UnionType():
            return set[str]().union(*map(_keys, wanted.types))
        case inspect.VarTupleType():
            return _keys(wanted.item_type)
        case inspect.DictType():
            return _keys(wanted.value_type)
    return set()
