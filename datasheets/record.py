"""What every record read from a file has in common, and how a fault in one is told.

Owns the frozen, strict base of all records and the door by which plain data becomes one.
"""

from __future__ import annotations

import json
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from datasheets.errors import BadData


class Record(BaseModel):
    """A value read from a file: frozen, and strict about its keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


R = TypeVar("R", bound=Record)


def record(kind: type[R], data: Any, path: str) -> R:
    """Return the data as a record of this kind, or raise `BadData` that names the first wrong key."""
    try:
        return kind.model_validate_json(json.dumps(data), strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        # Of a choice of shapes pydantic names the one tried, which is no key of the file.
        key = ".".join(str(part) for part in first["loc"] if "[" not in str(part))
        raise BadData(path, key, _mend(first["type"], first["msg"], first.get("input"))) from None
    except (TypeError, ValueError) as error:
        raise BadData(path, "", f"is not plain data ({error})") from None


def _mend(kind: str, message: str, found: object) -> str:
    """Return in a player's words what to do about one fault."""
    if kind == "missing":
        return "this key is missing"
    if kind == "extra_forbidden":
        return "this key is not known here; remove or rename it"
    text = message.removeprefix("Value error, ").removeprefix("Input ")
    return f"{text[:1].lower()}{text[1:]}" + (
        f", not {found!r}" if isinstance(found, str | int | float) else ""
    )
