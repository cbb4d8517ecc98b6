"""The interface between the loop over a battle's steps and the rules in force.

Any game system's rules fit it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from datasheets.rule import Instead
from engine.core import event as ev
from engine.core.request import Steps
from engine.core.state import Unit


class Rules(Protocol):
    """The rules in force in a battle."""

    def fire(self, moment: str, event: ev.Event | None, names: Mapping[str, Any]) -> Steps[None]:
        """Carry out every rule whose moment this is; `names` are those known at the moment."""
        ...

    def instead(self, roll: str, unit: Unit | None) -> tuple[Instead, str] | None:
        """Return the replacement of a roll of this kind, and the clause that replaces it.

        None where no rule replaces the roll.
        """
        ...

    def heed(self, event: ev.Event) -> None:
        """Notice an event that has just been carried out, as other rules may be in force after it."""
        ...


class NoRules:
    """The rules of a battle in which none is in force but the steps themselves."""

    def fire(self, moment: str, event: ev.Event | None, names: Mapping[str, Any]) -> Steps[None]:
        """Carry out nothing."""
        yield from ()

    def instead(self, roll: str, unit: Unit | None) -> None:
        """Return nothing: no roll is replaced."""

    def heed(self, event: ev.Event) -> None:
        """Notice nothing."""
