"""A game system as the engine sees it: ordered steps, check of answers, rules, settings.

The engine reads no characteristic and no parameter of an edition: those belong to its own package.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

import msgspec

from datasheets.errors import UnknownName
from engine.core import event as ev
from engine.core.facts import Side
from engine.core.request import AnyAnswer, AnyRequest, Steps
from engine.core.settings import Settings
from engine.core.ware import Ware

B = TypeVar("B")
"""The kind of battle that a game system plays."""
Reaction = Callable[[B, "ev.Event | None"], Steps[None]]
"""What a ruleset itself does at a moment, before the rules in force do."""


def _no_wares(battle: object, seat: str) -> tuple[Ware, ...]:
    """Return nothing: a ruleset without purchases sells none."""
    return ()


class Step(msgspec.Struct, Generic[B], frozen=True):
    """A step of the battle round: run again and again until it says that nothing is left to do."""

    name: str
    phase: str
    run: Callable[[B], Steps[bool]]
    turn: Side | None = None
    opens_round: bool = False
    """Whether a battle round begins with it, as one does with a ruleset's first."""
    ends_round: bool = False
    """Whether a battle round ends with it, whatever comes after.

    A round also ends with the last step before the next round.
    """


class Ruleset(msgspec.Struct, Generic[B], frozen=True):
    """A game system: `steps` begin with the set-up, and from `first` on repeat every round."""

    id: str
    steps: tuple[Step[B], ...]
    check: Callable[[B, AnyRequest, AnyAnswer, str], list[str]]
    """Return every fault of a seat's answer to a request; none if the answer is legal."""
    rules: tuple[str, ...] = ()
    settings: Settings = Settings()
    """The points of its text that can be read in more than one way."""
    reactions: Mapping[str, tuple[Reaction[B], ...]] = {}
    """What is carried out at a moment, in order, before the rules in force whose moment it is."""
    phase_end: tuple[Callable[[B], Steps[None]], ...] = ()
    """What is carried out as a phase ends, in order, before the rules whose moment it is."""
    wares: Callable[[B, str], tuple[Ware, ...]] = _no_wares
    """Return what a seat may buy, with its prices and what stands against it."""

    @property
    def first(self) -> int:
        """Return the place of the first step of a battle round."""
        return next(i for i, step in enumerate(self.steps) if step.phase != "setup")

    def place(self, name: str) -> int:
        """Return the place of the step with this name."""
        for i, step in enumerate(self.steps):
            if step.name == name:
                return i
        raise UnknownName(name, tuple(step.name for step in self.steps), "step")
