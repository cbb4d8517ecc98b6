"""Units that their datasheet splits into two before the battle."""

from __future__ import annotations

from typing import Any

import pytest

from datasheets.library import Library
from datasheets.roster import load_roster
from engine.core.facts import UnitFacts
from engine.horde.setup import Options
from engine.systems import new_game

HEAD = 'name = "Pack"\nfaction = "space-wolves"\ndetachment = "Gladius Task Force"\npoints = 1000\n'
LEADER = """
[[unit]]
id = "lord"
datasheet = "space-wolves/ragnar-blackmane"
models = 1
warlord = true
attached_to = "heads"
"""


def mustered(models: int, wargear: str = "", more: str = "") -> dict[str, UnitFacts]:
    """Return the facts of all units of an army with a unit of Headtakers, by their ids."""
    heads = f'[[unit]]\nid = "heads"\ndatasheet = "space-wolves/wolf-guard-headtakers"\nmodels = {models}\n'
    army = load_roster(HEAD + heads + wargear + LEADER + more)
    game: Any = new_game(Options(armies=(army,), factions=("tyranids",), seed=1), Library())
    return {facts.id: facts for facts in game.mustered}


def kinds(facts: UnitFacts) -> list[str]:
    """Return the names of a unit's models."""
    return [model.name for model in facts.models]


@pytest.mark.rule("DATASHEET.let-loose-the-wolves")
@pytest.mark.parametrize(
    ("models", "wargear", "each", "points"),
    [(12, "", 6, (170, 50)), (6, 'wargear = { "Teeth and Claws" = 3 }\n', 3, (85, 25))],
)
def test_hunting_wolves_are_a_unit_of_their_own(
    models: int, wargear: str, each: int, points: tuple[int, int]
) -> None:
    """The Headtakers keep their leader, and the prices add up to that of the whole."""
    found = mustered(models, wargear)
    assert list(found) == ["heads", "heads-2"]
    assert kinds(found["heads"]) == ["Wolf Guard Headtakers"] * each + ["Ragnar Blackmane"]
    assert kinds(found["heads-2"]) == ["Hunting Wolves"] * each
    assert [found[name].parts[0].starting_models for name in found] == [each, each]
    assert tuple(found[name].parts[0].points for name in found) == points
    rows = [model.row for facts in found.values() for model in facts.models]
    assert rows == list(range(models + 1))
    assert found["heads-2"].name == "Hunting Wolves"
    assert "HEADTAKERS" not in found["heads-2"].parts[0].keywords


@pytest.mark.rule("DATASHEET.let-loose-the-wolves")
def test_headtakers_without_wolves_are_one_unit() -> None:
    assert kinds(mustered(6)["heads"]) == ["Wolf Guard Headtakers"] * 6 + ["Ragnar Blackmane"]


@pytest.mark.rule("DATASHEET.let-loose-the-wolves")
def test_what_is_split_off_has_an_id_of_its_own() -> None:
    other = '[[unit]]\nid = "heads-2"\ndatasheet = "space-wolves/fenrisian-wolves"\nmodels = 5\n'
    assert list(mustered(12, more=other)) == ["heads", "heads-3", "heads-2"]
