"""Leadership tests, and rolls that abilities change or let be made again."""

from __future__ import annotations

from typing import Any

import pytest

from datasheets.rule import Ask, When
from engine.core import event as ev
from engine.core.request import Said
from engine.core.ruleset import Step
from engine.w40k.activation.throw import Throw, offer_again
from engine.w40k.phase import command
from tests.engine.abilities import battle, idle, marines, rule, unit

TESTS = rule(
    "tests",
    when=(
        When(
            moment="phase-began",
            condition="phase == 'shooting'",
            do=("leadership_test(bearer, 'tested', 'phase')",),
        ),
    ),
)
AGAIN = rule("again", permit=(Ask(question="reroll-leadership", condition="unit == bearer"),))
SHOCK_AGAIN = rule("shock-again", permit=(Ask(question="reroll-battle-shock", condition="unit == bearer"),))


def taken(dice: list[int], *rules: Any, **more: Any) -> Any:
    """Return a battle in which a unit of Leadership 7 has taken a test in the Shooting phase."""
    stands = [marines("own", rules=("test/tests", *(each.id for each in rules)))]
    return battle(
        [TESTS, *rules], stands, *idle("players", "shooting")[:1], dice={"leadership": dice}, **more
    )


@pytest.mark.rule("DATASHEET.transfixing-gaze-aura-psychic", "DATASHEET.vehement-aggression")
@pytest.mark.parametrize(("dice", "said"), [([3, 4], "passed"), ([3, 3], "failed")])
def test_a_leadership_test_marks_its_unit_and_shocks_nobody(dice: list[int], said: str) -> None:
    game = taken(dice)
    marked = [e for e in game.events if isinstance(e, ev.Marked) and e.key == "tested" and e.value]
    assert [each.value for each in marked] == [said]
    assert "battle-shocked" not in unit(game, "own").marks


@pytest.mark.rule("DATASHEET.aura-of-fervour-aura", "DATASHEET.primarch-of-the-xiii-aura")
@pytest.mark.parametrize(("yes", "said"), [(True, "passed"), (False, "failed")])
def test_a_leadership_test_that_failed_may_be_taken_again(yes: bool, said: str) -> None:
    game = taken([1, 1, 6, 6], AGAIN, answers={"reroll": Said(yes=yes)})
    marked = [e for e in game.events if isinstance(e, ev.Marked) and e.key == "tested" and e.value]
    assert [each.value for each in marked] == [said]


@pytest.mark.rule("DATASHEET.aura-of-fervour-aura")
@pytest.mark.parametrize(("rules", "asked"), [((AGAIN,), 0), ((SHOCK_AGAIN,), 1)])
def test_a_battle_shock_test_is_taken_again_by_its_own_permission(rules: Any, asked: int) -> None:
    def step(game: Any) -> Any:
        yield from command.take_test(game, unit(game, "own"))
        return False

    stands = [marines("own", rules=tuple(each.id for each in rules))]
    test = Step("players.command", "command", step, "players")
    dice = {"battle-shock": [1, 1], "battle-shock-reroll": [6, 6]}
    game = battle(rules, stands, test, dice=dice, answers={"reroll": Said(yes=True)})
    again = [e for e in game.events if isinstance(e, ev.Rolled) and e.roll == "battle-shock-reroll"]
    assert len(again) == asked
    assert ("battle-shocked" in unit(game, "own").marks) == (not asked)


BETTER = rule(
    "better",
    when=(
        When(moment="thrown", condition="kind == 'advance'", do=("may_better(throw, 'bettered', 'turn')",)),
        When(moment="thrown", condition="kind == 'hit'", do=("may_better(throw, 'bettered', 'turn', 6)",)),
    ),
)


@pytest.mark.rule("DATASHEET.aquilon-optics", "DATASHEET.armorium-cherub")
@pytest.mark.parametrize("yes", [True, False])
@pytest.mark.parametrize(("kind", "dice", "after"), [("advance", [2], [5]), ("hit", [4, 2, 3], [4, 6, 3])])
def test_the_worst_roll_is_made_again_or_changed(
    kind: str, dice: list[int], after: list[int], yes: bool
) -> None:
    found = []

    def step(game: Any) -> Any:
        throw = Throw(kind, unit(game, "own"), list(dice), lambda die: die < 4, need=4)
        found.extend((yield from offer_again(game, throw)))
        return False

    stands = [marines("own", rules=("test/better",))]
    answers = {"reroll": Said(yes=yes), "stratagem": ()}
    roll = Step("players.shooting", "shooting", step, "players")
    game = battle([BETTER], stands, roll, dice={"advance-reroll": [5]}, answers=answers)
    assert found == (after if yes else dice)
    marked = [e for e in game.events if isinstance(e, ev.Marked) and e.key == "bettered" and e.value]
    assert bool(marked) == yes
