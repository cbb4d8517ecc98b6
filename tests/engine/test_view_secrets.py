"""What a View tells of the secrets of other seats: nothing that was not revealed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.core import event as ev
from engine.core.game import Game
from engine.core.request import Steps
from engine.core.ruleset import Step
from engine.scenario.situation import Stand
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
