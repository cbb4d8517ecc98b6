"""A seat at the window: a battle played on until it asks a person, and its undoing.

Owns whom the battle waits for, and the undoing of answers. What a question looks like and how it is answered
is `viewer.input.answering`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ai.agents import agent
from ai.horde.game_master import OPEN_CHOICES, SEAT, Moderated, tie_request
from engine.core.facts import HORDE
from engine.core.log import AnswerLine, LogLine
from engine.core.play import Agent, step
from engine.core.request import PRIVATE, AnyAnswer, AnyRequest, Choose, Chosen, Option
from engine.w40k.battle import Battle
from engine.w40k.seat_log import SeatLog
from engine.w40k.view import OpenTie, View
from viewer.input.answering import Answering
from viewer.story.live import ANSWERS_A_POLL, Live
from viewer.story.source import Entry

ALONE = "alone"
"""The question before one that only its player may see, where several share the screen."""


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
        self._moderated = Moderated() if SEAT in asked else None
        if self._moderated is not None:
            agents = {**agents, HORDE: self._moderated}
        super().__init__(game, agents)
        self.asked = asked
        players = [seat for seat in asked if seat != SEAT]
        self._shares_screen = len(asked) > 1
        # What several persons see on one screen, each of them may know.
        self._log = SeatLog(*(players if len(players) == 1 else ()))
        self._is_alone = False
        self._tie: OpenTie | None = None
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
            try:
                if self._is_asked(seat, request):
                    self._ask(seat, request)
                else:
                    step(self.game, self.agents, self.views)
            except OpenTie as tie:
                self._tie = tie
                self._ask(seat, tie_request(self.views[seat], tie))
        return self._fresh()

    def _is_asked(self, seat: str, request: AnyRequest | AnswerLine) -> bool:
        """Return whether a person answers: at a seat that is asked, or as Game Master what is open."""
        open_choice = self._moderated is not None and seat == HORDE and request.decision in OPEN_CHOICES
        return seat in self.asked or open_choice

    def _ask(self, seat: str, request: AnyRequest) -> None:
        view = self.views[seat]
        advice = self.agents[seat].answer(view, request)
        if self._shares_screen and request.decision in PRIVATE and not self._is_alone:
            request, advice = _alone(seat), Chosen(ids=(ALONE,))
        self.question = Answering(view, request, advice)

    def _lines(self) -> Sequence[LogLine]:
        """Return the log as those may read it that are at the window. Rule: PLAY.9"""
        return self._log.of(self.game.lines)

    def answer(self, answer: AnyAnswer) -> None:
        """Give a legal answer to the question, and go on."""
        assert self.question is not None
        if self.question.request.decision == ALONE:
            self.question, self._is_alone = None, True
            return
        self._is_alone = False
        if self._tie is not None and self._moderated is not None:
            self._moderated.decide(self._tie, answer)
            self.question, self._tie = None, None
            return
        self.game.submit(answer, self.question.view.seat)
        self.question = None
        self._keep()

    def hand_over(self) -> None:
        """Let the adviser play on by itself."""
        self.asked, self.question, self._tie = (), None, None
        if self._moderated is not None:
            self.agents = {**self.agents, HORDE: agent(HORDE)}
            self._moderated = None

    def undo(self) -> bool:
        """Go back to the last question answered at the window; return whether there was one."""
        given = [line.answer for line in self.game.answers if self._is_asked(line.seat, line)]
        if not given:
            return False
        self.game.undo(given[-1])
        self.views = {seat: View(self.game, seat) for seat in self.agents}
        self.question, self._tie, self._told, self._is_alone = None, None, 0, False
        if self._moderated is not None:
            self._moderated.forget()
        self._keep()
        return True


def _alone(seat: str) -> Choose:
    return Choose(
        seats=(seat,),
        rule="PLAY.9",
        decision=ALONE,
        prompt=f"Only {seat} may see what comes now.",
        options=(Option(id=ALONE, label="I am alone with the screen"),),
    )
