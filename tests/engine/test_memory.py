"""What a battle remembers of a table equals what it would measure anew.

Models move and fall on that table.
"""

from __future__ import annotations

import numpy as np
import pytest

from ai.agents import agent
from datasheets.library import Library
from engine.core.game import Game
from engine.core.play import play
from engine.horde.setup import Options
from engine.systems import new_game
from engine.w40k.attack.cover import HIDES
from engine.w40k.ground.tabletop import Tabletop
from engine.w40k.view import View


def compare(game: Game) -> None:
    """Compare what a battle knows of all units with a battlefield that knows nothing yet."""
    anew = Tabletop(game.state.position, game.ruleset.parameters, game.query)
    horde, players = game.state.position.on_table("horde"), game.state.position.on_table("players")
    for marker in game.state.position.objectives.values():
        assert [u.id for u in game.field.near(marker)] == [u.id for u in anew.near(marker)]
        for unit in (*horde, *players):
            known = game.field.gap_to_objective(unit, marker)
            np.testing.assert_array_equal(known, anew.gap_to_objective(unit, marker))
    for unit in (*horde, *players):
        known_look, look = game.field.outlook(unit), anew.outlook(unit)
        assert (known_look.nearest, known_look.nearest_seen) == (look.nearest, look.nearest_seen)
    for one in horde:
        for other in players:
            assert game.field.gap(one, other) == anew.gap(one, other)
            np.testing.assert_array_equal(game.field.gaps(other, one), anew.gaps(other, one))
    for one, other in zip(horde, players, strict=False):
        known = game.field.hidden_by(one, other, other.rows, HIDES)
        assert known[:, : len(game.state.position.terrain)].any(axis=1).tolist() == (
            anew.hidden_by(one, other, other.rows, HIDES)[:, : len(game.state.position.terrain)]
            .any(axis=1)
            .tolist()
        )


def engaged(game: Game, field: Tabletop) -> dict[str, list[str]]:
    """Return the enemies that each unit is engaged with, as a battlefield knows them."""
    return {u.id: [e.id for e in field.engaged_with(u)] for u in game.state.position.units.values()}


@pytest.mark.parametrize("faction", ["tyranids", "death-guard"])
def test_nothing_is_remembered_that_no_longer_holds(faction: str) -> None:
    library = Library()
    options = Options((library.army("space-marines-1000"),), (faction,), rounds=2, seed=4)
    game, asked = new_game(options, library), 0

    def watch(game: Game) -> None:
        nonlocal asked
        asked += 1
        anew = Tabletop(game.state.position, game.ruleset.parameters)
        assert engaged(game, game.field) == engaged(game, anew)
        if asked % 5 == 0:
            compare(game)

    play(game, {"horde": agent("horde"), "p1": agent("steady")}, View, watch=watch)
    assert asked > 50
