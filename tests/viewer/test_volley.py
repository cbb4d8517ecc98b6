"""A click on a target fires what does most there, and a card tells what that is."""

from __future__ import annotations

import pygame
import pytest
from msgspec.structs import replace

from engine.core import event as ev
from engine.core.facts import BoardFacts, WeaponFacts
from engine.core.game import Game
from engine.core.ruleset import Step
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.scenario.situation import Stand, situation
from engine.w40k.phase import charge
from tests.viewer.at_window import GUN, SHOOTING, Open, asked, click, on, say, seat, spot
from viewer.input.odds import ChargeOdds, Volley
from viewer.window.window import Window

WEAK = WeaponFacts(
    name="plasma, standard", item="plasma", range=24.0, attacks="1", skill=3, strength=7, ap=-2
)
STRONG = WeaponFacts(
    name="plasma, supercharge", item="plasma", range=24.0, attacks="1", skill=3, strength=8, ap=-3, damage="2"
)
SWEEP = WeaponFacts(name="frag", item="launcher", range=24.0, attacks="D6", skill=3, strength=4)
LANCE = WeaponFacts(name="krak", item="launcher", range=24.0, skill=3, strength=9, ap=-2, damage="D6")
SHORT = WeaponFacts(name="shotgun", range=10.0, attacks="2", skill=3)
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


def hovered(window: Window, at: tuple[float, float]) -> None:
    """Put the mouse on a place of the board, nothing pressed."""
    x, y = spot(window, *at)
    pos = round(x), round(y)
    window.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=pos, rel=(1, 0), buttons=(0, 0, 0)))
    window.draw()


def test_the_card_of_a_target_tells_what_each_weapon_does_there(opened: Open) -> None:
    window = say(opened(armed(WEAK, STRONG, SHORT, models=2)), "1")
    hovered(window, (22.0, 20.0))
    volley = asked(window).odds("foes")
    assert isinstance(volley, Volley)
    # Supercharge: hits on 3+, wounds T4 on 2+, no save left against AP -3 but 6+: 4/6 × 5/6 × 5/6 × 2.
    assert [(s.name, s.count, s.is_best) for s in volley.salvos] == [
        ("plasma, standard", 2, False),
        ("plasma, supercharge", 2, True),
        ("shotgun", 0, False),
    ]
    assert volley.salvos[1].wounds == pytest.approx(2 * 2 * (4 / 6) * (5 / 6) * (5 / 6))
    assert volley.uncut == pytest.approx(volley.salvos[1].wounds)
    each = (4 / 6) * (5 / 6) * (5 / 6)
    assert volley.wounds == pytest.approx(2 * (1 - (1 - each) ** 2)), "no more than the two that are left"
    assert volley.spread == pytest.approx(((1 - each) ** 2, 0.0, 1 - (1 - each) ** 2))
    assert volley.half == (0, 2)
    assert volley.hazardous == 0
    assert volley.salvos[2].bar == "out of range by 0.7″"
    assert (volley.left, volley.seeing, volley.size, volley.covered) == (2, 2, 2, 0)


def test_the_card_warns_of_hazardous_weapons_that_a_click_would_use(opened: Open) -> None:
    risky = replace(STRONG, keywords=("hazardous",))
    window = say(opened(armed(WEAK, risky, models=3)), "1")
    hovered(window, (22.0, 20.0))
    volley = asked(window).odds("foes")
    assert isinstance(volley, Volley)
    assert volley.hazardous == 3


def test_the_card_hides_neither_the_target_nor_who_shoots_nor_the_mouse(opened: Open) -> None:
    for at in ((22.0, 20.0), (30.0, 4.0), (2.0, 42.0), (14.0, 10.0)):
        own = Stand("mine", "players", [(10.0, 20.0)], weapons=(GUN,))
        foe = Stand("foes", "horde", [at])
        window = say(opened(situation([own, foe], [SHOOTING], HORDE_1_1, board=BoardFacts())), "1")
        x, y = spot(window, *at)
        before = window.surface.copy()
        hovered(window, at)
        mine = spot(window, 10.0, 20.0)
        assert window.surface.get_at((round(x), round(y))) == before.get_at((round(x), round(y)))
        assert window.surface.get_at(_whole(mine)) == before.get_at(_whole(mine))
        assert window.picture() != b""


def _whole(at: tuple[float, float]) -> tuple[int, int]:
    return round(at[0]), round(at[1])


@pytest.mark.rule("CORE.CHG.2")
def test_the_card_of_a_charge_tells_how_far_and_how_likely(opened: Open) -> None:
    stands = [Stand("mine", "players", [(10.0, 20.0)]), Stand("foes", "horde", [(18.2598425, 20.0)])]
    step = Step("players.charge", "charge", charge.charge, "players")
    window = say(opened(situation(stands, [step], HORDE_1_1, board=BoardFacts())), "1")
    odds = asked(window).odds("foes")
    assert isinstance(odds, ChargeOdds)
    assert odds.apart == pytest.approx(7.0, abs=1e-3)
    # Two dice come to 6 or more in 26 of 36 throws.
    assert odds.chance == pytest.approx(26 / 36)
