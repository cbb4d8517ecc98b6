"""What records ask and do about moves: paths over models, permissions, surges, boarding."""

from __future__ import annotations

from typing import Any

import pytest

from ai.agents import agent
from datasheets.library import Library
from datasheets.rule import Ask, Modify, When
from engine.core.event import Shot
from engine.core.facts import BoardFacts, TerrainFacts, TransportFacts
from engine.core.game import Game, IllegalAnswer
from engine.core.request import Moves, Steps
from engine.core.ruleset import Step
from engine.w40k.phase import movement
from engine.w40k.phase.shooting import resolve_shots
from engine.w40k.view import View
from engine.w40k.words import attacks, moving
from tests.engine.abilities import BLADE, GUN, battle, foes, idle, marines, nothing, rule, unit

MOVE = Step("players.movement", "movement", movement.movement, "players")
BASE = 32 / 25.4
WALLS = BoardFacts(
    terrain=(
        TerrainFacts(
            id="wall",
            kind="wall",
            footprint=((0.0, 10.0), (60.0, 10.0), (60.0, 10.5), (0.0, 10.5)),
            height=4.0,
        ),
    )
)


def moves_to(*legs: tuple[float, ...], kind: str = "normal-move") -> dict[str, Any]:
    """Return the answers of a player's only unit that makes such a move."""
    return {"next-unit": "marines", "move": kind, "path": Moves(paths={0: legs})}


# what was moved over


@pytest.mark.rule("CORE.MOVE.9")
@pytest.mark.parametrize(("aside", "over"), [(0.0, True), (BASE - 0.001, True), (BASE + 0.001, False)])
def test_a_move_leads_over_what_its_base_passes(aside: float, over: bool) -> None:
    bombs = When(
        moment="moved", each="unit where horde(unit) and moved_over(unit)", do=("mark(unit, 'over')",)
    )
    flyer = marines(at=[(30.0, 10.0)], keywords=("VEHICLE", "FLY"), rules=("test/bombs",))
    stands = [flyer, foes(at=[(30.0 + aside, 13.0)]), foes("behind", at=[(30.0, 25.0)])]
    game = battle([rule("bombs", when=(bombs,))], stands, MOVE, answers=moves_to((30.0, 15.9)))
    assert ("over" in unit(game, "foes").marks) is over
    assert "over" not in unit(game, "behind").marks


@pytest.mark.rule("CORE.MOVE.9")
def test_nothing_is_moved_over_where_no_move_is_at_hand() -> None:
    game = battle([], [marines(), foes()])
    assert not moving.moved_over(game, unit(game, "foes"), game.query.context({}))


# what a unit may do already


@pytest.mark.rule("CORE.MOVE.6")
@pytest.mark.parametrize("already", [False, True])
def test_a_rule_asks_what_others_permit_and_not_itself(already: bool) -> None:
    permits = Ask(question="shoot-after-advance", condition="unit == bearer")
    more = Modify(
        number="roll.advance-modifier",
        add=1,
        condition="unit == bearer and may_already(unit, 'shoot-after-advance')",
    )
    rules = [rule("own", permit=(permits,), modify=(more,)), rule("other", permit=(permits,))]
    borne = ("test/own", "test/other") if already else ("test/own",)
    game = battle(rules, [marines(rules=borne), foes()])
    own = unit(game, "marines")
    assert game.query.may("shoot-after-advance", unit=own)
    assert game.query.number("roll.advance-modifier", 0, unit=own).value == int(already)


# wounds


@pytest.mark.rule("CORE.SHOOT.3")
@pytest.mark.parametrize(("wound", "taken"), [(6, 1), (1, 0)])
def test_the_wounds_that_attacks_cost_are_counted(wound: int, taken: int) -> None:

    def shoots(game: Game) -> Steps[bool]:
        yield from resolve_shots(game, unit(game, "marines"), (Shot(model=0, weapon=0, target="foes"),))
        return False

    when = When(moment="shot", condition="wounds_taken(bearer) > 0", do=("mark(bearer, 'hurt')",))
    stands = [
        marines(weapons=(GUN, BLADE)),
        foes(characteristics=(("W", 3), ("Sv", 7)), rules=("test/hurt",)),
    ]
    step = Step("players.shooting", "shooting", shoots, "players")
    rules = [rule("hurt", when=(when,))]
    game = battle(rules, stands, step, dice={"hit": [6], "wound": [wound]})
    assert ("hurt" in unit(game, "foes").marks) is bool(taken)
    assert attacks.wounds_taken(game, unit(game, "foes"), game.query.context({})) == 0


# surges


def surge(answer: Any, *others: Any, verb: str = "surge(bearer, 4)", **more: Any) -> Game:
    """Return a battle in which marines at (30, 8) surge four inches."""
    when = When(moment="phase-began", condition="phase == 'idle'", do=(verb,))
    step = Step("horde.idle", "idle", nothing, "horde")
    stands = [marines(rules=("test/surges",)), *others]
    return battle([rule("surges", when=(when,))], stands, step, answers={"surge": answer}, **more)


def by_autopilot(game: Game) -> Any:
    """Answer as the autopilot does."""
    return agent("steady").answer(View(game, "p1"), game.pending)


@pytest.mark.rule("CORE.ER.1")
def test_a_surge_leads_to_the_closest_enemy_and_into_contact() -> None:
    game = surge(by_autopilot, foes(at=[(30.0, 8.0 + BASE + 3.0)]), foes("far", at=[(30.0, 2.0)]))
    assert game.field.gap(unit(game, "marines"), unit(game, "foes")) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.rule("CORE.ER.1")
def test_a_surge_passes_by_enemies_of_a_keyword() -> None:
    jet = foes("jet", at=[(30.0, 5.0)], keywords=("VEHICLE", "AIRCRAFT", "FLY"))
    far = foes(at=[(30.0, 8.0 + BASE + 6.0)])
    game = surge(by_autopilot, jet, far, verb="surge(bearer, 4, 'AIRCRAFT')")
    assert game.field.gap(unit(game, "marines"), unit(game, "foes")) == pytest.approx(2.0, abs=1e-6)


@pytest.mark.rule("CORE.ER.1")
@pytest.mark.parametrize("legs", [(), ((30.0, 11.9),), ((33.0, 9.0),)])
def test_a_surge_that_ends_farther_off_than_a_plain_one_is_refused(
    legs: tuple[tuple[float, ...], ...],
) -> None:
    moves = Moves(paths={0: legs} if legs else {})
    with pytest.raises(IllegalAnswer, match="could end closer to foes"):
        surge(moves, foes(at=[(30.0, 8.0 + BASE + 6.0)]))


@pytest.mark.rule("CORE.ER.1")
def test_who_would_have_to_go_round_a_wall_may_stay() -> None:
    game = surge(Moves(), foes(at=[(30.0, 12.5)]), board=WALLS)
    assert "moved" not in unit(game, "marines").marks


# boarding


@pytest.mark.rule("DATASHEET.emergency-combat-embarkation")
@pytest.mark.parametrize(
    ("apart", "capacity", "marks", "may"),
    [
        (3.0, 1, (), True),
        (3.01, 1, (), False),
        (3.0, 0, (), False),
        (3.0, 1, (("disembarked", "before"),), False),
    ],
)
def test_a_unit_near_a_transport_with_room_could_board(
    apart: float, capacity: int, marks: tuple[tuple[str, str], ...], may: bool
) -> None:
    hold = TransportFacts(capacity=capacity)
    tank = marines("tank", at=[(20.0, 8.0)], keywords=("VEHICLE", "TRANSPORT"), transport=hold)
    game = battle([], [marines(at=[(20.0 + BASE + apart, 8.0)], marks=marks), tank, foes()])
    assert moving.could_board(game, unit(game, "marines"), unit(game, "tank")) is may


@pytest.mark.rule("DATASHEET.emergency-combat-embarkation")
def test_a_rule_takes_a_unit_aboard() -> None:
    when = When(
        moment="phase-began",
        condition="phase == 'idle'",
        each="unit where has(unit, 'INFANTRY') and not horde(unit)",
        do=("board(unit, bearer)",),
    )
    hold = TransportFacts(capacity=6)
    tank = marines(
        "tank", at=[(20.0, 8.0)], keywords=("VEHICLE", "TRANSPORT"), transport=hold, rules=("test/takes",)
    )
    step = Step("horde.idle", "idle", nothing, "horde")
    game = battle([rule("takes", when=(when,))], [marines(), tank, foes()], step)
    assert (unit(game, "marines").where, unit(game, "marines").transport) == ("embarked", "tank")


# where moves may lead, and end


@pytest.mark.rule("CORE.MOVE.6")
@pytest.mark.parametrize(("end", "legal"), [(12.0, True), (12.0 + 2e-4, False)])
def test_a_rule_bars_ends_near_its_bearer(end: float, legal: bool) -> None:
    """An end at 12 is just farther than 6 inches from the bearer, the other just is not."""
    apart = Modify(number="move.apart", at_least=6, condition="target == bearer and kind == 'normal'")
    stands = [
        marines(characteristics=(("M", 6),)),
        foes(at=[(30.0, 12.0 + BASE + 6.0 + 1e-4)], rules=("test/apart",)),
    ]
    answers = moves_to((30.0, end))
    if legal:
        game = battle([rule("apart", modify=(apart,))], stands, MOVE, answers=answers)
        assert game.state.position.table.xy[0].tolist() == [30.0, end]
        return
    with pytest.raises(IllegalAnswer, match='within 6" of foes'):
        battle([rule("apart", modify=(apart,))], stands, MOVE, answers=answers)


@pytest.mark.rule("DATASHEET.stalking-forward")
@pytest.mark.parametrize(("high", "passes"), [(4, True), (3, False)])
def test_a_rule_lets_a_unit_through_terrain_of_a_height(high: int, passes: bool) -> None:
    through = Ask(question="move-through-terrain", condition=f"unit == bearer and height(terrain) <= {high}")
    stands = [marines(rules=("test/through",)), foes()]
    answers = moves_to((30.0, 12.0))
    rules = [rule("through", permit=(through,))]
    if passes:
        game = battle(rules, stands, MOVE, answers=answers, board=WALLS)
        assert game.state.position.table.xy[0].tolist() == [30.0, 12.0]
        assert moving.height(game, next(iter(game.state.position.terrain.values()))) == 4.0
        return
    with pytest.raises(IllegalAnswer, match="runs through a wall"):
        battle(rules, stands, MOVE, answers=answers, board=WALLS)


@pytest.mark.rule("CORE.MOVE.4")
@pytest.mark.parametrize(("keyword", "passes"), [("INFANTRY", True), ("TITANIC", False)])
def test_a_rule_lets_a_unit_over_models(keyword: str, passes: bool) -> None:
    over = Ask(question="move-over-models", condition="unit == bearer and not has(target, 'TITANIC')")
    line = foes(at=[(x * 2.0, 12.0) for x in range(30)], keywords=(keyword,))
    stands = [marines(characteristics=(("M", 12),), rules=("test/over",)), line]
    answers = moves_to((30.0, 17.0))
    if passes:
        game = battle([rule("over", permit=(over,))], stands, MOVE, answers=answers)
        assert game.state.position.table.xy[0].tolist() == [30.0, 17.0]
        return
    with pytest.raises(IllegalAnswer, match="runs into a model"):
        battle([rule("over", permit=(over,))], stands, MOVE, answers=answers)


@pytest.mark.rule("DATASHEET.grapnel-launcher")
@pytest.mark.parametrize(
    ("kind", "is_free"),
    [("normal", True), ("fall-back", True), ("charge", True), ("pile-in", False), ("consolidate", False)],
)
def test_heights_are_free_in_moves_of_some_kinds(kind: str, is_free: bool) -> None:
    record = next(each for each in Library().rules() if each.clause == "DATASHEET.grapnel-launcher")
    stands = [marines(rules=("test/free",)), foes()]
    game = battle([rule("free", forbid=record.forbid)], stands, *idle("players", "movement"))
    assert game.field.climbs_free(unit(game, "marines"), kind) == is_free
