"""Too little room to set a unit up: as many of its models as fit, and no fewer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ai.agents import agent
from engine.core import event as ev
from engine.core.facts import BoardFacts, ZoneFacts
from engine.core.game import Game, IllegalAnswer
from engine.core.request import Places, Steps
from engine.core.ruleset import Step
from engine.w40k.phase import deploy
from engine.w40k.view import View

Play = Callable[..., Game]
Make = Callable[..., Any]
R = 16 / 25.4
FOUR = [(10 + x, 0 + y) for x in (R, 3 * R) for y in (R, 3 * R)]
"""Four bases in a corner; a strip of 2.6 inches by 2.6 has room for them, and for no more."""


def zoned(width: float) -> BoardFacts:
    ring = ((10.0, 0.0), (10.0 + width, 0.0), (10.0 + width, 2.6), (10.0, 2.6))
    return BoardFacts(zones=(ZoneFacts(id="defender", kind="defender", polygon=ring),))


def begun(
    play: Play, make: Make, width: float, models: int, place: Any, *others: Any
) -> tuple[list[str], Game]:
    """Return the kinds of set-up asked for a unit of `models` models, and the battle then."""
    asked: list[str] = []
    first = sum(len(stand.at) for stand in others)
    facts = make("squad", at=[(0.0, 0.0)] * models).facts(first)

    def set_up(game: Game) -> Steps[bool]:
        game.mustered = (facts,)
        return (yield from deploy.deploy(game))

    def said(game: Game) -> Any:
        asked.append(game.pending.kind)
        return (
            place(game) if callable(place) else Places(poses={i: (*at, 0.0, 0.0) for i, at in place.items()})
        )

    answers = {"deploy": "battlefield", "place": said}
    step = Step("deploy", "setup", set_up)
    return asked, play(list(others), step, answers=answers, board=zoned(width))


@pytest.mark.rule("CORE.RES.8")
def test_where_all_fit_all_are_set_up(play: Play, marines: Make) -> None:
    asked, game = begun(play, marines, 2.6, 4, dict(enumerate(FOUR)))
    assert asked == ["deploy"]
    assert len(game.state.position.units["squad"].rows) == 4
    with pytest.raises(IllegalAnswer, match="model 3 could be set up, too"):
        begun(play, marines, 2.6, 4, dict(enumerate(FOUR[:3])))


@pytest.mark.rule("CORE.RES.8")
def test_a_model_that_finds_no_place_is_destroyed(play: Play, marines: Make) -> None:
    asked, game = begun(play, marines, 2.6, 5, dict(enumerate(FOUR)))
    assert asked == ["deploy"]
    unit = game.state.position.units["squad"]
    assert unit.where == "table"
    assert unit.rows == (0, 1, 2, 3)
    lost = [(e.model, e.cause) for e in game.events if isinstance(e, ev.Destroyed)]
    assert lost == [(4, "CORE.RES.8")]


@pytest.mark.rule("CORE.RES.8")
def test_nobody_is_left_out_who_finds_a_place(play: Play, marines: Make) -> None:
    for some in (FOUR[:3], []):
        with pytest.raises(IllegalAnswer, match="could be set up, too"):
            begun(play, marines, 2.6, 5, dict(enumerate(some)))


@pytest.mark.rule("CORE.RES.8")
def test_how_else_the_others_could_stand_is_not_asked(play: Play, marines: Make) -> None:
    """A model in the middle of the strip leaves no spot for another.

    In the strip's corners four models would fit.
    """
    _, game = begun(play, marines, 2.6, 4, {0: (11.3, 1.3)})
    assert game.state.position.units["squad"].rows == (0,)
    with pytest.raises(IllegalAnswer, match="could be set up, too"):
        begun(play, marines, 2.6, 4, {0: (10.0 + R, 1.3)})


@pytest.mark.rule("CORE.RES.8")
def test_a_unit_for_which_there_is_no_room_at_all_is_destroyed(play: Play, marines: Make) -> None:
    asked, game = begun(play, marines, 1.2, 2, {})
    assert asked == ["deploy"]
    assert game.state.position.units["squad"].where == "destroyed"


@pytest.mark.rule("CORE.RES.8", "CORE.ER.1")
@pytest.mark.parametrize(("y", "legal"), [(2.6 + 1.0 + R, False), (2.6 + 1.0 + R + 0.01, True)])
def test_a_set_up_stays_out_of_engagement_range(
    play: Play, marines: Make, foes: Make, y: float, legal: bool
) -> None:
    """The enemy stands right above the zone: of two models one has to stand lower."""
    foe = foes(at=[(10 + R, y)])
    one = {1: (10 + R, 2.6 - R)}
    if legal:
        _, game = begun(play, marines, 2.6, 1, one, foe)
        assert game.state.position.units["squad"].where == "table"
    else:
        with pytest.raises(IllegalAnswer, match="too near"):
            begun(play, marines, 2.6, 1, one, foe)


@pytest.mark.rule("CORE.RES.8")
@pytest.mark.parametrize("who", ["steady", "fuzz"])
@pytest.mark.parametrize(("width", "left"), [(2.6, 4), (1.3, 2), (3.9, 5), (1.2, 0)])
def test_players_set_up_as_many_as_fit(play: Play, marines: Make, who: str, width: float, left: int) -> None:
    def placed(game: Game) -> Any:
        return agent(who).answer(View(game, "p1"), game.pending)

    _, game = begun(play, marines, width, 5, placed)
    assert len(game.state.position.units["squad"].rows) == left
