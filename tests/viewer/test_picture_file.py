"""F12: a picture of the moment, and what the window says of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from tests.viewer.at_window import MOVEMENT, Open, table
from viewer.story.source import Entry, Recording
from viewer.window.window import Window

SIZE = (1200, 760)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the user a data folder of the test's own; return where pictures go."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "horde" / "pictures"


@pytest.fixture
def window(entries: list[Entry], tmp_path: Path) -> Iterator[Window]:
    """Return the window on a replay."""
    pygame.display.init()
    file = tmp_path / "mine" / "seven.replay"
    file.parent.mkdir()
    yield Window(pygame.display.set_mode(SIZE), Recording(entries, "A battle", file=file))
    pygame.quit()


def press(window: Window) -> None:
    window.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_F12, unicode="", mod=0))
    window.tick(0.1)


def test_it_is_saved_beside_the_replay(window: Window, data: Path, tmp_path: Path) -> None:
    window.playback.jump("round:2")
    picture = window.picture()
    press(window)
    assert (tmp_path / "mine" / "seven-1.png").read_bytes() == picture
    assert window.message.words == "Picture saved: seven-1.png"
    assert window.message.more == f"in {tmp_path / 'mine'}"
    press(window)
    # The second one shows that the first was saved.
    assert sorted(path.name for path in (tmp_path / "mine").iterdir()) == ["seven-1.png", "seven-2.png"]
    assert not data.exists()


def test_without_room_beside_the_replay_it_goes_to_the_user_s_folder(
    window: Window, data: Path, tmp_path: Path
) -> None:
    (tmp_path / "mine").rmdir()
    press(window)
    assert [path.name for path in data.iterdir()] == ["seven-1.png"]
    assert window.message.more == f"in {data}"


def test_of_a_battle_it_goes_to_the_user_s_folder_while_a_question_waits(opened: Open, data: Path) -> None:
    window = opened(table(MOVEMENT))
    asked = window.player.asked
    assert asked is not None
    press(window)
    assert [path.name for path in data.iterdir()] == ["horde-picture-1.png"]
    assert window.player.asked is asked
    assert asked.line == ""
    assert pygame.image.load(data / "horde-picture-1.png").get_size() == window.surface.get_size()


def test_where_it_cannot_be_saved_the_window_says_so(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine").rmdir()
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    press(window)
    assert window.message.words == f"The picture cannot be saved: {os.strerror(20)}"
    assert window.message.is_bad
    window.draw()


@pytest.mark.parametrize("size", [(1920, 1080), (1024, 640), (480, 320)])
def test_a_long_folder_is_broken_and_not_cut(
    entries: list[Entry], tmp_path: Path, size: tuple[int, int]
) -> None:
    folder = tmp_path / "a-folder-with-a-long-name" / "and-another-that-is-as-long" / "and-one-more-of-them"
    folder.mkdir(parents=True)
    pygame.display.init()
    window = Window(pygame.display.set_mode(size), Recording(entries, "A", file=folder / "seven.replay"))
    press(window)
    window.draw()
    box = window.message._box
    shown = [each for each in window.lettering.written if box.contains(each.box)]
    assert "".join(each.words for each in shown[1:]).replace(" ", "") == f"in{folder}".replace(" ", "")
    assert not any(each.is_cut for each in shown)
    pygame.quit()
