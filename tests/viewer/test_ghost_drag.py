"""A unit in the person's hand: its ghost, its release, and what lets it go."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from engine.core import event as ev
from engine.core.facts import BoardFacts, TerrainFacts, WeaponFacts
from engine.core.game import Game
from engine.core.request import Move, Moves
from engine.core.ruleset import Step
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.scenario.situation import Stand, situation
from engine.w40k.phase import charge
from tests.viewer.at_window import (
    GUN,
    MOVEMENT,
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
from tests.viewer.in_hand import (
    SCOUTING,
    SQUAD,
    answers,
    carry,
    ghost,
    hold,
    let,
    marks,
    motion,
    moved,
    pixel,
    places,
)
from viewer.input.wish import answer_of


@pytest.mark.rule("CORE.MOVE.5")
def test_press_drag_and_release_is_a_normal_move_as_shown(to_scale: Open) -> None:
    window = to_scale(table(MOVEMENT, at=SQUAD))
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


def test_a_press_on_its_own_is_a_click_and_moves_nobody(to_scale: Open) -> None:
    window = to_scale(table(MOVEMENT))
    before = answers(window)
    let(hold(window, (10.0, 20.0)), (10.0, 20.0))
    assert answers(window) == before
    assert window.chosen == asked(window).subject == "mine", "the unit is chosen"
    on(click(window, spot(window, 10.0, 20.0)))
    assert marks(window)["moved"] == "remain-stationary"


@pytest.mark.parametrize("how", ["right click", "escape"])
def test_what_is_held_is_let_go_and_all_is_as_before(to_scale: Open, how: str) -> None:
    window = to_scale(table(MOVEMENT, at=SQUAD))
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
def test_too_far_stops_at_the_end_of_the_move_and_says_by_how_much(to_scale: Open) -> None:
    window = to_scale(table(MOVEMENT, at=SQUAD))
    hold(window, (10.0, 20.0), (12.0, 20.0), (20.0, 20.0))
    shown = ghost(window)
    assert shown.reason == "Too far by 4.0″"
    assert shown.wanted[0][:2] == (20.0, 20.0)
    assert asked(window).poses()[0][:2] == pytest.approx((16.0, 20.0))
    let(window, (20.0, 20.0))
    assert places(window) == [(16.0, 20.0), (18.0, 20.0), (20.0, 20.0)]


@pytest.mark.rule("CORE.MOVE.4")
def test_nobody_is_carried_off_the_board(to_scale: Open) -> None:
    window = to_scale(table(MOVEMENT, at=[(3.0, 20.0)]))
    hold(window, (3.0, 20.0), (2.0, 20.0), (-1.0, 20.0))
    shown = ghost(window)
    assert not shown.is_as_wanted
    assert shown.moves_any
    let(window, (-1.0, 20.0))
    x, y = places(window)[0]
    assert x == pytest.approx(16 / 25.4, abs=0.01)
    assert y == pytest.approx(20.0, abs=0.01)


@pytest.mark.rule("CORE.ER.2")
def test_a_normal_move_ends_outside_of_engagement_range(to_scale: Open) -> None:
    window = to_scale(table(MOVEMENT, foes=(15.0, 20.0)))
    hold(window, (10.0, 20.0), (11.0, 20.0), (13.5, 20.0))
    assert "foes" in ghost(window).reason or "range" in ghost(window).reason
    let(window, (13.5, 20.0))
    gap = 15.0 - places(window)[0][0] - 32 / 25.4
    assert 1.0 < gap < 1.6
    assert marks(window)["moved"] == "normal"


def test_where_nobody_can_move_release_takes_all_back(to_scale: Open) -> None:
    wall = [Stand("mine", "players", [(10.0, 20.0)])]
    ring = [(10.0 + x, 20.0 + y) for x, y in ((4.0, 0.0), (-4.0, 0.0), (0.0, 4.0), (0.0, -4.0))]
    game = situation([*wall, Stand("foes", "horde", ring)], [MOVEMENT], HORDE_1_1, board=BoardFacts())
    window = to_scale(game)
    before = answers(window)
    hold(window, (10.0, 20.0), (10.5, 20.0), (10.0, 20.0))
    let(window, (10.0, 20.0))
    assert answers(window) == before
    assert asked(window).request.decision == "next-unit"


@pytest.mark.rule("CORE.MOVE.7")
def test_a_unit_that_may_only_fall_back_is_carried_out_of_combat(to_scale: Open) -> None:
    window = to_scale(table(MOVEMENT, foes=(12.0, 20.0)))
    carry(window, (10.0, 20.0), (9.0, 20.0), (6.0, 20.0))
    assert places(window) == [(6.0, 20.0)]
    assert "fell-back" in marks(window)


@pytest.mark.rule("CORE.RES.7")
def test_scouts_are_carried_before_the_first_turn(to_scale: Open) -> None:
    window = to_scale(scouts())
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


def test_dragging_beside_the_units_moves_the_view(to_scale: Open) -> None:
    window = to_scale(table(MOVEMENT))
    centre = window.camera.centre
    carry(window, (25.0, 10.0), (30.0, 10.0))
    assert window.camera.centre != centre
    assert asked(window).request.decision == "next-unit"


def test_an_enemy_is_not_taken_hold_of(to_scale: Open) -> None:
    window = to_scale(table(MOVEMENT))
    before = answers(window)
    carry(window, (40.0, 20.0), (42.0, 20.0))
    assert answers(window) == before


def test_the_move_of_a_drag_is_that_of_the_line_it_writes(to_scale: Open) -> None:
    window = to_scale(table(MOVEMENT, at=SQUAD))
    hold(window, (10.0, 20.0), (11.0, 20.0), (13.0, 22.0))
    view, request, line = asked(window).view, asked(window).request, asked(window).line
    assert line == "shift 3 2"
    answer = answer_of(view, request, line)
    assert isinstance(answer, Moves)
    assert answer.paths == ghost(window).moves.paths


@pytest.mark.rule("CORE.CHG.2")
def test_a_charge_is_carried_into_contact(to_scale: Open) -> None:
    stands = [Stand("mine", "players", [(10.0, 20.0)]), Stand("foes", "horde", [(14.0, 20.0)])]
    step = Step("players.charge", "charge", charge.charge, "players")
    game = situation(stands, [step], HORDE_1_1, board=BoardFacts(), dice={"charge": [6, 6]})
    window = say(to_scale(game), "1")
    window = say(window, "1")
    request = asked(window).request
    assert isinstance(request, Move)
    assert request.kind == "charge"
    carry(window, (10.0, 20.0), (10.5, 20.0), (12.0, 20.0))
    assert places(window)[0] == pytest.approx((14.0 - 32 / 25.4, 20.0), abs=0.01)


def test_a_click_on_the_dashed_suggestion_takes_it(to_scale: Open) -> None:
    window = say(say(to_scale(table(MOVEMENT, at=SQUAD)), "1"), "2")
    wanted = asked(window).suggested()
    assert wanted
    x, y, _ = wanted[max(wanted)]
    on(click(window, spot(window, x, y)))
    poses = moved(window)[0].poses
    assert {row: pose[:2] for row, pose in poses.items()} == {row: pose[:2] for row, pose in wanted.items()}


@pytest.mark.rule("CORE.LOS.1")
def test_the_white_place_tells_what_sees_the_unit_there(to_scale: Open) -> None:
    # Two guns of one shot, hitting on 3+, wounding T4 on 4+, saved on 3+: 2 × 2/3 × 1/2 × 1/3 wounds.
    gun = WeaponFacts(name="gun", range=12.0, skill=3, strength=4)
    foes = Stand("foes", "horde", [(30.0, 20.0), (30.0, 22.0)], weapons=(gun,))
    own = Stand("mine", "players", [(14.0, 20.0)], weapons=(GUN,))
    window = to_scale(situation([own, foes], [MOVEMENT], HORDE_1_1, board=BoardFacts()))
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
    assert outlook.brief == "seen by 1 of 1: 0.2 wounds"
    best, seen = asked(window).told
    # A pixel is a twentieth of an inch.
    assert best in (f"Best shot there: foes, {far}″: 0.2 wounds" for far in ("10.1", "10.2", "10.3"))
    assert seen == "1 of 1 Horde units see it there: 0.2 wounds expected"


@pytest.mark.rule("CORE.COV.1")
def test_cover_at_the_white_place_counts_and_that_of_now_does_not(to_scale: Open) -> None:
    woods = TerrainFacts(id="W", kind="woods", footprint=((16, 17), (21, 17), (21, 23), (16, 23)), height=4)
    gun = WeaponFacts(name="gun", range=24.0, skill=3, strength=4, ap=-1)
    foes = Stand("foes", "horde", [(30.0, 20.0)], weapons=(gun,))
    own = Stand("mine", "players", [(14.0, 20.0)])
    board = BoardFacts(terrain=(woods,))
    window = to_scale(situation([own, foes], [MOVEMENT], HORDE_1_1, board=board))
    # Hit on 3+, wounded on 4+; the save of 3+ is 4+ against AP -1, and 3+ again in cover.
    for x, saved in ((18.5, 2 / 6), (14.0, 3 / 6)):
        hold(window, (14.0, 20.0), (15.0, 20.0), (x, 28.0 if x < 16 else 20.0))
        outlook = ghost(window).outlook
        assert outlook is not None
        assert outlook.onlookers[0].wounds == pytest.approx(2 / 3 * 1 / 2 * saved), x
        press(window, "escape")
        let(window, (14.0, 20.0))


@pytest.mark.rule("CORE.FGT.4")
@pytest.mark.parametrize("kind", ["pile-in", "consolidate"])
def test_a_pile_in_is_carried_as_far_as_its_rules_leave_a_choice(to_scale: Open, kind: str) -> None:
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
    window = to_scale(situation(stands, [step], HORDE_1_1, board=BoardFacts()))
    contact = 13.5 - 32 / 25.4
    carry(window, (10.0, 20.0), (10.5, 20.0), (9.0, 20.0))
    ends = [given[0].paths[row][-1][0] for row in (0, 1)]
    assert ends == pytest.approx([contact, contact], abs=0.01), "away is not legal: it goes to the enemy"
    carry(window, (10.0, 20.0), (10.5, 20.0), (12.2, 20.0))
    assert given[1].paths[0][-1][0] == pytest.approx(contact, abs=0.05)
