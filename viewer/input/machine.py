"""What of this machine and this installation matters to a battle, in words.

`horde doctor` prints it, and a report of a fault holds it. Nothing is tried here that takes long.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Mapping
from importlib import resources
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from datasheets.overrides import path_in_force
from engine.core.format import FORMAT, PROGRAM
from geometry.core import RUN
from viewer.input.user_folder import SAVES, user_folder

LIBRARIES = (
    "numpy",
    "shapely",
    "msgspec",
    "pydantic",
    "typer",
    "rich",
    "pygame",
    "pygame-ce",
    "pygame_gui",
    "pillow",
    "cython",
)
Found = dict[str, object]
Checks = Mapping[str, Callable[[], object]]


def in_words(value: object) -> str:
    """Return what was found, in words."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {each}" for key, each in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return str(value)


def told(found: Mapping[str, object]) -> str:
    """Return all that was found, a line each."""
    return "".join(f"{name}: {in_words(value)}\n" for name, value in found.items())


def _program() -> str:
    return f"Horde {PROGRAM}, replays of format {FORMAT}. {RUN.sentence}"


def _system() -> str:
    return f"Python {platform.python_version()}, {platform.platform()}, {platform.machine()}"


def _libraries() -> dict[str, str]:
    found = {}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _processor() -> list[str]:
    """Return the features of the processor for which numpy has code of its own and takes it."""
    import numpy as np

    features: dict[str, bool] = np._core._multiarray_umath.__cpu_features__  # type: ignore[attr-defined]
    return sorted(name for name, is_there in features.items() if is_there)


def _fonts() -> list[str]:
    return sorted(each.name for each in (resources.files("assets") / "fonts").iterdir())


def _saves() -> dict[str, str]:
    """Return where saves and journals go, and whether these folders can be written."""
    return {"here": _folder(Path.cwd), "own folder": _folder(lambda: user_folder(SAVES))}


def _folder(find: Callable[[], Path]) -> str:
    try:
        folder = find()
    except OSError as fault:
        return f"none ({fault.strerror})"
    return f"{folder}" if os.access(folder, os.W_OK) else f"{folder} (cannot be written)"


def _overrides() -> str:
    return str(path_in_force() or "none")


PROGRAM_CHECKS: Checks = {
    "program": _program,
    "system": _system,
    "libraries": _libraries,
    "processor": _processor,
}
FILE_CHECKS: Checks = {"fonts": _fonts, "saves": _saves, "overrides": _overrides}
"""What is looked at, by the name that stands before it."""


def machine(more: Mapping[str, object] | None = None) -> str:
    """Return what is known at once of this machine, and more that the caller knows, a line each."""
    found: Found = {name: check() for name, check in PROGRAM_CHECKS.items()}
    found |= more or {}
    return told(found | {name: check() for name, check in FILE_CHECKS.items()})
