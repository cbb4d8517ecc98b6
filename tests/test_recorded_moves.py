"""Recorded moves: the committed sample, and calls that give the same when made again."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from benchmarks.planner import DATA, ONE_PLAN
from benchmarks.record import Job, options_of, recorded, write_sample
from benchmarks.recorded import (
    LONG,
    SUFFIX,
    Outcome,
    RecordedMove,
    gist,
    lines_of,
    moves_of,
    plain_outcome,
)
from benchmarks.walled import FLOOR_INCHES, LAYOUTS, make, walls_of
from benchmarks.writing import Writing
from benchmarks.yardstick import Yardstick
from datasheets.library import Library
from engine.systems import new_game
from geometry.group.group_move import Moved, Party, move_toward
from geometry.measure.coherency import Spacing
from geometry.path.ground import Ground
from geometry.shape.base import hull_base, oval_base
from geometry.shape.convex_shape import Outlines, core_of

ROOT = Path(__file__).parent.parent
KINDS = {"toward", "point", "contact", "away", "out of a zone", "placement"}


@pytest.fixture(scope="module")
def sample() -> list[RecordedMove]:
    """Return the moves of the committed sample."""
    return list(moves_of(DATA))


@pytest.fixture(scope="module")
def assets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of assets whose ruins have walls and floors."""
    folder = tmp_path_factory.mktemp("walled") / "assets"
    make(folder)
    return folder


def test_the_sample_has_moves_of_all_sorts(sample: list[RecordedMove]) -> None:
    assert len(sample) == len({move.name for move in sample}) == 200
    counts = Counter(word for move in sample for word in (move.kind, move.shapes, str(move.is_walled)))
    assert set(counts) == KINDS | {"one round size", "mixed round sizes", LONG, "True", "False"}
    assert min(counts.values()) >= 10
    assert len({move.battle["faction"] for move in sample}) >= 8
    assert DATA.stat().st_size < 1_500_000


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_what_is_planned_of_the_sample_is_legal(kind: str, sample: list[RecordedMove]) -> None:
    some = [move for move in sample if move.kind == kind and move.shapes != LONG][:4]
    worth = [Yardstick(move).judged(plain_outcome(move.plan())) for move in some]
    assert [each.faults for each in worth] == [()] * 4
    assert any(each.is_found for each in worth)


@pytest.mark.parametrize("layout", ["", LAYOUTS[0]])
def test_each_call_of_a_battle_gives_the_same_when_it_is_made_again(
    layout: str, assets: Path, tmp_path: Path
) -> None:
    job = Job(3, "tyranids", "space-marines", layout)
    writing = recorded(job, Library(assets=assets) if layout else Library(), 1000, rounds=2)
    assert not json.loads(writing.lines[0])["battle"]["error"]
    path = tmp_path / f"a{SUFFIX}"
    writing.save(path)
    moves = list(moves_of(path))
    assert len(moves) == writing.count > 20
    assert [gist(move.plan()) for move in moves] == [move.told["gave"] for move in moves]
    assert {move.is_walled for move in moves} == {bool(layout)}
    assert bool(layout) == any(rise.levels for move in moves for rise in move.ground.rises)


def test_a_sample_holds_what_its_moves_need_and_no_more(tmp_path: Path) -> None:
    writing = recorded(Job(4, "orks", "space-marines", ""), Library(), 1000, rounds=2)
    folder = tmp_path / "record"
    folder.mkdir()
    writing.save(folder / f"004-orks{SUFFIX}")
    file = tmp_path / f"some{SUFFIX}"
    write_sample([folder / f"004-orks{SUFFIX}"], file, 8)
    whole = {move.name: move for move in moves_of(folder)}
    some = list(moves_of(file))
    assert 8 <= len(some) < len(whole)
    for move in some:
        assert gist(move.plan()) == whole[move.name].told["gave"]
    for move in some:
        move.question()
    things = [line["thing"] for line in lines_of(file) if "thing" in line]
    assert set(things) == set(some[0].reading.made)


def _written(tmp_path: Path, party: Party, ground: Ground, goal: Outlines) -> tuple[RecordedMove, Outcome]:
    writing = Writing({"name": "made up", "walled": False})
    for base, facing in ((oval_base(60, 35), 30.0), (hull_base(4.0, 2.0), 123.456)):
        writing.note(core_of(base, facing), base, facing)
    given = {"party": party, "goal": goal, "ground": ground, "spacing": Spacing(), "stop": 1.0}
    asked = writing.asked("move_toward", {**given, "stays": True, "by": ()})
    outcome = move_toward(party, goal, ground, Spacing(), 1.0)
    writing.write(asked, outcome)
    writing.write(asked, outcome)
    path = tmp_path / f"made{SUFFIX}"
    writing.save(path)
    (found,) = moves_of(path)
    return found, outcome


def test_every_number_of_a_call_is_kept(tmp_path: Path) -> None:
    bases = (oval_base(60, 35), oval_base(60, 35))
    third = 1.0 / 3.0
    party = Party(
        np.array([[10.0 + third, 10.0], [12.9, 10.0]]),
        np.zeros(2),
        np.array([6.0, 5.0 + third]),
        bases,
        np.array([30.0, 30.0]),
        np.array([2.0, 2.0]),
        np.zeros(2),
    )
    cores = (core_of(hull_base(4.0, 2.0), 123.456), core_of(oval_base(60, 35), 30.0))
    solid = Outlines(np.array([[20.0, 20.0 + third], [30.0, 3.0]]), np.zeros(2), cores)
    wall = ((15.0, 5.0), (16.0, 5.0), (16.0, 14.0 + third), (15.0, 14.0))
    ground = Ground((60, 44), (wall,), solid=solid)
    move, outcome = _written(tmp_path, party, ground, solid)
    assert isinstance(outcome, Moved)
    assert plain_outcome(move.plan()) == plain_outcome(outcome)
    assert move.party.bases == bases
    for name in ("xy", "radius", "limit", "facing", "pivot", "z"):
        assert getattr(move.party, name).tobytes() == getattr(party, name).tobytes()
    assert move.ground.walls == ground.walls
    assert move.ground.size == (60, 44)
    assert move.ground.solid.core == cores
    assert move.outlines("goal") is move.ground.solid


def test_shapes_that_are_no_bases_are_kept_by_their_arcs(tmp_path: Path) -> None:
    party = Party(np.array([[10.0, 10.0]]), np.array([0.5]), np.array([6.0]))
    core = core_of(hull_base(3.0, 2.0), 17.0)
    goal = Outlines(np.array([[30.0, 30.0]]), np.array([0.25]), (core,))
    move, outcome = _written(tmp_path, party, Ground((60.0, 44.0)), goal)
    (found,) = move.outlines("goal").core
    assert found is not core
    assert found.low.tobytes() == core.low.tobytes()
    assert found.centre.tobytes() == core.centre.tobytes()
    assert plain_outcome(move.plan()) == plain_outcome(outcome)


def test_a_tree_plans_a_file_in_a_process_of_its_own(tmp_path: Path) -> None:
    party = Party(np.array([[10.0, 10.0]]), np.array([0.5]), np.array([6.0]))
    goal = Outlines(np.array([[30.0, 10.0]]), np.array([0.5]))
    _, outcome = _written(tmp_path, party, Ground((60.0, 44.0)), goal)
    command = [sys.executable, "-P", str(ONE_PLAN), str(ROOT), str(tmp_path / f"made{SUFFIX}")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    (row,) = json.loads(done.stdout)
    assert row["gave"] == json.loads(json.dumps(plain_outcome(outcome)))
    assert row["gave"]["left"] == pytest.approx([12.0])
    assert row["seconds"] > 0


def test_the_walls_of_a_ruin_meet_at_the_corner_nearest_to_the_middle() -> None:
    footprint = [(0.0, 0.0), (10.0, 0.0), (10.0, 6.0), (0.0, 6.0)]
    assert walls_of(footprint, (30.0, 22.0)) == [[(10.0, 0.0), (10.0, 6.0), (0.0, 6.0)]]
    assert walls_of(footprint, (-5.0, -5.0)) == [[(0.0, 6.0), (0.0, 0.0), (10.0, 0.0)]]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_battle_begins_on_each_walled_table(layout: str, assets: Path) -> None:
    library = Library(assets=assets)
    game = new_game(options_of(Job(1, "orks", "space-marines", layout), library, 1000), library)
    ruins = [piece for piece in game.state.position.terrain.values() if piece.kind == "ruin"]
    assert len(ruins) >= 2
    for ruin in ruins:
        assert ruin.floors == (FLOOR_INCHES,)
        assert ruin.walls is not None
        assert [len(line) for line in ruin.walls] == [3]
        assert {*ruin.walls[0]} < {*ruin.footprint}
    shipped = Library().layout(layout)
    assert [replace(p, walls=None, floors=()) for p in library.layout(layout).pieces] == [*shipped.pieces]
