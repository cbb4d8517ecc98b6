"""`horde play`: a battle in a window with a person at the players' seats."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from datasheets.library import Library
from engine.core.replay import write_replay
from engine.horde.setup import Options
from engine.systems import new_game
from engine.w40k.battle import Battle
from viewer.commands.battle_command import check_writable
from viewer.commands.drawing import drawing
from viewer.commands.keeping import Keeper, check_free, taken_up, tell_left_over
from viewer.commands.overriding import tell_overrides
from viewer.commands.seating import check_seats, seat_agents
from viewer.commands.settings_command import gate
from viewer.input.beside import Beside
from viewer.input.seat import Seated
from viewer.input.settings import load_rules
from viewer.story.report import lines, report, undone_lines


def run(
    file: Path | None,
    options: Callable[[Library], Options],
    *,
    autopilot: str,
    ask: tuple[str, ...],
    aside: Path | None,
    out: Path | None,
    ask_all: bool = False,
    palette: str = "default",
    text: int = 100,
) -> None:
    """Open the window on a new battle or a saved one; save a battle that is left early.

    With `ask_all` everything is asked.
    """
    library = Library()
    if file is None:
        tell_left_over()
    game = new_game(options(library), library) if file is None else taken_up(file, library)
    tell_overrides(game)
    seats = tuple(game.state.players)
    check_seats(ask, game)
    keeper = Keeper(game, aside, file)
    check_writable(out, "the replay")
    check_writable(keeper.aside, "the save")
    if keeper.aside != file:
        check_free(keeper.aside)
    agents, asking = seat_agents(seats, autopilot), gate(ask_all=ask_all)
    source = Seated(game, agents, ask or seats, keeper.keep, asking, Beside, load_rules().undo)
    with drawing():
        from viewer.window.look import Look
        from viewer.window.window import watch
    try:
        watch(source, jump=None if file is None else "now", look=Look(palette, text))
        if game.is_over:
            _tell_end(game, out)
    finally:
        source.stop()
        # Only after the report and the replay: a sudden end before them leaves the journal.
        keeper.put_aside()


def _tell_end(game: Battle, out: Path | None) -> None:
    told = [*lines(report(game.lines)), *undone_lines(game.origin)]
    sys.stdout.write("\n".join(told) + "\n")
    if out is not None:
        write_replay(out, game.header, game.lines)
        sys.stdout.write(f"Replay: {out} ({len(game.events)} events). Watch it with: horde watch {out}\n")
    sys.stdout.flush()
