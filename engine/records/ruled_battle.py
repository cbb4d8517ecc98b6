"""What carrying out rule records needs of a battle."""

from __future__ import annotations

from typing import Protocol

from engine.core import event as ev
from engine.core.state import State
from engine.records.query import Query
from engine.records.rulebook import Rulebook


class RuledBattle(Protocol):
    """A battle whose rules are records."""

    state: State
    rulebook: Rulebook
    query: Query

    def log(self, event: ev.Event, cause: str = "") -> None:
        """Add an event to the log and carry it out."""
        ...

    def roll(
        self,
        roll: str,
        count: int = 1,
        sides: int = 6,
        *,
        need: int = 0,
        stream: str = "dice",
        cause: str = "",
    ) -> tuple[int, ...]:
        """Roll dice of a kind, log them and return their faces."""
        ...

    def pick(self, what: str, count: int, stream: str = "table", cause: str = "") -> int:
        """Return a random index below `count`."""
        ...

    def shuffle(self, what: str, items: list[str], stream: str = "deck", cause: str = "") -> tuple[str, ...]:
        """Return the items in a random order."""
        ...

    def ruling(self, key: str) -> str:
        """Return how an open point of the text is read in this battle."""
        ...
