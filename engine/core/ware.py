"""What a seat may buy, as it is shown: price, what is missing, why not, for what.

Plain data; which wares there are, and what they cost, is a ruleset's.
"""

from __future__ import annotations

from typing import Literal

from engine.core.facts import Facts

Closed = Literal["", "declined", "struck", "limit", "forbidden", "condition", "choice", "unmodelled"]
"""Why something is not for sale now: "" where it is, "choice" without a target."""


class WareTarget(Facts, frozen=True, kw_only=True):
    """Something for which a purchase may be made, and the units on which it would act there now."""

    id: str
    label: str
    reaches: tuple[str, ...] | None = None
    """None: its record names no units."""


class Ware(Facts, frozen=True, kw_only=True):
    """A purchase: its option's id, its rule, what it costs, and what stands against it."""

    id: str
    rule: str
    clause: str
    name: str
    summary: str
    kinds: tuple[str, ...] = ()
    price: int = 0
    is_rolled: bool = False
    """Whether the price is rolled."""
    card: str = ""
    """The saved card that pays, where one does."""
    missing: int = 0
    """The points that the seat is short of."""
    closed: Closed = ""
    what: str = ""
    """The kind of thing that is chosen for it first: unit, objective, …"""
    prompt: str = ""
    targets: tuple[WareTarget, ...] = ()

    @property
    def is_open(self) -> bool:
        """Return whether it can be bought now."""
        return not self.closed and not self.missing
