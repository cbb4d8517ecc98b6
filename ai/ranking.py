"""Which of several things is closest, and why each of the others is not.

Owns candidates in order with the first condition that each failed, and the drawing of ties. What is asked
for is the caller's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.request import Candidate
from engine.view import View
from geometry.base import TOLERANCE

FARTHER = "farther"
TIE_LOST = "tie-lost"


@dataclass(frozen=True, slots=True)
class Entry:
    """Something considered: `failed` names the first condition that rules it out, "" if it may be chosen."""

    id: str
    distance: float
    failed: str = ""


@dataclass(frozen=True, slots=True)
class Ranked:
    """What was chosen ("" if nothing could be), and all that was considered, in order."""

    chosen: str
    distance: float
    candidates: tuple[Candidate, ...]


def closest(view: View, entries: Iterable[Entry], salt: str, moment: int | None = None) -> Ranked:
    """Return the closest entry that failed nothing; ties within the tolerance are drawn. Rule: R.A06"""
    ordered = sorted(entries, key=lambda e: (bool(e.failed), e.distance, e.id))
    free = [e for e in ordered if not e.failed]
    if not free:
        return Ranked("", float("inf"), tuple(_candidate(e, e.failed) for e in ordered))
    equal = [e for e in free if e.distance <= free[0].distance + TOLERANCE]
    equal.sort(key=lambda e: e.id)
    best = equal[view.index(len(equal), "ai.tie", salt, moment)] if len(equal) > 1 else equal[0]
    lost = {e.id for e in equal}
    said = [_candidate(best, "")]
    for entry in ordered:
        if entry is not best:
            failed = entry.failed or (TIE_LOST if entry.id in lost else FARTHER)
            said.append(_candidate(entry, failed))
    return Ranked(best.id, best.distance, tuple(said))


def _candidate(entry: Entry, failed: str) -> Candidate:
    finite = entry.distance != float("inf")
    return Candidate(id=entry.id, distance=round(entry.distance, 4) if finite else None, failed=failed)
