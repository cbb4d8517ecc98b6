"""The look of the window: every size, cards, rosters, goals, palettes, tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import pygame
import pytest

from datasheets.library import Library
from engine.core import event as ev
from engine.core.play import step
from engine.horde.setup import Options
from engine.systems import new_game
from engine.w40k.acting import progress
from viewer.commands.seating import seat_agents
from viewer.input.seat import Seated
from viewer.story.goal import Sight, goals
from viewer.story.name import title
from viewer.story.roster import roster
from viewer.story.source import Entry, Recording
from viewer.story.tally import Deeds
from viewer.story.unit_card import unit_card
from viewer.window.hover import DELAY
from viewer.window.layout import divide
from viewer.window.lettering import SMALLEST, Lettering
from viewer.window.look import Look, sizes
from viewer.window.palette import PALETTES
from viewer.window.subject import able as units_able
from viewer.window.window import Window

LIBRARY = Library()
WINDOWS = ((1024, 640), (1280, 720), (1920, 1080), (3840, 2160))
WORDS = (80, 100, 150, 200)
Open = Callable[..., Window]


def battle(players: int, phase: str, *, seed: int = 7) -> Seated:
    """Return a battle in a phase of the players' second turn, with people at all its seats."""
    armies = (LIBRARY.army(f"space-marines-{1000 // players}"),) * players
    game = new_game(Options(armies, ("death-guard",), seed=seed), LIBRARY)
    seats = tuple(game.state.players)
    source = Seated(game, seat_agents(seats, "steady"), seats)
    while phase and not (
        game.state.round == 2 and game.state.phase == phase and game.state.turn == "players"
    ):
        step(game, source.agents, source.views)
    return source


@pytest.fixture(scope="module")
def alone() -> Seated:
    """Return a battle of one player, asked which unit moves next."""
    return battle(1, "movement")


@pytest.fixture(scope="module")
def together() -> Seated:
    """Return a battle of two players at one screen, the first of whom is asked."""
    return battle(2, "movement")


@pytest.fixture
def opened() -> Iterator[Open]:
    """Return a function that shows a battle in a window at its latest moment."""
    pygame.display.init()

    def show(source: Any, size: tuple[int, int] = (1920, 1080), look: Look | None = None) -> Window:
        if isinstance(source, Seated):
            source._told = 0
        window = Window(pygame.display.set_mode(size), source, look)
        while not (window.playback.source.ended or window.player.waits):
            window.playback.pull()
        window.playback.seek(len(window.playback.chronicle))
        window.fit()
        window.draw()
        return window

    yield show
    pygame.quit()


def named(window: Window, name: str) -> str:
    """Return the id of the living unit with this in its name."""
    units = window.playback.state.position.units.values()
    return next(unit.id for unit in units if name in unit.name and unit.rows)


def words(window: Window) -> str:
    """Return all words that stand in the window."""
    window.draw()
    return "\n".join(each.words for each in window.lettering.written)


def check_words(window: Window) -> None:
    """Check that no words are cut, and that no two stand on one another."""
    window.draw()
    written = window.lettering.written
    assert len(written) > 20
    assert not [each.words for each in written if each.is_cut]
    # The picture of a word has some room over and under its letters.
    inked = [(each.words, each.box.inflate(-2, -round(each.box.h * 0.2))) for each in written]
    assert not [(a, b) for (a, one), (b, two) in combinations(inked, 2) if one.colliderect(two)]


def press(window: Window, at: tuple[int, int]) -> None:
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        window.handle(pygame.event.Event(kind, pos=at, button=1))
    window.draw()


def rest(window: Window, at: tuple[int, int]) -> None:
    """Let the mouse rest on a pixel until a card is shown."""
    window.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=at, rel=(0, 0), buttons=(0, 0, 0)))
    window.tick(DELAY)
    window.draw()


def place_of(window: Window, unit: str) -> tuple[int, int]:
    row = window.playback.state.position.units[unit].rows[0]
    x, y = window.camera.to_screen(*map(float, window.playback.state.position.table.xy[row]))
    return round(x), round(y)


# every size


@pytest.mark.parametrize("text", WORDS)
@pytest.mark.parametrize("size", WINDOWS)
def test_no_words_are_cut_or_stand_on_others(
    opened: Open, alone: Seated, size: tuple[int, int], text: int
) -> None:
    window = opened(alone, size, Look(text=text))
    check_words(window)
    window.choose(named(window, "Hellblaster"))
    for tab in ("Unit", "Units", "Log") if window.layout.has_tabs else ("Unit",):
        window.side.tab = tab
        check_words(window)
    window.help = True
    check_words(window)


@pytest.mark.parametrize("text", WORDS)
@pytest.mark.parametrize("size", WINDOWS[:3])
def test_a_battle_that_is_watched_has_its_words_apart(
    opened: Open, entries: list[Entry], size: tuple[int, int], text: int
) -> None:
    window = opened(Recording(entries), size, Look(text=text))
    window.playback.jump("round:2:horde:movement")
    window.press("next-decision")
    check_words(window)
    window.playback.playing = True
    check_words(window)


@pytest.mark.parametrize("text", WORDS)
@pytest.mark.parametrize("size", WINDOWS[:3])
def test_all_that_a_player_needs_is_always_there(
    opened: Open, alone: Seated, size: tuple[int, int], text: int
) -> None:
    window = opened(alone, size, Look(text=text))
    shown = words(window)
    for each in ("SECRET", "MISSION", "MISERY", "CP", "SP", "YOUR TURN", "Movement", "End movement"):
        assert each in shown
    lines = [line for _, line in window.panel.buttons]
    assert lines[0] == "undo"
    assert lines[-2:] == ["end", "menu"], "the yellow button is the last, with its menu"
    assert all(min(box.size) >= 36 for box, _ in window.panel.buttons)


def test_nothing_is_written_smaller_than_eleven_pixels() -> None:
    lettering = Lettering(Look(text=80))
    lettering.fit(640)
    assert lettering.height(11) == lettering.font(11).get_height()
    assert lettering.font(8).get_height() == Lettering().font(SMALLEST).get_height()


@pytest.mark.parametrize(
    ("size", "text", "expected"),
    [
        # Sizes of the design: top bar, units, side column, bottom bar.
        ((1920, 1080), 100, (64, 264, 380, 56)),
        ((1280, 720), 100, (56, 0, 380, 52)),
        ((1024, 640), 100, (56, 0, 288, 52)),
        ((3840, 2160), 100, (128, 528, 760, 112)),
        ((1280, 720), 150, (74, 0, 392, 69)),
        ((1920, 1080), 150, (74, 0, 570, 69)),
    ],
)
def test_the_window_is_divided_as_designed(
    size: tuple[int, int], text: int, expected: tuple[int, int, int, int]
) -> None:
    layout = divide(*size, sizes(size[1], Look(text=text)))
    assert (layout.header.h, layout.units.w, layout.side.w, layout.bottom.h) == expected
    parts = (layout.header, layout.units, layout.board, layout.side, layout.bottom)
    assert sum(part.w * part.h for part in parts) == size[0] * size[1]


def test_the_board_touches_its_pane_in_one_direction(opened: Open, alone: Seated) -> None:
    for size in WINDOWS[:3]:
        window = opened(alone, size)
        left, foot = window.camera.to_screen(0, 0)
        right, top = window.camera.to_screen(60, 44)
        free = window.layout.board.w - (right - left), window.layout.board.h - (foot - top)
        aside, along = sum(window.layout.margin[:2]), sum(window.layout.margin[2:])
        assert free[0] == pytest.approx(aside, abs=1) or free[1] == pytest.approx(along, abs=1)


# the mouse


def test_the_mouse_over_a_unit_shows_its_card_while_something_is_asked(opened: Open, alone: Seated) -> None:
    window = opened(alone)
    other = named(window, "Icon Bearer")
    asked = window.player.asked
    before = [box for box, _ in window.panel.rows]
    window.handle(
        pygame.event.Event(pygame.MOUSEMOTION, pos=place_of(window, other), rel=(0, 0), buttons=(0, 0, 0))
    )
    assert "Boltgun" not in words(window)
    window.tick(DELAY)
    assert "Boltgun" in words(window)
    assert [box for box, _ in window.panel.rows] == before, "the options stay under the mouse"
    assert window.player.asked is asked


def test_a_row_of_the_roster_shows_and_pins_a_card(opened: Open, alone: Seated) -> None:
    window = opened(alone)
    unit = named(window, "Infernus")
    box = next(box for box, of in window.units.rows if of == unit)
    rest(window, box.center)
    assert "Pyreblaster" in words(window)
    press(window, box.center)
    assert window.chosen == unit
    rest(window, (window.layout.header.w // 2, 2))
    assert "Pyreblaster" in words(window)
    window.press("escape")
    assert "Pyreblaster" not in words(window)


def test_a_small_window_has_the_units_and_the_log_as_tabs(opened: Open, alone: Seated) -> None:
    window = opened(alone, (1024, 640))
    assert "TO MOVE" not in words(window)
    press(window, window.side.tabs[1][0].center)
    assert "TO MOVE" in words(window)
    press(window, window.side.tabs[2][0].center)
    assert "LOG" in words(window)
    assert window.panel.rows, "the question stays"


def test_the_menu_s_button_opens_the_keys(opened: Open, alone: Seated) -> None:
    window = opened(alone)
    press(window, window.top.menu.center)
    assert window.help


def test_the_undo_button_takes_the_last_answer_back(opened: Open) -> None:
    window = opened(battle(1, ""))
    first = window.player.asked
    assert first is not None
    window.player.enter("")
    for _ in range(50):
        window.tick(60.0)
    window.draw()
    assert window.player.asked is not first
    box = next(box for box, line in window.screens.set_up.buttons if line == "undo")
    press(window, box.center)
    again = window.player.asked
    assert again is not None
    assert again.request == first.request


# the card


def test_a_card_tells_what_acts_on_a_unit_and_its_changed_numbers(alone: Seated) -> None:
    source = battle(1, "shooting")
    state = source.game.state
    unit = next(u for u in state.position.units.values() if "Ballistus" in u.name)
    card = unit_card(state, unit, source.knowledge, now=True)
    toughness = next(number for number in card.profiles[0].numbers if number.name == "T")
    assert (toughness.printed, toughness.now, toughness.better) == ("10", "9", -1)
    effect = next(each for each in card.effects if "Toughness" in each.says)
    assert (effect.sign, effect.says) == (-1, "−1 Toughness")
    # The moment before is no longer the battle's: only what is printed is known of it.
    printed = unit_card(state, unit, source.knowledge, now=False)
    assert not printed.effects
    assert next(number for number in printed.profiles[0].numbers if number.name == "T").now == "10"


def test_a_card_s_weapons_have_what_rules_grant_them(opened: Open, alone: Seated) -> None:
    window = opened(alone)
    state = window.playback.state
    unit = state.position.units[named(window, "Hellblaster")]
    card = unit_card(state, unit, alone.knowledge, now=True)
    plasma = next(line for line in card.weapons if "Supercharge" in line.name)
    assert plasma.count == 3
    assert plasma.granted == ("lethal hits",)
    assert [(number.name, number.now) for number in plasma.numbers] == [
        ("A", "2"),
        ("BS", "3+"),
        ("S", "8"),
        ("AP", "−3"),
        ("D", "2"),
    ]
    assert [line.name for line in card.abilities if line.acts] or card.effects


def test_a_card_says_which_abilities_are_not_simulated(entries: list[Entry], opened: Open) -> None:
    window = opened(Recording(entries))
    window.choose("p1.rhino")
    assert "Not simulated:" in words(window)


def test_deeds_are_counted_up_to_the_moment_shown(entries: list[Entry]) -> None:
    damaged = [i for i, each in enumerate(entries) if isinstance(each, ev.Damaged)]
    first = entries[damaged[0]]
    assert isinstance(first, ev.Damaged)
    deeds = Deeds()
    deeds.until(entries, damaged[0])
    assert not deeds.dealt[first.by]
    deeds.until(entries, damaged[0] + 1)
    assert deeds.dealt[first.by][first.unit] == [1, 0]
    assert deeds.taken[first.unit][first.by] == [1, 0]
    whole = deeds.until(entries, len(entries)).dealt[first.by][first.unit][0]
    expected = [e for e in entries if isinstance(e, ev.Damaged) and (e.by, e.unit) == (first.by, first.unit)]
    assert whole == sum(each.amount for each in expected)
    assert deeds.until(entries, damaged[0] + 1).dealt[first.by][first.unit] == [1, 0], "and back"


def test_a_card_is_shown_of_units_that_are_still_to_be_placed(opened: Open) -> None:
    window = opened(battle(1, ""))
    shown = words(window)
    assert "TO PLACE" in shown
    unit = next(of for _, of in window.units.rows if "terminator" in of)
    rest(window, next(box for box, of in window.units.rows if of == unit).center)
    assert "Terminator Squad" in words(window)


# the roster


def test_the_roster_tells_who_has_still_to_act(alone: Seated, opened: Open) -> None:
    window = opened(alone)
    state = window.playback.state
    able = units_able(window.playback, window.player.asked)
    assert able is not None
    sections = {section.title: section for section in roster(state, able)}
    assert sections["To move"].note == f"{len(sections['To move'].rows)} of 7"
    assert [row.name for row in sections["Reserves"].rows] == ["Assault Intercessors"]
    assert all(row.badge == "ready" for row in sections["To move"].rows)
    first = sections["To move"].rows[0].unit
    left = {section.title: section for section in roster(state, able - {first})}
    assert [row.unit for row in left["Done"].rows] == [first]
    assert len(left["To move"].rows) == len(sections["To move"].rows) - 1
    assert sections["Horde"].side == "horde"


# what others hide


def test_one_s_own_goals_are_shown_with_their_progress(opened: Open, alone: Seated) -> None:
    window = opened(alone)
    state, source = window.playback.state, window.playback.source
    found = goals(state, source.summaries, source.knowledge, Sight(("p1",), "p1"), now=True)
    kinds = {goal.kind: goal for goal in found}
    assert (kinds["secret"].name, kinds["secret"].done, kinds["secret"].of) == ("Hand of Fate", 0, 7)
    assert kinds["mission"].of == 1
    shown = words(window)
    assert "Hand of Fate" in shown
    assert "0 of 7" in shown


@pytest.mark.rule("PLAY.9")
def test_no_secret_is_drawn_where_several_share_the_screen(opened: Open, together: Seated) -> None:
    window = opened(together)
    held = {seat: title(player.secrets[0]) for seat, player in together.game.state.players.items()}
    shown = words(window)
    assert "hidden" in shown
    assert not [name for name in held.values() if name in shown]
    # The player that is asked presses the eye; the other's stays hidden.
    asked = window.player.asked
    assert asked is not None
    own, other = held.pop(asked.view.seat), next(iter(held.values()))
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=window.top.eye.center, button=1))
    assert own in words(window)
    assert other not in words(window)
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=window.top.eye.center, button=1))
    assert own not in words(window)
    for kind, there in ((pygame.KEYDOWN, True), (pygame.KEYUP, False)):
        window.handle(pygame.event.Event(kind, key=pygame.K_F4, unicode="", mod=0))
        assert (own in words(window)) is there


@pytest.mark.rule("PLAY.9")
def test_a_watcher_that_takes_no_seat_sees_no_masked_secret(opened: Open, together: Seated) -> None:
    """A shared window's log names no secret; nor do the chips, once its people have left."""
    window = opened(together)
    state, source = window.playback.state, window.playback.source
    held = {player.secrets[0] for player in together.game.state.players.values()}
    for sight in (Sight(), Sight(("p1", "p2"), "p1"), Sight(("p1", "p2"), "", peeks=True)):
        found = goals(state, source.summaries, source.knowledge, sight, now=True)
        assert not held.intersection(goal.card for goal in found)
    assert progress(together.game, together.game.state.players["p2"].secrets[0], "p1") is None


def test_the_second_palette_is_drawn(opened: Open, alone: Seated) -> None:
    window = opened(alone, look=Look("colour-blind"))
    box = next(box for box, line in window.panel.buttons if line == "end")
    assert tuple(window.surface.get_at((box.x + 8, box.centery)))[:3] == PALETTES["colour-blind"].accent
