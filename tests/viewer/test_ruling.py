"""`horde rules rulings` and `--ruling`: all settings, and a clear sentence for a wrong one."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from engine.core.settings import Setting, UnknownRuling
from engine.horde.all_settings import SETTINGS
from viewer.commands.options import rulings_of
from viewer.story.ruling_words import rulings

ROOT = Path(__file__).parents[2]


def test_every_setting_is_listed_with_its_readings(capsys: pytest.CaptureFixture[str]) -> None:
    rulings("", as_json=False)
    out = capsys.readouterr().out
    for each in SETTINGS:
        part = out.split(f"{each.key} ({each.ruling}): ")[1].split("\n")
        told = [line.split()[0] for line in part[1 : 1 + len(each.values)]]
        assert told == list(each.values)
        assert part[1].endswith("(default)")


def test_a_machine_may_read_them(capsys: pytest.CaptureFixture[str]) -> None:
    rulings("", as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert [each["key"] for each in told] == sorted(each.key for each in SETTINGS)
    sight = next(each for each in told if each["key"] == "sight.models_block")
    assert (sight["ruling"], sight["default"], sight["alternatives"]) == ("S.L21", "false", ["true"])


def test_one_is_told_by_its_key_or_its_ruling_s_id(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("sight.models_block", "s.l21"):
        rulings(name, as_json=False)
        out = capsys.readouterr().out
        assert out.startswith("sight.models_block (S.L21)")
        assert out.count("(default)") == 1


def test_every_setting_that_a_reason_names_is_listed() -> None:
    named = {
        key
        for path in sorted((ROOT / "ai").rglob("*.py"))
        for key in re.findall(r"ruling=\"([a-z]+\.[a-z._]+)\"", path.read_text())
    }
    assert named
    assert named <= {each.key for each in SETTINGS}


def test_a_reading_is_kept_as_the_setting_spells_it() -> None:
    assert SETTINGS.readings({"sight.models_block": True, "spawn.aircraft": True}) == {
        "sight.models_block": "true",
        "spawn.aircraft": "yes",
    }
    assert SETTINGS.reading("spawn.leader_on_downgrade", "No") == "no"
    assert rulings_of(["S.L21=TRUE"]) == (("sight.models_block", "true"),)


def test_a_wrong_key_names_every_key() -> None:
    with pytest.raises(UnknownRuling) as fault:
        rulings_of(["sight.models=true"])
    assert "'sight.models'" in str(fault.value)
    assert all(each.key in str(fault.value) for each in SETTINGS)


@pytest.mark.parametrize("setting", tuple(SETTINGS), ids=lambda each: each.key)
def test_a_wrong_value_names_the_key_and_what_may_be_said(setting: Setting) -> None:
    with pytest.raises(UnknownRuling) as fault:
        rulings_of([f"{setting.key}=perhaps"])
    assert str(fault.value).startswith(f"Ruling '{setting.key}' cannot be 'perhaps'; it may be ")
    assert all(value in str(fault.value) for value in setting.values)


def test_a_share_may_be_any_number_from_nothing_on() -> None:
    """R.A23: the rules name a default, and any other share may be asked for."""
    kept = SETTINGS.readings({"ai.move.stationary_gain": 0.05})
    assert kept == {"ai.move.stationary_gain": "0.05"}
    assert SETTINGS.reading("ai.move.stationary_gain", 0.150) == "0.15"
    for wrong in (-0.1, "nan", "inf", "much", True):
        with pytest.raises(UnknownRuling, match="any number from 0 on"):
            SETTINGS.reading("ai.move.stationary_gain", wrong)
    with pytest.raises(UnknownRuling):
        SETTINGS.reading("ai.move.closest", 0.05)
