"""Each switch of a clause fits the project, and the tests notice a sample of them."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
SCRIPTS = ROOT / "scripts"
SCRIPT = SCRIPTS / "switch_off.py"

MODULE = '''
"""Opens with a sentence."""
LIMIT: float = 2.0

class Gun:
    reach = 24

    def hits(self, dice, bonus):
        if self.reach > 12 and bonus:
            dice = [die + 1 for die in dice]
        else:
            dice = list(dice)
        if self.reach > 12:
            return max(0, *dice)  # the best
        return sum(die >= 4 for die in dice)
'''

RECORDS = """
[[rule]]
id = "stratagem/grenade"
[[rule.offer]]
on = "unit where own(unit, seat) and not engaged(unit)"
price = 1
do = ["throw(foe, 6)"]
"""

GOOD = """
clause = "CORE.TRN.4"
at = "datasheets.errors:unknown"
expr = "each.rsplit('/', 1)"
by = "False"
"""
DATA = 'clause = "CORE.STR.5"\nrecord = "assets/rules/stratagems.toml"\n'
PRICE = 'key = "rule[stratagem/grenade].offer[0].price"'

REFUSALS = {
    "no module": (
        GOOD.replace("errors:", "error:"),
        "at: there is no module datasheets.error; unknown stands in datasheets.errors.",
    ),
    "no colon": (GOOD.replace(":unknown", ".unknown"), "at: say a module and a name in it"),
    "no function": (
        GOOD.replace(":unknown", ":unknowns"),
        "at: there is no unknowns in datasheets.errors; did you mean unknown?",
    ),
    "a function that was a method": (
        GOOD.replace(":unknown", ":Names.unknown"),
        "at: there is no Names.unknown in datasheets.errors; did you mean unknown?",
    ),
    "a function of another module": (
        GOOD.replace(":unknown", ":Library.rules"),
        "at: there is no Library.rules in datasheets.errors; Library stands in datasheets.library.",
    ),
    "an imported function": (
        GOOD.replace("errors:", "library:"),
        "at: there is no unknown in datasheets.library; unknown stands in datasheets.errors.",
    ),
    "no such expression": (
        GOOD.replace("1)", "2)"),
        "`each.rsplit('/', 2)` does not stand in datasheets.errors:unknown; nearest is `each.rsplit('/', 1)`",
    ),
    "an expression of another function": (
        GOOD.replace(":unknown", ":_listed"),
        "expr: `each.rsplit('/', 1)` does not stand in datasheets.errors:_listed; it stands in unknown.",
    ),
    "several times": (
        GOOD.replace("each.rsplit('/', 1)", "get_close_matches"),
        "expr: `get_close_matches` stands 2 times in datasheets.errors:unknown; say which with nth, 1 to 2.",
    ),
    "the third of two": (
        GOOD.replace("each.rsplit('/', 1)", "get_close_matches") + "nth = 3",
        "nth: `get_close_matches` stands 2 times in datasheets.errors:unknown; say which with nth, 1 to 2.",
    ),
    "the second of one": (
        f"{GOOD}nth = 2",
        "nth: `each.rsplit('/', 1)` stands once in datasheets.errors:unknown",
    ),
    "broken code": (GOOD.replace("1)", ""), "expr: `each.rsplit('/', ` is no statement ("),
    "broken by": (GOOD.replace('"False"', '"return )"'), "by: `return )` is no statement (unmatched"),
    "the same": (
        GOOD.replace('"False"', "\"(each.rsplit(\\n'/', 1))\""),
        "by: is the code that stands there already.",
    ),
    "an unknown name": (
        GOOD.replace('"False"', '"len(neer) <= 6"'),
        "by: there is no name neer in that place; did you mean near?",
    ),
    "an unknown attribute": (
        GOOD.replace('"False"', '"names.knobz_of_old"'),
        "by: nothing in the project is called .knobz_of_old",
    ),
    "text": (
        'clause = "A"\nfile = "a.py"\nold = "1"\nnew = "2"',
        "file: a switch has no file; say at, expr and by",
    ),
    "no by": (GOOD.replace('by = "False"', ""), "by: say either by or drop = true."),
    "no entry to drop": (
        GOOD.replace('by = "False"', "drop = true"),
        "drop: `each.rsplit('/', 1)` is no entry of a tuple, list or set and no argument; say by.",
    ),
    "no place": ('clause = "A"\nby = "2"', "at: say either at, for code, or record, for data."),
    "no clause": (GOOD.replace('clause = "CORE.TRN.4"', ""), "clause: say which clause is left out."),
    "no file": (f"{DATA.replace('rules/', 'rule/')}{PRICE}\nby = 2", "record: there is no file assets/rule/"),
    "no record": (
        f"{DATA}{PRICE.replace('grenade', 'granade')}\nby = 2",
        "key: 0 entries of rule have the id stratagem/granade; did you mean stratagem/grenade?",
    ),
    "no key": (
        f"{DATA}{PRICE.replace('price', 'prize')}\nby = 2",
        "key: there is no prize in rule[stratagem/grenade].offer[0]; did you mean price?",
    ),
    "no such entry": (
        f"{DATA}{PRICE.replace('[0]', '[3]')}\nby = 2",
        "key: rule[stratagem/grenade].offer has 1 entries; there is no [3].",
    ),
    "the same value": (
        f"{DATA}{PRICE}\nby = 1",
        "by: is the value that rule[stratagem/grenade].offer[0].price has",
    ),
}


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


@pytest.fixture(autouse=True)
def scripts_on_the_path(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(SCRIPTS)
    yield
    for name in [name for name in sys.modules if name.startswith("switch")]:
        del sys.modules[name]


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return what is said of each switch that does not fit."""
    folder = tmp_path_factory.mktemp("switches")
    said = "".join(f"[[switch]]\n{switch}\n" for switch, _ in REFUSALS.values())
    (folder / "some.toml").write_text(said, encoding="utf-8")
    done = run("--folder", str(folder), "--list-unfit")
    assert done.returncode == 2, done.stderr
    assert done.stdout == f"0 switches fit, {len(REFUSALS)} do not.\n"
    lines = done.stderr.splitlines()
    return dict(zip(REFUSALS, lines, strict=True))


def changed(at: str, expr: str, by: str = "", nth: int = 0, drop: bool = False) -> str:
    code = importlib.import_module("switch_code")
    text = code.changed(MODULE, code.Change(f"guns:{at}", expr, by, nth, drop))
    assert isinstance(text, str)
    return text


def names_of(text: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(text, names)
    return names


def changed_data(name: str, text: str, key: str, by: Any = None, **change: Any) -> str:
    code, data = importlib.import_module("switch_code"), importlib.import_module("switch_data")
    expr = change.get("expr", "")
    said = code.Change("", expr, by if expr else "", 0, change.get("drop", False))
    written = data.changed(text, name, key, by, said)
    assert isinstance(written, str)
    return written


@pytest.mark.parametrize(("clauses", "code"), [("CORE.TRN.4", 0), ("ARMY.8", 0)])
def test_a_clause_that_is_left_out_is_noticed(clauses: str, code: int) -> None:
    done = run("--clauses", clauses)
    assert done.returncode == code, done.stdout + done.stderr
    assert " 0 survive, 0 without a switch" in done.stdout


def test_all_switches_fit_the_project() -> None:
    done = run("--list-unfit")
    assert done.returncode == 0, done.stderr
    assert " switches fit, 0 do not." in done.stdout


@pytest.mark.parametrize("case", REFUSALS)
def test_a_switch_that_does_not_fit_is_refused(case: str, refused: dict[str, str]) -> None:
    place = f"some.toml: switch.{list(REFUSALS).index(case)}."
    assert place in refused[case]
    assert REFUSALS[case][1] in refused[case]


def test_a_switch_that_does_not_fit_stops_the_trial(tmp_path: Path) -> None:
    (tmp_path / "some.toml").write_text(f"[[switch]]\n{REFUSALS['no function'][0]}\n", encoding="utf-8")
    done = run("--folder", str(tmp_path))
    assert done.returncode == 2
    assert "some.toml: switch.0.at: there is no unknowns in " in done.stderr
    assert not done.stdout


def test_quotes_brackets_and_line_breaks_do_not_matter() -> None:
    gun = names_of(changed("Gun.hits", "sum((die>=4)\n  for die in (dice))", "len(dice)"))["Gun"]
    gun.reach = 6
    assert gun().hits([1, 2, 6], False) == 3


def test_nth_says_which_of_several() -> None:
    assert names_of(changed("Gun.hits", "self.reach > 12", "False", nth=1))["Gun"]().hits([1, 3], True) == 3
    assert names_of(changed("Gun.hits", "self.reach > 12", "False", nth=2))["Gun"]().hits([1, 3], True) == 1


def test_a_head_keeps_its_body_and_its_else() -> None:
    hits = names_of(changed("Gun.hits", "if self.reach > 12 and bonus:", "if not bonus:"))["Gun"]().hits
    assert (hits([1], False), hits([1], True)) == (2, 1)


def test_statements_give_way_to_statements() -> None:
    text = changed("Gun.hits", "dice = [die + 1 for die in dice]", "dice = dice[1:]\ndice.append(7)")
    assert names_of(text)["Gun"]().hits([9, 1], True) == 7


def test_an_entry_is_dropped() -> None:
    assert "return max(*dice)" in changed("Gun.hits", "0", drop=True)


def test_without_an_expression_the_body_or_the_value_gives_way() -> None:
    assert names_of(changed("Gun.hits", "", "return bonus"))["Gun"]().hits([], 5) == 5
    assert names_of(changed("LIMIT", "", "3.5"))["LIMIT"] == 3.5
    assert names_of(changed("Gun.reach", "", "6"))["Gun"].reach == 6


def test_a_value_of_a_record_is_changed() -> None:
    key = "rule[stratagem/grenade].offer[price=1].price"
    wanted = tomllib.loads(RECORDS)
    wanted["rule"][0]["offer"][0]["price"] = 2
    assert tomllib.loads(changed_data("a.toml", RECORDS, key, 2)) == wanted


def test_an_expression_in_a_selector_of_a_record_is_changed() -> None:
    key = "rule[stratagem/grenade].offer[0].on"
    done = tomllib.loads(changed_data("a.toml", RECORDS, key, "True", expr="not engaged( unit )"))
    assert done["rule"][0]["offer"][0]["on"] == "unit where own(unit, seat) and True"


def test_a_key_or_a_record_is_dropped() -> None:
    key = "rule[stratagem/grenade]"
    done = tomllib.loads(changed_data("a.toml", RECORDS, f"{key}.offer[0].do", drop=True))
    assert set(done["rule"][0]["offer"][0]) == {"on", "price"}
    assert tomllib.loads(changed_data("a.toml", RECORDS, key, drop=True)) == {"rule": []}


def test_a_file_of_json_is_changed_too() -> None:
    assert json.loads(changed_data("a.json", '{"cards": [{"id": "a", "sp": 1}]}', "cards[a].sp", 3)) == {
        "cards": [{"id": "a", "sp": 3}]
    }
