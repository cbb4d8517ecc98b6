"""Reserves: where units arrive, from which round on, and what they are when they come back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.core.facts import BoardFacts, ObjectiveFacts
from engine.core.game import Game, IllegalAnswer
from engine.core.request import Places
from engine.core.ruleset import Step
from engine.horde.steps import arrivals
from engine.w40k.phase import closing, command, reserves

Play = Callable[..., Game]
Make = Callable[..., Any]
ARRIVE = Step("arrive", "movement", reserves.reinforcements, "players")


@pytest.mark.rule("SPAWN.7", "R.A70", "R.A86")
@pytest.mark.parametrize(("gap", "legal"), [(3.0, False), (3.001, True)])
def test_the_horde_arrives_away_from_markers(
    play: Play, marines: Make, foes: Make, gap: float, legal: bool
) -> None:
    """Between the base's edge and the marker's."""
    x = 30.0 + 20 / 25.4 + gap + 16 / 25.4

    def battle() -> Game:
        return play(
            [marines(at=((30.0, 4.0),)), foes(at=((0.0, 0.0),), where="reserves")],
            Step("land", "movement", arrivals.horde_reinforcements, "horde"),
            answers={"deep-strike": Places(poses={1: (x, 30.0, 0.0, 0.0)})},
            board=BoardFacts(objectives=(ObjectiveFacts(id="m", at=(30.0, 30.0)),)),
        )

    if legal:
        assert battle().state.position.units["foes"].where == "table"
    else:
        with pytest.raises(IllegalAnswer, match="too near"):
            battle()


@pytest.mark.rule("CORE.RES.2", "BUY.emergency-evac")
@pytest.mark.parametrize(
    ("marks", "comes"),
    [((), False), ((("evacuated", True),), True), ((("withdrawn", True),), False)],
)
def test_who_was_evacuated_comes_back_in_any_round(
    play: Play, marines: Make, marks: tuple[tuple[str, bool], ...], comes: bool
) -> None:
    stands = [marines(at=((0.0, 0.0),), where="reserves", marks=marks)]
    answers = {"reinforce": "marines", "arrive": Places(poses={0: (30.0, 2.0, 0.0, 0.0)})}
    game = play(stands, ARRIVE, answers=answers, round_number=1)
    assert (game.state.position.units["marines"].where == "table") is comes


@pytest.mark.rule("CORE.BS.3")
def test_battle_shock_ends_in_reserves_too(play: Play, marines: Make) -> None:
    shocked = marines(at=((0.0, 0.0),), where="reserves", marks=(("battle-shocked", True),))
    game = play([shocked], Step("command", "command", command.recover, "players"))
    assert "battle-shocked" not in game.state.position.units["marines"].marks


@pytest.mark.rule("CORE.RES.4", "BUY.emergency-evac")
@pytest.mark.parametrize(
    ("mark", "round_number", "left"),
    [
        ("", 2, True),
        ("", 3, False),
        ("evacuated", 3, True),
        ("recruited", 3, True),
        ("withdrawn", 3, True),
        ("evacuated", 5, False),
        ("recruited", 5, False),
    ],
)
def test_reserves_that_come_too_late_are_destroyed(
    play: Play, marines: Make, mark: str, round_number: int, left: bool
) -> None:
    waiting = marines(at=((0.0, 0.0),), where="reserves", marks=((mark, True),) if mark else ())
    end = Step("end", "end-of-round", closing.late_reserves)
    game = play([waiting], end, round_number=round_number)
    assert (game.state.position.units["marines"].where == "reserves") is left
