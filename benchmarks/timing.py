"""How long things take, and the figures that a run tells.

Owns the clock of the benchmarks. What is measured is the other modules' business.
"""

from __future__ import annotations

import gc
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
    """Return the least processor time that something took in `repeats` repeats.

    What else runs on the machine takes none of it, or little; nor does the collection of garbage.
    """
    found = []
    collects = gc.isenabled()
    gc.disable()
    for _ in range(repeats):
        began = time.process_time()
        what()
        found.append(time.process_time() - began)
    if collects:
        gc.enable()
    return min(found)
