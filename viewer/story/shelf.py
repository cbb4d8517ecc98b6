"""The resupply table in words: what a purchase does now, what is missing, what is useless.

All of it follows from records and from the engine's options; no purchase has words of its own here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.core.ware import Ware, WareTarget
from viewer.story.name import Known, listed, objective_name, short_name, unit_name

NAMED = 3
"""At most this many targets of a purchase are named."""
BANDS = (3, 6)
"""The prices at which the list of what is too dear is parted."""
_WHY = {
    "declined": "declined this phase",
    "struck": "struck out by a card",
    "limit": "bought already",
    "forbidden": "a rule forbids it",
    "condition": "not in this position",
}
_NOBODY = {
    "member": "no unit needs it",
    "unit": "no unit for it",
    "character": "no character for it",
    "seat": "no other player",
    "objective": "no objective left",
    "mission": "no mission in play",
    "terrain": "no terrain for it",
}


@dataclass(frozen=True, slots=True)
class ShelfSection:
    """Purchases under a heading."""

    title: str
    wares: tuple[Ware, ...]


@dataclass(frozen=True, slots=True)
class Shelf:
    """All purchases: for sale or too dear, of no use now, not simulated."""

    sections: tuple[ShelfSection, ...]
    useless: tuple[Ware, ...] = ()
    unmodelled: tuple[Ware, ...] = ()

    @property
    def rows(self) -> tuple[Ware, ...]:
        """Return the purchases of all sections, in their order."""
        return tuple(ware for section in self.sections for ware in section.wares)

    @property
    def rest(self) -> str:
        """Return the line on what is of no use now or not simulated, "" where nothing is."""
        parts = []
        if self.useless:
            told = ", ".join(f"{ware.name} ({why_closed(ware)})" for ware in self.useless)
            parts.append(f"Of no use now: {told}.")
        if self.unmodelled:
            parts.append(f"Not simulated: {', '.join(ware.name for ware in self.unmodelled)}.")
        return " ".join(parts)


def shelf(wares: Sequence[Ware]) -> Shelf:
    """Return purchases in sections: to be bought now first, then by price."""
    can = tuple(ware for ware in wares if ware.is_open)
    dear = sorted(
        (ware for ware in wares if ware.missing and not ware.closed), key=lambda ware: (ware.price, ware.name)
    )
    sections = [ShelfSection("You can buy now", can)] if can else []
    bounds = (0, *BANDS, max((ware.price for ware in dear), default=0) + 1)
    for low, high in pairwise(bounds):
        some = tuple(ware for ware in dear if low < ware.price <= high)
        if some:
            sections.append(ShelfSection(_with_points(some, last=high == bounds[-1]), some))
    closed = [ware for ware in wares if ware.closed]
    return Shelf(
        tuple(sections),
        tuple(ware for ware in closed if ware.closed != "unmodelled"),
        tuple(ware for ware in closed if ware.closed == "unmodelled"),
    )


def _with_points(wares: Sequence[Ware], *, last: bool) -> str:
    """Return the heading of purchases that are too dear: the points that they take."""
    low, high = wares[0].price, wares[-1].price
    if last and low != high:
        return f"With {low} SP or more"
    if low == high:
        return f"With {low} SP"
    return f"With {low} {'or' if high == low + 1 else 'to'} {high} SP"


def why_closed(ware: Ware) -> str:
    """Return why a purchase is of no use now."""
    return _NOBODY.get(ware.what, "nothing for it") if ware.closed == "choice" else _WHY.get(ware.closed, "")


def price_words(ware: Ware) -> str:
    """Return a price for a small box: a number, "roll", "card" or "free"."""
    if ware.is_rolled:
        return "roll"
    return f"{ware.price}" if ware.price or not ware.card else "card"


def lack_words(ware: Ware, points: int) -> str:
    """Return what is missing, or what is left after the purchase: "1 SP short", "0 SP left"."""
    if ware.missing:
        return f"{ware.missing} SP short"
    return "as rolled" if ware.is_rolled else f"{points - ware.price} SP left"


def now_words(known: Known, ware: Ware) -> str:
    """Return what a purchase does, and for what it could be made now."""
    said = ware.summary.rstrip(".")
    more = _targets(known, ware)
    told = f"{said}. {more}." if more else f"{said}."
    return re.sub(r'(\d)"', r"\1″", told)


def _targets(known: Known, ware: Ware) -> str:
    """Return for what a purchase could be made now, with the units that it would reach."""
    if not ware.targets or ware.what == "word":
        return ""
    telling = [target for target in ware.targets if target.reaches is not None]
    reached = [target for target in telling if target.reaches]
    if telling and not reached:
        return f"Now it reaches nobody at {listed([target.label for target in telling])}"
    if reached:
        best = max(reached, key=lambda target: len(target.reaches or ()))
        return f"At {best.label} now: {reach_words(known, best)}"
    names = [target_name(known, ware, target) for target in ware.targets]
    named = names if len(names) <= NAMED else [*names[:NAMED], f"{len(names) - NAMED} more"]
    return f"For {' or '.join((', '.join(named[:-1]), named[-1])) if len(named) > 1 else named[0]}"


def reach_words(known: Known, target: WareTarget) -> str:
    """Return the units that a purchase would reach at a target now."""
    names = [short_name(unit_name(known, unit)) for unit in target.reaches or ()]
    return listed(names if len(names) <= NAMED else [*names[:NAMED], f"{len(names) - NAMED} more"])


def target_name(known: Known, ware: Ware, target: WareTarget) -> str:
    """Return what a target is called."""
    if ware.what == "objective":
        return objective_name(target.id)
    if target.id in known.position.units:
        return short_name(unit_name(known, target.id))
    return target.label


def shelf_lines(known: Known, wares: Sequence[Ware], points: int) -> list[str]:
    """Return the whole list as lines of text."""
    found = shelf(wares)
    lines = []
    for section in found.sections:
        lines.append(f"{section.title}:")
        for ware in section.wares:
            head = f"{price_words(ware)} {ware.name}, {lack_words(ware, points)}"
            lines.append(f"  {head}: {now_words(known, ware)}")
    return [*lines, *([found.rest] if found.rest else [])]
