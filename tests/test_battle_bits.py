"""The comparison of whole battles between ways to run the core."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from battle_bits import Battle, battles, compared, way
from rich.console import Console

WANTED = [Battle("orks", 1000, 300), Battle("orks", 2000, 301)]


def write(folder: Path, name: str, digests: list[str]) -> None:
    """Write the rows of one way."""
    rows = [
        {"key": battle.key, "digest": digest, "lines": 9, "processor": 0.5}
        for battle, digest in zip(WANTED, digests, strict=True)
    ]
    (folder / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))


@pytest.mark.parametrize(("other", "agree"), [(["a", "b"], True), (["a", "c"], False)])
def test_ways_agree_only_where_every_battle_is_the_same(
    tmp_path: Path, other: list[str], agree: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "cc", ["a", "b"])
    write(tmp_path, "uncompiled", other)
    assert compared(Console(width=200), tmp_path, WANTED) is agree
    assert ("orks/2000/301 is another battle" in capsys.readouterr().out) is not agree


def test_each_faction_plays_at_both_sizes() -> None:
    found = battles(["orks", "tyranids"], 3)
    assert [(battle.faction, battle.points) for battle in found[:2]] == [("orks", 1000), ("orks", 2000)]
    assert len({battle.key for battle in found}) == 6


def test_the_way_is_a_name_of_a_file() -> None:
    assert way().isidentifier()
