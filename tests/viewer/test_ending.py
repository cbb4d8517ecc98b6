"""The end of a battle: the moments that decided it by their measure, and the last screen."""

from __future__ import annotations

from collections.abc import Iterator

import pygame
import pytest

from datasheets.library import Library
from engine.core import event as ev
from engine.core.facts import PlayerFacts
from engine.horde.setup import Options
from engine.systems import new_game
from tests.viewer.at_window import click, press
from tests.viewer.conftest import BOARD, Log, battle
from viewer.commands.seating import seat_agents
from viewer.input.seat import Seated
from viewer.story.ending import ending
from viewer.story.report import lines, report
from viewer.story.source import Entry, Recording
from viewer.story.turning_points import MARKER, MISSION, TurningPoint, moment_lines, turning_points
from viewer.window.application import show
from viewer.window.window import Window

LIBRARY = Library()


@pytest.fixture(name="log")
def _log() -> Log:
    """Return a battle of two units of each side, 90 points each, in round 1."""
    log = Log()
    player = PlayerFacts(id="p1", name="Ultramarines", faction="space-marines")
    log.tell(ev.Setup(ruleset="horde-1.1", board=BOARD, players=(player,), decks={"secondary": ()}))
    log.unit("a", "Alphas", "players", 3, (22, 8))
    log.unit("b", "Betas", "players", 3, (32, 8))
    log.unit("x", "Crawlers", "horde", 3, (22, 38))
    log.unit("y", "Walkers", "horde", 3, (32, 38))
    log.tell(ev.RoundBegan(number=1))
    return log


def hurt(log: Log, target: str, by: str, times: int) -> None:
    for _ in range(times):
        log.hurt(log.state.position.units[target], by)


def points(log: Log) -> tuple[TurningPoint, ...]:
    return turning_points(log.entries)


# the measure


def test_a_loss_counts_by_what_it_changes_of_the_balance(log: Log) -> None:
    hurt(log, "x", "a", 3)
    found = points(log)
    assert [moment.title for moment in found] == ["Crawlers wiped out by Alphas"]
    # 180 of 360 points before, 180 of 270 after.
    assert found[0].worth == pytest.approx(100 * (180 / 270 - 180 / 360))
    assert found[0].detail == "The Horde lost 3 wounds and 3 models. Balance 50% to 67%."


def test_the_same_loss_weighs_more_when_less_is_left(log: Log) -> None:
    hurt(log, "a", "x", 3)
    log.tell(ev.RoundEnded(number=1))
    log.tell(ev.RoundBegan(number=2))
    hurt(log, "b", "x", 3)
    first, second = points(log)
    assert first.worth < 0
    assert second.worth < first.worth
    assert (first.round, second.round) == (1, 2)


def test_what_one_unit_does_in_a_phase_is_one_moment(log: Log) -> None:
    hurt(log, "a", "x", 1)
    hurt(log, "b", "x", 1)
    hurt(log, "a", "y", 1)
    found = points(log)
    assert sorted(moment.detail.partition(".")[0] for moment in found) == [
        "The players lost 1 wound and 1 model",
        "The players lost 2 wounds and 2 models",
    ]


def test_a_marker_counts_for_each_round_that_it_is_held(log: Log) -> None:
    log.tell(ev.Controlled(objective="obj1", by="players", levels=(0, 4)))
    log.tell(ev.RoundEnded(number=1))
    log.tell(ev.RoundBegan(number=2))
    log.tell(ev.RoundEnded(number=2))
    log.tell(ev.RoundBegan(number=3))
    log.tell(ev.Controlled(objective="obj1", by="horde", levels=(6, 0)))
    log.tell(ev.RoundEnded(number=3))
    took, lost = points(log)
    assert took.worth == 2 * MARKER
    assert took.title == "The players took objective 1"
    assert lost.worth == -2 * MARKER  # from the players to the Horde, for one round


def test_a_marker_that_changes_hands_for_no_round_counts_nothing(log: Log) -> None:
    log.tell(ev.Controlled(objective="obj1", by="players", levels=(0, 4)))
    log.tell(ev.Controlled(objective="obj1", by="", levels=(4, 4)))
    assert points(log) == ()


def test_missions_count_for_or_against(log: Log) -> None:
    log.tell(ev.MissionResolved(card="secondary/1-secure-drop-zones", success=False))
    log.tell(ev.MissionResolved(card="secondary/8-dragon-slayer", success=True))
    failed, met = points(log)
    assert (failed.worth, met.worth) == (-MISSION, MISSION)
    assert failed.title.endswith("failed")
    assert "Balance −4%" in failed.detail


def test_five_are_told_at_most_in_the_order_of_the_battle() -> None:
    found = turning_points(battle(5))
    assert len(found) == 5
    assert [moment.index for moment in found] == sorted(moment.index for moment in found)
    assert found == turning_points(battle(5))
    everything = turning_points(battle(5), most=999)
    least = min(abs(moment.worth) for moment in found)
    assert all(abs(moment.worth) <= least for moment in everything if moment not in found)


def test_a_moment_lies_before_its_first_event() -> None:
    entries = battle(3)
    for moment in turning_points(entries):
        entry = entries[moment.index]
        assert isinstance(entry, ev.Event)
        assert entry.n == moment.n


def test_the_report_tells_the_same_moments(entries: list[Entry]) -> None:
    events = [entry for entry in entries if isinstance(entry, ev.Event)]
    found = report(events)
    told = lines(found)
    assert told[told.index("What decided it") + 1 :][: len(found.moments)] == moment_lines(found.moments)
    assert [m.n for m in found.moments] == [m.n for m in turning_points(entries)]


# what the last screen says


def test_the_title_says_which_side_holds_the_table(log: Log) -> None:
    log.tell(ev.BattleEnded(winners=(), reason="round 5 was the last"))
    assert ending(log.entries, log.state).title == "Ultramarines holds the table"
    assert ending(log.entries, log.state).sentence.startswith("Not won: Round 5 was the last.")
    hurt(log, "a", "x", 3)
    hurt(log, "b", "x", 3)
    assert ending(log.entries, log.state).title == "The Horde holds the table"


def test_damage_of_each_unit(log: Log) -> None:
    hurt(log, "x", "a", 2)
    hurt(log, "b", "y", 3)
    log.tell(ev.BattleEnded(winners=(), reason="over"))
    found = ending(log.entries, log.state)
    own = {line.unit: (line.dealt, line.taken, line.note) for line in found.own}
    assert own == {"a": (2, 0, "3 of 3 models left"), "b": (0, 3, "lost in round 1")}
    foes = {line.unit: (line.dealt, line.taken) for line in found.horde}
    assert foes == {"x": (0, 2), "y": (3, 0)}
    assert (found.lost, found.killed) == (3, 2)
    assert found.by_round == ((1, 3, 2),)


# in the window


@pytest.fixture(name="window", scope="module")
def _window() -> Iterator[Window]:
    """Return a window at the end of a battle that was played there."""
    army = LIBRARY.army("space-marines-1000")
    game = new_game(Options((army,), ("death-guard",), 1000, seed=3, rounds=1), LIBRARY)
    window = Window(
        pygame.display.set_mode((1600, 900)), Seated(game, seat_agents(("p1",), "steady"), ("p1",))
    )
    for _ in range(4000):
        window.playback.seek(len(window.playback.chronicle))
        window.tick(0.05)
        if window.player.asked is not None:
            window.player.enter("")
        if window.playback.source.ended and window.playback.at_end:
            break
    window.tick(0.05)
    yield window
    pygame.quit()


@pytest.fixture(autouse=True)
def _back(request: pytest.FixtureRequest) -> Iterator[None]:
    """Open the last screen again after each test of it."""
    yield
    if "window" in request.fixturenames:
        window = request.getfixturevalue("window")
        window.wish, window.quit = "", False
        window.playback.seek(len(window.playback.chronicle))
        window.playback.playing = False
        window.screens.end.is_open = True


def shown(window: Window) -> str:
    window.draw()
    return "\n".join(each.words for each in window.lettering.written)


def test_it_opens_as_the_battle_ends(window: Window) -> None:
    assert window.screens.end.is_open
    told = shown(window)
    found = window.screens.end.ending
    assert found is not None
    assert found.title in told
    assert found.own[0].name in told
    assert found.own[0].note in told
    assert "What decided it" in told
    assert not [each.words for each in window.lettering.written if each.is_cut]


@pytest.mark.parametrize(
    ("key", "wish"),
    [("return", "again"), ("s", "same-seed"), ("c", "from-round:1"), ("w", "watch"), ("escape", "menu")],
)
def test_keys_say_what_comes_next(window: Window, key: str, wish: str) -> None:
    press(window, key)
    assert window.wish == wish
    show(window, frames=5)  # a loop with a wish ends


@pytest.mark.parametrize("wish", ["again", "same-seed", "from-round:1", "watch", "menu"])
def test_buttons_say_the_same(window: Window, wish: str) -> None:
    window.draw()
    click(window, next(box for box, id_ in window.screens.end.links if id_ == wish).center)
    assert window.wish == wish


def test_watch_jumps_to_the_moment_and_plays_to_the_end_again(window: Window) -> None:
    window.draw()
    found = window.screens.end.ending
    assert found is not None
    last = len(found.moments) - 1
    click(window, next(box for box, id_ in window.screens.end.links if id_ == f"moment:{last}").center)
    assert not window.screens.end.is_open
    assert window.wish == ""
    assert window.playback.cursor == found.moments[last].index
    assert window.playback.playing
    for _ in range(4000):
        window.tick(5.0)
        if window.screens.end.is_open:
            break
    assert window.screens.end.is_open


def test_the_table_can_be_looked_at(window: Window) -> None:
    press(window, "t")
    assert not window.screens.end.is_open
    assert "What decided it" not in shown(window)
    press(window, "escape")
    assert window.screens.end.is_open


def test_other_keys_and_clicks_beside_do_nothing(window: Window) -> None:
    window.draw()
    for key in ("q", "space", "x"):
        press(window, key)
    click(window, (2, 2))
    assert window.wish == ""
    assert not window.quit
    assert window.screens.end.is_open


def test_a_recording_that_is_watched_opens_none(entries: list[Entry]) -> None:
    window = Window(pygame.display.set_mode((1200, 760)), Recording(entries))
    window.playback.seek(len(window.playback.chronicle))
    window.tick(0.1)
    assert not window.screens.end.is_open
    pygame.quit()
