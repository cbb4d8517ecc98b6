"""The spread of damage: its mean is the expected damage; against sums done by hand."""

from __future__ import annotations

import pytest

from ai.reckoning.expectation import expected_damage, expected_spread
from ai.reckoning.spread import at_least, mean_of, middle_half, together
from engine.core.facts import BoardFacts, WeaponFacts
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.scenario.situation import Stand, situation
from engine.w40k.view import View

SHOTS = (
    WeaponFacts(name="plain", range=24.0, attacks="2", skill=3, strength=5, ap=-1),
    WeaponFacts(name="dice", range=24.0, attacks="D6+1", skill=4, strength=8, ap=-2, damage="D3"),
    WeaponFacts(
        name="lethal", range=24.0, attacks="3", skill=4, keywords=("lethal hits", "sustained hits 2")
    ),
    WeaponFacts(
        name="devastating", range=24.0, attacks="2D6", strength=3, keywords=("torrent", "devastating wounds")
    ),
    WeaponFacts(
        name="melta", range=12.0, attacks="1", skill=3, strength=9, ap=-4, damage="D6", keywords=("melta 2",)
    ),
    WeaponFacts(
        name="blast",
        range=24.0,
        attacks="D6",
        skill=5,
        strength=10,
        damage="4",
        keywords=("blast", "twin-linked"),
    ),
    WeaponFacts(
        name="rapid", range=24.0, attacks="1", skill=3, keywords=("rapid fire 1", "sustained hits d3")
    ),
)


def seen(weapon: WeaponFacts, foes: Stand) -> View:
    own = Stand("mine", "players", [(10.0, 20.0)], weapons=(weapon,))
    return View(situation([own, foes], [], HORDE_1_1, board=BoardFacts()), "p1")


@pytest.mark.rule("CORE.ATK.1")
@pytest.mark.parametrize("weapon", SHOTS, ids=lambda weapon: weapon.name)
@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize("wounds", [1, 3])
def test_the_mean_of_a_spread_is_the_expected_damage(weapon: WeaponFacts, half: bool, wounds: int) -> None:
    foes = Stand(
        "foes", "horde", [(30.0 + 2 * i, 20.0) for i in range(6)], characteristics=(("W", wounds), ("Inv", 5))
    )
    view = seen(weapon, foes)
    asked = (view, view.unit("mine"), 0, 0, view.unit("foes"))
    covered = frozenset(view.unit("foes").rows[:2])
    spread = expected_spread(*asked, half_range=half, covered=covered)
    assert sum(spread) == pytest.approx(1.0)
    assert min(spread) > -1e-12
    assert mean_of(spread) == pytest.approx(expected_damage(*asked, half_range=half, covered=covered))


@pytest.mark.rule("CORE.ATK.1", "CORE.ATK.5")
def test_two_attacks_spread_as_the_sums_by_hand_say() -> None:
    # Hits on 3+, wounds on 4+, saved on 5+: 2/3 × 1/2 × 2/3 = 2/9 an attack, each 2 wounds of 3.
    gun = WeaponFacts(name="gun", range=24.0, attacks="2", skill=3, strength=4, ap=-2, damage="2")
    foe = Stand("foes", "horde", [(30.0, 20.0)], characteristics=(("W", 3),))
    view = seen(gun, foe)
    spread = expected_spread(view, view.unit("mine"), 0, 0, view.unit("foes"))
    assert spread[:5] == pytest.approx((49 / 81, 0.0, 28 / 81, 0.0, 4 / 81))
    assert at_least(spread, 3) == pytest.approx(4 / 81)
    assert middle_half(spread) == (0, 2)
    assert middle_half(together([spread] * 8)) == (4, 10)
