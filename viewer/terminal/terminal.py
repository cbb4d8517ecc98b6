"""A person in the terminal: plain questions on the screen, answers from the keyboard.

Owns the talk: asking, the words that work everywhere, and asking again. `viewer.input.wish` owns what a typed
line means as an answer, `viewer.input.question` the words of a question.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

from ai.horde.game_master import TIE, GameMaster
from datasheets.errors import HordeError
from engine.core.apply import apply
from engine.core.event import Decided, Event, PhaseBegan, TurnBegan, TurnEnded, Unmodelled
from engine.core.facts import HORDE
from engine.core.play import Agent
from engine.core.request import PRIVATE, AnyAnswer, AnyRequest, Split
from engine.core.state import State
from engine.w40k.battle import Battle
from engine.w40k.seat_log import BALLOTS, SeatLog
from engine.w40k.view import View
from viewer.input.gate import Gate
from viewer.input.lookup import SECRET
from viewer.input.question import aside, hint, question, suggestion
from viewer.input.reading import Misread
from viewer.input.undoing import NOTHING, Undoing
from viewer.input.unit_order import UnitOrder
from viewer.input.weapon_talk import WeaponTalk, weapon_groups
from viewer.input.wish import answer_of
from viewer.story.knowledge import Knowledge
from viewer.story.turn_summary import summarize, summary_lines
from viewer.story.words import sentence

HELP = (
    "  Empty line: take the suggestion.  ?: the table and the rule.  why: the suggestion's reasons.\n"
    "  why not X: why it, and the Horde before, decided on something else than X.\n"
    "  rest: the rest of this phase, or of the set-up, as suggested.  unit: this unit as suggested.\n"
    "  2 at NAME: unit 2 shoots, charges or strikes there.  2 stay, 2 advance, 2 unit: what unit 2 does.\n"
    "  end: end the phase.  secret: your secret objective.  mission: missions, misery cards and markers.\n"
    "  undo: take your last answer back.\n"
    "  card X: all about a unit.  odds, odds X: what this unit does to enemies on average.\n"
    "  auto: hand the rest of the battle to the adviser.  quit: leave.\n"
)
SCREEN_LINES = 60
"""After this number of empty lines all that a terminal shows is gone."""
_ASIDE = (PhaseBegan, Decided, Unmodelled)
"""What the question and the report tell anyway."""


class Left(HordeError):  # noqa: N818 - it is no fault, and ends the program like one
    """The person left the battle before its end."""

    def __init__(self, view: View) -> None:
        """Say where the battle was left."""
        whose = {"horde": "the Horde's", "players": "the players'"}.get(view.turn, "the")
        where = f"round {view.round}, {whose} {view.phase} phase" if view.round else "the set-up"
        super().__init__(f"The battle was left in {where}, before its end.")


class Person:
    """A person at the keyboard, with an adviser that suggests an answer to every question."""

    name = "person"

    def __init__(
        self,
        adviser: Agent[View],
        *,
        shares_screen: bool = False,
        gate: Gate | None = None,
        undoing: Undoing | None = None,
        knowledge: Knowledge | None = None,
    ) -> None:
        """Take the adviser, an agent that can also take over, and whether others see the screen.

        The gate decides what is put; without one every question is. Without `undoing` no answer is taken
        back. Without `knowledge` of the battle no card is shown.
        """
        self._adviser, self._undoing, self._knowledge = adviser, undoing, knowledge or Knowledge()
        self._gate = gate or Gate()
        self._shares_screen = shares_screen
        self._handed_over = False
        self._helped = False

    def answer(self, view: View, request: AnyRequest) -> AnyAnswer:
        """Return a legal answer from the person.

        Raises Left when they leave or the input ends, TakenBack when they take their last answer back.
        """
        advice = self._adviser.answer(view, request)
        unasked = advice if self._handed_over else self._gate.unasked(view, request, advice)
        _say("".join(f"    {line}\n" for line in self._gate.take_told()))
        if unasked is not None:
            if self._undoing is not None and request.decision != TIE:
                self._undoing.unasked()
            return unasked
        answer = self._put(view, request, advice)
        self._gate.answered(view, request, answer)
        return answer

    def settles(self, view: View, request: AnyRequest) -> bool:
        """Return whether a question would be answered unasked."""
        if self._handed_over:
            return True
        return self._gate.settled(view, request, lambda: self._adviser.answer(view, request)) is not None

    def _put(self, view: View, request: AnyRequest, advice: AnyAnswer) -> AnyAnswer:
        if self._shares_screen and request.decision in (*PRIVATE, *BALLOTS):
            return self._in_private(view, request, advice)
        return self._asked(view, request, advice)

    def _in_private(self, view: View, request: AnyRequest, advice: AnyAnswer) -> AnyAnswer:
        """Ask when only this player looks at the screen, and clear it afterwards. Rule: PLAY.9"""
        try:
            self._talk(view, request, advice).line(
                f"\nOnly {view.seat} may see what comes now. Enter, when alone > "
            )
        except HandedOver:
            self._handed_over = True
            return advice
        answer = self._asked(view, request, advice)
        _say("\n" * SCREEN_LINES + "Others may look again.\n")
        return answer

    def _asked(self, view: View, request: AnyRequest, advice: AnyAnswer) -> AnyAnswer:
        talk = self._talk(view, request, advice)
        _say("\n" + question(view, request) + "\n")
        _say(f"  Suggested: {suggestion(view, request, advice)}\n")
        if not self._helped:
            _say(HELP)
            self._helped = True
        while True:
            try:
                answer = talk.answer()
            except HandedOver:
                self._handed_over = True
                return advice
            except Given as ordered:
                return ordered.answer
            faults = view.faults(request, answer)
            if not faults:
                return answer
            _say("".join(f"  That may not be: {fault}.\n" for fault in faults))

    def _talk(self, view: View, request: AnyRequest, advice: AnyAnswer) -> Talk:
        return Talk(
            view,
            request,
            advice,
            self._gate,
            self._undoing,
            shares_screen=self._shares_screen,
            knowledge=self._knowledge,
        )


def take_back(game: Battle, agents: Mapping[str, Agent[View]], gate: Gate, undoing: Undoing) -> None:
    """Take the last answer of a person back, and all that came of it."""

    def is_settled() -> bool:
        gate.forget()
        for each in agents.values():
            if isinstance(each, GameMaster):
                each.forget()
        request = game.pending
        seat = next((seat for seat in request.seats if seat in agents), "") if request is not None else ""
        person = agents.get(seat)
        if request is None or not isinstance(person, Person):
            return False
        return person.settles(View(game, seat), request)

    undoing.back(is_settled)
    _say("  Taken back.\n")


class TakenBack(Exception):  # noqa: N818 - it passes a word on and is no error
    """The person said "undo", and an answer may be taken back."""


class HandedOver(Exception):  # noqa: N818 - it passes a word on and is no error
    """The person said "auto"."""


class Given(Exception):  # noqa: N818 - it passes an answer on and is no error
    """The person ordered something ahead, which answers this question too."""

    def __init__(self, answer: AnyAnswer) -> None:
        """Keep the answer."""
        super().__init__()
        self.answer = answer


class Talk:
    """The talk about one question."""

    def __init__(
        self,
        view: View,
        request: AnyRequest,
        advice: AnyAnswer,
        gate: Gate,
        undoing: Undoing | None = None,
        *,
        shares_screen: bool,
        knowledge: Knowledge,
    ) -> None:
        """Take the question, its advice, what takes orders ahead, and what takes answers back."""
        self._undoing, self._knowledge = undoing, knowledge
        self.view = view
        self.request = request
        self.advice = advice
        self._gate = gate
        self._shares_screen = shares_screen

    def answer(self) -> AnyAnswer:
        """Return what the person wants, whether or not it is legal."""
        while True:
            text = self.line(f"  {hint(self.request)} > ")
            if not text:
                return self.advice
            try:
                if isinstance(self.request, Split):
                    return self._weapons(self.request, text)
                return answer_of(self.view, self.request, text)
            except Misread as fault:
                _say(f"  {fault}\n")

    def line(self, prompt: str) -> str:
        """Return the next line that is no word of its own; those are obeyed.

        Raises Left at the end, HandedOver for "auto", TakenBack for "undo", and Given where an order answers
        the question.
        """
        while True:
            _say(prompt)
            typed = sys.stdin.readline() if sys.stdin is not None else ""
            if not typed:
                _say("\n")
                raise Left(self.view)
            text = typed.strip()
            word = text.lower()
            if word in ("quit", "exit"):
                raise Left(self.view)
            if word == "auto":
                raise HandedOver
            try:
                order = self._gate.orders.read(self.view, self.request, self.advice, text)
            except Misread as fault:
                _say(f"  {fault}\n")
                continue
            if order is not None:
                self._take(order)
                continue
            if word == "undo":
                refusal = NOTHING if self._undoing is None else self._undoing.refusal
                if not refusal:
                    raise TakenBack
                _say(f"  {refusal}.\n")
                continue
            told = aside(self.view, self.request, self.advice, text, self._knowledge)
            if not told:
                return text
            if word == SECRET and self._shares_screen:
                self._tell_secret(told)
                continue
            _say(told + (HELP if word in ("?", "help") else ""))

    def _take(self, order: str | UnitOrder) -> None:
        """Take an order ahead. Raises Given where it answers this question."""
        told = self._gate.orders.give(self.view, self.request, order)
        if told:
            _say(f"  {told}\n")
            return
        answer = self._gate.unasked(self.view, self.request, self.advice)
        if answer is None:
            _say("  It stands; answer this question first.\n")
            return
        _say("".join(f"    {line}\n" for line in self._gate.take_told()))
        raise Given(answer)

    def _tell_secret(self, told: str) -> None:
        """Show a secret once its player is alone with the screen, and clear it. Rule: PLAY.9"""
        for prompt in (f"  Only {self.view.seat} may see what comes now. Enter, when alone > ", told):
            _say(prompt)
            if not sys.stdin.readline():
                raise Left(self.view)
        _say("\n" * SCREEN_LINES + "Others may look again.\n")

    def _weapons(self, request: Split, text: str) -> AnyAnswer:
        """Return the attacks: all at one target, none, or asked weapon by weapon."""
        talk = WeaponTalk(self.view, request, self.advice)
        if text.lower() != "each":
            return talk.all_at(text)
        for group in weapon_groups(request):
            if not talk.left_of(group):
                continue
            while True:
                typed = self.line(f"    {talk.told(group)} > ")
                try:
                    talk.declare(group, typed)
                    break
                except Misread as fault:
                    _say(f"    {fault}\n")
        return talk.answer()


class Teller:
    """The events since the last question, a line for each that matters to a person."""

    def __init__(self, *seats: str) -> None:
        """Begin at the start of the log, as those in these seats may read it."""
        self._log = SeatLog(*seats)
        self._told = 0
        self._turn = TurnTold()

    def __call__(self, game: Battle) -> None:
        """Print the sentences of what is new."""
        lines = self._log.of(game.lines)
        self._told = min(self._told, len(lines))
        for event in lines[self._told :]:
            if not isinstance(event, Event):
                continue
            told = None if _is_aside(event) else sentence(event, game.state)
            if told is not None:
                _say(f"    {told}\n")
            for line in self._turn.take(event):
                _say(f"  {line}\n")
        self._told = len(lines)


class TurnTold:
    """The Horde's turn as it runs, to be summed up once it is over."""

    def __init__(self) -> None:
        """Begin before the battle."""
        self._state = State()
        self._before = State()
        self._events: list[Event] = []

    def take(self, event: Event) -> list[str]:
        """Take in the next event; return the summary in lines where it ends a turn of the Horde."""
        if isinstance(event, TurnBegan):
            self._before, self._events = self._state.copy(), []
        self._events.append(event)
        apply(self._state, event)
        if not isinstance(event, TurnEnded) or event.whose != HORDE:
            return []
        return summary_lines(summarize(self._before, self._events))


def _is_aside(event: Event) -> bool:
    return isinstance(event, _ASIDE) and not (isinstance(event, Decided) and event.decision == "stratagem")


def _say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
