"""Firefight's clauses on the Battle that also plays the 10th edition.

The clauses are those of activations, dice, wounds, melee and morale.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from datasheets.library import Library
from engine.core import event as ev
from engine.core.facts import HORDE, PLAYERS, BoardFacts, TerrainFacts, UnitFacts
from engine.core.game import IllegalAnswer
from engine.core.play import play
from engine.core.request import Choose, Chosen, Move, Moves, Ordered, Said
from engine.core.ruleset import Step
from engine.records.rulebook import Rulebook
from engine.scenario.situation import END
from engine.w40k.battle import Battle
from engine.w40k.view import View
from tests.engine.firefight import force, skirmish, soldier

LIBRARY = Library()
At = Sequence[tuple[float, float]]
BROTHERS, BIG, ORCS = force.BROTHER, force.DESTROYER, force.ORC


def staged(
    units: Sequence[tuple[str, str, Any, At]],
    run: Callable[[Battle], Any] | None = None,
    marks: dict[str, Any] | None = None,
    board: BoardFacts | None = None,
    rounds: int = 4,
    **dice: list[int],
) -> Battle:
    """Return a battle in the middle of its first round, with these units in place.

    `run` is its only step; without it the ruleset's own steps follow.
    """
    opening: list[ev.Event] = []
    row = 0
    for name, side, profile, at in units:
        facts: UnitFacts = force.squad(name, side, len(at), row, profile)
        poses = {row + i: (x, y, 0.0, 0.0) for i, (x, y) in enumerate(at)}
        opening.append(ev.Placed(unit=name, facts=facts, poses=poses))
        row += len(at)
    opening += [ev.Marked(on=on, key=key, value=value) for (on, key), value in (marks or {}).items()]  # type: ignore[misc]
    opening.append(ev.RoundBegan(number=1))
    steps = (Step("a step", "", run), END) if run else skirmish.FIREFIGHT.steps[1:]
    return Battle(
        replace(skirmish.FIREFIGHT, steps=steps),
        LIBRARY,
        1,
        skirmish.setup(board or force.BOARD, rounds),
        rulebook=Rulebook(()),
        opening=tuple(opening),
        script={kind.replace("_", "-"): list(faces) for kind, faces in dice.items()},
    )


def once(steps: Callable[[Battle], Any]) -> Callable[[Battle], Any]:
    def run(game: Battle) -> Any:
        yield from steps(game)
        return False

    return run


def rolled(game: Battle, kind: str) -> list[tuple[tuple[int, ...], int]]:
    return [(e.dice, e.need) for e in game.events if isinstance(e, ev.Rolled) and e.roll == kind]


def choose(game: Battle, *names: str) -> None:
    assert isinstance(game.pending, Choose), game.pending
    game.submit(Chosen(ids=names))


def activated(game: Battle) -> list[str]:
    return [
        e.on.removeprefix("unit:")
        for e in game.events
        if isinstance(e, ev.Marked) and e.key == "activated" and e.value
    ]


FAR = [("a", PLAYERS, BIG, [(10, 4)]), ("b", PLAYERS, BIG, [(20, 4)]), ("x", HORDE, BIG, [(30, 44)])]


def test_activations_alternate_and_who_has_finished_first_begins_the_next_round() -> None:
    """Rule: GFF.TURN.1."""
    game = staged(FAR, first_side=[6])
    for name in ("a", "x", "b"):
        assert game.pending is not None
        asked = {option.id for option in game.pending.options}  # type: ignore[union-attr]
        assert asked == ({"x"} if name == "x" else {"a", "b"} - set(activated(game)))
        choose(game, name)
        choose(game, "hold")
    # The Horde's only unit was done before the players' last one: it begins round 2.
    assert game.state.round == 2
    assert game.pending is not None
    assert game.pending.seats == ("horde",)


def test_no_phase_and_no_turn_ever_begins() -> None:
    """Rule: GFF.TURN.1."""
    game = skirmish.skirmish(3, LIBRARY)
    play(game, {"horde": soldier.Soldier(), "p1": soldier.Soldier()}, View)
    assert game.is_over
    fought = [e for e in game.events if e.round]
    assert {e.phase for e in fought} == {""}
    assert not [e for e in game.events if isinstance(e, ev.TurnBegan)]
    kinds = {e.kind for e in game.events}
    assert {"moved", "targeted", "attacked", "destroyed", "unit-destroyed"} <= kinds
    assert not kinds & {"shocked", "card-revealed", "gained"}


@pytest.mark.parametrize(("kind", "far"), [("advance", 6.0), ("rush", 12.0)])
def test_how_far_a_unit_goes(kind: str, far: float) -> None:
    """Rule: GFF.ACT.1, GFF.MOVE.1."""
    game = staged([("a", PLAYERS, BIG, [(10, 4)]), ("x", HORDE, BIG, [(10, 44)])], first_side=[4])
    choose(game, "a")
    choose(game, kind)
    assert isinstance(game.pending, Move)
    with pytest.raises(IllegalAnswer):
        game.submit(Moves(paths={0: ((10.0, 4.0 + far + 0.001),)}))
    game.submit(Moves(paths={0: ((10.0, 4.0 + far),)}))
    assert game.state.position.table.xy[0].tolist() == [10.0, 4.0 + far]


def test_a_unit_stays_more_than_an_inch_from_friends_too() -> None:
    """Rule: GFF.MOVE.1."""
    size = 25 / 25.4
    friend = ("b", PLAYERS, BIG, [(15 + size, 4)])
    game = staged([("a", PLAYERS, BIG, [(10, 4)]), friend, ("x", HORDE, BIG, [(10, 44)])], first_side=[4])
    choose(game, "a")
    choose(game, "advance")
    with pytest.raises(IllegalAnswer):
        game.submit(Moves(paths={0: ((14.001, 4.0),)}))
    game.submit(Moves(paths={0: ((13.999, 4.0),)}))


SHOT = [("a", PLAYERS, BROTHERS, [(10, 4), (11.2, 4)]), ("x", HORDE, ORCS, [(10, 20)] * 1)]


def test_a_quality_die_each_and_a_defense_die_for_each_hit() -> None:
    """Rule: GFF.SHOOT.1, GFF.GEN.1."""
    # Quality 3 hits; a Defense of 5 worsened by AP(1) blocks on 6 only.
    game = staged(SHOT, first_side=[4], quality=[2, 3], defense=[5], wound=[1])
    choose(game, "a")
    choose(game, "hold")
    choose(game, "x")
    assert rolled(game, "quality") == [((2, 3), 3)]
    assert rolled(game, "defense") == [((5,), 6)]
    assert game.state.position.units["x"].marks.count("wounds") == 1
    assert "shaken" in game.state.position.units["x"].marks


def test_a_unit_in_cover_blocks_one_better() -> None:
    """Rule: GFF.TER.1."""
    woods = TerrainFacts(
        id="w", kind="woods", footprint=((5.0, 17.0), (15.0, 17.0), (15.0, 23.0), (5.0, 23.0))
    )
    board = BoardFacts(size=(48.0, 48.0), terrain=(woods,))
    game = staged(SHOT, board=board, first_side=[4], quality=[2, 3], defense=[5])
    choose(game, "a")
    choose(game, "hold")
    choose(game, "x")
    assert rolled(game, "defense") == [((5,), 5)]
    assert game.state.position.units["x"].marks.count("wounds") == 0


def test_a_six_always_succeeds_and_a_one_never() -> None:
    """Rule: GFF.GEN.1."""
    assert [die for die in range(1, 7) if skirmish.succeeds(die, 7)] == [6]
    assert [die for die in range(1, 7) if skirmish.succeeds(die, 1)] == [2, 3, 4, 5, 6]


def out_of_six(profile: Any, wounds: int, marks: dict[Any, Any]) -> int:
    """Return on how many faces of the die a lone model that takes these wounds is knocked out."""
    out = 0
    for face in range(1, 7):
        hurt = once(
            lambda g: skirmish.suffer(g, g.state.position.units["a"], wounds, g.state.position.units["x"])
        )
        game = staged(
            [("a", PLAYERS, profile, [(10, 4)]), ("x", HORDE, BIG, [(9, 40)])], hurt, marks, wound=[face]
        )
        assert game.is_over
        gone = game.state.position.units["a"].where == "destroyed"
        assert gone or "shaken" in game.state.position.units["a"].marks
        out += gone
    return out


SHAKEN = {("unit:a", "shaken"): True}


@pytest.mark.parametrize(
    ("profile", "before", "shaken", "faces"),
    [
        (BROTHERS, 0, False, 2),
        (BROTHERS, 1, False, 3),
        (BROTHERS, 1, True, 4),
        (BROTHERS, 2, False, 4),
        (BROTHERS, 2, True, 5),
        (BIG, 2, False, 2),
        (BIG, 3, False, 3),
    ],
)
def test_how_often_a_wound_knocks_out(profile: Any, before: int, shaken: bool, faces: int) -> None:
    """Rule: GFF.WND.1, GFF.WND.2."""
    marks: dict[Any, Any] = {("unit:a", "wounds"): before} if before else {}
    assert out_of_six(profile, 1, marks | (SHAKEN if shaken else {})) == faces


def test_a_tough_model_is_not_tested_before_its_wounds_are_that_many() -> None:
    """Rule: GFF.WND.2."""
    hurt = once(lambda g: skirmish.suffer(g, g.state.position.units["a"], 2, g.state.position.units["x"]))
    game = staged([("a", PLAYERS, BIG, [(10, 4)]), ("x", HORDE, BIG, [(9, 40)])], hurt)
    assert rolled(game, "wound") == []
    assert game.state.position.units["a"].marks.count("wounds") == 2
    assert "shaken" not in game.state.position.units["a"].marks


def test_a_group_loses_models_in_its_player_s_order_until_one_is_left() -> None:
    """Rule: GFF.WND.3."""
    hurt = once(lambda g: skirmish.suffer(g, g.state.position.units["a"], 2, g.state.position.units["x"]))
    at = [(10, 4), (11.2, 4), (12.4, 4), (13.6, 4)]
    game = staged([("a", PLAYERS, BROTHERS, at), ("x", HORDE, BIG, [(9, 40)])], hurt)
    game.submit(Ordered(ids=("3", "1", "0", "2")))
    assert game.state.position.units["a"].rows == (0, 2)
    assert game.state.position.units["a"].marks.count("wounds") == 0
    hurt = once(lambda g: skirmish.suffer(g, g.state.position.units["a"], 5, g.state.position.units["x"]))
    game = staged([("a", PLAYERS, BROTHERS, at), ("x", HORDE, BIG, [(9, 40)])], hurt, wound=[3])
    assert game.state.position.units["a"].rows == (3,)
    assert game.state.position.units["a"].marks.count("wounds") == 2


def test_a_shaken_unit_idles_once() -> None:
    """Rule: GFF.SHK.1."""
    units = [("a", PLAYERS, BIG, [(10, 4)]), ("x", HORDE, BIG, [(10, 44)])]
    game = staged(units, marks=dict(SHAKEN), first_side=[4])
    choose(game, "a")
    assert game.pending is not None
    assert game.pending.seats == ("horde",)
    assert "shaken" not in game.state.position.units["a"].marks


NEAR = [("a", PLAYERS, BROTHERS, [(10, 4)]), ("x", HORDE, ORCS, [(10, 10)])]
TOUCH = 10.0 - 25 / 25.4


def charged(**dice: list[int]) -> Battle:
    game = staged(NEAR, first_side=[4], **dice)
    choose(game, "a")
    choose(game, "charge")
    choose(game, "x")
    game.submit(Moves(paths={0: ((10.0, TOUCH),)}))
    assert game.pending is not None
    assert game.pending.decision == "path"
    game.submit(Moves())
    return game


def test_a_charge_is_struck_back_and_backs_off() -> None:
    """Rule: GFF.MELEE.1, GFF.MELEE.2, GFF.MELEE.3."""
    game = charged(quality=[6, 3, 4], defense=[6, 1, 3], wound=[1])
    assert rolled(game, "quality") == [((6,), 3)]
    assert game.pending is not None
    assert game.pending.seats == ("horde",)
    game.submit(Said(yes=True))
    # Two attacks of the orc, no longer furious: it was charged. Its Quality of 4 hits once.
    assert rolled(game, "quality")[1:] == [((3, 4), 4)]
    assert rolled(game, "defense") == [((6,), 5), ((1,), 3)]
    marks = [set(game.state.position.units[name].marks.values) for name in "ax"]
    assert all("fatigued" in each for each in marks)
    assert isinstance(game.pending, Move)
    assert game.pending.kind == "fall-back"
    with pytest.raises(IllegalAnswer):
        game.submit(Moves(paths={0: ((10.0, TOUCH - 0.9),)}))
    game.submit(Moves(paths={0: ((10.0, TOUCH - 1.000005),)}))


def test_who_kills_what_it_charged_may_go_on() -> None:
    """Rule: GFF.MELEE.2."""
    game = charged(quality=[5], defense=[2], wound=[6])
    assert game.state.position.units["x"].where == "destroyed"
    assert isinstance(game.pending, Move)
    assert (game.pending.kind, game.pending.limits) == ("normal", {0: 3.0})


def test_who_is_tired_hits_on_sixes_only() -> None:
    """Rule: GFF.MELEE.3."""
    marks = {("unit:x", "fatigued"): True}
    strike = once(lambda g: skirmish.strike(g, g.state.position.units["x"], g.state.position.units["a"]))
    side_by_side = [("a", PLAYERS, BIG, [(10, 4)]), ("x", HORDE, ORCS, [(10, 6.5)])]
    game = staged(side_by_side, strike, marks, quality=[5, 6], defense=[6])
    assert rolled(game, "quality") == [((5, 6), 6)]
    assert rolled(game, "defense") == [((6,), 3)]


def test_a_furious_charger_s_sixes_hit_twice_and_only_who_is_near_strikes() -> None:
    """Rule: GFF.MELEE.1."""
    strike = once(
        lambda g: skirmish.strike(g, g.state.position.units["x"], g.state.position.units["a"], charging=True)
    )
    reach = 4 + 25 / 25.4 + 2
    orcs = ("x", HORDE, ORCS, [(10, reach), (10, reach + 1.1)])
    game = staged([("a", PLAYERS, BIG, [(10, 4)]), orcs], strike, quality=[6, 2], defense=[6, 6])
    assert rolled(game, "quality") == [((6, 2), 4)]
    assert rolled(game, "defense") == [((6, 6), 3)]


@pytest.mark.parametrize(
    ("marks", "dice", "after"),
    [
        ({}, {"morale": [4]}, "steady"),
        ({}, {"morale": [3]}, "shaken"),
        ({("unit:x", "shaken"): True}, {}, "routed"),
    ],
    ids=["passes", "fails", "is shaken already"],
)
def test_morale_of_a_side_down_to_half(marks: Any, dice: Any, after: str) -> None:
    """Rule: GFF.MOR.1, GFF.SHK.1."""
    units = [("a", PLAYERS, BIG, [(10, 4)]), ("x", HORDE, ORCS, [(9, 40)]), ("y", HORDE, ORCS, [(20, 40)])]

    def run(game: Battle) -> Any:
        yield from skirmish.knock_out(game, game.state.position.units["y"], "a", "GFF.WND.1")
        yield from skirmish.morale(game, HORDE)
        return False

    game = staged(units, run, marks, **dice)
    unit = game.state.position.units["x"]
    found = "routed" if unit.where == "destroyed" else "shaken" if "shaken" in unit.marks else "steady"
    assert found == after


def test_morale_is_not_tested_above_half_and_the_fearless_have_another_chance() -> None:
    """Rule: GFF.MOR.1."""
    units = [("a", PLAYERS, BIG, [(10, 4)]), ("b", PLAYERS, BIG, [(20, 4)]), ("x", HORDE, ORCS, [(9, 40)])]
    assert rolled(staged(units, once(lambda g: skirmish.morale(g, PLAYERS))), "morale") == []

    def run(game: Battle) -> Any:
        yield from skirmish.knock_out(game, game.state.position.units["b"], "x", "GFF.WND.1")
        yield from skirmish.morale(game, PLAYERS)
        return False

    game = staged(units, run, morale=[2], fearless=[4])
    assert "shaken" not in game.state.position.units["a"].marks


def test_a_seized_marker_stays_seized_until_the_enemy_comes() -> None:
    """Rule: GFF.OBJ.1, GFF.SHK.1."""
    units = [("a", PLAYERS, BIG, [(12, 21)]), ("b", PLAYERS, BIG, [(40, 4)]), ("x", HORDE, BIG, [(12, 44)])]
    holder: list[str] = []

    def run(game: Battle) -> Any:
        for spot in ((12, 21), (12, 10)):
            game.state.position.table.put({0: (*spot, 0.0, 0.0)})
            yield from skirmish.end_round(game)
            holder.append(game.state.position.objectives["west"].by)
        game.state.position.table.put({2: (12, 26, 0.0, 0.0)})
        game.log(ev.Marked(on="unit:x", key="shaken", value=True))
        yield from skirmish.end_round(game)
        holder.append(game.state.position.objectives["west"].by)
        game.log(ev.Marked(on="unit:x", key="shaken", value=None))
        game.state.position.table.put({0: (12, 22, 0.0, 0.0)})
        yield from skirmish.end_round(game)
        holder.append(game.state.position.objectives["west"].by)
        return False

    staged(units, run)
    assert holder == ["players", "players", "players", ""]
