"""What a View tells of the secrets of other seats: nothing that was not revealed."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

import pytest

from engine.core import event as ev
from engine.core.apply import fold
from engine.core.game import Game
from engine.core.log import AnswerLine, BecauseLine
from engine.core.replay import encode
from engine.core.request import Because, Choose, Chosen, Option, Steps
from engine.core.ruleset import Step
from engine.scenario.situation import Stand
from engine.w40k.seat_log import SeatLog, is_hidden
from engine.w40k.view import View

Play = Callable[..., Any]
Make = Callable[..., Stand]
CARD = "secret/13-master-sculptor"
OTHERS = ("secret/9-vip", "secret/16-hold-the-line")


def logging(*events: ev.Event) -> Step:
    """Return a step in which these things happen."""

    def run(game: Game) -> Steps[bool]:
        for event in events:
            game.log(event)
        return False
        yield

    return Step("log", "before", run)


def drawn(card: str, seat: str = "p1") -> ev.Event:
    return ev.CardRevealed(deck="secret", card=card, player=seat)


def counted(card: str, seat: str = "p1") -> ev.Event:
    return ev.Marked(on=f"player:{seat}", key=card, value=2, until="battle")


def put_back(card: str, deck: tuple[str, ...]) -> ev.Event:
    return ev.CardDiscarded(deck="secret", card=card, to="deck", draw=deck)


@pytest.fixture
def two(play: Play, marines: Make) -> Callable[..., Any]:
    """Return a battle of two players in which things have happened."""

    def after(*events: ev.Event) -> Any:
        decks = {"secret": (CARD, *OTHERS)}
        return play([marines()], logging(*events), players=("p1", "p2"), decks=decks)

    return after


@pytest.mark.rule("PLAY.9")
def test_the_tally_of_a_secret_that_went_back_stays_hidden(two: Callable[..., Any]) -> None:
    """Otherwise the others would know which card lies in the deck again."""
    game = two(drawn(CARD), counted(CARD), put_back(CARD, (*OTHERS, CARD)))
    assert CARD in View(game, "p1").players["p1"].marks
    assert CARD not in View(game, "p2").players["p1"].marks
    assert CARD not in View(game, "horde").players["p1"].marks


@pytest.mark.rule("PLAY.9")
def test_the_tally_of_a_revealed_secret_is_known(two: Callable[..., Any]) -> None:
    game = two(drawn(CARD), counted(CARD), ev.SecretRevealed(player="p1", card=CARD, completed=False))
    assert CARD in View(game, "p2").players["p1"].marks


# the log


def told(game: Any, seat: str) -> list[str]:
    """Return the lines of the log as a seat may read it, as a file has them."""
    return [encode(line).decode() for line in View(game, seat).log]


def text(game: Any, seat: str) -> str:
    return "\n".join(told(game, seat))


@pytest.mark.rule("PLAY.9")
def test_the_log_names_a_secret_to_its_own_seat_alone(two: Callable[..., Any]) -> None:
    game = two(drawn(CARD), counted(CARD))
    card = f'"card":"{CARD}"'
    assert card in text(game, "p1")
    assert card not in text(game, "p2")
    assert [e.player for e in View(game, "p2").log if isinstance(e, ev.CardRevealed)] == ["p1"]
    assert f'"key":"{CARD}"' in text(game, "p1")
    assert f'"key":"{CARD}"' not in text(game, "horde")


@pytest.mark.rule("PLAY.9")
def test_a_revealed_secret_is_named_from_then_on(two: Callable[..., Any]) -> None:
    """The lines before stay as they were shown."""
    before = two(drawn(CARD), counted(CARD))
    shown = ev.SecretRevealed(player="p1", card=CARD, completed=True)
    game = two(drawn(CARD), counted(CARD), shown, counted(CARD))
    at = next(i for i, line in enumerate(View(game, "p2").log) if isinstance(line, ev.SecretRevealed))
    assert told(game, "p2")[:at] == told(before, "p2")[:at]
    assert f'"key":"{CARD}"' in text(game, "p2")


@pytest.mark.rule("SETUP.6")
def test_the_log_does_not_tell_how_the_decks_lie(two: Callable[..., Any]) -> None:
    """Not from the beginning, nor where cards are shuffled back."""
    cards = ("misery/3-rip-and-tear", "misery/1-a", "misery/2-b")
    lines = [
        ev.Setup(ruleset="", board=two().state.position.board, players=(), decks={"misery": cards}),
        ev.CardRevealed(deck="misery", card=cards[0], draw=(cards[0], cards[2], cards[1])),
    ]
    setup, drawn_card = SeatLog("p1").of(lines)
    assert isinstance(setup, ev.Setup)
    assert isinstance(drawn_card, ev.CardRevealed)
    assert setup.decks["misery"] == drawn_card.draw == tuple(sorted(cards))


@pytest.mark.rule("PLAY.9")
def test_the_pile_of_secrets_does_not_tell_which_are_held(two: Callable[..., Any]) -> None:
    """The line of a returned secret shows other seats neither the card nor the pile.

    The pile would give away the secrets that are in hands.
    """
    game = two(drawn(CARD), drawn(OTHERS[0]), put_back(OTHERS[0], OTHERS))
    back = next(line for line in View(game, "p2").log if isinstance(line, ev.CardDiscarded))
    assert is_hidden(back.card)
    assert back.draw is None
    own = next(line for line in View(game, "p1").log if isinstance(line, ev.CardDiscarded))
    assert own.card == OTHERS[0]


@pytest.mark.rule("PLAY.9")
def test_what_is_left_out_leaves_no_gap(two: Callable[..., Any]) -> None:
    """A missing number would tell that the secret of another seat counts something."""
    game = two(drawn(CARD), counted(CARD))
    events = [line for line in View(game, "p2").log if isinstance(line, ev.Event)]
    assert [each.n for each in events] == list(range(len(events)))
    assert len(events) == len(game.events) - 1


@pytest.mark.rule("PLAY.9")
def test_the_last_roll_is_numbered_as_in_the_log_of_the_seat(two: Callable[..., Any]) -> None:
    """Its place in the whole log tells how often the secret of another seat has counted."""
    roll = ev.Rolled(roll="hit", dice=(3,), total=3, stream="dice", draws=1)
    quiet, busy = (two(drawn(CARD), *marks, copy(roll)) for marks in ((), (counted(CARD), counted(CARD))))
    assert View(quiet, "p2").last_roll == View(busy, "p2").last_roll
    assert View(quiet, "p1").last_roll != View(busy, "p1").last_roll


@pytest.mark.rule("PLAY.9")
def test_the_choice_of_a_secret_and_its_reasons_are_not_told(play: Play, marines: Make) -> None:
    def ask(game: Game) -> Steps[bool]:
        for card in (CARD, OTHERS[0]):
            game.log(drawn(card))
        options = tuple(Option(id=card, label=card) for card in (CARD, OTHERS[0]))
        yield Choose(seats=("p1",), rule="SETUP.8", decision="keep", prompt="", options=options)
        return False

    def answer(game: Game) -> Chosen:
        return Chosen(ids=(CARD,), because=(Because(clause="SETUP.8", reason=f"{CARD} is easy."),))

    decks = {"secret": (CARD, *OTHERS)}
    step = Step("ask", "before", ask)
    game = play([marines()], step, players=("p1", "p2"), decks=decks, answers={"keep": answer})
    hidden = next(line for line in View(game, "p2").log if isinstance(line, AnswerLine))
    assert isinstance(hidden.value, Chosen)
    assert all(map(is_hidden, hidden.value.ids))
    assert not [line for line in View(game, "p2").log if isinstance(line, BecauseLine)]
    assert [line for line in View(game, "p1").log if isinstance(line, BecauseLine)]
    assert CARD not in "\n".join(told(game, "p2")[1:])


def test_the_log_of_a_seat_can_be_followed(two: Callable[..., Any]) -> None:
    """What lies open is the same after it as after the whole log."""
    game = two(drawn(CARD), counted(CARD), put_back(CARD, (*OTHERS, CARD)))
    state = fold(line for line in View(game, "p2").log if isinstance(line, ev.Event))
    assert state.position.units.keys() == game.state.position.units.keys()
    assert state.players["p1"].secrets == ()


def test_the_log_goes_back_with_the_battle(two: Callable[..., Any]) -> None:
    game = two(drawn(CARD), counted(CARD))
    log = SeatLog("p2")
    whole = list(log.of(game.lines))
    assert list(log.of(game.lines[:3])) == whole[:3]
    assert list(log.of(game.lines)) == whole
