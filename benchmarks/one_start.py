"""One start in a fresh process, run by the python of the tree that is measured.

    python -P one_start.py battle [option of horde battle ...]
    python -P one_start.py library

Prints one JSON line in processor seconds. `battle`: from the start of the process to the first event of the
battle, which then stops. `library`: the import of the program, then the loading of all that its library has.

A tree needs `viewer.cli.main` with `battle`, and `engine.core.game.Game.log`, which takes each event.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

LOG = "engine.core.game"
"""The module of the class whose `log` takes each event."""
PROGRAM = ("viewer.cli", "viewer.commands.battle_command", "viewer.commands.options")
"""What `horde battle` imports, with all that these import."""


def stop(game: Any, event: Any, cause: str = "") -> None:
    """Print the seconds up to now, and end the process."""
    print(json.dumps({"seconds": time.process_time()}), flush=True)
    os._exit(0)


class Interrupting(Loader):
    """The usual loader of a module; in the module loaded, the first event ends the process."""

    def __init__(self, usual: Loader) -> None:
        """Take the usual loader."""
        self._usual = usual

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Return the module as usual."""
        return self._usual.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Run the module as usual, then put the end in the place of the log."""
        self._usual.exec_module(module)
        module.Game.log = stop


class Finder(MetaPathFinder):
    """Finds the one module that is changed as it is imported; nothing is imported earlier."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how the module is loaded; None for all others."""
        spec = PathFinder.find_spec(name, path, target) if name == LOG else None
        if spec is not None and spec.loader is not None:
            spec.loader = Interrupting(spec.loader)
        return spec


def start_battle(options: list[str]) -> None:
    """Begin a battle, whose first event ends the process."""
    sys.meta_path.insert(0, Finder())
    sys.argv = ["horde", "battle", *options]
    import_module("viewer.cli").main()


def load_library() -> None:
    """Print the seconds of the program's import, and those of loading all that there is."""
    began = time.process_time()
    for name in PROGRAM:
        import_module(name)
    imported = time.process_time()
    import_module("viewer.cli").seldom_collect()
    load_all(import_module("datasheets.library").Library())
    done = time.process_time()
    print(json.dumps({"import": imported - began, "library": done - imported}))


def load_all(library: Any) -> None:
    """Load every datasheet, spawning table, deployment, layout, army, clause and rule record."""
    for faction in library.factions():
        library.faction(faction)
        library.datasheets(faction)
    for faction in library.hordes():
        library.spawn_table(faction)
    for army in library.armies():
        library.army(army)
    library.deployments()
    library.layouts()
    library.checklist()


if __name__ == "__main__":
    if sys.argv[1] == "battle":
        start_battle(sys.argv[2:])
    else:
        load_library()
