"""Setting up before the battle: who may begin where."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.game import Game, IllegalAnswer
from engine.request import Places
from engine.ruleset import Step, Steps
from engine.steps import deploy

Play = Callable[..., Game]
Make = Callable[..., Any]


@pytest.mark.rule("CORE.RES.6", "SETUP.5", "R.A86")
@pytest.mark.parametrize(
    ("abilities", "y", "legal"),
    [
        ((), 9.0, True),
        ((), 12.0, False),
        (("infiltrators",), 12.0, True),
        (("infiltrators",), 25.0 - 16 / 25.4 - 0.0001, True),
        (("infiltrators",), 25.0 - 16 / 25.4, False),
    ],
)
def test_infiltrators_begin_more_than_nine_inches_from_the_hordes_zone(
    play: Play, marines: Make, abilities: tuple[str, ...], y: float, legal: bool
) -> None:
    """The Defender's zone ends at y = 10, the Horde's begins at y = 34: its 9 inches end at y = 25."""
    facts = marines("scouts", at=((0.0, 0.0),), abilities=abilities).facts(0)

    def set_up(game: Game) -> Steps[bool]:
        game.mustered = (facts,)
        return (yield from deploy.deploy(game))

    def battle() -> Game:
        poses = {0: (30.0, y, 0.0, 0.0)}
        return play(
            [],
            Step("deploy", "setup", set_up),
            answers={"deploy": "battlefield", "place": Places(poses=poses)},
        )

    if legal:
        assert battle().state.units["scouts"].where == "table"
    else:
        with pytest.raises(IllegalAnswer, match="outside the area"):
            battle()
