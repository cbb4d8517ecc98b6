"""Which models may ride in a transport, and how much of its room they take.

It knows nothing of where anybody is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Protocol

Has = Callable[[str], bool]
"""Whether models have a keyword, in any letters."""


class Seat(Protocol):
    """Models with one of these keywords take the room of several."""

    @property
    def keyword(self) -> str:
        """Return the keywords, as printed."""
        ...

    @property
    def models(self) -> int:
        """Return the room that one of them takes."""
        ...


class Hold(Protocol):
    """What a transport carries, as printed."""

    @property
    def capacity(self) -> int:
        """Return how many models it has room for."""
        ...

    @property
    def allows(self) -> str:
        """Return which keywords may ride; "" lets everybody."""
        ...

    @property
    def excludes(self) -> tuple[str, ...]:
        """Return which keywords may not."""
        ...

    @property
    def slots(self) -> Sequence[Seat]:
        """Return the keywords with which a model takes more room than one."""
        ...


class Rider(Protocol):
    """Models of one datasheet that may ride."""

    @property
    def room(self) -> int:
        """Return the room that each takes in any transport, 0 where the transport says it."""
        ...

    def has(self, keyword: str) -> bool:
        """Return whether they have a keyword, in any letters."""
        ...


def may_ride(hold: Hold, has: Has) -> bool:
    """Return whether a transport takes models with these keywords. Rule: CORE.TRN.1"""
    if any(_has_all(has, word) for text in hold.excludes for word in _words(text)):
        return False
    allows = hold.allows.upper()
    if "INFANTRY" in allows and not has("INFANTRY"):
        return False
    words = [word.replace("INFANTRY", "").strip() for word in _words(allows)]
    return any(not word or _has_all(has, word) for word in words)


def room(hold: Hold, rider: Rider) -> int:
    """Return the room that one model of a datasheet takes, by the datasheet or its keywords.

    Rule: CORE.TRN.1
    """
    if rider.room:
        return rider.room
    sizes = [slot.models for slot in hold.slots if any(_has_all(rider.has, w) for w in _words(slot.keyword))]
    return max(sizes, default=1)


def _has_all(has: Has, words: str) -> bool:
    """Return whether models have a keyword, in either number, or all that these words make."""
    if has(words) or has(f"{words}S") or (words.endswith("S") and has(words[:-1])):
        return True
    spaces = [place for place, letter in enumerate(words) if letter == " "]
    return any(_has_all(has, words[:i]) and _has_all(has, words[i + 1 :]) for i in spaces)


def _words(text: str) -> list[str]:
    """Return the keywords of a printed list ("JUMP PACK, GRAVIS or TERMINATOR"), in capitals.

    What a list says in brackets is left out, and that it speaks of models.
    """
    plain = re.sub(r"\(.*|MODELS?\b", "", text.upper())
    return [" ".join(word.split()).strip("^") for word in re.split(r",|\b(?:AND|OR)\b", plain)]
