"""A unit in the person's hand: its ghost, its release, and what lets it go."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from engine.core import event as ev
from engine.core.facts import BaseFacts, BoardFacts, WeaponFacts, ZoneFacts
from engine.core.game import Game
from engine.core.request import Move, Moves, Place
from engine.core.ruleset import Step
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.scenario.situation import Stand, situation
from engine.w40k.phase import charge, deploy, movement
from tests.viewer.at_window import (
    GUN,
    MOVEMENT,
    SHOOTING,
    Open,
    asked,
    asking,
    click,
    on,
    press,
    say,
    seat,
    spot,
    table,
)
from viewer.input.ghost import Ghost
from viewer.input.wish import answer_of
from viewer.window.window import Window

Pair = tuple[float, float]
SCOUTING = Step("start-of-round.scouts", "start-of-round", movement.scout)
OVAL = BaseFacts(shape="oval", length=4.0, width=2.5)
SQUAD = [(10.0, 20.0), (12.0, 20.0), (14.0, 20.0)]


@pytest.fixture
def opened(opened: Open) -> Open:
    """Return what shows a battle at whole pixels an inch: a drag is as long as it is meant."""

    def show(game: Game) -> Window:
        window = opened(game)
        window.camera.scale, window.camera.centre = 10.0, (30.0, 22.0)
        return window

    return show


def pixel(window: Window, at: Pair) -> tuple[int, int]:
    x, y = spot(window, *at)
    return round(x), round(y)


def motion(window: Window, at: Pair) -> None:
    pos = pixel(window, at)
    window.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=pos, rel=(9, 0), buttons=(1, 0, 0)))


def hold(window: Window, start: Pair, *way: Pair) -> Window:
    """Press at a place of the board, drag along a way, and wait for the ghost."""
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=pixel(window, start), button=1))
    for at in way:
        motion(window, at)
    if window.player.hand is not None:
        window.player.hand.wait()
    window.draw()
    return window


def let(window: Window, at: Pair) -> Window:
    """Let the mouse's button go at a place of the board."""
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=pixel(window, at), button=1))
    return on(window)


def carry(window: Window, start: Pair, *way: Pair) -> Window:
    return let(hold(window, start, *way), way[-1])


def places(window: Window) -> list[Pair]:
    """Return where the person's models stand, in the battle itself."""
    table = seat(window).game.state.position.table
    return [(round(float(x), 3), round(float(y), 3)) for x, y in table.xy[: len(table.xy) - 1]]


def ghost(window: Window) -> Ghost:
    found = asked(window).ghost
    assert found is not None
    return found


def moved(window: Window) -> list[ev.Moved]:
    return [event for event in seat(window).game.events if isinstance(event, ev.Moved)]


def marks(window: Window, unit: str = "mine") -> dict[str, Any]:
    """Return all marks that a unit has ever got."""
    marked = [event for event in seat(window).game.events if isinstance(event, ev.Marked)]
    return {event.key: event.value for event in marked if event.on == f"unit:{unit}"}


def answers(window: Window) -> int:
    return len(seat(window).game.answers)


def two() -> Game:
    """Return a battle of two units of the person's against one foe."""
    own = [Stand("mine", "players", SQUAD), Stand("others", "players", [(10.0, 30.0), (12.0, 30.0)])]
    foe = Stand("foes", "horde", [(40.0, 20.0)])
    return situation([*own, foe], [MOVEMENT], HORDE_1_1, board=BoardFacts())


@pytest.mark.rule("CORE.MOVE.5")
def test_press_drag_and_release_is_a_normal_move_as_shown(opened: Open) -> None:
    window = opened(table(MOVEMENT, at=SQUAD))
    assert asked(window).request.decision == "next-unit"
    hold(window, (10.0, 20.0), (11.0, 20.0), (13.0, 22.0))
    shown = ghost(window)
    assert shown.is_as_wanted
    assert (round(shown.used, 2), shown.allowed) == (3.61, 6.0)
    assert places(window) == SQUAD, "nobody moves before the release"
    let(window, (13.0, 22.0))
    assert places(window) == [(13.0, 22.0), (15.0, 22.0), (17.0, 22.0)]
    assert [dict(event.paths) for event in moved(window)] == [dict(shown.moves.paths)]
    assert marks(window)["moved"] == "normal"


def test_a_press_on_its_own_is_a_click_and_moves_nobody(opened: Open) -> None:
    window = opened(table(MOVEMENT))
    before = answers(window)
    let(hold(window, (10.0, 20.0)), (10.0, 20.0))
    assert answers(window) == before + 1, "the unit is chosen"
    assert asked(window).request.decision == "move"
    on(click(window, spot(window, 10.0, 20.0)))
    assert marks(window)["moved"] == "remain-stationary"


@pytest.mark.parametrize("how", ["right click", "escape"])
def test_what_is_held_is_let_go_and_all_is_as_before(opened: Open, how: str) -> None:
    window = opened(table(MOVEMENT, at=SQUAD))
    before, lines = answers(window), list(seat(window).game.lines)
    hold(window, (10.0, 20.0), (12.0, 20.0), (15.0, 22.0))
    assert answers(window) == before + 2
    if how == "escape":
        press(window, "escape")
    else:
        pos = pixel(window, (15.0, 22.0))
        window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=pos, button=3))
        window.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=pos, button=3))
    motion(window, (16.0, 20.0))
    let(window, (16.0, 20.0))
    assert asked(window).request.decision == "next-unit"
    assert seat(window).game.lines == lines
    assert window.camera.centre == pytest.approx((30.0, 22.0)), "the view stays"
    carry(window, (10.0, 20.0), (11.0, 20.0), (12.0, 20.0))
    assert places(window)[0] == (12.0, 20.0)


@pytest.mark.rule("CORE.MOVE.5")
def test_too_far_stops_at_the_end_of_the_move_and_says_by_how_much(opened: Open) -> None:
    window = opened(table(MOVEMENT, at=SQUAD))
    hold(window, (10.0, 20.0), (12.0, 20.0), (20.0, 20.0))
    shown = ghost(window)
    assert shown.reason == "Too far by 4.0″"
    assert shown.wanted[0][:2] == (20.0, 20.0)
    assert asked(window).poses()[0][:2] == pytest.approx((16.0, 20.0))
    let(window, (20.0, 20.0))
    assert places(window) == [(16.0, 20.0), (18.0, 20.0), (20.0, 20.0)]


@pytest.mark.rule("CORE.MOVE.4")
def test_nobody_is_carried_off_the_board(opened: Open) -> None:
    window = opened(table(MOVEMENT, at=[(3.0, 20.0)]))
    hold(window, (3.0, 20.0), (2.0, 20.0), (-1.0, 20.0))
    shown = ghost(window)
    assert not shown.is_as_wanted
    assert shown.moves_any
    let(window, (-1.0, 20.0))
    x, y = places(window)[0]
    assert x == pytest.approx(16 / 25.4, abs=0.01)
    assert y == pytest.approx(20.0, abs=0.01)


@pytest.mark.rule("CORE.ER.2")
def test_a_normal_move_ends_outside_of_engagement_range(opened: Open) -> None:
    window = opened(table(MOVEMENT, foes=(15.0, 20.0)))
    hold(window, (10.0, 20.0), (11.0, 20.0), (13.5, 20.0))
    assert "foes" in ghost(window).reason or "range" in ghost(window).reason
    let(window, (13.5, 20.0))
    gap = 15.0 - places(window)[0][0] - 32 / 25.4
    assert 1.0 < gap < 1.6
    assert marks(window)["moved"] == "normal"


def test_where_nobody_can_move_release_takes_all_back(opened: Open) -> None:
    wall = [Stand("mine", "players", [(10.0, 20.0)])]
    ring = [(10.0 + x, 20.0 + y) for x, y in ((4.0, 0.0), (-4.0, 0.0), (0.0, 4.0), (0.0, -4.0))]
    game = situation([*wall, Stand("foes", "horde", ring)], [MOVEMENT], HORDE_1_1, board=BoardFacts())
    window = opened(game)
    before = answers(window)
    hold(window, (10.0, 20.0), (10.5, 20.0), (10.0, 20.0))
    let(window, (10.0, 20.0))
    assert answers(window) == before
    assert asked(window).request.decision == "next-unit"


@pytest.mark.rule("CORE.MOVE.7")
def test_a_unit_that_may_only_fall_back_is_carried_out_of_combat(opened: Open) -> None:
    window = opened(table(MOVEMENT, foes=(12.0, 20.0)))
    carry(window, (10.0, 20.0), (9.0, 20.0), (6.0, 20.0))
    assert places(window) == [(6.0, 20.0)]
    assert "fell-back" in marks(window)


@pytest.mark.rule("CORE.RES.7")
def test_scouts_are_carried_before_the_first_turn(opened: Open) -> None:
    window = opened(scouts())
    assert asked(window).request.rule == "CORE.RES.7"
    carry(window, (10.0, 20.0), (11.0, 20.0), (15.0, 20.0))
    assert places(window) == [(15.0, 20.0)]


def scouts() -> Game:
    game = table(Step("round", "round", _first_round), SCOUTING, abilities=('scouts 6"',))
    assert game.pending is not None
    return game


def _first_round(game: Game) -> Any:
    yield from game.happen(ev.RoundBegan(number=1))
    return False


@pytest.mark.rule("CORE.MOVE.6")
def test_an_advance_is_rolled_only_where_it_is_asked_for(opened: Open) -> None:
    window = opened(table(MOVEMENT))
    hold(window, (10.0, 20.0), (12.0, 20.0), (20.0, 20.0))
    assert not [event for event in seat(window).game.events if isinstance(event, ev.Rolled)]
    press(window, "a")
    assert window.player.hand is not None
    window.player.hand.wait()
    rolled = [event for event in seat(window).game.events if isinstance(event, ev.Rolled)]
    assert len(rolled) == 1
    far = 6.0 + rolled[0].total
    assert ghost(window).allowed == far
    let(window, (20.0, 20.0))
    assert places(window) == [(10.0 + min(far, 10.0), 20.0)]
    assert "advanced" in marks(window)


@pytest.mark.rule("CORE.MOVE.6")
def test_dice_of_an_advance_are_not_taken_back(opened: Open) -> None:
    window = opened(table(MOVEMENT))
    hold(window, (10.0, 20.0), (12.0, 20.0), (20.0, 20.0))
    press(window, "a")
    before = answers(window)
    press(window, "escape")
    let(window, (20.0, 20.0))
    assert answers(window) == before
    assert isinstance(asked(window).request.kind, str)  # type: ignore[union-attr]
    assert asked(window).request.kind == "advance"  # type: ignore[union-attr]
    carry(window, (10.0, 20.0), (11.0, 20.0), (13.0, 20.0))
    assert places(window) == [(13.0, 20.0)]


@pytest.mark.rule("CORE.MOVE.6")
def test_the_sign_at_the_boards_foot_advances_by_the_mouse_alone(opened: Open) -> None:
    window = opened(table(MOVEMENT))
    hold(window, (10.0, 20.0), (12.0, 20.0), (20.0, 20.0))
    sign = window.player.advance_sign
    assert sign is not None
    window.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=sign.center, rel=(9, 0), buttons=(1, 0, 0)))
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=sign.center, button=1))
    on(window)
    assert asked(window).request.kind == "advance"  # type: ignore[union-attr]
    assert places(window) == [(10.0, 20.0)]
    carry(window, (10.0, 20.0), (11.0, 20.0), (17.0, 20.0))
    assert places(window) == [(17.0, 20.0)]


def test_g_takes_the_suggestion_and_s_lets_the_unit_stay(opened: Open) -> None:
    window = opened(table(MOVEMENT))
    hold(window, (10.0, 20.0), (11.0, 20.0))
    press(window, "s")
    let(window, (11.0, 20.0))
    assert marks(window)["moved"] == "remain-stationary"

    window = opened(table(MOVEMENT))
    hold(window, (10.0, 20.0), (11.0, 20.0))
    press(window, "g")
    let(window, (11.0, 20.0))
    made, other = moved(window), opened(table(MOVEMENT))
    press(other, "return")
    for _ in range(2):
        press(on(other), "return")
    on(other)
    assert [event.poses for event in moved(other)] == [event.poses for event in made]


def test_the_wheel_spreads_and_keys_turn_what_is_held(opened: Open) -> None:
    window = opened(table(MOVEMENT, at=SQUAD))
    scale = window.camera.scale
    hold(window, (10.0, 20.0), (11.0, 20.0), (12.0, 20.0))
    for _ in range(2):
        window.handle(pygame.event.Event(pygame.MOUSEWHEEL, y=1))
    assert window.camera.scale == scale
    for _ in range(18):
        press(window, "q")
    let(window, (12.0, 20.0))
    assert places(window) == [(14.0, 17.6), (14.0, 20.0), (14.0, 22.4)]


@pytest.mark.rule("CORE.MOVE.3")
def test_a_vehicle_pays_for_its_turn(opened: Open) -> None:
    window = opened(table(MOVEMENT, base=OVAL, keywords=("VEHICLE",)))
    hold(window, (10.0, 20.0), (11.0, 20.0), (13.0, 20.0))
    press(window, "e")
    assert window.player.hand is not None
    window.player.hand.wait()
    assert ghost(window).used == pytest.approx(5.0), "a pivot costs 2 inches"
    let(window, (13.0, 20.0))
    assert float(seat(window).game.state.position.table.facing[0]) % 360.0 == 355.0


def test_the_way_bends_where_the_person_says_and_right_click_takes_the_bend_back(opened: Open) -> None:
    window = opened(table(MOVEMENT))
    hold(window, (10.0, 20.0), (11.0, 20.0), (13.0, 20.0))
    press(window, "w")
    motion(window, (13.0, 22.0))
    assert window.player.hand is not None
    window.player.hand.wait()
    assert ghost(window).used == pytest.approx(5.0)
    pos = pixel(window, (13.0, 22.0))
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=pos, button=3))
    window.player.hand.wait()
    assert ghost(window).used == pytest.approx(13**0.5)
    press(window, "w")
    motion(window, (14.0, 22.0))
    let(window, (14.0, 22.0))
    assert moved(window)[0].paths[0] == ((13.0, 22.0), (14.0, 22.0))


@pytest.mark.rule("CORE.COH.2")
def test_one_model_is_carried_alone_and_the_unit_goes_with_the_next_release(opened: Open) -> None:
    window = opened(table(MOVEMENT, at=SQUAD))
    pygame.key.set_mods(pygame.KMOD_ALT)
    try:
        carry(window, (14.0, 20.0), (15.0, 20.0), (20.0, 20.0))
        assert "coherency" in ghost(window).reason
        assert places(window) == SQUAD, "a lone model waits for its unit"
        carry(window, (14.0, 20.0), (14.0, 20.5), (13.0, 22.0))
        assert ghost(window).is_as_wanted
    finally:
        pygame.key.set_mods(pygame.KMOD_NONE)
    carry(window, (10.0, 20.0), (10.5, 20.0), (11.0, 20.0))
    assert places(window) == [(11.0, 20.0), (13.0, 20.0), (13.0, 22.0)]


def test_undo_after_a_drag_brings_the_unit_back(opened: Open) -> None:
    window = opened(two())
    lines = list(seat(window).game.lines)
    carry(window, (10.0, 20.0), (11.0, 20.0), (13.0, 22.0))
    assert places(window)[0] == (13.0, 22.0)
    window.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_z, unicode="", mod=pygame.KMOD_CTRL))
    on(window)
    assert seat(window).game.lines == lines, "one undo takes the whole drag back"
    carry(window, (10.0, 20.0), (11.0, 20.0), (12.0, 20.0))
    assert places(window)[0] == (12.0, 20.0)


def test_dragging_beside_the_units_moves_the_view(opened: Open) -> None:
    window = opened(table(MOVEMENT))
    centre = window.camera.centre
    carry(window, (25.0, 10.0), (30.0, 10.0))
    assert window.camera.centre != centre
    assert asked(window).request.decision == "next-unit"


def test_an_enemy_is_not_taken_hold_of(opened: Open) -> None:
    window = opened(table(MOVEMENT))
    before = answers(window)
    carry(window, (40.0, 20.0), (42.0, 20.0))
    assert answers(window) == before


def test_the_move_of_a_drag_is_that_of_the_line_it_writes(opened: Open) -> None:
    window = opened(table(MOVEMENT, at=SQUAD))
    hold(window, (10.0, 20.0), (11.0, 20.0), (13.0, 22.0))
    view, request, line = asked(window).view, asked(window).request, asked(window).line
    assert line == "shift 3 2"
    answer = answer_of(view, request, line)
    assert isinstance(answer, Moves)
    assert answer.paths == ghost(window).moves.paths


def test_a_whole_movement_phase_is_played_by_the_mouse_alone(opened: Open) -> None:
    own = [
        Stand("near", "players", SQUAD, weapons=(GUN,)),
        Stand("far", "players", [(10.0, 30.0), (12.0, 30.0)]),
        Stand("still", "players", [(10.0, 38.0)]),
        Stand("held", "players", [(10.0, 10.0)]),
    ]
    foes = [Stand("foes", "horde", [(28.0, 20.0)]), Stand("holder", "horde", [(12.0, 10.0)])]
    window = opened(situation([*own, *foes], [MOVEMENT, SHOOTING], HORDE_1_1, board=BoardFacts()))
    carry(window, (10.0, 20.0), (11.0, 20.0), (13.0, 21.0))
    carry(window, (12.0, 30.0), (13.0, 30.0), (30.0, 30.0))
    for _ in range(2):
        on(click(window, spot(window, 10.0, 38.0)))
    carry(window, (10.0, 10.0), (9.0, 10.0), (6.0, 8.0))
    assert asked(window).request.rule == "CORE.SHOOT.1"
    assert places(window)[:-1] == [
        *((13.0, 21.0), (15.0, 21.0), (17.0, 21.0)),
        *((16.0, 30.0), (18.0, 30.0)),
        (10.0, 38.0),
        (6.0, 8.0),
    ]
    kinds = {unit: marks(window, unit)["moved"] for unit in ("near", "far", "still", "held")}
    assert kinds == {"near": "normal", "far": "normal", "still": "remain-stationary", "held": "fall-back"}


@pytest.mark.rule("CORE.CHG.2")
def test_a_charge_is_carried_into_contact(opened: Open) -> None:
    stands = [Stand("mine", "players", [(10.0, 20.0)]), Stand("foes", "horde", [(14.0, 20.0)])]
    step = Step("players.charge", "charge", charge.charge, "players")
    game = situation(stands, [step], HORDE_1_1, board=BoardFacts(), dice={"charge": [6, 6]})
    window = say(opened(game), "1")
    window = say(window, "1")
    request = asked(window).request
    assert isinstance(request, Move)
    assert request.kind == "charge"
    carry(window, (10.0, 20.0), (10.5, 20.0), (12.0, 20.0))
    assert places(window)[0] == pytest.approx((14.0 - 32 / 25.4, 20.0), abs=0.01)


def test_a_press_in_its_area_sets_a_unit_up_where_it_is_let_go(opened: Open) -> None:
    window = say(opened(deploying()), "1")
    assert isinstance(asked(window).request, Place)
    hold(window, (6.0, 10.0), (6.5, 10.0), (8.0, 12.0))
    window.player.setter.wait()
    assert asked(window).line in ("at 7.9 12.0", "at 8.0 12.0", "at 8.1 12.0"), "to the nearest pixel"
    shown = asked(window).poses()
    assert len(shown) == 3
    let(window, (8.0, 12.0))
    placed = [event for event in seat(window).game.events if isinstance(event, ev.Placed)]
    assert {row: pose[:2] for row, pose in placed[-1].poses.items()} == {
        row: pose[:2] for row, pose in shown.items()
    }


@pytest.mark.parametrize("how", ["right click", "escape"])
def test_a_set_up_that_is_held_is_let_go(opened: Open, how: str) -> None:
    window = say(opened(deploying()), "1")
    assert isinstance(asked(window).request, Place)
    before = answers(window)
    hold(window, (6.0, 10.0), (6.5, 10.0), (8.0, 12.0))
    if how == "escape":
        press(window, "escape")
    else:
        at = pixel(window, (8.0, 12.0))
        window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=at, button=3))
    let(window, (8.0, 12.0))
    assert answers(window) == before
    assert asked(window).draft is None


def deploying() -> Game:
    """Return a battle in which a unit is to be set up in a zone."""
    zone = ZoneFacts(id="defender", kind="defender", polygon=((0, 0), (20, 0), (20, 44), (0, 44)))
    squad = Stand("squad", "players", [(0.0, 0.0)] * 3).facts(1)

    def set_up(game: Game) -> Any:
        game.mustered = (squad,)  # type: ignore[attr-defined]
        return (yield from deploy.deploy(game))  # type: ignore[arg-type]

    foe = Stand("foes", "horde", [(50.0, 20.0)])
    steps = [Step("deploy", "setup", set_up)]
    return situation([foe], steps, HORDE_1_1, board=BoardFacts(zones=(zone,)))


def test_a_click_on_the_dashed_suggestion_takes_it(opened: Open) -> None:
    window = say(say(opened(table(MOVEMENT, at=SQUAD)), "1"), "2")
    wanted = asked(window).suggested()
    assert wanted
    x, y, _ = wanted[max(wanted)]
    on(click(window, spot(window, x, y)))
    poses = moved(window)[0].poses
    assert {row: pose[:2] for row, pose in poses.items()} == {row: pose[:2] for row, pose in wanted.items()}


@pytest.mark.rule("CORE.LOS.1")
def test_the_white_place_tells_what_sees_the_unit_there(opened: Open) -> None:
    # Two guns of one shot, hitting on 3+, wounding T4 on 4+, saved on 3+: 2 × 2/3 × 1/2 × 1/3 wounds.
    gun = WeaponFacts(name="gun", range=12.0, skill=3, strength=4)
    foes = Stand("foes", "horde", [(30.0, 20.0), (30.0, 22.0)], weapons=(gun,))
    own = Stand("mine", "players", [(14.0, 20.0)], weapons=(GUN,))
    window = opened(situation([own, foes], [MOVEMENT], HORDE_1_1, board=BoardFacts()))
    hold(window, (14.0, 20.0), (14.5, 20.0), (15.0, 20.0))
    outlook = ghost(window).outlook
    assert outlook is not None
    (far,) = outlook.onlookers
    assert (far.sees, round(far.apart, 2), far.wounds) == (True, 13.74, 0.0)
    motion(window, (18.5, 20.0))
    assert window.player.hand is not None
    window.player.hand.wait()
    outlook = ghost(window).outlook
    assert outlook is not None
    assert outlook.onlookers[0].wounds == pytest.approx(2 * 2 / 18 * 2 / 2)
    assert outlook.lines[0] == "1 of 1 Horde units see it: 0.2 wounds expected"
    assert asked(window).told[0] == "At the white place:"


@pytest.mark.rule("CORE.FGT.4")
@pytest.mark.parametrize("kind", ["pile-in", "consolidate"])
def test_a_pile_in_is_carried_as_far_as_its_rules_leave_a_choice(opened: Open, kind: str) -> None:
    request = Move(
        seats=("p1",),
        rule="CORE.FGT.4",
        decision="path",
        prompt="?",
        unit="mine",
        kind=kind,
        limits={0: 3.0, 1: 3.0},
    )
    step, given = asking(request, request)
    stands = [
        Stand("mine", "players", [(10.0, 20.0), (10.0, 22.0)]),
        Stand("foes", "horde", [(13.5, 20.0), (13.5, 22.0)]),
    ]
    window = opened(situation(stands, [step], HORDE_1_1, board=BoardFacts()))
    contact = 13.5 - 32 / 25.4
    carry(window, (10.0, 20.0), (10.5, 20.0), (9.0, 20.0))
    ends = [given[0].paths[row][-1][0] for row in (0, 1)]
    assert ends == pytest.approx([contact, contact], abs=0.01), "away is not legal: it goes to the enemy"
    carry(window, (10.0, 20.0), (10.5, 20.0), (12.2, 20.0))
    assert given[1].paths[0][-1][0] == pytest.approx(contact, abs=0.05)


def test_what_enter_has_sent_is_not_taken_back_with_the_next_unit(opened: Open) -> None:
    window = opened(two())
    pygame.key.set_mods(pygame.KMOD_SHIFT)
    try:
        carry(window, (14.0, 20.0), (14.0, 20.5), (13.0, 22.0))
    finally:
        pygame.key.set_mods(pygame.KMOD_NONE)
    press(window, "return")
    on(window)
    assert places(window)[:3] == [(10.0, 20.0), (12.0, 20.0), (13.0, 22.0)]
    lines = list(seat(window).game.lines)
    hold(window, (10.0, 30.0), (11.0, 30.0), (12.0, 31.0))
    press(window, "escape")
    let(window, (12.0, 31.0))
    assert seat(window).game.lines == lines


def test_escape_takes_back_what_waits_for_its_unit(opened: Open) -> None:
    window = opened(two())
    lines = list(seat(window).game.lines)
    pygame.key.set_mods(pygame.KMOD_ALT)
    try:
        carry(window, (14.0, 20.0), (14.0, 20.5), (13.0, 22.0))
    finally:
        pygame.key.set_mods(pygame.KMOD_NONE)
    assert asked(window).draft is not None
    for _ in range(2):
        press(window, "escape")
    on(window)
    assert asked(window).request.decision == "next-unit"
    assert seat(window).game.lines == lines
