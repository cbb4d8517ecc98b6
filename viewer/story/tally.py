"""What units did up to a moment of the log: wounds dealt and taken, and by whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.core import event as ev
from engine.core.state import State
from viewer.story.name import count, short_name, unit_name
from viewer.story.source import Entry

Counts = dict[str, list[int]]
"""By the other unit: wounds, and models destroyed."""
NAMED = 2
"""At most this many other units are named."""


def _counts() -> defaultdict[str, list[int]]:
    return defaultdict(lambda: [0, 0])


@dataclass(slots=True)
class Deeds:
    """The wounds that units have dealt and taken up to an entry."""

    upto: int = 0
    dealt: defaultdict[str, defaultdict[str, list[int]]] = field(default_factory=lambda: defaultdict(_counts))
    taken: defaultdict[str, defaultdict[str, list[int]]] = field(default_factory=lambda: defaultdict(_counts))

    def until(self, entries: Sequence[Entry], cursor: int) -> Deeds:
        """Count the entries before a moment, from the beginning where it lies before the last."""
        if cursor < self.upto:
            self.upto = 0
            self.dealt.clear()
            self.taken.clear()
        for entry in entries[self.upto : cursor]:
            if isinstance(entry, ev.Damaged):
                self._add(entry.by, entry.unit, 0, entry.amount)
            elif isinstance(entry, ev.Destroyed):
                self._add(entry.by, entry.unit, 1, 1)
        self.upto = cursor
        return self

    def _add(self, by: str, to: str, place: int, amount: int) -> None:
        self.taken[to][by][place] += amount
        if by and by != to:
            self.dealt[by][to][place] += amount

    def sentences(self, state: State, unit: str) -> tuple[str, ...]:
        """Return what a unit dealt and took, in a line each; none where nothing happened."""
        found = []
        for verb, known in (("dealt", self.dealt.get(unit)), ("taken", self.taken.get(unit))):
            if not known:
                continue
            wounds = sum(each[0] for each in known.values())
            models = sum(each[1] for each in known.values())
            words = f"{count(wounds, 'wound')} {verb}"
            if models:
                words += f", {count(models, 'model')} {'destroyed' if verb == 'dealt' else 'lost'}"
            found.append(f"{words}: {self._others(state, unit, known)}")
        return tuple(found)

    def _others(self, state: State, unit: str, known: Counts | defaultdict[str, list[int]]) -> str:
        ranked = sorted(known.items(), key=lambda each: (-each[1][0], each[0]))
        names = []
        for id_, (wounds, _) in ranked[:NAMED]:
            name = "itself" if id_ == unit else short_name(unit_name(state, id_)) if id_ else "other causes"
            names.append(f"{name} {wounds}")
        more = len(ranked) - NAMED
        return ", ".join(names) + (f" and {more} more" if more > 0 else "")
