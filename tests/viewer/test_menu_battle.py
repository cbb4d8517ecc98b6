"""In a battle and after it: ≡, wishes carried out, settings in force, files taken up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pygame
import pytest
from pygame_gui.elements import UITextEntryLine

from ai.agents import agent
from engine.core import event as ev
from engine.core.play import play
from engine.core.replay import write_replay
from engine.core.save import save
from engine.systems import new_game
from engine.w40k.view import View
from tests.viewer.at_menu import Evening
from viewer.commands.sitting import from_round
from viewer.input.seat import Seated
from viewer.input.settings import load_rules
from viewer.menu.choice import Choice
from viewer.menu.start_menu import StartMenu
from viewer.story.source import Recording
from viewer.window.window import Window

SCENARIO = Path(__file__).parent.parent / "scenarios" / "S.M06.toml"


def begun(evening: Evening, answers: int = 0) -> Window:
    """Begin a battle with seed 7, and take some suggestions."""
    evening.menu.battle.set("seed", "7")
    evening.push("Begin battle · Enter")
    window = evening.window
    for _ in range(answers):
        until_asked(evening)
        window.player.enter("")
    until_asked(evening)
    return window


def until_asked(evening: Evening) -> None:
    for _ in range(400):
        if evening.window.player.asked is not None:
            return
        if isinstance(source := evening.window.playback.source, Seated):
            source.wait()
        evening.run(1, 2.0)
    raise AssertionError("nothing was asked")


def seated(window: Window) -> Seated:
    assert isinstance(window.playback.source, Seated)
    return window.playback.source


def test_the_menu_s_sign_and_its_key_open_and_close_it(evening: Evening) -> None:
    window = begun(evening)
    assert window.menu is not None
    evening.click(window.top.menu.center)
    assert window.menu.is_open
    evening.push("Back to the battle · Esc")
    assert not window.menu.is_open
    evening.press("f10")
    assert window.menu.is_open
    evening.press("escape")
    assert not window.menu.is_open
    evening.press("f2")
    assert "Settings" in evening.labels()
    evening.press("f10")
    evening.press("f1")
    assert "How to play" in evening.labels()


def test_the_battle_waits_while_the_menu_is_open(evening: Evening) -> None:
    window = begun(evening)
    window.player.enter("")
    evening.press("f10")
    before = window.playback.cursor, len(seated(window).game.answers)
    evening.run(30, 1.0)
    evening.press("return")
    evening.press("2")
    assert (window.playback.cursor, len(seated(window).game.answers)) == before
    assert not window.mouse.dragged


def test_no_letter_leaves_the_battle(evening: Evening) -> None:
    window = begun(evening)
    evening.press("f10")
    for sign in "abcdefghijklmnopqrstuvwxyz":
        evening.press(sign)
    assert evening.screen is window
    assert not window.quit


def test_settings_are_in_force_at_once_and_remembered(evening: Evening, place: Path) -> None:
    window = begun(evening)
    evening.press("f2")
    evening.push("Colour-blind")
    assert window.lettering.palette.name == "colour-blind"
    evening.push("Less")
    assert window.playback.less_motion
    evening.push("Fast")
    assert window.playback.speed == 4.0
    evening.push("Free, marked")
    kept = json.loads((place / "settings.json").read_text())
    assert kept["window"] == {
        "palette": "colour-blind",
        "speed": "fast",
        "motion": "less",
        "undo": "free",
    }
    assert Evening().desk.preferences == evening.desk.preferences


def test_the_size_of_words_grows_with_the_slider(evening: Evening, place: Path) -> None:
    window = begun(evening)
    before = window.lettering.t(100)
    evening.press("f2")
    page = window.menu._page  # type: ignore[union-attr]
    for _ in range(40):
        evening.press("tab")
        if page.kit.ring.at.__class__.__name__ == "UIHorizontalSlider":
            break
    for _ in range(4):
        evening.press("right")
    assert evening.desk.preferences.text == 120
    assert window.lettering.t(100) == pytest.approx(before * 1.2, abs=1)
    assert json.loads((place / "settings.json").read_text())["window"] == {"text": 120}
    assert "Size of words: 120 %" in evening.labels()


def test_a_rule_of_a_question_is_changed_and_asked_by(evening: Evening) -> None:
    window = begun(evening)
    evening.press("f2")
    # The first row is the secret's: always, when it matters, never.
    evening.push("Never")
    assert load_rules().settings["secret"].asking == "never"
    gate = seated(window).gate
    assert gate.rules is not None
    assert gate.rules.settings["secret"].asking == "never"


def test_a_threshold_is_changed_by_its_slider(evening: Evening) -> None:
    evening.press("f2")
    page = evening.menu.pages["settings"]
    evening.menu.pages["settings"].renew()
    page._sliding("grenade", "Threshold: {:g}× its price")(2.5)  # type: ignore[attr-defined]
    evening.run()
    assert load_rules().settings["grenade"].threshold == 2.5
    assert "Threshold: 2.5× its price" in evening.labels()


def test_settings_that_cannot_be_kept_hold_and_are_told(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HORDE_SETTINGS", "")
    evening.press("f2")
    evening.push("Colour-blind")
    assert "no file for settings" in evening.told()
    assert evening.menu.lettering.palette.name == "colour-blind"


def test_a_battle_is_saved_under_a_name_and_goes_on(evening: Evening, place: Path) -> None:
    window = begun(evening, 2)
    evening.press("f10")
    evening.push("Save under a name…")
    evening.push("Save")
    assert (place / "horde-7.save").is_file()
    assert "Saved as horde-7.save." in evening.told()
    evening.press("escape")
    assert evening.screen is window
    window.player.enter("")


def test_the_name_of_a_save_is_typed(evening: Evening, place: Path) -> None:
    window = begun(evening, 2)
    evening.press("f10")
    evening.push("Save under a name…")
    line = next(each for each in evening.widgets.ui_group.sprites() if isinstance(each, UITextEntryLine))
    evening.click(line.get_abs_rect().center)
    evening.press("a", pygame.KMOD_CTRL, "\x01")
    evening.type(str(place / "friday.save"))
    evening.press("return")
    assert (place / "friday.save").is_file()
    evening.press("escape")
    assert evening.screen is window


def test_another_file_is_not_written_over(evening: Evening, place: Path) -> None:
    (place / "horde-7.save").write_text("mine")
    begun(evening, 2)
    evening.press("f10")
    evening.push("Save under a name…")
    evening.push("Save")
    assert (place / "horde-7.save").read_text() == "mine"
    assert "another file is there" in evening.told()


def test_a_battle_that_is_left_is_the_first_to_go_on_with(evening: Evening) -> None:
    window = begun(evening, 3)
    answers = len(seated(window).game.answers)
    evening.press("f10")
    evening.push("To the start menu")
    assert isinstance(evening.screen, StartMenu)
    assert "The battle is saved" in evening.told()
    evening.press("c")
    until_asked(evening)
    assert len(seated(evening.window).game.answers) == answers


def test_a_battle_goes_on_after_the_program_was_killed(place: Path) -> None:
    script = """
import os, signal
from tests.viewer.test_menu_battle import begun
from tests.viewer.at_menu import Evening
window = begun(Evening(), 3)
print(len(window.playback.source.game.answers), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    root = Path(__file__).parent.parent.parent
    environ = {**os.environ, "SDL_VIDEODRIVER": "dummy", "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=place, env=environ, capture_output=True, text=True, timeout=300
    )
    answers = int(done.stdout.split()[-1])
    assert [path.suffix for path in place.glob("horde-7*")] == [".journal"]
    evening = Evening()
    try:
        evening.press("c")
        until_asked(evening)
        assert len(seated(evening.window).game.answers) == answers
    finally:
        evening.end()
        pygame.quit()


def test_a_journal_at_fault_is_one_sentence(evening: Evening, place: Path) -> None:
    (place / "broken.save").write_text('{"format": 3}\n')
    evening.press("o")
    page = evening.menu.pages["open"]
    page._open(place / "broken.save")  # type: ignore[attr-defined]
    evening.run()
    assert "broken.save" in evening.told()
    assert isinstance(evening.screen, StartMenu)


# wishes


@pytest.mark.parametrize("wish", ["again", "same-seed"])
def test_the_same_battle_is_begun_once_more(evening: Evening, wish: str) -> None:
    window = begun(evening, 2)
    first = seated(window)
    window.wish = wish
    evening.run()
    second = seated(evening.window)
    assert second.game is not first.game
    assert (second.game.seed == first.game.seed) == (wish == "same-seed")
    assert second.asked == first.asked
    setups = [each.game.header["setup"] for each in (first, second)]
    assert setups[0] == setups[1]
    assert len(second.game.answers) <= 1


def test_a_battle_is_taken_up_from_the_start_of_a_round(evening: Evening) -> None:
    window = begun(evening)
    source = seated(window)
    game = source.game
    agents = {"horde": agent("horde"), "p1": agent("steady")}
    play(game, agents, View, until=lambda game: game.state.round >= 3)
    window.wish = "from-round:2"
    evening.run()
    copy = seated(evening.window).game
    assert copy.state.round == 2
    assert not any(isinstance(event, ev.RoundBegan) and event.number > 2 for event in copy.events)
    assert copy.lines == game.lines[: len(copy.lines)]
    play(copy, agents, View, until=lambda game: game.state.round >= 3)
    assert copy.lines == game.lines[: len(copy.lines)]


def test_a_round_that_was_not_played_is_one_sentence(evening: Evening) -> None:
    window = begun(evening, 1)
    window.wish = "from-round:4"
    evening.run()
    assert isinstance(evening.screen, StartMenu)
    assert "no round 4" in evening.told()


def test_the_replay_is_watched_from_its_start(evening: Evening) -> None:
    window = begun(evening, 3)
    lines = len(seated(window).game.events)
    window.wish = "watch"
    evening.run(1)
    assert isinstance(evening.window.playback.source, Recording)
    assert evening.window.playback.cursor < 5
    assert len(evening.window.playback.chronicle) >= lines
    evening.press("f10")
    assert "Save under a name…" not in [each.text for each in evening.buttons()]
    evening.push("Quit")
    assert evening.screen is None


def test_a_wish_that_nobody_knows_leads_to_the_menu(evening: Evening) -> None:
    window = begun(evening)
    window.wish = "nonsense"
    evening.run()
    assert isinstance(evening.screen, StartMenu)


# files


def short_battle(evening: Evening):  # type: ignore[no-untyped-def]
    options = evening.desk._options(Choice(seed="7", rounds="1", army=[""]))
    return new_game(options, evening.desk.library)


def test_a_replay_is_opened_from_the_list(evening: Evening, place: Path) -> None:
    game = short_battle(evening)
    agents = {"horde": agent("horde"), "p1": agent("steady")}
    play(game, agents, View, until=lambda game: len(game.answers) > 20)
    write_replay(place / "one.replay", game.header, game.lines)
    evening.press("o")
    assert "one.replay" in [each.text for each in evening.buttons()]
    evening.push("one.replay")
    evening.push("Open · Enter")
    assert isinstance(evening.window.playback.source, Recording)


def test_a_save_is_opened_by_the_file_dialog(evening: Evening, place: Path) -> None:
    game = short_battle(evening)
    agents = {"horde": agent("horde"), "p1": agent("steady")}
    play(game, agents, View, until=lambda game: len(game.answers) > 5)
    save(game, place / "mine.save")
    evening.press("o")
    evening.push("Another file…")
    evening.push("mine.save")
    evening.push("Open")
    until_asked(evening)
    assert len(seated(evening.window).game.answers) >= 6


def test_a_scenario_is_played_and_watched(evening: Evening, place: Path) -> None:
    (place / "scenarios").mkdir()
    (place / "scenarios" / "one.toml").write_text(SCENARIO.read_text())
    evening.press("o")
    evening.push("Scenarios")
    evening.push("Open · Enter")
    assert evening.window.playback.source.title == "Horde: one.toml"


def test_from_round_needs_the_round(evening: Evening) -> None:
    game = short_battle(evening)
    with pytest.raises(Exception, match="no round 2"):
        from_round(game, 2, evening.desk.library)


# how far answers are taken back


def test_undo_stops_at_the_roll_unless_it_is_free(evening: Evening) -> None:
    window = begun(evening)
    source = seated(window)
    rolled = len(source.game.answers)
    while not any(isinstance(event, ev.Rolled) and event.dice for event in source.game.events):
        window.player.enter("")
        until_asked(evening)
        rolled = len(source.game.answers)
    evening.press("z", pygame.KMOD_CTRL)
    until_asked(evening)
    assert len(source.game.answers) == rolled
    assert window.player.asked is not None
    assert window.player.asked.fault == "Undo stops at the roll."
    evening.press("f2")
    evening.push("Free, marked")
    evening.press("escape")
    evening.press("z", pygame.KMOD_CTRL)
    until_asked(evening)
    assert len(source.game.answers) < rolled


def test_answers_after_the_roll_are_taken_back(evening: Evening) -> None:
    window = begun(evening, 2)
    source = seated(window)
    before = len(source.game.answers)
    window.player.enter("")
    until_asked(evening)
    assert len(source.game.answers) > before
    evening.press("z", pygame.KMOD_CTRL)
    until_asked(evening)
    assert len(source.game.answers) == before
