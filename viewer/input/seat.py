"""A seat at the window: a battle played on until it asks a person, and its undoing.

Owns whom the battle waits for, and the undoing of answers. What a question looks like and how it is answered
is `viewer.input.answering`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ai.agents import agent
from ai.horde.game_master import OPEN_CHOICES, SEAT, Moderated, tie_request
from engine.core.facts import HORDE
from engine.core.log import AnswerLine, BecauseLine, LogLine
from engine.core.play import Agent, step
from engine.core.request import PRIVATE, AnyAnswer, AnyRequest, Choose, Chosen, Option
from engine.w40k.battle import Battle
from engine.w40k.seat_log import BALLOTS, SeatLog
from engine.w40k.view import OpenTie, View
from viewer.input.answering import Answering
from viewer.input.gate import Gate
from viewer.input.lookup import SECRET
from viewer.input.orders import WORDS as ORDERS
from viewer.story.live import ANSWERS_A_POLL, Live
from viewer.story.source import Entry

TOLD_AT_ONCE = 2
"""The most lines on questions settled unasked that stand beside the next question."""
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
        gate: Gate | None = None,
    ) -> None:
        """Seat the agents; those of the seats that are asked only advise.

        `keep` is called after each answer given at the window, and after each that is taken back. The gate
        decides what is put; without one every question is.
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
        self.gate = gate or Gate()
        self._unasked: set[int] = set()
        """The numbers of the answers that were given unasked."""
        self.settled: list[tuple[int, str]] = []
        """For the log: each settled question in words, with the number of the event before it."""
        self._fresh_told: list[str] = []
        """What was settled since the last question."""
        self._is_sure = False
        """Whether a secret was asked for before others, and is shown when it is asked for again."""
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
        """Put a question, unless orders or rules answer it."""
        view = self.views[seat]
        advice = self.agents[seat].answer(view, request)
        if not self._is_alone:
            answer = self.gate.unasked(view, request, advice)
            told = self.gate.take_told()
            self.settled += [(len(self.game.events) - 1, words) for words in told]
            self._fresh_told += told
            if answer is not None:
                if self._tie is None:
                    self._unasked.add(len(self.game.answers))
                self._submit(seat, answer)
                return
        if self._shares_screen and request.decision in (*PRIVATE, *BALLOTS) and not self._is_alone:
            request, advice = _alone(seat), Chosen(ids=(ALONE,))
        self.question = Answering(view, request, advice)
        if self.question.shop is not None:
            self.question.shop.advise(self.agents[seat].answer)
        self.question.settled, self._fresh_told = _last(self._fresh_told), []
        self.question.told = self.question.settled

    def _lines(self) -> Sequence[LogLine]:
        """Return the log as those may read it that are at the window. Rule: PLAY.9"""
        return self._log.of(self.game.lines)

    def answer(self, answer: AnyAnswer) -> None:
        """Give a legal answer to the question, and go on."""
        assert self.question is not None
        if self.question.request.decision == ALONE:
            self.question, self._is_alone = None, True
            return
        view = self.question.view
        self.gate.answered(view, self.question.request, answer)
        self._submit(view.seat, answer)

    def _submit(self, seat: str, answer: AnyAnswer) -> None:
        """Give an answer to what is pending, and go on."""
        self.question, self._is_alone, self._is_sure = None, False, False
        if self._tie is not None and self._moderated is not None:
            self._moderated.decide(self._tie, answer)
            self._tie = None
            return
        self.game.submit(answer, seat)
        self._keep()

    def order(self, words: str) -> bool:
        """Take an order ahead that was typed or clicked; return whether it was one.

        Where it does not stand yet, the question says why as its fault. A secret that others could see is
        shown when it is asked for twice.
        """
        question, word = self.question, words.strip().lower()
        if question is None or question.request.decision == ALONE:
            return False
        question.fault = ""
        if word == SECRET and self._shares_screen and not self._is_sure:
            question.write("")
            question.fault, self._is_sure = "Others share this screen. Say secret again when alone.", True
            return True
        if word not in ORDERS:
            return False
        view, request = question.view, question.request
        question.write("")
        question.fault = self.gate.orders.give(view, request, word)
        answer = None if question.fault else self.gate.unasked(view, request, question.advice)
        if answer is not None:
            self.answer(answer)
        return True

    def hand_over(self) -> None:
        """Let the adviser play on by itself."""
        self.asked, self.question, self._tie = (), None, None
        if self._moderated is not None:
            self.agents = {**self.agents, HORDE: agent(HORDE)}
            self._moderated = None

    def undo(self) -> bool:
        """Go back to the last question answered at the window; return whether there was one."""
        given = [
            line.answer
            for line in self.game.answers
            if self._is_asked(line.seat, line) and line.answer not in self._unasked
        ]
        if not given:
            return False
        self.gate.forget()
        self._back_to(given.pop())
        # Of a battle that was taken up again nobody knows what was put.
        while given and self._is_settled():
            self._back_to(given.pop())
        if self._moderated is not None:
            self._moderated.forget()
        self._keep()
        return True

    # answers given again

    def is_asked_for(self, line: AnswerLine) -> bool:
        """Return whether an answer was a person's at the window."""
        return self._is_asked(line.seat, line)

    def take_back_to(self, answer: int) -> set[int]:
        """Take back an answer and all later ones; return the numbers of the unasked ones."""
        unasked = set(self._unasked)
        self.gate.forget()
        self._back_to(answer)
        return unasked

    def give_again(self, line: AnswerLine, why: BecauseLine | None) -> None:
        """Give an answer of the log again, with its reasons."""
        self.game.resubmit(line, why)

    def give_instead(self, seat: str, answer: AnyAnswer) -> None:
        """Give an answer in the place of one that was taken back."""
        self._submit(seat, answer)

    def keep_unasked(self, numbers: set[int]) -> None:
        """Take answers that were given again for unasked, as they were."""
        self._unasked |= {number for number in numbers if number < len(self.game.answers)}
        self._keep()

    def _back_to(self, answer: int) -> None:
        """Take back an answer, by its number, and all that came of it."""
        self.game.undo(answer)
        self._unasked = {number for number in self._unasked if number < answer}
        self.settled = [(number, words) for number, words in self.settled if number < len(self.game.events)]
        self._fresh_told = []
        self.views = {seat: View(self.game, seat) for seat in self.agents}
        self.question, self._tie, self._told, self._is_alone = None, None, 0, False

    def _is_settled(self) -> bool:
        """Return whether what is pending would be answered unasked."""
        request = self.game.pending
        if request is None or request.seats[0] == HORDE:
            return False
        seat = next(seat for seat in request.seats if seat in self.agents)
        view = self.views[seat]
        return self.gate.settled(view, request, self.agents[seat].answer(view, request)) is not None


def _last(told: list[str]) -> list[str]:
    """Return the last of the lines on what was settled, with the number of the others."""
    more = len(told) - TOLD_AT_ONCE
    return told if more <= 0 else [f"{more} more were settled before:", *told[-TOLD_AT_ONCE:]]


def _alone(seat: str) -> Choose:
    return Choose(
        seats=(seat,),
        rule="PLAY.9",
        decision=ALONE,
        prompt=f"Only {seat} may see what comes now.",
        options=(Option(id=ALONE, label="I am alone with the screen"),),
    )
