"""Writes golden playthroughs: logs of short battles as a player reads them, with all dice.

    python scripts/golden.py            # says which have changed
    python scripts/golden.py --write    # writes them anew

Each `tests/golden/NAME.toml` is a scenario; `NAME.txt` beside it is its text. Read a change of either
against the rules before you keep it. Exit 1 where the text of a file is another and is not written.
What an autopilot expects of a choice, in points, is left out: a golden shows the rules, not its tuning.
"""

from __future__ import annotations

import re
import sys
from difflib import unified_diff
from pathlib import Path
from typing import Annotated

import typer

from datasheets.library import Library
from datasheets.scenario import load_scenario
from engine.scenario.run import play
from engine.scenario.stage import Builder
from viewer.commands.cast import CAST
from viewer.story.live import entries
from viewer.story.transcript import transcript

FOLDER = Path(__file__).parent.parent / "tests" / "golden"
EXPECTED_POINTS = re.compile(r"(?::| is) worth -?[\d.]+ points on average.*")
"""The end of an autopilot's reason, from the points that it expects of a choice."""


def told(path: Path, library: Library) -> str:
    """Return the playthrough of a scenario file. Raises BadData where it cannot be played."""
    scenario = load_scenario(path)
    game = play(Builder(scenario, library, path.name).stage(), CAST).stage.game
    lines = [EXPECTED_POINTS.sub("", line) for line in transcript(entries(game.lines))]
    return "\n".join([scenario.title, *lines, ""])


def main(
    write: Annotated[bool, typer.Option("--write", help="Write what is told now.")] = False,
    folder: Annotated[Path, typer.Option(help="Where the scenarios are.")] = FOLDER,
) -> None:
    """Tell every battle of the folder again and compare."""
    library = Library()
    changed = 0
    for path in sorted(folder.glob("*.toml")):
        target = path.with_suffix(".txt")
        before = target.read_text(encoding="utf-8") if target.exists() else ""
        now = told(path, library)
        if now == before:
            continue
        changed += 1
        if write:
            target.write_text(now, encoding="utf-8")
            sys.stdout.write(f"{target.name}: {len(now.splitlines())} lines written\n")
        else:
            diff = unified_diff(before.splitlines(), now.splitlines(), "kept", "now", lineterm="")
            sys.stdout.write("\n".join([target.name, *diff, ""]))
    if changed and not write:
        sys.exit(1)


if __name__ == "__main__":
    typer.run(main)
