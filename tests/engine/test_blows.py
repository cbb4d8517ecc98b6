"""Rules about single attacks: damage, criticals, ranges, saves, shots in combat."""

from __future__ import annotations

from typing import Any

import pytest

from datasheets.rule import Ask, Grant, Modify, When
from engine.core import event as ev
from engine.core.event import Shot
from engine.core.facts import WeaponFacts
from engine.core.game import Game
from engine.core.request import Choose, Chosen, Splits, Steps
from engine.core.ruleset import Step
from engine.w40k.attack.eligibility import lines
from engine.w40k.attack.hit import modifiers
from engine.w40k.attack.volley import group
from engine.w40k.phase import shooting
from engine.w40k.words import attacks, bearing, circumstance
from tests.engine.abilities import BLADE, battle, foes, marines, rule, unit

SHOOT = Step("players.shooting", "shooting", shooting.shooting, "players")
FLAT = (("Sv", 7), ("T", 4), ("W", 20))


def gun(**more: Any) -> WeaponFacts:
    """Return a gun of which everything is said that matters."""
    return WeaponFacts(**{"name": "gun", "range": 24.0, "attacks": "1", "skill": 3, "strength": 8, **more})


def shots(weapon: WeaponFacts, *rules: Any, dice: dict[str, list[int]], foe: Any = None, **more: Any) -> Game:
    """Return a battle in which one marine fires one gun at the foes, which bear what `foe` says."""

    def fires(game: Game) -> Steps[bool]:
        yield from shooting.resolve_shots(game, unit(game, "a"), (Shot(model=0, weapon=0, target="foes"),))
        return False

    stands = [
        marines("a", at=[(30.0, 10.0)], weapons=(weapon,), **more),
        foes(at=[(30.0, 30.0)], **{"characteristics": FLAT, **(foe or {})}),
    ]
    return battle(rules, stands, Step("players.shooting", "shooting", fires, "players"), dice=dice)


def amounts(game: Game) -> list[int]:
    """Return what each loss of wounds came to."""
    return [each.amount for each in game.events if isinstance(each, ev.Damaged)]


def rolls(game: Game, roll: str) -> list[tuple[int, ...]]:
    """Return the dice of all rolls of a kind."""
    return [each.dice for each in game.events if isinstance(each, ev.Rolled) and each.roll == roll]


def places(game: Game, roll: str) -> list[tuple[int, ...]]:
    """Return of each roll of a kind which dice before it replaces."""
    return [each.replaces for each in game.events if isinstance(each, ev.Rolled) and each.roll == roll]


HITS: dict[str, list[int]] = {"hit": [6], "wound": [6], "save": [1]}
HALF = rule("half", modify=(Modify(number="weapon.damage", multiply=0.5, condition="target == bearer"),))
NONE = rule("none", modify=(Modify(number="weapon.damage", set=0, condition="target == bearer"),))
WORSE = rule("worse", modify=(Modify(number="weapon.damage-modifier", add=3, condition="target == bearer"),))


@pytest.mark.rule("CORE.DICE.5", "CORE.ATK.5", "CORE.WPN.MELTA")
@pytest.mark.parametrize(
    ("weapon", "rules", "found"),
    [
        (gun(damage="5"), (), [5]),
        (gun(damage="5"), (HALF,), [3]),
        (gun(damage="5", range=60.0, keywords=("melta 2",)), (HALF,), [5]),
        (gun(damage="5"), (NONE,), []),
        (gun(damage="5"), (NONE, WORSE), []),
        (gun(damage="5"), (HALF, WORSE), [6]),
    ],
)
def test_damage_is_set_then_multiplied_then_added_to(
    weapon: WeaponFacts, rules: tuple[Any, ...], found: list[int]
) -> None:
    """A Damage that is set to 0 stays 0."""
    bears = {"rules": tuple(each.id for each in rules)}
    assert amounts(shots(weapon, *rules, dice=HITS, foe=bears)) == found


def at(moment: str, *, when: str = "unit == bearer and not mortal") -> Any:
    """Return a rule by which attacks do no damage from that moment on."""
    clause = When(moment=moment, condition=when, do=("change_damage(0)", "count_up('p1', 'seen')"))
    return rule("nought", when=(clause,))


@pytest.mark.rule("CORE.ATK.2", "CORE.ATK.4")
@pytest.mark.parametrize(
    ("moment", "save", "found", "times"),
    [("allocated", 1, [], 1), ("allocated", 6, [], 1), ("save-failed", 1, [], 1), ("save-failed", 6, [], 0)],
)
def test_a_rule_changes_the_damage_of_the_attack_at_hand(
    moment: str, save: int, found: list[int], times: int
) -> None:
    """As it is allocated, or as its saving throw has failed."""
    foe = {"rules": ("test/nought",), "characteristics": (("Sv", 3), ("T", 4), ("W", 20))}
    game = shots(gun(damage="3"), at(moment), dice={**HITS, "save": [save]}, foe=foe)
    assert amounts(game) == found
    assert game.state.players["p1"].marks.count("seen") == times


@pytest.mark.rule("CORE.ATK.6", "CORE.ABL.FNP")
def test_each_mortal_wound_is_allocated_and_known_as_one() -> None:
    """Those of an attack beside the attack itself."""
    counts = When(
        moment="allocated",
        condition="unit == bearer",
        do=("count_up('p1', 'mortal' if mortal else 'plain')",),
    )
    wards = Modify(number="model.feel-no-pain", at_most=2, condition="unit == bearer and mortal")
    watch = rule("watch", when=(counts,), modify=(wards,))
    weapon = gun(damage="2", keywords=("devastating wounds",))
    dice = {"hit": [6], "wound": [6], "feel-no-pain": [2, 1]}
    game = shots(weapon, watch, dice=dice, foe={"rules": ("test/watch",)})
    marks = game.state.players["p1"].marks
    assert (marks.count("plain"), marks.count("mortal")) == (1, 2)
    assert amounts(game) == [1]


@pytest.mark.rule("CORE.DICE.1")
@pytest.mark.parametrize(
    ("of", "damage", "first", "again"),
    [
        *((2, "D6", 3, True), (2, "D6", 4, False), (2, "D3", 1, True), (2, "D3", 2, False)),
        *((1, "D6", 1, True), (1, "D6", 2, False), (0, "D6", 1, False)),
    ],
)
def test_low_damage_is_rolled_again(of: int, damage: str, first: int, again: bool) -> None:
    """Below its mean, or a 1 alone. Rule: R.A115"""
    rolls_again = rule(
        "again", modify=(Modify(number="attack.reroll-damage", at_least=of, condition="attacker == bearer"),)
    )
    dice = {**HITS, "damage": [first], "damage-reroll": [2]}
    game = shots(gun(damage=damage), rolls_again, dice=dice, rules=("test/again",))
    assert rolls(game, "damage-reroll") == ([(2,)] if again else [])
    assert places(game, "damage-reroll") == ([(0,)] if again else [])
    assert amounts(game) == [2 if again else first]


SPARED = rule(
    "spared",
    permit=(
        Ask(question="ignore-hit-modifiers", condition="attacker == bearer"),
        Ask(question="ignore-skill-modifiers", condition="attacker == bearer"),
    ),
)


@pytest.mark.rule("CORE.DICE.3")
@pytest.mark.parametrize(
    ("clauses", "plain", "spared"),
    [
        ((Modify(number="attack.hit-modifier", add=-1),), 4, 3),
        ((Modify(number="attack.hit-modifier", add=1),), 2, 2),
        ((Modify(number="attack.hit-modifier", add=1), Modify(number="attack.hit-modifier", add=-1)), 3, 2),
        ((Modify(number="weapon.skill", worsen=1),), 4, 3),
        ((Modify(number="weapon.skill", add=1),), 4, 3),
        ((Modify(number="weapon.skill", improve=1),), 2, 2),
    ],
)
def test_what_worsens_a_hit_is_ignored_and_what_betters_it_is_not(
    clauses: tuple[Modify, ...], plain: int, spared: int
) -> None:
    """Rule: R.A116"""
    foe = {"rules": ("test/curse",)}
    curse = rule("curse", modify=clauses)
    needs = [
        next(each.need for each in game.events if isinstance(each, ev.Rolled) and each.roll == "hit")
        for game in (
            shots(gun(), curse, dice={"hit": [1]}, foe=foe),
            shots(gun(), curse, SPARED, dice={"hit": [1]}, foe=foe, rules=("test/spared",)),
        )
    ]
    assert needs == [plain, spared]


@pytest.mark.rule("CORE.ABL.STEALTH")
def test_the_core_rules_modifiers_are_ignored_too() -> None:
    game = shots(gun(), SPARED, dice={"hit": [1]}, foe={"abilities": ("stealth",)}, rules=("test/spared",))
    assert [each.need for each in game.events if isinstance(each, ev.Rolled) and each.roll == "hit"] == [3]


@pytest.mark.rule("CORE.WPN.CRIT", "CORE.ATK.8")
@pytest.mark.parametrize(
    ("asks", "needs"),
    [("critical_hit", [5, 5, 7, 7]), ("critical_wound", [5, 5, 7, 7]), ("melee", [5, 5, 5, 5])],
)
def test_a_rule_for_criticals_alone_leaves_the_others_as_they_are(asks: str, needs: list[int]) -> None:
    """Of four attacks two score a critical."""
    sharp = rule(
        "sharp", modify=(Modify(number="weapon.ap", add=-2, condition=f"attacker == bearer and {asks}"),)
    )
    is_hit = asks == "critical_hit"
    dice = {
        "hit": [6, 6, 4, 4] if is_hit else [4, 4, 4, 4],
        "wound": [4, 4, 4, 4] if is_hit else [6, 6, 4, 4],
        "save": [6, 6, 6, 6],
    }
    foe = {"characteristics": (("Sv", 5), ("T", 4), ("W", 20))}
    game = shots(gun(attacks="4"), sharp, dice=dice, foe=foe, rules=("test/sharp",))
    saves = [each.need for each in game.events if isinstance(each, ev.Rolled) and each.roll == "save"]
    assert saves == needs
    made = [each for each in game.events if isinstance(each, ev.Attacked)]
    assert [(each.attacks, each.hits, each.wounds) for each in made] == [(4, 4, 4)]


@pytest.mark.rule("CORE.WPN.LETHAL", "CORE.WPN.SUST", "CORE.WPN.DEV")
def test_criticals_told_apart_keep_what_their_weapon_does() -> None:
    """One critical hit of two wounds by itself, its further hit is none."""
    sharp = rule("sharp", grant=(Grant(weapon="lance", condition="attacker == bearer and critical_hit"),))
    weapon = gun(attacks="2", keywords=("lethal hits", "sustained hits 1"))
    dice = {"hit": [6, 3], "wound": [4, 1], "save": [1, 1]}
    game = shots(weapon, sharp, dice=dice, rules=("test/sharp",))
    made = next(each for each in game.events if isinstance(each, ev.Attacked))
    assert (made.hits, made.critical_hits, made.wounds, made.unsaved) == (3, 1, 2, 2)


EASED = rule("eased", modify=(Modify(number="roll.armour-modifier", add=1, condition="target == bearer"),))


@pytest.mark.rule("CORE.COV.1", "CORE.DICE.3")
@pytest.mark.parametrize(
    ("rules", "abilities", "save", "ap", "need"),
    [
        (("test/eased",), (), 4, 0, 3),
        (("test/eased",), ("cover",), 4, 0, 3),
        (("test/eased",), ("cover",), 4, -2, 5),
        (("test/eased",), (), 3, 0, 2),
        ((), ("cover",), 4, 0, 3),
        ((), (), 4, 0, 4),
    ],
)
def test_armour_saves_are_made_at_one_more_at_most(
    rules: tuple[str, ...], abilities: tuple[str, ...], save: int, ap: int, need: int
) -> None:
    foe = {"rules": rules, "abilities": abilities, "characteristics": (("Sv", save), ("T", 4), ("W", 9))}
    game = shots(gun(ap=ap), EASED, dice={**HITS, "save": [6]}, foe=foe)
    assert [each.need for each in game.events if isinstance(each, ev.Rolled) and each.roll == "save"] == [
        need
    ]


SHORT = rule("short", modify=(Modify(number="weapon.range", add=-6, condition="unit == bearer"),))


@pytest.mark.rule("CORE.SHOOT.2", "CORE.WPN.RF")
@pytest.mark.parametrize(
    ("far", "reached", "near"), [(18.9, True, False), (19.5, False, False), (9.9, True, True)]
)
def test_a_shorter_range_counts_for_targets_and_for_half_range(far: float, reached: bool, near: bool) -> None:
    """A gun of 24 inches reaches 18, and half of it is 9; bases are 0.63 wide."""
    stands = [
        marines("a", at=[(30.0, 5.0)], weapons=(gun(keywords=("rapid fire 1",)),), rules=("test/short",)),
        foes(at=[(30.0, 5.0 + far)]),
    ]
    game = battle([SHORT], stands)
    assert bool(lines(game, unit(game, "a"))) == reached
    volley = group(game, unit(game, "a"), (Shot(model=0, weapon=0, target="foes"),), False)[0]
    assert volley.near == near
    assert game.query.reach(unit(game, "a"), gun()) == 18
    assert game.query.reach(unit(game, "foes"), gun()) == 24


@pytest.mark.rule("CORE.ABL.AURA")
@pytest.mark.parametrize(("what", "reached"), [("test/awe", True), ("test/other", False)])
def test_one_aura_reaches_farther(what: str, reached: bool) -> None:
    awe = rule("awe", aura=3, modify=(Modify(number="model.oc", add=-1, condition="in_aura(unit)"),))
    wide = rule(
        "wide", modify=(Modify(number="aura.range", add=3, condition=f"unit == bearer and what == '{what}'"),)
    )
    stands = [marines("a", at=[(30.0, 10.0)], rules=("test/awe", "test/wide")), foes(at=[(30.0, 16.0)])]
    game = battle([awe, wide], stands)
    foe = unit(game, "foes")
    assert game.query.number("model.oc", 2, unit=foe, model=None).value == (1 if reached else 2)


def crowd(*rules: Any, weapon: WeaponFacts, keywords: tuple[str, ...] = ("VEHICLE",), **more: Any) -> Game:
    """Return a battle in which a tank is in combat with foes, and marines stand aside."""
    stands = [
        marines("tank", at=[(30.0, 10.0)], weapons=(weapon,), keywords=keywords, **more),
        foes(at=[(30.0, 11.5)]),
        marines("aside", at=[(20.0, 10.0)], weapons=(weapon,)),
    ]
    return battle(rules, stands)


@pytest.mark.rule("CORE.SHOOT.4", "CORE.SHOOT.5", "CORE.WPN.BLAST")
@pytest.mark.parametrize(
    ("asks", "keywords", "able"),
    [
        ("True", ("blast",), ["tank", "aside"]),
        ("attacker == bearer", ("blast",), ["tank"]),
        ("False", ("blast",), []),
        ("not weapon_has(weapon, 'blast')", (), ["tank", "aside"]),
        ("False", (), ["tank"]),
    ],
)
def test_a_rule_lets_units_shoot_into_combat(asks: str, keywords: tuple[str, ...], able: list[str]) -> None:
    lets = rule("lets", permit=(Ask(question="shoot-into-combat", condition=asks),))
    game = crowd(lets, weapon=gun(keywords=keywords), rules=("test/lets",))
    assert [name for name in ("tank", "aside") if lines(game, unit(game, name))] == able


@pytest.mark.rule("CORE.SHOOT.5")
@pytest.mark.parametrize(("asks", "penalty"), [("attacker == bearer", 0), ("False", -1)])
def test_a_rule_takes_the_penalty_of_shots_out_of_combat(asks: str, penalty: int) -> None:
    free = rule("free", forbid=(Ask(question="combat-penalty", condition=asks),))
    game = crowd(free, weapon=gun(), rules=("test/free",))
    volley = group(game, unit(game, "tank"), (Shot(model=0, weapon=0, target="foes"),), False)[0]
    assert sum(by for _, by in modifiers(game, volley)) == penalty


@pytest.mark.rule("CORE.ER.1")
def test_who_alone_engages_a_unit() -> None:
    game = crowd(weapon=gun())
    tank, foe, aside = (unit(game, name) for name in ("tank", "foes", "aside"))
    assert circumstance.engaged_by_only(game, foe, tank, "VEHICLE")
    assert not circumstance.engaged_by_only(game, foe, tank, "FORTIFICATION")
    assert not circumstance.engaged_by_only(game, foe, aside, "INFANTRY")


@pytest.mark.rule("CORE.SHOOT.2")
@pytest.mark.parametrize("bound", [True, False])
def test_a_unit_that_may_not_split_its_fire_is_asked_for_one_target(bound: bool) -> None:
    one = rule("one", forbid=(Ask(question="split-fire", condition="unit == bearer" if bound else "False"),))
    stands = [
        marines("a", at=[(30.0, 10.0), (32.0, 10.0)], weapons=(gun(),), rules=("test/one",)),
        foes("x", at=[(30.0, 30.0)]),
        foes("y", at=[(36.0, 30.0)]),
    ]
    offered: list[tuple[str, ...]] = []

    def first(game: Game) -> Splits:
        offered.extend(line.targets for line in game.pending.lines)  # type: ignore[union-attr]
        return Splits()

    def units(game: Game) -> Chosen:
        assert isinstance(game.pending, Choose)
        return Chosen(ids=(game.pending.options[0].id,))

    answers = {"next-unit": units, "sole-target": "y", "shoot": first}
    battle([one], stands, SHOOT, answers=answers)
    assert set(offered) == ({("y",)} if bound else {("x", "y")})


@pytest.mark.rule("DATASHEET.unyielding-in-the-face-of-the-foe")
def test_a_printed_damage_is_a_number_or_none() -> None:
    game = battle([], [marines("a")])
    found = [attacks.printed_damage(game, each) for each in (gun(damage="2"), gun(damage="D3"), None)]
    assert found == [2, 0, 0]


@pytest.mark.rule("DATASHEET.tempests-wrath-psychic")
def test_a_printed_range_is_none_in_melee() -> None:
    game = battle([], [marines("a")])
    assert [attacks.printed_range(game, each) for each in (gun(), BLADE, None)] == [24, 0, 0]


@pytest.mark.rule("DATASHEET.swallow-whole")
@pytest.mark.parametrize(
    ("strength", "modifier", "need"), [(4, 0, 4), (8, 0, 2), (2, 0, 6), (4, 1, 3), (8, 1, 2), (2, -1, 7)]
)
def test_what_wounds_is_known_with_its_modifiers(strength: int, modifier: int, need: int) -> None:
    aid = rule(
        "aid", modify=(Modify(number="attack.wound-modifier", add=modifier, condition="attacker == bearer"),)
    )
    game = battle([aid], [marines("a", rules=("test/aid",)), foes(characteristics=FLAT)])
    names = {"attacker": unit(game, "a"), "target": unit(game, "foes"), "melee": False, "model": None}
    context = game.query.context(names)
    assert attacks.needed_to_wound(game, gun(strength=strength), context) == need
    assert attacks.needed_to_wound(game, None, context) == 6


@pytest.mark.parametrize(
    ("names", "but", "count"),
    [
        (("claw", "axe - strike", "axe - sweep"), (), 2),
        (("axe - strike", "axe - sweep"), (), 1),
        (("claw", "fist"), ("fist",), 1),
        (("claw",), (), 1),
        ((), (), 0),
    ],
)
def test_melee_weapons_are_counted_by_name(names: tuple[str, ...], but: tuple[str, ...], count: int) -> None:
    """Their profiles are one weapon, and guns are none."""
    blades = [WeaponFacts(name=name, attacks="1", skill=3, strength=4) for name in names]
    game = battle([], [marines("a", weapons=(gun(), *blades))])
    model = game.state.position.models[0]
    assert bearing.melee_arms(game, model, *but) == count
    assert bearing.melee_arms(game, None) == 0


def test_two_of_one_melee_weapon_are_two() -> None:
    game = battle([], [marines("a", weapons=(gun(), BLADE), weapons_of=((0, 1, 1),))])
    assert bearing.melee_arms(game, game.state.position.models[0]) == 2


@pytest.mark.rule("DATASHEET.gift-of-the-iron-wolf")
@pytest.mark.parametrize(("guns", "asked"), [(("small", "big"), True), (("big",), False)])
def test_one_gun_of_a_unit_is_named(guns: tuple[str, ...], asked: bool) -> None:
    """Its owner picks it where there are several; the strongest stands first."""
    names = When(
        moment="phase-began", condition="phase == 'command'", do=("name_gun(bearer, 'best', 'battle')",)
    )
    weapons = tuple(gun(name=name, strength=8 if name == "big" else 4) for name in guns)
    seen: list[str] = []

    def picks(game: Game) -> Chosen:
        assert isinstance(game.pending, Choose)
        seen.extend(option.id for option in game.pending.options)
        return Chosen(ids=("small",))

    command = Step("players.command", "command", _nothing, "players")
    stands = [marines("a", weapons=(*weapons, BLADE), rules=("test/names",)), foes()]
    game = battle([rule("names", when=(names,))], stands, command, answers={"gun": picks})
    assert unit(game, "a").marks.get("best") == ("small" if asked else "big")
    assert seen == (["big", "small"] if asked else [])


def _nothing(game: Game) -> Steps[bool]:
    return False
    yield
