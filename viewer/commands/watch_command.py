"""`horde watch`: a replay, or a battle as it happens, in a window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from datasheets.library import Library
from engine.horde.setup import Options
from engine.systems import new_game
from viewer.commands.drawing import drawing
from viewer.commands.overriding import tell_overrides
from viewer.commands.recorded import recording
from viewer.commands.seating import seat_agents
from viewer.story.live import Live
from viewer.story.source import Source


def open_file(file: Path) -> None:
    """Open the window on a replay or a scenario, at its beginning."""
    with drawing():
        from viewer.commands.menu_desk import MenuDesk
        from viewer.commands.session import Session
        from viewer.window.watching import watch
    desk = MenuDesk(Library())
    session = Session(desk)
    watch(recording(file), look=desk.look, prepare=session.prepare, following=session.following)


def run(
    file: Path | None,
    options: Callable[[Library], Options],
    *,
    autopilot: str,
    screenshot: Path | None,
    jump: str,
    unit: str = "",
    palette: str = "",
    text: str = "",
) -> None:
    """Open the window; without a palette and a size of words those of the settings count."""
    library = Library()
    source: Source
    if file is not None:
        source = recording(file)
    else:
        chosen = options(library)
        seats = tuple(f"p{i}" for i in range(1, len(chosen.armies) + 1))
        game = new_game(chosen, library)
        tell_overrides(game)
        source = Live(game, seat_agents(seats, autopilot))
    with drawing():
        from viewer.commands.menu_desk import MenuDesk
        from viewer.commands.session import Session
        from viewer.window.watching import watch
    desk = MenuDesk(library, palette, text)
    session = Session(desk)
    try:
        watch(
            source,
            screenshot=screenshot,
            jump=jump or None,
            unit=unit,
            look=desk.look,
            prepare=session.prepare,
            following=session.following,
        )
        session.end()
    finally:
        session.put_aside()
