"""What the hand does beside a plain move: advances, turns, bends, set-ups, and undoing."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from engine.core import event as ev
from engine.core.facts import BoardFacts, ZoneFacts
from engine.core.game import Game
from engine.core.request import Place
from engine.core.ruleset import Step
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.scenario.situation import Stand, situation
from engine.w40k.phase import deploy
from tests.viewer.at_window import (
    GUN,
    MOVEMENT,
    SHOOTING,
    Open,
    asked,
    click,
    on,
    press,
    say,
    seat,
    spot,
    table,
)
from tests.viewer.in_hand import (
    OVAL,
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
    two,
)


@pytest.mark.rule("CORE.MOVE.6")
def test_an_advance_is_rolled_only_where_it_is_asked_for(to_scale: Open) -> None:
    window = to_scale(table(MOVEMENT))
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
def test_dice_of_an_advance_are_not_taken_back(to_scale: Open) -> None:
    window = to_scale(table(MOVEMENT))
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
def test_the_sign_at_the_boards_foot_advances_by_the_mouse_alone(to_scale: Open) -> None:
    window = to_scale(table(MOVEMENT))
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


def test_g_takes_the_suggestion_and_s_lets_the_unit_stay(to_scale: Open) -> None:
    window = to_scale(table(MOVEMENT))
    hold(window, (10.0, 20.0), (11.0, 20.0))
    press(window, "s")
    let(window, (11.0, 20.0))
    assert marks(window)["moved"] == "remain-stationary"

    window = to_scale(table(MOVEMENT))
    hold(window, (10.0, 20.0), (11.0, 20.0))
    press(window, "g")
    let(window, (11.0, 20.0))
    made, other = moved(window), to_scale(table(MOVEMENT))
    press(other, "return")
    for _ in range(2):
        press(on(other), "return")
    on(other)
    assert [event.poses for event in moved(other)] == [event.poses for event in made]


def test_the_wheel_spreads_and_keys_turn_what_is_held(to_scale: Open) -> None:
    window = to_scale(table(MOVEMENT, at=SQUAD))
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
def test_a_vehicle_pays_for_its_turn(to_scale: Open) -> None:
    window = to_scale(table(MOVEMENT, base=OVAL, keywords=("VEHICLE",)))
    hold(window, (10.0, 20.0), (11.0, 20.0), (13.0, 20.0))
    press(window, "e")
    assert window.player.hand is not None
    window.player.hand.wait()
    assert ghost(window).used == pytest.approx(5.0), "a pivot costs 2 inches"
    let(window, (13.0, 20.0))
    assert float(seat(window).game.state.position.table.facing[0]) % 360.0 == 355.0


def test_the_way_bends_where_the_person_says_and_right_click_takes_the_bend_back(to_scale: Open) -> None:
    window = to_scale(table(MOVEMENT))
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
def test_one_model_is_carried_alone_and_the_unit_goes_with_the_next_release(to_scale: Open) -> None:
    window = to_scale(table(MOVEMENT, at=SQUAD))
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


def test_undo_after_a_drag_brings_the_unit_back(to_scale: Open) -> None:
    window = to_scale(two())
    lines = list(seat(window).game.lines)
    carry(window, (10.0, 20.0), (11.0, 20.0), (13.0, 22.0))
    assert places(window)[0] == (13.0, 22.0)
    window.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_z, unicode="", mod=pygame.KMOD_CTRL))
    on(window)
    assert seat(window).game.lines == lines, "one undo takes the whole drag back"
    carry(window, (10.0, 20.0), (11.0, 20.0), (12.0, 20.0))
    assert places(window)[0] == (12.0, 20.0)


def test_a_whole_movement_phase_is_played_by_the_mouse_alone(to_scale: Open) -> None:
    own = [
        Stand("near", "players", SQUAD, weapons=(GUN,)),
        Stand("far", "players", [(10.0, 30.0), (12.0, 30.0)]),
        Stand("still", "players", [(10.0, 38.0)]),
        Stand("held", "players", [(10.0, 10.0)]),
    ]
    foes = [Stand("foes", "horde", [(28.0, 20.0)]), Stand("holder", "horde", [(12.0, 10.0)])]
    window = to_scale(situation([*own, *foes], [MOVEMENT, SHOOTING], HORDE_1_1, board=BoardFacts()))
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


def test_a_press_in_its_area_sets_a_unit_up_where_it_is_let_go(to_scale: Open) -> None:
    window = say(to_scale(deploying()), "1")
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
def test_a_set_up_that_is_held_is_let_go(to_scale: Open, how: str) -> None:
    window = say(to_scale(deploying()), "1")
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


def test_what_enter_has_sent_is_not_taken_back_with_the_next_unit(to_scale: Open) -> None:
    window = to_scale(two())
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


def test_escape_takes_back_what_waits_for_its_unit(to_scale: Open) -> None:
    window = to_scale(two())
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
