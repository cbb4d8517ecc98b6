"""`horde scenario record`: a decision of a replay as a scenario that holds, and its TOML."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from datasheets.errors import BadData, HordeError, UnknownName
from datasheets.library import Library
from datasheets.scenario import Expect, Scenario, load_scenario, parse_scenario
from engine.core import event as ev
from engine.core.apply import fold
from engine.core.log import AnswerLine
from engine.core.replay import Replay, write_replay
from engine.core.request import Because, Moves
from engine.horde.setup import Options
from engine.scenario.run import Run
from engine.scenario.stage import Builder
from engine.scenario.trial import try_scenario
from engine.systems import header_of
from viewer.commands.cast import CAST
from viewer.commands.cutting import toml
from viewer.commands.recorder import cut, expected, moment_of, record

LIBRARY = Library()
BATTLE = """
board = { deployment = "hammer-and-anvil", spawn_zones = 2 }
step = ["movement", "shooting", "charge", "fight"]
round = 3
seed = 4
factions = ["death-guard"]
active = ["MISERY.3"]
[[terrain]]
kind = "ruin"
footprint = [[28, 20], [32, 20], [32, 26], [28, 26]]
height = 5
[[objective]]
id = "A"
at = [30, 10]
[[unit]]
id = "walkers"
side = "horde"
datasheet = "death-guard/poxwalkers"
models = 10
at = [45, 38]
[[unit]]
id = "riders"
side = "horde"
characteristics = { M = 10, W = 3, T = 6 }
base = { shape = "oval", mm = [75, 42] }
keywords = ["MOUNTED"]
at = [[28.3, 30], [28.3, 32.4]]
facing = 180
wounds_lost = 1
weapons = [
  { name = "lance", range = "melee", A = 3, WS = 3, S = 6, AP = -2, D = 2 },
  { name = "carbine", range = 18, A = 2, BS = 4 },
]
[[unit]]
id = "squad"
side = "p1"
datasheet = "space-marines/intercessor-squad"
models = 5
at = [20, 30]
[[unit]]
id = "captain"
side = "p1"
keywords = ["INFANTRY", "CHARACTER"]
characteristics = { W = 5, Sv = 2 }
at = [[18, 27]]
attached_to = "squad"
[[unit]]
id = "late"
side = "p1"
state = ["in-reserves"]
[[expect]]
that = "models('late') == 1"
"""


@pytest.fixture(scope="module")
def battle() -> Replay:
    """Return a short fight as a replay.

    It has a ruin, wounds, a leader, reserves, a card, and bases of two shapes.
    """
    stage = Builder(parse_scenario(BATTLE, "battle"), LIBRARY, "battle").stage()
    Run(stage, CAST).outcome()
    options = Options((LIBRARY.army("space-marines-1000"),), ("death-guard",), seed=4)
    header = header_of(options, LIBRARY)
    return Replay(header, tuple(stage.game.lines))


def decided(replay: Replay, decision: str, unit: str) -> int:
    """Return the number of the first answer of a unit to a decision."""
    for line, told in zip(replay.lines, replay.lines[1:], strict=False):
        if isinstance(line, AnswerLine) and line.decision == decision and getattr(told, "unit", "") == unit:
            return line.answer
    raise AssertionError(f"{unit} never decides its {decision}")


def cut_out(replay: Replay, decision: str, unit: str) -> tuple[Scenario, tuple[str, ...]]:
    moment = moment_of(replay, "battle", decided(replay, decision, unit), "", None)
    text, left_out = cut(replay, moment, LIBRARY, "battle")
    return parse_scenario(text, "cut"), left_out


@pytest.mark.parametrize(
    ("decision", "unit"),
    [
        ("move", "walkers"),
        ("move", "riders"),
        ("shoot", "riders"),
        ("charge", "riders"),
        ("fight", "riders"),
    ],
)
def test_what_is_cut_out_holds(battle: Replay, decision: str, unit: str) -> None:
    scenario, _ = cut_out(battle, decision, unit)
    assert try_scenario(scenario, LIBRARY, "cut", CAST).holds
    assert scenario.act == unit
    first = scenario.expect[0]
    assert first.unit == unit
    assert first.because


def test_the_moment_is_as_it_was(battle: Replay) -> None:
    """After their move the riders stand where the log has them.

    The wound is still lost, the leader still attached.
    """
    scenario, left_out = cut_out(battle, "shoot", "riders")
    assert not left_out
    assert (scenario.round, scenario.step, scenario.active) == (3, "horde.shooting", ("MISERY.3",))
    units = {unit.id: unit for unit in scenario.unit}
    moves = [e for e in battle.events if isinstance(e, ev.Moved) and e.unit == "riders"]
    poses = [pose for e in moves if e.phase == "movement" for pose in e.poses.values()]
    assert units["riders"].places == tuple(pose[:2] for pose in poses)
    assert units["riders"].wounds_lost == 1
    assert units["late"].at is None
    leaders = [unit for unit in scenario.unit if unit.attached_to == "squad"]
    assert [unit.characteristics["W"] for unit in leaders] == [5]


def test_another_end_of_the_move_would_not_hold(battle: Replay) -> None:
    scenario, left_out = cut_out(battle, "move", "riders")
    assert not left_out
    claim = next(each.that for each in scenario.expect if each.that)
    elsewhere = claim.replace("< 0.01", "> 0.01")
    wrong = scenario.model_copy(update={"expect": (Expect(that=elsewhere),)})
    assert not try_scenario(wrong, LIBRARY, "cut", CAST).holds


def test_what_the_format_cannot_tell_is_never_written(battle: Replay) -> None:
    """Reasons that the Horde would not give are no scenario: nothing that fails is cut out."""
    moment = moment_of(battle, "battle", decided(battle, "move", "riders"), "", None)
    other = Because(clause="AI.STAY.1", reason="It stays.")
    bent = type(moment)(moment.start, moment.end, moment.answer, moment.unit, (other,))
    with pytest.raises(HordeError, match="cannot be cut out"):
        cut(battle, bent, LIBRARY, "battle")


@pytest.mark.parametrize("seed", range(4))
def test_what_was_drawn_between_equals_is_drawn_again(seed: int) -> None:
    """Of two enemies equally far to the left and right, the file's seed draws the same again."""
    text = (
        f'seed = {seed}\nboard = {{ deployment = "none" }}\nstep = "movement"\n'
        '[[unit]]\nid = "mob"\nside = "horde"\nat = [[30, 22]]\n'
        '[[unit]]\nid = "left"\nside = "p1"\nat = [[10, 22]]\n'
        '[[unit]]\nid = "right"\nside = "p1"\nat = [[50, 22]]\n'
        "[[expect]]\nthat = \"models('mob') == 1\""
    )
    stage = Builder(parse_scenario(text, "equals"), LIBRARY, "equals").stage()
    Run(stage, CAST).outcome()
    header = {"ruleset": "horde-1.1", "seed": 100 + seed, "setup": {"factions": []}, "rulings": {}}
    scenario, _ = cut_out(Replay(header, tuple(stage.game.lines)), "move", "mob")
    x = stage.game.state.position.table.xy[0, 0]
    assert scenario.expect[0].toward == ("left" if x < 30 else "right")


def test_a_consolidation_that_moves_nobody_is_none(battle: Replay) -> None:
    """A scenario knows no consolidation in which nobody moves: it expects that there is none."""
    asked = moment_of(battle, "battle", decided(battle, "fight", "riders"), "", None)
    answer = AnswerLine(answer=0, seat="horde", decision="consolidate", rule="CORE.FGT.7", value=Moves())
    still = type(asked)(asked.start, asked.end, answer, "riders", asked.because)
    state = fold(line for line in battle.lines[: asked.start] if isinstance(line, ev.Event))
    assert expected(still, state) == [{"decision": "consolidate", "unit": "riders", "count": 0}]
    moved = AnswerLine(
        answer=0,
        seat="horde",
        decision="consolidate",
        rule="CORE.FGT.7",
        value=Moves(paths={10: ((1.0, 2.0),)}),
    )
    goes = type(asked)(asked.start, asked.end, moved, "riders", asked.because)
    assert "count" not in expected(goes, state)[0]


def test_a_unit_s_first_decision_of_a_round(battle: Replay) -> None:
    moment = moment_of(battle, "battle", None, "riders", 3)
    assert moment.answer.answer == decided(battle, "move", "riders")
    with pytest.raises(BadData, match="round 2: riders decides nothing in it; it does in 3"):
        moment_of(battle, "battle", None, "riders", 2)
    with pytest.raises(UnknownName, match="did you mean 'riders'"):
        moment_of(battle, "battle", None, "rider", 3)
    with pytest.raises(HordeError, match="--decision N, or --unit ID and --round N"):
        moment_of(battle, "battle", None, "riders", None)


def test_a_decision_that_is_none_of_the_horde_s(battle: Replay) -> None:
    with pytest.raises(BadData, match=r"decision 9999: there is none; the replay has 0 to \d+"):
        moment_of(battle, "battle", 9999, "", None)
    mine = next(line.answer for line in battle.answers if line.seat == "p1")
    with pytest.raises(BadData, match=f"decision {mine}: it is p1's"):
        moment_of(battle, "battle", mine, "", None)


def test_a_file_is_written_once(battle: Replay, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = tmp_path / "a.replay", tmp_path / "cut.toml"
    write_replay(file, battle.header, list(battle.lines))
    number = decided(battle, "charge", "riders")
    record(file, out, number, "", None)
    assert f"{out}: decision {number} of riders in round 3, charge" in capsys.readouterr().out
    assert try_scenario(load_scenario(out), LIBRARY, str(out), CAST).holds
    before = out.read_text()
    with pytest.raises(BadData, match=r"cut\.toml: it is there already"):
        record(file, out, number, "", None)
    assert out.read_text() == before


def test_what_is_told_in_toml_is_read_back_as_it_was() -> None:
    said = {
        "text": 'a "quoted" — line\\',
        "whole": 12.0,
        "far": 123.4567891,
        "yes": True,
        "list": [[1, 2.5], [3, -0.25]],
        "inner": {"needs quotes": 1, "plain-key": [], "deep": {"a": "b"}},
        "unit": [{"id": "a", "base": {"mm": [32]}}, {"id": "b", "weapons": [{"name": "gun"}]}],
    }
    assert tomllib.loads(toml(said)) == said
