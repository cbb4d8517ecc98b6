"""Words about the part that bears a rule, and what new numbers come to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ai.reckoning.odds import save_chance
from engine.core.game import Game
from engine.records.context import Context
from engine.w40k.attack.outcome import Outcome
from engine.w40k.words import attacks, bearing, own_reach, units

Play = Callable[..., Game]
Make = Callable[..., Any]


def about(game: Game, **names: Any) -> Context:
    return Context(game.state, names)


@pytest.mark.rule("CORE.ER.1", "DATASHEET.hypnotic-gaze-psychic")
@pytest.mark.parametrize(("y", "engages"), [(32.0, True), (34.0, False)])
def test_a_unit_engages_the_part_that_bears_a_rule(
    play: Play, marines: Make, foes: Make, y: float, engages: bool
) -> None:
    game = play([marines(at=[(30.0, 30.0)]), foes(at=[(30.0, y)])])
    ours, theirs = (game.state.position.units[name] for name in ("marines", "foes"))
    assert own_reach.engages_own(game, theirs, about(game, bearer=ours, own_part=0)) is engages
    assert not own_reach.engages_own(game, theirs, about(game, bearer=ours, own_part=1))


@pytest.mark.rule("DATASHEET.grisly-spectacle")
@pytest.mark.parametrize(("falls", "count"), [(True, 1), (False, 0)])
def test_units_that_attacks_destroyed_are_counted(
    play: Play, marines: Make, foes: Make, falls: bool, count: int
) -> None:
    game = play([marines(), foes()])
    unit = game.state.position.units["marines"]
    rows = tuple(unit.rows)
    if falls:
        unit.rows = ()
    made = Outcome((), {"marines": rows if falls else (), "foes": ()})
    assert own_reach.units_lost(game, about(game, attacks=made)) == count
    assert own_reach.units_lost(game, about(game)) == 0


@pytest.mark.rule("DATASHEET.spirit-leech-aura-psychic")
def test_a_unit_contains_models_by_their_names(play: Play, marines: Make) -> None:
    game = play([marines()])
    unit = game.state.position.units["marines"]
    name = game.state.position.alive(unit)[0].facts.name
    assert bearing.contains(game, unit, "somebody", name)
    assert not bearing.contains(game, unit, "somebody")


@pytest.mark.rule("CORE.STR.8", "DATASHEET.defensive-stance")
def test_overwatch_hits_on_six_where_no_rule_says_otherwise(play: Play, marines: Make) -> None:
    game = play([marines()])
    assert attacks.overwatch_need(game, game.state.position.units["marines"]) == 6


@pytest.mark.rule("DATASHEET.floating-death-of-spore-mines")
def test_models_on_the_battlefield_are_things_to_select(play: Play, marines: Make, foes: Make) -> None:
    game = play([marines(at=[(30.0, 8.0), (32.0, 8.0)]), foes()])
    kind = next(each for each in units.KINDS if each.name == "model")
    assert [model.unit for model in kind.things(game)] == ["marines", "marines", "foes"]


@pytest.mark.rule("DATASHEET.adaptive-instincts", "CORE.DICE.1")
@pytest.mark.parametrize(("ward", "again", "always", "chance"), [(7, True, False, 18), (7, False, True, 21)])
def test_any_save_of_one_is_foreseen_as_rolled_again(
    ward: int, again: bool, always: bool, chance: int
) -> None:
    assert save_chance(4, 0, ward, False, again, always) == pytest.approx(chance / 36)
