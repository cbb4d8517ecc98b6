"""What a stretch of the battle leaves on the board: fallen models, wounds lost, moves.

All follows from the entries before a moment, so that it is right after every jump. It draws nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.core import event as ev
from engine.core.state import State
from viewer.story.motion import length, polyline
from viewer.story.source import Entry, Reason

Pair = tuple[float, float]
REPLIES = ("stratagem", "reroll", "roll", "precision")
"""Decisions in the midst of what a unit does."""
_BREAKS = ev.Targeted | ev.Moved | ev.PhaseBegan | ev.PhaseEnded | ev.TurnBegan | ev.TurnEnded


@dataclass(frozen=True, slots=True)
class Fall:
    """A model that was destroyed on the table: at which entry, whose it was, where it stood."""

    index: int
    unit: str
    row: int
    side: str
    at: Pair


@dataclass(slots=True)
class Fallen:
    """All falls of a battle, models that came back, and the ends of the players' turns."""

    falls: list[Fall] = field(default_factory=list)
    returns: list[tuple[int, int]] = field(default_factory=list)
    """The entry, and the row of the model that came back."""
    ends: list[int] = field(default_factory=list)

    def take(self, index: int, event: ev.Event, before: State) -> None:
        """Take in the next event, with the state before it."""
        if isinstance(event, ev.Destroyed):
            table = before.position.table
            if event.model < len(before.position.models) and table.on[event.model]:
                x, y = map(float, table.xy[event.model])
                side = before.position.units[event.unit].side
                self.falls.append(Fall(index, event.unit, event.model, side, (x, y)))
        elif isinstance(event, ev.Returned):
            self.returns.append((index, event.model))
        elif isinstance(event, ev.TurnEnded) and event.whose == "players":
            self.ends.append(index)

    def kept(self) -> Fallen:
        """Return one with what it has now, which grows apart from it."""
        return replace(self, falls=list(self.falls), returns=list(self.returns), ends=list(self.ends))

    def at(self, cursor: int) -> list[Fall]:
        """Return the falls that are marked at a moment: since the last end of a players' turn."""
        since = max((index for index in self.ends if index < cursor), default=-1)
        return self.between(since + 1, cursor)

    def between(self, since: int, cursor: int) -> list[Fall]:
        """Return the falls of a stretch, without models that came back in it."""
        back = {row: index for index, row in self.returns if index < cursor}
        found = [fall for fall in self.falls if since <= fall.index < cursor]
        return [fall for fall in found if back.get(fall.row, -1) < fall.index]


@dataclass(slots=True)
class Toll:
    """What a unit has lost in an act: wounds and models, and the wounds that it regained."""

    wounds: int = 0
    models: int = 0
    healed: int = 0


def is_aside(reason: Reason) -> bool:
    """Return whether a decision only answers to what a unit does, or puts things in order."""
    return reason.is_minor or (reason.decision in REPLIES and not reason.chosen)


def toll_at(entries: Sequence[Entry], cursor: int) -> dict[str, Toll]:
    """Return what units have lost in the act that a moment lies in, by unit."""
    found: dict[str, Toll] = {}
    for index in range(min(cursor, len(entries)) - 1, -1, -1):
        entry = entries[index]
        if isinstance(entry, _BREAKS) or (isinstance(entry, Reason) and not is_aside(entry)):
            break
        if isinstance(entry, ev.Damaged):
            found.setdefault(entry.unit, Toll()).wounds += entry.amount
        elif isinstance(entry, ev.Destroyed):
            found.setdefault(entry.unit, Toll()).models += 1
        elif isinstance(entry, ev.Healed):
            found.setdefault(entry.unit, Toll()).healed += entry.amount
    return found


@dataclass(frozen=True, slots=True)
class Trail:
    """The way that a unit's farthest model went in a stretch, and how far that was in inches."""

    unit: str
    points: tuple[Pair, ...]
    inches: float


def trails(
    entries: Sequence[Entry], starts: Mapping[int, Mapping[int, Pair]], since: int, cursor: int
) -> list[Trail]:
    """Return the ways of the moves of a stretch, one for each unit that moved in it."""
    moves: dict[str, list[tuple[tuple[Pair, ...], float]]] = {}
    for index in range(max(since, 0), min(cursor, len(entries))):
        entry = entries[index]
        if not isinstance(entry, ev.Moved):
            continue
        ways = [
            polyline(start, entry.paths.get(row, ()))
            for row, start in starts.get(index, {}).items()
            if entry.paths.get(row)
        ]
        farthest = max(ways, key=length, default=None)
        if farthest is not None and length(farthest) >= 0.05:
            moves.setdefault(entry.unit, []).append((tuple(farthest), length(farthest)))
    return [Trail(unit, points, inches) for unit, each in moves.items() for points, inches in each]
