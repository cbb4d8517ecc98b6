"""Each name of the language of rule records is entered only once.

It serves two records or names its clause.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import ModuleType

import pytest

from datasheets.errors import HordeError
from datasheets.library import Library
from engine.horde.language import LANGUAGE
from engine.records.expression import Expression, Selector
from engine.records.language import Kind, Language, NumberLimits, verb, word
from engine.records.rulebook import compiled_rules


def said() -> Iterator[tuple[str, str, str]]:
    """Yield the kind, the name and the record's clause of each word and verb in the records.

    The kind is "word" or "verb".
    """
    for compiled in compiled_rules(Library(), LANGUAGE):
        clause = compiled.rule.clause
        seen: list[object] = [compiled.success, compiled.drawable, compiled.borne_by]
        for change in compiled.changes:
            seen += [change.by, change.condition]
        for each in (*compiled.gifts, *compiled.verdicts, *compiled.replacements, *compiled.calls):
            seen.append(each.condition)
        for reaction in compiled.reactions:
            seen.append(reaction.add)
            for call in (call for _, verbs in reaction.table for call in verbs):
                yield "verb", call.verb, clause
                seen += call.arguments
        for act in (*compiled.reactions, *compiled.offers):
            seen.append(act.condition)
            seen += [part for choice in act.choices for part in (choice.of, choice.where)]
            for call in getattr(act, "every_verb", act.verbs):
                yield "verb", call.verb, clause
                seen += call.arguments
        seen += [part for reaction in compiled.reactions for part in (reaction.each, reaction.add)]
        seen += [part for offer in compiled.offers for part in (offer.on, offer.price)]
        for each in seen:
            for name in words_in(each):
                yield "word", name, clause


def words_in(text: object) -> Iterator[str]:
    """Yield the words that an expression or a selector says, those of selectors inside it too."""
    if isinstance(text, Selector):
        yield from words_in(text.condition)
    if not isinstance(text, Expression):
        return
    for node in ast.walk(text.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id
            for argument in node.args:
                if isinstance(argument, ast.Constant) and " where " in str(argument.value):
                    yield from words_in(LANGUAGE.trusted.selector(str(argument.value)))


CLAUSES: dict[tuple[str, str], set[str]] = {}
for _kind, _name, _clause in said():
    CLAUSES.setdefault((_kind, _name), set()).add(_clause)


@pytest.mark.parametrize("name", sorted(LANGUAGE.words))
def test_a_word_serves_two_records_or_names_its_clause(name: str) -> None:
    judge(CLAUSES.get(("word", name), set()), LANGUAGE.words[name].clause)


@pytest.mark.parametrize("name", sorted(LANGUAGE.verbs))
def test_a_verb_serves_two_records_or_names_its_clause(name: str) -> None:
    judge(CLAUSES.get(("verb", name), set()), LANGUAGE.verbs[name].clause)


def judge(serves: set[str], clause: str) -> None:
    assert serves, "no record says it"
    if len(serves) == 1:
        assert {clause} == serves, f"it serves one record alone: name its clause, {serves}"
    else:
        assert not clause, f"it serves {len(serves)} clauses: name none"


def module(*functions: object) -> ModuleType:
    """Return a module that holds these functions, as a file would."""
    made = ModuleType("some_words")
    for function in functions:
        function.__module__ = made.__name__
        setattr(made, function.__name__, function)  # type: ignore[attr-defined]
    return made


@word()
def asleep(battle: object, unit: object) -> bool:
    """Return whether a unit sleeps."""
    return battle is unit


@verb()
def wake(battle: object, act: object, unit: object) -> None:
    """Wake a unit."""


def test_a_name_that_is_entered_twice_is_refused() -> None:
    with pytest.raises(HordeError, match="word 'asleep' is entered twice"):
        Language.of(words=(module(asleep), module(asleep)))
    with pytest.raises(HordeError, match="verb 'wake' is entered twice"):
        Language.of(verbs=(module(wake), module(wake)))
    with pytest.raises(HordeError, match=r"number 'model\.toughness' is entered twice"):
        Language.of(numbers=({"model.toughness": NumberLimits()}, {"model.toughness": NumberLimits(floor=1)}))
    with pytest.raises(HordeError, match="kind 'unit' is entered twice"):
        Language.of(kinds=(Kind("unit", list), Kind("unit", list)))


def test_a_language_has_the_words_and_verbs_of_its_modules_alone() -> None:
    language = Language.of(words=(module(asleep, wake),), verbs=(module(asleep, wake),))
    assert (set(language.words), set(language.verbs)) == ({"asleep"}, {"wake"})
    assert LANGUAGE.grammar.expression("has(unit, 'FLY')").names == {"unit"}
    with pytest.raises(HordeError, match="has"):
        language.grammar.expression("has(unit, 'FLY')")
