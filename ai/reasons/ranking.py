"""Which of several things is closest, and why each of the others is not.

Owns candidates in order with the first condition that each failed, and the drawing of ties. What is asked
for is the caller's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from ai.reasons.condition import CHEAPER, FARTHER, TIE_LOST
from engine.core.request import Candidate
from engine.w40k.view import View
from geometry.tolerance import TOLERANCE


class Entry(msgspec.Struct, frozen=True):
    """Something that is considered.

    `failed` names the first condition that rules it out; it is "" if the entry may be chosen.
    """

    id: str
    distance: float
    failed: str = ""
    measured: float | None = None
    needed: float | None = None


class Ranked(msgspec.Struct, frozen=True):
    """What was chosen ("" if nothing could be), and all that was considered, in order."""

    chosen: str
    distance: float
    candidates: tuple[Candidate, ...]


def closest(view: View, entries: Iterable[Entry], salt: str, moment: int | None = None) -> Ranked:
    """Return the closest entry that failed nothing; ties within the tolerance are drawn.

    Rule: R.A06
    """
    ordered = sorted(entries, key=lambda e: (bool(e.failed), e.distance, e.id))
    free = [e for e in ordered if not e.failed]
    if not free:
        return Ranked("", float("inf"), tuple(_candidate(e, e.failed) for e in ordered))
    equal = [e for e in free if e.distance <= free[0].distance + TOLERANCE]
    lost = sorted(e.id for e in equal)
    taken = view.one_of(lost, salt, moment) if len(lost) > 1 else lost[0]
    best = next(e for e in equal if e.id == taken)
    said = [_candidate(best, "")]
    for entry in ordered:
        if entry is not best:
            failed = entry.failed or (TIE_LOST if entry.id in lost else FARTHER)
            said.append(_candidate(entry, failed))
    return Ranked(best.id, best.distance, tuple(said))


def dearest(view: View, points: Mapping[str, int], salt: str, drawn: str = "") -> Ranked:
    """Return the unit that costs the most points; ties are drawn, if none was `drawn` before.

    Rule: R.A06
    """
    if drawn not in points:
        drawn = closest(view, [Entry(id_, -float(cost)) for id_, cost in points.items()], salt).chosen
    most = points.get(drawn, 0)
    said = []
    for id_ in sorted(points, key=lambda one: (one != drawn, -points[one], one)):
        failed = "" if id_ == drawn else TIE_LOST if points[id_] == most else CHEAPER
        needed = most if failed else None
        said.append(Candidate(id=id_, failed=failed, measured=points[id_], needed=needed))
    return Ranked(drawn, most, tuple(said))


def _candidate(entry: Entry, failed: str) -> Candidate:
    return Candidate(
        id=entry.id,
        distance=_inches(entry.distance),
        failed=failed,
        measured=_inches(entry.measured),
        needed=_inches(entry.needed),
    )


def _inches(value: float | None) -> float | None:
    """Return a distance as reasons keep it, None for what is infinitely far."""
    return None if value is None or value == float("inf") else round(value, 4)
