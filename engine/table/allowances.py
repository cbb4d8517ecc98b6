"""What rules in force allow the units of a table, as far as geometry has to know it.

Owns the questions. A battle answers them from its rules; a table by itself goes by what is printed.
"""

from __future__ import annotations

from typing import Protocol

from engine.core.state import Unit


class Allowances(Protocol):
    """The questions that a table puts to the rules in force."""

    def granted_keyword(self, unit: Unit, keyword: str) -> bool:
        """Return whether a rule in force gives the unit a keyword that is not printed."""
        ...

    def may(self, question: str, **context: object) -> bool:
        """Return whether the rules in force permit it."""
        ...

    def are_asked(self, name: str) -> bool:
        """Return whether any rule in force may speak on a number or question."""
        ...

    def value(self, name: str, base: float, **context: object) -> float:
        """Return a number as the rules in force change it."""
        ...


class Printed:
    """The answers of a table without rules in force."""

    def granted_keyword(self, unit: Unit, keyword: str) -> bool:
        """Return that no keyword is granted."""
        return False

    def may(self, question: str, **context: object) -> bool:
        """Return that all is permitted that a rule would have to forbid."""
        return True

    def are_asked(self, name: str) -> bool:
        """Return that no rule speaks on a number or question."""
        return False

    def value(self, name: str, base: float, **context: object) -> float:
        """Return the number as it is."""
        return base


PRINTED = Printed()
