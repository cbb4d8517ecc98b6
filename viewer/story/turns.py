"""The turns of a battle as stretches of its entries."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from engine.core import event as ev


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn: its first entry, the entries up to its end (None: it runs), and whose it is."""

    first: int
    end: int | None
    whose: str


@dataclass(slots=True)
class Turns:
    """All turns, in order."""

    known: list[Turn] = field(default_factory=list)

    def take(self, index: int, event: ev.Event) -> None:
        """Take in the next event."""
        if isinstance(event, ev.TurnBegan):
            self.known.append(Turn(index, None, event.whose))
        elif isinstance(event, ev.TurnEnded) and self.known and self.known[-1].end is None:
            self.known[-1] = replace(self.known[-1], end=index + 1)

    def kept(self) -> Turns:
        """Return one with what it has now, which grows apart from it."""
        return Turns(list(self.known))

    def at(self, cursor: int) -> Turn | None:
        """Return the turn that a moment lies in, its end among it; None between turns."""
        begun = [turn for turn in self.known if turn.first < cursor]
        if not begun or (begun[-1].end is not None and cursor > begun[-1].end):
            return None
        return begun[-1]

    def over(self, cursor: int, whose: str = "horde") -> Turn | None:
        """Return a side's last turn that was over at a moment, None without any."""
        found = [t for t in self.known if t.whose == whose and t.end is not None and t.end <= cursor]
        return found[-1] if found else None

    def ending(self, index: int) -> Turn | None:
        """Return the turn that ends with an entry, None where none does."""
        return next((turn for turn in self.known if turn.end == index + 1), None)
