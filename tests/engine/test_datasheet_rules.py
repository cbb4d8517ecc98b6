"""Abilities that are rule records: how long they last, and which units they serve."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from datasheets.library import Library
from engine.core import event as ev
from engine.core.facts import BoardFacts
from engine.core.game import Game
from engine.core.request import Moves
from engine.horde.ruleset_1_1 import HORDE_TURN, PLAYERS_TURN
from engine.scenario.situation import Stand

Play = Callable[..., Game]
Make = Callable[..., Stand]
MOVEMENT = {"horde": HORDE_TURN[2], "players": PLAYERS_TURN[5]}


def guns(game: Game) -> tuple[str, ...]:
    """Return the abilities of the watchers' guns."""
    return game.query.weapon_keywords(game.state.position.units["watchers"], 0, 0)


@pytest.mark.rule("DATASHEET.mark-the-target")
@pytest.mark.parametrize(
    ("phases", "sharp"),
    [
        ((), False),
        (("players",), True),
        (("players", "horde"), True),
        (("players", "horde", "players"), False),
    ],
)
def test_what_standing_still_gives_lasts_until_it_moves_again(
    play: Play, marines: Make, foes: Make, phases: tuple[str, ...], sharp: bool
) -> None:
    watchers = marines("watchers", rules=("datasheet/mark-the-target",))
    steps = [MOVEMENT[each] for each in phases]
    game = play(
        [watchers, foes()],
        *steps,
        board=BoardFacts(),
        answers={"next-unit": first, "move": stays_at_first, "path": Moves(paths={0: ((30.0, 9.0),)})},
    )
    assert ("devastating wounds" in guns(game)) == sharp


def first(game: Game) -> Any:
    """Return the first unit that is offered."""
    return game.pending.options[0].id  # type: ignore[union-attr]


def stays_at_first(game: Game) -> str:
    """Return that a unit remains stationary, and that the watchers move the next time."""
    told = [event for event in game.events if isinstance(event, ev.Decided) and event.unit == "watchers"]
    return "normal-move" if told and game.pending.unit == "watchers" else "remain-stationary"  # type: ignore[union-attr]


def test_an_ability_that_is_a_record_is_told_as_simulated() -> None:
    sicarius = Library().datasheet("space-marines/captain-sicarius")
    told = {ability.name: ability.status for ability in sicarius.abilities}
    assert told["Lightning Assault"] == "unmodelled"
    devastators = Library().datasheet("space-marines/devastator-squad")
    told = {ability.name: ability.status for ability in devastators.abilities}
    assert told["Signum"] == "modelled"
