"""Expressions of rule records: what may be written, and how the rest is refused.

A refusal names the rule and the key.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from datasheets.errors import BadData
from datasheets.library import Library
from datasheets.rule import Rule
from engine.horde.language import LANGUAGE
from engine.records.compiled import CLAIMS, CLAUSES, Compiled
from engine.records.expression import BadExpression, Expression, Grammar, terms


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("hord(unit)", "function 'hord'"),
        ("horde(unt)", "name 'unt'"),
        ("unit.marks", "attribute"),
        ("[unit for unit in (1, 2)]", "listcomp"),
        ("lambda: 1", "lambda"),
        ("__import__('os')", "function '__import__'"),
        ("unit()", "function 'unit'"),
        ("horde(unit", "no expression"),
        ("some('unti where horde(unit)')", "selects no known thing"),
        ("some('unit where hord(unit)')", "function 'hord'"),
        ("some(this)", "needs a text"),
        ("any_within(unit, 6, 'Death Guard')", "no filter"),
        ("has(unit, keyword='FLY')", "no function of the vocabulary"),
        ("unit[0]", "subscript"),
    ],
)
def test_what_is_not_allowed_is_refused(text: str, why: str) -> None:
    """A name that nobody knows, or Python beyond the vocabulary, is no expression."""
    with pytest.raises(BadExpression, match=why):
        LANGUAGE.grammar.expression(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("explode(unit)", "verb 'explode'"),
        ("unit", "no verb"),
        ("gain(seat, 'sp', amount=1)", "no verb"),
        ("gain(sead, 'sp', 1)", "name 'sead'"),
    ],
)
def test_unknown_verbs_are_refused(text: str, why: str) -> None:
    """The verbs are a closed list."""
    with pytest.raises(BadExpression, match=why):
        LANGUAGE.grammar.verb(text)


def test_near_names_are_offered() -> None:
    """The message about a misspelt name offers the names near it."""
    with pytest.raises(BadExpression, match="did you mean 'battle_shocked'"):
        LANGUAGE.grammar.expression("batle_shocked(unit)")


def test_filters_are_words_and_keywords() -> None:
    """A filter's keywords may have several words, and any term may be turned round."""
    assert terms("horde and THOUSAND SONS and not VEHICLE") == (
        (True, "horde"),
        (True, "THOUSAND SONS"),
        (False, "VEHICLE"),
    )


def _rule(**more: object) -> Rule:
    facts = {"id": "test/rule", "clause": "TEST.1", "name": "Test", "source": "none", "summary": "A test."}
    return msgspec.convert({**facts, **more}, Rule)


def test_a_fault_names_rule_and_key() -> None:
    """The message about a fault in a clause names the rule's id and the key."""
    rule = _rule(modify=[{"number": "weapon.ap", "improve": 1, "if": "hord(attacker)"}])
    with pytest.raises(BadData, match=r"test/rule: modify\.0\.if"):
        Compiled(rule, LANGUAGE).checked()


def test_a_rule_is_made_ready_as_far_as_it_is_needed() -> None:
    """A fault in a clause is raised when its kind of clause is asked for, and not before."""
    rule = _rule(
        modify=[{"number": "weapon.ap", "improve": 1}],
        permit=[{"question": "control", "if": "hord(unit)"}],
    )
    compiled = Compiled(rule, LANGUAGE)
    assert [change.number for change in compiled.changes] == ["weapon.ap"]
    with pytest.raises(BadData, match=r"test/rule: permit\.0\.if"):
        _ = compiled.verdicts


@pytest.mark.parametrize(
    ("clauses", "key"),
    [
        ({"modify": [{"number": "weapon.app", "add": 1}]}, r"modify\.0\.number"),
        ({"forbid": [{"question": "by"}]}, r"forbid\.0\.question"),
        ({"grant": [{"ability": "stelth"}]}, r"grant\.0\.ability"),
        ({"when": [{"moment": "moon-rise", "do": ["tally(this)"]}]}, r"when\.0\.moment"),
        ({"instead": [{"roll": "advanced", "result": [6]}]}, r"instead\.0\.roll"),
        ({"offer": [{"at": "resupply", "price": "sp(sead)", "do": []}]}, r"offer\.0\.price"),
    ],
)
def test_names_that_no_step_asks_are_refused(clauses: dict[str, object], key: str) -> None:
    """Each kind of name is checked as the rule is compiled."""
    with pytest.raises(BadData, match=key):
        Compiled(_rule(**clauses), LANGUAGE).checked()


def test_names_of_picks_are_known_to_the_verbs() -> None:
    """What is picked may be used under its name, and only there."""
    pick = {"name": "prey", "of": "unit where horde(unit)"}
    picked = _rule(when=[{"moment": "moved", "pick": [pick], "do": ["recover(prey)"]}])
    Compiled(picked, LANGUAGE).checked()
    with pytest.raises(BadData, match="name 'prey'"):
        Compiled(_rule(when=[{"moment": "moved", "do": ["recover(prey)"]}]), LANGUAGE).checked()


def test_a_rule_is_whole_or_gives_its_reason() -> None:
    """A rule without clauses says why; one with a reason has none."""
    with pytest.raises(ValueError, match="reason"):
        _rule()
    with pytest.raises(ValueError, match="no clauses"):
        _rule(reason="too hard", permit=[{"question": "control"}])
    assert _rule(reason="too hard").status == "unmodelled"
    assert _rule(permit=[{"question": "control"}]).status == "modelled"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[[rule]]\nid = 'a'", "clause"),
        ("[[rule]]\nid = 'a'\nclause = 'A'\nname = 'A'\nsource = ''\nsummary = ''\nreson = 'x'", "reson"),
        ("[[rules]]\nid = 'a'", "rules"),
        ("[[rule]\n", "cannot be read"),
    ],
)
def test_broken_files_are_told_with_path_and_key(tmp_path: Path, text: str, key: str) -> None:
    """A file of rules that is not one is refused in one sentence."""
    folder = tmp_path / "rules"
    folder.mkdir()
    folder.joinpath("mine.toml").write_text(text)
    with pytest.raises(BadData, match=rf"mine\.toml.*{key}"):
        Library(assets=tmp_path).rules()


def test_the_shipped_rules_compile(library: Library) -> None:
    """Every record that is shipped is known to the grammar."""
    for rule in library.rules():
        Compiled(rule, LANGUAGE).checked()


def expressions(found: object) -> Iterator[Expression]:
    """Yield the expressions in what a record is made ready as."""
    if isinstance(found, Expression):
        yield found
    elif isinstance(found, tuple):
        for each in found:
            yield from expressions(each)
    elif isinstance(found, msgspec.Struct) and not isinstance(found, Rule):
        yield from expressions(tuple(getattr(found, name) for name in found.__struct_fields__))


def test_all_that_the_shipped_rules_say_becomes_a_function(library: Library) -> None:
    """As the battle first asks it, which may be late or never."""
    for rule in library.rules():
        compiled = Compiled(rule, LANGUAGE)
        for each in expressions(tuple(getattr(compiled, name) for name in (*CLAUSES, *CLAIMS))):
            assert callable(each.function({}))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("seen()", ("bearer",)),
        ("seen( )", ("bearer",)),
        ("seen(1)", (1, "bearer")),
        ("seen(1,)", (1, "bearer")),
        ("seen(seen(), 2) + seen()", (("bearer",), 2, "bearer", "bearer")),
        ("seen((1), (2))", (1, 2, "bearer")),
    ],
)
def test_a_function_that_looks_names_up_gets_them_last(text: str, value: object) -> None:
    """With arguments or without."""
    grammar = Grammar(("seen",), ("bearer",), looking_up={"seen": ("bearer",)})
    known = {"seen": lambda *given: (*given[:-1], given[-1]["bearer"])}
    assert grammar.expression(text).function(known)({"bearer": "bearer"}) == value


@pytest.fixture(scope="module")
def library() -> Library:
    """Return the packaged library."""
    return Library()


@pytest.mark.parametrize(
    ("text", "names", "same"),
    [
        ("attacker == bearer and melee", {"attacker", "bearer", "melee"}, (("attacker", "bearer"),)),
        ("attacker == bearer or melee", {"attacker", "bearer", "melee"}, ()),
        ("horde(unit) and in_aura(unit)", {"unit", "bearer", "aura", "own_part", "this"}, ()),
        ("remained_stationary(unit)", {"unit", "attacker", "rewarded"}, ()),
        ("some('unit where horde(unit)')", {"context"}, ()),
    ],
)
def test_an_expression_tells_what_it_looks_up(
    text: str, names: set[str], same: tuple[tuple[str, str], ...]
) -> None:
    """The names include those that a function looks up by itself.

    Two names count as the same thing only if they are so in every case.
    """
    expression = LANGUAGE.grammar.expression(text)
    assert (expression.names, expression.same) == (names, same)
