"""`horde play`: a battle in a window with a person at the players' seats."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from datasheets.errors import BadData, HordeError
from datasheets.library import Library
from engine.core.replay import read_lines, write_replay
from engine.core.save import load, save
from engine.horde.setup import Options
from engine.systems import begin, new_game
from engine.w40k.battle import Battle
from viewer.commands.battle_command import check_seats, check_writable, seat_agents
from viewer.commands.drawing import drawing
from viewer.commands.overriding import tell_overrides
from viewer.input.seat import Seated
from viewer.story.report import lines, report


def run(
    file: Path | None,
    options: Callable[[Library], Options],
    *,
    autopilot: str,
    ask: tuple[str, ...],
    aside: Path | None,
    out: Path | None,
) -> None:
    """Open the window on a new battle or a saved one; save a battle that is left early."""
    library = Library()
    game = new_game(options(library), library) if file is None else load(file, library, begin)
    tell_overrides(game)
    seats = tuple(game.state.players)
    check_seats(ask, seats)
    aside = aside or file or _unused(f"horde-{game.seed}")
    check_writable(out, "the replay")
    check_writable(aside, "the save")
    if aside != file:
        _check_free(aside)
    source = Seated(game, seat_agents(seats, autopilot), ask or seats)
    with drawing():
        from viewer.window.window import watch
    try:
        watch(source, jump=None if file is None else "now")
    finally:
        _put_aside(game, aside)
    if game.is_over:
        _tell_end(game, out)


def _unused(name: str) -> Path:
    """Return a file for a save that is not there yet."""
    found, number = Path(f"{name}.save"), 1
    while found.exists():
        number += 1
        found = Path(f"{name}-{number}.save")
    return found


def _check_free(aside: Path) -> None:
    """Refuse to write over a file that is no save."""
    if not aside.exists():
        return
    try:
        is_save = "save" in read_lines(aside)[2]
    except BadData:
        is_save = False
    if not is_save:
        raise HordeError(f"{aside}: another file is there, and no save of a battle; name one that is free.")


def _put_aside(game: Battle, aside: Path) -> None:
    """Save a battle that is not over, and say how it is taken up again."""
    if game.is_over or not game.answers:
        return
    try:
        save(game, aside)
    except OSError as fault:
        raise BadData(str(aside), "", f"the battle cannot be saved there ({fault.strerror})") from fault
    sys.stdout.write(f"The battle is saved. Go on with: horde play {aside}\n")


def _tell_end(game: Battle, out: Path | None) -> None:
    sys.stdout.write("\n".join(lines(report(game.lines))) + "\n")
    if out is not None:
        write_replay(out, game.header, game.lines)
        sys.stdout.write(f"Replay: {out} ({len(game.events)} events). Watch it with: horde watch {out}\n")
