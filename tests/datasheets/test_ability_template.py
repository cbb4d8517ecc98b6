"""A record that is like a template has its clauses; each fault is one sentence."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from datasheets.ability_template import expanded, load_templates
from datasheets.errors import BadData
from datasheets.library import Library
from datasheets.record import as_written
from datasheets.rule import Grant, Modify, Rule
from datasheets.rules_file import load_rules
from tests.stand_in import StandIn, stand_in

TEMPLATES = """
[[template]]
id = "bonus"
summary = "Better at something."
parameters = [
  { name = "number", type = "text", among = ["attack.hit-modifier", "attack.wound-modifier"] },
  { name = "by", type = "number", default = 1 },
  { name = "how", type = "text", default = "add" },
  { name = "against", type = "condition", default = "attacker == bearer" },
  { name = "keywords", type = "texts", default = [] },
  { name = "keyword", type = "text", default = "FLY" },
]
[[template.modify]]
number = "{number}"
"{how}" = "{by}"
if = "attacker == bearer and {against} and has(target, '{keyword}')"
[[template.grant]]
for = "keywords"
weapon = "{keywords}"
if = "is_weapon(weapon, {keywords}) and {by} > 0"
[[template.permit]]
question = "any"
if = "among(bearer, {by})"
"""
HEAD = 'name = "Good Shot"\ndatasheets = ["orks/boyz"]\nsummary = "Shoots well."\n'


def templates(folder: Path, text: str = TEMPLATES) -> Any:
    """Return the templates of a file that says this."""
    path = folder / "ability-templates.toml"
    path.write_text(text)
    return load_templates(path)


def rules(folder: Path, record: str, text: str = TEMPLATES) -> tuple[Rule, ...]:
    """Return the rules of a file with a record that has a head, and the templates of another."""
    path = folder / "abilities.toml"
    path.write_text(f"[[rule]]\n{HEAD}{record}\n")
    return load_rules(path, "orks/abilities.toml", templates(folder, text))


def fault(folder: Path, record: str, text: str = TEMPLATES) -> str:
    """Return the fault of a record that is refused."""
    with pytest.raises(BadData) as told:
        rules(folder, record, text)
    assert "\n" not in str(told.value)
    return str(told.value)


def test_values_and_defaults_stand_in_the_places_of_the_template(tmp_path: Path) -> None:
    (rule,) = rules(tmp_path, 'like = "bonus"\nwith = { number = "attack.hit-modifier", by = -2 }')
    condition = "attacker == bearer and (attacker == bearer) and has(target, 'FLY')"
    assert rule.modify == (Modify(number="attack.hit-modifier", add=-2, condition=condition),)
    assert rule.grant == ()
    assert (rule.like, rule.values) == ("bonus", {"number": "attack.hit-modifier", "by": -2})


def test_a_clause_stands_once_for_each_value_of_a_list(tmp_path: Path) -> None:
    said = 'like = "bonus"\nwith = { number = "attack.hit-modifier", keywords = ["heavy", "blast"] }'
    (rule,) = rules(tmp_path, said)
    assert [each.weapon for each in rule.grant] == ["heavy", "blast"]
    assert rule.grant[0].condition == "is_weapon(weapon, heavy) and 1 > 0"
    (rule,) = rules(tmp_path, 'like = "bonus"\nwith = { number = "attack.hit-modifier", keywords = "heavy" }')
    assert [each.weapon for each in rule.grant] == ["heavy"]


def test_a_list_and_a_text_with_an_apostrophe_stand_in_a_condition_as_quoted_texts(tmp_path: Path) -> None:
    text = """
[[template]]
id = "picky"
summary = "Against some."
parameters = [{ name = "names", type = "texts" }, { name = "keyword", type = "text" }]
[[template.grant]]
keyword = "FLY"
if = "is_weapon(weapon, {names}) and has(target, '{keyword}')"
"""
    said = """like = "picky"\nwith = { names = ["axe", "gun"], keyword = "EMPEROR'S CHILDREN" }"""
    (rule,) = rules(tmp_path, said, text)
    condition = """is_weapon(weapon, 'axe', 'gun') and has(target, "EMPEROR'S CHILDREN")"""
    assert rule.grant == (Grant(keyword="FLY", condition=condition),)


def test_a_record_adds_clauses_of_its_own_after_those_of_its_template(tmp_path: Path) -> None:
    said = 'like = "bonus"\nwith = { number = "attack.hit-modifier" }\n[[rule.permit]]\nquestion = "go-on"'
    (rule,) = rules(tmp_path, said)
    assert [each.question for each in rule.permit] == ["any", "go-on"]


def test_the_head_of_an_ability_follows_from_its_name_unless_it_says_otherwise(tmp_path: Path) -> None:
    (rule,) = rules(tmp_path, "no_effect = true")
    assert (rule.id, rule.clause, rule.tags) == ("datasheet/good-shot", "DATASHEET.good-shot", ("datasheet",))
    assert (rule.source, rule.status) == ("orks/boyz", "no effect")
    (rule,) = rules(tmp_path, 'id = "x/y"\nclause = "X.Y"\nsource = "a book"\nreason = "too wild"')
    assert (rule.id, rule.clause, rule.source, rule.status) == ("x/y", "X.Y", "a book", "unmodelled")
    (rule,) = rules(tmp_path, 'needs = "army rule"\nreason = "the army rule is not simulated"')
    assert rule.status == "waiting"


def test_what_is_expanded_is_left_as_it_was(tmp_path: Path) -> None:
    known = templates(tmp_path)
    raw = {
        "name": "X",
        "like": "bonus",
        "with": {"number": "attack.hit-modifier"},
        "permit": [{"question": "a"}],
    }
    before = repr(raw), repr(known)
    expanded(raw, known, "x")
    assert (repr(raw), repr(known)) == before


NUMBER = 'number = "attack.hit-modifier"'


@pytest.mark.parametrize(
    ("record", "told"),
    [
        ('like = "bonsu"', "like: There is no template 'bonsu'; did you mean 'bonus'?"),
        ("like = 3", "like: should be the id of a template, not 3."),
        ('like = "bonus"', "with.number: is missing; the template 'bonus' needs it, a text in \"quotes\"."),
        (
            f'like = "bonus"\nwith = {{ {NUMBER}, agianst = "x" }}',
            "with.agianst: the template 'bonus' has no such parameter; did you mean 'against'?",
        ),
        (
            f'like = "bonus"\nwith = {{ {NUMBER}, zzz = 1 }}',
            "with.zzz: the template 'bonus' has no such parameter; it has 'number', 'by', 'how', 'against', "
            "'keywords', 'keyword'.",
        ),
        (f'like = "bonus"\nwith = {{ {NUMBER}, by = "1" }}', "with.by: should be a number, not '1'."),
        (f'like = "bonus"\nwith = {{ {NUMBER}, by = true }}', "with.by: should be a number, not True."),
        (f'like = "bonus"\nwith = {{ {NUMBER}, by = [1] }}', "with.by: should be a number, not a list."),
        (
            f'like = "bonus"\nwith = {{ {NUMBER}, keywords = [1] }}',
            'with.keywords: should be a text in "quotes", or a list of texts, not a list.',
        ),
        (
            f'like = "bonus"\nwith = {{ {NUMBER}, against = " " }}',
            "with.against: should be a condition that is not empty.",
        ),
        (
            'like = "bonus"\nwith = { number = "attack.luck" }',
            "with.number: should be 'attack.hit-modifier' or 'attack.wound-modifier', not 'attack.luck'.",
        ),
        ('like = "bonus"\nwith = 3', "with: should be parameters with their values, not 3."),
        (
            "with = { by = 1 }",
            "with: only a record that is `like` a template has parameters; name the template in `like`.",
        ),
    ],
)
def test_a_fault_of_a_record_names_its_file_its_key_and_the_mend(
    tmp_path: Path, record: str, told: str
) -> None:
    assert fault(tmp_path, record) == f"orks/abilities.toml, Good Shot: {told}"


def test_a_fault_in_what_comes_of_a_template_names_the_template(tmp_path: Path) -> None:
    said = f'like = "bonus"\nwith = {{ {NUMBER}, how = "adds" }}'
    told = fault(tmp_path, said)
    assert told.startswith(
        "orks/abilities.toml, Good Shot (like bonus): modify.0.adds: this key is not known"
    )


ONE = '[[template]]\nid = "a"\nsummary = "A."\n'
GRANT = '[[template.grant]]\nkeyword = "{word}"\n'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("rule = []", "rule: this key is not known here; a file of templates has [[template]] only."),
        ("[[template", "cannot be read"),
        (ONE, "a template has clauses: modify, grant, forbid, permit, when, instead, offer, call."),
        (ONE + "clauses = {}", "clauses: a template says its clauses by their kind: modify, grant,"),
        (ONE + GRANT, "{word}: no parameter has this name; add it to `parameters`."),
        (
            ONE + 'parameters = [{ name = "word", type = "text" }, { name = "b", type = "text" }]\n' + GRANT,
            "parameters.b: no clause has a place for it; take it out.",
        ),
        (
            ONE + 'parameters = [{ name = "word", type = "text" }]\n' + GRANT + 'for = "word"\n',
            "for: the parameter 'word' is no list; its type should be numbers or texts.",
        ),
        (
            ONE + 'parameters = [{ name = "word", type = "text", default = 3 }]\n' + GRANT,
            "the default of 'word' should be a text in \"quotes\", not 3",
        ),
        (ONE + 'parameters = [{ name = "word", type = "word" }]\n' + GRANT, "parameters.0.type: should be"),
        (
            2 * (ONE + 'parameters = [{ name = "word", type = "text" }]\n' + GRANT),
            "a: two templates have this id; give one another.",
        ),
        (ONE + 'sumary = "A."\n' + GRANT.replace("{word}", "X"), "sumary: this key is not known here"),
    ],
)
def test_a_fault_of_a_template_names_its_key_and_the_mend(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(BadData) as error:
        templates(tmp_path, text)
    assert str(error.value).startswith("ability-templates.toml")
    assert told in str(error.value)


# the records that there are


def records(library: Library) -> list[Rule]:
    """Return the abilities of datasheets."""
    return [rule for rule in library.rules() if rule.datasheets]


def test_each_template_serves_two_records(library: Library) -> None:
    states = [rule for rule in library.rules() if "state" in rule.tags]
    like = Counter(rule.like for rule in (*records(library), *states))
    assert not [each for each in library.templates() if like[each] < 2], "one record alone needs no template"


def test_no_two_records_say_the_same_clauses_but_by_a_template(library: Library) -> None:
    said: dict[str, list[str]] = {}
    for rule in records(library):
        if rule.has_clauses and not rule.like:
            named = ("id", "clause", "name", "source", "summary", "datasheets")
            told = {key: each for key, each in as_written(rule).items() if key not in named}
            said.setdefault(nameless(repr(told), rule), []).append(rule.id)
    assert not [each for each in said.values() if len(each) > 1], "make a template of them"


def nameless(text: str, rule: Rule) -> str:
    """Return what a record says without its own name, which its marks may have."""
    return text.replace(rule.id.rpartition("/")[2], "…")


def test_records_that_are_alike_but_for_their_name_are_found_out() -> None:
    one = Rule(id="a/signum", clause="", name="", source="", summary="", no_effect=True)
    assert nameless("mark(bearer, 'signum')", one) == "mark(bearer, '…')"


def test_no_two_files_have_a_record_of_one_id(library: Library) -> None:
    ids = Counter(rule.id for name in library.rule_files() for rule in library._rules_of(name))
    assert not [each for each in ids if ids[each] > 1], "give one another id and clause"


# where they lie


@pytest.fixture
def data(tmp_path: Path) -> StandIn:
    """Return a copy of all data."""
    return stand_in(tmp_path)


def test_a_faction_s_folder_is_for_its_own_datasheets(data: StandIn) -> None:
    path = data.path("factions/tyranids/more.toml")
    path.write_text(f"[[rule]]\n{HEAD}no_effect = true\n")
    told = r"tyranids/more\.toml: datasheet/good-shot: datasheets: 'orks/boyz' is of another faction; write"
    with pytest.raises(BadData, match=told):
        data.library().rules()
    head = 'id = "x"\nclause = "X.1"\nname = "X"\nsource = ""\nsummary = ""\n'
    path.write_text(f"[[rule]]\n{head}no_effect = true\n")
    with pytest.raises(BadData, match=r"tyranids/more\.toml: x: datasheets: name the datasheets that have"):
        data.library().rules()


def test_any_file_of_a_folder_is_read(data: StandIn) -> None:
    data.path("factions/orks").mkdir()
    data.path("factions/orks/walkers.toml").write_text(f"[[rule]]\n{HEAD}no_effect = true\n")
    library = data.library()
    assert "datasheet/good-shot" in {rule.id for rule in library.rules(("orks",))}
    assert "datasheet/good-shot" not in {rule.id for rule in library.rules(("tyranids",))}
    # The rules of an army whose datasheets nobody fields are read without their abilities.
    assert "datasheet/good-shot" not in {rule.id for rule in library.rules(("orks",), ("tyranids",))}
