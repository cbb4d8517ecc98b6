"""Work beside the window, of which only the newest counts.

Owns the thread and what is dropped. What is worked out must read the battle alone and change nothing; nobody
may change it before `stop`, unless the thread only waits for another process.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from time import monotonic
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Newest(Generic[K, V]):
    """One thing at a time is worked out; of those asked for meanwhile the last one is next."""

    def __init__(self, work: Callable[[K], V]) -> None:
        """Work with this function."""
        self._work = work
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ghost")
        self._wanted: K | None = None
        self._running: tuple[K, Future[V]] | None = None
        self._known: tuple[K, V] | None = None

    @property
    def latest(self) -> V | None:
        """Return what was worked out last, be it for an older wish; None before the first."""
        return self._known[1] if self._known is not None else None

    def known(self, key: K) -> V | None:
        """Return what was worked out for a wish, None where another one was worked out last."""
        return self._known[1] if self._known is not None and self._known[0] == key else None

    def wants(self, key: K) -> bool:
        """Return whether a wish is what was asked for last."""
        return self._wanted is not None and self._wanted == key

    @property
    def is_late(self) -> bool:
        """Return whether what was asked for last is not worked out yet."""
        return self._wanted is not None and (self._known is None or self._known[0] != self._wanted)

    def ask(self, key: K) -> None:
        """Ask for something in place of what was asked for before."""
        self._wanted = key
        self.look()

    def look(self) -> bool:
        """Take in what is ready and begin what is wanted; return whether anything is new."""
        is_new = False
        if self._running is not None and self._running[1].done():
            key, future = self._running
            self._known, self._running, is_new = (key, future.result()), None, True
        if self._running is None and self._wanted is not None and self.is_late:
            self._running = self._wanted, self._pool.submit(self._work, self._wanted)
        return is_new

    def now(self, key: K) -> V:
        """Return what comes of a wish, and wait for it."""
        self.comes(key, None)
        assert self._known is not None
        return self._known[1]

    def comes(self, key: K, patience: float | None) -> bool:
        """Ask for something; return whether it comes within some seconds, of which None are all."""
        self.ask(key)
        until = None if patience is None else monotonic() + patience
        while self.is_late:
            if self._running is not None:
                left = None if until is None else max(until - monotonic(), 0.0)
                if not wait([self._running[1]], left).done:
                    return False
            self.look()
        return True

    def stop(self, *, waits: bool = True) -> None:
        """Drop what is asked for and wait until nothing runs any more."""
        self._wanted = None
        self._pool.shutdown(wait=waits, cancel_futures=True)
        self._running = None
