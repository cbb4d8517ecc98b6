"""The words and verbs that abilities of datasheets say: names of models, closest targets, held markers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.core.game import Game
from engine.scenario.situation import Stand
from engine.w40k.words import attacks, bearing

Play = Callable[..., Game]
Make = Callable[..., Stand]


def the(game: Game, name: str) -> Any:
    """Return a unit by its name."""
    return game.state.position.units[name]


def test_models_are_told_by_the_names_of_their_datasheet(play: Play, marines: Make, foes: Make) -> None:
    game = play([marines(), foes()])
    unit: Any = the(game, "marines")
    model = game.state.position.models[unit.rows[0]]
    assert bearing.is_called(game, model, "Nobody", model.facts.name)
    assert not bearing.is_called(game, model, "Nobody")
    assert bearing.contains(game, unit, model.facts.name)
    assert not bearing.contains(game, unit, "Nobody")


@pytest.mark.rule("DATASHEET.hammer-of-wrath")
def test_models_in_combat_are_counted_one_by_one(play: Play, marines: Make, foes: Make) -> None:
    near = marines(at=((30.0, 20.0), (30.0, 26.0)))
    game = play([near, foes(at=((30.0, 18.5),))])
    assert bearing.engaging(game, the(game, "marines"), the(game, "foes")) == 1
    far = play([near, foes(at=((10.0, 40.0),))])
    assert bearing.engaging(far, the(far, "marines"), the(far, "foes")) == 0


def test_the_closest_target_is_the_nearest_that_may_be_shot_at(play: Play, marines: Make, foes: Make) -> None:
    game = play(
        [marines(at=((30.0, 10.0),)), foes("near", at=((30.0, 20.0),)), foes("far", at=((30.0, 30.0),))]
    )
    own = the(game, "marines")
    assert attacks.is_closest(game, the(game, "near"), own)
    assert not attacks.is_closest(game, the(game, "far"), own)
    assert not attacks.is_closest(game, the(game, "near"), own, "TITANIC")


def test_the_strength_of_an_attack_is_its_weapons(play: Play, marines: Make, foes: Make) -> None:
    game = play([marines(), foes()])
    own, foe = the(game, "marines"), the(game, "foes")
    context = game.query.context({"attacker": own, "target": foe, "melee": False, "model": None})
    assert attacks.attack_strength(game, own.weapon(0), context) == own.weapon(0).strength
    assert attacks.attack_strength(game, None, context) == 0
