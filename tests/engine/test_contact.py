"""Base contact: which models must end a charge, pile-in or consolidation in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from ai.horde.melee_move import consolidate
from engine.core.facts import BoardFacts, ObjectiveFacts, Point, TerrainFacts
from engine.core.game import Game, IllegalAnswer
from engine.core.request import Moves, Steps
from engine.core.ruleset import Step
from engine.w40k.legality.free_contact import Approach, FreeContact
from engine.w40k.phase import charge, fight
from engine.w40k.view import View

Play = Callable[..., Game]
Make = Callable[..., Any]
WIDTH = 32 / 25.4
"""The diameter of a 32 mm base: between centres in base contact."""
BARE = BoardFacts()


def charging(play: Play, ours: Any, *others: Any, roll: tuple[int, int], ends: dict[int, Point]) -> Game:
    """Return the game after a charge of "marines" at "foes" to these places."""
    return play(
        [ours, *others],
        Step("charge", "charge", charge.charge, "players"),
        board=BARE,
        dice={"charge": list(roll)},
        answers={
            "next-unit": "marines",
            "charge": "foes",
            "path": Moves(paths={row: (end,) for row, end in ends.items()}),
        },
    )


@pytest.mark.rule("CORE.CHG.3", "S.D03")
@pytest.mark.parametrize(
    ("roll", "gap", "legal"),
    [((4, 5), 0.0, True), ((4, 5), 0.9, False), ((2, 2), 1.0, True), ((2, 3), 0.0, True)],
)
def test_a_charge_ends_in_contact_if_it_can(
    play: Play, marines: Make, foes: Make, roll: tuple[int, int], gap: float, legal: bool
) -> None:
    """Five inches away: a roll of 9 must touch, one of 4 cannot."""
    ours, theirs = marines(at=((20.0, 22.0),)), foes(at=((25.0 + WIDTH, 22.0),))
    end = {0: (25.0 - gap, 22.0)}
    if legal:
        game = charging(play, ours, theirs, roll=roll, ends=end)
        assert float(game.state.position.table.xy[0, 0]) == 25.0 - gap
    else:
        with pytest.raises(IllegalAnswer, match="base contact"):
            charging(play, ours, theirs, roll=roll, ends=end)


@pytest.mark.rule("CORE.CHG.3", "S.D04")
@pytest.mark.parametrize(("second", "legal"), [((25.0, 22.0 + WIDTH), True), ((24.0, 23.5), False)])
def test_both_chargers_touch_if_both_can(
    play: Play, marines: Make, foes: Make, second: Point, legal: bool
) -> None:
    ours = marines(at=((20.0, 22.0), (20.0, 22.0 + WIDTH)))
    theirs = foes(at=((25.0 + WIDTH, 22.0), (25.0 + WIDTH, 22.0 + WIDTH)))
    ends = {0: (25.0, 22.0), 1: second}
    if legal:
        charging(play, ours, theirs, roll=(4, 5), ends=ends)
    else:
        with pytest.raises(IllegalAnswer, match="model 1 could end in base contact"):
            charging(play, ours, theirs, roll=(4, 5), ends=ends)


@pytest.mark.rule("CORE.CHG.3", "S.D04")
def test_a_charger_whose_place_is_taken_need_not_touch(play: Play, marines: Make, foes: Make) -> None:
    """The one behind finds its straight way to the only enemy taken by the one in front."""
    ours = marines(at=((20.0, 22.0), (18.0, 22.0)))
    ends = {0: (25.0, 22.0), 1: (25.0 - WIDTH - 0.1, 22.0)}
    game = charging(play, ours, foes(at=((25.0 + WIDTH, 22.0),)), roll=(4, 5), ends=ends)
    assert float(game.state.position.table.xy[1, 0]) == 25.0 - WIDTH - 0.1


@pytest.mark.rule("CORE.CHG.3", "CORE.CHG.2")
def test_contact_next_to_another_enemy_is_not_asked_for(play: Play, marines: Make, foes: Make) -> None:
    """Contact would be within 1" of a unit that was not charged."""
    ours, theirs = marines(at=((20.0, 22.0),)), foes(at=((25.0 + WIDTH, 22.0),))
    other = foes("other", at=((25.0, 22.0 + WIDTH + 0.95),))
    game = charging(play, ours, theirs, other, roll=(4, 5), ends={0: (24.5, 22.0)})
    assert float(game.state.position.table.xy[0, 0]) == 24.5


def fighting(play: Play, ours: Any, others: Sequence[Any], step: str, move: Any, **more: Any) -> Game:
    """Return the game after a pile-in or consolidation of "marines" that have charged."""
    clause = {"pile-in": "CORE.FGT.4", "consolidate": "CORE.FGT.7"}[step]

    def shuffle(game: Game) -> Steps[bool]:
        yield from fight.shuffle_up(game, game.state.position.units["marines"], step, clause)
        return False

    return play(
        [ours, *others],
        Step("shuffle", "fight", shuffle, "players"),
        answers={step: move},
        **{"board": BARE, **more},
    )


@pytest.mark.rule("CORE.FGT.4", "S.F02")
@pytest.mark.parametrize(("gap", "legal"), [(0.0, True), (0.5, False)])
def test_a_pile_in_ends_in_contact_with_the_closest_enemy(
    play: Play, marines: Make, foes: Make, gap: float, legal: bool
) -> None:
    ours, theirs = marines(at=((20.0, 22.0),)), foes(at=((22.0 + WIDTH, 22.0),))
    move = Moves(paths={0: ((22.0 - gap, 22.0),)})
    if legal:
        fighting(play, ours, [theirs], "pile-in", move)
    else:
        with pytest.raises(IllegalAnswer, match="base contact"):
            fighting(play, ours, [theirs], "pile-in", move)


@pytest.mark.rule("CORE.CHG.3", "CORE.FGT.4")
@pytest.mark.parametrize("kind", ["charge", "pile-in", "consolidate"])
@pytest.mark.parametrize(
    ("gap", "is_missed"), [(0.0, False), (1.4e-7, False), (1.5e-6, False), (1e-5, True), (0.5, True)]
)
def test_models_apart_by_a_rounding_error_are_in_contact_already(
    play: Play,
    marines: Make,
    foes: Make,
    idle: Callable[..., Steps[bool]],
    gap: float,
    is_missed: bool,
    kind: str,
) -> None:
    """A model that stays misses no contact that it has but for rounding."""
    ours, theirs = marines(at=((20.0, 22.0),)), foes(at=((20.0 + WIDTH + gap, 22.0),))
    game = play([ours, theirs], Step("idle", "fight", idle, "players"), board=BARE)
    field, unit = game.field, game.state.position.units["marines"]
    targets = ("foes",) if kind == "charge" else ()
    approach = Approach(unit, kind, {0: 3.0}, targets, field.ground(unit, kind, targets))
    missed = FreeContact(field, approach, field.outlines(unit.rows)).missed([0])
    assert list(missed) == ([0] if is_missed else [])


@pytest.mark.rule("CORE.FGT.4")
@pytest.mark.parametrize("side", [-1, 1])
def test_of_two_enemies_equally_close_either_may_be_piled_into(
    play: Play, marines: Make, foes: Make, side: int
) -> None:
    ours = marines(at=((20.0, 22.0),))
    theirs = foes(at=((20.0, 20.0 - WIDTH), (20.0, 24.0 + WIDTH)))
    game = fighting(play, ours, [theirs], "pile-in", Moves(paths={0: ((20.0, 22.0 + 2.0 * side),)}))
    assert float(game.state.position.table.xy[0, 1]) == 22.0 + 2.0 * side


@pytest.mark.rule("CORE.FGT.7", "S.F04")
@pytest.mark.parametrize(("apart", "legal"), [(0.5, False), (4.1, True)])
def test_no_unit_leaves_combat_by_consolidating_onto_a_marker(
    play: Play, marines: Make, foes: Make, apart: float, legal: bool
) -> None:
    """The marker is west, the enemy east.

    At 0.5" the unit is in combat, at 4.1" it can reach no enemy.
    """
    board = BoardFacts(objectives=(ObjectiveFacts(id="m", at=(14.0, 22.0)),))
    ours, theirs = marines(at=((20.0, 22.0),)), foes(at=((20.0 + apart + WIDTH, 22.0),))
    move = Moves(paths={0: ((17.0, 22.0),)})
    if legal:
        fighting(play, ours, [theirs], "consolidate", move, board=board)
    else:
        with pytest.raises(IllegalAnswer, match="closest enemy"):
            fighting(play, ours, [theirs], "consolidate", move, board=board)


WALL = TerrainFacts(
    id="wall",
    kind="container",
    height=5.0,
    footprint=((20.8, 21.9), (20.9, 21.9), (20.9, 30.0), (20.8, 30.0)),
)


def onto_marker(play: Play, marines: Make, foes: Make, ours: Sequence[Point], *terrain: TerrainFacts) -> Game:
    """Return the battle after a unit has consolidated 3" west towards a marker.

    An enemy stands 2.5" east of where the first model began.
    """
    board = BoardFacts(terrain=terrain, objectives=(ObjectiveFacts(id="m", at=(14.0, 22.0)),))
    move = Moves(paths={row: ((x - 3.0, y),) for row, (x, y) in enumerate(ours)})
    theirs = foes(at=((20.0 + 2.5 + WIDTH, 22.0),))
    return fighting(play, marines(at=tuple(ours)), [theirs], "consolidate", move, board=board)


@pytest.mark.rule("CORE.FGT.7")
def test_an_enemy_straight_ahead_comes_before_a_marker(play: Play, marines: Make, foes: Make) -> None:
    with pytest.raises(IllegalAnswer, match="to whom a consolidation goes first"):
        onto_marker(play, marines, foes, [(20.0, 22.0)])


@pytest.mark.rule("CORE.FGT.7")
def test_an_enemy_to_whom_the_whole_unit_can_shift_comes_before_a_marker(
    play: Play, marines: Make, foes: Make
) -> None:
    """The two stand 2" apart: neither can reach the enemy alone and stay coherent."""
    with pytest.raises(IllegalAnswer, match="to whom a consolidation goes first"):
        onto_marker(play, marines, foes, [(20.0, 22.0), (18.0 - WIDTH, 22.0)])


@pytest.mark.rule("CORE.FGT.7")
def test_an_enemy_round_a_corner_does_not_come_before_a_marker(play: Play, marines: Make, foes: Make) -> None:
    """A wall closes the straight way; about its lower end 2.2" lead within engagement range."""
    game = onto_marker(play, marines, foes, [(20.0, 22.0)], WALL)
    assert float(game.state.position.table.xy[0, 0]) == 17.0


@pytest.mark.rule("CORE.FGT.7", "R.A61")
def test_an_agent_takes_the_plain_move_where_no_better_one_is_planned(
    play: Play, marines: Make, foes: Make
) -> None:
    """Behind a barricade that carries nobody, one of five can reach the enemy."""
    at = (
        (32.6206336, 27.7205754),
        (32.8409272, 30.8546976),
        (32.8409272, 29.2798944),
        (35.089627, 28.2876513),
        (33.2512978, 32.3750926),
    )
    low = TerrainFacts(
        id="low",
        kind="barricade",
        height=1.0,
        footprint=((36.5, 24.5), (38.5, 24.5), (38.5, 30.5), (36.5, 30.5)),
    )
    board = BoardFacts(terrain=(low,), objectives=(ObjectiveFacts(id="m", at=(30.0, 22.0)),))
    game = fighting(
        play,
        marines(at=at, mm=40.0),
        [foes(at=((40.1766108, 31.5314961),), mm=100.0)],
        "consolidate",
        lambda game: consolidate(View(game, "p1"), game.pending),
        board=board,
    )
    assert game.field.engaged_with(game.state.position.units["marines"])


@pytest.mark.rule("CORE.CHG.3", "CORE.CHG.2", "CORE.ER.2")
@pytest.mark.parametrize(("end", "fault"), [((24.733, 23.527), ""), ((25.0, 22.0), "outside engagement")])
def test_nobody_is_held_to_a_contact_in_range_of_others_across_a_barricade(
    play: Play, marines: Make, foes: Make, end: Point, fault: str
) -> None:
    """Straight ahead it would touch its target, but be within 2 inches of an undeclared unit."""
    low = TerrainFacts(
        id="low",
        kind="barricade",
        height=1.0,
        footprint=((23.0, 20.3), (27.0, 20.3), (27.0, 20.7), (23.0, 20.7)),
    )

    def battle() -> Game:
        return play(
            [
                marines(at=((20.0, 22.0),)),
                foes(at=((25.0 + WIDTH, 22.0),)),
                foes("others", at=((25.0, 19.14),)),
            ],
            Step("charge", "charge", charge.charge, "players"),
            board=BoardFacts(terrain=(low,)),
            dice={"charge": [4, 5]},
            answers={"next-unit": "marines", "charge": "foes", "path": Moves(paths={0: (end,)})},
        )

    if fault:
        with pytest.raises(IllegalAnswer, match=fault):
            battle()
    else:
        assert tuple(battle().state.position.table.xy[0]) == end
