"""`horde settings`: what is put to a person, told, changed, kept and refused."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from datasheets.errors import BadData, HordeError
from tests.viewer.command_line import Horde, check_refused
from viewer.commands.settings_command import gate
from viewer.input.gate import Gate
from viewer.input.settings import Rules, load_rules
from viewer.input.stops import NAMED


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file of settings, which is not there yet, in a folder that is not there either."""
    path = tmp_path / "data" / "settings.json"
    monkeypatch.setenv("HORDE_SETTINGS", str(path))
    return path


def test_the_default_rules_are_listed_without_a_file(horde: Horde, file: Path) -> None:
    done = horde("settings")
    assert done.code == 0
    for name, kind in NAMED.items():
        assert any(line.split()[:2] == [name, kind.asking] for line in done.out.splitlines()), name
    assert str(file) in done.out
    assert not file.exists()


def test_a_rule_and_a_threshold_are_kept_and_read_again(horde: Horde, file: Path) -> None:
    assert horde("settings", "fire-overwatch", "always", "2.5").code == 0
    assert horde("settings", "army-rule", "always").code == 0
    told = json.loads(horde("settings", "--json").out)
    assert (told["fire-overwatch"]["asked"], told["fire-overwatch"]["threshold"]) == ("always", 2.5)
    assert told["army-rule"]["asked"] == "always"
    assert told["go-to-ground"]["asked"] == "matters"
    assert load_rules().threshold(NAMED["fire-overwatch"]) == 2.5
    assert horde("settings", "reset").code == 0
    assert load_rules() == Rules()


def test_a_word_changes_all_offers_or_all_kinds(horde: Horde, file: Path) -> None:
    horde("settings", "stratagem", "never")
    told = json.loads(horde("settings", "--json").out)
    assert {name for name, row in told.items() if row["asked"] == "never"} >= {"grenade", "command-re-roll"}
    assert told["purchase"]["asked"] == "matters"
    horde("settings", "all", "always")
    told = json.loads(horde("settings", "--json").out)
    assert {row["asked"] for row in told.values()} == {"always"}
    horde("settings", "all", "matters")
    told = json.loads(horde("settings", "--json").out)
    assert told["phase"]["asked"] == "always"
    assert told["card"]["asked"] == "matters"


def test_other_parts_of_the_file_stay_as_they_are(horde: Horde, file: Path) -> None:
    file.parent.mkdir()
    file.write_text('{"window": {"text": 150}}')
    horde("settings", "grenade", "never")
    assert json.loads(file.read_text()) == {
        "window": {"text": 150},
        "questions": {"grenade": {"asking": "never"}},
    }


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("fire-overwach", "never"), "did you mean 'fire-overwatch'"),
        (("grenade", "sometimes"), "'sometimes' is no rule"),
        (("grenade", "-1"), ""),
        (("grenade", "1e9"), "give a number from 0 to 100"),
        (("grenade", "nan"), "give a number from 0 to 100"),
        (("purchase", "1.5"), "'purchase' has no threshold"),
        (("phase", "matters"), "nothing is weighed in it"),
        (("grenade",), "Say what 'grenade' is to be"),
        (("grenade", "never", "1", "2"), "Say what 'grenade' is to be"),
        (("reset", "now"), "takes no other word"),
    ],
)
def test_what_may_not_be_is_one_sentence_and_changes_nothing(
    horde: Horde, file: Path, words: tuple[str, ...], told: str
) -> None:
    done = horde("settings", *words)
    assert done.code == 2
    assert not file.exists()
    if told:
        check_refused(done, told)


@pytest.mark.parametrize(
    "body",
    [
        "nothing",
        "[1]",
        '{"questions": 3}',
        '{"questions": {"grenade": {"asking": "perhaps"}}}',
        '{"questions": {"grenade": {"threshold": -3}}}',
        '{"questions": {"phase": {"asking": "matters"}}}',
        '{"questions": {"no-such-kind": {}}}',
        "[" * 5000,
    ],
)
def test_a_file_at_fault_is_refused_by_its_name(horde: Horde, file: Path, body: str) -> None:
    file.parent.mkdir()
    file.write_text(body)
    check_refused(horde("settings"), str(file))
    with pytest.raises(BadData):
        gate(ask_all=False)
    assert gate(ask_all=True).rules is None


def test_nothing_is_kept_where_the_environment_names_no_file(
    horde: Horde, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HORDE_SETTINGS", "")
    assert horde("settings").code == 0
    check_refused(horde("settings", "grenade", "never"), "no file for settings")


def test_the_file_lies_in_the_user_s_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HORDE_SETTINGS")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    from viewer.input.settings import keep_rules, settings_path

    assert load_rules() == Rules()
    keep_rules(Rules().changed("grenade", ["never"]))
    path = settings_path()
    assert path is not None
    assert path.is_relative_to(tmp_path)
    assert load_rules().asking(NAMED["grenade"]) == "never"


def test_rules_that_a_person_types_do_not_change_those_before() -> None:
    before = Rules()
    assert before.changed("grenade", ["never"]) != before
    assert before == Rules()
    with pytest.raises(HordeError):
        before.changed("grenade", [])


@pytest.mark.parametrize(("words", "asks_all"), [((), False), (("--ask-all",), True)])
def test_a_battle_is_asked_by_the_settings_or_everything(
    horde: Horde,
    file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    asks_all: bool,
) -> None:
    horde("settings", "grenade", "never")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO("auto\n"))
    seen: list[Rules | None] = []

    class Noted(Gate):
        def __init__(self, rules: Rules | None = None) -> None:
            seen.append(rules)
            super().__init__(rules)

    monkeypatch.setattr("viewer.commands.settings_command.Gate", Noted)
    done = horde("battle", "--ask", "p1", "--seed", "7", "--rounds", "1", *words)
    assert done.code == 0, done.err
    assert seen == [None if asks_all else Rules().changed("grenade", ["never"])]
