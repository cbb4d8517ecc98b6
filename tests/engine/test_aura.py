"""Auras: whom they reach, from where they are measured, and that one does not count twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from datasheets.library import Library
from datasheets.rule import Modify, Rule, When
from engine.core.facts import BoardFacts
from engine.core.game import Game
from engine.core.request import Steps
from engine.core.ruleset import Step
from engine.horde.language import LANGUAGE
from engine.records.compiled import Compiled
from engine.records.rulebook import Rulebook, compiled_rules

Play = Callable[..., Game]
Make = Callable[..., Any]
R32 = 32 / 25.4


def aura(name: str, add: int = 1, **more: Any) -> Rule:
    """Return an aura of 6 inches that makes all friends faster."""
    changed = Modify(number="unit.move", add=add, condition="in_aura(unit)")
    return Rule(
        id=f"test/{name}",
        clause=f"TEST.{name}",
        name=name,
        source="",
        summary="",
        aura=6,
        **({"modify": (changed,)} | more),
    )


@pytest.fixture
def battle(play: Play) -> Callable[..., Game]:
    """Return a function that plays a battle in which these rules may be borne."""

    def played(rules: list[Rule], stands: list[Any], *steps: Step, **more: Any) -> Game:
        known = [each for each in compiled_rules(Library(), LANGUAGE) if "core" in each.rule.tags]
        book = Rulebook((*known, *(Compiled(rule, LANGUAGE).checked() for rule in rules)))
        return play(stands, *steps, rulebook=book, board=BoardFacts(), **more)

    return played


def faster(game: Game, unit: str) -> float:
    return float(game.query.number("unit.move", 0, unit=game.state.position.units[unit]).value)


@pytest.mark.rule("CORE.ABL.AURA")
@pytest.mark.parametrize(("gap", "reached"), [(6.0, 1.0), (6.0001, 0.0)])
def test_an_aura_reaches_its_bearer_and_who_is_near(
    battle: Callable[..., Game], marines: Make, foes: Make, gap: float, reached: float
) -> None:
    stands = [
        marines("bearer", at=[(10.0, 20.0)], rules=("test/haste",)),
        marines("friend", at=[(10.0 + R32 + gap, 20.0)]),
    ]
    game = battle([aura("haste")], stands)
    assert faster(game, "bearer") == 1.0
    assert faster(game, "friend") == reached


@pytest.mark.rule("CORE.ABL.AURA")
def test_an_attached_unit_measures_from_any_of_its_models(battle: Callable[..., Game], marines: Make) -> None:
    """The bearer is the leader, far off; a model of its bodyguard is near.

    Without the leader the aura ends.
    """
    at = [(10.0, 20.0), (12.0, 20.0), (14.0, 20.0)]
    stands = [
        marines("bearer", at=at, rules=("test/haste",), leaders=1),
        marines("friend", at=[(4.0, 20.0)]),
    ]
    assert faster(battle([aura("haste")], stands), "friend") == 1.0


@pytest.mark.rule("CORE.ABL.AURA")
def test_auras_of_one_name_count_once_and_others_besides(battle: Callable[..., Game], marines: Make) -> None:
    """Also where two rules of one name are borne."""
    like = replace(aura("haste"), id="test/haste-too")
    stands = [
        marines("a", at=[(10.0, 20.0)], rules=("test/haste",)),
        marines("b", at=[(12.0, 20.0)], rules=("test/haste",)),
        marines("c", at=[(14.0, 20.0)], rules=("test/haste-too",)),
        marines("d", at=[(16.0, 20.0)], rules=("test/zeal",)),
        marines("friend", at=[(12.0, 22.0)]),
    ]
    game = battle([aura("haste"), like, aura("zeal", 4)], stands)
    assert faster(game, "friend") == 5.0
    trail = game.query.number("unit.move", 0, unit=game.state.position.units["friend"]).trail
    assert [clause for clause, _ in trail.steps] == ["TEST.haste", "TEST.zeal"]


@pytest.mark.rule("CORE.ABL.AURA")
def test_both_clauses_of_an_aura_count(battle: Callable[..., Game], marines: Make) -> None:
    twice = (*aura("haste").modify, *aura("haste", 3).modify)
    stands = [marines("a", at=[(10.0, 20.0)], rules=("test/haste",)), marines("b", at=[(12.0, 20.0)])]
    assert faster(battle([aura("haste", modify=twice)], stands), "b") == 4.0


@pytest.mark.rule("CORE.ABL.AURA", "CORE.TRN.6")
@pytest.mark.parametrize(
    ("more", "reached"),
    [
        ({}, 1.0),
        ({"where": "reserves"}, 0.0),
        ({"marks": (("action", "x"),), "keywords": ("INFANTRY", "CHARACTER")}, 0.0),
        ({"marks": (("action", "x"),)}, 1.0),
    ],
)
def test_who_is_not_there_has_no_aura(
    battle: Callable[..., Game], marines: Make, more: dict[str, Any], reached: float
) -> None:
    """Nor has a CHARACTER that does an action."""
    stands = [
        marines("bearer", at=[(5.0, 3.0)], rules=("test/haste",), **more),
        marines("friend", at=[(3.0, 3.0)]),
    ]
    assert faster(battle([aura("haste")], stands), "friend") == reached


@pytest.mark.rule("CORE.ABL.AURA")
def test_what_an_aura_does_at_a_moment_is_done_once_to_each(
    battle: Callable[..., Game], marines: Make, foes: Make
) -> None:
    """A unit near two bearers suffers one mortal wound, and so does a unit near one of them."""
    deadly = When(
        moment="phase-began",
        condition="phase == 'shooting'",
        each="unit where horde(unit) and in_aura(unit)",
        do=("mortal_wounds(unit, 1)",),
    )
    tough = (("W", 5),)
    stands = [
        marines("a", at=[(10.0, 20.0)], rules=("test/dread",)),
        marines("b", at=[(12.0, 20.0)], rules=("test/dread",)),
        foes("x", at=[(10.0, 24.0)], characteristics=tough),
        foes("y", at=[(18.9, 20.0)], characteristics=tough),
        foes("z", at=[(30.0, 20.0)], characteristics=tough),
    ]

    def idle(game: Game) -> Steps[bool]:
        return False
        yield

    game = battle([aura("dread", modify=(), when=(deadly,))], stands, Step("s", "shooting", idle, "players"))
    lost = {
        name: 5 - game.state.position.models[game.state.position.units[name].rows[0]].wounds for name in "xyz"
    }
    assert lost == {"x": 1, "y": 1, "z": 0}
