"""What every record read from a file has in common.

Owns the frozen, strict base of all records, the reading of a file that a person wrote, and the door by
which plain data becomes a record. Scenario files have a door of their own (`form`); `fault` tells faults.
"""

from __future__ import annotations

from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import tomli
from msgspec import structs

from datasheets.errors import BadData
from datasheets.fault import fault
from datasheets.outside import LARGEST_TEXT, MOST_DIGITS, bounded, read_bytes

TOO_DEEP = "is nested too deeply to be read"


def read_text(path: Traversable | Path) -> str:
    """Return the text of a file, without a byte order mark at its start. Raises BadData."""
    try:
        return read_bytes(path, LARGEST_TEXT).decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError:
        raise BadData(str(path), "", "cannot be read (not a text file)") from None


def read_toml(text: str, path: str) -> dict[str, Any]:
    """Return the data of a TOML text; `path` names it in faults. Raises BadData."""
    try:
        found: dict[str, Any] = bounded(tomli.loads(text), path)
    except tomli.TOMLDecodeError as error:
        raise BadData(path, "", f"is no TOML file ({error})") from None
    except ValueError:
        raise BadData(path, "", f"has a number of more than {MOST_DIGITS} digits") from None
    except RecursionError:
        raise BadData(path, "", TOO_DEEP) from None
    return found


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value read from a file: frozen, and strict about its keys."""


R = TypeVar("R", bound=msgspec.Struct)


def record(kind: type[R], data: Any, path: str) -> R:
    """Return the data as a record of this kind. Raises BadData that names the first wrong key."""
    try:
        return msgspec.convert(data, kind, str_keys=True)
    except msgspec.ValidationError as error:
        raise fault(str(error), kind, data, path) from None
    except RecursionError:
        raise BadData(path, "", TOO_DEEP) from None


def as_written(value: Any) -> Any:
    """Return a record, or part of one, as its file says it, without what goes without saying."""
    if isinstance(value, tuple):
        return [as_written(each) for each in value]
    if isinstance(value, dict):
        return {str(key): as_written(each) for key, each in value.items()}
    if not isinstance(value, Record):
        return value
    found: dict[str, Any] = {}
    for field in structs.fields(value):
        said = getattr(value, field.name)
        if said != (field.default_factory() if callable(field.default_factory) else field.default):
            found[field.encode_name] = as_written(said)
    return found
