"""The names that files, scripts and people rely on stand in lists, and none goes away.

`scripts/contracts.py` collects the names and says how a new one is added to `tests/contracts`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import contracts
import msgspec
import pytest


@pytest.mark.parametrize("name", contracts.COLLECTORS)
def test_no_name_is_gone_and_each_new_one_is_listed(name: str) -> None:
    found = contracts.faults(name, contracts.kept(name), contracts.COLLECTORS[name]())
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", contracts.COLLECTORS)
def test_a_list_is_sorted_and_has_each_name_once(name: str) -> None:
    kept = contracts.kept(name)
    assert kept == sorted(set(kept))


def test_there_is_a_list_of_each_kind_and_no_other() -> None:
    assert {path.stem for path in contracts.FOLDER.glob("*.txt")} == set(contracts.COLLECTORS)


def test_a_name_that_is_gone_and_one_that_is_new_are_each_named() -> None:
    gone, new = contracts.faults("events", ["event moved", "event fell"], ["event moved", "event rose"])
    assert "'event fell' is gone" in gone
    assert "'event rose' is new" in new
    assert "python scripts/contracts.py --write" in new


def test_writing_adds_what_is_new_and_keeps_what_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(contracts, "COLLECTORS", {"agents": lambda: iter(("steady", "bold"))})
    (tmp_path / "agents.txt").write_text("fuzz\nsteady\n")
    with pytest.raises(SystemExit):
        contracts.main(write=True, folder=tmp_path)
    assert (tmp_path / "agents.txt").read_text() == "bold\nfuzz\nsteady\n"
    assert "'fuzz' is gone" in capsys.readouterr().out


class Inner(msgspec.Struct):
    """A part of a record."""

    kind: Literal["", "round", "oval"] = ""
    condition: str = msgspec.field(default="", name="if")


class Outer(msgspec.Struct):
    """A record with parts."""

    one: Inner | None = None
    many: tuple[Inner, ...] = ()
    by_id: dict[str, Inner] = {}


def test_the_fields_of_a_type_are_spelt_as_in_files_down_to_the_values_that_it_lists() -> None:
    inner = ("", ".if", ".kind", ".kind = oval", ".kind = round")
    expected = {f"one{end}" for end in inner} | {f"many[]{end}" for end in inner[1:]}
    expected |= {f"by_id.*{end}" for end in inner[1:]} | {"many", "by_id"}
    assert set(contracts.fields(Outer)) == expected


def test_the_keys_of_plain_data_leave_out_ids() -> None:
    printed = {"rounds": [{"number": 1, "supply": {"p1": 3, "p2": 4}}, {"number": 2, "lost": []}]}
    assert set(contracts.keys(printed, "")) == {
        "rounds",
        "rounds[].number",
        "rounds[].supply",
        "rounds[].lost",
    }


def test_a_position_of_its_own_shows_every_kind_of_thing() -> None:
    """Each table of a scenario file that stands somewhere is in it."""
    told = contracts.POSITION.read_text()
    for key in ("terrain", "zone", "objective", "marker", "unit"):
        assert f"[[{key}]]" in told
