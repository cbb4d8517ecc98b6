"""`horde scenario explain` and `horde replay explain`: clauses, candidates, distances, what failed first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from datasheets.errors import BadData, UnknownName
from datasheets.library import Library
from datasheets.scenario import parse_scenario
from engine.replay import write_replay
from engine.scenario.play import play
from engine.scenario.stage import Builder
from viewer.explanation import explain_replay, explain_scenario
from viewer.scenario_command import CAST
from viewer.template import template

Printed = pytest.CaptureFixture[str]


@pytest.fixture
def replay(tmp_path: Path) -> Path:
    stage = Builder(parse_scenario(template("movement"), "a"), Library(), "a").stage()
    play(stage, CAST)
    path = tmp_path / "a.replay"
    write_replay(path, {"ruleset": "horde-1.1"}, stage.game.lines)
    return path


def test_a_scenario_s_decisions_are_explained(tmp_path: Path, capsys: Printed) -> None:
    path = tmp_path / "a.toml"
    path.write_text(template("movement"))
    explain_scenario(path, as_json=False)
    told = capsys.readouterr().out
    assert "Round 2, movement: mob, move\n" in told
    # 14 inches between the middles, less two halves of 32 mm; and 19.6 from the model at the top.
    assert "     near, 12.7″: chosen\n" in told
    assert "     far, 18.3″: farther\n" in told
    assert "   AI.MOVE.1 (ruling ai.move.closest): " in told


def test_a_replay_s_decisions_are_explained_by_unit_and_round(replay: Path, capsys: Printed) -> None:
    explain_replay(replay, "mob", 2, as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert {each["unit"] for each in told} == {"mob"}
    move = next(each for each in told if each["decision"] == "move")
    failed = {c["id"]: c.get("failed") for b in move["because"] for c in b.get("candidates", ())}
    assert failed["far"] == "farther"
    assert move["because"][0]["clause"] == "AI.MOVE.1"


def test_what_is_not_there_is_told(replay: Path) -> None:
    with pytest.raises(UnknownName, match="'mop'; did you mean 'mob'"):
        explain_replay(replay, "mop", None, as_json=False)
    with pytest.raises(BadData, match=r"a\.replay: round 4: nothing is decided in it; choose one of 2"):
        explain_replay(replay, "mob", 4, as_json=False)
