"""Which rules act in a battle without events of their own: their conditions hold.

Owns the listening alone. What a rule changes, a number, a permission or a keyword, is the engine's.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from engine.records.clauses import Active
from engine.records.expression import Expression
from engine.records.question import Question


@contextmanager
def heard() -> Iterator[set[str]]:
    """Collect the ids of the rules of which a clause holds when a battle asks it."""
    found: set[str] = set()
    holds = Question.holds

    def listen(self: Question, condition: Expression | None, active: Active) -> bool:
        answer = holds(self, condition, active)
        if answer:
            found.add(active.rule.id)
        return answer

    Question.holds = listen  # type: ignore[method-assign]
    try:
        yield found
    finally:
        Question.holds = holds  # type: ignore[method-assign]
