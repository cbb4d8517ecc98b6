"""The clauses that were asked for a decision and did not settle it.

Owns their collection, each with the conditions that failed. The functions that carry the clauses out decide
what is asked, and in which order.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.request import Because, Candidate


class Inquiry:
    """The clauses asked for one decision that did not settle it, in their order."""

    def __init__(self) -> None:
        """Begin with none."""
        self._passed: list[Because] = []

    @property
    def passed(self) -> tuple[Because, ...]:
        """Return what was asked, each once."""
        return tuple(dict.fromkeys(self._passed))

    def failed(
        self,
        clause: str,
        option: str,
        condition: str,
        measured: float | None = None,
        needed: float | None = None,
    ) -> None:
        """Note that a clause did not make the unit take an option, as a condition failed.

        `measured` and `needed` are the numbers of the condition.
        """
        self.rejected(clause, (outcome(option, condition, measured, needed),))

    def rejected(
        self,
        clause: str,
        candidates: Iterable[Candidate],
        *,
        ruling: str = "",
        models: tuple[int, ...] = (),
        weapon: str = "",
    ) -> None:
        """Note that a clause rejected all its candidates; without any, nothing is noted."""
        told = tuple(candidates)
        if told:
            because = Because(clause=clause, candidates=told, ruling=ruling, models=models, weapon=weapon)
            self._passed.append(because)


def outcome(
    option: str, condition: str = "", measured: float | None = None, needed: float | None = None
) -> Candidate:
    """Return something that a unit may do as a candidate.

    It is rejected for the condition; where that is "", it is chosen.
    """
    told = [None if each is None else round(each, 4) for each in (measured, needed)]
    return Candidate(id=option, failed=condition, measured=told[0], needed=told[1])


def most(count: int) -> int:
    """Return the least number that is more than half of a count."""
    return count // 2 + 1
