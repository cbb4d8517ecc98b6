"""A battle played in the window: answers taken back, a battle put aside and taken up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copy
from typing import Any

import pygame
import pytest

from datasheets.errors import BadData, HordeError
from datasheets.library import Library
from engine.core.apply import digest
from engine.core.game import Game
from engine.core.journal import read_journal
from engine.core.log import AnswerLine
from engine.core.replay import encode, read_replay
from engine.horde.setup import Options
from viewer.commands import play_command
from viewer.input.answering import Answering
from viewer.input.seat import Seated
from viewer.window.window import Window

Hand = Callable[[Window], None]


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Hand]]:
    """Return whose hands are at the next windows: each is called with one, which then closes."""
    found: list[Hand] = []

    def watch(source: Seated, jump: str | None = None, **_: object) -> None:
        pygame.display.init()
        window = Window(pygame.display.set_mode((1200, 760)), source)
        if jump is not None:
            window.playback.jump(jump)
        window.playback.playing = True
        found.pop(0)(on(window))

    monkeypatch.setattr("viewer.window.watching.watch", watch)
    yield found
    pygame.quit()


def options(library: Library) -> Options:
    return Options((library.army("space-marines-1000"),), ("death-guard",), seed=7)


def play(file: Path | None = None, **more: Any) -> None:
    given: dict[str, Any] = {"autopilot": "steady", "ask": (), "aside": None, "out": None}
    play_command.run(file, options, **{**given, **more})


def on(window: Window) -> Window:
    """Let the window run until something is asked, or the battle is over."""
    for _ in range(2000):
        if window.player.asked is not None or (window.playback.source.ended and window.playback.at_end):
            break
        window.tick(60.0)
        source = window.playback.source
        if isinstance(source, Seated):
            source.wait()
    if window.player.asked is not None:
        assert window.player.asked.advice is not None
    return window


def asked(window: Window) -> Answering:
    found = window.player.asked
    assert found is not None
    return found


def game(window: Window) -> Game:
    assert isinstance(window.playback.source, Seated)
    return window.playback.source.game


def moment(window: Window) -> tuple[str, bytes, str, int]:
    """Return where the battle stands, what is asked, and what the window shows of both."""
    shown = window.playback
    return digest(game(window).state), encode(asked(window).request), digest(shown.state), shown.cursor


def take(window: Window, count: int) -> list[tuple[str, bytes, str, int]]:
    """Take `count` suggestions; return where the battle stood before each."""
    found = []
    for _ in range(count):
        found.append(moment(on(window)))
        window.player.enter("")
    on(window)
    return found


def test_answers_are_taken_back_one_by_one_and_given_again(hands: list[Hand], tmp_path: Path) -> None:
    def hand(window: Window) -> None:
        window.player.enter("undo")
        assert asked(window).fault == "There is no answer of yours to take back."
        before = take(window, 12)
        for expected in reversed(before[6:]):
            window.player.enter("undo")
            assert moment(on(window)) == expected
            assert window.playback.at_end
        assert take(window, 6) == before[6:]

    hands.append(hand)
    play(aside=tmp_path / "a.save")


def test_ctrl_z_takes_an_answer_back_and_z_alone_is_typed(hands: list[Hand], tmp_path: Path) -> None:
    def press(window: Window, mod: int) -> None:
        window.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_z, unicode="z", mod=mod))

    def hand(window: Window) -> None:
        before = take(window, 2)
        press(window, 0)
        assert asked(window).line == "z"
        press(window, pygame.KMOD_LCTRL)
        assert moment(on(window)) == before[1]

    hands.append(hand)
    play(aside=tmp_path / "a.save")


def test_a_battle_that_is_left_is_taken_up_at_the_same_question(
    hands: list[Hand], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: list[tuple[str, bytes, str, int]] = []
    file = tmp_path / "a.save"

    def leave(window: Window) -> None:
        take(window, 10)
        seen.append(moment(window))

    def again(window: Window) -> None:
        seen.append(moment(window))
        window.player.enter("undo")
        assert moment(window) != seen[1]
        window.player.enter("auto")
        assert game(on(window)).is_over

    hands.extend([leave, again])
    play(aside=file)
    assert capsys.readouterr().out == f"The battle is saved. Go on with: horde play {file}\n"
    play(file, out=tmp_path / "a.replay")
    assert seen[0] == seen[1]
    assert "Replay: " in capsys.readouterr().out
    assert read_replay(tmp_path / "a.replay").header["seed"] == 7


def test_each_answer_is_kept_as_it_is_given_and_as_it_is_taken_back(
    hands: list[Hand], tmp_path: Path
) -> None:
    def hand(window: Window) -> None:
        for count in (1, 2, 3):
            take(window, 1)
            assert kept() == count
        window.player.enter("undo")
        assert kept() == 2

    def kept() -> int:
        [journal] = tmp_path.glob("*.journal")
        return sum(isinstance(line, AnswerLine) and line.seat == "p1" for line in read_journal(journal)[1])

    hands.append(hand)
    play(aside=tmp_path / "a.save")


def test_a_battle_that_ended_suddenly_is_offered(
    hands: list[Hand], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the journal was at that moment lies there; the program that wrote it has ended."""

    def end(window: Window) -> None:
        take(window, 2)
        [journal] = tmp_path.glob("*.journal")
        copy(journal, tmp_path / "sudden.journal")

    monkeypatch.chdir(tmp_path)
    hands.extend([end, lambda window: None])
    play()
    capsys.readouterr()
    play()
    told = "A battle ended suddenly and was kept. Go on with: horde play sudden.journal\n"
    assert capsys.readouterr().out == told


def test_a_battle_without_an_answer_leaves_no_file(hands: list[Hand], tmp_path: Path) -> None:
    hands.append(lambda window: None)
    play(aside=tmp_path / "a.save")
    assert not list(tmp_path.iterdir())


def test_a_save_gets_a_name_of_its_own(
    hands: list[Hand], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    hands.extend([lambda window: take(window, 1) and None] * 2)
    play()
    play()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["horde-7-2.save", "horde-7.save"]


def test_what_is_no_save_is_refused_and_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "army.toml"
    file.write_text("name = 'Mine'\n", encoding="utf-8")
    with pytest.raises(HordeError, match="another file is there, and no save of a battle"):
        play(aside=file)
    with pytest.raises(BadData, match=r"army\.toml"):
        play(file)
    assert file.read_text(encoding="utf-8") == "name = 'Mine'\n"
    with pytest.raises(HordeError, match="the save cannot be written there"):
        play(aside=tmp_path / "no" / "a.save")


def test_a_seat_that_is_not_there_is_not_asked() -> None:
    with pytest.raises(HordeError, match="There is no seat 'p7' to ask; there is p1"):
        play(ask=("p7",))
