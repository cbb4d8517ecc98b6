"""The values of expressions and the things that selectors name, for one battle."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from engine.records.context import Context
from engine.records.expression import BUILT_IN, Expression, Selector
from engine.records.language import Language


class Evaluator:
    """Evaluates expressions with the words of a language, each of them asked of one battle."""

    def __init__(self, language: Language, battle: Any) -> None:
        """Take the battle that is passed to every word; nothing here reads it."""
        self._language = language
        self._battle = battle
        self._functions: dict[str, Any] = {"__builtins__": {}, **BUILT_IN}
        self._functions |= {"some": self._some, "none": self._none, "count": self._count}
        for name, word in language.words.items():
            self._functions[name] = partial(word.function, battle)
        self._ready: dict[Expression, Callable[[Context], Any]] = {}
        self._selectors: dict[str, Selector] = {}

    def evaluate(self, expression: Expression, context: Context) -> Any:
        """Return the value of an expression."""
        ready = self._ready.get(expression)
        if ready is None:
            ready = self._ready[expression] = expression.function(self._functions)
        return ready(context)

    def select(self, selector: Selector, context: Context) -> list[Any]:
        """Return the things that a selector names, in the order of the battle's lists."""
        kind = self._language.kinds[selector.kind]
        things = list(kind.things(self._battle))
        if selector.condition is None:
            return things
        name = kind.called or kind.name
        found = []
        inner = context.with_names()
        for thing in things:
            inner[name] = thing
            if self.evaluate(selector.condition, inner):
                found.append(thing)
        return found

    def _some(self, text: str, context: Context) -> bool:
        """Return whether anything is selected."""
        return bool(self.select(self._selector(text), context))

    def _none(self, text: str, context: Context) -> bool:
        """Return whether nothing is selected."""
        return not self.select(self._selector(text), context)

    def _count(self, text: str, context: Context) -> int:
        """Return the number of the things selected."""
        return len(self.select(self._selector(text), context))

    def _selector(self, text: str) -> Selector:
        """Return the selector of a text whose words were checked when its rule was loaded."""
        found = self._selectors.get(text)
        if found is None:
            found = self._selectors[text] = self._language.trusted.selector(text)
        return found
