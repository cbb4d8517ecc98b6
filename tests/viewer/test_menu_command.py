"""`horde` and `horde menu`: the menu where there is a screen, else help or a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.viewer.command_line import Horde, alone, check_refused
from viewer.commands import menu_command
from viewer.window.palette import PALETTES

SCREENS = ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY")


def test_without_a_screen_the_help_is_printed(tmp_path: Path) -> None:
    done = alone([], without=SCREENS, folder=tmp_path)
    assert "Usage" in done.out + done.err
    assert "battle" in done.out + done.err


def test_without_a_screen_the_menu_is_refused_in_a_sentence(tmp_path: Path) -> None:
    done = alone(["menu"], without=SCREENS, folder=tmp_path, more={"SDL_VIDEODRIVER": "none-such"})
    check_refused(done, "No window can be opened here")


def test_a_screen_that_cannot_be_reached_leaves_the_help(tmp_path: Path) -> None:
    done = alone([], without=SCREENS, folder=tmp_path, more={"DISPLAY": ":987"})
    assert "Usage" in done.out + done.err


def test_where_there_is_a_screen_the_menu_opens(horde: Horde, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[tuple[str, ...]] = []
    monkeypatch.setattr(menu_command, "run", lambda *words: opened.append(words))
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    assert horde().code == 0
    assert horde("menu", "--palette", "colour-blind", "--text", "150").code == 0
    assert opened == [(), ("colour-blind", "150")]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--palette", "pink"), "There is no palette 'pink'"),
        (("--text", "300"), "from 80 to 200 percent"),
        (("--text", "large"), "'large' is no size of words in percent"),
    ],
)
@pytest.mark.parametrize("command", ["menu", "play"])
def test_a_look_that_cannot_be_is_one_sentence(
    horde: Horde,
    command: str,
    words: tuple[str, ...],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    check_refused(horde(command, *words), told)


def test_what_is_remembered_counts_where_nothing_is_said(
    horde: Horde, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from datasheets.library import Library
    from viewer.commands.menu_desk import MenuDesk

    monkeypatch.setenv("HORDE_SETTINGS", str(tmp_path / "settings.json"))
    for words in (("palette", "colour-blind"), ("text", "150"), ("motion", "less")):
        assert horde("settings", *words).code == 0
    look = MenuDesk(Library()).look
    assert (look.palette, look.text, look.less_motion) == ("colour-blind", 150, True)
    look = MenuDesk(Library(), "default", "80").look
    assert (look.palette, look.text, look.less_motion) == ("default", 80, True)
    assert set(PALETTES) == {"default", "colour-blind"}


@pytest.mark.parametrize(
    "words",
    [("text", "79"), ("text", "big"), ("palette", "pink"), ("speed",), ("undo", "never"), ("window", "x")],
)
def test_a_wish_that_cannot_be_is_one_sentence(
    horde: Horde, words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HORDE_SETTINGS", str(tmp_path / "settings.json"))
    check_refused(horde("settings", *words))
    assert not (tmp_path / "settings.json").exists()


@pytest.mark.parametrize(
    "body", ['{"window": {"text": 500}}', '{"window": {"pallete": "default"}}', '{"window": 3}']
)
def test_a_file_of_settings_at_fault_is_named(
    horde: Horde, body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "settings.json").write_text(body)
    monkeypatch.setenv("HORDE_SETTINGS", str(tmp_path / "settings.json"))
    check_refused(horde("menu"), "settings.json")
