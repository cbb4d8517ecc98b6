"""What came of the attacks that a unit has just made: hits, and models that were lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from engine.core import event as ev
from engine.core.state import Unit

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


class Outcome(msgspec.Struct, frozen=True):
    """The attacks of one activation of a unit, all resolved. Rule: CORE.SHOOT.3, CORE.FGT.6"""

    attacked: tuple[ev.Attacked, ...]
    lost: dict[str, tuple[int, ...]]
    """By unit, the rows of the models that it lost to them."""
    allocated_to: dict[int, int] = msgspec.field(default_factory=dict)
    """By row, how many attacks were allocated to the model."""
    felled: tuple[tuple[int, ...], ...] = ()
    """For each of the attacked, the rows of the models that were lost to it."""

    def felled_with(self, weapon: str, rows: tuple[int, ...]) -> tuple[int, ...]:
        """Return the rows of the models lost to a weapon of these attackers, whatever its mode."""
        pairs = zip(self.attacked, self.felled, strict=False)
        own = [(each, lost) for each, lost in pairs if not set(rows).isdisjoint(each.models)]
        return tuple(row for each, lost in own if is_named(each.weapon, (weapon,)) for row in lost)

    def hits(self, unit: Unit, weapons: tuple[str, ...] = (), rows: tuple[int, ...] | None = None) -> int:
        """Return how many attacks hit a unit, of these weapons and rows where any are named.

        A weapon is named without the mode of its profile.
        """
        return sum(
            each.hits
            for each in self.attacked
            if each.target == unit.id
            and (not weapons or is_named(each.weapon, weapons))
            and (rows is None or not set(rows).isdisjoint(each.models))
        )

    def allocated(self, unit: Unit, part: int | None = None) -> int:
        """Return how many attacks were allocated to models of a unit, or of a part. Rule: CORE.ATK.2"""
        rows = (model.row for model in unit.facts.models if part in (None, model.part))
        return sum(self.allocated_to.get(row, 0) for row in rows)


def is_named(profile: str, weapons: tuple[str, ...]) -> bool:
    """Return whether a profile is of one of these weapons, in any mode ("Gun - standard")."""
    return profile.partition(" - ")[0].casefold() in [each.casefold() for each in weapons]


def living(battle: Battle, targets: tuple[str, ...]) -> dict[str, tuple[int, ...]]:
    """Return the rows of the living models of some units."""
    return {name: battle.state.position.units[name].rows for name in dict.fromkeys(targets)}


def outcome(
    battle: Battle,
    attacked: tuple[ev.Attacked, ...],
    before: dict[str, tuple[int, ...]],
    allocated: dict[int, int],
    felled: tuple[tuple[int, ...], ...] = (),
) -> Outcome:
    """Return what came of attacks on units, of which these models lived before."""
    after = living(battle, tuple(before))
    lost = {name: tuple(row for row in rows if row not in after[name]) for name, rows in before.items()}
    return Outcome(attacked, lost, allocated, felled)


def own_rows(unit: Unit, part: int) -> tuple[int, ...]:
    """Return the rows of all models that a part of a unit has, or had."""
    return tuple(facts.row for facts in unit.facts.models if facts.part == part)
