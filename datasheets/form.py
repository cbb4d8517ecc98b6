"""What the parts of a scenario file have in common, and the words for a fault in one.

Owns the base of those parts and the door by which plain data becomes one. Unlike records (`record`), a
scenario may say the same thing in several shapes, has keys of its own choice, and tells its schema.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from datasheets.errors import BadData
from datasheets.fault import MISSING, UNKNOWN, meant
from datasheets.record import TOO_DEEP


class Form(BaseModel):
    """A part of a file: frozen, and strict about its keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


F = TypeVar("F", bound=Form)


def filled(kind: type[F], data: Any, path: str) -> F:
    """Return the data as a form of this kind, or raise `BadData` that names the first wrong key."""
    try:
        return kind.model_validate_json(json.dumps(data, default=_strange), strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        # Of a choice of shapes pydantic names the one tried, which is no key of the file.
        key = ".".join(str(part) for part in first["loc"] if "[" not in str(part))
        mend = _mend(first["type"], first["msg"], first.get("input"))
        if first["type"] == "missing" and first["loc"] and isinstance(first["loc"][-1], int):
            mend = "a value is missing at the end of this list"
        if first["type"] == "extra_forbidden":
            mend += meant(str(first["loc"][-1]), _keys(kind, set()))
        raise BadData(path, key, mend) from None
    except (TypeError, ValueError) as error:
        raise BadData(path, "", f"is not plain data ({error})") from None
    except RecursionError:
        raise BadData(path, "", TOO_DEEP) from None


def _strange(value: object) -> dict[str, str]:
    """Return what no key wants, for a date or a time, so that the key is named that has it."""
    return {type(value).__name__: str(value)}


def _mend(kind: str, message: str, found: object) -> str:
    """Return in a player's words what to do about one fault."""
    if kind == "missing":
        return MISSING
    if kind == "extra_forbidden":
        return UNKNOWN
    if kind == "too_long":
        return "has more values than it may"
    text = message.removeprefix("Value error, ").removeprefix("Input ")
    for theirs, ours in (
        ("a valid array", "a list in [brackets]"),
        ("a valid string", 'a text in "quotes"'),
        ("an object", "a table in {braces}"),
    ):
        text = text.replace(theirs, ours)
    return f"{text[:1].lower()}{text[1:]}" + (
        f", not {found!r}" if isinstance(found, str | int | float) else ""
    )


def _keys(kind: type[BaseModel], seen: set[type[BaseModel]]) -> set[str]:
    """Return every key of a form and of the forms within it."""
    if kind in seen:
        return set()
    seen.add(kind)
    found = {field.alias or name for name, field in kind.model_fields.items()}
    for field in kind.model_fields.values():
        for inner in _forms_in(field.annotation):
            found |= _keys(inner, seen)
    return found


def _forms_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _forms_in(part)
