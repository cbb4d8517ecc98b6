"""How far answers may be taken back: to the last roll or revealed card, or freely.

One mechanism for terminal and window. It knows which answers were given unasked, and marks a battle in which
an answer was taken back past a roll.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from engine.core import event as ev
from engine.core.game import Game
from engine.core.header import UNDONE
from engine.core.log import AnswerLine, LogLine

Reach = Literal["last-roll", "free"]
"""How far an undoing goes."""
REACHES: tuple[Reach, ...] = ("last-roll", "free")
CHANCE = (ev.Rolled, ev.SpawnRolled, ev.CardRevealed, ev.SecretRevealed)
"""The events that show what nobody could know before: dice, draws, cards, secrets."""
NOTHING = "There is no answer of yours to take back"
AT_ROLL = "Undo stops at the roll"


def answers_at_chance(lines: Sequence[LogLine]) -> int:
    """Return how many answers had been given as dice or cards last showed something new."""
    found = False
    for line in reversed(lines):
        found = found or isinstance(line, CHANCE)
        if found and isinstance(line, AnswerLine):
            return line.answer + 1
    return 0


class Undoing:
    """The taking back of answers in a battle."""

    def __init__(self, game: Game, reach: Reach = "last-roll") -> None:
        """Take the battle, and how far its answers may be taken back."""
        self._game, self.reach = game, reach
        self._unasked: set[int] = set()
        """The numbers of the answers that were given unasked."""

    def unasked(self) -> None:
        """Note that the next answer is given unasked."""
        self._unasked.add(len(self._game.answers))

    def place(self, is_asked: Callable[[AnswerLine], bool]) -> int | None:
        """Return the number of the last answer that was given when asked; None without one."""
        answers = reversed(self._game.answers)
        return next(
            (line.answer for line in answers if line.answer not in self._unasked and is_asked(line)), None
        )

    def refusal(self, place: int | None) -> str:
        """Return why an answer may not be taken back, "" where it may."""
        if place is None:
            return NOTHING
        return AT_ROLL if self.reach != "free" and self._is_past(place) else ""

    def _is_past(self, place: int) -> bool:
        """Return whether dice or cards have shown something new since before an answer."""
        return place < answers_at_chance(self._game.lines)

    def back_to(self, place: int) -> None:
        """Take back an answer, by its number, and all that came of it."""
        game = self._game
        if self._is_past(place):
            times = game.origin.get(UNDONE, 0)
            assert isinstance(times, int)
            game.origin = {**game.origin, UNDONE: times + 1}
        game.undo(place)
        self._unasked = {number for number in self._unasked if number < place}

    def back(self, is_asked: Callable[[AnswerLine], bool], is_settled: Callable[[], bool]) -> str:
        """Take back the last answer that was given when asked; return why not, "" where it was.

        Of a battle that was taken up again nobody knows what was put: where `is_settled` says that what is
        pending would be answered unasked, the answer before is taken back, too.
        """
        place = self.place(is_asked)
        refusal = self.refusal(place)
        while place is not None and not self.refusal(place):
            self.back_to(place)
            place = self.place(is_asked) if is_settled() else None
        return refusal
