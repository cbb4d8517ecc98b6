"""`horde replay`: checking a replay, and summing it up."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from datasheets.library import Library
from engine.replay import read_replay
from engine.verify import verify
from viewer.report import lines, report


def verify_file(file: Path, as_json: bool) -> None:
    """Play a replay again and say that it holds; a fault raises."""
    done = verify(read_replay(file), Library())
    if as_json:
        told = {"verified": True, "answers": done.answers, "events": done.events}
        sys.stdout.write(json.dumps(told) + "\n")
    else:
        sys.stdout.write(
            f"{file}: verified; {done.answers} answers lead to the same {done.events} events, "
            f"and the battle ends as it says.\n"
        )


def tell(file: Path, as_json: bool) -> None:
    """Print what a replay holds."""
    replay = read_replay(file)
    found = report(replay.events)
    header = {key: value for key, value in replay.header.items() if key != "setup"}
    setup = dict(replay.header["setup"])
    names = [army["name"] for army in setup.pop("armies")]
    if as_json:
        told = {**header, "setup": setup, "armies": names, "events": len(replay.events), **found.as_dict()}
        sys.stdout.write(json.dumps(told, indent=1) + "\n")
        return
    sys.stdout.write(
        f"{' and '.join(names)} against {' and '.join(setup['factions'])}: {setup['points']} points, "
        f"{setup['deployment']}, {setup['layout']}, {header['ruleset']}, seed {header['seed']}\n"
        f"{len(replay.events)} events, {len(replay.answers)} answers, {len(replay.reasons)} with reasons\n"
    )
    sys.stdout.write("\n".join(lines(found)) + "\n")
