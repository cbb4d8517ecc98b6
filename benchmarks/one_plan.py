"""Recorded moves planned in a fresh process, by the python of the tree that is measured.

    python -P one_plan.py ROOT FILE

Prints one JSON line: of each move of the file its name, the processor seconds, and what the planner gave.
ROOT is the folder of a tree without an environment of its own; "-" where the python has the tree installed.
The moves are planned in the order of the battle, so that a tree may keep what it keeps in a battle.

A tree needs the five planners of `geometry/group/group_move.py`, and what `recorded.py` makes a call of.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any


def reader() -> Any:
    """Return the module that reads recorded moves, over the packages of the tree."""
    import_module("geometry.group.group_move")
    spec = spec_from_file_location("recorded", Path(__file__).with_name("recorded.py"))
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["recorded"] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def planned(move: Any, recorded: Any) -> dict[str, Any]:
    """Return what a move takes and gives. A planner that raises gives that."""
    ask = move.question()
    began = time.process_time()
    try:
        outcome = ask()
    except Exception as fault:
        told = {"raised": f"{type(fault).__name__}: {fault}"}
    else:
        told = {}
    seconds = time.process_time() - began
    return {"name": move.name, "seconds": seconds, "gave": told or recorded.plain_outcome(outcome)}


def main(root: str, file: Path) -> None:
    """Plan the moves of a file, and print what they take and give."""
    if root != "-":
        sys.path.insert(0, root)
    recorded = reader()
    moves = list(recorded.moves_of(file))
    for move in moves:
        move.question()
    # A collection in the middle of a call would be charged to it.
    gc.collect()
    gc.freeze()
    gc.disable()
    rows = []
    for move in moves:
        rows.append(planned(move, recorded))
        if len(rows) % 50 == 0:
            gc.collect()
    print(json.dumps(rows))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
