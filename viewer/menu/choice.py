"""What a person chooses in the start menu: a new battle in all its options."""

from __future__ import annotations

from typing import Literal

import msgspec

from datasheets.schema import Roster
from datasheets.share import MOST_PLAYERS
from viewer.input.battle_words import BattleWords

Questions = Literal["matters", "more", "all"]
"""Which questions are put: as the settings say, all that are weighed too, or all."""
Army = str | Roster
"""An army by its name or its file, or as it was pasted."""


class Choice(BattleWords):
    """A new battle, in the words that commands take, and how it is played."""

    army: list[Army] = msgspec.field(default_factory=list)
    """One for each player; "" is the largest shipped army that fits."""
    game_master: bool = False
    """Whether a person is the Game Master."""
    played: list[bool] = msgspec.field(default_factory=lambda: [True])
    """Whether a person plays, by player."""
    questions: Questions = "matters"
    by_hand: bool = True
    """Whether a person sets the units up."""
    save: str = ""

    def seat(self, number: int) -> None:
        """Let there be this many players; those that are new play with the largest army that fits."""
        number = min(max(number, 1), MOST_PLAYERS)
        self.players = str(number)
        self.army = [*self.army, *[""] * number][:number]
        self.played = [*self.played, *[True] * number][:number]

    @property
    def asked(self) -> tuple[str, ...]:
        """Return the players' seats at which a person sits."""
        return tuple(f"p{i}" for i, is_person in enumerate(self.played, start=1) if is_person)
