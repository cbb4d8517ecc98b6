"""`horde doctor`: what of this machine matters to a battle, for reports of faults.

Owns the battle whose digest every machine must find, and what is looked at beside `viewer.input.machine`'s
checks. The digest is committed in `assets/pinned.json`; `scripts/pinned.py` writes it.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from importlib import resources

from ai.agents import agent
from datasheets.errors import HordeError
from datasheets.library import Library
from engine.core.play import play
from engine.core.replay import encode
from engine.horde.setup import Options
from engine.systems import new_game
from engine.w40k.view import View
from viewer.commands.drawing import drawing
from viewer.commands.keeping import left_over
from viewer.input.machine import FILE_CHECKS, PROGRAM_CHECKS, Checks, Found, told

PINNED = "pinned.json"
ROUNDS, SEED = 2, 5100


def doctor(as_json: bool) -> None:
    """Print what was found. Raises HordeError where the pinned battle is another one here."""
    found: Found = {name: check() for name, check in CHECKS.items()}
    if as_json:
        sys.stdout.write(json.dumps(found, indent=1) + "\n")
    else:
        sys.stdout.write(told(found))
    if found["pinned battle"] == DIFFERS:
        raise HordeError("The pinned battle is another one on this machine: please report it with the above.")


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


def _journals() -> list[str]:
    return [str(path) for path in left_over()]


SAME, DIFFERS = "the same as everywhere", "another than everywhere"


def _pinned() -> str:
    """Return whether the pinned battle has its digest here."""
    kept = json.loads((resources.files("assets") / PINNED).read_text(encoding="utf-8"))
    return SAME if kept["digest"] == pinned_digest() else DIFFERS


def pinned_digest() -> str:
    """Return the digest of the pinned battle's log as this machine plays it."""
    library = Library(overrides=None)
    army = library.army("space-marines-1000")
    game = new_game(Options((army,), ("tyranids",), 1000, rounds=ROUNDS, seed=SEED), library)
    play(game, {"horde": agent("horde"), "p1": agent("steady")}, View)
    return sha256(b"\n".join(map(encode, game.lines))).hexdigest()


CHECKS: Checks = {
    **PROGRAM_CHECKS,
    "display": _display,
    **FILE_CHECKS,
    "journals here": _journals,
    "pinned battle": _pinned,
}
"""What is looked at, by the name under which it is printed."""
