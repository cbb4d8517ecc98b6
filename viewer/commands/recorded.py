"""What was recorded of a battle: a replay, a save, a scenario that is played first."""

from __future__ import annotations

from pathlib import Path

from datasheets.library import Library
from datasheets.scenario import load_scenario
from engine.core.header import changed_data
from engine.scenario.trial import try_scenario
from viewer.commands.cast import CAST
from viewer.commands.keeping import log_of
from viewer.story.knowledge import Knowledge
from viewer.story.live import entries, summaries
from viewer.story.source import Recording


def recording(file: Path) -> Recording:
    """Return a replay as a source, with its rules' summaries where its data is the same.

    A scenario (*.toml) is played first.
    """
    library = Library()
    if file.suffix == ".toml":
        played = try_scenario(load_scenario(file), library, str(file), CAST).outcome.stage.game
        known = summaries(library.rules())
        return Recording(entries(played.lines), f"Horde: {file.name}", known, Knowledge(library), file)
    replay = log_of(file, library)
    if changed_data(replay.header, library):
        return Recording(entries(replay.lines), f"Horde: {file.name}", file=file)
    known = summaries(library.rules())
    return Recording(entries(replay.lines), f"Horde: {file.name}", known, Knowledge(library), file)
