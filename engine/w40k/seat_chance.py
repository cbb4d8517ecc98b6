"""The chance of a seat: its random numbers, and ties that a Game Master decides.

What a seat may know of the battle is `engine.w40k.view`'s.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING

from engine.core.dice import AgentDice
from engine.w40k.open_tie import OpenTie

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


class SeatChance:
    """What is left to chance in the answers of a seat."""

    def __init__(self, battle: Battle, seat: str) -> None:
        """Draw for this seat; the battle's own dice stay as they are."""
        self._game = battle
        self._dice = AgentDice(battle.seed, seat)
        self.ties: Mapping[Hashable, str] | None = None
        """Which of several equals a Game Master takes, by what is asked; None: they are drawn."""

    @property
    def moment(self) -> int:
        """Return how many answers have been given in the battle."""
        return len(self._game.answers)

    def index(self, count: int, stream: str, salt: str = "", moment: int | None = None) -> int:
        """Return a random index below `count` from a stream of the seat (`ai.tie`, `ai.mode`).

        The same moment, stream and salt give the same index; without a moment, every answer its own.
        """
        return self._dice.index(count, stream, self.moment if moment is None else moment, salt)

    def one_of(self, ids: Sequence[str], salt: str, moment: int | None = None) -> str:
        """Return one of several that are equal: drawn, or as the Game Master has decided.

        Raises OpenTie where a Game Master has not decided yet. Rule: R.A06, ARMY.8
        """
        if self.ties is None:
            return ids[self.index(len(ids), "ai.tie", salt, moment)]
        key = (salt, self.moment if moment is None else moment, tuple(ids))
        if key not in self.ties:
            raise OpenTie(key, tuple(ids))
        return self.ties[key]
