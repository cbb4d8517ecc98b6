"""`horde play`: a battle in a window with a person at the players' seats."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from datasheets.library import Library
from engine.horde.setup import Options
from engine.systems import new_game
from viewer.commands.battle_command import check_writable
from viewer.commands.drawing import drawing
from viewer.commands.keeping import check_free, taken_up, tell_left_over
from viewer.commands.overriding import tell_overrides
from viewer.commands.seating import check_seats
from viewer.commands.sitting import Sitting


def run(
    file: Path | None,
    options: Callable[[Library], Options],
    *,
    autopilot: str,
    ask: tuple[str, ...],
    aside: Path | None,
    out: Path | None,
    ask_all: bool = False,
    palette: str = "",
    text: str = "",
) -> None:
    """Open the window on a new battle or a saved one; save a battle that is left early.

    With `ask_all` everything is asked. Without a palette and a size of words those of the settings count.
    """
    library = Library()
    if file is None:
        tell_left_over()
    game = new_game(options(library), library) if file is None else taken_up(file, library)
    tell_overrides(game)
    check_seats(ask, game)
    with drawing():
        from viewer.commands.menu_desk import MenuDesk
        from viewer.commands.session import Session
        from viewer.window.watching import watch
    desk = MenuDesk(library, palette, text)
    sitting = Sitting(
        game,
        ask or tuple(game.state.players),
        None if ask_all else desk.rules,
        autopilot=autopilot,
        aside=aside,
        file=file,
        out=out,
    )
    aside = sitting.keeper.aside
    check_writable(out, "the replay")
    check_writable(aside, "the save")
    if aside != file:
        check_free(aside)
    session = Session(desk, sitting, ask_all=ask_all)
    try:
        watch(
            sitting.source,
            jump=None if file is None else "now",
            look=desk.look,
            prepare=session.prepare,
            following=session.following,
        )
        session.end()
    finally:
        # Only after the report and the replay: a sudden end before them leaves the journal.
        session.put_aside()
