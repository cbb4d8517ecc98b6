"""A seat at the window: a battle played on until it asks a person, and its undoing.

Owns whom the battle waits for, and the undoing of answers. What a question looks like and how it is answered
is `viewer.input.answering`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.core.play import Agent, step
from engine.core.request import AnyAnswer
from engine.w40k.battle import Battle
from engine.w40k.view import View
from viewer.input.answering import Answering
from viewer.story.live import ANSWERS_A_POLL, Live
from viewer.story.source import Entry


class Seated(Live):
    """A battle that is played on as it is watched, until it asks a person at the window."""

    def __init__(
        self,
        game: Battle,
        agents: dict[str, Agent[View]],
        asked: tuple[str, ...],
        keep: Callable[[], None] = lambda: None,
    ) -> None:
        """Seat the agents; those of the seats that are asked only advise.

        `keep` is called after each answer given at the window, and after each that is taken back.
        """
        super().__init__(game, agents)
        self.asked = asked
        self._keep = keep
        self.question: Answering | None = None

    @property
    def title(self) -> str:
        """Return the window's title."""
        return "Horde: your battle"

    def poll(self) -> Sequence[Entry]:
        """Play on a little, up to the next question, and return what happened."""
        for _ in range(ANSWERS_A_POLL):
            request = self.game.pending
            if request is None or self.question is not None:
                break
            seat = next(seat for seat in request.seats if seat in self.agents)
            if seat in self.asked:
                advice = self.agents[seat].answer(self.views[seat], request)
                self.question = Answering(self.views[seat], request, advice)
            else:
                step(self.game, self.agents, self.views)
        return self._fresh()

    def answer(self, answer: AnyAnswer) -> None:
        """Give a legal answer to the question, and go on."""
        assert self.question is not None
        self.game.submit(answer, self.question.view.seat)
        self.question = None
        self._keep()

    def hand_over(self) -> None:
        """Let the adviser play on by itself."""
        self.asked, self.question = (), None

    def undo(self) -> bool:
        """Go back to the last question answered at the window; return whether there was one."""
        given = [line.answer for line in self.game.answers if line.seat in self.asked]
        if not given:
            return False
        self.game.undo(given[-1])
        self.views = {seat: View(self.game, seat) for seat in self.agents}
        self.question, self._told = None, 0
        self._keep()
        return True
