"""A battle put aside: its log, and the boundary between steps at which it is taken up again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from datasheets.errors import BadData
from datasheets.library import Library
from engine.core import event as ev
from engine.core.format import played_elsewhere
from engine.core.game import Begin, G, Game
from engine.core.header import check_data, check_digests
from engine.core.log import Boundary, LogLine
from engine.core.replay import read_lines, write_lines


def save(game: Game, path: Path) -> None:
    """Write a battle to a file from which it can go on at this very question.

    The file is written in one piece.
    """
    here = game.boundaries[-1]
    tail = {"events": here.events, "answers": here.answers, "lines": here.lines}
    write_lines(path, game.header, game.lines, {"save": tail})


def load(path: Path, library: Library, begin: Begin[G]) -> G:
    """Return a saved battle at the question at which it was put aside.

    Raises BadData where the file is no save or one of an older format,
    HordeError where data differs that the battle was played with.
    """
    header, lines, tail = read_lines(path)
    elsewhere = played_elsewhere(header)
    if elsewhere:
        raise BadData(str(path), "format", f"{elsewhere}; 'horde watch' shows it here")
    place = tail.get("save")
    if not isinstance(place, dict):
        raise BadData(str(path), "", "this is a finished replay and not a save; watch it with 'horde watch'")
    check_digests(header, str(path))
    check_data(header, library, f"{path}: the save")
    game = begin(header, library, str(path))
    try:
        here = msgspec.convert(place, Boundary)
    except msgspec.ValidationError as error:
        raise BadData(
            str(path), "save", f"it does not say up to where the battle was played ({error})"
        ) from None
    _check_playable(lines, len(game.ruleset.steps), str(path))
    game.restore(lines, [game.boundaries[0]], here, len(lines))
    return game


def _check_playable(lines: Sequence[LogLine], count: int, path: str) -> None:
    """Raise BadData where a log has a step or a battlefield on which no battle goes on."""
    for number, line in enumerate(lines, start=2):
        zones = line.board.zones if isinstance(line, ev.Setup) else ()
        if zones and all(zone.kind != "defender" for zone in zones):
            mend = "no zone of the battlefield is the defender's; the file was changed by hand"
            raise BadData(path, f"line {number}", mend)
        if isinstance(line, ev.PhaseBegan | ev.PhaseEnded) and not 0 <= line.cursor < count:
            mend = f"a round has {count} steps, and none at {line.cursor}; the file was changed by hand"
            raise BadData(path, f"line {number}", mend)
