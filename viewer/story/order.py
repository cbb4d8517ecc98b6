"""The order of entries in the log: an attack before the wounds that it caused.

The log counts an attack up after its damage; a person wants it the other way round. Nothing is left out,
and no state differs after an attack has been told whole.
"""

from __future__ import annotations

from engine.core import event as ev
from viewer.story.source import Entry, Reason

_ROLLS = ("hit", "wound", "save")
_LOSSES = ev.Damaged | ev.Destroyed
_BREAKS = ev.Targeted | ev.PhaseBegan | ev.PhaseEnded | ev.TurnEnded | ev.Moved | ev.Decided


class Order:
    """Holds losses back until the attack that caused them has been given."""

    def __init__(self) -> None:
        """Hold nothing."""
        self._held: list[Entry] = []
        self._attacking = False
        """Dice were rolled for an attack that has not been given yet."""

    def take(self, entry: Entry) -> list[Entry]:
        """Return the entries that may be given now that this one is known."""
        if isinstance(entry, ev.Attacked):
            return [entry, *self.rest()]
        if isinstance(entry, _BREAKS) or (isinstance(entry, Reason) and not entry.is_minor):
            return [*self.rest(), entry]
        if isinstance(entry, ev.Rolled):
            self._attacking = self._attacking or entry.roll in _ROLLS
        if self._held or (self._attacking and isinstance(entry, _LOSSES)):
            self._held.append(entry)
            return []
        return [entry]

    def kept(self) -> Order:
        """Return one that holds the same."""
        other = Order()
        other._held, other._attacking = list(self._held), self._attacking
        return other

    def rest(self) -> list[Entry]:
        """Return what is held back, and hold nothing."""
        held, self._held, self._attacking = self._held, [], False
        return held
