"""Moves from floors, made of those recorded on walled tables.

In a battle hardly any unit goes up, as its goal is nearer below. So the moves of units of which some models
stand where a floor would carry them are written down once more, with these models up there. All else is as it
was in the battle.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.recorded import SUFFIX, Data, RecordedMove, Section, gist, sections_of
from benchmarks.writing import compressed, written
from geometry.path.resting import faults_of_resting

NAME = f"floors-walled{SUFFIX}"
"""The file beside those of the battles."""


def lifted(move: RecordedMove) -> Data | None:
    """Return a move with those models on a floor that it carries; None where there are none."""
    if "party" not in move.told or move.is_high:
        return None
    party, ground = move.party, move.ground
    floors = sorted({level for rise in ground.rises for level in rise.levels if level > ground.free})
    heights = []
    for row, (x, y) in enumerate(party.xy.tolist()):
        may = [z for z in floors if not faults_of_resting(ground, (x, y, z), party.stance(row))]
        heights.append(may[0] if may else 0.0)
    if not any(heights):
        return None
    told = {**move.told, "name": f"{move.name}/up", "party": {**move.told["party"], "z": heights}}
    return {**told, "gave": gist(RecordedMove(told, move.battle, move.reading).plan())}


def lift(files: Sequence[Path]) -> Path:
    """Return the file of moves from floors, made anew if it is older than one of the files."""
    found = files[0].with_name(NAME)
    if found.exists() and all(file.stat().st_mtime <= found.stat().st_mtime for file in files):
        return found
    lines: list[str] = []
    for file in files:
        for section in sections_of(file):
            moves = [told for told in map(lifted, section.recorded()) if told is not None]
            lines += written(Section(section.battle, section.things, moves))
    found.write_bytes(compressed(lines))
    return found
