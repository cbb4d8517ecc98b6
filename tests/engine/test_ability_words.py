"""What records of abilities may ask: of parts, wargear, weapons, sight and attacks."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from datasheets.rule import Modify, When
from engine.core import event as ev
from engine.core.event import Shot
from engine.core.facts import BoardFacts, TerrainFacts, WeaponFacts
from engine.core.game import Game
from engine.core.request import Steps
from engine.core.ruleset import Step
from engine.w40k.attack.volley import group
from engine.w40k.phase.shooting import resolve_shots
from engine.w40k.words import attacks, bearing, measures
from tests.engine.abilities import BLADE, GUN, battle, foes, marines, rule, unit


def lose(game: Game, name: str, *rows: int) -> None:
    """Destroy models of a unit, and the part of which the last is among them."""
    facts = unit(game, name).facts
    for row in rows:
        game.log(ev.Destroyed(unit=name, model=row))
        part = next(m.part for m in facts.models if m.row == row)
        if all(not game.state.position.models[m.row].alive for m in facts.models if m.part == part):
            game.log(ev.UnitDestroyed(unit=name, part=part))


# wargear


@pytest.mark.rule("DATASHEET.watcher-in-the-dark")
@pytest.mark.parametrize("lost", [(), (1,), (0, 1)])
def test_what_a_unit_began_with_is_its_own_though_its_carrier_is_lost(lost: tuple[int, ...]) -> None:
    token = msgspec.structs.replace(BLADE, item="Watcher in the Dark")
    at = [(10.0, 10.0), (12.0, 10.0), (14.0, 10.0)]
    squad = marines("a", at=at, weapons=(GUN, token), weapons_of=((0,), (0, 1), (0,)))
    game = battle([], [squad, foes()])
    lose(game, "a", *lost)
    assert bearing.began_equipped(game, unit(game, "a"), "Watcher in the Dark")
    assert bearing.equipped(game, unit(game, "a"), "Watcher in the Dark") is not bool(lost)
    assert not bearing.began_equipped(game, unit(game, "foes"), "Watcher in the Dark")


# parts of an Attached unit


def attached(**more: Any) -> Any:
    """Return a bodyguard of two models with a leader, armed alike."""
    at = [(10.0, 10.0), (12.0, 10.0), (14.0, 10.0)]
    return marines("a", at=at, leaders=1, weapons=(GUN, BLADE), **more)


STRONG = Modify(number="weapon.strength", add=4, condition="attacker == bearer and is_own(model)")
ALL_STRONG = Modify(number="weapon.strength", add=4, condition="attacker == bearer")


@pytest.mark.rule("SEC.16")
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
@pytest.mark.parametrize(
    ("change", "bearer", "found"),
    [
        (STRONG, "leader_rules", {(0, 1): 4, (2,): 8}),
        (STRONG, "rules", {(0, 1): 8, (2,): 4}),
        (ALL_STRONG, "leader_rules", {(0, 1): 8, (2,): 8}),
    ],
)
def test_what_an_own_part_has_the_others_have_not(
    order: tuple[int, ...], change: Modify, bearer: str, found: dict[tuple[int, ...], int]
) -> None:
    """Whoever strikes first."""
    game = battle([rule("might", modify=(change,))], [attached(**{bearer: ("test/might",)}), foes()])
    blows = tuple(Shot(model=row, weapon=1, target="foes") for row in order)
    volleys = group(game, unit(game, "a"), blows, True)
    strengths = {
        tuple(sorted(each.models)): game.query.number("weapon.strength", 4, **each.context).value
        for each in volleys
    }
    assert strengths == found


def test_a_unit_is_led_while_its_leader_and_a_bodyguard_live() -> None:
    changed = Modify(number="unit.move", add=1, condition="unit == bearer and is_led(bearer)")
    for lost, led in (((), 1), ((0,), 1), ((0, 1), 0), ((2,), 0)):
        for bearer in ("leader_rules", "rules"):
            stands = [attached(**{bearer: ("test/haste",)}), foes()]
            game = battle([rule("haste", modify=(changed,))], stands)
            lose(game, "a", *lost)
            assert game.query.number("unit.move", 0, unit=unit(game, "a")).value == led
    alone = battle([], [marines(), foes()])
    assert not bearing.is_led(alone, unit(alone, "marines"))


# models and strength


def row(count: int) -> list[tuple[float, float]]:
    """Return places for some models in a row."""
    return [(10.0 + 2 * i, 10.0) for i in range(count)]


@pytest.mark.rule("CORE.BS.2")
@pytest.mark.parametrize(
    ("models", "leaders", "lost", "start", "half"),
    [
        (4, 0, 0, False, False),
        (4, 0, 1, True, False),
        (4, 0, 2, True, False),
        (4, 0, 3, True, True),
        (4, 1, 2, True, False),
        (6, 1, 4, True, True),
        (3, 1, 2, False, False),
    ],
)
def test_a_unit_is_below_its_strength_by_all_its_models(
    models: int, leaders: int, lost: int, start: bool, half: bool
) -> None:
    """Those of its leader count; a leader without its bodyguard is a unit of one model."""
    game = battle([], [marines("a", at=row(models), leaders=leaders), foes()])
    lose(game, "a", *range(lost))
    assert bearing.below_start(game, unit(game, "a")) == start
    assert bearing.below_half(game, unit(game, "a")) == half


@pytest.mark.rule("CORE.BS.2")
@pytest.mark.parametrize(
    ("wounds", "start", "half"), [(10, False, False), (9, True, False), (5, True, False), (4, True, True)]
)
def test_a_single_model_is_below_its_strength_by_wounds(wounds: int, start: bool, half: bool) -> None:
    game = battle([], [marines("a", characteristics=(("W", 10),)), foes()])
    hurt(game, "a", 0, 10 - wounds)
    assert bearing.below_start(game, unit(game, "a")) == start
    assert bearing.below_half(game, unit(game, "a")) == half


def test_a_wounded_model_of_several_does_not_put_its_unit_below_its_strength() -> None:
    game = battle([], [marines("a", at=row(3), characteristics=(("W", 3),)), foes()])
    hurt(game, "a", 1, 2)
    assert not bearing.below_start(game, unit(game, "a"))


def hurt(game: Game, name: str, model: int, amount: int) -> None:
    """Take wounds from a model."""
    if amount:
        left = game.state.position.models[model].wounds - amount
        game.log(ev.Damaged(unit=name, model=model, amount=amount, wounds=left))


def test_wounds_are_those_left_of_a_model_or_of_all_models() -> None:
    game = battle([], [marines("a", at=row(3), characteristics=(("W", 3),)), foes()])
    hurt(game, "a", 1, 2)
    lose(game, "a", 2)
    models = game.state.position.models
    assert [bearing.wounds(game, models[i]) for i in range(3)] == [3, 1, 0]
    assert bearing.wounds(game, unit(game, "a")) == 4


def test_models_are_counted_by_keyword_of_their_own_datasheet() -> None:
    game = battle([], [attached(), foes()])
    found = [bearing.models(game, unit(game, "a"), key) for key in ("", "CHARACTER", "INFANTRY", "A LEADER")]
    assert found == [3, 1, 3, 1]


def test_a_model_carries_weapons_and_other_wargear_of_its_own() -> None:
    claw = WeaponFacts(name="Claw - strike", attacks="1", skill=3, strength=4, damage="1", item="Claw")
    stand = marines("a", at=row(2), weapons=(GUN, claw), weapons_of=((0,), (0, 1)))
    game = battle([], [stand, foes()])
    models = game.state.position.models
    assert [bearing.carries(game, models[i], "Claw") for i in (0, 1)] == [False, True]


# weapons and sight


def test_a_weapon_is_named_whatever_its_mode() -> None:
    game = battle([], [marines(), foes()])
    named = [
        attacks.is_weapon(game, GUN, *names) for names in (("bolt rifle",), ("x", "Bolt Rifle"), ("bolt",))
    ]
    assert named == [True, True, False]
    assert not attacks.is_weapon(game, None, "bolt rifle")


CLOSE = rule(
    "close",
    modify=(
        Modify(
            number="weapon.ap",
            improve=1,
            condition="attacker == bearer and ranged and is_closest(target, attacker)",
        ),
    ),
)


@pytest.mark.rule("CORE.SHOOT.2")
@pytest.mark.parametrize(
    ("near", "closest"),
    [
        ({}, False),
        ({"at": [(30.0, 10.0)]}, True),
        ({"abilities": ("lone operative",)}, True),
        ({"where": "reserves"}, True),
    ],
)
def test_the_closest_is_judged_among_those_that_may_be_shot_at(near: dict[str, Any], closest: bool) -> None:
    """Another is 4 inches nearer; as near; nearer, but may not be shot at; not there."""
    stands = [
        marines("a", at=[(10.0, 10.0)], weapons=(GUN, BLADE), rules=("test/close",)),
        foes("near", **{"at": [(10.0, 26.0)], **near}),
        foes("far", at=[(10.0, 30.0)]),
    ]
    assert ap(battle([CLOSE], stands), "far") == (-1 if closest else 0)


def test_whom_the_model_does_not_see_is_not_its_closest_target() -> None:
    """The nearer enemy stands behind a ruin."""
    corners = ((12.0, 14.0), (20.0, 14.0), (20.0, 16.0), (12.0, 16.0))
    ruin = TerrainFacts(id="ruin", kind="ruin", footprint=corners, height=9.0)
    stands = [
        marines("a", at=[(10.0, 10.0)], weapons=(GUN, BLADE), rules=("test/close",)),
        foes("near", at=[(22.0, 20.0)]),
        foes("far", at=[(10.0, 30.0)]),
    ]
    found = [ap(battle([CLOSE], stands, board=BoardFacts(terrain=each)), "far") for each in ((), (ruin,))]
    assert found == [0, -1]


def ap(game: Game, target: str, model: int = 0, name: str = "a") -> float:
    """Return the AP of a model's gun at a target, printed as 0."""
    shots = (Shot(model=model, weapon=0, target=target),)
    (volley,) = group(game, unit(game, name), shots, False)
    return float(game.query.number("weapon.ap", 0, **volley.context).value)


def test_each_model_has_its_own_closest_target() -> None:
    at = [(10.0, 10.0), (12.0, 10.0), (20.0, 10.0)]
    stands = [
        marines("a", at=at, weapons=(GUN, BLADE), rules=("test/close",)),
        foes("left", at=[(9.0, 25.0)]),
        foes("right", at=[(22.0, 25.0)]),
    ]
    game = battle([CLOSE], stands)
    assert [[ap(game, name, model) for model in range(3)] for name in ("left", "right")] == [
        [-1, -1, 0],
        [0, 0, -1],
    ]
    shots = tuple(Shot(model=model, weapon=0, target="left") for model in range(3))
    assert [each.models for each in group(game, unit(game, "a"), shots, False)] == [(0, 1), (2,)]


# what attacks did


def fired(asks: str, bearer: str = "rules", moment: str = "shot") -> dict[str, int]:
    """Return which enemies are named after shooting, and the models that each lost, plus one.

    The bodyguard fires the bolt rifle at x (a hit) and y (a miss), the leader its pistol at z (a hit that
    kills).
    """
    pistol = WeaponFacts(name="Pistol", range=24.0, attacks="1", skill=3, strength=4, damage="1")
    told = rule(
        "told",
        when=(
            When(
                moment=moment,
                condition="unit == bearer",
                each=f"unit where horde(unit) and {asks}",
                do=("mark(unit, 'hit', models_lost(unit) + 1)",),
            ),
        ),
    )
    own = marines(
        "a",
        at=row(3),
        leaders=1,
        weapons=(GUN, pistol),
        weapons_of=((0,), (0,), (1,)),
        **{bearer: ("test/told",)},
    )
    enemies = [
        foes(name, at=[(10.0 + 10 * i, 20.0), (10.0 + 10 * i, 22.0)], characteristics=(("Sv", 7),))
        for i, name in enumerate("xyz")
    ]
    declared = (
        Shot(model=0, weapon=0, target="x"),
        Shot(model=1, weapon=0, target="y"),
        Shot(model=2, weapon=1, target="z"),
    )

    def shoots(game: Game) -> Steps[bool]:
        yield from resolve_shots(game, unit(game, "a"), declared)
        return False

    dice = {"hit": [3, 2, 3], "wound": [3, 4], "save": [1]}
    game = battle([told], [own, *enemies], Step("players.shooting", "shooting", shoots, "players"), dice=dice)
    return {name: unit(game, name).marks.count("hit") for name in "xyz" if "hit" in unit(game, name).marks}


@pytest.mark.rule("CORE.SHOOT.3")
@pytest.mark.parametrize(
    ("asks", "bearer", "named"),
    [
        ("was_hit(unit)", "rules", {"x": 1, "z": 2}),
        ("was_hit_by_own(unit)", "rules", {"x": 1}),
        ("was_hit_by_own(unit)", "leader_rules", {"z": 2}),
        ("was_hit_by_own(unit, 'bolt rifle')", "rules", {"x": 1}),
        ("was_hit_by_own(unit, 'pistol')", "rules", {}),
        ("models_lost(unit) > 0", "rules", {"z": 2}),
        ("allocated(unit) > 0", "rules", {"z": 2}),
    ],
)
def test_after_shooting_it_is_known_what_was_hit(asks: str, bearer: str, named: dict[str, int]) -> None:
    assert fired(asks, bearer) == named


def test_before_attacks_and_after_others_nothing_was_hit() -> None:
    assert fired("was_hit(unit)", moment="phase-ended") == {}


def test_friends_within_a_distance_are_others_of_the_same_side() -> None:
    stands = [
        marines("a", at=[(10.0, 10.0)]),
        marines("b", at=[(14.0, 10.0)], keywords=("VEHICLE",)),
        foes("x", at=[(10.0, 14.0)], keywords=("VEHICLE",)),
        foes("y", at=[(30.0, 14.0)]),
    ]
    game = battle([], stands)
    near = [measures.any_friend_within(game, unit(game, n), 6, "VEHICLE") for n in ("a", "b", "x", "y")]
    assert near == [True, False, False, False]
    assert not measures.any_friend_within(game, unit(game, "a"), 2, "VEHICLE")


@pytest.mark.rule("DATASHEET.hunting-hounds", "DATASHEET.black-rage")
@pytest.mark.parametrize(
    ("seen_from", "inches", "found"),
    [
        ("near-guard", 6, False),
        ("near-leader", 6, True),
        ("near-guard", 12, True),
        ("a", 1, True),
        ("foes", 6, False),
    ],
)
def test_of_an_attached_unit_the_models_count_that_have_the_keyword(
    seen_from: str, inches: int, found: bool
) -> None:
    """The leader is 10 inches from one end of its unit; an enemy Character is nobody's friend."""
    stands = [
        marines("a", at=[(10.0, 10.0), (15.0, 10.0), (20.0, 10.0)], leaders=1),
        marines("near-guard", at=[(10.0, 14.0)]),
        marines("near-leader", at=[(20.0, 14.0)]),
        foes("foes", at=[(22.0, 14.0)]),
    ]
    game = battle([], stands)
    assert measures.any_friendly_model_within(game, unit(game, seen_from), inches, "CHARACTER") is found


def test_off_the_table_no_friendly_model_is_near() -> None:
    game = battle([], [marines("a", at=[(10.0, 10.0)], keywords=("CHARACTER",)), foes()])
    game.log(ev.Reserved(unit="a", how="strategic"))
    assert not measures.any_friendly_model_within(game, unit(game, "a"), 6, "CHARACTER")
