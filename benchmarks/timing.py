"""How long things take, and the figures that a run tells.

Owns the clock of the benchmarks. What is measured is the other modules' business.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure by its name, with what was asked of it: at least, or at most, a value."""

    name: str
    value: float | None
    unit: str
    told: str
    least: float | None = None
    most: float | None = None

    @property
    def met(self) -> bool | None:
        """Return whether the target is met; None where there is none, or nothing was measured."""
        if self.value is None or (self.least is None and self.most is None):
            return None
        above = self.least is None or self.value >= self.least
        return above and (self.most is None or self.value <= self.most)


def seconds(what: Callable[[], object], repeats: int = 1) -> float:
    """Return the least time that something took in so many repeats."""
    found = []
    for _ in range(repeats):
        began = time.perf_counter()
        what()
        found.append(time.perf_counter() - began)
    return min(found)
