"""The place of the viewer in a battle: the moment shown, playing on, and jumps.

Owns the cursor, the state at it, the speed, and the effect being shown. It takes no time of its own (the
window tells it how many seconds went by) and draws nothing.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from datasheets.errors import unknown
from engine.core import event as ev
from engine.core.apply import apply
from engine.core.state import State
from engine.table.index import Index
from viewer.story.aftermath import is_aside
from viewer.story.chronicle import Chronicle, Stop
from viewer.story.motion import along, ease, polyline, seconds
from viewer.story.order import Order
from viewer.story.source import Entry, Reason, Source

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 64.0)
_BREAKS = ev.PhaseBegan | ev.PhaseEnded | ev.TurnBegan | ev.RoundBegan | ev.BattleEnded
MOST_DIGITS = 12
"""The most digits of an event's number."""
AHEAD = 120
"""A live battle is asked for more when fewer entries than this are left to show."""
ROUNDING_SECONDS = 1e-9
"""By how much a sum of frames may fall short of a time: a rounding error of floats."""


@dataclass(slots=True)
class Effect:
    """An entry while it is being shown."""

    index: int
    entry: Entry
    duration: float
    elapsed: float = 0.0
    still: bool = False
    """Whether it is shown as it ends, without motion."""

    @property
    def part(self) -> float:
        """Return how much of it has been shown, 0 to 1."""
        if self.still:
            return 1.0
        return min(self.elapsed / self.duration, 1.0) if self.duration > 0 else 1.0

    @property
    def is_over(self) -> bool:
        """Return whether it has been shown for its time."""
        return self.elapsed >= self.duration - ROUNDING_SECONDS


@dataclass(slots=True)
class Kept:
    """What had been read of a battle, to come back to when later answers are taken back."""

    chronicle: Chronicle
    order: Order
    read: int
    """The number of entries that the source had given."""


class Playback:
    """A battle and the moment of it that is shown: the state after the first `cursor` entries."""

    def __init__(self, source: Source) -> None:
        """Start before the first entry, paused."""
        self.source = source
        self.chronicle = Chronicle()
        self._order = Order()
        self._read = 0
        """The number of entries that the source has given."""
        self.state = State()
        self._index = Index(self.state.position)
        self.cursor = 0
        self.playing = False
        self.effect: Effect | None = None
        self._pace = SPEEDS.index(1.0)
        self.less_motion = False
        """Whether everything is shown as it ends: nothing moves, and the pace stays."""
        self.held = False
        """While it is held, it does not play on and nothing is asked."""
        self.rests: Callable[[Entry], bool] = lambda entry: False
        """Whether playing pauses once an entry has been shown."""
        self.pull()

    @property
    def speed(self) -> float:
        """Return how many times faster than usual it plays."""
        return SPEEDS[self._pace]

    @property
    def index(self) -> Index:
        """Return what is near on the table, at the moment shown."""
        if self._index.position is not self.state.position:
            self._index = Index(self.state.position)
        return self._index

    @property
    def at_end(self) -> bool:
        """Return whether all entries that are known are shown."""
        return self.cursor >= len(self.chronicle)

    @property
    def decision(self) -> int | None:
        """Return the entry with the reasons of the present act; None without a decision."""
        for index in range(self.cursor - 1, max(self.cursor - 80, 0) - 1, -1):
            entry = self.chronicle.entries[index]
            if isinstance(entry, Reason) and not is_aside(entry):
                return index
            if isinstance(entry, _BREAKS):
                return None
        return None

    def pull(self) -> None:
        """Take in what the source has."""
        self._take(self.source.poll())

    def _take(self, entries: Sequence[Entry]) -> None:
        self._read += len(entries)
        for entry in entries:
            for told in self._order.take(entry):
                self.chronicle.add(told)
        if self.source.ended:
            for told in self._order.rest():
                self.chronicle.add(told)

    def keep(self) -> Kept:
        """Keep what has been read, to come back to."""
        return Kept(self.chronicle.kept(), self._order.kept(), self._read)

    def renew(self, kept: Kept | None = None) -> None:
        """Read the battle anew, all of it or on from what was kept, and show its latest moment."""
        kept = kept or Kept(Chronicle(), Order(), 0)
        self.chronicle, self._order = kept.chronicle.revived(), kept.order
        self.state, self.cursor, self.effect = State(), 0, None
        self._read = kept.read
        self._take(self.source.poll()[kept.read :])
        self.seek(len(self.chronicle))

    def tick(self, passed: float) -> None:
        """Let this many seconds go by."""
        if len(self.chronicle) - self.cursor < AHEAD and not self.source.ended:
            self.pull()
        left = passed * self.speed
        while True:
            if self.effect is not None:
                used = min(left, self.effect.duration - self.effect.elapsed)
                self.effect.elapsed += used
                left -= used
                if not self.effect.is_over:
                    return
                self.effect = None
            if self.held or not self.playing or self.at_end:
                self.playing = self.playing and not (self.at_end and self.source.ended)
                return
            self.forward()
            if self.rests(self.chronicle.entries[self.cursor - 1]):
                self.playing = False

    def forward(self) -> None:
        """Show the next entry."""
        if self.at_end:
            return
        entry = self.chronicle.entries[self.cursor]
        if not isinstance(entry, Reason):
            apply(self.state, entry)
        duration = seconds(entry, self.chronicle.starts.get(self.cursor, {}))
        self.effect = Effect(self.cursor, entry, duration, still=self.less_motion) if duration > 0 else None
        self.cursor += 1

    def back(self) -> None:
        """Show the moment one entry earlier."""
        self.seek(self.cursor - 1)

    def seek(self, cursor: int) -> None:
        """Show the moment after this many entries."""
        cursor = min(max(cursor, 0), len(self.chronicle))
        start, frame = self.chronicle.keyframe(cursor)
        if not start <= self.cursor <= cursor:
            self.cursor, self.state = start, frame.copy()
        for entry in self.chronicle.entries[self.cursor : cursor]:
            if not isinstance(entry, Reason):
                apply(self.state, entry)
        self.cursor = cursor
        self.effect = None

    def at(self, cursor: int) -> State:
        """Return the state after this many entries, wherever the battle is shown."""
        return self.chronicle.state_at(cursor)

    def to_round(self, step: int) -> None:
        """Jump to the next (1) or the previous (-1) beginning of a round."""
        self._to_stop(self.chronicle.rounds, step)

    def to_phase(self, step: int) -> None:
        """Jump to the next (1) or the previous (-1) beginning of a phase."""
        self._to_stop(self.chronicle.phases, step)

    def to_decision(self, step: int) -> None:
        """Jump to the next (1) or the previous (-1) decision that gives its reasons."""
        places = [index + 1 for index in self.chronicle.decisions]
        self._to_place(places, step)

    def _to_stop(self, stops: list[Stop], step: int) -> None:
        self._to_place([stop.cursor for stop in stops], step)

    def _to_place(self, places: list[int], step: int) -> None:
        if step > 0:
            i = bisect_right(places, self.cursor)
            self.seek(places[i] if i < len(places) else len(self.chronicle))
        else:
            i = bisect_left(places, self.cursor) - 1
            self.seek(places[i] if i >= 0 else 0)

    def faster(self, step: int) -> None:
        """Play at the next (1) or the previous (-1) speed."""
        self._pace = min(max(self._pace + step, 0), len(SPEEDS) - 1)

    def at_speed(self, speed: float) -> None:
        """Play at the speed that is nearest to one."""
        self._pace = min(range(len(SPEEDS)), key=lambda place: abs(SPEEDS[place] - speed))

    def toggle(self) -> None:
        """Play or pause; at the end of a whole battle, play it again."""
        if not self.playing and self.at_end and self.source.ended:
            self.seek(0)
        self.playing = not self.playing

    def jump(self, where: str | int) -> None:
        """Show a moment: an event's number, start, now, end, round:3, round:3:horde:shooting.

        A battle that is still being fought is followed until it gets there. Raises UnknownName where the
        battle has no such moment.
        """
        found = self._find(str(where))
        while found is None and not self.source.ended:
            before = len(self.chronicle)
            self.pull()
            found = self._find(str(where))
            if len(self.chronicle) == before:
                break
        if found is None:
            rounds = [f"round:{stop.round}" for stop in self.chronicle.rounds]
            raise unknown(str(where), ["start", "end", *rounds], "moment of the battle")
        self.seek(found)

    def _find(self, where: str) -> int | None:
        word, _, rest = where.strip().lower().partition(":")
        if word == "start":
            return 0
        if word == "now":
            return len(self.chronicle)
        if word == "end":
            return len(self.chronicle) if self.source.ended else None
        if word in ("round", "phase"):
            return self._find_phase(rest)
        number = rest if word == "event" else word
        if not number.isdecimal() or len(number) > MOST_DIGITS:
            return None
        for index, entry in enumerate(self.chronicle.entries):
            if not isinstance(entry, Reason) and entry.n == int(number):
                return index + 1
        return None

    def _find_phase(self, rest: str) -> int | None:
        number, _, words = rest.partition(":")
        wanted = [word for word in words.split(":") if word]
        stops = self.chronicle.phases if wanted else self.chronicle.rounds
        for stop in stops:
            if str(stop.round) == number and all(word in (stop.turn, stop.phase) for word in wanted):
                return stop.cursor
        return None

    def places(self) -> dict[int, tuple[float, float]]:
        """Return where the models are that are on their way just now, by row."""
        effect = self.effect
        if effect is None or effect.still or not isinstance(effect.entry, ev.Moved):
            return {}
        starts = self.chronicle.starts[effect.index]
        part = ease(effect.part)
        paths = effect.entry.paths
        return {
            row: along(polyline(start, paths[row]), part) for row, start in starts.items() if paths.get(row)
        }
