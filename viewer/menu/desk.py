"""What the menus ask of the program: armies, files, a look at a battle, wishes to keep.

Owns the questions only; commands answer them.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, Protocol

from datasheets.library import Library
from datasheets.schema import Roster
from engine.w40k.battle import Battle
from viewer.input.preferences import Preferences
from viewer.input.settings import Rules
from viewer.menu.choice import Choice


class LeftOver(NamedTuple):
    """A battle that is not over: its file, what it is, where it stands, and the rounds if known."""

    file: Path
    title: str
    words: str
    rounds: tuple[int, int] = (0, 0)
    """The round that is played, and how many there are; 0 where the file does not say at once."""


class Outlined(NamedTuple):
    """A new battle before it begins: its table and armies, or what is wrong with the choice."""

    game: Battle | None
    armies: tuple[Roster, ...] = ()
    fault: str = ""


class Desk(Protocol):
    """What the menus ask."""

    library: Library
    preferences: Preferences
    rules: Rules

    def look_at(self, choice: Choice) -> Outlined:
        """Return the battle of a choice, or one sentence on what is wrong with it."""
        ...

    def shipped(self) -> list[tuple[str, str, int]]:
        """Return the shipped armies by faction, the largest first: name, what it is called, points."""
        ...

    def army_of(self, choice: Choice, number: int) -> str:
        """Return the name of the army that a player has where none was named. Raises HordeError."""
        ...

    def points_of(self, choice: Choice, number: int) -> int:
        """Return how many points a player's army may have. Raises HordeError."""
        ...

    def read_list(self, text: bytes, name: str) -> tuple[Roster, list[str]]:
        """Return the army of a list, and what was found in it. Raises HordeError."""
        ...

    def left_over(self) -> list[LeftOver]:
        """Return the battles that are not over, the newest first."""
        ...

    def replays(self) -> list[Path]:
        """Return the replays that are at hand, the newest first."""
        ...

    def scenarios(self) -> list[Path]:
        """Return the scenarios that are at hand."""
        ...

    def check(self, file: Path) -> None:
        """Refuse a file that cannot be opened. Raises HordeError."""
        ...

    def prefer(self, preferences: Preferences) -> None:
        """Put wishes about the window in force, and remember them. Raises HordeError."""
        ...

    def rule(self, rules: Rules) -> None:
        """Put rules about what is asked in force, and remember them. Raises HordeError."""
        ...
