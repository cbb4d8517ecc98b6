"""The clauses in force on one matter, and of them those that a question can concern.

Most clauses ask first that one thing be the bearer of their rule ("attacker == bearer and …"). Those of other
bearers are left out by the identity of the things that are asked about; their conditions are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol, TypeVar

import msgspec

from datasheets.rule import Rule
from engine.core.state import Unit
from engine.records.compiled import Compiled
from engine.records.expression import Expression

ATTACKS = ("attacker", "unit")
"""The names of a unit in a question about its attacks, or about itself."""
DEFENDS = ("target", "unit")
"""The names of a unit in a question about what defends it."""


class Active(msgspec.Struct, frozen=True):
    """A rule in force, with the names that its bearer gives: marker, owner, unit, seat."""

    compiled: Compiled
    names: dict[str, Any] = msgspec.field(default_factory=dict)

    @property
    def rule(self) -> Rule:
        """Return the record."""
        return self.compiled.rule


class Conditional(Protocol):
    """A clause with a condition."""

    @property
    def condition(self) -> Expression | None:
        """Return its condition; None where it always holds."""


C = TypeVar("C", bound=Conditional)


class Clauses(list[tuple[C, Active]]):
    """Clauses with the rules that bring them, in the order in which they apply."""

    __slots__ = ("_asked", "_found")

    _asked: tuple[tuple[str, frozenset[int]], ...]
    """The names that clauses compare with a bearer, each with the identities of these bearers."""
    _found: dict[tuple[int, ...], list[tuple[C, Active]]]

    def about(self, names: Mapping[str, Any]) -> list[tuple[C, Active]]:
        """Return the clauses in order, without those whose bearers are not what is asked about.

        The list is complete once this is called for the first time.
        """
        try:
            asked = self._asked
        except AttributeError:
            asked = self._asked = self._all_compared()
            self._found = {}
        if not asked:
            return self
        # The bearers live as long as this list, so that no other thing has the identity of one.
        which = tuple([place if (place := id(names.get(name))) in known else 0 for name, known in asked])
        found = self._found.get(which)
        if found is None:
            found = self._found[which] = [each for each in self if _may_hold(*each, names)]
        return found

    def _all_compared(self) -> tuple[tuple[str, frozenset[int]], ...]:
        known: dict[str, set[int]] = {}
        for clause, active in self:
            for name, thing in _compared(clause, active):
                if name not in active.names:
                    known.setdefault(name, set()).add(id(thing))
        return tuple((name, frozenset(bearers)) for name, bearers in known.items())


def concerning(clauses: Clauses[C], unit: Unit | None, names: tuple[str, ...]) -> Iterator[tuple[C, Active]]:
    """Yield the clauses that can hold where a unit has these names; all for no unit."""
    given = dict.fromkeys(names, unit)
    for clause, active in clauses:
        known = given | active.names
        if unit is None or all(known.get(name, thing) is thing for name, thing in _compared(clause, active)):
            yield clause, active


def _may_hold(clause: Conditional, active: Active, names: Mapping[str, Any]) -> bool:
    """Return whether the things that a condition compares with bearers are these."""
    own = active.names
    return all(own.get(name, names.get(name)) is thing for name, thing in _compared(clause, active))


def _compared(clause: Conditional, active: Active) -> Iterator[tuple[str, Any]]:
    """Yield the names that a condition compares with bearers of its rule, and these."""
    for name, bearer in clause.condition.same if clause.condition else ():
        if bearer in active.names:
            yield name, active.names[bearer]
