"""Words about the part that bears a rule, and what new numbers come to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ai.reckoning.odds import save_chance
from engine.core.facts import BoardFacts, TerrainFacts
from engine.core.game import Game
from engine.records.context import Context
from engine.w40k.attack.outcome import Outcome
from engine.w40k.words import attacks, bearing, measures, own_reach, units
from tests.engine import abilities

Play = Callable[..., Game]
Make = Callable[..., Any]


def about(game: Game, **names: Any) -> Context:
    return Context(game.state, names)


OF_LEADER, OF_ALL = 1, 0
"""The parts that may bear a rule: the leader alone, or the bodyguard with its leader."""


@pytest.fixture
def led() -> Callable[..., tuple[Game, Any, Any]]:
    """Return what sets up a bodyguard of two, its leader 20 inches to the right, and enemies."""

    def make(at: tuple[float, float], **names: Any) -> tuple[Game, Any, Any]:
        squad = abilities.marines("a", at=[(10.0, 20.0), (12.0, 20.0), (32.0, 20.0)], leaders=1)
        game = abilities.battle([], [squad, abilities.foes(at=[at])], **names)
        return game, abilities.unit(game, "a"), abilities.unit(game, "foes")

    return make


@pytest.mark.rule("CORE.ER.1", "CORE.ABL.LEADER", "DATASHEET.hypnotic-gaze-psychic")
@pytest.mark.parametrize(
    ("at", "part", "engages"),
    [
        ((10.0, 22.0), OF_ALL, True),
        ((10.0, 22.0), OF_LEADER, False),
        ((32.0, 22.0), OF_LEADER, True),
        ((32.0, 22.0), OF_ALL, True),
        ((10.0, 24.0), OF_ALL, False),
    ],
)
def test_a_unit_engages_the_models_that_bear_a_rule(
    led: Callable[..., Any], at: tuple[float, float], part: int, engages: bool
) -> None:
    game, ours, theirs = led(at)
    assert own_reach.engages_own(game, theirs, about(game, bearer=ours, own_part=part)) is engages


@pytest.mark.rule("CORE.ABL.LEADER", "CORE.ABL.AURA")
@pytest.mark.parametrize(
    ("part", "inches", "is_near"),
    [(OF_ALL, 6.0, True), (OF_LEADER, 6.0, False), (OF_LEADER, 25.0, True)],
)
def test_a_distance_is_measured_from_the_models_that_bear_a_rule(
    led: Callable[..., Any], part: int, inches: float, is_near: bool
) -> None:
    game, ours, theirs = led((10.0, 25.0))
    context = about(game, bearer=ours, own_part=part, aura=inches)
    assert own_reach.near_own(game, theirs, inches, context) is is_near
    assert measures.in_aura(game, theirs, context) is is_near


@pytest.mark.rule("CORE.ABL.LEADER", "CORE.LOS.1")
@pytest.mark.parametrize(("part", "seen"), [(OF_ALL, True), (OF_LEADER, False)])
def test_the_models_that_bear_a_rule_have_to_see(led: Callable[..., Any], part: int, seen: bool) -> None:
    wall = TerrainFacts(
        id="wall",
        kind="ruin",
        footprint=((20.0, 10.0), (22.0, 10.0), (22.0, 40.0), (20.0, 40.0)),
        height=9.0,
    )
    game, ours, theirs = led((10.0, 30.0), board=BoardFacts(terrain=(wall,)))
    assert own_reach.seen_by_own(game, theirs, about(game, bearer=ours, own_part=part)) is seen


@pytest.mark.rule("CORE.ABL.LEADER", "DATASHEET.unbreakable-duty")
@pytest.mark.parametrize(("part", "is_near"), [(OF_ALL, True), (OF_LEADER, False)])
def test_the_centre_is_measured_from_the_models_that_bear_a_rule(part: int, is_near: bool) -> None:
    squad = abilities.marines("a", at=[(30.0, 22.0), (28.0, 22.0), (10.0, 22.0)], leaders=1)
    game = abilities.battle([], [squad, abilities.foes()])
    context = about(game, bearer=abilities.unit(game, "a"), own_part=part)
    assert (own_reach.own_from_centre(game, context) <= 6.0) is is_near


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


@pytest.mark.rule("DATASHEET.vengeance-of-the-omnissiah", "DATASHEET.host-of-plagues")
def test_what_is_near_is_measured_from_the_part_that_bears_a_rule(
    play: Play, marines: Make, foes: Make
) -> None:
    stands = [marines(at=[(30.0, 10.0), (34.0, 10.0)], leaders=1), foes(at=[(30.0, 20.0), (30.0, 26.0)])]
    game = play(stands)
    ours, theirs = (game.state.position.units[name] for name in ("marines", "foes"))
    near, far = game.state.position.alive(theirs)

    def reaches(thing: Any, inches: float, part: int) -> bool:
        return own_reach.near_own(game, thing, inches, about(game, bearer=ours, own_part=part))

    assert [reaches(theirs, 9, part) for part in (0, 1)] == [True, False]
    assert [reaches(near, 9, part) for part in (0, 1)] == [True, False]
    assert [reaches(far, 15, part) for part in (0, 1)] == [True, False]
    assert not reaches(None, 40, 0)
    theirs.where = "reserves"
    assert not reaches(theirs, 40, 0)
    ours.where, theirs.where = "reserves", "table"
    assert not reaches(theirs, 40, 0)


@pytest.mark.rule("CORE.LOS.1", "DATASHEET.eater-plague-psychic")
def test_the_part_that_bears_a_rule_sees_for_itself(play: Play, marines: Make, foes: Make) -> None:
    wall = TerrainFacts(
        id="wall", kind="wall", footprint=((20.0, 15.0), (31.0, 15.0), (31.0, 16.0), (20.0, 16.0)), height=5.0
    )
    stands = [marines(at=[(38.0, 10.0), (30.0, 10.0)], leaders=1), foes(at=[(27.0, 20.0)])]
    game = play(stands, board=BoardFacts(terrain=(wall,)))
    ours, theirs = (game.state.position.units[name] for name in ("marines", "foes"))
    seen = [own_reach.seen_by_own(game, theirs, about(game, bearer=ours, own_part=part)) for part in (0, 1)]
    assert seen == [True, False]
    theirs.where = "reserves"
    assert not own_reach.seen_by_own(game, theirs, about(game, bearer=ours, own_part=0))


@pytest.mark.rule("DATASHEET.death-vision-of-sanguinius", "DATASHEET.curse-of-the-walking-pox")
@pytest.mark.parametrize(
    ("cause", "is_so"), [("CORE.ATK.5", True), ("CORE.WPN.DEV", True), ("CORE.WPN.HAZ", False), (None, False)]
)
def test_wounds_are_lost_to_attacks_or_otherwise(play: Play, marines: Make, cause: str, is_so: bool) -> None:
    game = play([marines()])
    assert attacks.by_attack(game, about(game, cause=cause)) is is_so
