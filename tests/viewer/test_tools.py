"""The tools over the board, by keys and mouse: ruler, sights, threat, reach, counts."""

from __future__ import annotations

import math

import pygame
import pytest
import shapely

from engine.core.facts import BoardFacts, ObjectiveFacts, TerrainFacts
from engine.core.game import Game
from engine.core.request import Place
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.scenario.situation import Stand, situation
from tests.viewer.at_window import GUN, MOVEMENT, Open, asked, asking, on, press, say, table
from tests.viewer.conftest import box
from tests.viewer.in_hand import hold, motion, pixel
from viewer.window.keys import help_lines
from viewer.window.window import Window

RUIN = TerrainFacts(id="H1", kind="ruin", footprint=box(20, 16, 4, 10), height=5)
MARKER = ObjectiveFacts(id="objective-a", at=(15.0, 28.0))
RADIUS = 16 / 25.4
"""The radius of a base of 32 mm, in inches."""


def walled() -> Game:
    """Return a battle with a ruin between a unit and its foes, one of which stands in it."""
    board = BoardFacts(terrain=(RUIN,), objectives=(MARKER,))
    stands = [
        Stand("mine", "players", [(10.0, 20.0), (12.0, 20.0)], weapons=(GUN,)),
        Stand("foes", "horde", [(34.0, 20.0)]),
        Stand("inside", "horde", [(23.8, 24.0)]),
    ]
    return situation(stands, [MOVEMENT], HORDE_1_1, board=board)


def key(window: Window, letter: str, mod: int = 0) -> Window:
    """Press a letter as a keyboard tells it."""
    sign = letter.upper() if mod & pygame.KMOD_SHIFT else letter
    event = pygame.event.Event(pygame.KEYDOWN, key=pygame.key.key_code(letter), unicode=sign, mod=mod)
    window.handle(event)
    return window


def shift(window: Window, letter: str) -> Window:
    return key(window, letter, pygame.KMOD_SHIFT)


def settled(window: Window) -> Window:
    """Let a choice and the mouse rest, and wait for what is worked out."""
    window.draw()
    window.tick(0.3)
    window.tick(0.01)
    window.toolbox.areas.finish()
    window.draw()
    return window


def written(window: Window) -> list[str]:
    window.draw()
    return [each.words for each in window.lettering.written]


# keys


def test_a_letter_is_a_tool_s_where_no_answer_begins_with_it(opened: Open) -> None:
    window = opened(table(MOVEMENT))
    key(window, "v")
    assert window.toolbox.in_hand == ["What sees what"]
    assert asked(window).line == ""
    key(window, "v")
    assert window.toolbox.in_hand == []


def test_a_letter_with_which_an_answer_may_begin_is_typed(opened: Open) -> None:
    window = opened(table(MOVEMENT))
    say(window, "1")
    say(window, "normal move")
    assert asked(window).request.decision == "path"
    key(window, "t")
    assert (asked(window).line, window.toolbox.in_hand) == ("t", [])
    shift(window, "t")
    assert asked(window).line == "tT", "a line that is begun is typed on"


def test_shift_makes_a_letter_the_tool_s_while_nothing_is_typed(opened: Open) -> None:
    window = opened(table(MOVEMENT))
    say(window, "1")
    say(window, "normal move")
    for letter in "dvt":
        shift(window, letter)
    assert window.toolbox.in_hand == ["Ruler", "What sees what", "Threat ranges"]
    assert asked(window).line == ""


def test_a_typed_answer_still_reaches_the_battle_with_tools_in_hand(opened: Open) -> None:
    window = opened(table(MOVEMENT))
    shift(window, "v")
    say(window, "1")
    say(window, "normal move")
    say(window, "toward 13 20")
    x = float(window.playback.state.position.table.xy[0][0])
    assert x == pytest.approx(13.0)


def test_a_letter_with_ctrl_is_no_tool_s(opened: Open) -> None:
    window = opened(table(MOVEMENT))
    key(window, "d", pygame.KMOD_CTRL)
    assert window.toolbox.in_hand == []


def test_escape_lays_down_one_tool_after_the_other(opened: Open) -> None:
    window = opened(table(MOVEMENT))
    shift(window, "d")
    shift(window, "t")
    press(window, "escape")
    assert window.toolbox.in_hand == ["Threat ranges"]
    press(window, "escape")
    assert window.toolbox.in_hand == []


def test_the_menu_has_every_tool_with_its_key(opened: Open) -> None:
    window = opened(table(MOVEMENT))
    assert [(tool.name, tool.key) for tool in window.tools] == [
        ("Ruler", "D"),
        ("What sees what", "V"),
        ("Threat ranges", "T"),
    ]
    window.tools[0].act()
    assert window.toolbox.in_hand == ["Ruler"]
    told = {shown for shown, _ in help_lines()}
    assert {"D", "V", "T"} <= told


# the ruler


def draw_ruler(window: Window, start: tuple[float, float], end: tuple[float, float]) -> None:
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=pixel(window, start), button=1))
    motion(window, end)
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=pixel(window, end), button=1))


def test_the_ruler_measures_from_edge_to_edge_and_takes_no_unit_up(to_scale: Open) -> None:
    window = to_scale(table(MOVEMENT))
    shift(window, "d")
    draw_ruler(window, (10.0, 20.0), (40.0, 20.0))
    measure = window.toolbox.measure
    assert measure is not None
    assert measure.inches == pytest.approx(30.0 - 2 * RADIUS)
    assert "28.7″" in written(window)
    assert window.player.hand is not None
    assert not window.player.hand.unit


def test_the_ruler_measures_to_a_point_of_the_ground(to_scale: Open) -> None:
    window = to_scale(table(MOVEMENT))
    shift(window, "d")
    draw_ruler(window, (10.0, 20.0), (10.0, 30.0))
    measure = window.toolbox.measure
    assert measure is not None
    assert measure.inches == pytest.approx(10.0 - RADIUS, abs=0.1), "a pixel is a tenth of an inch"


def test_arrows_move_the_ruler_s_end_by_an_inch_or_a_tenth(to_scale: Open) -> None:
    window = to_scale(table(MOVEMENT))
    window.choose("mine")
    window.draw()
    shift(window, "d")
    for _ in range(4):
        press(window, "right")
    window.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_RIGHT, unicode="", mod=pygame.KMOD_SHIFT))
    measure = window.toolbox.measure
    assert measure is not None
    assert measure.inches == pytest.approx(4.1 - RADIUS)


# sights


def test_what_hides_an_enemy_is_named_and_outlined(to_scale: Open) -> None:
    window = to_scale(walled())
    window.choose("mine")
    shift(window, "v")
    motion(window, (34.0, 20.0))
    settled(window)
    assert "foes is hidden by the ruin at 22, 21" in written(window)
    look = window.toolbox.sight(pixel(window, (34.0, 20.0)))
    assert look is not None
    hidden = next(each for each in look.glances if each.unit == "foes")
    assert hidden.ahead.blockers == ("H1",)
    assert hidden.ahead.line[1] == pytest.approx((20.0, 20.0)), "the line is cut where it meets the ruin"


def test_an_enemy_that_is_seen_is_told_with_its_distance_and_cover(to_scale: Open) -> None:
    window = to_scale(walled())
    window.choose("mine")
    shift(window, "v")
    motion(window, (23.8, 24.0))
    settled(window)
    look = window.toolbox.sight(pixel(window, (23.8, 24.0)))
    assert look is not None
    seen = next(each for each in look.glances if each.unit == "inside")
    assert seen.ahead.is_clear
    assert f"inside: {seen.apart:.1f}″, clear line, no cover · it sees nothing back" in written(window)


def test_a_unit_is_supposed_where_the_mouse_rests(to_scale: Open) -> None:
    window = to_scale(walled())
    window.choose("mine")
    shift(window, "v")
    motion(window, (12.0, 40.0))
    settled(window)
    look = window.toolbox.sight(pixel(window, (12.0, 40.0)))
    assert look is not None
    assert look.place is not None
    assert all(each.ahead.is_clear for each in look.glances if each.unit == "foes")
    state = window.playback.state.position.table.xy.tolist()
    assert state[0] == [10.0, 20.0], "nothing has moved"


def test_a_place_tells_by_whom_it_is_seen_while_no_unit_is_chosen(to_scale: Open) -> None:
    window = to_scale(walled())
    shift(window, "v")
    motion(window, (30.0, 20.0))
    settled(window)
    assert "Seen from here by 2 of the Horde, 0 of the players" in written(window)


def test_sights_follow_the_unit_that_is_dragged(to_scale: Open) -> None:
    window = to_scale(walled())
    hold(window, (10.0, 20.0), (10.5, 20.0), (10.0, 25.9))
    key(window, "v")
    settled(window)
    look = window.toolbox.sight(pixel(window, (10.0, 25.9)))
    assert look is not None
    assert look.moment is not None
    there = look.moment.state.position.table.xy[0].tolist()
    assert there == pytest.approx([10.0, 25.9], abs=0.06)


# areas


def test_the_reach_of_a_unit_is_its_move_about_its_bases(opened: Open) -> None:
    window = opened(table(MOVEMENT))
    window.choose("mine")
    settled(window)
    ends = window.toolbox.areas.ends
    assert ends is not None
    assert math.sqrt(ends.reach.covered.area / math.pi) == pytest.approx(6.0 + RADIUS, abs=0.05)
    assert ends.advance is not None
    assert ends.advance.middles[0,].bounds[2] == pytest.approx(22.0, abs=0.02)
    assert "Move 6″" in written(window)
    assert "Advance 6″ + D6, up to 12″" in written(window)


def test_no_reach_leads_through_the_range_of_an_enemy(opened: Open) -> None:
    window = opened(table(MOVEMENT, foes=(14.0, 20.0)))
    window.choose("mine")
    settled(window)
    ends = window.toolbox.areas.ends
    assert ends is not None
    area = ends.reach.middles[0,]
    assert not shapely.intersects_xy(area, 14.0, 20.0)
    assert not shapely.intersects_xy(area, 14.0 - 2 * RADIUS - 0.9, 20.0)
    assert shapely.intersects_xy(area, 14.0 - 2 * RADIUS - 1.1, 20.0)


def test_places_of_a_set_up_lie_in_the_zone_off_the_enemies(opened: Open) -> None:
    place = Place(
        seats=("p1",),
        rule="CORE.RES.8",
        decision="place",
        prompt="Where?",
        unit="mine",
        kind="reserves",
        rows=(0,),
        areas=(box(30.0, 10.0, 20.0, 20.0),),
        clear=9.0,
    )
    step, _ = asking(place)
    window = settled(opened(table(step)))
    ends = window.toolbox.areas.ends
    assert ends is not None
    (area,) = ends.reach.middles.values()
    assert area.bounds == pytest.approx((30.0 + RADIUS, 10.0 + RADIUS, 50.0 - RADIUS, 30.0 - RADIUS))
    assert not shapely.intersects_xy(area, 40.0, 20.0 + 9.0 + 2 * RADIUS - 0.05)
    assert shapely.intersects_xy(area, 31.0, 11.0)


def test_threat_is_the_chosen_unit_s_then_the_horde_s_never_both(opened: Open) -> None:
    window = opened(table(MOVEMENT))
    window.choose("mine")
    settled(window)
    shift(window, "t")
    settled(window)
    own = window.toolbox.areas.threat
    assert own is not None
    assert shapely.intersects_xy(own.charge, 10.0 + 6.0 + RADIUS + 12.0 - 0.1, 20.0)
    assert not shapely.intersects_xy(own.charge, 10.0 + 6.0 + RADIUS + 12.0 + 0.1, 20.0)
    assert shapely.intersects_xy(own.shots, 10.0 + 6.0 + RADIUS + 24.0 - 0.1, 20.0)
    assert "Move and shoot" in written(window)
    shift(window, "t")
    settled(window)
    horde = window.toolbox.areas.threat
    assert horde is not None
    assert not shapely.intersects_xy(horde.charge, 10.0, 20.0)
    assert window.toolbox.threatens == "horde"
    shift(window, "t")
    assert settled(window).toolbox.areas.threat is None


# markers


def test_markers_say_by_what_they_are_held(to_scale: Open) -> None:
    board = BoardFacts(objectives=(MARKER,))
    stands = [
        Stand("mine", "players", [(13.0, 28.0), (15.0, 29.0)]),
        Stand("foes", "horde", [(17.5, 28.0)]),
        Stand("far", "players", [(16.0, 20.0)]),
    ]
    window = to_scale(situation(stands, [MOVEMENT], HORDE_1_1, board=board))
    assert window.toolbox.marker_words == {"objective-a": ("2 to 1", "players")}
    assert "2 to 1" in written(window)


def test_a_drag_tells_which_marker_it_would_hold(to_scale: Open) -> None:
    window = to_scale(walled())
    assert window.toolbox.marker_words == {}
    hold(window, (10.0, 20.0), (10.5, 20.0), (12.0, 25.5))
    assert window.toolbox.carried_words == ["holds A: 2 to 0"]
    assert "holds A: 2 to 0" in written(window)
    window.player.take_back()
    on(window)
    assert window.toolbox.carried_words == []
