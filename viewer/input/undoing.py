"""How far answers may be taken back: to the last roll or revealed card, or freely.

One mechanism for terminal and window. It knows which answers were given unasked, and marks a battle in which
an answer was taken back past a roll.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
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
        found = found or _shows_chance(line)
        if found and isinstance(line, AnswerLine):
            return line.answer + 1
    return 0


def _shows_chance(line: LogLine) -> bool:
    """Return whether a line shows dice or cards; of a shuffling nobody sees anything."""
    return isinstance(line, CHANCE) and not (isinstance(line, ev.Rolled) and not line.dice)


class Undoing:
    """The taking back of answers in a battle."""

    def __init__(
        self, game: Game, is_asked: Callable[[AnswerLine], bool], reach: Reach = "last-roll"
    ) -> None:
        """Take the battle, whose answers persons give, and how far these may be taken back."""
        self._game, self._is_asked, self.reach = game, is_asked, reach
        self._unasked: set[int] = set()
        """The numbers of the answers that were given unasked."""

    def unasked(self) -> None:
        """Note that the next answer is given unasked."""
        self._unasked.add(len(self._game.answers))

    @property
    def given_unasked(self) -> frozenset[int]:
        """Return the numbers of the answers that were given unasked."""
        return frozenset(self._unasked)

    def keep_unasked(self, numbers: Collection[int]) -> None:
        """Take answers that were given again for unasked, as they were."""
        self._unasked |= {number for number in numbers if number < len(self._game.answers)}

    @property
    def place(self) -> int | None:
        """Return the number of the last answer that was given when asked; None without one."""
        answers = (line for line in reversed(self._game.answers) if line.answer not in self._unasked)
        return next((line.answer for line in answers if self._is_asked(line)), None)

    @property
    def refusal(self) -> str:
        """Return why no answer may be taken back, "" where one may."""
        place = self.place
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

    def back(self, is_settled: Callable[[], bool]) -> str:
        """Take back the last answer that was given when asked; return why not, "" where it was.

        Of a battle that was taken up again nobody knows what was put: where `is_settled` says that what is
        pending would be answered unasked, the answer before is taken back, too.
        """
        refusal, place = self.refusal, self.place
        if refusal or place is None:
            return refusal
        self.back_to(place)
        while is_settled() and not self.refusal and (place := self.place) is not None:
            self.back_to(place)
        return ""
