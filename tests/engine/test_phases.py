"""The phases of a turn: what units may do, in which order, and what is asked."""

from __future__ import annotations

import pytest

from datasheets.library import Library
from engine.core import event as ev
from engine.core.facts import HORDE, PLAYERS, BoardFacts, ObjectiveFacts, Side, TerrainFacts, WeaponFacts
from engine.core.game import Game, IllegalAnswer
from engine.core.request import Choose, Chosen, Move, Moves, Order, Ordered, Split, Splits
from engine.core.ruleset import Step
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.records.rulebook import Rulebook
from engine.scenario.situation import Stand, situation
from engine.w40k.phase import charge, closing, command, fight, movement, shooting

LIBRARY = Library()
RULEBOOK = Rulebook.load(LIBRARY, HORDE_1_1.language)
GUN = WeaponFacts(name="gun", range=24.0, skill=3)
PISTOL = WeaponFacts(name="pistol", range=12.0, skill=3, keywords=("pistol",))
ASSAULT = WeaponFacts(name="carbine", range=24.0, skill=3, keywords=("assault",))
MORTAR = WeaponFacts(name="mortar", range=24.0, skill=3, keywords=("blast",))
SWORD = WeaponFacts(name="sword", attacks="2", skill=3)


def play(
    *stands: Stand,
    steps: tuple[tuple[str, str, object], ...],
    turn: Side = PLAYERS,
    board: BoardFacts | None = None,
    dice: dict[str, list[int]] | None = None,
    active: tuple[str, ...] = (),
) -> Game:
    """Return a game of these units at the first question of the steps."""
    made = [Step(name, phase, run, turn) for name, phase, run in steps]  # type: ignore[arg-type]
    return situation(
        stands, made, HORDE_1_1, library=LIBRARY, rulebook=RULEBOOK, board=board, dice=dice, active=active
    )


MOVEMENT = (("movement", "movement", movement.movement),)
SHOOTING = (("shooting", "shooting", shooting.shooting),)
CHARGE = (("charge", "charge", charge.charge),)
FIGHT = (("first", "fight", fight.fights_first), ("rest", "fight", fight.remaining_combats))


def ours(*at: tuple[float, float], **facts: object) -> Stand:
    """Return a unit of the players."""
    return Stand("ours", PLAYERS, at or ((10.0, 20.0),), **facts)  # type: ignore[arg-type]


def theirs(*at: tuple[float, float], **facts: object) -> Stand:
    """Return a unit of the Horde."""
    return Stand("theirs", HORDE, at or ((30.0, 20.0),), **facts)  # type: ignore[arg-type]


def choose(game: Game, *ids: str) -> None:
    """Answer a choice."""
    assert isinstance(game.pending, Choose)
    game.submit(Chosen(ids=ids))


def settle(game: Game) -> None:
    """Answer whatever is asked with the least: no move, no attacks, the order as it stands."""
    while game.pending is not None:
        request = game.pending
        if isinstance(request, Order):
            game.submit(Ordered(ids=tuple(item.id for item in request.items)))
        elif isinstance(request, Move):
            game.submit(Moves())
        elif isinstance(request, Split):
            game.submit(Splits())
        else:
            assert isinstance(request, Choose)
            game.submit(Chosen(ids=tuple(o.id for o in request.options[: request.minimum])))


# movement


@pytest.mark.rule("CORE.MOVE.1")
@pytest.mark.parametrize(
    ("gap", "kinds"),
    [(1.0, ["remain-stationary", "fall-back"]), (1.001, ["remain-stationary", "normal-move", "advance"])],
)
def test_what_a_unit_may_do_in_and_out_of_engagement_range(gap: float, kinds: list[str]) -> None:
    game = play(ours((10.0, 20.0)), theirs((10.0 + 32 / 25.4 + gap, 20.0)), steps=MOVEMENT)
    choose(game, "ours")
    assert isinstance(game.pending, Choose)
    assert [option.id for option in game.pending.options] == kinds


@pytest.mark.rule("CORE.MOVE.6", "S.M16")
def test_an_advance_adds_one_roll_to_every_model() -> None:
    game = play(ours((10.0, 20.0), (11.5, 20.0)), steps=MOVEMENT, dice={"advance": [3]})
    choose(game, "ours")
    choose(game, "advance")
    assert isinstance(game.pending, Move)
    assert set(game.pending.limits.values()) == {9.0}


@pytest.mark.rule("CORE.MOVE.5")
def test_an_illegal_move_is_refused_and_changes_nothing() -> None:
    game = play(ours((10.0, 20.0)), theirs((20.0, 20.0)), steps=MOVEMENT)
    choose(game, "ours")
    choose(game, "normal-move")
    before = len(game.events)
    for end in ((16.01, 20.0), (-1.0, 20.0)):
        with pytest.raises(IllegalAnswer):
            game.submit(Moves(paths={0: (end,)}))
    assert len(game.events) == before
    game.submit(Moves(paths={0: ((16.0, 20.0),)}))
    assert tuple(game.state.position.table.xy[0]) == (16.0, 20.0)


@pytest.mark.rule("CORE.COH.2", "S.C07")
def test_a_move_out_of_coherency_is_refused_as_a_whole() -> None:
    game = play(ours((10.0, 20.0), (11.5, 20.0)), steps=MOVEMENT)
    choose(game, "ours")
    choose(game, "normal-move")
    with pytest.raises(IllegalAnswer, match="coherency"):
        game.submit(Moves(paths={1: ((16.0, 20.0),)}))


@pytest.mark.rule("CORE.MOVE.7", "S.M17")
@pytest.mark.parametrize(("via", "tests"), [((10.0, 22.5), 0), ((14.0, 20.0), 1)])
def test_desperate_escape_only_for_passing_over_an_enemy(via: tuple[float, float], tests: int) -> None:
    game = play(ours((10.0, 20.0)), theirs((11.6, 20.0)), steps=MOVEMENT, dice={"desperate-escape": [3]})
    choose(game, "ours")
    choose(game, "fall-back")
    game.submit(Moves(paths={0: (via,)}))
    rolls = [e for e in game.events if isinstance(e, ev.Rolled) and e.roll == "desperate-escape"]
    assert len(rolls) == tests


@pytest.mark.rule("CORE.MOVE.7", "S.M17")
def test_a_battle_shocked_unit_tests_for_every_model() -> None:
    """Also for the one that stays where it is, and for a TITANIC one."""
    shocked = ours((10.0, 20.0), (10.0, 23.0), keywords=("TITANIC",), marks=(("battle-shocked", True),))
    game = play(shocked, theirs((11.6, 20.0)), steps=MOVEMENT, dice={"desperate-escape": [3, 3]})
    choose(game, "ours")
    choose(game, "fall-back")
    game.submit(Moves(paths={0: ((9.0, 21.5),)}))
    (roll,) = [e for e in game.events if isinstance(e, ev.Rolled) and e.roll == "desperate-escape"]
    assert len(roll.dice) == 2


@pytest.mark.rule("CORE.MOVE.7", "S.M17")
def test_who_is_lost_in_an_escape_is_the_owners_choice() -> None:
    """Even whole while another is wounded, and even a leader."""
    shocked = ours((10.0, 20.0), (10.0, 21.5), leaders=1, marks=(("battle-shocked", True),))
    game = play(shocked, theirs((11.6, 20.0)), steps=MOVEMENT, dice={"desperate-escape": [1, 6]})
    choose(game, "ours")
    choose(game, "fall-back")
    game.submit(Moves(paths={0: ((6.0, 20.0),), 1: ((6.0, 21.5),)}))
    assert isinstance(game.pending, Order)
    game.submit(Ordered(ids=("1", "0")))
    assert game.state.position.units["ours"].rows == (0,)


@pytest.mark.rule("CORE.MOVE.7")
def test_an_arc_round_an_enemy_does_not_pass_over_it() -> None:
    """The path is a half turn about the enemy's centre, at a distance of 1.6.

    Only its chord crosses the base.
    """
    far = (11.6 + 1.6, 20.0)
    game = play(ours((10.0, 20.0)), theirs((11.6, 20.0)), steps=MOVEMENT)
    choose(game, "ours")
    choose(game, "fall-back")
    game.submit(Moves(paths={0: ((*far, 11.6, 20.0, 1.0), (14.1, 20.0))}))
    assert not [e for e in game.events if isinstance(e, ev.Rolled)]


@pytest.mark.rule("CORE.MOVE.7", "S.M18")
def test_a_fall_back_that_moves_nobody_is_none() -> None:
    game = play(ours((10.0, 20.0)), theirs((11.6, 20.0)), steps=MOVEMENT)
    choose(game, "ours")
    choose(game, "fall-back")
    game.submit(Moves())
    assert "fell-back" not in game.state.position.units["ours"].marks


# shooting


def lines(game: Game) -> dict[str, tuple[str, ...]]:
    """Return, by weapon, the targets offered to the unit."""
    if game.pending is None:
        return {}
    choose(game, "ours")
    assert isinstance(game.pending, Split)
    facts = game.state.position.units["ours"].facts.weapons
    return {facts[line.weapon].name: line.targets for line in game.pending.lines}


@pytest.mark.rule("CORE.SHOOT.2", "S.L20")
@pytest.mark.parametrize(("x", "in_range"), [(35.2598, True), (35.27, False)])
def test_range_is_edge_to_edge_and_inclusive(x: float, in_range: bool) -> None:
    game = play(ours(weapons=(GUN,)), theirs((x, 20.0)), steps=SHOOTING)
    assert bool(lines(game)) is in_range


@pytest.mark.rule("CORE.SHOOT.2", "CORE.LOS.4")
def test_nothing_hidden_is_a_target() -> None:
    ruin = TerrainFacts(id="r", kind="ruin", footprint=((18, 15), (22, 15), (22, 25), (18, 25)), height=5)
    game = play(ours(weapons=(GUN,)), theirs(), steps=SHOOTING, board=BoardFacts(terrain=(ruin,)))
    assert lines(game) == {}


@pytest.mark.rule("CORE.SHOOT.1", "CORE.WPN.ASSAULT")
def test_after_an_advance_only_assault_weapons_fire() -> None:
    game = play(ours(weapons=(GUN, ASSAULT), marks=(("advanced", True),)), theirs(), steps=SHOOTING)
    assert list(lines(game)) == ["carbine"]


@pytest.mark.rule("CORE.SHOOT.1")
def test_after_falling_back_nothing_fires() -> None:
    game = play(ours(weapons=(GUN, ASSAULT), marks=(("fell-back", True),)), theirs(), steps=SHOOTING)
    assert lines(game) == {}


@pytest.mark.rule("CORE.SHOOT.7", "CORE.WPN.PIST")
def test_in_engagement_range_only_pistols_at_the_engaged() -> None:
    other = Stand("other", HORDE, [(10.0, 26.0)])
    game = play(ours(weapons=(GUN, PISTOL)), theirs((12.0, 20.0)), other, steps=SHOOTING)
    assert lines(game) == {"pistol": ("theirs",)}


@pytest.mark.rule("CORE.SHOOT.5", "CORE.SHOOT.6")
def test_big_guns_never_tire_but_blast_does() -> None:
    game = play(ours(weapons=(GUN, MORTAR), keywords=("VEHICLE",)), theirs((12.0, 20.0)), steps=SHOOTING)
    assert lines(game) == {"gun": ("theirs",)}


@pytest.mark.rule("CORE.SHOOT.4")
@pytest.mark.parametrize(("keyword", "offered"), [("INFANTRY", False), ("MONSTER", True)])
def test_an_enemy_engaged_with_friends_is_no_target_unless_big(keyword: str, offered: bool) -> None:
    friend = Stand("friend", PLAYERS, [(28.5, 20.0)])
    game = play(ours(weapons=(GUN,)), theirs(keywords=(keyword,)), friend, steps=SHOOTING)
    assert bool(lines(game)) is offered


@pytest.mark.rule("CORE.ABL.LONE", "S.A20")
@pytest.mark.parametrize(("x", "offered"), [(23.2, True), (24.0, False)])
def test_a_lone_operative_is_safe_beyond_twelve(x: float, offered: bool) -> None:
    game = play(ours(weapons=(GUN,)), theirs((x, 20.0), abilities=("lone operative",)), steps=SHOOTING)
    assert bool(lines(game)) is offered


@pytest.mark.rule("CORE.SHOOT.7")
def test_a_model_fires_pistols_or_other_guns() -> None:
    game = play(ours(weapons=(GUN, PISTOL)), theirs((16.0, 20.0)), steps=SHOOTING)
    lines(game)
    both = tuple(ev.Shot(model=0, weapon=w, target="theirs") for w in (0, 1))
    with pytest.raises(IllegalAnswer, match="together"):
        game.submit(Splits(shots=both))
    game.submit(Splits(shots=both[:1]))


# charge


@pytest.mark.rule("CORE.CHG.1", "S.D01")
@pytest.mark.parametrize(("gap", "offered"), [(12.0, True), (12.01, False)])
def test_charges_are_declared_within_twelve(gap: float, offered: bool) -> None:
    game = play(ours((10.0, 20.0)), theirs((10.0 + 32 / 25.4 + gap, 20.0)), steps=CHARGE)
    assert (game.pending is not None) is offered


@pytest.mark.rule("CORE.CHG.1", "S.D15")
def test_no_charge_after_an_advance() -> None:
    game = play(ours(marks=(("advanced", True),)), theirs((15.0, 20.0)), steps=CHARGE)
    assert game.pending is None


@pytest.mark.rule("MISERY.1")
def test_unnatural_stamina_lets_the_horde_charge_after_an_advance() -> None:
    target = ours((15.0, 20.0))
    runner = theirs((10.0, 20.0), marks=(("advanced", True),))
    assert play(target, runner, steps=CHARGE, turn=HORDE).pending is None
    game = play(target, runner, steps=CHARGE, turn=HORDE, active=("misery/1-unnatural-stamina",))
    assert game.pending is not None


@pytest.mark.rule("CORE.CHG.2", "S.D02")
@pytest.mark.parametrize(("roll", "made"), [([3, 4], True), ([3, 3], False)])
def test_a_gap_of_eight_needs_a_seven(roll: list[int], made: bool) -> None:
    start, end = 10.0, 10.0 + 32 / 25.4 + 8.0
    game = play(ours((start, 20.0)), theirs((end, 20.0)), steps=CHARGE, dice={"charge": roll})
    choose(game, "ours")
    choose(game, "theirs")
    stop = Moves(paths={0: ((start + sum(roll), 20.0),)})
    if made:
        game.submit(stop)
        assert "charged" in game.state.position.units["ours"].marks or game.is_over
    else:
        with pytest.raises(IllegalAnswer, match="engagement range"):
            game.submit(stop)


@pytest.mark.rule("MISERY.4", "S.D14")
def test_blistering_speed_charges_twelve_without_dice() -> None:
    game = play(
        ours((20.0, 20.0)),
        theirs((10.0, 20.0)),
        steps=CHARGE,
        turn=HORDE,
        active=("misery/4-blistering-speed",),
    )
    choose(game, "theirs")
    choose(game, "ours")
    assert isinstance(game.pending, Move)
    assert set(game.pending.limits.values()) == {12.0}
    assert game.dice.draws.get("dice", 0) == 0


# fight


@pytest.mark.rule("CORE.FGT.1", "CORE.CHG.4")
def test_chargers_fight_first_then_the_side_whose_turn_it_is_not_begins() -> None:
    a = Stand("charger", HORDE, [(10.0, 20.0)], weapons=(SWORD,), marks=(("charged", True),))
    b = Stand("brawler", HORDE, [(30.0, 20.0)], weapons=(SWORD,))
    c = Stand("foe-a", PLAYERS, [(11.3, 20.0)], weapons=(SWORD,), characteristics=(("W", 9),))
    d = Stand("foe-b", PLAYERS, [(31.3, 20.0)], weapons=(SWORD,), characteristics=(("W", 9),))
    game = play(a, b, c, d, steps=FIGHT, turn=HORDE)
    settle(game)
    fought = [e.on for e in game.events if isinstance(e, ev.Marked) and e.key == "fought"]
    assert fought == ["unit:charger", "unit:foe-a", "unit:brawler", "unit:foe-b"]


@pytest.mark.rule("CORE.FGT.5", "S.F01")
@pytest.mark.parametrize(("front", "second_fights"), [(11.2598425, True), (10.9, False)])
def test_the_second_rank_fights_by_the_chain_of_contact(front: float, second_fights: bool) -> None:
    """The first model's x decides whether it touches the enemy at 12.5196850."""
    back = front - 32 / 25.4
    fighters = ours((front, 20.0), (round(back, 7), 20.0), weapons=(SWORD,))
    game = play(fighters, theirs((12.519685, 20.0)), steps=FIGHT[1:], turn=HORDE)
    reach = fight.reachable(game, game.state.position.units["ours"])
    assert bool(reach[0])
    assert bool(reach[1]) is second_fights


@pytest.mark.rule("CORE.FGT.6", "CORE.WPN.EXTRA")
def test_of_two_like_weapons_one_strikes_unless_its_attacks_are_extra() -> None:
    tail = WeaponFacts(name="tail", attacks="1", skill=3, keywords=("extra attacks",))
    two = ours((10.0, 20.0), weapons=(SWORD, tail), weapons_of=((0, 0, 1, 1),))
    game = play(two, theirs((11.3, 20.0)), steps=FIGHT[1:], turn=HORDE)
    offered = fight.lines(game, game.state.position.units["ours"])
    assert [line.weapon for line in offered] == [0, 1, 1]


# command, objectives, the end of a turn


@pytest.mark.rule("CORE.BS.1", "CORE.BS.2", "R.A80")
@pytest.mark.parametrize(("left", "tests"), [(5, True), (6, False)])
def test_five_of_eleven_test_and_six_do_not(left: int, tests: bool) -> None:
    unit = theirs(*[(10.0 + 1.3 * i, 20.0) for i in range(left)], starting_models=11)
    game = play(unit, steps=(("shock", "command", command.battle_shock),), turn=HORDE)
    rolled = [e for e in game.events if isinstance(e, ev.Rolled) and e.roll == "battle-shock"]
    assert bool(rolled) is tests


@pytest.mark.rule("CORE.BS.1")
@pytest.mark.parametrize(("roll", "shocked"), [([3, 4], False), ([3, 3], True)])
def test_battle_shock_is_two_dice_against_leadership(roll: list[int], shocked: bool) -> None:
    unit = theirs((10.0, 20.0), starting_models=3, characteristics=(("Ld", 7),))
    game = play(
        unit, steps=(("s", "command", command.battle_shock),), turn=HORDE, dice={"battle-shock": roll}
    )
    assert ("battle-shocked" in game.state.position.units["theirs"].marks) is shocked


@pytest.mark.rule("CORE.OBJ.1", "CORE.OBJ.2", "CORE.OBJ.3", "S.B08")
@pytest.mark.parametrize(
    ("gap", "marks", "holder"),
    [(2.91, (), PLAYERS), (3.0, (), PLAYERS), (3.01, (), ""), (2.91, (("battle-shocked", True),), "")],
)
def test_control_within_three_inches_of_the_marker(
    gap: float, marks: tuple[tuple[str, bool], ...], holder: str
) -> None:
    board = BoardFacts(objectives=(ObjectiveFacts(id="A", at=(30.0, 22.0)),))
    x = 30.0 + 20 / 25.4 + gap + 16 / 25.4
    game = play(ours((x, 22.0), marks=marks), steps=(("c", "command", closing.coherency),), board=board)
    assert game.state.position.objectives["A"].by == holder


@pytest.mark.rule("CORE.OBJ.2")
def test_a_tie_is_contested() -> None:
    board = BoardFacts(objectives=(ObjectiveFacts(id="A", at=(30.0, 22.0)),))
    game = play(
        ours((28.0, 22.0)), theirs((32.0, 22.0)), steps=(("c", "end", closing.coherency),), board=board
    )
    assert game.state.position.objectives["A"].by == ""


@pytest.mark.rule("CORE.COH.2")
def test_models_out_of_coherency_are_removed_at_the_end_of_the_turn() -> None:
    unit = ours((10.0, 20.0), (11.5, 20.0), (30.0, 20.0))
    game = play(unit, steps=(("end", "end-of-turn", closing.coherency),))
    assert game.state.position.units["ours"].rows == (0, 1)
