"""Thinking in a process beside the window: the log has the bytes that it has without."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pygame
import pytest

from ai.agents import agent
from ai.horde.game_master import SEAT
from datasheets.library import Library
from engine.core import event as ev
from engine.core.replay import encode, rows
from engine.core.request import Choose
from engine.core.save import load, save
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.horde.setup import Options
from engine.scenario.situation import Stand, situation
from engine.systems import begin, new_game
from engine.w40k.battle import Battle
from tests.viewer.at_window import MOVEMENT, drag
from viewer.input.beside import ALONE, Beside
from viewer.input.gate import Gate
from viewer.input.seat import Seated, Think, think_here
from viewer.input.settings import Rules
from viewer.input.thinking import Minds, Thinking
from viewer.window.window import Window

Person = Callable[[Seated, int], None]
"""What a person does at a question, by the source and the number of the question."""
LIBRARY = Library()
LINES: list[Beside] = []


def beside(minds: Minds, tell: Callable[[str], None]) -> Thinking:
    """Let agents think in a process, which ends with the test."""
    LINES.append(Beside(minds, tell))
    return LINES[-1]


@pytest.fixture(autouse=True)
def ended() -> Iterator[None]:
    yield
    while LINES:
        LINES.pop().stop()


def battle(players: int = 1, *, game_master: bool = False, seed: int = 7, rounds: int = 1) -> Battle:
    armies = (LIBRARY.army(f"space-marines-{1000 // players}"),) * players
    options = Options(armies, ("death-guard",), seed=seed, rounds=rounds, game_master=game_master)
    return new_game(options, LIBRARY)


def seated(game: Battle, asked: tuple[str, ...], think: Think, gate: Gate | None = None) -> Seated:
    seats = {seat: agent("horde" if seat == "horde" else "steady") for seat in ("horde", *game.state.players)}
    return Seated(game, seats, asked, gate=gate, think=think, reach="free")


def played(source: Seated, person: Person, most: int = 10_000) -> bytes:
    """Let a person play a battle, and return its log as a file tells it."""
    number = 0
    while not source.ended and number < most:
        source.poll()
        if source.question is None:
            source.wait()
            continue
        person(source, number)
        number += 1
    assert not source.settled or ALONE not in [words for _, words in source.settled]
    return log(source.game)


def log(game: Battle) -> bytes:
    return b"\n".join(rows(game.header, game.lines, {}))


def takes(source: Seated, number: int) -> None:
    """Take what is suggested."""
    assert source.question is not None
    source.answer(source.question.advice)


def undoes(source: Seated, number: int) -> None:
    """Take what is suggested, but each seventh time take two answers back."""
    if number % 7 == 6:
        assert source.undo()
        source.poll()
        source.undo()
    else:
        takes(source, number)


def orders(source: Seated, number: int) -> None:
    """Order ahead: the rest of one phase, one unit of the next, the end of a third."""
    word = ("rest", "unit", "end", "")[number % 4]
    asked = source.question
    if not word or not source.order(word) or (source.question is asked and asked is not None):
        takes(source, number)


@pytest.mark.parametrize("person", [takes, undoes, orders])
@pytest.mark.parametrize("rules", [None, Rules()])
def test_a_battle_has_the_same_bytes_with_a_process_beside(person: Person, rules: Rules | None) -> None:
    found = [
        played(seated(battle(), ("p1",), think, Gate(rules)), person, 90) for think in (think_here, beside)
    ]
    assert found[0] == found[1]
    assert not LINES[0].fault


@pytest.mark.parametrize("person", [takes, undoes])
def test_several_persons_and_a_game_master_are_asked_the_same(person: Person) -> None:
    found = []
    for think in (think_here, beside):
        source = seated(battle(2, game_master=True, seed=8), ("p1", "p2", SEAT), think, Gate(Rules()))
        found.append(played(source, person, 120))
    assert found[0] == found[1]
    assert not LINES[0].fault


def test_a_battle_is_handed_over_while_the_horde_thinks() -> None:
    def hands_over(source: Seated, number: int) -> None:
        if number == 25:
            source.hand_over()
        else:
            takes(source, number)

    asked = ("p1", SEAT)
    found = [
        played(seated(battle(game_master=True), asked, think), hands_over) for think in (think_here, beside)
    ]
    assert found[0] == found[1]
    assert not LINES[0].fault


def test_a_battle_taken_up_in_the_middle_of_a_turn_goes_on_alike(tmp_path: Path) -> None:
    source = seated(battle(), ("p1",), think_here)
    played(source, takes, 40)
    save(source.game, tmp_path / "a.save")
    found = []
    for think in (think_here, beside):
        again = load(tmp_path / "a.save", LIBRARY, begin)
        found.append(played(seated(again, ("p1",), think, Gate(Rules())), undoes, 50))
    assert found[0] == found[1]
    assert not LINES[0].fault


def test_a_question_is_put_before_its_advice_is_known() -> None:
    game = battle()
    source = seated(game, ("p1",), beside, Gate(Rules()))
    seen: list[bool] = []

    def looks(source: Seated, number: int) -> None:
        assert source.question is not None
        question, is_known = source.question, source.question.advised is not None
        seen.append(is_known)
        assert (question.suggestion == "…") is not is_known
        assert question.advice == question.advised == source.minds.thought().answer
        assert question.suggestion != "…"
        takes(source, number)

    played(source, looks, 60)
    assert seen[0], "in the set-up nobody waits for the process"
    assert False in seen, "later on a question does not wait for its advice"


def dragged(think: Think) -> tuple[bytes, bool]:
    """Drag a unit and let go at once; return its move in the log, and whether it was late."""
    source = seated(battle(), ("p1",), think, Gate(Rules()))
    window = Window(pygame.display.set_mode((1200, 760)), source)
    while source.question is None or source.question.request.rule != "CORE.MOVE.1":
        window.playback.pull()
        if source.question is None:
            source.wait()
        elif source.question.request.rule != "CORE.MOVE.1":
            takes(source, 0)
    window.playback.seek(len(window.playback.chronicle))
    window.fit()
    units, request = window.playback.state.position.units, source.question.request
    assert isinstance(request, Choose)
    unit = next(option.id for option in request.options if option.id in units)
    x, y = map(float, window.playback.state.position.table.xy[units[unit].rows[0]])
    start, end = window.camera.to_screen(x, y), window.camera.to_screen(x + 2.0, y + 1.0)
    known = len(source.game.events)
    drag(window, start, end)
    late = len(source.game.events) == known or not moves_of(source, unit)
    until = time.monotonic() + 60
    while not moves_of(source, unit) and time.monotonic() < until:
        window.tick(0.01)
        time.sleep(0.005)
    return encode(moves_of(source, unit)[0]), late


def moves_of(source: Seated, unit: str) -> list[ev.Moved]:
    return [event for event in source.game.events if isinstance(event, ev.Moved) and event.unit == unit]


def test_a_unit_let_go_before_its_ghost_is_there_moves_when_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.input.beside.PATIENCE", 0.0)
    pygame.display.init()
    try:
        (here, _), (there, was_late) = dragged(think_here), dragged(beside)
    finally:
        pygame.quit()
    assert was_late
    assert here == there
    assert not LINES[0].fault


# a process that is not there


@pytest.mark.parametrize("after", [0, 12])
def test_a_killed_process_is_missed_by_nobody(after: int) -> None:
    def kills(source: Seated, number: int) -> None:
        if number == after:
            thinking = LINES[0]
            while not thinking.processes:
                time.sleep(0.05)
            for process in thinking.processes:
                os.kill(process, signal.SIGKILL)
        takes(source, number)

    source = seated(battle(), ("p1",), beside)
    number = 0
    while not source.ended:
        source.poll()
        if source.question is None:
            source.wait()
            continue
        kills(source, number)
        number += 1
    assert [words for _, words in source.settled] == [ALONE]
    assert log(source.game) == played(seated(battle(), ("p1",), think_here), takes)


def test_where_no_process_can_begin_it_is_thought_in_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr("multiprocessing.context.SpawnProcess.start", refused)
    source = seated(battle(), ("p1",), beside)
    while source.question is None or not LINES[0].fault:
        source.poll()
        time.sleep(0.01)
    takes(source, 0)
    assert [words for _, words in source.settled] == [ALONE]
    assert "no more processes" in LINES[0].fault


def test_a_battle_that_no_header_tells_is_thought_about_in_the_window() -> None:
    stands = [Stand("mine", "players", [(10.0, 20.0)]), Stand("foes", "horde", [(40.0, 20.0)])]
    game = situation(stands, [MOVEMENT], HORDE_1_1)
    source = Seated(game, {"horde": agent("horde"), "p1": agent("steady")}, ("p1",), think=beside)
    while not source.ended:
        source.poll()
        if source.question is not None:
            takes(source, 0)
    assert [words for _, words in source.settled] == [ALONE]


PARENT = """
import time
if __name__ == "__main__":
    from tests.viewer.test_beside import LINES, battle, beside, seated
    source = seated(battle(), ("p1",), beside)
    while source.question is None:
        source.poll()
    while not LINES[0].processes:
        time.sleep(0.05)
    print(*LINES[0].processes, flush=True)
    time.sleep(600)
"""


def is_running(process: int) -> bool:
    """Return whether a process runs: a dead one that nobody has waited for does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes as Linux tells them")
def test_the_process_ends_with_a_window_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, env=environment) as parent:
        try:
            assert parent.stdout is not None
            processes = [int(word) for word in parent.stdout.readline().split()]
            assert processes
            assert all(map(is_running, processes))
        finally:
            parent.kill()
    until = time.monotonic() + 30
    while any(map(is_running, processes)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(map(is_running, processes))
