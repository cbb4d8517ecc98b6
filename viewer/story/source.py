"""Where the viewer gets what happened: a recorded battle, or one that is still being fought.

Owns the two kinds of entry (an event, or the reasons of a decision) and the `Source` that yields them.
It neither draws nor folds anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from engine.core.event import Event
from engine.core.game import ASIDES
from engine.core.request import Because
from viewer.story.knowledge import Knowledge


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a seat decided something: the number of its answer, its unit, and the reasons it gave."""

    n: int
    seat: str
    unit: str
    decision: str
    because: tuple[Because, ...]
    passed: tuple[Because, ...] = ()
    """The clauses that settled nothing."""
    chosen: tuple[str, ...] = ()
    """The options that it took, where it chose among some."""

    @property
    def is_minor(self) -> bool:
        """Return whether it only puts things in order: the next unit, the model that is wounded."""
        return self.decision in ASIDES

    def after(self, earlier: Reason | None) -> Reason:
        """Return it with the reasons of an earlier decision about the same act before its own."""
        if earlier is None or earlier.unit != self.unit or earlier.seat != self.seat:
            return self
        return replace(
            self,
            because=tuple(dict.fromkeys((*earlier.because, *self.because))),
            passed=tuple(dict.fromkeys((*earlier.passed, *self.passed))),
            chosen=tuple(dict.fromkeys((*earlier.chosen, *self.chosen))),
        )


Entry = Event | Reason


class Source(Protocol):
    """A battle's entries in order; it may still be growing."""

    @property
    def title(self) -> str:
        """Return what the window's title says of it."""
        ...

    @property
    def ended(self) -> bool:
        """Return whether `poll` will never yield anything again."""
        ...

    @property
    def summaries(self) -> Mapping[str, str]:
        """Return what rules do, in a sentence each, by their ids; empty where that is not known."""
        ...

    @property
    def knowledge(self) -> Knowledge:
        """Return what is known of the battle beside its log."""
        ...

    def poll(self) -> Sequence[Entry]:
        """Return the entries since the last poll; empty when there is nothing new yet.

        The viewer polls when it nears the end of what it has, so a live battle may be played on here.
        """
        ...


class Recording:
    """A source that has all its entries already."""

    def __init__(
        self,
        entries: Sequence[Entry],
        title: str = "Horde",
        summaries: Mapping[str, str] | None = None,
        knowledge: Knowledge | None = None,
        file: Path | None = None,
    ) -> None:
        """Keep the entries until they are polled; `file` is the one that they were read from."""
        self.file = file
        self.knowledge = knowledge or Knowledge()
        self._entries: Sequence[Entry] = entries
        self._title = title
        self._summaries = dict(summaries or {})

    @property
    def title(self) -> str:
        """Return what the window's title says of it."""
        return self._title

    @property
    def summaries(self) -> Mapping[str, str]:
        """Return what rules do, by their ids."""
        return self._summaries

    @property
    def ended(self) -> bool:
        """Return whether all has been polled."""
        return not self._entries

    def poll(self) -> Sequence[Entry]:
        """Return all entries, once."""
        entries, self._entries = self._entries, ()
        return entries
