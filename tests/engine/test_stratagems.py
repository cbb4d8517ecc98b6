"""Stratagems: offers, costs and limits; rolls made again, courage, cover and smoke."""

from __future__ import annotations

import pytest

from datasheets.errors import BadData
from datasheets.record import record
from datasheets.rule import Rule
from engine.core import event as ev
from engine.core.facts import WeaponFacts
from tests.engine.offering import (
    GUN,
    always,
    answered,
    battle,
    clauses,
    never,
    only,
    ours,
    rolled,
    theirs,
)

SHOOTING = "horde.shooting"


# asking and paying


@pytest.mark.rule("CORE.STR.9")
def test_a_stratagem_is_paid_for_and_logged_with_its_cost() -> None:
    game = battle([ours(), theirs(weapons=(GUN,))], SHOOTING)
    asked = answered(game, only("CORE.STR.9"))
    assert asked[0].rule == "CORE.STR.9"
    assert [option.id for option in asked[0].options] == ["ours"]
    spent = [e for e in game.events if isinstance(e, ev.Spent)]
    assert [(e.player, e.what, e.amount, e.total, e.cause) for e in spent] == [
        ("p1", "cp", 1, 1, "CORE.STR.9")
    ]
    told = [e for e in game.events if isinstance(e, ev.Decided) and e.decision == "stratagem"]
    assert [(e.seat, e.unit, e.choice) for e in told] == [("p1", "ours", ("stratagem/go-to-ground",))]


@pytest.mark.rule("SECRET.20")
@pytest.mark.parametrize(("before", "revealed"), [(6, False), (7, True)])
def test_the_eighth_stratagem_completes_tacticool(before: int, revealed: bool) -> None:
    stands = [ours(), theirs(weapons=(GUN,))]
    game = battle(stands, SHOOTING, dice={"hit": [1]}, decks={"secret": ("secret/20-tacticool",)})
    game.log(ev.Marked(on="player:p1", key="stratagems", value=before))
    game.log(ev.CardRevealed(deck="secret", card="secret/20-tacticool", player="p1"))
    answered(game, only("CORE.STR.9"))
    shown = [e.completed for e in game.events if isinstance(e, ev.SecretRevealed)]
    assert shown == ([True] if revealed else [])


@pytest.mark.rule("CORE.STR.9", "PLAY.3")
def test_who_cannot_pay_is_not_asked() -> None:
    game = battle([ours(), theirs(weapons=(GUN,))], SHOOTING, cp=0)
    assert answered(game, always) == []


@pytest.mark.rule("MISERY.22")
def test_nobody_is_asked_while_stratagems_are_forbidden() -> None:
    game = battle([ours(), theirs(weapons=(GUN,))], SHOOTING, active=("misery/22-comms-jammed",))
    assert answered(game, always) == []


@pytest.mark.rule("CORE.BS.3")
@pytest.mark.parametrize("shocked", [True, False])
def test_no_stratagem_is_used_on_a_battle_shocked_unit(shocked: bool) -> None:
    marks = (("battle-shocked", True),) if shocked else ()
    game = battle([ours(marks=marks), theirs(weapons=(GUN,))], SHOOTING, dice={"hit": [1]})
    assert clauses(answered(game, never)) == ([] if shocked else ["CORE.STR.9"])


@pytest.mark.rule("CORE.STR.9")
def test_the_same_stratagem_is_used_once_in_a_phase() -> None:
    """Two enemies shoot; each of two units may go to ground once only in all."""
    stands = [
        ours("a", [(10.0, 10.0)]),
        ours("b", [(40.0, 10.0)]),
        theirs("x", [(10.0, 30.0)], weapons=(GUN,)),
        theirs("y", [(40.0, 30.0)], weapons=(GUN,)),
    ]
    game = battle(stands, SHOOTING, dice={"hit": [1, 1]})
    assert clauses(answered(game, always)).count("CORE.STR.9") == 1
    again = battle(stands, SHOOTING, dice={"hit": [1, 1]})
    assert clauses(answered(again, never)).count("CORE.STR.9") == 2


@pytest.mark.rule("PLAY.6")
def test_the_horde_is_offered_none() -> None:
    game = battle([ours(weapons=(GUN,)), theirs()], "players.shooting", dice={"hit": [1]})
    asked = answered(game, never)
    assert clauses(asked) == ["CORE.STR.1"]
    assert {request.seats for request in asked} == {("p1",)}


def test_an_offer_at_an_occasion_says_what_it_is_used_on() -> None:
    data = {"id": "s/x", "clause": "S.x", "name": "x", "source": "s", "summary": "s"}
    with pytest.raises(BadData, match="used on"):
        record(Rule, {**data, "offer": [{"at": "rolled"}]}, "x.toml")
    with pytest.raises(BadData, match="is a number"):
        record(Rule, {**data, "offer": [{"at": "rolled", "on": "unit", "price": "round"}]}, "x.toml")


# Command Re-roll


@pytest.mark.rule("CORE.STR.1", "CORE.DICE.1")
def test_of_hits_rolled_together_the_worst_is_made_again() -> None:
    game = battle(
        [ours(weapons=(WeaponFacts(name="gun", range=24.0, attacks="3", skill=4),)), theirs()],
        "players.shooting",
        dice={"hit": [5, 3, 2], "hit-reroll": [4], "wound": [1, 1]},
    )
    answered(game, only("CORE.STR.1"))
    assert rolled(game, "hit-reroll") == [(4,)]
    attacked = next(e for e in game.events if isinstance(e, ev.Attacked))
    assert attacked.hits == 2


@pytest.mark.rule("CORE.STR.1")
@pytest.mark.parametrize(("keywords", "asked"), [((), 0), (("sustained hits 1",), 1)])
def test_a_roll_that_cannot_be_better_is_not_asked_about(keywords: tuple[str, ...], asked: int) -> None:
    """A hit is made again only where a critical one would be more than a hit."""
    gun = WeaponFacts(name="gun", range=24.0, skill=3, keywords=keywords)
    game = battle([ours(weapons=(gun,)), theirs()], "players.shooting", dice={"hit": [4], "wound": [6]})
    assert clauses(answered(game, never)).count("CORE.STR.1") == asked


@pytest.mark.rule("CORE.STR.1", "CORE.DICE.1")
def test_a_die_that_was_rolled_again_is_not_rolled_a_third_time() -> None:
    gun = WeaponFacts(name="gun", range=24.0, skill=3, keywords=("twin-linked",))
    game = battle(
        [ours(weapons=(gun,)), theirs()],
        "players.shooting",
        dice={"hit": [3], "wound": [2], "wound-reroll": [1]},
    )
    assert answered(game, always) == []


@pytest.mark.rule("CORE.STR.1")
def test_a_failed_save_is_made_again() -> None:
    game = battle(
        [ours(keywords=(), characteristics=(("Sv", 3),)), theirs(weapons=(GUN,))],
        SHOOTING,
        dice={"hit": [3], "wound": [6], "save": [2], "save-reroll": [3]},
    )
    asked = answered(game, always)
    assert clauses(asked) == ["CORE.STR.1"]
    assert "rolled a 2 and needs 3" in asked[0].prompt
    assert not any(isinstance(e, ev.Damaged) for e in game.events)


@pytest.mark.rule("CORE.STR.1")
def test_a_save_that_no_die_reaches_is_not_asked_about() -> None:
    lance = WeaponFacts(name="lance", range=24.0, skill=3, strength=8, ap=-6)
    game = battle([ours(keywords=()), theirs(weapons=(lance,))], SHOOTING, dice={"hit": [3], "wound": [6]})
    assert answered(game, always) == []


@pytest.mark.rule("CORE.STR.1", "CORE.DICE.1")
@pytest.mark.parametrize(
    ("amount", "first", "again", "lost"), [("D6", [1], [5], 5), ("2D6", [1, 2], [3, 4], 7)]
)
def test_a_damage_roll_is_made_again_with_all_its_dice(
    amount: str, first: list[int], again: list[int], lost: int
) -> None:
    gun = WeaponFacts(name="gun", range=24.0, skill=3, strength=9, ap=-6, damage=amount)
    game = battle(
        [ours(weapons=(gun,)), theirs(characteristics=(("W", 12),))],
        "players.shooting",
        dice={"hit": [3], "wound": [6], "damage": first, "damage-reroll": again},
    )
    answered(game, always)
    assert [e.amount for e in game.events if isinstance(e, ev.Damaged)] == [lost]


@pytest.mark.rule("CORE.STR.1")
def test_damage_beyond_what_the_model_has_left_is_not_asked_about() -> None:
    gun = WeaponFacts(name="gun", range=24.0, skill=3, strength=9, ap=-6, damage="D6")
    game = battle(
        [ours(weapons=(gun,)), theirs(characteristics=(("W", 1),))],
        "players.shooting",
        dice={"hit": [3], "wound": [6], "damage": [1]},
    )
    assert answered(game, always) == []


@pytest.mark.rule("CORE.STR.1")
def test_the_number_of_attacks_is_rolled_again_for_one_weapon() -> None:
    """Two models with D6 attacks each: the lower roll is made again, the other stands."""
    gun = WeaponFacts(name="gun", range=24.0, attacks="D6", skill=3)
    game = battle(
        [ours(at=[(30.0, 10.0), (31.5, 10.0)], weapons=(gun,)), theirs()],
        "players.shooting",
        dice={"attacks": [5, 2], "attacks-reroll": [4], "hit": [1] * 9},
    )
    answered(game, always)
    attacked = next(e for e in game.events if isinstance(e, ev.Attacked))
    assert attacked.attacks == 9
    (again,) = [e for e in game.events if isinstance(e, ev.Rolled) and e.roll == "attacks-reroll"]
    assert again.replaces == (1,), "the log names the die of the second model"


@pytest.mark.rule("CORE.STR.1")
def test_a_hazardous_test_is_taken_again() -> None:
    gun = WeaponFacts(name="gun", range=24.0, skill=3, keywords=("hazardous",))
    game = battle(
        [ours(weapons=(gun,)), theirs()],
        "players.shooting",
        dice={"hit": [1], "hazardous": [1], "hazardous-reroll": [2]},
    )
    asked = answered(game, lambda request: always(request) if "hazardous" in request.prompt else ())
    assert clauses(asked) == ["CORE.STR.1", "CORE.STR.1"]
    assert not any(isinstance(e, ev.Damaged) for e in game.events)


# Insane Bravery


@pytest.mark.rule("CORE.STR.4")
def test_a_battle_shock_test_is_passed_once_a_battle() -> None:
    stands = [
        ours("a", [(10.0, 10.0)], starting_models=5),
        ours("b", [(40.0, 10.0)], starting_models=5),
        theirs(),
    ]
    step = "players.command.battle-shock"
    game = battle(stands, step, "players.end-of-turn", step, dice={"battle-shock": [1, 1, 6, 6, 6, 6]})
    asked = answered(game, always)
    assert clauses(asked) == ["CORE.STR.4"]
    assert [e.unit for e in game.events if isinstance(e, ev.Shocked)] == ["b"]
    passed = [e for e in game.events if isinstance(e, ev.Rolled) and e.unit == "a"]
    assert len(passed) == 1


@pytest.mark.rule("CORE.STR.4", "MISERY.9")
def test_who_fails_without_rolling_is_not_asked() -> None:
    """A card that makes players fail their tests leaves nothing to be brave about."""
    stands = [ours(starting_models=5), theirs()]
    game = battle(stands, "players.command.battle-shock", active=("misery/9-terrifying-shockwave",))
    assert answered(game, always) == []
    assert any(isinstance(e, ev.Shocked) for e in game.events)


# Go to Ground and Smokescreen


@pytest.mark.rule("CORE.STR.9", "CORE.STR.10")
@pytest.mark.parametrize(
    ("keywords", "offered"),
    [
        (("INFANTRY",), ["CORE.STR.9"]),
        (("VEHICLE",), []),
        (("VEHICLE", "SMOKE"), ["CORE.STR.10"]),
        (("INFANTRY", "SMOKE"), ["CORE.STR.9", "CORE.STR.10"]),
    ],
)
def test_who_may_go_to_ground_or_make_smoke(keywords: tuple[str, ...], offered: list[str]) -> None:
    game = battle([ours(keywords=keywords), theirs(weapons=(GUN,))], SHOOTING, dice={"hit": [1]})
    assert clauses(answered(game, never)) == offered


@pytest.mark.rule("CORE.STR.9", "CORE.STR.10")
def test_only_who_is_shot_at_goes_to_ground_or_makes_smoke() -> None:
    near = {"keywords": ("INFANTRY", "SMOKE")}
    stands = [
        ours("near", [(30.0, 10.0)], **near),
        ours("far", [(5.0, 2.0)], **near),
        theirs(weapons=(GUN,)),
    ]
    asked = answered(battle(stands, SHOOTING, dice={"hit": [1]}), never)
    assert [[option.id for option in request.options] for request in asked] == [["near"], ["near"]]


@pytest.mark.rule("CORE.STR.9")
def test_going_to_ground_ends_with_the_phase() -> None:
    stands = [ours(), theirs(weapons=(GUN,))]
    game = battle(stands, SHOOTING, "horde.charge", dice={"hit": [1]})
    answered(game, only("CORE.STR.9"))
    unit = game.state.position.units["ours"]
    assert not game.query.has_ability(unit, "cover")
    assert not any(key.startswith("under:") for key in unit.marks.values)


@pytest.mark.rule("CORE.STR.9")
def test_a_better_invulnerable_save_stays() -> None:
    lance = WeaponFacts(name="lance", range=24.0, skill=3, strength=8, ap=-6)
    stands = [ours(characteristics=(("Inv", 4),)), theirs(weapons=(lance,))]
    game = battle(stands, SHOOTING, dice={"hit": [3], "wound": [6], "save": [4]})
    answered(game, only("CORE.STR.9"))
    save = next(e for e in game.events if isinstance(e, ev.Rolled) and e.roll == "save")
    assert save.need == 4
