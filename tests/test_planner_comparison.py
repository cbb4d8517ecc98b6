"""How outcomes of recorded moves are judged and compared, where the answer is known."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.planned import Compared, Total, dearest_shares, figures, tables, told_apart
from benchmarks.recorded import Reading, RecordedMove
from benchmarks.writing import Writing
from benchmarks.yardstick import Judged, Yardstick
from geometry.group.group_move import Nearest, Party
from geometry.measure.coherency import Spacing
from geometry.path.ground import Ground
from geometry.shape.convex_shape import Outlines

ROOT = Path(__file__).parent.parent
WALL = ((14.0, 5.0), (16.0, 5.0), (16.0, 15.0), (14.0, 15.0))
GROUND = Ground((40.0, 30.0), (WALL,))
PAIR = Party(np.array([[10.0, 10.0], [10.0, 12.0]]), np.full(2, 0.5), np.full(2, 6.0))
ONE = Outlines(np.array([[20.0, 10.0]]), np.array([0.5]))


def recorded(call: str, **given: Any) -> RecordedMove:
    """Return a call as it is read from a record."""
    writing = Writing({"name": "made up", "walled": False})
    told = writing.asked(call, {"spacing": Spacing(), **given})
    rows = [json.loads(line) for line in writing.lines[1:]]
    reading = Reading({row["thing"]: row for row in rows})
    return RecordedMove({"name": "made up/0", **json.loads(json.dumps(told))}, {"walled": False}, reading)


def toward(party: Party = PAIR, stays: bool = True, ground: Ground = GROUND) -> RecordedMove:
    """Return a recorded move to a point on the other side of the wall."""
    return recorded("move_to_point", party=party, ground=ground, point=(20.0, 10.0), stays=stays)


def paths(*legs: list[Any], starts: Any = PAIR.xy) -> dict[str, Any]:
    """Return the outcome in which models go these legs."""
    every = [[at, own, 0.0] for at, own in zip(starts.tolist(), legs, strict=True)]
    return {"paths": every, "left": [0.0] * len(legs), "lost": False}


def test_what_is_left_is_the_way_round_a_wall() -> None:
    one = Party(np.array([[10.0, 10.0]]), np.array([0.5]), np.array([6.0]))
    worth = Yardstick(toward(one)).judged(paths([], starts=one.xy))
    assert not worth.is_found
    assert not worth.faults
    # Round both far corners of the wall, half an inch off: two tangents, two arcs and a stretch of two.
    reach = math.hypot(4.0, 5.0)
    bent = math.asin(0.5 / reach) + math.atan2(5.0, 4.0)
    expected = 2 * (math.sqrt(reach**2 - 0.25) + 0.5 * bent) + 2.0
    assert worth.left == pytest.approx([expected], abs=1e-6)


def test_what_is_left_is_as_the_crow_flies_where_no_way_leads() -> None:
    closed = Ground((40.0, 30.0), (((14.0, 0.0), (16.0, 0.0), (16.0, 30.0), (14.0, 30.0)),))
    worth = Yardstick(toward(ground=closed)).judged({"blocked": "no way"})
    assert worth.left == pytest.approx([10.0, math.hypot(10.0, 2.0)])


@pytest.mark.parametrize(
    ("legs", "faults"),
    [
        (([(10.0, 14.0)], [(10.0, 16.0)]), ()),
        (([(18.0, 10.0)], []), ("8.0000 inches", "through a wall", "not coherent")),
        (([(10.0, 11.2)], []), ("overlap",)),
        (([(10.0, 4.1)], []), ("not coherent",)),
        (([(13.9, 10.0)], []), ("in a wall",)),
    ],
)
def test_an_illegal_move_is_found_out(legs: Any, faults: tuple[str, ...]) -> None:
    worth = Yardstick(toward()).judged(paths(*legs))
    told = " | ".join(worth.faults)
    assert bool(worth.faults) == bool(faults)
    for fault in faults:
        assert fault in told


def test_a_unit_is_out_of_a_zone_only_if_all_of_it_is() -> None:
    zone = ((0.0, 0.0), (11.0, 0.0), (11.0, 30.0), (0.0, 30.0))
    move = toward(stays=False, ground=Ground((40.0, 30.0), shun=(zone,)))
    assert move.kind == "out of a zone"
    judge = Yardstick(move)
    assert judge.judged(paths([(12.0, 10.0)], [(12.0, 12.0)])).is_good
    assert not judge.judged(paths([(12.0, 10.0)], [(10.0, 12.0)])).is_found
    assert not judge.judged(paths([], [])).is_found


def test_a_charge_has_to_reach_its_target() -> None:
    ground = Ground((40.0, 30.0), solid=ONE)
    near = Party(np.array([[16.0, 10.0], [16.0, 12.0]]), np.full(2, 0.5), np.full(2, 6.0))
    move = recorded(
        "move_into_contact",
        party=near,
        ground=ground,
        targets=[ONE],
        reach=1.0,
        must_reach_all=True,
        across=None,
    )
    judge = Yardstick(move)
    good = judge.judged(paths([(19.0, 10.0)], [(18.0, 11.0)], starts=near.xy))
    assert good.is_good
    assert good.left[0] == pytest.approx(0.0, abs=1e-6)
    short = judge.judged(paths([(17.5, 10.0)], [(17.0, 12.0)], starts=near.xy))
    assert short.faults == ("no target is within reach, or not every one",)
    farther = judge.judged(paths([(19.0, 10.0)], [(16.0, 13.0)], starts=near.xy))
    assert "a model moves and gets no closer" in farther.faults
    assert not judge.judged({"blocked": "too far"}).is_good
    assert judge.judged({"raised": "ValueError: why"}).faults == ("raised ValueError: why",)


def test_a_set_up_is_judged_by_its_places() -> None:
    move = recorded("place_group", bases=np.full(2, 0.5), ground=GROUND, near=Nearest(ONE), overflow=None)
    judge = Yardstick(move)
    good = judge.judged({"xy": [[18.0, 10.0], [18.0, 11.5]], "left_out": []})
    assert good.is_good
    assert good.left[0] == pytest.approx(1.0)
    assert judge.judged({"xy": [[18.0, 10.0], [18.0, 10.5]], "left_out": []}).faults == ("models overlap",)
    assert judge.judged({"xy": [[15.0, 10.0], [17.0, 10.0]], "left_out": []}).faults
    assert judge.judged({"xy": [[18.0, 10.0]], "left_out": [1]}).total == pytest.approx(51.0)


def made(name: str, base: float | None, head: float | None, seconds: tuple[float, float]) -> Compared:
    """Return a move with what base and head leave; None where one of them finds nothing."""
    worth = [Judged(left is not None, (), (left or 0.0,)) for left in (base, head)]
    return Compared(name, "toward", "one round size", False, False, seconds, (worth[0], worth[1]))


def test_moves_are_lost_gained_worse_and_better() -> None:
    moves = [
        made("same", 5.0, 5.0, (1.0, 0.5)),
        made("lost", 5.0, None, (2.0, 0.1)),
        made("gained", None, 4.0, (0.5, 0.1)),
        made("worse", 5.0, 7.5, (0.25, 0.3)),
        made("a little worse", 5.0, 6.5, (0.25, 0.1)),
        made("better", 9.0, 6.0, (0.25, 0.1)),
    ]
    named = {name: [move.name for move in some] for name, some in told_apart(moves).items()}
    assert named == {
        "lost": ["lost"],
        "illegal": [],
        "worse": ["worse"],
        "better": ["better"],
        "gained": ["gained"],
    }
    total = Total.of(moves)
    assert (total.lost, total.gained, total.same) == (1, 1, 1)
    assert total.left == (24.0, 25.0)
    assert total.ratio == pytest.approx(1.2 / 4.25)
    shares = dearest_shares(moves)
    assert shares["ten_dearest_of_base"] == pytest.approx(1.2 / 4.25)
    assert shares["dearest_of_both"] == 0.25
    assert figures(moves)["groups"]["toward"]["moves"] == 6
    assert [table.row_count for table in tables(moves)] == [5, 6, 6, 5]


def test_a_base_that_does_not_exist_is_one_sentence_and_exit_code_2() -> None:
    command = [sys.executable, str(ROOT / "benchmarks" / "planner.py"), "no-such-commit"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == f"There is no commit 'no-such-commit' in {ROOT}.\n"
