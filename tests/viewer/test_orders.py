"""What a person orders ahead: in the terminal and in the window, by one mechanism."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest

from ai.agents import agent
from datasheets.library import Library
from engine.core import event as ev
from engine.core.game import Game
from engine.core.play import play
from engine.core.request import Choose, Chosen, Option
from engine.core.ruleset import Step
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.horde.setup import Options
from engine.scenario.situation import Stand, situation
from engine.systems import new_game
from engine.w40k.view import View
from tests.viewer.test_terminal import BOARD, GUN, MOVEMENT, SHOOTING, answers_of, asking
from viewer.input.gate import Gate
from viewer.input.seat import ALONE, Seated
from viewer.input.settings import Rules
from viewer.terminal.terminal import Person

LIBRARY = Library()
Type = Callable[..., str]


@pytest.fixture
def type_in(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Type:
    """Return a function that types lines for p1, and hands over to the adviser at their end."""

    def typed(game: Game, *lines: str, rules: Rules | None = None, shares_screen: bool = False) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in (*lines, "auto"))))
        person = Person(agent("steady"), shares_screen=shares_screen, gate=Gate(rules))
        play(game, {"horde": agent("horde"), "p1": person}, View)
        return capsys.readouterr().out

    return typed


OPTIONS = (Option(id="a", label="A"), Option(id="b", label="B"))
TWO = Choose(seats=("p1",), rule="MISERY.1", decision="target", prompt="Which?", options=OPTIONS)
DONE = (Option(id="done", label="Done"),)
ONE = Choose(seats=("p1",), rule="SP.4", decision="purchase", prompt="Buy?", options=DONE)


def three(*steps: Any) -> Game:
    """Return a battle of three units against a far one."""
    own = [
        Stand(name, "players", [(x, 8.0)], weapons=(GUN,)) for name, x in (("a", 20), ("b", 30), ("c", 40))
    ]
    foes = Stand("foes", "horde", [(30.0, 24.0)], weapons=(GUN,))
    return situation([*own, foes], steps, HORDE_1_1, board=BOARD)


def by_itself(*steps: Any) -> Game:
    """Return that battle as the autopilot plays it."""
    game = three(*steps)
    play(game, {"horde": agent("horde"), "p1": agent("steady")}, View)
    return game


def test_the_rest_of_a_phase_is_played_as_suggested_and_the_next_phase_is_asked(type_in: Type) -> None:
    game = three(MOVEMENT, SHOOTING)
    out = type_in(game, "rest")
    assert game.events == by_itself(MOVEMENT, SHOOTING).events
    first, second = out.split("Suggested:", 2)[1:]
    assert "movement" not in second.split("\n\n")[0]
    assert "As suggested: Which unit is next in the movement?" in first
    assert "shooting]" in first


def test_one_unit_is_played_as_suggested_up_to_the_next(type_in: Type) -> None:
    game = three(MOVEMENT)
    out = type_in(game, "unit", "unit")
    assert game.events == by_itself(MOVEMENT).events
    assert out.count("Suggested:") == 3
    assert out.count("[Round 2, the players' movement] Which unit is next") == 3


def test_the_end_of_a_phase_is_warned_of_once_with_those_that_have_not_acted(type_in: Type) -> None:
    game = three(MOVEMENT)
    out = type_in(game, "1", "2", "stay", "end", "end")
    assert "b and c have not acted. Say end again to end the phase." in out
    chosen = [line.value for line in game.answers if line.decision == "next-unit"]
    assert chosen == [Chosen(ids=("a",)), Chosen(ids=("done",))]


def test_a_phase_ends_at_the_choice_of_a_unit_alone(type_in: Type) -> None:
    game = three(MOVEMENT)
    out = type_in(game, "a", "end", "end", "")
    assert out.count("The phase cannot be ended here: answer this question first.") == 2
    assert next(line.value for line in game.answers) == Chosen(ids=("a",))


def secret(*cards: str) -> Choose:
    options = tuple(Option(id=card, label=card) for card in cards)
    words: dict[str, Any] = {"rule": "SETUP.8", "decision": "keep-secret", "prompt": "Which is kept?"}
    return Choose(seats=("p1",), options=options, **words)


@pytest.mark.rule("PLAY.9")
def test_no_order_chooses_a_secret(type_in: Type) -> None:
    step = asking(TWO, secret("secret/7-a", "secret/9-b"))
    out = type_in(three(step), "rest", "rest", "2")
    assert "A secret is chosen by yourself." in out
    assert answers_of(step)[1] == Chosen(ids=("secret/9-b",))


def test_what_rules_settle_is_told_in_the_terminal(type_in: Type) -> None:
    out = type_in(three(asking(ONE)), rules=Rules())
    assert "    As suggested: Buy? Done\n" in out
    assert "Suggested:" not in out


# at the window


def seated(game: Game, rules: Rules | None = None) -> Seated:
    """Return the seat of p1 at a window, at its first question."""
    seat = Seated(game, {"horde": agent("horde"), "p1": agent("steady")}, ("p1",), gate=Gate(rules))
    return to_question(seat)


def to_question(seat: Seated) -> Seated:
    while seat.question is None and not seat.ended:
        seat.poll()
    return seat


def asked(seat: Seated) -> str:
    assert seat.question is not None
    return seat.question.prompt


def test_the_window_takes_the_same_orders() -> None:
    game = three(MOVEMENT, SHOOTING)
    seat = seated(game)
    assert not seat.order("anything")
    assert seat.order("Rest ")
    assert "shooting" in asked(to_question(seat))
    assert seat.order("end")
    assert seat.question is not None
    assert "have not acted" in seat.question.fault
    assert seat.order("end")
    assert to_question(seat).question is None
    moved = [event for event in by_itself(MOVEMENT).events if isinstance(event, ev.Moved)]
    assert [event for event in game.events if isinstance(event, ev.Moved)] == moved
    assert not any(isinstance(event, ev.Targeted) for event in game.events)


def test_undo_takes_an_order_back_with_all_that_it_answered() -> None:
    seat = seated(three(MOVEMENT, SHOOTING))
    seat.order("unit")
    to_question(seat)
    seat.order("rest")
    assert "shooting" in asked(to_question(seat))
    assert seat.undo()
    assert "movement" in asked(to_question(seat))
    assert len([line for line in seat.game.answers if line.decision == "next-unit"]) == 1
    assert seat.undo()
    assert not to_question(seat).game.answers
    assert not seat.undo()


def test_undo_passes_by_what_rules_settled_though_the_battle_was_taken_up_again() -> None:
    game = three(asking(TWO, ONE, TWO))
    game.submit(Chosen(ids=("a",)), "p1")
    game.submit(Chosen(ids=("done",)), "p1")
    seat = seated(game, Rules())
    assert seat.undo()
    assert not game.answers
    assert asked(to_question(seat)) == "Which? (MISERY.1)"


def test_what_was_settled_stands_beside_the_next_question() -> None:
    seat = seated(three(asking(*[ONE] * 6, TWO)), Rules())
    assert seat.question is not None
    assert seat.question.told == ["4 more were settled before:", *["As suggested: Buy? Done"] * 2]
    last = len(seat.game.events) - 1
    assert seat.settled == [(last, "As suggested: Buy? Done")] * 6


def test_what_was_settled_in_a_turn_is_counted_as_the_next_begins() -> None:
    own = Step("own", "shooting", asking(*[ONE] * 3).run, "players")
    other = Step("theirs", "shooting", asking(TWO).run, "horde")
    seat = seated(three(own, other), Rules())
    assert seat.question is not None
    assert "Answered for you in the players' turn: 3 purchase" in seat.question.told


# the whole set-up


def test_the_set_up_is_one_stop() -> None:
    army = LIBRARY.army("space-marines-1000")
    game = new_game(Options((army,), ("death-guard",), 1000, rounds=1, seed=1), LIBRARY)
    seat = seated(game, Rules())
    assert seat.question is not None
    assert seat.question.request.decision == "keep-secret"
    seat.answer(seat.question.advice)
    to_question(seat)
    assert seat.order("rest")
    to_question(seat)
    assert game.state.round == 1
    before = [kind for (kind, moment), _ in seat.gate.counts.stops.items() if moment[0] == 0]
    assert before == ["secret", "set-up"]


@pytest.mark.rule("PLAY.9")
def test_a_secret_is_shown_to_its_player_alone_where_several_share_the_screen(type_in: Type) -> None:
    army = LIBRARY.army("space-marines-500")
    game = new_game(Options((army, army), ("death-guard",), 1000, rounds=1, seed=3), LIBRARY)
    agents = {"horde": agent("horde"), "p1": agent("steady"), "p2": agent("steady")}
    seat = to_question(Seated(game, agents, ("p1", "p2")))
    while seat.question is not None and (seat.question.request.decision in (ALONE, "keep-secret")):
        seat.answer(seat.question.advice)
        to_question(seat)
    assert seat.question is not None
    assert seat.order("secret")
    assert seat.question.fault == "Others share this screen. Say secret again when alone."
    assert not seat.order("secret")
    seat.question.enter("secret")
    assert len(seat.question.told) == 1
