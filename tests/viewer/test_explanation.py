"""`horde scenario explain` and `horde replay explain`: why a decision fell as it did.

The answer gives clauses, candidates, distances, and what failed first.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from datasheets.errors import BadData, UnknownName
from datasheets.library import Library
from datasheets.scenario import parse_scenario
from engine.core.replay import write_replay
from engine.horde.setup import Options
from engine.scenario.run import play
from engine.scenario.stage import Builder
from engine.systems import header_of
from viewer.commands.cast import CAST
from viewer.commands.explanation import explain_replay, explain_scenario
from viewer.commands.template import template

Printed = pytest.CaptureFixture[str]


@pytest.fixture
def replay(tmp_path: Path) -> Path:
    stage = Builder(parse_scenario(template("movement"), "a"), Library(), "a").stage()
    play(stage, CAST)
    path = tmp_path / "a.replay"
    library = Library()
    options = Options((library.army("space-marines-1000"),), ("death-guard",))
    write_replay(path, header_of(options, library), stage.game.lines)
    return path


def test_a_scenario_s_decisions_are_explained(tmp_path: Path, capsys: Printed) -> None:
    path = tmp_path / "a.toml"
    path.write_text(template("movement"))
    explain_scenario(path, as_json=False)
    told = capsys.readouterr().out
    assert "Round 2, movement: mob, move: normal move\n" in told
    # 14 inches between the middles, less two halves of 32 mm; and 19.6 from the model at the top.
    assert "     1. near, 12.7″: chosen\n" in told
    assert "     2. far, 18.3″: farther\n" in told
    assert "   AI.MOVE.1 (ruling ai.move.closest): " in told


def test_who_was_never_asked_says_why_it_had_no_shot(tmp_path: Path, capsys: Printed) -> None:
    path = tmp_path / "far.toml"
    gun = 'weapons = [{ name = "gun", range = 12, A = 1, BS = 4, S = 4, AP = 0, D = 1 }]'
    path.write_text(
        f"""step = "shooting"
board = {{ deployment = "none" }}
unit = [
    {{ id = "h", side = "horde", at = [[10, 10]], {gun} }},
    {{ id = "p", side = "p1", at = [[30, 10]] }},
]
expect = [{{ decision = "no-shot", unit = "h", rejected = {{ p = "out-of-range" }} }}]
""",
        encoding="utf-8",
    )
    explain_scenario(path, as_json=False)
    told = capsys.readouterr().out
    assert told.startswith("Never asked: h, no shot\n   AI.SHOOT.1: None of its guns has a legal target")
    assert "out of its range" in told


def test_a_replay_s_decisions_are_explained_by_unit_and_round(replay: Path, capsys: Printed) -> None:
    explain_replay(replay, "mob", 2, as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert {each["unit"] for each in told} == {"mob"}
    move = next(each for each in told if each["decision"] == "move")
    failed = {c["id"]: c.get("failed") for b in move["because"] for c in b.get("candidates", ())}
    assert failed["far"] == "farther"
    assert move["because"][0]["clause"] == "AI.MOVE.1"


LED = """
[[unit]]
id = "boss"
side = "horde"
at = [[8.5, 22]]
attached_to = "mob"
keywords = ["CHARACTER"]
"""


def test_a_unit_is_found_by_the_name_of_its_leader(tmp_path: Path, capsys: Printed) -> None:
    stage = Builder(parse_scenario(template("movement") + LED, "a"), Library(), "a").stage()
    play(stage, CAST)
    path, library = tmp_path / "a.replay", Library()
    options = Options((library.army("space-marines-1000"),), ("death-guard",))
    write_replay(path, header_of(options, library), stage.game.lines)
    explain_replay(path, "Boss", 2, as_json=False)
    told = capsys.readouterr().out
    assert "Round 2, movement: mob + boss (mob), move: normal move\n" in told
    assert "mob + boss + boss" not in told


def test_the_name_of_a_unit_that_is_led_stands_once_in_a_sentence(tmp_path: Path, capsys: Printed) -> None:
    led = LED.replace('"mob"', '"near"').replace('"horde"', '"p1"').replace("[[8.5, 22]]", "[[25.3, 22]]")
    path = tmp_path / "a.toml"
    path.write_text(template("movement") + led)
    explain_scenario(path, as_json=False)
    assert ": Near + boss is the closest visible enemy" in capsys.readouterr().out


def test_what_is_not_there_is_told(replay: Path) -> None:
    with pytest.raises(UnknownName, match="'mop'; did you mean 'mob'"):
        explain_replay(replay, "mop", None, as_json=False)
    with pytest.raises(BadData, match=r"a\.replay: round 4: nothing is decided in it; choose one of 2"):
        explain_replay(replay, "mob", 4, as_json=False)


def test_a_clause_that_did_not_apply_is_told_with_its_numbers(tmp_path: Path, capsys: Printed) -> None:
    path = tmp_path / "a.toml"
    path.write_text(template("movement"))
    explain_scenario(path, as_json=False)
    told = capsys.readouterr().out
    assert "AI.STAY.1, remain stationary? No: " in told
    assert "AI.ADV.2, advance? No: it might neither shoot nor charge afterwards" in told
    assert "As it decided just before." in told


def test_what_hides_an_enemy_is_named(tmp_path: Path, capsys: Printed) -> None:
    path = tmp_path / "a.toml"
    wall = '[[terrain]]\nkind = "wall"\nfootprint = [[17, 0], [18, 0], [18, 44], [17, 44]]\nheight = 9\n'
    path.write_text(template("movement") + wall)
    explain_scenario(path, as_json=False)
    assert "near, 12.7″: not visible (behind wall " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("thing", "answer"),
    [
        ("far", "AI.MOVE.1: Far, 18.3″: farther; near was chosen, 12.7″."),
        ("FAR", "AI.MOVE.1: Far, 18.3″: farther; near was chosen, 12.7″."),
        ("near", "Near was chosen. AI.MOVE.1: "),
        ("advance", "AI.ADV.2: Advance: it might neither shoot nor charge afterwards."),
        ("remain-stationary", "AI.STAY.1: Remain stationary: "),
        ("fall back", "Fall back was no candidate: nothing asked for it; AI.MOVE.1 settled it: "),
        ("mob", "Mob was chosen. AI.MOVE.1: It is the closest to its own target, 12.7″ away."),
        ("defender-edge", "The Defender's edge was no candidate: AI.MOVE.1 settled it: "),
    ],
)
def test_why_not_is_answered_for_anything(thing: str, answer: str, replay: Path, capsys: Printed) -> None:
    explain_replay(replay, "mob", 2, as_json=False, instead=thing)
    assert f"   {answer}" in capsys.readouterr().out


def test_what_a_unit_did_by_doing_nothing_was_chosen(tmp_path: Path, capsys: Printed) -> None:
    path = tmp_path / "a.toml"
    path.write_text(template("movement").replace('step = "movement"', 'step = ["movement", "charge"]'))
    explain_scenario(path, as_json=False, instead="no-charge")
    assert "No charge was chosen. AI.CHARGE.1: 0 of 3 models fight" in capsys.readouterr().out
    explain_scenario(path, as_json=False, instead="charge")
    told = capsys.readouterr().out
    assert "AI.CHARGE.1: Charge: 0 models fight with better than a close combat weapon, it takes 2." in told


def test_why_not_what_nobody_knows(replay: Path) -> None:
    with pytest.raises(UnknownName, match="no unit, objective or option 'fat'; did you mean 'far'"):
        explain_replay(replay, "mob", 2, as_json=False, instead="fat")


def test_why_not_for_a_machine(replay: Path, capsys: Printed) -> None:
    explain_replay(replay, "mob", 2, as_json=True, instead="far")
    (told,) = json.loads(capsys.readouterr().out)
    assert told["why_not"] == "far"
    assert told["answer"] == ["AI.MOVE.1: Far, 18.3″: farther; near was chosen, 12.7″."]


def test_why_not_tells_why_a_unit_was_never_asked(tmp_path: Path, capsys: Printed) -> None:
    text = template("movement").replace('step = "movement"', 'step = ["movement", "charge"]')
    for near, far in (("[[24, 22]]", "[[58, 40]]"), ("[[10, 43]]", "[[58, 5]]")):
        assert near in text
        text = text.replace(near, far)
    stage = Builder(parse_scenario(text, "a"), Library(), "a").stage()
    play(stage, CAST)
    path, library = tmp_path / "a.replay", Library()
    options = Options((library.army("space-marines-1000"),), ("death-guard",))
    write_replay(path, header_of(options, library), stage.game.lines)
    explain_replay(path, "mob", 2, as_json=False, instead="fall-back")
    assert "Fall back was no candidate: nothing asked for it" in capsys.readouterr().out
    explain_replay(path, "mob", 2, as_json=False, instead="no-charge")
    told = capsys.readouterr().out
    assert told.startswith("Round 2, charge: mob\n   mob is not asked about it in this charge phase: ")
    assert "no enemy is within 12″, the closest is " in told
