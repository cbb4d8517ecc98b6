"""Wounds, from an attack's damage to a destroyed model: the model that suffers, the credit."""

from __future__ import annotations

import msgspec
import pytest

from datasheets.library import Library
from engine.core import event as ev
from engine.core.event import Shot
from engine.core.facts import HORDE, PLAYERS, UnitFacts, WeaponFacts
from engine.core.game import Game
from engine.core.request import Choose, Chosen, Order, Ordered, Steps
from engine.core.ruleset import Step
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.records.rulebook import Rulebook
from engine.scenario.situation import Stand, situation
from engine.w40k.attack.attack_sequence import resolve
from engine.w40k.attack.damage import mortal_wounds

LIBRARY = Library()
RULEBOOK = Rulebook.load(LIBRARY, HORDE_1_1.language)


def gun(name: str = "gun", **facts: object) -> WeaponFacts:
    """Return a gun that needs a 3+ to hit and, on Toughness 4, a 4+ to wound."""
    return WeaponFacts(name=name, **{"range": 24.0, "skill": 3, "strength": 4, **facts})  # type: ignore[arg-type]


def shoot(
    weapons: tuple[WeaponFacts, ...],
    *targets: Stand,
    dice: dict[str, list[int]],
    turns: bool = False,
    backwards: bool = False,
) -> Game:
    """Let one model shoot all its weapons at the first target, and return the game afterwards.

    Orders of models are answered as they are asked, or backwards, or, in turn, so and backwards.
    """

    def volley(game: Game) -> Steps[bool]:
        shots = tuple(Shot(model=0, weapon=i, target=targets[0].id) for i in range(len(weapons)))
        yield from resolve(game, game.state.position.units["shooter"], shots, melee=False)
        return False

    game = situation(
        [Stand("shooter", PLAYERS, [(10.0, 5.0)], weapons=weapons), *targets],
        [Step("volley", "shooting", volley, PLAYERS)],
        HORDE_1_1,
        library=LIBRARY,
        rulebook=RULEBOOK,
        dice=dice,
    )
    asked = 0
    while game.pending is not None:
        if isinstance(game.pending, Choose):
            game.submit(Chosen(ids=(game.pending.options[0].id,)))
            continue
        assert isinstance(game.pending, Order)
        ids = tuple(item.id for item in game.pending.items)
        game.submit(Ordered(ids=ids[::-1] if backwards or (turns and asked % 2) else ids))
        asked += 1
    return game


def enemy(n: int = 1, **facts: object) -> Stand:
    """Return a target of n models in base contact."""
    return Stand("target", HORDE, [(30.0, 5.0 + 1.3 * i) for i in range(n)], **facts)  # type: ignore[arg-type]


class Led(Stand):
    """An Attached unit whose leader has Toughness 8."""

    def facts(self, first_row: int) -> UnitFacts:
        """Return the unit's facts, with a tougher last model."""
        made = super().facts(first_row)
        leader = made.models[-1]
        tough = msgspec.structs.replace(leader, characteristics={**leader.characteristics, "T": 8})
        return msgspec.structs.replace(made, models=(*made.models[:-1], tough))


def losses(game: Game) -> list[tuple[int, int]]:
    """Return each model that lost wounds, and how many, in order."""
    return [(e.model, e.amount) for e in game.events if isinstance(e, ev.Damaged)]


@pytest.mark.rule("CORE.ATK.5", "CORE.ATK.7")
@pytest.mark.parametrize(("rolled", "lost"), [([5, 5, 5, 1], 1), ([5, 1, 1, 5], 2), ([1, 1, 1, 1], 2)])
def test_every_wound_of_the_damage_may_be_ignored(rolled: list[int], lost: int) -> None:
    """Damage 4 on a model with 2 wounds and a 5+: all four wounds are rolled for, and two kill."""
    target = enemy(characteristics=(("W", 2),), abilities=("feel no pain 5+",))
    game = shoot(
        (gun(damage="4"),), target, dice={"hit": [6], "wound": [6], "save": [1], "feel-no-pain": rolled}
    )
    assert sum(amount for _, amount in losses(game)) == lost


@pytest.mark.rule("CORE.ABL.DD", "R.A76", "SP.2")
def test_what_a_dying_horde_model_kills_is_credited_to_nobody() -> None:
    beast = enemy(abilities=("deadly demise 3",))
    bystander = Stand("bystander", HORDE, [(33.0, 5.0)])
    dice = {"hit": [6], "wound": [6], "save": [1], "deadly-demise": [6]}
    game = shoot((gun(),), beast, bystander, dice=dice)
    credits = {e.unit: e.credit for e in game.events if isinstance(e, ev.UnitDestroyed)}
    assert credits == {"target": "p1", "bystander": ""}
    assert game.state.players["p1"].sp == 1


@pytest.mark.rule("CORE.WPN.DEV", "CORE.ATK.6")
def test_devastating_wounds_come_after_all_normal_damage() -> None:
    """The second gun's damage is normal, and so comes before the mortal wounds of the first."""
    cannon = gun("cannon", damage="2", keywords=("devastating wounds",))
    dice = {"hit": [6, 6], "wound": [6, 4], "save": [1]}
    game = shoot((cannon, gun("rifle")), enemy(characteristics=(("W", 4),)), dice=dice)
    mortal = [(e.mortal, e.amount) for e in game.events if isinstance(e, ev.Damaged)]
    assert mortal == [(False, 1), (True, 1), (True, 1)]


@pytest.mark.rule("CORE.WPN.DEV", "CORE.WPN.PREC")
def test_devastating_wounds_with_precision_fall_on_the_leader() -> None:
    sniper = gun("sniper", damage="1", keywords=("devastating wounds", "precision"))
    game = shoot((sniper,), enemy(3, leaders=1), dice={"hit": [6], "wound": [6]})
    assert losses(game) == [(3, 1)]


@pytest.mark.rule("CORE.WPN.BLAST")
def test_blast_counts_the_models_that_were_there_when_it_was_declared() -> None:
    mortar = gun("mortar", keywords=("blast",))
    dice = {"hit": [6, 1, 1], "wound": [6], "save": [1]}
    game = shoot((gun(), mortar), enemy(5), dice=dice)
    assert [e.attacks for e in game.events if isinstance(e, ev.Attacked)] == [1, 2]


@pytest.mark.rule("CORE.ATK.3", "CORE.ABL.LEADER")
def test_a_bodyguards_toughness_counts_until_all_attacks_are_made() -> None:
    """The first gun kills the bodyguard (T4).

    The second gun still needs a 4+, though the leader has T8.
    """
    game = shoot(
        (gun(), gun("other")),
        Led("target", HORDE, [(30.0, 5.0), (30.0, 6.3)], leaders=1),
        dice={"hit": [6, 6], "wound": [4, 4], "save": [1, 1]},
    )
    assert [e.wounds for e in game.events if isinstance(e, ev.Attacked)] == [1, 1]


@pytest.mark.rule("CORE.ATK.2")
def test_who_was_given_an_attack_takes_the_next_even_if_it_saved() -> None:
    """The owner names the first model, which saves, and then the last one.

    The second gun still strikes the first model.
    """
    dice = {"hit": [6, 6], "wound": [6, 6], "save": [6, 1]}
    game = shoot((gun(), gun("other")), enemy(2), dice=dice, turns=True)
    assert losses(game) == [(1, 1)]


@pytest.mark.rule("CORE.ATK.3", "CORE.ATK.2")
def test_a_leader_named_first_still_takes_no_attack_before_its_bodyguard() -> None:
    dice = {"hit": [6, 6, 6], "wound": [6, 6, 6], "save": [1, 1, 1]}
    game = shoot((gun(), gun("second"), gun("third")), enemy(3, leaders=1), dice=dice, backwards=True)
    assert losses(game) == [(2, 1), (1, 1), (3, 1)]


@pytest.mark.rule("CORE.ATK.6")
def test_mortal_wounds_go_on_to_the_next_model_and_no_save_is_made() -> None:
    def hurt(game: Game) -> Steps[bool]:
        if game.state.position.units["target"].rows == (0, 1, 2):
            yield from mortal_wounds(game, game.state.position.units["target"], 3, cause="TEST")
        return False

    target = Stand("target", HORDE, [(30.0, 5.0), (30.0, 6.3), (30.0, 7.6)], characteristics=(("W", 2),))
    step = Step("hurt", "shooting", hurt, PLAYERS)
    game = situation([target], [step], HORDE_1_1, library=LIBRARY, rulebook=RULEBOOK, dice={})
    while game.pending is not None:
        assert isinstance(game.pending, Order)
        game.submit(Ordered(ids=tuple(item.id for item in game.pending.items)))
    assert losses(game) == [(0, 1), (0, 1), (1, 1)]
    assert not [e for e in game.events if isinstance(e, ev.Rolled)]
