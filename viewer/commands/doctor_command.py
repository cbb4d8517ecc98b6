"""`horde doctor`: what of this machine matters to a battle, for reports of faults.

Owns the checks, and the battle whose digest every machine must find. The digest is committed in
`assets/pinned.json`; `scripts/pinned.py` writes it.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Callable
from hashlib import sha256
from importlib import resources
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ai.agents import agent
from datasheets.errors import HordeError
from datasheets.library import Library
from datasheets.overrides import path_in_force
from engine.core.format import FORMAT, PROGRAM
from engine.core.play import play
from engine.core.replay import encode
from engine.horde.setup import Options
from engine.systems import new_game
from engine.w40k.view import View
from geometry.core import RUN
from viewer.commands.drawing import drawing
from viewer.commands.keeping import left_over, own_folder

LIBRARIES = ("numpy", "shapely", "msgspec", "pydantic", "typer", "rich", "pygame", "pygame-ce", "cython")
PINNED = "pinned.json"
ROUNDS, SEED = 2, 5100
Found = dict[str, object]


def doctor(as_json: bool) -> None:
    """Print what was found. Raises HordeError where the pinned battle is another one here."""
    found: Found = {name: check() for name, check in CHECKS.items()}
    if as_json:
        sys.stdout.write(json.dumps(found, indent=1) + "\n")
    else:
        sys.stdout.writelines(f"{name}: {_in_words(value)}\n" for name, value in found.items())
    if found["pinned battle"] == DIFFERS:
        raise HordeError("The pinned battle is another one on this machine: please report it with the above.")


def _in_words(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {each}" for key, each in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return str(value)


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


def _display() -> str:
    """Return the driver that would draw a window."""
    try:
        with drawing():
            import pygame
    except HordeError as missing:
        return str(missing)
    try:
        pygame.display.init()
        return str(pygame.display.get_driver())
    except pygame.error as fault:
        return f"none ({fault})"
    finally:
        pygame.quit()


def _fonts() -> list[str]:
    return sorted(each.name for each in (resources.files("assets") / "fonts").iterdir())


def _saves() -> dict[str, str]:
    """Return where saves and journals go, and whether these folders can be written."""
    found = {"here": _folder(Path.cwd)}
    found["own folder"] = _folder(own_folder)
    return found


def _folder(find: Callable[[], Path]) -> str:
    try:
        folder = find()
    except OSError as fault:
        return f"none ({fault.strerror})"
    return f"{folder}" if os.access(folder, os.W_OK) else f"{folder} (cannot be written)"


def _overrides() -> str:
    return str(path_in_force() or "none")


def _journals() -> list[str]:
    return [str(path) for path in left_over()]


SAME, DIFFERS = "the same as everywhere", "another than everywhere"


def _pinned() -> str:
    """Return whether the pinned battle has its digest here."""
    told = json.loads((resources.files("assets") / PINNED).read_text(encoding="utf-8"))
    return SAME if told["digest"] == pinned_digest() else DIFFERS


def pinned_digest() -> str:
    """Return the digest of the pinned battle's log as this machine plays it."""
    library = Library(overrides=None)
    army = library.army("space-marines-1000")
    game = new_game(Options((army,), ("tyranids",), 1000, rounds=ROUNDS, seed=SEED), library)
    play(game, {"horde": agent("horde"), "p1": agent("steady")}, View)
    return sha256(b"\n".join(map(encode, game.lines))).hexdigest()


CHECKS: dict[str, Callable[[], object]] = {
    "program": _program,
    "system": _system,
    "libraries": _libraries,
    "processor": _processor,
    "display": _display,
    "fonts": _fonts,
    "saves": _saves,
    "overrides": _overrides,
    "journals here": _journals,
    "pinned battle": _pinned,
}
"""What is looked at, by the name under which it is printed."""
