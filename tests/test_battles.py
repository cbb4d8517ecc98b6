"""The script that plays many battles: a sample, its resuming, and checks that can fail."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import battles
import pytest

from benchmarks.walled import LAYOUTS, make
from datasheets.library import Library

SCRIPT = Path(__file__).parent.parent / "scripts" / "battles.py"


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, SCRIPT, *map(str, words)], capture_output=True, text=True, timeout=600
    )


def rows_of(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.read_text().splitlines()]


STARTED = """
import os, sys, time
sys.path.insert(0, sys.argv[1])
from series import workers_of
if __name__ == "__main__":
    pool = workers_of(1)
    pool.submit(os.getpid).result()
    pool.submit(time.sleep, 60)
    print("at work", flush=True)
    time.sleep(60)
"""


def test_workers_end_when_the_script_is_killed() -> None:
    """The output ends as soon as no process is left that could write to it."""
    words = [sys.executable, "-c", STARTED, str(SCRIPT.parent)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as script:
        assert script.stdout is not None
        assert script.stdout.readline() == "at work\n"
        script.kill()
        assert script.communicate(timeout=30)[0] == ""


@pytest.mark.rule("S.DET1")
def test_a_sample_of_battles_holds_and_is_not_played_twice(tmp_path: Path) -> None:
    """Nor does it matter to a battle's log how many workers there are."""
    out = tmp_path / "battles.jsonl"
    first = run("--sample", "--referee", "--workers", "2", "--out", out)
    assert first.returncode == 0, first.stdout + first.stderr
    assert "holds  the referee agrees: 2 battles" in first.stdout
    rows = rows_of(out)
    assert sorted(row["key"] for row in rows) == [
        "death-guard/1000/1/steady/referee",
        "death-guard/2000/2/steady/referee",
    ]
    alone = run("--games", "1", "--workers", "1", "--out", tmp_path / "alone.jsonl")
    assert "1 of 1: death-guard/1000/1" in alone.stdout
    log = next(row["log"] for row in rows if row["key"] == "death-guard/1000/1/steady/referee")
    assert [row["log"] for row in rows_of(tmp_path / "alone.jsonl")] == [log]
    before = out.read_bytes()
    again = run("--sample", "--referee", "--workers", "2", "--out", out)
    assert again.returncode == 0
    assert out.read_bytes() == before


def test_battles_are_played_on_the_layouts_of_a_folder_that_have_walls(tmp_path: Path) -> None:
    folder = tmp_path / "walled"
    make(folder)
    wanted = battles.with_walls(battles.jobs(len(LAYOUTS) + 1, 1, "steady"), folder)
    assert [job.layout for job in wanted] == [*sorted(LAYOUTS), min(LAYOUTS)]
    done = run("--sample", "--workers", "2", "--assets", folder, "--out", tmp_path / "battles.jsonl")
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(row["layout"] for row in rows_of(tmp_path / "battles.jsonl")) == sorted(LAYOUTS)[:2]
    shipped = SCRIPT.parent.parent / "assets"
    refused = run("--sample", "--assets", shipped, "--out", tmp_path / "none.jsonl")
    assert refused.returncode == 1
    assert refused.stderr == f"{shipped}: no layout has walls; make the folder with benchmarks/walled.py\n"


def test_fuzzed_battles_hold(tmp_path: Path) -> None:
    done = run("--agent", "fuzz", "--games", "3", "--workers", "2", "--out", tmp_path / "fuzz.jsonl")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "holds  no battle stalls: 3 battles" in done.stdout


def row(**more: Any) -> dict[str, Any]:
    """Return what a flawless battle shows, but for what is said."""
    found: dict[str, Any] = {
        "key": "k",
        "agent": "steady",
        "stalled": False,
        "faults": [],
        "missing": [],
        "behind": [],
    }
    found |= {"winners": [], "headway": {"nearer": 99, "explained": 1, "engaged": 7}, "folds": True}
    return found | {"revealed": [], "bought": [], "causes": {}} | more


def failing(*rows: dict[str, Any]) -> list[str]:
    return [check.name for check in battles.checks(list(rows), "steady") if not check.holds]


def test_flawless_battles_fail_no_check() -> None:
    assert failing(*[row()] * 4, *[row(winners=["p1"])] * 4) == []


@pytest.mark.parametrize(
    ("fault", "name"),
    [
        ({"error": "Traceback\nValueError: no"}, "no battle raises"),
        ({"stalled": True}, "no battle stalls"),
        ({"faults": ["event 3: overlap: a on b"]}, "no base overlaps another"),
        ({"faults": ["event 3: board: a"]}, "no base leaves the board"),
        ({"faults": ["event 3: coherency: a"]}, "no unit ends a turn out of coherency"),
        ({"faults": ["event 3: dice: a"]}, "no die is rolled again twice"),
        ({"measured": {"paths": 9}, "disagreements": ["event 3, a, wall"]}, "the referee agrees"),
        ({"folds": False}, "folding the log gives the state"),
        ({"behind": ["unexplained: round 1"]}, "what gets no nearer says why"),
        ({"headway": {"nearer": 0, "explained": 600}}, "95% of free Horde units get nearer"),
        ({"missing": ["players: charged"]}, "both sides move, shoot, charge and fight"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_fault_fails_its_own_check(fault: dict[str, Any], name: str) -> None:
    assert failing(*[row()] * 4, *[row(winners=["p1"])] * 4, row(**fault)) == [name]


def test_many_battles_must_be_won_and_lost_and_meet_every_card() -> None:
    assert failing(*[row()] * 8) == ["players win some and lose some"]
    failed = failing(*[row()] * 20, *[row(winners=["p1"])] * 20)
    assert "every misery rule is met" in failed
    assert "every buy rule is met" in failed


def test_a_shopper_saves_up_for_its_wish_until_the_last_round_and_buys_nothing_twice() -> None:
    shopper = battles.Shopper(["buy/b", "buy/c", "buy/a"])
    assert shopper.bought(["buy/a", "done"], 4) == "done"
    assert shopper.bought(["buy/a", "card/x+buy/b", "done"], 4) == "card/x+buy/b"
    assert shopper.bought(["buy/a", "buy/b", "done"], 4) == "done"
    assert shopper.bought(["buy/a", "buy/b", "done"], 5) == "buy/a"
    assert shopper.bought(["buy/a", "buy/b", "done"], 5) == "done"


def test_more_battles_are_played_for_what_nobody_bought() -> None:
    library = Library()
    known = [rule.id for rule in battles.met_alone(library, "buy")]
    rows = [row(bought=[name for name in known if name != "buy/pizza-party"])]
    assert battles.never_bought(rows, library) == ["buy/pizza-party"]
    found = battles.jobs_for(["buy/pizza-party"], 84, 1, library)
    seeds = [job.seed for job in found]
    assert len(seeds) == 2
    assert min(seeds) > 84
    assert {known[seed % len(known)] for seed in seeds} == {"buy/pizza-party"}
    assert found == [job for job in battles.jobs(200, 1, "shopper") if job.seed in seeds]
