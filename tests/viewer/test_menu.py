"""The start menu: from it to a battle, what may not be, lists that are pasted, every size."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pygame
import pytest
from pygame_gui.elements import (
    UIButton,
    UIDropDownMenu,
    UILabel,
    UISelectionList,
    UITextEntryBox,
    UITextEntryLine,
)

from datasheets.schema import Roster
from engine.horde.setup import Options
from tests.viewer.at_menu import Evening
from viewer.input.seat import Seated
from viewer.menu.start_menu import StartMenu
from viewer.window.window import Window

LIST = """Strike Force (995 Points)

Space Marines
Gladius Task Force
Strike Force (1,000 Points)

CHARACTERS

Captain (80 Points)
  • Warlord

BATTLELINE

Intercessor Squad (80 Points)
"""


def game_of(window: Window) -> Any:
    assert isinstance(window.playback.source, Seated)
    return window.playback.source.game


def options_of(evening: Evening) -> Options:
    return evening.desk._options(evening.menu.choice)


def test_enter_begins_the_battle_that_is_shown(evening: Evening) -> None:
    seed = evening.menu.choice.seed
    shown = evening.menu.battle.shown.game
    assert shown is not None
    evening.press("return")
    game = game_of(evening.window)
    assert game.header == shown.header
    assert game.seed == int(seed)
    assert game.header["setup"]["factions"] == ["death-guard"]


def test_one_click_begins_too(evening: Evening) -> None:
    evening.push("Begin battle · Enter")
    assert evening.window.player.plays


def test_what_is_chosen_is_what_is_played(evening: Evening) -> None:
    evening.choose("Death Guard", "Drukhari")
    evening.push("2,000")
    evening.push("7")
    evening.choose("Drawn by the seed", "Crucible of Battle")
    evening.push("A person")
    evening.push("All")
    chosen = evening.menu.choice
    assert (chosen.faction, chosen.points, chosen.rounds) == (["drukhari"], "2000", "7")
    assert chosen.deployment == "crucible-of-battle"
    evening.press("return")
    game, window = game_of(evening.window), evening.window
    setup = game.header["setup"]
    assert (setup["points"], setup["rounds"], setup["deployment"]) == (2000, 7, "crucible-of-battle")
    assert setup["game_master"] is True
    assert isinstance(window.playback.source, Seated)
    assert window.playback.source.gate.rules is None
    assert window.playback.source.asked == ("p1", "gm")


def test_players_have_armies_that_fit_and_an_autopilot_where_wanted(evening: Evening) -> None:
    evening.choose("1 player", "3 players")
    evening.push("Autopilot", 1)
    evening.press("return")
    window = evening.window
    assert list(game_of(window).state.players) == ["p1", "p2", "p3"]
    assert isinstance(window.playback.source, Seated)
    assert window.playback.source.asked == ("p1", "p3")


def test_the_autopilot_may_set_up(evening: Evening) -> None:
    evening.push("By the autopilot")
    evening.press("return")
    gate = evening.window.playback.source.gate  # type: ignore[attr-defined]
    assert gate.rules is not None
    assert gate.rules.settings["set-up"].asking == "never"


@pytest.mark.parametrize("seed", ["x7", "7.5", "", "seven"])
def test_a_seed_that_is_no_number_is_one_sentence_and_loses_nothing(evening: Evening, seed: str) -> None:
    evening.push("2,000")
    entry = next(each for each in evening.widgets.ui_group.sprites() if isinstance(each, UITextEntryLine))
    evening.click(entry.get_abs_rect().center)
    for _ in range(8):
        evening.press("backspace")
    evening.type(seed)
    evening.run(20)
    if not seed:
        # Without a seed one is drawn.
        assert not evening.menu.battle.fault
        return
    assert f"'{seed}' is no seed; give a whole number." in evening.told()
    evening.press("escape")
    evening.press("return")
    assert isinstance(evening.screen, StartMenu)
    assert (evening.menu.choice.points, evening.menu.choice.seed) == ("2000", seed)
    evening.push("Draw")
    assert not evening.menu.battle.fault
    evening.press("return")
    assert isinstance(evening.screen, Window)


def box_of(evening: Evening) -> UITextEntryBox:
    found = [each for each in evening.widgets.ui_group.sprites() if isinstance(each, UITextEntryBox)]
    assert len(found) == 1
    return found[0]


def paste(evening: Evening, text: str) -> None:
    """Paste a text into the box, as the clipboard's keys do."""
    pygame.scrap.put_text(text)
    box = box_of(evening)
    evening.click(box.get_abs_rect().center)
    evening.press("v", pygame.KMOD_CTRL, "\x16")


def test_a_list_that_is_pasted_is_fielded(evening: Evening) -> None:
    pygame.scrap.put_text("")
    evening.push("Paste a list")
    paste(evening, LIST)
    evening.push("Read the list")
    if "Use this army" in [each.text for each in evening.buttons()]:
        evening.push("Use this army")
    battle = evening.menu.battle
    assert [unit.datasheet for unit in battle.shown.armies[0].units] == [
        "space-marines/captain",
        "space-marines/intercessor-squad",
    ]
    evening.press("return")
    assert {facts.name for facts in game_of(evening.window).mustered} == {"Captain", "Intercessor Squad"}


@pytest.mark.parametrize("text", ["no list at all", "", "{", "Space Marines\n\nNo Such Unit (80 Points)\n"])
def test_a_list_that_cannot_be_read_is_one_sentence_and_stays(evening: Evening, text: str) -> None:
    pygame.scrap.put_text("")
    evening.push("Paste a list")
    if text:
        paste(evening, text)
    evening.push("Read the list")
    faults = [each for each in evening.labels() if each.startswith("The list")]
    assert len(faults) == 1
    assert box_of(evening).get_text() == text
    evening.press("escape")
    evening.push("Back") if "Back" in [each.text for each in evening.buttons()] else None
    assert evening.menu.battle.shown.game is not None


def test_a_list_is_typed_line_by_line(evening: Evening) -> None:
    pygame.scrap.put_text("")
    evening.push("Paste a list")
    evening.click(box_of(evening).get_abs_rect().center)
    evening.type("Space Marines")
    evening.press("return", sign="\r")
    evening.type("Infernus Squad (90 Points)")
    assert box_of(evening).get_text() == "Space Marines\nInfernus Squad (90 Points)"
    evening.push("Read the list")
    if "Use this army" in [each.text for each in evening.buttons()]:
        evening.push("Use this army")
    army = evening.menu.choice.army[0]
    assert isinstance(army, Roster)
    assert [unit.datasheet for unit in army.units] == ["space-marines/infernus-squad"]
    # It was read, but is no legal army: that is one sentence, too.
    assert evening.menu.battle.fault


def test_options_of_the_command_line_can_all_be_set(evening: Evening) -> None:
    evening.push("More options")
    column = evening.menu.battle
    column.type("handicap", "50")
    column.set("ruling", ["ai.charge.odds=even"])
    column.set("faction", ["death-guard=2", "orks=1"])
    column.type("rounds", "infinite")
    evening.run(20)
    options = options_of(evening)
    assert options.handicap == 50
    assert options.rulings == (("ai.charge.odds", "even"),)
    assert options.shares == (("death-guard", 2), ("orks", 1))
    assert options.rounds is None


def test_a_reading_of_a_point_is_chosen_and_taken_back(evening: Evening) -> None:
    evening.push("More options")
    page = evening.menu.battle
    page._more._show("ai.charge.odds")
    evening.choose("any: at any", "even: where a seven is enough")
    assert page.choice.ruling == ["ai.charge.odds=even"]
    evening.push("ai.charge.odds=even · take back")
    assert page.choice.ruling == []


@pytest.mark.parametrize(
    ("size", "text"),
    [
        ((1024, 640), "80"),
        ((1024, 640), "100"),
        ((1024, 640), "200"),
        ((1280, 720), "150"),
        ((1600, 900), "100"),
        ((1920, 1080), "80"),
        ((1920, 1080), "200"),
    ],
)
def test_no_word_is_cut_at_any_size(place: Path, size: tuple[int, int], text: str) -> None:
    evening = Evening(size, text=text)
    try:
        for page in ("new", "open", "settings", "help"):
            evening.menu.go(page)
            evening.run(2)
            for each in evening.widgets.ui_group.sprites():
                if not isinstance(each, UIButton | UILabel) or not each.text or each.text == "▼":
                    continue
                wide = each.font.get_rect(each.text).width
                assert wide <= each.rect.w + 1, f"{page}: '{each.text}' is {wide} wide in {each.rect.w}"
                in_list = isinstance(each.parent_element, UIDropDownMenu | UISelectionList)
                if isinstance(each, UIButton) and not in_list:
                    assert each.rect.h >= 36, each.text
            shown = [each.text for each in evening.buttons()]
            assert page != "new" or "Begin battle · Enter" in shown
    finally:
        evening.end()
        pygame.quit()


def test_keys_alone_reach_everything(evening: Evening) -> None:
    evening.press("tab")
    ring = evening.menu.battle.kit.ring
    assert ring.at.text == "Begin battle · Enter"
    for _ in range(60):
        evening.press("tab")
        if getattr(ring.at, "text", "") == "2,000":
            break
    evening.press("space", sign=" ")
    assert evening.menu.choice.points == "2000"
    evening.press("escape")
    assert ring.at is None
    evening.press("return")
    assert game_of(evening.window).header["setup"]["points"] == 2000


def test_letters_open_pages_and_none_closes_the_window(evening: Evening) -> None:
    for sign in "abdefghijklmpqrstuvwxyz0123456789":
        evening.press(sign)
        assert isinstance(evening.screen, StartMenu), sign
        assert not evening.menu.quit
    evening.press("o")
    assert evening.menu.page == "open"
    evening.press("n")
    assert evening.menu.page == "new"
    evening.press("f2")
    assert evening.menu.page == "settings"
    evening.press("q", pygame.KMOD_CTRL, "\x11")
    assert evening.screen is None


def test_the_window_may_take_another_size_at_any_time(evening: Evening) -> None:
    for size in ((1024, 640), (1920, 1080), (1600, 900)):
        pygame.display.set_mode(size, pygame.RESIZABLE)
        pygame.event.post(pygame.event.Event(pygame.VIDEORESIZE, w=size[0], h=size[1], size=size))
        evening.run()
        assert evening.menu.surface.get_size() == size
    evening.press("return")
    assert isinstance(evening.screen, Window)
