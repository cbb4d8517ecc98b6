"""What every record read from a file has in common, and how a fault in one is told.

Owns the frozen, strict base of all records, the reading of a file that a person wrote, and the door by
which plain data becomes a record.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from difflib import get_close_matches
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from datasheets.errors import BadData

TOO_DEEP = "is nested too deeply to be read"


def read_text(path: Traversable | Path) -> str:
    """Return the text of a file, without the mark that some editors begin it with. Raises BadData."""
    try:
        return path.read_text(encoding="utf-8").removeprefix("\ufeff")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a text file"
        raise BadData(str(path), "", f"cannot be read ({reason})") from None


def read_toml(text: str, path: str) -> dict[str, Any]:
    """Return the data of a TOML text; `path` names it in faults. Raises BadData."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadData(path, "", f"is no TOML file ({error})") from None
    except RecursionError:
        raise BadData(path, "", TOO_DEEP) from None


class Record(BaseModel):
    """A value read from a file: frozen, and strict about its keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


R = TypeVar("R", bound=Record)


def record(kind: type[R], data: Any, path: str) -> R:
    """Return the data as a record of this kind, or raise `BadData` that names the first wrong key."""
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
            mend += _meant(str(first["loc"][-1]), kind)
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
        return "this key is missing"
    if kind == "extra_forbidden":
        return "this key is not known here; remove or rename it"
    text = message.removeprefix("Value error, ").removeprefix("Input ")
    for theirs, ours in (("a valid array", "a list in [brackets]"), ("a valid string", 'a text in "quotes"')):
        text = text.replace(theirs, ours)
    return f"{text[:1].lower()}{text[1:]}" + (
        f", not {found!r}" if isinstance(found, str | int | float) else ""
    )


def _meant(key: str, kind: type[BaseModel]) -> str:
    """Return a hint at the keys of a record, or of one within it, that are near to a wrong one."""
    near = get_close_matches(key, sorted(_keys(kind, set())), n=2)
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""


def _keys(kind: type[BaseModel], seen: set[type[BaseModel]]) -> set[str]:
    """Return every key of a record and of the records within it."""
    if kind in seen:
        return set()
    seen.add(kind)
    found = {field.alias or name for name, field in kind.model_fields.items()}
    for field in kind.model_fields.values():
        for inner in _records_in(field.annotation):
            found |= _keys(inner, seen)
    return found


def _records_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _records_in(part)
