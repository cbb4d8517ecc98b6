"""Samples of the oracle scripts, and that each of them finds fault with wrong answers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import oracle_clear
import oracle_gap
import oracle_map
import oracle_packing
import oracle_path
import oracle_sight
import pytest
from msgspec.structs import replace

from geometry.path.planner import Blocked
from geometry.path.planner import Path as Way
from geometry.sight.landscape import Piece

SCRIPTS = Path(__file__).parents[2] / "scripts"
ALL = ("round", "oval", "hull")


def wrong(oracle: ModuleType, seeds: range, shapes: tuple[str, ...] = ALL) -> list[str]:
    return [text for seed in seeds for text in oracle.judge(seed, shapes)["wrong"]]


def test_gaps_hold() -> None:
    assert not wrong(oracle_gap, range(1, 11))


def test_a_wrong_gap_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = oracle_gap.gap
    monkeypatch.setattr(oracle_gap, "gap", lambda a, b: right(a, b) * 1.001)
    assert wrong(oracle_gap, range(1, 3))


def test_paths_are_clear_where_they_are() -> None:
    assert not wrong(oracle_clear, range(1, 9))


def test_a_check_that_overlooks_walls_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = oracle_clear.faults_of_legs

    def without_walls(way: Any, stances: Any, ground: Any) -> Any:
        return right(way, stances, replace(ground, walls=()))

    monkeypatch.setattr(oracle_clear, "faults_of_legs", without_walls)
    assert any(text.startswith("wall: shut") for text in wrong(oracle_clear, range(1, 5)))


@pytest.mark.rule("CORE.MOVE.2")
def test_maps_hold() -> None:
    assert not wrong(oracle_map, range(1, 61))


@pytest.mark.rule("CORE.MOVE.2")
def test_a_wrong_map_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    class Longer(oracle_map.DistanceMap):
        def left(self, x: float, y: float, most: float) -> float:
            return 1.001 * float(super().left(x, y, most))

    monkeypatch.setattr(oracle_map, "DistanceMap", Longer)
    assert wrong(oracle_map, range(1, 6))


@pytest.mark.rule("CORE.LOS.1", "CORE.LOS.2")
def test_sight_holds() -> None:
    assert not wrong(oracle_sight, range(3, 5))


def test_wrong_sight_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = oracle_sight.sight

    def elsewhere(here: Any, there: Any, landscape: Any) -> Any:
        return right(here, replace(there, xy=there.xy + np.array([3.0, 0.0])), landscape)

    monkeypatch.setattr(oracle_sight, "sight", elsewhere)
    found = " ".join(wrong(oracle_sight, range(1, 3)))
    assert "the witness is not at the target" in found
    assert "fully visible, though" in found


@pytest.mark.rule("CORE.LOS.1")
@pytest.mark.parametrize("seed", [476, 671])
def test_a_line_through_a_slit_is_clear_in_space(seed: int) -> None:
    """Under a raised piece and just over another, a line is clear near its own heights alone."""
    assert not wrong(oracle_sight, range(seed, seed + 1))


@pytest.mark.rule("CORE.LOS.1")
def test_a_line_at_wrong_heights_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = oracle_sight.Sight.line

    def lower(seen: Any, i: int, j: int) -> Any:
        line = right(seen, i, j)
        return line and tuple((x, y, z + by) for (x, y, z), by in zip(line, (0.0, -0.01), strict=True))

    monkeypatch.setattr(oracle_sight.Sight, "line", lower)
    assert "the witness is not clear" in " ".join(wrong(oracle_sight, range(436, 437)))
    monkeypatch.setattr(
        oracle_sight.Sight, "line", lambda *asked: (line := right(*asked)) and (line[1], line[0])
    )
    assert "the witness is not at the observer" in " ".join(wrong(oracle_sight, range(476, 477)))


def test_ways_hold() -> None:
    assert not wrong(oracle_path, range(2, 4), ("round",))


@pytest.mark.rule("CORE.LOS.1")
@pytest.mark.parametrize(("height", "shut"), [(1.3, False), (1.4, True), (4.3, True), (4.4, False)])
def test_a_line_along_the_underside_of_a_piece_only_grazes_it(height: float, shut: bool) -> None:
    """One along its top is closed, as by all that is as high as both models."""
    piece = Piece("p", ((0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)), 3.0, "solid", 1.3)
    low, high = oracle_sight._share(piece, height, height)
    assert (low < high) == shut


def test_wrong_ways_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle_path, "asked", lambda made, start, goal, ground: Way(start, (goal,)))
    found = " ".join(wrong(oracle_path, range(2, 3), ("round",)))
    assert "the way runs into something" in found
    assert " long, not " in found
    monkeypatch.setattr(oracle_path, "asked", lambda made, start, goal, ground: Blocked("no way"))
    assert "inf long, not " in " ".join(wrong(oracle_path, range(2, 3), ("round",)))


def test_packing_holds() -> None:
    assert not wrong(oracle_packing, range(1, 11), ("round",))


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("place_group", "set up where"),
        ("move_into_contact", "charge refused"),
        ("move_away", "fall back refused"),
    ],
)
def test_a_refusal_without_need_is_found(monkeypatch: pytest.MonkeyPatch, asked: str, told: str) -> None:
    monkeypatch.setattr(oracle_packing, asked, lambda *_: Blocked("there is no room"))
    assert told in " ".join(wrong(oracle_packing, range(1, 9), ("round",)))


def test_a_run_goes_on_where_it_ended(tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    words = [sys.executable, str(SCRIPTS / "oracle_gap.py"), "--out", str(out), "--cases"]
    for cases in ("2", "3"):
        done = subprocess.run([*words, cases], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stdout + done.stderr
    assert len(out.read_text().splitlines()) == 3
    out.write_text(out.read_text().replace('"wrong": []', '"wrong": ["two bases"]', 1))
    done = subprocess.run([*words, "3"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "two bases" in done.stdout
