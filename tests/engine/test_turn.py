"""The turn: the order of phases, acting once, control, and what units may do in a phase."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from engine.core import event as ev
from engine.core.facts import BoardFacts, ObjectiveFacts, TerrainFacts, WeaponFacts
from engine.core.game import Game
from engine.core.request import Move, Moves, Places, Steps
from engine.core.ruleset import Step
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.w40k.activation.amount import roll_amount
from engine.w40k.attack.cover import cover
from engine.w40k.attack.damage import gain, lose_wounds
from engine.w40k.legality.move_check import MoveCheck
from engine.w40k.phase import charge, command, fight, movement, reserves, shooting

Play = Callable[..., Game]
Make = Callable[..., Any]
PHASES = ["command", "movement", "shooting", "charge", "fight", "end-of-turn"]
MARKER = BoardFacts(objectives=(ObjectiveFacts(id="A", at=(30.0, 8.0)),))
COMMAND = (
    Step("recover", "command", command.recover, "players"),
    Step("shock", "command", command.battle_shock, "players"),
)


def looking(see: Callable[[Game], None], turn: str = "players") -> Step:
    """Return a step in which only something is looked at."""

    def run(game: Game) -> Steps[bool]:
        see(game)
        return False
        yield

    return Step("look", "look", run, turn)  # type: ignore[arg-type]


@pytest.mark.rule("CORE.TURN.1", "CORE.TURN.2", "PLAY.5", "PLAY.8", "ROUND.4")
def test_both_turns_go_through_the_phases_in_order_the_horde_first() -> None:
    told = [(step.turn, step.phase) for step in HORDE_1_1.steps if step.turn]
    assert list(dict.fromkeys(told)) == [(side, phase) for side in ("horde", "players") for phase in PHASES]
    names = [step.name for step in HORDE_1_1.steps]
    assert names.index("players.command.battle-shock") < names.index("players.command.resupply")


@pytest.mark.rule("CORE.TURN.2", "CORE.TURN.3", "PLAY.3", "PLAY.4")
def test_nobody_gains_cp_by_default_and_no_limit_holds(play: Play, marines: Make) -> None:
    """2 CP at the start, 2 after a Command phase, and all that is given within one round."""
    game = play([marines()], *COMMAND, cp=HORDE_1_1.parameters.starting_cp)
    assert game.state.players["p1"].cp == 2
    gain(game, "p1", "cp", 1, "PLAY.4")
    gain(game, "p1", "cp", 2, "PLAY.4")
    assert game.state.players["p1"].cp == 5


@pytest.mark.rule("CORE.OBJ.4", "CORE.TURN.4")
def test_control_is_counted_at_the_end_of_a_phase_and_not_remembered(play: Play, marines: Make) -> None:
    """A unit that dies in a phase holds its marker until the phase ends, and no longer."""
    held = []

    def die(game: Game) -> Steps[bool]:
        unit = game.state.position.units["marines"]
        held.append(game.state.position.objectives["A"].by)
        model = game.state.position.models[unit.rows[0]]
        yield from lose_wounds(game, unit, model, 1, by="", credit="", cause="CORE.ATK.5")
        held.append(game.state.position.objectives["A"].by)
        return False

    steps = (looking(lambda game: None), Step("die", "die", die, "players"))
    game = play([marines(), marines("others", at=[(5.0, 5.0)])], *steps, board=MARKER)
    assert [*held, game.state.position.objectives["A"].by] == ["players", "players", ""]


@pytest.mark.rule("CORE.TURN.4", "CORE.COH.2")
@pytest.mark.parametrize("side", ["horde", "players"])
def test_each_side_s_turn_ends_with_the_removal_of_stragglers(play: Play, marines: Make, side: str) -> None:
    steps = [step for step in HORDE_1_1.steps if step.turn == side and step.phase == "end-of-turn"]
    game = play([marines(at=[(10.0, 8.0), (11.5, 8.0), (20.0, 8.0)])], *steps, board=BoardFacts())
    assert game.state.position.units["marines"].rows == (0, 1)


@pytest.mark.rule("CORE.OBJ.6")
def test_aircraft_control_nothing(play: Play, marines: Make) -> None:
    game = play([marines(keywords=("VEHICLE", "AIRCRAFT"))], looking(lambda game: None), board=MARKER)
    assert game.state.position.objectives["A"].by == ""


@pytest.mark.rule("CORE.SEQ.2", "FACTION.thousand-sons")
def test_what_happens_as_a_phase_starts_comes_before_what_is_done_in_it(
    play: Play, marines: Make, foes: Make
) -> None:
    """The mortal wounds at the start of the Shooting phase fall before a unit may shoot."""
    seen = []

    def look(game: Game) -> Steps[bool]:
        seen.append([e.kind for e in game.events if isinstance(e, ev.Damaged | ev.Targeted)])
        return False
        yield

    sorcerers = foes(keywords=("INFANTRY", "THOUSAND SONS"), at=[(30.0, 15.0)])
    tough = marines(characteristics=(("W", 9),))
    play(
        [tough, sorcerers], Step("look", "shooting", look, "horde"), factions=("thousand-sons",), board=MARKER
    )
    assert seen[0]
    assert set(seen[0]) == {"damaged"}


@pytest.mark.rule("CORE.BS.4")
def test_a_unit_below_half_tests_once_where_everybody_tests(play: Play, marines: Make) -> None:
    """A card makes every unit test: one that is Below Half-strength anyway rolls no second time."""
    for active in ((), ("MISERY.23",)):
        game = play([marines(starting_models=5)], *COMMAND, active=active, dice={"battle-shock": [1, 1]})
        rolls = [e for e in game.events if isinstance(e, ev.Rolled) and e.roll == "battle-shock"]
        assert len(rolls) == 1
        assert [e.unit for e in game.events if isinstance(e, ev.Shocked)] == ["marines"]


@pytest.mark.rule("CORE.MOVE.11")
def test_a_unit_is_picked_to_move_once(play: Play, marines: Make) -> None:
    offered = []

    def pick(game: Game) -> str:
        ids = [option.id for option in game.pending.options]
        offered.append(ids)
        return ids[0]

    step = Step("players.movement", "movement", movement.movement, "players")
    both = [marines(), marines("others", at=[(10.0, 8.0)])]
    play(both, step, answers={"next-unit": pick, "move": "remain-stationary"})
    assert offered == [["marines", "others", "done"], ["others", "done"]]


@pytest.mark.rule("CORE.TER.1")
def test_a_crater_shelters_infantry_only(play: Play, marines: Make, foes: Make) -> None:
    ring = ((27.0, 5.0), (33.0, 5.0), (33.0, 11.0), (27.0, 11.0))
    board = BoardFacts(terrain=(TerrainFacts(id="crater", kind="crater", footprint=ring),))
    for keyword, at, sheltered in [
        ("INFANTRY", (30.0, 8.0), True),
        ("VEHICLE", (30.0, 8.0), False),
        ("INFANTRY", (30.0, 5.5), False),
    ]:
        game = play([marines(at=[at], keywords=(keyword,)), foes()], board=board)
        units = game.state.position.units
        assert list(cover(game, units["foes"], units["marines"])) == [sheltered]


@pytest.mark.rule("CORE.CHG.5")
def test_only_what_flies_charges_aircraft(play: Play, marines: Make, foes: Make) -> None:
    jet = foes("jet", at=[(30.0, 14.0)], keywords=("VEHICLE", "AIRCRAFT", "FLY"))
    for keywords, offered in [(("INFANTRY",), []), (("INFANTRY", "FLY"), ["jet"])]:
        game = play([marines(keywords=keywords), jet], board=BoardFacts())
        assert [u.id for u in charge.targets(game, game.state.position.units["marines"])] == offered


@pytest.mark.rule("CORE.FGT.2", "CORE.FGT.8", "CORE.FGT.9")
def test_who_may_fight(play: Play, marines: Make, foes: Make) -> None:
    """A unit that charged or is in combat may fight, once; one brought into combat later, too.

    Fists are no weapon.
    """
    near, far = [(30.0, 10.0)], [(30.0, 20.0)]
    cases = [
        (near, (), 1),
        (far, (), 0),
        (far, (("charged", True),), 1),
        (near, (("fought", True),), 0),
    ]
    for at, marks, count in cases:
        game = play([marines(marks=marks), foes(at=at)], board=BoardFacts())
        assert fight._may_fight(game, game.state.position.units["marines"], first=False) == bool(count)
    for weapons in ((), (WeaponFacts(name="gun", range=24.0),)):
        unarmed = play([marines(weapons=weapons), foes(at=near)], board=BoardFacts())
        assert fight.lines(unarmed, unarmed.state.position.units["marines"]) == ()


@pytest.mark.rule("CORE.FGT.6", "CORE.FGT.5")
def test_a_model_strikes_only_those_whom_it_is_itself_in_combat_with(
    play: Play, marines: Make, foes: Make
) -> None:
    """Two of the unit stand 2 inches apart, each in combat with another unit."""
    stands = [
        marines(at=[(30.0, 8.0), (33.0, 8.0)]),
        foes("left", at=[(30.0, 10.0)]),
        foes("right", at=[(33.0, 10.0)]),
    ]
    game = play(stands, board=BoardFacts())
    lines = fight.lines(game, game.state.position.units["marines"])
    assert {line.model: line.targets for line in lines} == {0: ("left",), 1: ("right",)}


@pytest.mark.rule("CORE.CHG.6", "CORE.MOVE.4")
def test_a_charge_goes_round_the_models_that_it_charges(play: Play, marines: Make, foes: Make) -> None:
    """To touch its enemy from behind, a model may not walk through it."""
    touch = 32 / 25.4
    game = play([marines(), foes(at=[(30.0, 13.0)])], board=BoardFacts())
    request = Move(
        seats=("p1",),
        rule="CORE.CHG.3",
        decision="path",
        prompt="",
        unit="marines",
        kind="charge",
        limits={0: 12.0},
        targets=("foes",),
    )
    behind = (30.0, 13.0 + touch)
    aside = ((28.0, 13.0), (28.0, 13.0 + touch), behind)
    assert MoveCheck(game, request, Moves(paths={0: aside})).faults() == []
    assert MoveCheck(game, request, Moves(paths={0: (behind,)})).faults()


@pytest.mark.rule("CORE.OBJ.5")
def test_a_move_may_end_on_an_objective_marker(play: Play, marines: Make) -> None:
    game = play([marines()], board=BoardFacts(objectives=(ObjectiveFacts(id="A", at=(30.0, 13.0)),)))
    request = Move(
        seats=("p1",),
        rule="CORE.MOVE.5",
        decision="path",
        prompt="",
        unit="marines",
        kind="normal",
        limits={0: 6.0},
    )
    assert MoveCheck(game, request, Moves(paths={0: ((30.0, 13.0),)})).faults() == []


@pytest.mark.rule("CORE.ABL.FF")
def test_fights_first_must_be_had_by_every_part(play: Play, marines: Make) -> None:
    for abilities, first in [((), False), (("fights first",), True)]:
        game = play([marines(abilities=abilities)], board=BoardFacts())
        assert fight.has_fights_first(game, game.state.position.units["marines"]) == first


@pytest.mark.rule("CORE.RES.3")
def test_who_has_arrived_moves_no_further_but_shoots_and_charges(
    play: Play, marines: Make, foes: Make
) -> None:
    """It comes in by Deep Strike, 12 inches off; it has not remained stationary, either."""
    seen: list[Any] = []

    def look(game: Game) -> Steps[bool]:
        unit = game.state.position.units["marines"]
        yield from movement.movement(game)
        seen.append((bool(shooting.lines(game, unit)), bool(charge.targets(game, unit))))
        seen.append(unit.marks.get("moved", "remain-stationary"))
        return False

    fresh = marines(where="reserves", abilities=("deep strike",))
    steps = (
        Step("reinforcements", "movement", reserves.reinforcements, "players"),
        Step("look", "movement", look, "players"),
    )
    answers = {"reinforce": "marines", "arrive": Places(poses={0: (30.0, 8.0, 0.0, 0.0)})}
    game = play([fresh, foes(at=[(30.0, 20.0)])], *steps, answers=answers, board=BoardFacts())
    assert not [e for e in game.events if isinstance(e, ev.Decided)]
    assert seen == [(True, True), "normal"]


@pytest.mark.rule("CORE.RES.7")
@pytest.mark.parametrize(("number", "asked"), [(1, 1), (2, 0)])
def test_scouts_move_before_the_first_turn(play: Play, marines: Make, number: int, asked: int) -> None:
    """They do so in the first round alone, and go no farther in their turn for it."""
    seen: list[dict[int, float]] = []

    def far(game: Game) -> Moves:
        assert isinstance(game.pending, Move)
        seen.append(game.pending.limits)
        return Moves()

    step = Step("start-of-round.scouts", "start-of-round", movement.scout)
    answers = {"next-unit": "marines", "scout": far}
    game = play([marines(abilities=('scouts 6"',))], step, round_number=number, answers=answers)
    assert seen == [{0: 6.0}] * asked
    assert movement.move_of(game, game.state.position.units["marines"]) == 6.0


@pytest.mark.rule("CORE.ACT.2", "CORE.ACT.4")
def test_who_does_an_action_neither_shoots_nor_charges(play: Play, marines: Make, foes: Make) -> None:
    """An Attached unit that loses its bodyguard goes on with it."""
    seen: list[Any] = []

    def look(game: Game) -> Steps[bool]:
        unit = game.state.position.units["marines"]
        seen.append((bool(shooting.lines(game, unit)), bool(charge.targets(game, unit))))
        game.log(ev.ActionBegan(unit="marines", rule="secondary/15-baiting-the-trap"))
        seen.append((bool(shooting.lines(game, unit)), bool(charge.targets(game, unit))))
        guard = game.state.position.models[unit.rows[0]]
        yield from lose_wounds(game, unit, guard, 1, by="", credit="", cause="CORE.ATK.5")
        seen.append("action" in unit.marks and not unit.is_attached)
        return False

    led = marines(at=[(30.0, 8.0), (31.3, 8.0)], leaders=1)
    play([led, foes(at=[(30.0, 18.0)])], Step("look", "shooting", look, "players"), board=BoardFacts())
    assert seen == [(True, True), (False, False), True]


@pytest.mark.rule("CORE.DICE.2")
def test_a_d3_has_three_even_faces(play: Play, marines: Make) -> None:
    seen: Counter[int] = Counter()

    def roll(game: Game) -> Steps[bool]:
        seen.update(roll_amount(game, "D3", "damage") for _ in range(600))
        return False
        yield

    play([marines()], Step("roll", "roll", roll, "players"))
    assert set(seen) == {1, 2, 3}
    assert all(150 < count < 250 for count in seen.values())


@pytest.mark.rule("CORE.BS.1", "ROUND.3")
def test_the_log_tells_what_changes_a_roll(play: Play, marines: Make) -> None:
    """What a mission brought for Battle-shock tests is in the trail of the roll."""

    def shock(game: Game) -> Steps[bool]:
        game.log(ev.Marked(on="battle", key="now:battle-shock", value=-1))
        yield from command.take_test(game, game.state.position.units["marines"])
        return False

    game = play([marines()], Step("shock", "command", shock, "players"), dice={"battle-shock": [3, 4]})
    (rolled,) = [e for e in game.events if isinstance(e, ev.Rolled)]
    assert rolled.trail is not None
    assert rolled.trail.steps == (("ROUND.3", -1),)
    assert "battle-shocked" in game.state.position.units["marines"].marks


@pytest.mark.rule("CORE.ABL.LEADER", "SP.2")
def test_each_part_of_an_attached_unit_is_destroyed_by_itself(play: Play, marines: Make, foes: Make) -> None:
    """The bodyguard falls: what is left is a unit of its own.

    Each of the parts counts for the player that destroyed it.
    """
    parts: list[Any] = []

    def slay(game: Game) -> Steps[bool]:
        unit = game.state.position.units["foes"]
        for row in tuple(unit.rows):
            model = game.state.position.models[row]
            yield from lose_wounds(game, unit, model, 1, by="marines", credit="p1", cause="CORE.ATK.5")
            gone = [e.part for e in game.events if isinstance(e, ev.UnitDestroyed)]
            parts.append((gone, unit.is_attached, game.state.players["p1"].sp))
        return False

    led = foes(at=[(30.0, 30.0), (31.3, 30.0)], leaders=1)
    play([marines(), led], Step("slay", "shooting", slay, "players"), board=BoardFacts())
    assert parts == [([0], False, 1), ([0, 1, None], False, 2)]
