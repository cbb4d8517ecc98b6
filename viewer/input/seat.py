"""A seat at the window: a battle played on until it asks a person, and its undoing.

Owns whom the battle waits for, and the undoing of answers. What a question looks like and how it is answered
is `viewer.input.answering`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic

from ai.horde.game_master import SEAT, tie_request
from engine.core.facts import HORDE
from engine.core.log import AnswerLine, BecauseLine, LogLine
from engine.core.play import Agent
from engine.core.request import PRIVATE, AnyAnswer, AnyRequest, Choose, Chosen, Option
from engine.w40k.battle import Battle
from engine.w40k.open_tie import OpenTie
from engine.w40k.seat_log import BALLOTS, SeatLog
from engine.w40k.view import View
from viewer.input.answering import Answering
from viewer.input.gate import Gate
from viewer.input.lookup import SECRET
from viewer.input.orders import END
from viewer.input.reading import Misread
from viewer.input.thinking import Here, Minds, StillThinking, Thinking, Thought
from viewer.input.undoing import Reach, Undoing
from viewer.input.unit_order import ready
from viewer.story.live import ANSWERS_A_POLL, Live
from viewer.story.source import Entry
from viewer.story.turn_summary import Unasked

TOLD_AT_ONCE = 2
"""The most lines on questions settled unasked that stand beside the next question."""
LONGEST_POLL = 0.02
"""The seconds after which a battle goes on at the next poll, once the window is drawn."""
ALONE = "alone"
"""The question before one that only its player may see, where several share the screen."""
Think = Callable[[Minds, Callable[[str], None]], Thinking]
"""Returns where agents think; the function takes a sentence about that for the log."""


def think_here(minds: Minds, tell: Callable[[str], None]) -> Thinking:
    """Let agents think where they are asked: all else waits for them."""
    return Here(minds)


class Seated(Live):
    """A battle that is played on as it is watched, until it asks a person at the window."""

    def __init__(
        self,
        game: Battle,
        agents: dict[str, Agent[View]],
        asked: tuple[str, ...],
        keep: Callable[[], None] = lambda: None,
        gate: Gate | None = None,
        think: Think = think_here,
        reach: Reach = "last-roll",
    ) -> None:
        """Seat the agents; those of the seats that are asked only advise.

        `keep` is called after each answer given at the window, and after each that is taken back. The gate
        decides what is put; without one every question is. `think` says where the agents think, `reach` how
        far answers may be taken back.
        """
        self.minds = Minds(game, agents, asked)
        super().__init__(game, self.minds.agents)
        self.views = self.minds.views
        self.thinking = think(self.minds, self._tell)
        self.undoing = Undoing(game, self.is_asked_for, reach)
        players = [seat for seat in asked if seat != SEAT]
        self._shares_screen = len(asked) > 1
        # What several persons see on one screen, each of them may know.
        self._log = SeatLog(*(players if len(players) == 1 else ()))
        self._is_alone = False
        self._tie: OpenTie | None = None
        self._keep = keep
        self.gate = gate or Gate()
        self._later: tuple[int, int] | None = None
        """The question that is put, or not, once an advice is known: turn of thinking, answers."""
        self.settled: list[tuple[int, str]] = []
        """For the log: each settled question in words, with the number of the event before it."""
        self.answered_unasked: list[tuple[int, Unasked]] = []
        """The same by kind, for the summary of a turn."""
        self._fresh_told: list[str] = []
        """What was settled since the last question."""
        self._is_sure = False
        """Whether a secret was asked for before others, and is shown when it is asked for again."""
        self._question: Answering | None = None

    @property
    def question(self) -> Answering | None:
        """Return the question that is put, None while there is none."""
        return self._question

    @question.setter
    def question(self, question: Answering | None) -> None:
        if self._question is not None:
            self._question.close()
        self._question = question

    @property
    def asked(self) -> tuple[str, ...]:
        """Return the seats whose questions are put to persons at the window."""
        return self.minds.asked

    @property
    def title(self) -> str:
        """Return the window's title."""
        return "Horde: your battle"

    def poll(self) -> Sequence[Entry]:
        """Play on a little, up to the next question, and return what happened."""
        self.thinking.begin()
        until = monotonic() + LONGEST_POLL
        for _ in range(ANSWERS_A_POLL):
            request = self.game.pending
            if request is None or self.question is not None or not self._go_on(request):
                break
            if monotonic() > until:
                break
        return self._fresh()

    @property
    def is_thinking(self) -> bool:
        """Return whether the battle waits for what an agent thinks beside the window."""
        waits = self.game.pending is not None and self.question is None
        return waits and self.thinking.thought() is None

    def wait(self) -> None:
        """Wait until the battle can go on."""
        if self.game.pending is not None and self.question is None:
            self.thinking.wait()

    def stop(self) -> None:
        """End what runs beside the window."""
        self.thinking.stop()

    def _tell(self, words: str) -> None:
        """Write a sentence into the log and beside the next question."""
        self.settled.append((len(self.game.events) - 1, words))
        self._fresh_told.append(words)

    def _go_on(self, request: AnyRequest) -> bool:
        """Take an answer, or put the question; return whether either was possible yet."""
        seat, here = self.minds.seat, (self.minds.turn, len(self.game.answers))
        is_asked = self.minds.is_asked(seat, request.decision)
        if is_asked and seat != HORDE and self._later != here:
            # Most questions are put whatever is suggested: they need not wait for it.
            return self._ask(seat, request, here)
        thought = self.thinking.thought()
        if thought is None:
            return False
        self._tie = thought.open_tie
        if self._tie is not None:
            return self._ask(seat, tie_request(self.views[seat], self._tie), here)
        if is_asked:
            return self._ask(seat, request, here)
        self.game.submit(thought.answer, seat)
        self.thinking.taken(thought)
        return True

    def _ask(self, seat: str, request: AnyRequest, here: tuple[int, int]) -> bool:
        """Put a question, unless orders or rules answer it; return whether that is known yet."""
        view, advice = self.views[seat], _Late(self.thinking, here)
        if not self._is_alone:
            try:
                answer = self.gate.unasked(view, request, advice.known)
            except StillThinking:
                self._later = here
                return False
            told = self.gate.take_told()
            self.settled += [(len(self.game.events) - 1, words) for words in told]
            self._fresh_told += told
            if answer is not None:
                if self.gate.latest is not None:
                    known = Unasked(self.gate.latest.kind.name, self.gate.latest.words)
                    self.answered_unasked.append((len(self.game.events) - 1, known))
                if self._tie is None:
                    self.undoing.unasked()
                self._submit(seat, answer)
                return True
        if self._shares_screen and request.decision in (*PRIVATE, *BALLOTS) and not self._is_alone:
            self.question = Answering(view, _alone(seat), Chosen(ids=(ALONE,)))
        else:
            self.question = Answering(
                view, request, advice, self.thinking, self.agents[seat].name, self.knowledge
            )
        if self.question.shop is not None:
            self.question.shop.advise(self.agents[seat].answer)
        self.question.settled, self._fresh_told = _last(self._fresh_told), []
        self.question.told = self.question.settled
        self.question.undo_refusal = self.undo_refusal
        return True

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
        tie, self._tie = self._tie, None
        if tie is not None:
            self.thinking.decided(tie, answer)
            self.minds.decide(tie, answer)
            return
        number = len(self.game.answers)
        self.game.submit(answer, seat)
        self.thinking.given(number, seat, answer)
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
        view, request, asked = question.view, question.request, question
        try:
            order = self.gate.orders.read(view, request, lambda: asked.advice, words)
        except Misread as fault:
            question.fault = str(fault)
            return True
        if order is None:
            return False
        question.write("")
        question.fault = self.gate.orders.give(view, request, order)
        question.warned = ready(request) if question.fault and order == END else ()
        answer = None if question.fault else self.gate.unasked(view, request, lambda: asked.advice)
        if answer is not None:
            self.answer(answer)
        return True

    def hand_over(self) -> None:
        """Let the adviser play on by itself."""
        self.question, self._tie = None, None
        self.minds.hand_over()
        self.thinking.handed_over()

    @property
    def undo_refusal(self) -> str:
        """Return why no answer may be taken back, "" where one may."""
        return self.undoing.refusal

    def undo(self) -> bool:
        """Go back to the last question answered at the window; return whether that may be.

        Of several persons that share the window the last one's answer is taken back, whoever asks for it.
        """
        if self.undoing.back(self._seen_anew):
            return False
        self._keep()
        return True

    # answers given again

    def is_asked_for(self, line: AnswerLine) -> bool:
        """Return whether an answer was a person's at the window."""
        return self.minds.is_asked(line.seat, line.decision)

    def take_back_to(self, answer: int) -> frozenset[int]:
        """Take back an answer and all later ones; return the numbers of the unasked ones."""
        unasked = self.undoing.given_unasked
        self.undoing.back_to(answer)
        self._see_anew()
        return unasked

    def give_again(self, line: AnswerLine, why: BecauseLine | None) -> None:
        """Give an answer of the log again, with its reasons."""
        number = len(self.game.answers)
        self.game.resubmit(line, why)
        self.thinking.given(number, line.seat, line.value)

    def give_instead(self, seat: str, answer: AnyAnswer) -> None:
        """Give an answer in the place of one that was taken back."""
        self._submit(seat, answer)

    def keep_unasked(self, numbers: frozenset[int]) -> None:
        """Take answers that were given again for unasked, as they were."""
        self.undoing.keep_unasked(numbers)
        self._keep()

    def take_up(self, answers: int) -> None:
        """Show the battle anew as it stood when this many answers had been given, and keep it so."""
        self.undoing.back_to(answers)
        self._see_anew()
        self._keep()

    def _seen_anew(self) -> bool:
        """See the battle anew; return whether what is pending would be answered unasked."""
        self._see_anew()
        request = self.game.pending
        if request is None or request.seats[0] == HORDE:
            return False
        view = self.views[self.minds.seat]
        return self.gate.settled(view, request, lambda: self.minds.thought().answer) is not None

    def _see_anew(self) -> None:
        """See the battle as it stands after answers were taken back."""
        self.gate.forget()
        self.minds.look_anew()
        self.thinking.undone()
        events = len(self.game.events)
        self.settled = [(number, words) for number, words in self.settled if number < events]
        self.answered_unasked = [each for each in self.answered_unasked if each[0] < events]
        self._fresh_told, self._later, self._is_sure = [], None, False
        self.question, self._tie, self._told, self._is_alone = None, None, 0, False


class _Late:
    """The advice to a question, as it becomes known."""

    def __init__(self, thinking: Thinking, here: tuple[int, int]) -> None:
        self._thinking, self._here = thinking, here

    def _of(self, thought: Thought | None) -> AnyAnswer | None:
        is_this = thought is not None and (thought.turn, thought.number) == self._here
        return thought.answer if thought is not None and is_this else None

    def look(self) -> AnyAnswer | None:
        """Return the advice where it is known."""
        return self._of(self._thinking.thought())

    def known(self) -> AnyAnswer:
        """Return the advice. Raises StillThinking where it is not known."""
        found = self.look()
        if found is None:
            raise StillThinking
        return found

    def wait(self) -> AnyAnswer:
        """Return the advice, however long that takes."""
        found = self._of(self._thinking.wait())
        assert found is not None
        return found


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
