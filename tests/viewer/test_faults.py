"""Faults in the window's loop: a sentence, a report, and on from the last answer."""

from __future__ import annotations

import importlib
import importlib.util
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pygame
import pytest

from ai.agents import agent
from datasheets.library import Library
from engine.core.game import Game
from engine.core.journal import is_journal, load_journal
from engine.core.log import AnswerLine
from engine.core.replay import encode
from engine.horde.setup import Options
from engine.systems import begin, new_game
from engine.w40k.battle import Battle
from tests.viewer.command_line import alone
from viewer.commands.keeping import Keeper
from viewer.input import fault_bundle
from viewer.input.closing import ClosedByFault
from viewer.input.fault_bundle import place_of, traceback_words, without_paths, write_bundle
from viewer.input.seat import Seated
from viewer.story.live import Live
from viewer.story.source import Recording, Source
from viewer.window.fault_report import MOST_REPORTS, FaultGuard
from viewer.window.playback import Playback
from viewer.window.player import PlayerSeat
from viewer.window.scene import Scene
from viewer.window.window import Window

SIZE = (1200, 760)
ANSWERS = 14
ENTER = {"key": pygame.K_RETURN, "unicode": "", "mod": 0}
Fault = Callable[[], None]


class Clock:
    """A clock whose frames take a tenth of a second of nobody's time."""

    def tick(self, _: int) -> int:
        return 100


@pytest.fixture(scope="module")
def library() -> Library:
    return Library()


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give the user a data folder of the test's own; return where reports go."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(pygame.time, "Clock", Clock)
    pygame.display.init()
    yield tmp_path / "data" / "horde" / "faults"
    pygame.quit()


def battle(library: Library) -> Battle:
    army = library.army("space-marines-1000")
    return new_game(Options((army,), ("tyranids",), 1000, seed=3), library)


def seated(game: Battle, keep: Callable[[], None] = lambda: None) -> Seated:
    return Seated(game, {"horde": agent("horde"), "p1": agent("steady")}, ("p1",), keep)


def window_on(source: Source) -> Window:
    return Window(pygame.display.set_mode(SIZE), source)


def run(window: Window, frames: int) -> None:
    """Let the window's own loop run for some frames."""
    if importlib.util.find_spec("viewer.window.application") is not None:
        importlib.import_module("viewer.window.application").show(window, frames=frames)
    else:
        importlib.import_module("viewer.window.application").show(window, frames=frames)


def answering(
    window: Window, monkeypatch: pytest.MonkeyPatch, until: int = ANSWERS, before: Fault = lambda: None
) -> None:
    """Let a person press Enter wherever a question waits, up to a number of answers, then close."""
    assert isinstance(window.playback.source, Live)
    game = window.playback.source.game

    def events() -> list[pygame.event.Event]:
        before()
        if len(game.answers) >= until:
            return [pygame.event.Event(pygame.QUIT)]
        window.playback.seek(len(window.playback.chronicle))
        asked = window.player.asked is not None
        return [pygame.event.Event(pygame.KEYDOWN, **ENTER)] if asked else []

    monkeypatch.setattr(pygame.event, "get", events)


def once(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, when: Callable[[], bool]) -> list[str]:
    """Let a method fail the first time that something holds; return where that is noted."""
    work, noted = getattr(owner, name), []

    def failing(self: Any, *words: Any, **more: Any) -> Any:
        if not noted and when():
            noted.append(name)
            raise ZeroDivisionError(f"in {name} of /srv/somebody/secret/army.toml")
        return work(self, *words, **more)

    monkeypatch.setattr(owner, name, failing)
    return noted


def parts_of(bundle: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(bundle) as file:
        return {name: file.read(name) for name in file.namelist()}


def lines_of(game: Game, most: int) -> list[bytes]:
    """Return a battle's log up to its answer of this number."""
    until = (i for i, line in enumerate(game.lines) if isinstance(line, AnswerLine) and line.answer == most)
    return [encode(line) for line in game.lines[: next(until, None)]]


@pytest.mark.parametrize("step", ["draw", "tick", "handle", "agent", "engine"])
def test_a_battle_goes_on_from_its_last_answer(
    step: str, library: Library, own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = battle(library)
    answering(window := window_on(seated(whole)), monkeypatch)
    run(window, 400)
    assert len(whole.answers) >= ANSWERS

    game = battle(library)
    owner, name = {
        "draw": (Scene, "draw"),
        "tick": (Playback, "tick"),
        "handle": (PlayerSeat, "key"),
        "agent": (type(agent("steady")), "answer"),
        "engine": (Battle, "log"),
    }[step]
    noted = once(monkeypatch, owner, name, lambda: len(game.answers) >= ANSWERS - 6)
    keeper = Keeper(game, tmp_path / "a.save", tell=lambda _: None)
    window = window_on(seated(game, keeper.keep))
    told: list[str] = []
    answering(window, monkeypatch, before=lambda: told.append(window.message.words))
    run(window, 400)
    assert noted == [name]
    assert len(game.answers) >= ANSWERS
    assert lines_of(game, ANSWERS) == lines_of(whole, ANSWERS)
    assert (
        "Something failed. The battle goes on from your last answer; report saved: horde-fault-1.zip" in told
    )
    # What was kept of it is what was played.
    kept = next(path for path in tmp_path.iterdir() if is_journal(path))
    given = [encode(line) for line in load_journal(kept, library, begin).answers]
    assert given == [encode(line) for line in game.answers][: len(given)]
    assert len(given) > ANSWERS - 6

    parts = parts_of(own / "horde-fault-1.zip")
    assert set(parts) == {
        "traceback.txt",
        "doctor.txt",
        "picture.png",
        "loop.txt",
        "moment.txt",
        "battle.journal",
    }
    words = parts["traceback.txt"].decode()
    assert "ZeroDivisionError: in" in words
    assert "tests/viewer/test_faults.py" in words
    assert "viewer/window/" in words
    for body in (words, parts["loop.txt"].decode(), parts["moment.txt"].decode()):
        assert not re.search(r"/(home|root|tmp|work|usr)/|somebody|secret", body), body
    steps = {"agent": ["tick", "handle"], "engine": ["tick", "handle"]}.get(step, [step])
    assert parts["loop.txt"].decode() in [f"screen: Window\nstep: {each}\n" for each in steps]
    assert parts["doctor.txt"].startswith(b"program: Horde ")
    assert b"display: dummy" in parts["doctor.txt"]
    assert pygame.image.load(io.BytesIO(parts["picture.png"])).get_size() == SIZE
    (tmp_path / "sent.journal").write_bytes(parts["battle.journal"])
    again = load_journal(tmp_path / "sent.journal", library, begin)
    assert lines_of(again, ANSWERS - 7) == lines_of(whole, ANSWERS - 7)


def test_what_fails_again_at_once_closes_the_window(
    library: Library, own: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = battle(library)
    window = window_on(seated(game))

    def always(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Window, "draw", always)
    with pytest.raises(ClosedByFault) as closed:
        run(window, 50)
    assert closed.value.code == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "the window closes; report saved: " in said
    assert str(own / "horde-fault-2.zip") in said
    assert sorted(path.name for path in own.iterdir()) == ["horde-fault-1.zip", "horde-fault-2.zip"]


def test_an_agent_that_always_fails_closes_the_window_though_frames_are_whole_between(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = battle(library)
    window = window_on(seated(game))
    ticks, tick = [0], Playback.tick

    def third(self: Playback, passed: float) -> None:
        ticks[0] += 1
        if ticks[0] % 3 == 0:
            raise ZeroDivisionError
        tick(self, 0.0)

    monkeypatch.setattr(Playback, "tick", third)
    monkeypatch.setattr(pygame.event, "get", list)
    with pytest.raises(ClosedByFault):
        run(window, 50)
    assert ticks[0] == 6


def test_what_fails_now_and_then_does_not_close_it(
    library: Library, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key fails as often as it is pressed; the number of reports of it is bounded."""
    game = battle(library)
    window = window_on(seated(game))
    handle, frames = Window.handle, [0]

    def failing(self: Window, event: pygame.event.Event) -> None:
        if event.type == pygame.KEYDOWN:
            raise KeyError("no such thing")
        handle(self, event)

    def every_other() -> list[pygame.event.Event]:
        frames[0] += 1
        return [pygame.event.Event(pygame.KEYDOWN, **ENTER)] if frames[0] % 2 else []

    monkeypatch.setattr(Window, "handle", failing)
    monkeypatch.setattr(pygame.event, "get", every_other)
    run(window, 4 * MOST_REPORTS)
    assert frames[0] == 4 * MOST_REPORTS
    assert len(list(own.iterdir())) == MOST_REPORTS
    assert window.message.is_shown


def test_an_answer_that_always_fails_is_left_out(
    library: Library, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = battle(library)
    kept: list[int] = []
    window = window_on(seated(game, lambda: kept.append(len(game.answers))))
    answering(window, monkeypatch, until=4)
    run(window, 100)
    given, lines, pending = len(game.answers), list(map(encode, game.lines)), encode(game.pending)
    advance = Game._advance

    def failing(self: Game, answer: Any) -> None:
        if len(self.answers) > given:
            raise ZeroDivisionError
        advance(self, answer)

    monkeypatch.setattr(Game, "_advance", failing)
    told: list[str] = []
    window.quit = False
    answering(window, monkeypatch, until=given, before=lambda: None)
    source = window.playback.source
    assert isinstance(source, Seated)
    with FaultGuard().over(window):
        assert source.question is not None
        source.answer(source.question.advice)
    told.append(window.message.words)
    assert told == ["The last answer failed. The battle goes on before it; report saved: horde-fault-1.zip"]
    assert (len(game.answers), list(map(encode, game.lines)), encode(game.pending)) == (given, lines, pending)
    assert kept[-1] == given
    assert source.question is not None
    assert window.player.asked is source.question
    # The journal in the report holds the answer that failed.
    assert parts_of(own / "horde-fault-1.zip")["battle.journal"].count(b'{"answer":') == given + 1


def test_a_unit_that_is_held_is_let_go(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault on the way of a drag leaves no hand that holds what is gone."""
    game = battle(library)
    window = window_on(seated(game))
    window.help = True
    window.mouse.grip, window.mouse.pressed = "held", (4, 4)
    window.player._typed.append("x")
    with FaultGuard().over(window):
        raise ZeroDivisionError
    assert (window.help, window.mouse.grip, window.mouse.pressed) == (False, "", None)
    assert not window.player.holds
    assert not window.player._typed


def test_a_replay_stands_still_where_it_failed(
    recording: Recording, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = window_on(recording)
    window.playback.jump("round:2")
    window.playback.playing = True
    noted = once(monkeypatch, type(window.playback), "forward", lambda: True)
    monkeypatch.setattr(pygame.event, "get", list)
    before = window.playback.cursor
    run(window, 10)
    assert noted
    assert (window.playback.cursor, window.playback.playing) == (before, False)
    assert window.message.words.startswith("Something failed. The replay stands still here; report saved: ")
    assert "battle.journal" not in parts_of(own / "horde-fault-1.zip")
    window.playback.playing = True
    run(window, 10)
    assert window.playback.cursor > before


def test_without_room_for_a_report_the_battle_goes_on(
    library: Library, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    window = window_on(seated(battle(library)))
    with FaultGuard().over(window):
        raise ZeroDivisionError
    assert window.message.words.endswith("goes on from your last answer; no report could be saved")
    assert window.message.more == ""


def test_a_screen_without_a_battle_closes_with_its_report(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pygame.display.set_mode(SIZE)
    with pytest.raises(ClosedByFault), FaultGuard().over(object()):
        raise ZeroDivisionError
    assert str(own / "horde-fault-1.zip") in capsys.readouterr().err
    assert set(parts_of(own / "horde-fault-1.zip")) == {
        "traceback.txt",
        "doctor.txt",
        "picture.png",
        "loop.txt",
    }


def test_the_end_of_the_program_is_no_fault(own: Path) -> None:
    for end in (KeyboardInterrupt, SystemExit):
        with pytest.raises(end), FaultGuard().over(object()):
            raise end
    assert not own.exists()


def test_the_message_is_drawn_and_goes(library: Library) -> None:
    window = window_on(seated(battle(library)))
    with FaultGuard().over(window):
        raise ZeroDivisionError
    window.tick(0.1)
    assert window.changed
    window.draw()
    words = " ".join(each.words for each in window.lettering.written)
    assert "Something failed." in words
    assert "horde-fault-1.zip" in words
    assert not [each for each in window.lettering.written if each.is_cut and "failed" in each.words]
    at = window.message._box.center
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=at, button=1))
    assert not window.message.is_shown
    window.message.say("Something else", stays=1.0)
    window.tick(0.6)
    assert window.message.is_shown
    window.tick(0.6)
    assert not window.message.is_shown


def test_a_part_that_cannot_be_made_says_so(own: Path) -> None:
    def broken() -> bytes:
        raise RuntimeError("There is no window.")

    path = write_bundle(ZeroDivisionError("x"), {"picture.png": broken, "a.txt": lambda: b"a"})
    parts = parts_of(path)
    assert set(parts) == {"traceback.txt", "picture.png.missing.txt", "a.txt"}
    assert b"There is no window." in parts["picture.png.missing.txt"]


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("No such file: '/srv/ann/armies/mine.toml'", "No such file: 'mine.toml'"),
        (r"No such file: 'C:\Users\ann\mine.toml'", "No such file: 'mine.toml'"),
        ("/srv/ann/a.toml and /srv/ann/b/", "a.toml and b"),
        ("9/16 wounds, 3/4 models", "9/16 wounds, 3/4 models"),
        ("purchase/2-minefield", "purchase/2-minefield"),
    ],
)
def test_a_report_holds_no_path_of_the_user(words: str, left: str) -> None:
    assert without_paths(words) == left


def test_places_are_named_from_the_program_on() -> None:
    assert place_of(fault_bundle.__file__) == "viewer/input/fault_bundle.py"
    assert place_of(json.__file__) == "json/__init__.py"
    assert place_of(pygame.__file__) == "pygame/__init__.py"
    assert place_of("/srv/ann/thing.py") == "thing.py"
    try:
        try:
            raise KeyError("first")
        except KeyError as first:
            raise OSError(2, "No such file", "/srv/ann/x/y.toml") from first
    except OSError as fault:
        words = traceback_words(fault)
    assert words.index("KeyError") < words.index("FileNotFoundError")
    assert "ann" not in words


def test_closing_keeps_the_journal(tmp_path: Path) -> None:
    """From the command line: exit code 1, two sentences, and the battle goes on with them."""
    prepare = (
        "from viewer.window.window import Window; import pygame\n"
        "draw = Window.draw\n"
        "def failing(self):\n"
        "    if len(self.playback.source.game.answers) > 4:\n"
        "        raise ZeroDivisionError\n"
        "    draw(self)\n"
        "Window.draw = failing\n"
        "get = pygame.event.get\n"
        "enter = pygame.event.Event(pygame.KEYDOWN, key=pygame.K_RETURN, unicode='', mod=0)\n"
        "frames = iter(range(10**9))\n"
        "pygame.event.get = lambda: [*get(), *([] if next(frames) % 20 else [enter])]\n"
    )
    done = alone(
        ["play", "--seed", "3", "--faction", "tyranids", "--save", tmp_path / "mine.save"],
        before=f"exec({prepare!r})",
        folder=tmp_path,
        more={"SDL_VIDEODRIVER": "dummy", "XDG_DATA_HOME": str(tmp_path / "data"), "HORDE_SETTINGS": ""},
    )
    assert done.code == 1, done
    assert "Traceback" not in done.err
    assert done.err.count("\n") == 1
    assert "Something failed, and failed again, so the window closes; report saved: " in done.err
    journal = tmp_path / "mine.journal"
    assert done.out.endswith(f"Your answers are kept. Go on with: horde play {journal}\n")
    assert is_journal(journal)
    assert not (tmp_path / "mine.save").exists()
    assert len(load_journal(journal, Library(), begin).answers) > 0
