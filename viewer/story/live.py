"""A battle that is played on as it is watched, and the lines of a log as entries.

Owns the source that lets agents answer. A recorded battle is `viewer.story.source`'s.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from datasheets.rule import Rule
from engine.core.log import AnswerLine, BecauseLine, LogLine
from engine.core.play import Agent, step
from engine.core.request import Chosen
from engine.w40k.battle import Battle
from engine.w40k.view import View
from viewer.story.knowledge import Knowledge
from viewer.story.source import Entry, Reason

ANSWERS_A_POLL = 4
"""How many answers a live battle plays on at a time, so that the window stays quick."""


class Live:
    """A battle that is played on as it is watched."""

    def __init__(self, game: Battle, agents: dict[str, Agent[View]]) -> None:
        """Seat the agents."""
        self.summaries: Mapping[str, str] = summaries(game.rulebook.rules)
        self.knowledge = Knowledge(game.library, game)
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
        """Return whether all entries have been given."""
        return self.game.pending is None and self._told == len(self._lines())

    def poll(self) -> Sequence[Entry]:
        """Play on a little and return what happened."""
        for _ in range(ANSWERS_A_POLL):
            if self.game.pending is not None:
                step(self.game, self.agents, self.views)
        return self._fresh()

    def rebuild(self) -> bool:
        """Make the battle anew of its answers; return False where the last one had to be left out."""
        game = self.game
        lines, boundaries, answers = list(game.lines), list(game.boundaries), len(game.answers)
        try:
            self.take_up(answers)
        except Exception:
            if not answers:
                raise
            game.lines, game.boundaries = lines, boundaries
            self.take_up(answers - 1)
            return False
        return True

    def take_up(self, answers: int) -> None:
        """Show the battle anew as it stood when this many answers had been given."""
        self.game.undo(answers)
        self.views = {seat: View(self.game, seat) for seat in self.agents}
        self._told = 0

    def _fresh(self) -> Sequence[Entry]:
        """Return the entries that have not been given yet."""
        lines = self._lines()
        fresh, self._told = lines[self._told :], len(lines)
        return entries(fresh)

    def _lines(self) -> Sequence[LogLine]:
        """Return the log as it is shown."""
        return self.game.lines


def entries(lines: Sequence[LogLine]) -> list[Entry]:
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


def summaries(rules: Iterable[Rule]) -> dict[str, str]:
    """Return what rules do, by their ids."""
    return {rule.id: rule.summary for rule in rules}
