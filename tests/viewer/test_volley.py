"""A click on a target fires what does most there: of each item its best profile, of each model its best set."""

from __future__ import annotations

import pytest

from engine.core import event as ev
from engine.core.facts import BoardFacts, WeaponFacts
from engine.core.game import Game
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.scenario.situation import Stand, situation
from tests.viewer.at_window import SHOOTING, Open, click, on, say, seat, spot
from viewer.window.window import Window

WEAK = WeaponFacts(
    name="plasma, standard", item="plasma", range=24.0, attacks="1", skill=3, strength=7, ap=-2
)
STRONG = WeaponFacts(
    name="plasma, supercharge", item="plasma", range=24.0, attacks="1", skill=3, strength=8, ap=-3, damage="2"
)
SWEEP = WeaponFacts(name="frag", item="launcher", range=24.0, attacks="D6", skill=3, strength=4)
LANCE = WeaponFacts(name="krak", item="launcher", range=24.0, skill=3, strength=9, ap=-2, damage="D6")
PISTOL = WeaponFacts(name="pistol", range=24.0, attacks="1", skill=3, keywords=("pistol",))


def fired(window: Window, at: tuple[float, float]) -> list[str]:
    """Let the unit shoot at a place by a click; return the weapons fired."""
    on(click(window, spot(window, 10.0, 20.0)))
    on(click(window, spot(window, *at)))
    targeted = next(event for event in seat(window).game.events if isinstance(event, ev.Targeted))
    unit = seat(window).game.state.position.units["mine"]
    return [unit.weapon(shot.weapon).name for shot in targeted.shots]


def armed(*weapons: WeaponFacts, toughness: int = 4, wounds: int = 2, models: int = 1) -> Game:
    own = Stand("mine", "players", [(10.0, 20.0 + 2 * i) for i in range(models)], weapons=weapons)
    foe = Stand("foes", "horde", [(22.0, 20.0)], characteristics=(("T", toughness), ("W", wounds)))
    return situation([own, foe], [SHOOTING], HORDE_1_1, board=BoardFacts())


@pytest.mark.rule("CORE.SHOOT.2")
@pytest.mark.parametrize("weapons", [(WEAK, STRONG), (STRONG, WEAK)])
def test_a_click_on_a_target_fires_the_better_profile(opened: Open, weapons: tuple[WeaponFacts, ...]) -> None:
    assert fired(opened(armed(*weapons, models=2)), (22.0, 20.0)) == ["plasma, supercharge"] * 2


def test_what_is_better_depends_on_the_target(opened: Open) -> None:
    tank = opened(armed(SWEEP, LANCE, toughness=10, wounds=12))
    assert fired(tank, (22.0, 20.0)) == ["krak"]
    foot = opened(armed(SWEEP, LANCE, toughness=3, wounds=1))
    assert fired(foot, (22.0, 20.0)) == ["frag"]


def test_a_model_fires_its_guns_or_its_pistol_whichever_does_more(opened: Open) -> None:
    assert fired(opened(armed(PISTOL, STRONG)), (22.0, 20.0)) == ["plasma, supercharge"]


def test_the_target_named_by_a_line_is_shot_with_the_same(opened: Open) -> None:
    window = say(say(opened(armed(WEAK, STRONG)), "1"), "1")
    targeted = next(event for event in seat(window).game.events if isinstance(event, ev.Targeted))
    assert [shot.weapon for shot in targeted.shots] == [1]
