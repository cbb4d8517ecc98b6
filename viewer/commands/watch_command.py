"""`horde watch`: a replay, or a battle as it happens, in a window."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from datasheets.library import Library
from datasheets.scenario import load_scenario
from engine.core.log import AnswerLine, BecauseLine, Line
from engine.core.play import Agent, step
from engine.core.replay import read_replay
from engine.core.request import Chosen
from engine.horde.setup import Options
from engine.scenario.trial import try_scenario
from engine.systems import new_game
from engine.w40k.battle import Battle
from engine.w40k.view import View
from viewer.commands.battle_command import seat_agents
from viewer.commands.scenario_command import CAST
from viewer.story.source import Entry, Reason, Recording, Source

ANSWERS_A_POLL = 4
"""How many answers a live battle plays on at a time, so that the window stays quick."""


class Live:
    """A battle that is played on as it is watched."""

    def __init__(self, game: Battle, agents: dict[str, Agent[View]]) -> None:
        """Seat the agents."""
        self.summaries: Mapping[str, str] = summaries(game.library)
        self.game = game
        self.agents = agents
        self.views = {seat: View(game, seat) for seat in agents}
        self._told = 0

    @property
    def title(self) -> str:
        """Return the window's title."""
        return "Horde: a battle as it happens"

    @property
    def ended(self) -> bool:
        """Return whether all has been told."""
        return self.game.pending is None and self._told == len(self.game.lines)

    def poll(self) -> Sequence[Entry]:
        """Play on a little and return what happened."""
        for _ in range(ANSWERS_A_POLL):
            if self.game.pending is not None:
                step(self.game, self.agents, self.views)
        return self._fresh()

    def _fresh(self) -> Sequence[Entry]:
        """Return what has not been told yet."""
        fresh = self.game.lines[self._told :]
        self._told = len(self.game.lines)
        return entries(fresh)


def entries(lines: Sequence[Line]) -> list[Entry]:
    """Return the lines of a log as the window takes them."""
    found: list[Entry] = []
    answer: AnswerLine | None = None
    for line in lines:
        if isinstance(line, AnswerLine):
            answer = line
        elif isinstance(line, BecauseLine):
            chosen = _chosen(line, answer)
            unit = line.unit or (chosen[0] if line.decision == "next-unit" and chosen else "")
            found.append(
                Reason(line.because, line.seat, unit, line.decision, line.reasons, line.passed, chosen)
            )
        else:
            found.append(line)
    return found


def _chosen(line: BecauseLine, answer: AnswerLine | None) -> tuple[str, ...]:
    """Return the options that the answer with these reasons chose."""
    if answer is None or answer.answer != line.because or not isinstance(answer.value, Chosen):
        return ()
    return answer.value.ids


def summaries(library: Library) -> dict[str, str]:
    """Return what the rules of a library do, by their ids."""
    return {rule.id: rule.summary for rule in library.rules()}


def recording(file: Path) -> Recording:
    """Return a replay as a source, with what its rules do where the library is the one it was made with.

    A scenario (*.toml) is played first.
    """
    library = Library()
    if file.suffix == ".toml":
        played = try_scenario(load_scenario(file), library, str(file), CAST).outcome.stage.game
        return Recording(entries(played.lines), f"Horde: {file.name}", summaries(library))
    replay = read_replay(file)
    known = summaries(library) if replay.header.get("library") == library.hash else {}
    return Recording(entries(replay.lines), f"Horde: {file.name}", known)


def open_file(file: Path) -> None:
    """Open the window on a replay or a scenario, at its beginning."""
    from viewer.window.window import watch  # pygame is loaded only where it draws

    watch(recording(file))


def run(
    file: Path | None,
    options: Callable[[Library], Options],
    *,
    autopilot: str,
    screenshot: Path | None,
    jump: str,
    unit: str = "",
) -> None:
    """Open the window."""
    source: Source
    if file is not None:
        source = recording(file)
    else:
        library = Library()
        chosen = options(library)
        seats = tuple(f"p{i}" for i in range(1, len(chosen.armies) + 1))
        source = Live(new_game(chosen, library), seat_agents(seats, autopilot))
    from viewer.window.window import watch  # pygame is loaded only where it draws

    where: str | int | None = int(jump) if jump.isdigit() else (jump or None)
    watch(source, screenshot=screenshot, jump=where, unit=unit)
