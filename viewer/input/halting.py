"""What may halt the other side's turn, in words: the person's own rules about what is asked.

Reads the rules and the kinds of question; it weighs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from viewer.input.settings import Rules
from viewer.input.stops import NAMED, OTHER_OFFER, Kind

MOST_NAMED = 3
"""At most this many offers are named that are always put."""
_IN_ANY_TURN = ("allocation",)
"""The other kinds of question that the Horde's attacks bring about."""


def halts(rules: Rules | None, cp: Iterable[int]) -> tuple[str, ...]:
    """Return what a person is stopped for in the Horde's turn, a line each; `cp` of the players asked."""
    if rules is None:
        return ("anything is asked of you",)
    lines = _offers(rules, tuple(cp))
    for name in _IN_ANY_TURN:
        kind = NAMED[name]
        if rules.asking(kind) == "always":
            lines.append(f"it is open {kind.what}")
        elif rules.asking(kind) == "matters":
            lines.append(f"it matters {kind.what}: {kind.when.partition(',')[0]}")
    return tuple(lines)


def _offers(rules: Rules, cp: tuple[int, ...]) -> list[str]:
    """Return the lines on offers of Stratagems, and how many CP there are for them."""
    offers = [kind for kind in (*NAMED.values(), OTHER_OFFER) if kind.declines]
    left = f"you have {', '.join(map(str, cp))} CP" if cp else ""
    left += ": only free ones can come" if cp and not any(cp) else ""
    lines = []
    if any(rules.asking(kind) == "matters" for kind in offers):
        lines.append(f"an offer is worth its CP ({left})" if left else "an offer is worth its CP")
    always = _names(kind for kind in offers if rules.asking(kind) == "always")
    return [*lines, f"there is an offer of {always}"] if always else lines


def _names(kinds: Iterable[Kind]) -> str:
    names = list(dict.fromkeys(kind.title or kind.what for kind in kinds))
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
