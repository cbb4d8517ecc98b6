"""Whether another folder stands before one of the program's packages on Python's path.

Their names are short, so that a folder named `engine` in the path that a user sets would be taken instead.
Asked before anything else of the program is loaded.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("ai", "assets", "datasheets", "engine", "factions", "geometry")


def refuse_strangers() -> None:
    """End the program with a sentence and exit code 2 where a package would be another's."""
    home = Path(__file__).resolve().parent.parent
    for name in PACKAGES:
        spec = find_spec(name)
        places = (
            [] if spec is None else [Path(each).resolve() for each in spec.submodule_search_locations or ()]
        )
        if home / name not in places[:1]:
            found = places[0] if places else "nothing"
            sys.stderr.write(
                f"'{name}' on Python's path is {found}, and not the program's own in {home}: "
                "take the folder that holds it out of PYTHONPATH.\n"
            )
            sys.exit(2)
