"""Models with a bracket: what tells one from others, and when its wounds cross the bracket."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.event import Damaged, Healed
from engine.core.state import Unit

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

APART = -2
"""The highest number that tells a model from all others; those of next rows lie below."""


def told_by(
    battle: Battle, unit: Unit, row: int, numbers: tuple[str, ...] = (), *, armed: bool = False
) -> int:
    """Return what tells a model from its unit's others for these numbers, -1 for nothing.

    With `armed` what gives weapons abilities counts too. Models with a bracket differ from all others.
    Rule: CORE.ABL.DAMAGED
    """
    if battle.state.position.models[row].facts.damaged:
        return APART - row
    return battle.query.in_force.told_by(unit, row, numbers, armed=armed)


class BracketWatch:
    """Reads a battle's events once each."""

    def __init__(self) -> None:
        """Begin before the first event."""
        self._seen = 0

    def has_crossed(self, battle: Battle) -> bool:
        """Return whether the wounds of a model have crossed its bracket since the last look.

        Rule: CORE.ABL.DAMAGED
        """
        new, self._seen = battle.events[self._seen :], len(battle.events)
        changes = (each for each in new if isinstance(each, Damaged | Healed))
        models = battle.state.position.models
        return any(_crosses(each, models[each.model].facts.damaged) for each in changes)


def _crosses(event: Damaged | Healed, bracket: int) -> bool:
    """Return whether a loss or a gain of wounds begins or ends that a model is damaged."""
    before = event.wounds + (event.amount if isinstance(event, Damaged) else -event.amount)
    return (event.wounds <= bracket) != (before <= bracket)
