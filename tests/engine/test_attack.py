"""The attack sequence: known dice with known outcomes, and exact odds by enumeration."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from datasheets.library import Library
from engine.core import event as ev
from engine.core.event import Shot
from engine.core.facts import HORDE, PLAYERS, WeaponFacts
from engine.core.game import Game
from engine.core.request import Choose, Chosen, Order, Ordered, Steps
from engine.core.ruleset import Step
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.records.rulebook import Rulebook
from engine.scenario.situation import Stand, situation
from engine.w40k.attack.attack_sequence import resolve
from engine.w40k.attack.wound import wound_need

LIBRARY = Library()
RULEBOOK = Rulebook.load(LIBRARY, HORDE_1_1.language)


def gun(**facts: object) -> WeaponFacts:
    """Return a bolt rifle with these differences."""
    printed = {
        "name": "gun",
        "range": 24.0,
        "attacks": "2",
        "skill": 3,
        "strength": 4,
        "ap": 0,
        "damage": "1",
    }
    return WeaponFacts(**{**printed, **facts})  # type: ignore[arg-type]


def shoot(
    weapon: WeaponFacts,
    target: Stand,
    *,
    shooters: int = 1,
    distance: float = 20.0,
    dice: dict[str, list[int]] | None = None,
    seed: int = 1,
    marks: tuple[tuple[str, str], ...] = (),
    melee: bool = False,
) -> Game:
    """Let some models in a row shoot one weapon each at the target; return the game then."""
    attackers = Stand(
        "shooters",
        PLAYERS,
        [(10.0, 5.0 + 1.5 * i) for i in range(shooters)],
        weapons=(weapon,),
        marks=marks,
    )

    def volley(game: Game) -> Steps[bool]:
        unit = game.state.position.units["shooters"]
        shots = tuple(Shot(model=row, weapon=0, target=target.id) for row in unit.rows)
        yield from resolve(game, unit, shots, melee=melee)
        return False

    game = situation(
        [attackers, target],
        [Step("volley", "shooting", volley, PLAYERS)],
        HORDE_1_1,
        library=LIBRARY,
        rulebook=RULEBOOK,
        dice=dice,
        seed=seed,
    )
    while game.pending is not None:
        if isinstance(game.pending, Choose):
            game.submit(Chosen(ids=(game.pending.options[0].id,)))
            continue
        assert isinstance(game.pending, Order)
        game.submit(Ordered(ids=tuple(item.id for item in game.pending.items)))
    return game


def enemy(n: int = 1, x: float = 30.0, **facts: object) -> Stand:
    """Return a target of n models in base contact.

    Its first model has the same y as the first shooter.
    """
    return Stand("target", HORDE, [(x, 5.0 + 1.3 * i) for i in range(n)], **facts)  # type: ignore[arg-type]


def lost(game: Game) -> int:
    """Return how many wounds the target lost."""
    return sum(e.amount for e in game.events if isinstance(e, ev.Damaged))


def tally(game: Game) -> ev.Attacked:
    """Return the counts of the only volley."""
    (found,) = [e for e in game.events if isinstance(e, ev.Attacked)]
    return found


@pytest.mark.rule("CORE.ATK.1")
@pytest.mark.parametrize(
    ("strength", "toughness", "need"),
    [(8, 4, 2), (7, 4, 3), (5, 4, 3), (4, 4, 4), (3, 4, 5), (4, 8, 6), (3, 6, 6), (5, 8, 5), (1, 1, 4)],
)
def test_wound_roll(strength: int, toughness: int, need: int) -> None:
    assert wound_need(strength, toughness) == need


@pytest.mark.rule("CORE.ATK.1", "CORE.DICE.4")
def test_known_dice() -> None:
    """BS 3+: 2 misses, 3 hits; S4 on T4 needs 4; Sv 3+ at AP -1 needs 4."""
    game = shoot(gun(attacks="3", ap=-1), enemy(3), dice={"hit": [2, 3, 6], "wound": [3, 4], "save": [3]})
    assert (tally(game).hits, tally(game).wounds, tally(game).unsaved) == (2, 1, 1)
    assert lost(game) == 1


@pytest.mark.rule("CORE.ATK.4")
def test_natural_one_never_saves() -> None:
    game = shoot(
        gun(attacks="1"),
        enemy(1, characteristics=(("Sv", 2), ("W", 2))),
        dice={"hit": [5], "wound": [5], "save": [1]},
    )
    assert lost(game) == 1


@pytest.mark.rule("CORE.ATK.4")
@pytest.mark.parametrize(
    ("ap", "roll", "saved"), [(-4, 3, False), (-4, 4, True), (0, 2, False), (0, 3, True)]
)
def test_the_better_of_armour_and_invulnerable(ap: int, roll: int, saved: bool) -> None:
    """Sv 3+ and a 4+ invulnerable: AP does not touch the latter."""
    target = enemy(1, characteristics=(("Sv", 3), ("Inv", 4)))
    game = shoot(gun(attacks="1", ap=ap), target, dice={"hit": [5], "wound": [5], "save": [roll]})
    assert lost(game) == (0 if saved else 1)


@pytest.mark.rule("CORE.ATK.5")
def test_excess_damage_is_lost() -> None:
    game = shoot(
        gun(attacks="1", damage="6"),
        enemy(3, characteristics=(("W", 2),)),
        dice={"hit": [5], "wound": [5], "save": [1]},
    )
    assert lost(game) == 2
    assert len(game.state.position.units["target"].rows) == 2


@pytest.mark.rule("CORE.ATK.7")
def test_feel_no_pain_per_wound() -> None:
    target = enemy(1, characteristics=(("W", 5),), abilities=("feel no pain 5+",))
    dice = {"hit": [5], "wound": [5], "save": [1], "feel-no-pain": [4, 5, 6]}
    assert lost(shoot(gun(attacks="1", damage="3"), target, dice=dice)) == 1


@pytest.mark.rule("CORE.WPN.RF")
@pytest.mark.parametrize(("x", "attacks"), [(30.0, 1), (23.2599, 1), (23.2598, 2)])
def test_rapid_fire_in_half_range(x: float, attacks: int) -> None:
    """Half of 24 is 12 between the edges: centres 13.2599 apart are just out of it."""
    game = shoot(gun(attacks="1", keywords=("rapid fire 1",)), enemy(1, x))
    assert tally(game).attacks == attacks


@pytest.mark.rule("CORE.WPN.BLAST")
@pytest.mark.parametrize(("models", "attacks"), [(4, 1), (5, 2), (9, 2), (10, 3), (20, 5)])
def test_blast_adds_one_for_every_five(models: int, attacks: int) -> None:
    assert tally(shoot(gun(attacks="1", keywords=("blast",)), enemy(models))).attacks == attacks


@pytest.mark.rule("CORE.WPN.TORR")
def test_torrent_hits_by_itself() -> None:
    game = shoot(gun(attacks="4", skill=None, keywords=("torrent", "lethal hits")), enemy(5))
    assert (tally(game).hits, tally(game).critical_hits) == (4, 0)
    assert not [e for e in game.events if isinstance(e, ev.Rolled) and e.roll == "hit"]


@pytest.mark.rule("CORE.WPN.MELTA")
@pytest.mark.parametrize(("x", "wounds"), [(22.0, 4), (30.0, 2)])
def test_melta_in_half_range(x: float, wounds: int) -> None:
    target = enemy(1, x, characteristics=(("W", 10),))
    weapon = gun(attacks="1", damage="2", keywords=("melta 2",))
    assert lost(shoot(weapon, target, dice={"hit": [5], "wound": [5], "save": [1]})) == wounds


@pytest.mark.rule("CORE.WPN.TWIN")
def test_twin_linked_rerolls_failed_wounds_once() -> None:
    dice = {"hit": [5, 5], "wound": [1, 6], "wound-reroll": [2], "save": [6]}
    game = shoot(gun(keywords=("twin-linked",)), enemy(2), dice=dice)
    assert tally(game).wounds == 1
    (again,) = [e for e in game.events if isinstance(e, ev.Rolled) and e.roll == "wound-reroll"]
    assert again.replaces == (0,), "the log names the die that failed"


@pytest.mark.rule("CORE.WPN.SUST", "CORE.WPN.LETHAL", "CORE.WPN.CRIT")
def test_sustained_and_lethal_on_the_same_six() -> None:
    """The six wounds by itself; its extra hit rolls to wound."""
    dice = {"hit": [6], "wound": [2], "save": [1]}
    game = shoot(gun(attacks="1", keywords=("lethal hits", "sustained hits 1")), enemy(3), dice=dice)
    assert (tally(game).hits, tally(game).wounds) == (2, 1)


@pytest.mark.rule("CORE.WPN.ANTI", "CORE.WPN.DEV")
def test_anti_makes_critical_wounds_that_devastate() -> None:
    """Anti-INFANTRY 4+ on T10: a 4 is a critical wound; no save, and no spill past the model."""
    target = enemy(2, characteristics=(("T", 10), ("W", 1)))
    weapon = gun(attacks="1", damage="3", keywords=("anti-infantry 4+", "devastating wounds"))
    game = shoot(weapon, target, dice={"hit": [5], "wound": [4]})
    assert tally(game).critical_wounds == 1
    assert lost(game) == 1
    assert len(game.state.position.units["target"].rows) == 1


@pytest.mark.rule("CORE.WPN.HEAVY", "CORE.MOVE.11")
@pytest.mark.parametrize(("moved", "hits"), [("remain-stationary", 1), ("normal", 0), ("", 1)])
def test_heavy_needs_a_stationary_bearer(moved: str, hits: int) -> None:
    """A unit that was not selected in the Movement phase has remained stationary (CORE.MOVE.11)."""
    weapon = gun(attacks="1", skill=4, keywords=("heavy",))
    game = shoot(weapon, enemy(1), dice={"hit": [3]}, marks=(("moved", moved),) if moved else ())
    assert tally(game).hits == hits


@pytest.mark.rule("CORE.ABL.STEALTH", "CORE.DICE.3")
def test_stealth_worsens_the_hit_roll() -> None:
    game = shoot(gun(attacks="1"), enemy(1, abilities=("stealth",)), dice={"hit": [3]})
    assert tally(game).hits == 0


@pytest.mark.rule("CORE.ATK.3")
def test_bodyguards_die_before_their_leader() -> None:
    target = enemy(3, leaders=1, characteristics=(("Sv", 7),))
    dice = {"hit": [6, 6], "wound": [6, 6], "save": [2, 2]}
    game = shoot(gun(), target, dice=dice)
    unit = game.state.position.units["target"]
    assert [game.state.position.models[row].facts.part for row in unit.rows] == [1]
    assert [p.name for p in unit.parts] == ["target leader"]


@pytest.mark.rule("SP.2", "R.A77")
def test_each_destroyed_part_gives_its_killer_a_supply_point() -> None:
    target = enemy(2, leaders=1, characteristics=(("Sv", 7),))
    dice = {"hit": [6, 6], "wound": [6, 6], "save": [2, 2]}
    game = shoot(gun(), target, dice=dice)
    assert game.state.players["p1"].sp == 2
    assert game.state.position.units["target"].where == "destroyed"


@pytest.mark.rule("CORE.WPN.HAZ")
def test_a_hazardous_weapon_hurts_its_bearer_on_a_one() -> None:
    dice = {"hit": [2, 2], "hazardous": [1]}
    game = shoot(gun(keywords=("hazardous",)), enemy(1), dice=dice, shooters=1)
    assert game.state.position.units["shooters"].where == "destroyed"


@pytest.mark.rule("CORE.ATK.1")
def test_the_odds_of_one_attack() -> None:
    """BS 3+, S4, T4, Sv 3+, AP -1: the share of lost wounds is near the exact one.

    It is the share over 1,500 seeds.
    """
    space = list(product(range(1, 7), repeat=3))
    exact = Fraction(sum(h >= 3 and w >= 4 and s < 4 for h, w, s in space), len(space))
    games = 1500
    found = Counter(lost(shoot(gun(attacks="1", ap=-1), enemy(1), seed=seed)) for seed in range(games))
    spread = (float(exact) * (1 - float(exact)) / games) ** 0.5
    assert abs(found[1] / games - float(exact)) < 4 * spread
