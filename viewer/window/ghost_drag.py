"""The mouse's hold on a unit: its ghost follows, release moves it, else all is taken back.

Answers what comes before the move (which unit, which kind) as the hand takes hold, and takes these answers
back where nothing comes of it. Where the models end is `viewer.input.ghost`'s; it draws nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.core import event as ev
from engine.core.facts import Point
from engine.core.request import AnyAnswer, Choose, Chosen, Move, Moves
from viewer.input.answering import Answering
from viewer.input.gesture import Gesture
from viewer.input.ghost import Ghost, Wish, ghost_wished
from viewer.input.newest import Newest
from viewer.input.seat import Seated
from viewer.input.undoing import answers_at_chance
from viewer.window.playback import Kept, Playback

CARRIED = ("CORE.MOVE.1", "CORE.RES.7")
"""The clauses of a choice of a unit that is to move: the Movement phase, and Scouts."""
PLAIN = ("normal-move", "fall-back")
"""The kinds of move that a hand makes by itself, the first that is offered."""
STEPS = 6
"""The most answers that lead from the choice of a unit to its move."""
PULLS = 50
"""How often the battle is asked for its next question before the hand is empty."""


class GhostDrag:
    """What the hand holds: a unit, the gesture made with it, and its ghost."""

    def __init__(self, seat: Seated, playback: Playback) -> None:
        """Hold nothing."""
        self._seat, self._playback = seat, playback
        self.unit = ""
        """The unit that is held, "" for none."""
        self.gesture = Gesture()
        self.may_advance = False
        """Whether an Advance is offered in place of the move."""
        self._from: Point = (0.0, 0.0)
        self._carried: Point = (0.0, 0.0)
        self._place: int | None = None
        self._given: int | None = None
        """How many answers had been given as the hand took hold…"""
        self._reached = 0
        """…and as the way was asked for."""
        self._kept: Kept | None = None
        """What had been read of the battle then."""
        self._made: list[tuple[int, int]] = []
        """Of each move that was made: the number of answers before the hand took hold, and after it."""
        self._ghosts: Newest[Wish, Ghost] | None = None
        self._then: Callable[[], object] | None = None
        """What is done as soon as the ghost is there, as the hand has let go already."""
        self._suggested = ""
        """The unit that moves as suggested as soon as that is known, "" for none."""
        self._rested: Gesture | None = None
        """The gesture at the last look: where the hand rests, it is looked about."""

    # what may be held

    def takes(self, asked: Answering | None, unit: str) -> bool:
        """Return whether a unit can be taken hold of as a question stands."""
        request = asked.request if asked is not None else None
        if isinstance(request, Move):
            return request.unit == unit and not request.least
        if not isinstance(request, Choose) or request.rule not in CARRIED:
            return False
        if request.decision == "next-unit":
            return any(option.id == unit for option in request.options)
        return request.decision == "move" and request.unit == unit and self._kind(request, PLAIN) is not None

    @property
    def asked(self) -> Answering | None:
        """Return the question about the move of the unit that is held."""
        question = self._seat.question
        if not self.unit or question is None or not isinstance(question.request, Move):
            return None
        return question if question.request.unit == self.unit else None

    # taking hold

    def take(self, unit: str, at: Point, place: int | None = None) -> bool:
        """Take hold of a unit at a point of the board; return whether it can move now.

        With `place` one model alone is carried, the unit's from 0.
        """
        self._begin()
        if not self._come_to(unit, PLAIN):
            return False
        self.hold(unit, at, place)
        return True

    def hold(self, unit: str, at: Point, place: int | None = None) -> None:
        """Hold a unit whose move is asked for."""
        question = self._seat.question
        assert question is not None
        assert isinstance(question.request, Move)
        self.unit, self._from, self._place = unit, at, place
        self.gesture = question.gesture or Gesture()
        self._carried = self.gesture.by
        if place is None:
            self.gesture = self.gesture.to((0.0, 0.0))
            self._carried = (0.0, 0.0)
        self._reached = len(self._seat.game.answers)
        self._ghosts = Newest(question.worker(ghost_wished))

    def _begin(self) -> None:
        """Remember to where letting go leads back."""
        self._stop()
        self._suggested = ""
        if not self.is_under_way:
            self._given, self.may_advance = len(self._seat.game.answers), False
            self._kept = self._playback.keep()

    @property
    def is_under_way(self) -> bool:
        """Return whether the move is still asked for to which the hand has led."""
        return self._given is not None and len(self._seat.game.answers) == self._reached

    def _come_to(self, unit: str, kinds: Sequence[str]) -> bool:
        """Answer what comes before a move of one of these kinds; return whether it is asked for."""
        for _ in range(STEPS):
            question = self._seat.question
            if question is None:
                return False
            request = question.request
            if isinstance(request, Move):
                return request.unit == unit and not request.least
            answer = self._answer_on_the_way(request, unit, kinds) if isinstance(request, Choose) else None
            if answer is None:
                return False
            self._give(answer)
        return False

    def _answer_on_the_way(self, request: Choose, unit: str, kinds: Sequence[str]) -> AnyAnswer | None:
        if request.decision == "next-unit" and any(option.id == unit for option in request.options):
            return Chosen(ids=(unit,))
        if request.decision != "move" or request.unit != unit:
            return None
        self.may_advance = self._kind(request, ("advance",)) is not None
        kind = self._kind(request, kinds)
        return None if kind is None else Chosen(ids=(kind,))

    def _kind(self, request: Choose, kinds: Sequence[str]) -> str | None:
        offered = [option.id for option in request.options]
        return next((kind for kind in kinds if kind in offered), None)

    def _give(self, answer: AnyAnswer) -> None:
        """Give an answer and go on to the next question, all that comes before it shown."""
        self._seat.answer(answer)
        for _ in range(PULLS):
            self._playback.pull()
            if self._seat.question is not None or self._playback.source.ended:
                break
            self._seat.wait()
        self._playback.seek(len(self._playback.chronicle))

    # carrying

    def carry(self, at: Point) -> None:
        """Carry what is held to a point of the board."""
        by = (self._carried[0] + at[0] - self._from[0], self._carried[1] + at[1] - self._from[1])
        if self._place is not None:
            by = (at[0] - self._from[0], at[1] - self._from[1])
            self._make(self.gesture.lone(self._place, by))
        else:
            self._make(self.gesture.to(by))

    def turn(self, steps: int) -> None:
        """Turn what is held by some steps, to the left."""
        self._make(self.gesture.turned(steps))

    def spread(self, notches: int) -> None:
        """Draw the models of the unit that is held apart, or together."""
        self._make(self.gesture.apart(notches))

    def bend(self) -> None:
        """Let the way bend where the unit is carried now."""
        self._make(self.gesture.bent())

    def straighten(self) -> bool:
        """Take the last bend back; return whether there was one."""
        had = bool(self.gesture.via)
        self._make(self.gesture.straightened())
        return had

    def _make(self, gesture: Gesture) -> None:
        self.gesture = gesture
        if self._ghosts is not None:
            self._ghosts.ask((gesture, False))
            self._show()

    def look(self) -> bool:
        """Take in the ghost that is ready; return whether it is another."""
        if self._suggested:
            self._as_suggested()
        ghosts, rested = self._ghosts, self._rested == self.gesture
        self._rested = self.gesture
        if ghosts is None:
            return False
        is_new = ghosts.look()
        if is_new:
            self._show()
        latest = ghosts.latest
        if self._then is not None and not self.is_late:
            then, self._then = self._then, None
            then()
            return True
        if rested and latest is not None and latest.gesture == self.gesture and latest.outlook is None:
            ghosts.ask((self.gesture, True))
        return is_new

    @property
    def is_late(self) -> bool:
        """Return whether the ghost of the place to which the unit is carried now is still to come."""
        if self._ghosts is None:
            return False
        return self._ghosts.latest is None or self._ghosts.latest.gesture != self.gesture

    def wait(self) -> None:
        """Wait for the ghost of the place to which the unit is carried now."""
        if self._ghosts is not None:
            self._ghosts.now((self.gesture, True))
            self._show()

    def _show(self) -> None:
        asked, ghost = self.asked, self._ghosts.latest if self._ghosts is not None else None
        if asked is not None and ghost is not None:
            asked.take(ghost)

    # letting go

    def release(self) -> bool:
        """Make the move that is shown; return whether one is made.

        A model that was carried alone waits for its unit. Where nobody can move, all is taken back. A ghost
        that is late is made when it comes.
        """
        asked, ghosts = self.asked, self._ghosts
        if asked is None or ghosts is None:
            self.let_go()
            return False
        if not ghosts.comes((self.gesture, False), self._seat.thinking.patience):
            self._then = self.release
            return False
        ghost = ghosts.now((self.gesture, False))
        asked.take(ghost)
        if self._place is not None:
            self.rest()
            return False
        if not ghost.moves_any:
            self.let_go()
            return False
        self._stop()
        self.make(ghost.moves, asked.request.unit)
        return True

    def make(self, moves: Moves, unit: str) -> None:
        """Give a move as the answer, and show it as made: the hand has made it already."""
        before, given = len(self._playback.chronicle), self._given
        self._given = None
        self._seat.answer(moves)
        if given is not None:
            self._made = [each for each in self._made if each[1] <= given]
            self._made.append((given, len(self._seat.game.answers)))
        self._playback.pull()
        entries = self._playback.chronicle.entries
        moved = [
            index
            for index in range(before, len(entries))
            if isinstance(entry := entries[index], ev.Moved) and entry.unit == unit
        ]
        if moved:
            self._playback.seek(moved[0] + 1)
        self._playback.playing = True

    def rest(self) -> None:
        """Let go and leave the question as it is, with what is drawn."""
        if self._ghosts is not None:
            if not self._ghosts.comes((self.gesture, False), self._seat.thinking.patience):
                self._then = self.rest
                return
            self._show()
        self._stop()

    def let_go(self) -> bool:
        """Let go and take back the hand's answers, if no dice fell; return whether there were any."""
        self._stop()
        given, self._given = self._given, None
        if given is None or len(self._seat.game.answers) <= given or self._has_rolled(given):
            return False
        while len(self._seat.game.answers) > given and self._seat.undo():
            pass
        self._playback.renew(self._kept if len(self._seat.game.answers) == given else None)
        return True

    def undo(self) -> bool:
        """Take back the last answer, the whole of a drag at once; return whether there was one."""
        self._stop()
        self._given = self._kept = None
        if not self._seat.undo():
            return False
        left = len(self._seat.game.answers)
        begun = next((begin for begin, end in self._made if begin < left < end), left)
        while len(self._seat.game.answers) > begun and self._seat.undo():
            pass
        self._made = [each for each in self._made if each[1] <= begun]
        self._playback.renew()
        return True

    def forget(self) -> None:
        """Hold nothing and remember no move, whatever was under way."""
        self._stop()
        self._given = self._kept = self._rested = None
        self._made = []

    def _has_rolled(self, given: int) -> bool:
        """Return whether dice have fallen since the hand took hold."""
        return answers_at_chance(self._seat.game.lines) > given

    def _stop(self) -> None:
        if self._ghosts is not None:
            self._ghosts.stop(waits=self._seat.thinking.patience is None)
        self._then = None
        self.unit, self._ghosts, self._place = "", None, None

    # instead of a move

    def advance(self) -> bool:
        """Advance in place of the move, the die is rolled now; return whether the unit is held."""
        unit, at, carried = self.unit, self._from, self.gesture
        if not self._instead(("advance",)):
            return False
        self.hold(unit, at)
        self._make(carried)
        return True

    def stay(self) -> None:
        """Let the unit that is held remain stationary."""
        self._instead(("remain-stationary",))

    def _instead(self, kinds: Sequence[str]) -> bool:
        """Answer with another kind of move; return whether its way is asked for."""
        unit = self.unit
        self.let_go()
        self._begin()
        found = self._come_to(unit, kinds)
        if not found:
            self._given = None
        self._playback.playing = True
        return found

    def suggested(self) -> None:
        """Let the unit that is held move as suggested, as soon as that is known."""
        unit = self.unit
        self.let_go()
        self._suggested = unit
        self._as_suggested()

    def _as_suggested(self) -> None:
        """Give the answers that lead to a suggested move, as far as they are known."""
        unit, question = self._suggested, self._seat.question
        for _ in range(STEPS):
            if question is None or not (self.takes(question, unit) or question.request.unit == unit):
                break
            chooses = isinstance(question.request, Choose) and question.request.decision == "next-unit"
            answer = Chosen(ids=(unit,)) if chooses else question.advised
            if answer is None:
                return
            self._give(answer)
            if isinstance(question.request, Move):
                break
            question = self._seat.question
        self._suggested, self._playback.playing = "", True
