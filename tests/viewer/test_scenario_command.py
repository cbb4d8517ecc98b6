"""`horde scenario run`: its output, its exit codes, and a clear sentence for each bad file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from viewer import cli
from viewer.commands.scenario_command import LONG

GOOD = """
title = "A model stands where it is put"
rules = ["CORE.MOVE.4"]
board = { deployment = "none" }
[[unit]]
id = "h"
side = "horde"
at = [[5, 5]]
[[expect]]
that = "models('h') == 1 and on_board('h')"
"""
WRONG = GOOD.replace("models('h') == 1", "models('h') == 2")
PLAYER = """
[[unit]]
id = "p"
side = "p1"
at = [[30, 10]]
"""
BUS = "transport = { capacity = 2 }\n"
RIDES = """
[[unit]]
id = "r"
side = "p1"
models = 3
embarked_in = "BUS"
transport = { capacity = 2 }
"""
WEAPON = 'weapons = [{ name = "gun", range = 24, BS = 3, keywords = ["teleporting"] }]'
SPAWN = '[[spawn]]\nzone = "S1"\nunit = "p"\n'
GUN = 'weapons = [{ name = "gun", range = 24, A = 1, BS = 3 }]'
KEYWORD = 'weapons = [{ name = "gun", range = 24, BS = 3, keywords = ["WORD"] }]'
LEADER = '[[unit]]\nid = "l"\nside = "p1"\nattached_to = "p"\n'
BAD = {
    "firefight": ('ruleset = "firefight"' + GOOD, "ruleset", "not simulated yet"),
    "unknown ruleset": ('ruleset = "horde-9"' + GOOD, "ruleset", "no ruleset 'horde-9'"),
    "unknown key": ("frobnicate = 1" + GOOD, "frobnicate", "not known"),
    "line": (
        GOOD + '[[terrain]]\nkind = "ruin"\nfootprint = [[0, 0], [1, 1], [2, 2]]',
        "terrain.0",
        "no area",
    ),
    "knot": (
        GOOD + '[[terrain]]\nkind = "ruin"\nfootprint = [[0, 0], [4, 4], [4, 0], [0, 5]]',
        "terrain.0.footprint",
        "crosses itself",
    ),
    "walls": (
        GOOD + '[[terrain]]\nkind = "hill"\nfootprint = [[10, 10], [14, 10], [14, 14]]\n'
        "walls = [[[10, 10], [14, 10]]]",
        "terrain.0.walls",
        "only a ruin",
    ),
    "solid": (
        GOOD + '[[terrain]]\nkind = "ruin"\nfootprint = [[10, 10], [14, 10], [14, 14]]\n'
        "walls = [[[10, 10], [14, 10]]]\nsolid = true",
        "terrain.0.solid",
        "not known",
    ),
    "floors": (
        GOOD + '[[terrain]]\nkind = "ruin"\nfootprint = [[10, 10], [14, 10], [14, 14]]\nfloors = [0]',
        "terrain.0.floors",
        "above the ground",
    ),
    "no number": (GOOD.replace("5, 5", "nan, 5"), "unit.0.at", "finite"),
    "twice": (GOOD + PLAYER.replace('"p"', '"h"'), "unit.1.id", "stands twice"),
    "nowhere": (GOOD.replace("at = [[5, 5]]\n", ""), "unit.0.at", "say where it stands"),
    "spawning twice": (
        GOOD + PLAYER.replace("p1", "horde").replace("at = [[30, 10]]\n", "") + 2 * SPAWN,
        "spawn.1.unit",
        "spawns twice",
    ),
    "spawning leader": (
        GOOD + PLAYER.replace("p1", "horde").replace("at = [[30, 10]]", 'attached_to = "h"') + SPAWN,
        "spawn.0.unit",
        "name 'h'",
    ),
    "power": (GOOD + '[[expect]]\nthat = "9 ** 99 > 1"', "expect.1.that", "a power may be 0.5, 2, 3"),
    "riding": (GOOD + PLAYER + 'embarked_in = "h"', "unit.1.embarked_in", "is no transport"),
    "riding nowhere": (GOOD + PLAYER + 'embarked_in = "bus"', "unit.1.embarked_in", "no unit 'bus'"),
    "step": ('step = "moving"' + GOOD, "step", "no step 'moving'"),
    "card": ('active = ["MISERY.99"]' + GOOD, "active.0", "MISERY.99"),
    "ruling": ('rulings = { "sight.models_block" = "perhaps" }' + GOOD, "rulings", "it may be false"),
    "no ruling": ('rulings = { "ai.move.close" = true }' + GOOD, "rulings.ai.move.close", "ai.move.closest"),
    "state": (GOOD + PLAYER + 'state = ["flying"]', "unit.1.state", "flying"),
    "ability": (GOOD + PLAYER + 'abilities = ["teleport"]', "unit.1.abilities", "not simulated yet"),
    "weapon ability": (GOOD + PLAYER + WEAPON, "unit.1.weapons.0", "not simulated yet"),
    "nobody": (GOOD + "[[expect]]\nthat = \"distance('h', 'zz') < 3\"", "expect.1.that", "'zz'"),
    "import": (GOOD + "[[expect]]\nthat = \"__import__('os')\"", "expect.1.that", "__import__"),
    "event": (GOOD + '[[expect]]\nevent = "moved"\ncolour = 3', "expect.1.colour", "colour"),
    "no event": (GOOD + '[[expect]]\nevent = "sneezed"', "expect.1.event", "sneezed"),
    "no expectation": ('title = "nothing"', "expect", "missing"),
    "datasheet": (GOOD + PLAYER + 'datasheet = "space-marines/intercessors"', "", "intercessor-squad"),
    "spawning zone": (
        'step = "spawn"' + GOOD.replace("at = [[5, 5]]\n", "") + '[[spawn]]\nzone = "S9"\nunit = "h"',
        "spawn.0.zone",
        "S9",
    ),
    "no toml": ("not toml", "", "TOML"),
    "near key": (GOOD + PLAYER + 'keyword = ["FLY"]', "unit.1.keyword", "did you mean 'keywords'"),
    "no list": (GOOD + "[[expect]]\nillegal = 4", "expect.1.illegal", "a list in [brackets]"),
    "short list": (GOOD.replace("{ dep", "{ size = [60], dep"), "board.size.1", "a value is missing"),
    "deployment": (GOOD.replace('"none"', '"dawn"'), "board.deployment", "dawn-of-war"),
    "marker": (GOOD + '[[marker]]\nkind = "mine"\nat = [5, 5]', "marker.0.kind", "did you mean 'minefield'"),
    "decision": (
        GOOD + '[[expect]]\ndecision = "normal move"\ncount = 0',
        "expect.1.decision",
        "did you mean 'normal-move'",
    ),
    "arguments": (GOOD + "[[expect]]\nthat = \"distance('h') < 3\"", "expect.1.that", "distance(a, b)"),
    "place": (
        GOOD + "[[expect]]\nthat = \"may_stand('h', 36)\"",
        "expect.1.that",
        "[x, y] or [x, y, height]",
    ),
    "model": (GOOD + "[[expect]]\nthat = \"position('h', 4)[0] < 3\"", "expect.1.that", "models 0 to 0"),
    "too deep": ("x = " + "[" * 5000 + "]" * 5000, "", "nested too deeply"),
    "too deep a key": (".".join("a" * 50_000) + " = 1", "", "nested too deeply"),
    "too deep a sum": (GOOD + f"[[expect]]\nthat = '{'1+' * 900}1'", "expect.1.that", "nested too deeply"),
    "too long a sum": (GOOD + f"[[expect]]\nthat = '{'1+' * 9000}1'", "expect.1.that", "are the most"),
    "a date": ("act = 1979-05-27\n" + GOOD, "act", 'a text in "quotes"'),
    "no place": (GOOD.replace("[[5, 5]]", "[]"), "unit.0", "has no place"),
    "off the battlefield": (
        'step = "movement"\n' + GOOD.replace("5, 5", "5, -5"),
        "unit.0.at",
        "[5, -5] lies off the battlefield",
    ),
    "no die": (GOOD + "[dice]\nhit = [0]", "dice.hit.0", "greater than or equal to 1"),
    "characteristic": (GOOD + PLAYER + "characteristics = { Sp = 4 }", "unit.1.characteristics.Sp", "'Sp'"),
    "no wounds": (GOOD + PLAYER + "characteristics = { W = 0 }", "unit.1.characteristics.W", "1 to 999"),
    "no amount": (GOOD + PLAYER + GUN.replace("A = 1", 'A = "xD6"'), "unit.1.weapons.0.A", "no amount"),
    "melta": (GOOD + PLAYER + KEYWORD.replace("WORD", "melta"), "unit.1.weapons.0.keywords", "'melta 2'"),
    "anti": (GOOD + PLAYER + KEYWORD.replace("WORD", "anti-tank"), "unit.1.weapons.0", "'anti-infantry 4+'"),
    "assaulting": (
        GOOD + PLAYER + KEYWORD.replace("WORD", "assaulting"),
        "unit.1.weapons.0",
        "not simulated",
    ),
    "no number of wounds": (GOOD + PLAYER + 'abilities = ["feel-no-pain"]', "unit.1.abilities", "5+"),
    "weapons of nothing": (GOOD + PLAYER + 'weapons_of = [["gun"]]', "unit.1.weapons_of", "say weapons too"),
    "leads itself": (GOOD + PLAYER + 'attached_to = "p"', "unit.1.attached_to", "cannot be led"),
    "leads the enemy": (GOOD + PLAYER + 'attached_to = "h"', "unit.1.attached_to", "of its own side"),
    "no front": (
        GOOD + '[[zone]]\nid = "S"\nkind = "spawn"\npolygon = [[0, 34], [9, 34], [9, 44]]\nfront = [[0, 34]]',
        "zone.0.front",
        "two points",
    ),
    "nobody's event": (GOOD + '[[expect]]\nevent = "moved"\nunit = "q"\ncount = 0', "expect.1.unit", "'q'"),
    "over the edge": (
        'step = "movement"\n' + GOOD.replace("5, 5", "5, 0.6"),
        "unit.0.at",
        "model 0 at [5, 0.6] is over the board's edge",
    ),
    "a marker's name": (GOOD + '[[objective]]\nid = "h"\nat = [9, 9]', "objective.0.id", "a unit's id"),
    "both players": (GOOD + PLAYER.replace("p1", "players"), "unit.1.side", "p1, p2"),
    "no datasheet": (GOOD + PLAYER + 'datasheet = "orcs/boyz"', "unit.1.datasheet", "'orcs/boyz'"),
    "too many wounds": (GOOD + PLAYER + "wounds_lost = 2", "unit.1.wounds_lost", "cannot have lost 2"),
    "rides itself": (GOOD + RIDES.replace("BUS", "r"), "unit.1.embarked_in", "another unit"),
    "rides the enemy's": (
        GOOD.replace("at = [[", BUS + "at = [[") + RIDES.replace("BUS", "h"),
        "unit.1.embarked_in",
        "its own side",
    ),
    "full": (GOOD + PLAYER + BUS + RIDES.replace("BUS", "p"), "unit.2.embarked_in", "2 models, not 3"),
    "no purchase": (GOOD + '[[answer]]\nbuy = "BUY.air-stike"', "answer.0.buy", "'BUY.air-strike'"),
    "far": (GOOD + PLAYER + GUN.replace("24", '"far"'), "unit.1.weapons.0.range", "or \"melee\", not 'far'"),
    "no step": ('step = "idle"' + GOOD, "step", "start-of-round, spawn,"),
    "thousands": (GOOD.replace("[[5, 5]]", "[5, 5]\nmodels = 5000"), "unit.0.models", "equal to 1000"),
    "no room": (
        GOOD.replace("[[5, 5]]", '[5, 5]\nmodels = 400\nbase = { shape = "round", mm = [160] }'),
        "unit.0.models",
        "the board has room for",
    ),
    "too many": (
        GOOD + PLAYER.replace("[[30, 10]]", "[30, 10]") + 'datasheet = "tyranids/termagants"\nmodels = 21',
        "unit.1.models",
        "10 to 20 models, not 21",
    ),
    "no wargear": (
        GOOD + PLAYER + 'datasheet = "space-marines/captain"\nwargear = { "Big gun" = 1 }',
        "unit.1.wargear",
        "'Big gun'",
    ),
    "below the table": (GOOD.replace("5, 5", "5, 5, -3"), "unit.0.at.0", "no lower than the table"),
    "too many numbers": (GOOD.replace("5, 5", "5, 5, 0, 3"), "unit.0.at.0", "more values than it may"),
    "no table": (GOOD + '[[answer]]\nrule = "CORE.STR.8"\nchoose = "h"', "answer.0.choose", "{braces}"),
    "a leader elsewhere": (
        GOOD + PLAYER + LEADER + 'state = ["in-reserves"]',
        "unit.2.attached_to",
        "it is where 'p' is that it leads",
    ),
    "nobody's points": ("cp = { horde = 2 }" + GOOD, "cp.horde", "p1, p2"),
    "one equals sign": (GOOD + "[[expect]]\nthat = \"models('h') = 1\"", "expect.1.that", "compare with =="),
}


class Done:
    """What a run left."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def scenario_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Any:
    def run(*words: str, **files: str) -> Done:
        for name, text in files.items():
            (tmp_path / f"{name}.toml").write_text(text)
        monkeypatch.setattr("sys.argv", ["horde", "scenario", "run", *words, str(tmp_path)])
        with pytest.raises(SystemExit) as end:
            cli.main()
        done = capsys.readouterr()
        return Done(int(end.value.code or 0), done.out, done.err)

    return run


def test_all_hold(scenario_run: Any) -> None:
    done = scenario_run("--transform", "all", one=GOOD, two=GOOD)
    assert done.code == 0
    assert "2 of 2 scenarios hold" in done.out


def test_what_does_not_hold_is_told(scenario_run: Any) -> None:
    done = scenario_run(one=GOOD, two=WRONG)
    assert done.code == 1
    assert "models('h') == 2" in done.out
    assert "1 of 2 scenarios hold" in done.out


def test_a_machine_may_read_it(scenario_run: Any) -> None:
    done = scenario_run("--json", one=GOOD, two=WRONG)
    told = json.loads(done.out)
    assert [each["holds"] for each in told["scenarios"]] == [True, False]
    assert done.code == 1


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_told_with_path_and_key(scenario_run: Any, name: str) -> None:
    """S.ROB1, and what is not simulated yet."""
    text, key, said = BAD[name]
    done = scenario_run(bad=text)
    assert done.code == 2
    assert "bad.toml" in done.err
    assert key in done.err
    assert said in done.err
    assert done.err.count("\n") == 1


def test_a_bad_file_does_not_hide_the_others(scenario_run: Any) -> None:
    done = scenario_run(bad="not toml", good=GOOD)
    assert done.code == 2
    assert "holds" in done.out


@pytest.mark.rule("S.DET1")
def test_two_workers_tell_what_one_tells(scenario_run: Any, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        for i in range(5):
            (tmp_path / folder / f"{i}.toml").write_text(WRONG if i == 3 else "not toml" if i == 4 else GOOD)
    one, two = scenario_run("--workers", "1"), scenario_run("--workers", "2")
    assert (one.code, one.out, one.err) == (two.code, two.out, two.err)
    assert one.code == 2
    assert one.out.count("\nholds") + one.out.startswith("holds") == 6
    assert one.out.endswith("6 of 10 scenarios hold, 2 do not, 2 cannot be read or played.\n")
    assert f"{tmp_path / 'a'}  3 of 5 hold\n" in one.out


def test_of_many_files_those_that_do_not_hold_are_named_at_the_end(scenario_run: Any) -> None:
    done = scenario_run(wrong=WRONG, **{f"good{i}": GOOD for i in range(LONG)})
    assert done.out.splitlines()[-2].startswith("does not hold: ")
    assert done.out.splitlines()[-2].endswith("wrong.toml")


@pytest.mark.parametrize(("workers", "said"), [("0", "0 workers"), ("some", "'some' is no number of")])
def test_workers_that_cannot_be_are_refused(scenario_run: Any, workers: str, said: str) -> None:
    done = scenario_run("--workers", workers, one=GOOD)
    assert done.code == 2
    assert said in done.err
    assert done.err.count("\n") == 1


def test_an_unknown_transform_is_refused(scenario_run: Any) -> None:
    done = scenario_run("--transform", "twist", one=GOOD)
    assert done.code == 2
    assert "twist" in done.err


@pytest.mark.parametrize(("dice", "said"), [([1, 2], "never rolled"), ([], "used up")])
def test_scripted_dice_are_used_up_exactly(scenario_run: Any, dice: list[int], said: str) -> None:
    text = GOOD.replace("board =", 'step = "movement"\nboard =') + f"[dice]\nadvance = {dice}"
    done = scenario_run(one=text)
    assert done.code == 1
    assert said in done.out


def test_a_misspelt_kind_of_dice_is_told_with_what_may_be_meant(scenario_run: Any) -> None:
    done = scenario_run(one=GOOD + "[dice]\nadvanced = [1]")
    assert done.code == 1
    assert "'advanced' were never rolled: 'advance' may be meant" in done.out


def test_an_answer_that_is_refused_unasked_for_is_told(scenario_run: Any) -> None:
    text = GOOD.replace("board =", 'step = "movement"\nside = "players"\nboard =') + PLAYER
    text += '[[answer]]\nunit = "p"\ndecision = "normal-move"\nto = [[40, 10]]'
    done = scenario_run(one=text)
    assert done.code == 1
    assert "was refused" in done.out


def test_of_the_events_found_those_are_told_that_are_nearest_to_the_expected_one(scenario_run: Any) -> None:
    gun = f"{PLAYER}{GUN.replace('24', '48')}\n[dice]\nhit = [4]\nwound = [1]\n"
    text = 'side = "players"\nstep = "shooting"\n' + GOOD + gun
    text += '[[answer]]\nunit = "p"\ndecision = "shoot"\ntargets = ["h"]\n'
    text += '[[expect]]\nevent = "rolled"\nroll = "hit"\nneed = 5\n'
    done = scenario_run(one=text)
    assert done.code == 1
    assert "0 found; 2 'rolled' in all, the 1 nearest of them: {" in done.out
    assert "'roll': 'hit'" in done.out
    assert "trail" not in done.out


def test_the_scenario_of_the_readme_holds(scenario_run: Any) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    text = next(block for block in readme.split("```toml\n") if block.startswith("title ="))
    done = scenario_run("--transform", "all", one=text.split("```")[0])
    assert done.code == 0, done.out + done.err
