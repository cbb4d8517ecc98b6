"""Statistics of a comparison: the ratio of two costs, its interval and the verdict.

The ratio is taken over pairs of battles. Holds no clock and no battle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

RESAMPLES = 10_000
RANDOM_SEED = 20_240_607
"""The seed of the bootstrap: equal costs give equal intervals in every run."""
PERCENTILES = (2.5, 97.5)


class Verdict(StrEnum):
    """What an interval says of a limit."""

    MET = "met"
    OPEN = "open"
    MISSED = "missed"


@dataclass(frozen=True, slots=True)
class Ratio:
    """The ratio of two costs, with its 95% interval."""

    value: float
    low: float
    high: float

    def verdict(self, limit: float) -> Verdict:
        """Return whether the whole interval lies above the limit, contains it or lies below it."""
        if self.low > limit:
            return Verdict.MISSED
        return Verdict.OPEN if self.high >= limit else Verdict.MET


def ratio_of(costs: Sequence[tuple[float, float]]) -> Ratio:
    """Return the geometric mean of second over first cost, with its bootstrap interval.

    The interval comes from resamples of the pairs. The geometric mean counts each battle alike and treats
    faster and slower alike. In a ratio of sums the few longest battles would decide, and the interval would
    be theirs.
    """
    before, after = np.array(costs, dtype=float).T
    logs = np.log(after / before)
    drawn = np.random.default_rng(RANDOM_SEED).integers(len(logs), size=(RESAMPLES, len(logs)))
    low, high = np.percentile(logs[drawn].mean(axis=1), PERCENTILES)
    return Ratio(float(np.exp(logs.mean())), float(np.exp(low)), float(np.exp(high)))
