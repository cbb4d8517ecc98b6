"""What a machine may lack: the library that draws, a screen, the tests, a path of its own."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.viewer.command_line import Horde, alone, check_refused
from viewer.commands import coverage, pin

ROOT = Path(__file__).parent.parent.parent
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
NO_PYGAME = "import sys; sys.modules['pygame'] = None"


@pytest.mark.parametrize("command", ["watch", "play"])
def test_without_the_library_that_draws_a_window_is_one_sentence(
    command: str, replay: Path, tmp_path: Path
) -> None:
    words = [command, *([replay] if command == "watch" else ["--seed", "7"])]
    check_refused(alone(words, before=NO_PYGAME, folder=tmp_path), "need pygame", "viewer")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["watch", "play"])
def test_without_a_screen_a_window_is_one_sentence(command: str, replay: Path, tmp_path: Path) -> None:
    words = [command, *([replay] if command == "watch" else ["--seed", "7"])]
    # The library of one kind of screen prints a line of its own where this is not set.
    more = {"XDG_RUNTIME_DIR": str(tmp_path)}
    check_refused(
        alone(words, without=SCREENS, more=more, folder=tmp_path), "No window can be opened here", "screen"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_kind_of_screen_that_is_not_there_is_one_sentence(replay: Path, tmp_path: Path) -> None:
    done = alone(["watch", replay], more={"SDL_VIDEODRIVER": "none-such"}, folder=tmp_path)
    check_refused(done, "No window can be opened here", "screen")


def test_without_tests_nothing_is_said_of_what_they_pin(
    horde: Horde, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An installed wheel has none."""
    monkeypatch.setattr(coverage, "tests_folder", lambda asked: None)
    done = horde("rules", "coverage")
    assert done.code == 0
    assert "without a test" not in done.out
    assert " ? " in done.out
    found = json.loads(horde("rules", "coverage", "--family", "MISERY", "--json").out)
    assert {row["pinned_by"] for row in found} == {None}


def test_an_installed_program_takes_no_folder_of_tests_for_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Only a project has both, its tests and the file that describes it."""
    monkeypatch.setattr(pin, "__file__", str(tmp_path / "viewer" / "commands" / "pin.py"))
    assert pin.tests_folder(None) is None
    (tmp_path / "tests").mkdir()
    assert pin.tests_folder(None) is None
    (tmp_path / "pyproject.toml").touch()
    assert pin.tests_folder(None) == tmp_path / "tests"


@pytest.mark.parametrize("name", ["engine", "geometry"])
def test_a_stranger_s_folder_before_our_own_is_named(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").touch()
    path = os.pathsep.join(map(str, (tmp_path, ROOT)))
    done = alone(["--version"], more={"PYTHONPATH": path}, folder=tmp_path)
    check_refused(done, f"'{name}' on Python's path is {tmp_path / name}", "PYTHONPATH")
