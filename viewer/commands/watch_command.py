"""`horde watch`: a replay, or a battle as it happens, in a window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from datasheets.library import Library
from datasheets.scenario import load_scenario
from engine.core.header import changed_data
from engine.horde.setup import Options
from engine.scenario.trial import try_scenario
from engine.systems import new_game
from viewer.commands.cast import CAST
from viewer.commands.drawing import drawing
from viewer.commands.keeping import log_of
from viewer.commands.overriding import tell_overrides
from viewer.commands.seating import seat_agents
from viewer.story.knowledge import Knowledge
from viewer.story.live import Live, entries, summaries
from viewer.story.source import Recording, Source


def recording(file: Path) -> Recording:
    """Return a replay as a source, with its rules' summaries where its data is the same.

    A scenario (*.toml) is played first.
    """
    library = Library()
    if file.suffix == ".toml":
        played = try_scenario(load_scenario(file), library, str(file), CAST).outcome.stage.game
        known = summaries(library.rules())
        return Recording(entries(played.lines), f"Horde: {file.name}", known, Knowledge(library))
    replay = log_of(file, library)
    if changed_data(replay.header, library):
        return Recording(entries(replay.lines), f"Horde: {file.name}")
    known = summaries(library.rules())
    return Recording(entries(replay.lines), f"Horde: {file.name}", known, Knowledge(library))


def open_file(file: Path) -> None:
    """Open the window on a replay or a scenario, at its beginning."""
    with drawing():
        from viewer.window.watching import watch
    watch(recording(file))


def run(
    file: Path | None,
    options: Callable[[Library], Options],
    *,
    autopilot: str,
    screenshot: Path | None,
    jump: str,
    unit: str = "",
    palette: str = "default",
    text: int = 100,
) -> None:
    """Open the window."""
    source: Source
    if file is not None:
        source = recording(file)
    else:
        library = Library()
        chosen = options(library)
        seats = tuple(f"p{i}" for i in range(1, len(chosen.armies) + 1))
        game = new_game(chosen, library)
        tell_overrides(game)
        source = Live(game, seat_agents(seats, autopilot))
    with drawing():
        from viewer.window.look import Look
        from viewer.window.watching import watch
    watch(source, screenshot=screenshot, jump=jump or None, unit=unit, look=Look(palette, text))
