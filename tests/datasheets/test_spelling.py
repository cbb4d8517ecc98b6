"""The spellings that a scenario file may use for one and the same word."""

from __future__ import annotations

import pytest

from datasheets.errors import BadData
from datasheets.scenario import parse_scenario
from datasheets.spelling import ability_words, flattened, kebab, state_words, weapon_words


@pytest.mark.parametrize(
    ("said", "spelt"),
    [
        ("rapid fire 1", "rapid fire 1"),
        ("Rapid-Fire 1", "rapid fire 1"),
        ("sustained_hits D3", "sustained hits d3"),
        ("indirect-fire", "indirect fire"),
        ("Twin Linked", "twin-linked"),
        ("twin-linked", "twin-linked"),
        ("ANTI-VEHICLE 4+", "anti-vehicle 4+"),
        ("Anti infantry 4", "anti-infantry 4+"),
        ("anti-epic hero 2+", "anti-epic hero 2+"),
        ("melta-2", "melta 2"),
        ("hevy", "hevy"),
    ],
)
def test_abilities_of_weapons(said: str, spelt: str) -> None:
    assert weapon_words([said]) == (spelt,)
    assert weapon_words(said) == (spelt,)


@pytest.mark.parametrize(
    ("said", "spelt"),
    [
        ("fall-back-and-shoot", ("fall-back-and-shoot",)),
        ("Fall Back and Charge", ("fall-back-and-charge",)),
        ("Fallback, Shoot, and Charge", ("fall-back-and-shoot", "fall-back-and-charge")),
        ("advance_and_charge", ("advance-and-charge",)),
        ("feel-no-pain 5+", ("feel-no-pain 5+",)),
        ("Feel No Pain 5+", ("feel no pain 5+",)),
        (" Invulnerable Save 4+", ("invulnerable save 4+",)),
        ("fall-back-and-dance", ("fall-back-and-dance",)),
    ],
)
def test_abilities_of_units(said: str, spelt: tuple[str, ...]) -> None:
    assert ability_words([said]) == spelt


def test_states_and_deployments() -> None:
    assert state_words(["Advanced", "fell_back", "stationary"]) == (
        "advanced",
        "fell-back",
        "remained-stationary",
    )
    assert kebab("Dawn of War") == "dawn-of-war"


def test_rulings_with_keys_that_are_not_quoted() -> None:
    said = {"ai": {"move": {"closest": "any_model"}}, "sight.models_block": True}
    assert flattened(said) == {"ai.move.closest": "any_model", "sight.models_block": True}


def test_one_word_needs_no_brackets() -> None:
    text = """
rules = "AI.MOVE.1"
unit = [{ id = "h", side = "horde", at = [5, 5], keywords = "INFANTRY", abilities = "Advance and Charge" }]
expect = [{ decision = "advance", unit = "h", because = "AI.ADV.2" }]
[rulings]
ai.move.closest = "visible_model"
"""
    found = parse_scenario(text, "a file")
    assert found.rules == ("AI.MOVE.1",)
    assert found.unit[0].abilities == ("advance-and-charge",)
    assert found.expect[0].because == ("AI.ADV.2",)
    assert found.rulings == {"ai.move.closest": "visible_model"}


@pytest.mark.parametrize("said", ["3", "[3]", "{ heavy = true }"])
def test_what_is_no_word_is_refused(said: str) -> None:
    text = f"""
unit = [{{ id = "h", side = "horde", weapons = [{{ name = "g", range = 24, keywords = {said} }}] }}]
expect = [{{ that = "True" }}]
"""
    with pytest.raises(BadData, match=r"unit\.0\.weapons\.0\.keywords"):
        parse_scenario(text, "a file")
