"""The misery card that lands a unit behind the players, and secret objectives' actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.core import event as ev
from engine.core.game import Game
from engine.core.request import Choose, Place, Places, Steps
from engine.core.ruleset import Step
from engine.horde.steps import arrivals
from engine.horde.steps.card import reveal
from engine.w40k.phase import action, shooting

Play = Callable[..., Game]
Make = Callable[..., Any]


def draw(game: Game) -> Steps[bool]:
    """Reveal a misery card."""
    yield from reveal(game, 1, "test")
    return False


@pytest.mark.rule("MISERY.13", "R.A72")
@pytest.mark.parametrize(("declined", "zone"), [(0, "defender"), (1, "no-mans-land"), (2, "horde")])
def test_the_pincer_tries_the_defenders_zone_first(
    play: Play, marines: Make, declined: int, zone: str
) -> None:
    asked: list[Place] = []
    depth = {"defender": 2.0, "no-mans-land": 15.0, "horde": 40.0}

    def land(game: Game) -> Places:
        request = game.pending
        assert isinstance(request, Place)
        asked.append(request)
        if len(asked) <= declined:
            return Places()
        poses = {}
        for i, row in enumerate(request.rows):
            radius = float(game.state.position.table.radius[row])
            poses[row] = (
                6 + (2 * radius + 0.1) * (i % 8),
                depth[zone] + (2 * radius + 0.1) * (i // 8),
                0.0,
                0.0,
            )
        return Places(poses=poses)

    game = play(
        [marines(at=((50.0, 8.0),))],
        Step("draw", "start-of-round", draw),
        Step("horde.movement.reinforcements", "movement", arrivals.horde_reinforcements, "horde"),
        factions=("death-guard",),
        decks={"misery": ("misery/13-pincer-maneuver",)},
        dice={"spawn-bracket": [4], "spawn-unit": [1]},
        answers={"deep-strike": land},
        round_number=3,
    )
    come = game.state.position.on_table("horde")
    assert len(come) == 1
    assert len(asked) == declined + 1
    assert all(request.clear == 3.0 for request in asked)
    assert "pincer" in come[0].marks
    spawned = next(e for e in game.events if isinstance(e, ev.SpawnRolled))
    assert spawned.total == 4 + 1, "the third round's +1"


@pytest.mark.rule("SECRET.25", "ACTION.2")
@pytest.mark.parametrize(("foe", "completed"), [(None, True), ((30.0, 24.0), False)])
def test_three_units_triangulate_at_three_free_markers(
    play: Play, marines: Make, foes: Make, foe: tuple[float, float] | None, completed: bool
) -> None:
    stands = [marines(n, at=((x, 21.0),)) for n, x in (("a", 10.0), ("b", 32.0), ("c", 50.0))]
    stands += [foes(at=(foe,))] if foe else []
    card = "secret/25-triangulate-signal"

    def deal(game: Game) -> Steps[bool]:
        game.log(ev.CardRevealed(deck="secret", card=card, player="p1"))
        return False
        yield

    def act(game: Game) -> str:
        assert isinstance(game.pending, Choose)
        return card if card in [o.id for o in game.pending.options] else "shoot"

    def following(game: Game) -> str:
        assert isinstance(game.pending, Choose)
        return game.pending.options[0].id

    game = play(
        stands,
        Step("deal", "command", deal, "players"),
        Step("players.shooting", "shooting", shooting.shooting, "players"),
        Step("players.end-of-turn.actions", "end-of-turn", action.turn_actions, "players"),
        decks={"secret": (card,)},
        answers={
            "next-unit": following,
            "action": act,
            "shoot": lambda game: _no_shots(),
            "target": (),
        },
    )
    assert (card in game.state.players["p1"].completed) == completed


def _no_shots() -> Any:
    from engine.core.request import Splits

    return Splits()
