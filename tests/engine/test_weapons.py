"""Weapon abilities and wounds where someone chooses, or where order matters.

The tests check which model suffers, and what the log says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.core import event as ev
from engine.core.event import Shot
from engine.core.facts import BoardFacts, WeaponFacts
from engine.core.game import Game
from engine.core.request import Chosen, Splits, Steps
from engine.core.ruleset import Step
from engine.w40k.attack.attack_sequence import resolve
from engine.w40k.attack.damage import is_character
from engine.w40k.phase import fight, shooting

BARE = BoardFacts()


def gun(name: str = "gun", **facts: Any) -> WeaponFacts:
    """Return a gun that needs a 3+ to hit and, on Toughness 4, a 4+ to wound."""
    return WeaponFacts(name=name, **{"range": 24.0, "skill": 3, "strength": 4, **facts})


def row(n: int, x: float, y: float = 5.0) -> list[tuple[float, float]]:
    """Return places for n models in base contact."""
    return [(x, y + 1.26 * i) for i in range(n)]


@pytest.fixture(name="fire")
def _fire(
    play: Callable[..., Game], marines: Callable[..., Any], foes: Callable[..., Any]
) -> Callable[..., Game]:
    """Return a function that lets the players' models fire what is named at the foes.

    It returns the game after that. `shots` are (model, weapon) pairs; what Precision and Hazardous ask is
    answered by `answers`; `before` has happened before.
    """

    def fire(
        shots: list[tuple[int, int]],
        shooters: dict[str, Any],
        targets: dict[str, Any],
        *more: Any,
        answers: dict[str, Any] | None = None,
        before: tuple[ev.Event, ...] = (),
        **given: Any,
    ) -> Game:
        def volley(game: Game) -> Steps[bool]:
            for event in before:
                game.log(event)
            unit = game.state.position.units["marines"]
            declared = tuple(Shot(model=m, weapon=w, target="foes") for m, w in shots)
            yield from resolve(game, unit, declared, melee=False)
            return False

        stands = [marines(**{"at": row(1, 10.0), **shooters}), foes(**{"at": row(3, 30.0), **targets}), *more]
        step = Step("volley", "shooting", volley, "players")
        return play(stands, step, answers=answers, board=BARE, **given)

    return fire


def lost(game: Game) -> list[tuple[int, int]]:
    """Return each model that lost wounds, and how many, in order."""
    return [(e.model, e.amount) for e in game.events if isinstance(e, ev.Damaged)]


PRECISE = (gun(keywords=("precision",), attacks="2"),)
LED = {"leaders": 1, "characteristics": (("W", 2),)}


@pytest.mark.rule("CORE.WPN.PREC")
@pytest.mark.parametrize(("answer", "suffers"), [((), 1), (("3",), 3)])
def test_the_attacker_chooses_whether_precision_strikes_the_leader(
    fire: Callable[..., Game], answer: tuple[str, ...], suffers: int
) -> None:
    dice = {"hit": [6, 6], "wound": [6, 6], "save": [1, 1]}
    game = fire(
        [(0, 0)],
        {"weapons": PRECISE},
        {"at": row(3, 30.0), **LED},
        answers={"precision": Chosen(ids=answer)},
        dice=dice,
    )
    assert lost(game) == [(suffers, 1), (suffers, 1)]


@pytest.mark.rule("CORE.WPN.PREC", "CORE.ATK.3")
def test_when_the_leader_is_dead_the_rest_goes_to_its_bodyguard(fire: Callable[..., Game]) -> None:
    dice = {"hit": [6, 6], "wound": [6, 6], "save": [1, 1]}
    game = fire(
        [(0, 0)],
        {"weapons": PRECISE},
        {"at": row(3, 30.0), "leaders": 1},
        answers={"precision": Chosen(ids=("3",))},
        dice=dice,
    )
    assert lost(game) == [(3, 1), (1, 1)]
    assert not game.state.position.units["foes"].is_attached


@pytest.mark.rule("CORE.WPN.PREC")
def test_precision_needs_a_leader_in_sight(fire: Callable[..., Game]) -> None:
    """A unit without a leader is asked about by nobody."""
    game = fire([(0, 0)], {"weapons": PRECISE}, {}, dice={"hit": [6, 6], "wound": [6, 6], "save": [1, 1]})
    assert len(lost(game)) == 2


HOT = (gun("hot", keywords=("hazardous",)), gun("cold"))


@pytest.mark.rule("CORE.WPN.HAZ")
def test_a_wounded_bearer_suffers_first_whoever_fired(fire: Callable[..., Game]) -> None:
    """Both carry the weapon, the whole one fires it, and the wounded one suffers."""
    weapons_of, tough = ((0,), (0, 1)), (("W", 5),)
    shooters = {"at": row(2, 10.0), "weapons": HOT, "weapons_of": weapons_of, "characteristics": tough}
    hurt = ev.Damaged(unit="marines", model=1, amount=1, wounds=4)
    dice = {"hit": [1, 1], "hazardous": [1]}
    game = fire([(0, 0), (1, 1)], shooters, {}, before=(hurt,), dice=dice)
    assert lost(game) == [(1, 1)] * 4


@pytest.mark.rule("CORE.WPN.HAZ")
def test_a_leader_suffers_only_when_no_other_bearer_is_left(fire: Callable[..., Game]) -> None:
    """Of three dice two are 1s: the bodyguard's bearer dies first, then the leader."""
    shooters = {"at": row(3, 10.0), "weapons": HOT, "weapons_of": ((1,), (0,), (0,)), "leaders": 1}
    dice = {"hit": [1, 1, 1], "hazardous": [1, 1]}
    game = fire([(0, 1), (1, 0), (2, 0)], shooters, {}, dice=dice)
    assert [model for model, _ in lost(game)] == [1, 2]
    unit = game.state.position.units["marines"]
    assert not any(is_character(unit, game.state.position.models[r]) for r in unit.rows)


@pytest.mark.rule("CORE.WPN.HAZ")
def test_the_owner_picks_among_equal_bearers(fire: Callable[..., Game]) -> None:
    shooters = {"at": row(3, 10.0), "weapons": HOT[:1]}
    dice = {"hit": [1, 1, 1], "hazardous": [2, 1, 2]}

    game = fire([(0, 0), (1, 0), (2, 0)], shooters, {}, dice=dice, order=lambda ids: ids[::-1])
    assert lost(game) == [(2, 1)]


@pytest.mark.rule("CORE.SHOOT.3", "CORE.WPN.HAZ")
def test_attacks_on_a_unit_that_is_gone_are_lost_but_hazards_stay(fire: Callable[..., Game]) -> None:
    weapons = (gun("rifle"), gun("plasma", keywords=("hazardous",)))
    dice = {"hit": [6], "wound": [6], "save": [1], "hazardous": [1]}
    game = fire([(0, 0), (0, 1)], {"weapons": weapons}, {"at": row(1, 30.0)}, dice=dice)
    assert [e.weapon for e in game.events if isinstance(e, ev.Attacked)] == ["rifle"]
    assert game.state.position.units["marines"].where == "destroyed"


@pytest.mark.rule("CORE.SHOOT.3", "CORE.WPN.RF")
def test_what_was_in_half_range_when_declared_counts(fire: Callable[..., Game]) -> None:
    """The first gun kills the only model in half range; the second keeps its further attack."""
    weapons = (gun("rifle"), gun("bolter", keywords=("rapid fire 1",)))
    targets = {"at": [(21.0, 5.0), (23.6, 5.0)]}
    dice = {"hit": [6, 1, 1], "wound": [6], "save": [1]}
    game = fire([(0, 0), (0, 1)], {"weapons": weapons}, targets, dice=dice)
    assert [e.attacks for e in game.events if isinstance(e, ev.Attacked)] == [1, 2]


@pytest.mark.rule("CORE.SHOOT.3", "CORE.WPN.BLAST")
def test_blast_counts_the_models_that_stood_when_it_was_declared(fire: Callable[..., Game]) -> None:
    """Five stand; one falls to the first gun, and the second still has its further attack."""
    weapons = (gun("rifle"), gun("mortar", keywords=("blast",)))
    dice = {"hit": [6, 1, 1], "wound": [6], "save": [1]}
    game = fire([(0, 0), (0, 1)], {"weapons": weapons}, {"at": row(5, 30.0)}, dice=dice)
    assert [e.attacks for e in game.events if isinstance(e, ev.Attacked)] == [1, 2]


@pytest.mark.rule("CORE.SHOOT.8")
def test_random_attacks_are_rolled_for_each_weapon(fire: Callable[..., Game]) -> None:
    shooters = {"at": row(3, 10.0), "weapons": (gun(attacks="D6"),)}
    game = fire([(0, 0), (1, 0), (2, 0)], shooters, {}, dice={"attacks": [1, 4, 6]})
    assert [e.attacks for e in game.events if isinstance(e, ev.Attacked)] == [11]


@pytest.mark.rule("CORE.ATK.2")
def test_a_model_that_was_given_attacks_takes_the_next_volley_too(fire: Callable[..., Game]) -> None:
    """The second gun's wound falls on the model that saved against the first.

    It does not matter which model is named then.
    """
    weapons = (gun("rifle"), gun("cannon", ap=-1))
    dice = {"hit": [6, 6], "wound": [6, 6], "save": [6, 1]}
    asked: list[tuple[str, ...]] = []

    def so_and_backwards(ids: tuple[str, ...]) -> tuple[str, ...]:
        asked.append(ids)
        return ids if len(asked) == 1 else ids[::-1]

    game = fire([(0, 0), (0, 1)], {"weapons": weapons}, {}, dice=dice, order=so_and_backwards)
    assert len(asked) == 2
    assert lost(game) == [(1, 1)]


@pytest.mark.rule("CORE.WPN.ONE")
def test_a_one_shot_weapon_fires_once_a_battle(
    play: Callable[..., Game], marines: Callable[..., Any], foes: Callable[..., Any]
) -> None:
    """Of two like missiles one is left after the first shot, none after the second."""
    missile = gun("missile", keywords=("one shot",))
    offered = []

    def shots(game: Game) -> Steps[bool]:
        unit = game.state.position.units["marines"]
        for _ in range(3):
            lines = shooting.lines(game, unit)
            offered.append(len(lines))
            if lines:
                yield from shooting.shoot(game, unit)
            unit.marks.expire("turn")
        return False

    def one(game: Game) -> Any:
        line = game.pending.lines[0]
        return Splits(shots=(Shot(model=line.model, weapon=line.weapon, target=line.targets[0]),))

    stands = [marines(at=row(1, 10.0), weapons=(missile,), weapons_of=((0, 0),)), foes(at=row(3, 30.0))]
    play(stands, Step("shots", "shooting", shots, "players"), answers={"shoot": one}, board=BARE)
    assert offered == [2, 1, 0]


@pytest.mark.rule("CORE.WPN.EXTRA", "CORE.FGT.6")
def test_extra_attacks_come_besides_one_other_weapon(
    play: Callable[..., Game], marines: Callable[..., Any], foes: Callable[..., Any]
) -> None:
    """Two blades are one or the other; the claw is used besides either."""
    melee = {"range": None}
    weapons = (gun("sword", **melee), gun("axe", **melee), gun("claw", keywords=("extra attacks",), **melee))
    found = []

    def look(game: Game) -> Steps[bool]:
        found.extend(
            (line.weapon, line.set) for line in fight.lines(game, game.state.position.units["marines"])
        )
        return False
        yield

    stands = [marines(at=row(1, 10.0), weapons=weapons), foes(at=row(1, 11.5))]
    play(stands, Step("look", "fight", look, "players"), board=BARE)
    assert found == [(0, "sword"), (1, "axe"), (2, "")]


def trail_of(game: Game, number: str) -> ev.NumberTrail:
    """Return the trail of the only such number in the log."""
    rolled = [e.trail for e in game.events if isinstance(e, ev.Rolled) and e.roll == number and e.trail]
    (found,) = rolled or [e.trail for e in game.events if isinstance(e, ev.Damaged) and e.trail]
    return found


@pytest.mark.rule("CORE.DICE.3", "CORE.ABL.STEALTH", "CORE.SHOOT.4")
def test_the_trail_of_a_hit_roll_tells_what_came_to_nothing(
    fire: Callable[..., Game], marines: Callable[..., Any]
) -> None:
    """Two penalties are told, and the cap that takes one of them back."""
    beast = {"at": row(1, 30.0), "keywords": ("MONSTER",), "abilities": ("stealth",)}
    friend = marines("friend", at=[(31.5, 5.0)])
    game = fire([(0, 0)], {"weapons": (gun(),)}, beast, friend, dice={"hit": [1]})
    trail = trail_of(game, "hit")
    assert (trail.base, trail.value) == (3, 4)
    assert trail.steps == (("CORE.ABL.STEALTH", 4), ("CORE.SHOOT.4", 5), ("CORE.DICE.3", 4))


@pytest.mark.rule("CORE.ATK.4", "CORE.COV.1")
def test_the_trail_of_a_save_tells_ap_and_cover(fire: Callable[..., Game]) -> None:
    hidden = {"at": row(1, 30.0), "abilities": ("cover",)}
    dice = {"hit": [6], "wound": [6], "save": [6]}
    game = fire([(0, 0)], {"weapons": (gun(ap=-2),)}, hidden, dice=dice)
    trail = trail_of(game, "save")
    assert (trail.base, trail.value) == (3, 4)
    assert trail.steps == (("CORE.ATK.4", 5), ("CORE.COV.1", 4))


@pytest.mark.rule("CORE.WPN.MELTA", "CORE.ATK.5", "CORE.ATK.7")
def test_the_trail_of_damage_tells_every_change(fire: Callable[..., Game]) -> None:
    """4 rolled, 2 of the melta, 1 ignored, and 2 more than the model has."""
    melta = gun("melta", damage="D6", keywords=("melta 2",))
    targets = {"at": row(1, 18.0), "characteristics": (("W", 3),), "abilities": ("feel no pain 6+",)}
    dice = {"hit": [6], "wound": [6], "save": [1], "damage": [4], "feel-no-pain": [1, 1, 6, 1, 1, 1]}
    game = fire([(0, 0)], {"weapons": (melta,)}, targets, dice=dice)
    (hurt,) = [e for e in game.events if isinstance(e, ev.Damaged)]
    assert hurt.trail is not None
    assert (hurt.trail.base, hurt.trail.value) == (4, 3)
    assert hurt.trail.steps == (("CORE.WPN.MELTA", 6), ("CORE.ATK.7", 5), ("CORE.ATK.5", 3))
