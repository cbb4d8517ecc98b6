"""How far answers are taken back: up to a roll, or freely with a mark in the replay."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pygame
import pytest

from ai.agents import agent
from datasheets.errors import HordeError
from datasheets.library import Library
from engine.core import event as ev
from engine.core.header import UNDONE
from engine.core.journal import Journal, load_journal
from engine.core.log import AnswerLine
from engine.core.replay import encode, read_replay, write_replay
from engine.core.request import Chosen
from engine.core.save import load, save
from engine.core.verify import verify
from engine.horde.setup import Options
from engine.systems import begin, new_game
from engine.w40k.battle import Battle
from tests.viewer.at_window import SHOOTING, Open, asked, on, press, say, seat
from tests.viewer.command_line import Horde
from tests.viewer.in_hand import two
from tests.viewer.test_orders import three
from viewer.input.gate import Gate
from viewer.input.preferences import load_preferences
from viewer.input.seat import Seated
from viewer.input.settings import Rules
from viewer.input.undoing import AT_ROLL, NOTHING, answers_at_chance

LIBRARY = Library()


def battle(seed: int = 7) -> Battle:
    armies = (LIBRARY.army("space-marines-1000"),)
    return new_game(Options(armies, ("death-guard",), seed=seed, rounds=1), LIBRARY)


def seated(game: Battle, reach: str = "last-roll", gate: Gate | None = None) -> Seated:
    seats = {"horde": agent("horde"), "p1": agent("steady")}
    return Seated(game, seats, ("p1",), gate=gate, reach=reach)  # type: ignore[arg-type]


def to_question(source: Seated) -> Seated:
    while source.question is None and not source.ended:
        source.poll()
    return source


def take(source: Seated, count: int) -> Seated:
    """Take this number of suggestions, and go on to the next question."""
    for _ in range(count):
        to_question(source)
        assert source.question is not None
        source.answer(source.question.advice)
    return to_question(source)


def to_roll(source: Seated) -> int:
    """Take suggestions until an answer makes dice fall; return the number of that answer."""
    while True:
        before = len(take(source, 0).game.answers)
        take(source, 1)
        if before and answers_at_chance(source.game.lines) > before:
            return before


def test_answers_are_taken_back_up_to_the_roll_and_no_farther() -> None:
    source = seated(battle())
    rolled = to_roll(source)
    given = len(take(source, 0).game.answers)
    floor = answers_at_chance(source.game.lines)
    assert rolled < floor <= given
    while source.undo():
        take(source, 0)
    assert len(source.game.answers) >= floor
    assert not [line for line in source.game.answers[floor:] if line.seat == "p1"]
    assert take(source, 0).question.undo_refusal == AT_ROLL  # type: ignore[union-attr]
    assert UNDONE not in source.game.header


def test_a_shuffled_deck_shows_nothing_that_undo_would_stop_at() -> None:
    source = take(seated(battle()), 3)
    shuffled = [event for event in source.game.events if isinstance(event, ev.Rolled) and not event.dice]
    assert shuffled, "the secret that is not kept goes back into its deck"
    assert [source.undo() for _ in range(4)] == [True, True, True, False]
    assert source.undo_refusal == NOTHING


def test_a_drawn_card_stops_undo_without_any_dice() -> None:
    lines = [line for line in battle().lines if not isinstance(line, ev.Rolled)]
    answer = AnswerLine(answer=0, seat="p1", decision="target", rule="SP.1", value=Chosen(ids=()))
    drawn = ev.CardRevealed(deck="misery", card="misery/3-rip-and-tear")
    assert answers_at_chance([*lines, answer]) == 0
    assert answers_at_chance([*lines, answer, drawn]) == 1


def test_before_any_answer_there_is_nothing_to_take_back() -> None:
    source = take(seated(battle()), 0)
    assert not source.undo()
    assert source.undo_refusal == NOTHING


def test_free_undo_goes_past_a_roll_and_the_replay_says_so(tmp_path: Path, horde: Horde) -> None:
    source = seated(battle(), "free")
    rolled = to_roll(source)
    while len(source.game.answers) > rolled:
        assert source.undo()
        take(source, 0)
    times = source.game.header[UNDONE]
    assert isinstance(times, int)
    assert times > 0
    source.hand_over()
    while not source.ended:
        source.poll()
    out = tmp_path / "a.replay"
    write_replay(out, source.game.header, source.game.lines)
    assert read_replay(out).header[UNDONE] == times
    verify(read_replay(out), LIBRARY, begin)
    words = f"Undone past a roll: {'once' if times == 1 else f'{times} times'}."
    for command in ("info", "log"):
        told = horde("replay", command, out)
        assert told.code == 0
        assert words in told.out
    assert json.loads(horde("replay", "info", out, "--json").out)[UNDONE] == times


def test_without_it_a_replay_has_no_such_key(tmp_path: Path, horde: Horde) -> None:
    source = seated(battle())
    source = take(source, 3)
    source.undo()
    source.hand_over()
    while not source.ended:
        source.poll()
    out = tmp_path / "a.replay"
    write_replay(out, source.game.header, source.game.lines)
    assert b"undone" not in out.read_bytes()
    assert "Undone" not in horde("replay", "info", out).out


def test_saves_and_journals_keep_the_mark(tmp_path: Path) -> None:
    source = seated(battle(), "free")
    journal = Journal(tmp_path / "a.journal", source.game)
    rolled = to_roll(source)
    journal.keep(source.game)
    while len(source.game.answers) > rolled:
        assert source.undo()
        take(source, 0)
        journal.keep(source.game)
    times = source.game.header[UNDONE]
    take(source, 1)
    journal.keep(source.game)
    journal.close()
    save(source.game, tmp_path / "a.save")
    for again in (
        load(tmp_path / "a.save", LIBRARY, begin),
        load_journal(tmp_path / "a.journal", LIBRARY, begin),
    ):
        assert again.header[UNDONE] == times
        assert list(map(encode, again.lines)) == list(map(encode, source.game.lines))


def test_a_mark_that_is_no_number_is_refused(tmp_path: Path) -> None:
    game = battle()
    game.origin = {**game.origin, UNDONE: -1}
    write_replay(tmp_path / "a.replay", game.header, game.lines)
    with pytest.raises(HordeError, match=UNDONE):
        read_replay(tmp_path / "a.replay")


def test_a_battle_taken_up_goes_back_up_to_its_last_roll_too(tmp_path: Path) -> None:
    source = seated(battle())
    to_roll(source)
    take(source, 2)
    save(source.game, tmp_path / "a.save")
    again = take(seated(load(tmp_path / "a.save", LIBRARY, begin)), 0)
    for each in (source, again):
        while each.undo():
            take(each, 0)
    assert len(again.game.answers) == len(source.game.answers) >= answers_at_chance(again.game.lines)
    assert again.undo_refusal == AT_ROLL


def test_what_was_settled_unasked_is_taken_back_with_the_answer_before() -> None:
    source = take(seated(battle(), gate=Gate(Rules())), 2)
    given = [line.answer for line in source.game.answers]
    assert source.undo()
    assert len(source.game.answers) < len(given)
    to_question(source)
    assert source.question is not None


# the window


def test_the_button_says_that_undo_stops_at_the_roll(opened: Open) -> None:
    window = opened(three(SHOOTING))
    while not any(isinstance(event, ev.Rolled) for event in seat(window).game.events):
        press(window, "return")
        on(window)
    assert asked(window).undo_refusal == "Undo stops at the roll"
    window.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_z, unicode="z", mod=pygame.KMOD_LCTRL))
    assert asked(window).fault == "Undo stops at the roll."


def test_a_drag_with_an_advance_goes_back_to_its_roll(opened: Open) -> None:
    window = opened(two())
    say(window, "1")
    options = [option.id for option in asked(window).options]
    say(window, str(options.index("advance") + 1))
    rolled = [event for event in seat(window).game.events if isinstance(event, ev.Rolled)]
    assert rolled
    request = asked(window).request
    say(window, "toward 20 20")
    window.player.enter("undo")
    assert asked(window).request == request
    window.player.enter("undo")
    assert asked(window).fault == "Undo stops at the roll."
    assert asked(window).request == request


# the terminal


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, horde: Horde, tmp_path: Path) -> Callable[..., str]:
    def type_in(*lines: str) -> str:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return horde("battle", "--ask", "p1", "--ask-all", "--seed", "7", "--rounds", "1").out

    return type_in


def test_in_the_terminal_undo_asks_again_up_to_the_roll(typed: Callable[..., str]) -> None:
    out = typed("undo", "", "", "", "undo", "undo", *[""] * 60, *["undo"] * 30, "quit")
    assert out.count("There is no answer of yours to take back.") == 1
    assert out.count("Taken back.") >= 2
    assert out.count("Undo stops at the roll.") >= 1
    assert out.count("Where does Bladeguard Veteran Squad + Captain begin?") == 2


# the setting


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "settings.json"
    monkeypatch.setenv("HORDE_SETTINGS", str(path))
    return path


def test_the_setting_is_kept_and_told(file: Path, horde: Horde) -> None:
    assert load_preferences().undo == "last-roll"
    assert "free" in horde("settings", "undo", "free").out
    assert json.loads(file.read_text())["window"] == {"undo": "free"}
    horde("settings", "all", "always")
    assert load_preferences().undo == "free"
    horde("settings", "undo", "last-roll")
    assert load_preferences().undo == "last-roll"


@pytest.mark.parametrize("words", [("undo", "sometimes"), ("undo",), ("undo", "free", "free")])
def test_no_other_word_is_taken(file: Path, horde: Horde, words: tuple[str, ...]) -> None:
    done = horde("settings", *words)
    assert done.code == 2
    assert not file.exists()


def test_a_file_with_another_word_is_at_fault(file: Path) -> None:
    file.write_text('{"window": {"undo": 3}}')
    with pytest.raises(HordeError, match="undo"):
        load_preferences()
