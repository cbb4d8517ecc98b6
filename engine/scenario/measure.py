"""The numbers that `that` compares: at most, at least and equal allow for the tolerance."""

from __future__ import annotations

from geometry.tolerance import TOLERANCE


class Measure(float):
    """A number that is at a bound where only a rounding error keeps it from it. Rule: R.A86

    What is said to be less or more is compared as it is, so that a file may ask for any closeness.
    """

    __hash__ = float.__hash__

    def __le__(self, other: float) -> bool:
        """Return whether this is at most the other number."""
        return float(self) <= float(other) + TOLERANCE

    def __ge__(self, other: float) -> bool:
        """Return whether this is at least the other number."""
        return float(self) >= float(other) - TOLERANCE

    def __eq__(self, other: object) -> bool:
        """Return whether the numbers are no farther apart than the tolerance."""
        return isinstance(other, int | float) and self <= other and self >= other

    def __ne__(self, other: object) -> bool:
        """Return whether they are farther apart."""
        return not self == other
