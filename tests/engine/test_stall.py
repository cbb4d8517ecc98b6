"""Whether the later search finds moves that a unit missed, and none where there is none."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import stalled
from msgspec.structs import replace

from engine.audit.progress import Yardstick
from engine.audit.referee.allowance import Allowance
from engine.audit.referee.scene import Scene
from engine.audit.stalemate import Missed, Seeker, missed
from engine.core import event as ev
from engine.core.facts import HORDE, TerrainFacts
from engine.core.log import BecauseLine
from engine.core.request import Because
from engine.horde.ruleset_1_1 import HORDE_1_1

SCRIPT = Path(__file__).parents[2] / "scripts" / "stalled.py"
Seek = Callable[..., list[Missed]]


def wall(name: str, x0: float, y0: float, x1: float, y1: float) -> TerrainFacts:
    ring = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return TerrainFacts(id=name, kind="wall", footprint=ring, height=6.0)


@pytest.fixture
def seek(play: Any, board: Any) -> Seek:
    """Return a function that gives the moves that the foes missed.

    The foes stand, and say that they head for the marines.
    """

    def sought(stands: Any, *terrain: TerrainFacts) -> list[Missed]:
        game = play(stands, board=replace(board, terrain=terrain))
        aims = Because(clause="AI.MOVE.1", reason="It cannot.", target="marines", ruling="R.A03")
        line = BecauseLine(because=5, seat=HORDE, decision="move", unit="foes", reasons=(aims,))
        opening = [event for event in game.events if not isinstance(event, ev.BattleEnded)]
        opening.append(ev.PhaseBegan(name="movement", step="movement", cursor=0))
        found, looked = missed([*opening, line], HORDE_1_1, game.rulebook)
        assert looked == 1
        return found

    return sought


def test_a_unit_that_stands_in_the_open_missed_a_whole_move(seek: Seek, marines: Any, foes: Any) -> None:
    (found,) = seek([marines(), foes(at=[(30.0, 30.0), (31.5, 30.0)])])
    assert (found.n, found.unit, found.target, found.why) == (5, "foes", "marines", "It cannot.")
    assert 4.0 < found.nearer <= 6.0


@pytest.mark.parametrize(("opened", "helps"), [(12.0, True), (1.0, False), (math.inf, True)])
def test_who_opened_a_way_by_its_own_move_is_helped_by_a_shorter_one_alone(
    opened: float, helps: bool, play: Any, marines: Any, foes: Any
) -> None:
    """Whatever it does, more than 1 inch is left to it; less than 12 may be."""
    game = play([marines(), foes(at=[(30.0, 26.0)])])
    state = game.state
    scene = Scene(state, HORDE_1_1.parameters, Allowance(state, HORDE_1_1, game.rulebook))
    yardstick = Yardstick(state, HORDE_1_1, game.rulebook)
    seeker = Seeker(scene, yardstick, state.position.units["foes"], "marines", opened)
    assert (seeker.move() is not None) is helps


def test_a_way_round_a_wall_is_found_and_none_out_of_a_pen(seek: Seek, marines: Any, foes: Any) -> None:
    stands = [marines(), foes(at=[(30.0, 24.0)])]
    aside = wall("w", 27.0, 20.0, 33.0, 21.0)
    (found,) = seek(stands, aside)
    assert found.nearer > 2.0
    pen = [
        wall("s", 28.0, 22.0, 32.0, 23.0),
        wall("n", 28.0, 25.0, 32.0, 26.0),
        wall("w", 28.0, 23.0, 29.0, 25.0),
        wall("e", 31.0, 23.0, 32.0, 25.0),
    ]
    assert seek(stands, *pen) == []


@pytest.mark.rule("R.A03", "CORE.MOVE.8")
def test_who_stands_off_from_what_it_could_climb_missed_coming_up_to_it(
    seek: Seek, marines: Any, foes: Any
) -> None:
    """No place round the container is nearer; a place at its foot is.

    For a unit that stands at its foot already, no place is nearer.
    """
    ring = ((4.0, 20.0), (60.0, 20.0), (60.0, 21.0), (4.0, 21.0))
    long = TerrainFacts(id="long", kind="container", footprint=ring, height=3.0)
    tank = ("VEHICLE",)
    (found,) = seek([marines(), foes(at=[(30.0, 25.0)], keywords=tank)], long)
    assert 2.0 < found.nearer < 4.0
    beside = foes(at=[(30.0, 21.0 + 16 / 25.4)], keywords=tank)
    assert seek([marines(), beside], long) == []


@pytest.mark.rule("AI.STAY.5")
@pytest.mark.parametrize(("ends", "misses"), [((30.0, 20.0), False), ((1.0, 33.0), True)])
def test_a_unit_that_left_a_zone_is_judged_by_what_all_its_models_have_left(
    ends: Any, misses: bool, play: Any, marines: Any, foes: Any
) -> None:
    """One move made brings it nearest, the other leads it aside."""
    game = play([marines(), foes(at=[(30.0, 35.0)])])
    state = game.state
    row = state.position.units["foes"].rows[0]
    made = ev.Moved(unit="foes", kind_of_move="normal", poses={row: (*ends, 0.0, 0.0)}, paths={})
    scene = Scene(state, HORDE_1_1.parameters, Allowance(state, HORDE_1_1, game.rulebook))
    yardstick = Yardstick(state, HORDE_1_1, game.rulebook)
    seeker = Seeker(scene, yardstick, state.position.units["foes"], "marines", made=made)
    assert (seeker.move() is not None) is misses


def test_models_in_the_way_of_their_own_follow_or_give_way(seek: Seek, marines: Any, foes: Any) -> None:
    """The first of a column cannot leave the others behind; all go, or those that must."""
    column = [(30.0, 25.0 + 1.4 * i) for i in range(7)]
    (found,) = seek([marines(), foes(at=column)])
    assert found.nearer > 1.0
    assert len(found.ends) > 1


def test_battles_are_on_every_layout_named_and_told_by_their_keys() -> None:
    wanted = list(stalled.jobs(40, 1))
    assert len({job.key for job in wanted}) == 40
    assert {job.layout for job in wanted} == set(stalled.LAYOUTS)
    row = {
        "key": "k",
        "missed": [{"n": 3, "round": 2, "unit": "u", "nearer": 1.5, "target": "t", "why": "w"}],
    }
    (line,) = stalled.told(row)
    assert line == 'k, answer 3, round 2: u could have come 1.50" nearer to t; it said: w'


def test_a_sample_of_battles_misses_nothing_and_is_not_played_twice(tmp_path: Path) -> None:
    out = tmp_path / "stalled.jsonl"

    def run() -> subprocess.CompletedProcess[str]:
        words = [sys.executable, str(SCRIPT), "--sample", "--workers", "1", "--out", str(out)]
        return subprocess.run(words, capture_output=True, text=True, timeout=600)

    first = run()
    assert first.returncode == 0, first.stdout + first.stderr
    assert "1 battles: " in first.stdout
    before = out.read_bytes()
    assert run().returncode == 0
    assert out.read_bytes() == before
