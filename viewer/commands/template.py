"""`horde scenario new` and `schema`: a first scenario to change, and the format for editors."""

from __future__ import annotations

import json
import sys
from importlib import resources
from pathlib import Path

from datasheets.errors import BadData, unknown
from datasheets.scenario import schema

STEPS = ("movement", "shooting", "charge", "fight", "spawn", "none")
"""The steps for which there is a template; its units, dice and expectations are made for it."""


def template(step: str) -> str:
    """Return a commented scenario of a step that holds as it is. Raises UnknownName."""
    if step not in STEPS:
        raise unknown(step, STEPS, "step with a template")
    own = _part(step)
    tables = own.index("\n[[") + 1
    return _part("head") + own[: tables - 1] + _part("keys") + own[tables:] + _part("tables")


def _part(name: str) -> str:
    return (resources.files("assets") / "templates" / f"{name}.toml").read_text(encoding="utf-8")


def new(path: Path | None, step: str) -> None:
    """Write a template to a new file, or print it where none is named. Raises BadData."""
    text = template(step)
    if path is None:
        sys.stdout.write(text)
        return
    write_new(path, text)
    sys.stdout.write(f"{path}: a scenario to change. Play it with: horde scenario run {path}\n")


def write_new(path: Path, text: str) -> None:
    """Write a new file. Raises BadData where the file exists or its folder does not."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        kind = "a folder; name a file in it" if path.is_dir() else "there already; name a new file"
        raise BadData(str(path), "", f"it is {kind}") from None
    except OSError as fault:
        mend = f"it cannot be written ({fault.strerror}); name a file in a folder that exists"
        raise BadData(str(path), "", mend) from None


def print_schema() -> None:
    """Print the JSON Schema of scenario files."""
    sys.stdout.write(json.dumps(schema(), indent=1, ensure_ascii=False) + "\n")
