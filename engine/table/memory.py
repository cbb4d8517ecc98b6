"""What was worked out for one version of the table, kept until there is another."""

from __future__ import annotations

from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Memory(Generic[K, V]):
    """Answers by key, all of one version."""

    __slots__ = ("_known", "_version")

    def __init__(self) -> None:
        """Know of no answer yet."""
        self._version = -1
        self._known: dict[K, V] = {}

    def at(self, version: int) -> dict[K, V]:
        """Return the answers of this version by key, to be read and added to."""
        if version != self._version:
            self._version = version
            self._known.clear()
        return self._known
