"""The judge of "no slower", on small made-up inputs.

Its statistics, its order of runs and its driver are tried.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from benchmarks.compare import Judgement, Rule, table_of
from benchmarks.pairing import BASE, CONTROL, HEAD, Pairing, Pairings, turns
from benchmarks.ratio import Ratio, Verdict, ratio_of
from benchmarks.trees import ONE_BATTLE, Run, Tree
from datasheets.errors import HordeError

ROOT = Path(__file__).parent.parent
RUN = Run(events=100, seconds=1.0, start=0.3, dearest=0.2, log="a")
CLI = """
import json, sys
from pathlib import Path
def main():
    import late
    words = sys.argv[1:]
    assert words[:3] == ["battle", "--seed", "7"] and words[-1] == "--json"
    Path(words[words.index("--replay") + 1]).write_text(HEADER + "\\nfirst\\nsecond\\n")
    try:
        from ai.agents import agent
        assert agent("horde").answer(1, 2) == agent("steady").answer(1, 2) == 3
        assert agent("horde").name == "made up"
    except ImportError:
        pass
    print(json.dumps({"events": 2}))
    sys.exit(0)
"""
AGENTS = """
class Made:
    name = "made up"
    def answer(self, view, request): return view + request
def agent(name): return Made()
"""


def pairing(seed: int, ratio: float) -> Pairing:
    """Return a pairing whose head costs this ratio of its base."""
    runs = [replace(RUN, seconds=ratio if who == HEAD else 1.0) for who in turns(seed)]
    return Pairing(seed, tuple(runs))


def test_the_ratio_is_the_geometric_mean_and_its_interval_is_always_the_same() -> None:
    pairs = [(1.0, 2.0), (4.0, 2.0), (3.0, 3.0), (1.0, 1.0)]
    found = ratio_of(pairs)
    assert found.value == pytest.approx(1.0)
    # Four draws of log 2, -log 2, 0 and 0 sum to 3 log 2 or more in 9 of 256 cases, to 4 log 2 in 1.
    assert found.high == pytest.approx(2**0.75)
    assert found.low == pytest.approx(2**-0.75)
    assert ratio_of(pairs) == found


def test_equal_ratios_leave_no_interval() -> None:
    found = ratio_of([(1.0, 1.1), (2.0, 2.2), (5.0, 5.5)])
    assert (found.value, found.low, found.high) == pytest.approx((1.1, 1.1, 1.1))


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.99, 1.02, Verdict.MET),
        (1.02, 1.04, Verdict.OPEN),
        (1.03, 1.04, Verdict.OPEN),
        (1.02, 1.03, Verdict.OPEN),
        (1.031, 1.09, Verdict.MISSED),
    ],
)
def test_a_limit_is_missed_only_where_the_whole_interval_lies_above(
    low: float, high: float, verdict: Verdict
) -> None:
    assert Ratio(1.0, low, high).verdict(1.03) == verdict


def test_base_head_and_control_take_turns_and_the_order_is_reversed_by_seed() -> None:
    assert turns(1) == [BASE, HEAD, CONTROL] * 2
    assert turns(2) == [CONTROL, HEAD, BASE] * 2


def test_of_the_runs_of_each_the_least_counts() -> None:
    seconds = [5.0, 8.0, 7.0, 4.0, 9.0, 6.0]
    found = Pairing(1, tuple(replace(RUN, seconds=each, dearest=each) for each in seconds))
    assert [found.cost(who) for who in (BASE, HEAD, CONTROL)] == [0.04, 0.08, 0.06]
    assert found.dearest(HEAD) == 8.0
    assert replace(found, runs=(replace(RUN, dearest=None),) * 6).dearest(HEAD) is None


def test_a_seed_has_equal_logs_only_where_every_run_wrote_the_same() -> None:
    runs = (RUN,) * 6
    assert Pairing(1, runs).same_log
    assert not Pairing(1, (*runs[:-1], replace(RUN, log="b"))).same_log


@pytest.mark.parametrize(
    ("ratios", "seeds", "verdict"),
    [
        ([1.0, 1.01], 2, Verdict.MET),
        ([1.1, 1.2], 2, Verdict.MISSED),
        ([0.9, 1.2] + [1.0] * 50, 12, Verdict.OPEN),
        ([0.9, 1.2] * 10, 15, Verdict.OPEN),
    ],
)
def test_seeds_are_added_while_the_interval_contains_the_limit(
    ratios: list[float], seeds: int, verdict: Verdict
) -> None:
    asked: list[int] = []

    def play(numbers: Iterable[int]) -> Iterable[Pairing]:
        for seed in numbers:
            asked.append(seed)
            yield pairing(seed, ratios[seed - 1])

    most = 12 if len(ratios) > 20 else 15
    judged = Rule(1.03, 2, most).judge("tyranids", play)
    assert asked == list(range(1, seeds + 1))
    assert judged.verdict == verdict


def test_the_figures_name_head_and_control_apart() -> None:
    judged = Judgement("tyranids", 1.03, (pairing(1, 1.1), pairing(2, 1.1)))
    figures = json.loads(json.dumps(judged.figures()))
    assert figures["ratio"]["value"] == pytest.approx(1.1)
    assert figures["control"] == {"value": 1.0, "low": 1.0, "high": 1.0}
    assert (figures["verdict"], figures["same_logs"]) == ("missed", 2)
    assert figures["dearest_answer_s"] == {"base": 0.2, "head": 0.2}
    assert table_of([judged], 1000).row_count == 8


@dataclass(frozen=True)
class RecordedTree(Tree):
    """A tree that plays no battle, but notes of which one it was asked."""

    asked: list[str] = field(default_factory=list)

    def play(self, *options: str) -> Run:
        """Return a made-up run."""
        self.asked.append(" ".join(options))
        return RUN


def test_an_interrupted_seed_is_played_anew_and_a_whole_one_is_not(tmp_path: Path) -> None:
    base, head = RecordedTree("b", tmp_path), RecordedTree("h", tmp_path)
    pairings = Pairings(base, head, 2000, tmp_path / "battles.jsonl")
    found = pairings.pairing("tyranids", 3)
    assert base.asked == ["--faction tyranids --points 2000 --seed 3"] * 4
    assert head.asked == base.asked[:2]
    assert pairings.pairing("tyranids", 3) == found
    assert len(base.asked) == 4
    rows = pairings.file.read_text().splitlines()
    pairings.file.write_text("\n".join(rows[:-1]) + "\n")
    pairings.pairing("tyranids", 3)
    assert len(base.asked) == 8
    pairings.pairing("death-guard", 3)
    assert len(base.asked) == 12


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a folder with the little that the driver asks of a tree."""
    for name, text in {
        "viewer/__init__.py": "",
        "viewer/cli.py": f"HEADER = 'one'\n{CLI}",
        "ai/__init__.py": "",
        "ai/agents.py": AGENTS,
        "late.py": "",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def driven(tree: Path) -> Run:
    """Return the run that the driver measures in a folder."""
    command = [sys.executable, "-P", ONE_BATTLE, tree / "modules.txt", "--seed", "7"]
    own = os.environ | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=own, check=True)
    return Run(**json.loads(done.stdout))


def test_the_driver_counts_events_and_lists_the_modules_of_the_first_battle(tree: Path) -> None:
    first = driven(tree)
    assert first.events == 2
    assert first.dearest is not None
    assert "late" in (tree / "modules.txt").read_text().split()
    (tree / "modules.txt").write_text("late\nno_such_module\n")
    assert driven(tree).log == first.log


def test_the_driver_s_digest_leaves_out_the_header(tree: Path) -> None:
    first = driven(tree)
    cli = tree / "viewer" / "cli.py"
    cli.write_text(cli.read_text().replace("HEADER = 'one'", "HEADER = 'two'"))
    assert driven(tree).log == first.log
    cli.write_text(cli.read_text().replace("second", "third"))
    assert driven(tree).log != first.log


def test_the_driver_does_without_agents(tree: Path) -> None:
    (tree / "ai" / "agents.py").unlink()
    assert driven(tree).dearest is None


def test_a_tree_s_complaint_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(HordeError, match=r"fatal: .+ \(from: git .+\)"):
        Tree("0" * 40, tmp_path).make()


def test_a_base_that_does_not_exist_is_one_sentence_and_exit_code_2() -> None:
    command = [sys.executable, str(ROOT / "benchmarks" / "compare.py"), "no-such-commit"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == f"There is no commit 'no-such-commit' in {ROOT}.\n"
