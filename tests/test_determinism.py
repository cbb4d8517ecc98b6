"""What may not change: the log of a seed, whoever looks on, and whatever is taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from ai.autopilot.autopilot import SteadyAgent
from ai.horde.horde_ai import HordeAgent
from datasheets.library import Library
from datasheets.scenario import load_scenario, parse_scenario
from engine.core import event as ev
from engine.core.facts import HORDE
from engine.core.game import Game
from engine.core.replay import encode
from engine.core.request import AnyAnswer, AnyRequest, Choose, Chosen, Move, Moves
from engine.scenario.run import Cast, play
from engine.scenario.stage import Builder, Stage
from engine.w40k.view import View
from viewer.commands.cast import CAST

GOLDEN = Path(__file__).parent / "golden"


class Curious(HordeAgent):
    """The Horde, but that somebody looks at everything before each of its answers."""

    def answer(self, view: View, request: AnyRequest) -> AnyAnswer:
        """Return what the Horde answers, after asking what nobody needs to know."""
        for unit in view.units(HORDE):
            for enemy in view.enemies(unit):
                view.field.sight(unit, enemy)
                view.gaps(unit, enemy)
            for marker in view.objectives.values():
                view.sees_objective(unit, marker)
                view.field.in_range_of(unit, marker)
            view.field.outlook(unit)
            view.ground(unit, "normal")
        return super().answer(view, request)


@pytest.fixture(scope="module")
def library() -> Library:
    return Library()


def log(game: Game) -> list[bytes]:
    return list(map(encode, game.lines))


def staged(text: str, library: Library, seed: int | None = None) -> Stage:
    return Builder(parse_scenario(text, "drawn"), library, "drawn").stage(seed=seed)


@pytest.mark.rule("S.DET2")
@pytest.mark.parametrize("name", ["shooting", "combat", "spawning"])
def test_who_looks_on_changes_nothing(name: str, library: Library) -> None:
    scenario = load_scenario(GOLDEN / f"{name}.toml")
    builder = Builder(scenario, library, name)
    plain = play(builder.stage(), CAST).stage.game
    watched = play(builder.stage(), Cast(Curious, SteadyAgent)).stage.game
    assert len(plain.events) > 20
    assert log(watched) == log(plain)


SPAWNING = """
board = { deployment = "dawn-of-war", spawn_zones = 2 }
round = 2
step = ["shooting", "start-of-round.spawn"]
factions = ["death-guard"]

[[unit]]
id = "h"
side = "horde"
at = [[30, 20]]
weapons = [{ name = "gun", range = 24, A = %d, BS = 4, S = 4, AP = 0, D = 1 }]

[[unit]]
id = "p"
side = "p1"
at = [[30, 10]]
characteristics = { W = 90 }

[[expect]]
that = "True"
"""


def spawned(game: Game) -> list[tuple[object, ...]]:
    """Return what was rolled for each zone, the units that came, and where they stand."""
    rolled = [(e.zone, e.natural, e.total, e.entry) for e in game.events if isinstance(e, ev.SpawnRolled)]
    placed = [(e.unit, sorted(e.poses.items())) for e in game.events if isinstance(e, ev.Placed) and e.poses]
    return rolled + [each for each in placed if each[0] not in ("h", "p")]


@pytest.mark.rule("S.S21", "SPAWN.3", "SPAWN.4")
def test_the_dice_of_attacks_are_not_those_of_spawns(library: Library) -> None:
    """Whether one shot is fired before or forty, the same units come to the same places."""
    games = [play(staged(SPAWNING % shots, library), CAST).stage.game for shots in (1, 40)]
    hits = [sum(e.roll == "hit" for e in game.events if isinstance(e, ev.Rolled)) for game in games]
    assert len(spawned(games[0])) > 2
    assert spawned(games[0]) == spawned(games[1])
    assert log(games[0]) != log(games[1]), hits


@pytest.mark.rule("S.S21", "SPAWN.4")
def test_the_same_seed_spawns_the_same_and_another_does_not(library: Library) -> None:
    one, again, other = (
        spawned(play(staged(SPAWNING % 1, library, seed), CAST).stage.game) for seed in (5, 5, 6)
    )
    assert one == again
    assert one != other


ADVANCING = """
board = { deployment = "none" }
step = "movement"
side = "players"

[[unit]]
id = "p"
side = "p1"
at = [[30, 10]]

[[unit]]
id = "q"
side = "p1"
at = [[40, 10]]

[[unit]]
id = "h"
side = "horde"
at = [[30, 40]]

[[expect]]
that = "True"
"""


def advance(game: Game) -> Move:
    """Let the unit Advance, up to the question where it goes."""
    while isinstance(game.pending, Choose):
        ids = [option.id for option in game.pending.options]
        game.submit(Chosen(ids=("advance" if "advance" in ids else "p",)))
    assert isinstance(game.pending, Move)
    return game.pending


@pytest.mark.rule("S.ROB3")
def test_taking_a_move_back_gives_back_the_distance_but_not_the_die(library: Library) -> None:
    game = staged(ADVANCING, library).game
    asked = advance(game)
    rolled = [e.dice for e in game.events if isinstance(e, ev.Rolled)]
    given, before = len(game.answers), encode(asked)
    row = game.state.position.units["p"].rows[0]
    start = tuple(game.state.position.table.xy[row])
    game.submit(Moves(paths={row: ((30.0, 14.0),)}))
    assert tuple(game.state.position.table.xy[row]) != start
    assert "advanced" in game.state.position.units["p"].marks
    game.undo(given)
    assert tuple(game.state.position.table.xy[row]) == start
    assert encode(game.pending) == before
    game.undo(given - 1)
    assert "advanced" not in game.state.position.units["p"].marks
    assert encode(advance(game)) == before
    assert [e.dice for e in game.events if isinstance(e, ev.Rolled)] == rolled
