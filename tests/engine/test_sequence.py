"""The order of rules that apply at once: which side decides it, and when it is not asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ai.reckoning.allocation import allocate
from datasheets.library import Library
from datasheets.rule import Rule, When
from engine.core import event as ev
from engine.core.facts import BoardFacts
from engine.core.game import Game
from engine.core.request import Option, Order, Ordered, Steps
from engine.core.ruleset import Step
from engine.horde.language import LANGUAGE
from engine.horde.steps import mission
from engine.records.compiled import Compiled
from engine.records.rulebook import Rulebook, compiled_rules
from engine.records.sequence import matter_of, may_matter

Make = Callable[..., Any]
WOUNDS = "mortal_wounds(unit, 1)"
MINE = "unit where unit == bearer"
FIRST = {"moment": "phase-began", "condition": "phase == 'shooting'"}


def rule(name: str, *tags: str, do: str = WOUNDS, each: str = MINE, **more: Any) -> Rule:
    """Return a rule that does something as the Shooting phase begins, by default to its bearer."""
    when = When(**{**FIRST, "each": each, "do": (do,), **more})
    return Rule(
        id=f"test/{name}", clause=f"TEST.{name}", name=name, source="", summary="", tags=tags, when=(when,)
    )


HURT, HARM = rule("hurt"), rule("harm")
SHOCK = rule("shock", do="battle_shock_test(unit)")
PAY, EARN = (
    rule(name, do=f"gain('p1', 'sp', {amount})", each="") for name, amount in (("pay", 1), ("earn", 2))
)
NOTE, JOT = (rule(name, do=f"mark(unit, '{name}')") for name in ("note", "jot"))
CARD, CURSE = (
    rule(name, "misery", each="unit where player(unit)", do=f"mortal_wounds(unit, {amount})")
    for name, amount in (("card", 1), ("curse", 2))
)


@pytest.fixture
def battle(play: Callable[..., Game]) -> Callable[..., tuple[list[list[str]], list[str]]]:
    """Return a function that plays the start of a phase.

    It returns what was asked to be ordered, and the order in which rules came.
    """

    def idle(game: Game) -> Steps[bool]:
        return False
        yield

    def played(
        stands: list[Any], *rules: Rule, turn: str | None = "players", turned: bool = False, **more: Any
    ) -> tuple[list[list[str]], list[str]]:
        asked: list[list[str]] = []

        def order(ids: tuple[str, ...]) -> tuple[str, ...]:
            asked.append(list(ids))
            return ids[::-1] if turned else ids

        known = [each for each in compiled_rules(Library(), LANGUAGE) if "core" in each.rule.tags]
        book = Rulebook((*known, *(Compiled(each, LANGUAGE).checked() for each in rules)))
        step = Step("s", "shooting", idle, turn)
        game = play(stands, step, rulebook=book, order=order, board=BoardFacts(), **more)
        came = [e.cause for e in game.events if e.cause.startswith("TEST.")]
        return asked, list(dict.fromkeys(came))

    return played


def squad(marines: Make, *names: str, **more: Any) -> Any:
    tough = (("W", 9), ("Sv", 7))
    return marines(rules=tuple(f"test/{name}" for name in names), characteristics=tough, **more)


@pytest.mark.rule("CORE.SEQ.1")
@pytest.mark.parametrize("turned", [False, True])
def test_in_their_turn_the_players_order_what_comes_at_once(battle: Any, marines: Make, turned: bool) -> None:
    asked, came = battle([squad(marines, "hurt", "shock")], HURT, rule("shock", do=WOUNDS), turned=turned)
    assert asked == [["0", "1"]]
    assert came == (["TEST.shock", "TEST.hurt"] if turned else ["TEST.hurt", "TEST.shock"])


@pytest.mark.rule("CORE.SEQ.1")
def test_in_their_turn_they_order_the_hordes_rules_too(battle: Any, marines: Make, foes: Make) -> None:
    stands = [squad(marines, "hurt"), foes(rules=("test/harm",), characteristics=(("W", 9),))]
    asked, came = battle(stands, HURT, HARM, turned=True)
    assert asked == [["0", "1"]]
    assert came == ["TEST.harm", "TEST.hurt"]


@pytest.mark.rule("CORE.SEQ.1")
def test_in_its_turn_the_hordes_chance_orders_everything(battle: Any, marines: Make) -> None:
    """Nobody is asked; over some seeds either comes first."""
    orders = set()
    for seed in range(12):
        asked, came = battle([squad(marines, "hurt", "harm")], HURT, HARM, turn="horde", seed=seed)
        assert asked == []
        orders.add(tuple(came))
    assert orders == {("TEST.hurt", "TEST.harm"), ("TEST.harm", "TEST.hurt")}


@pytest.mark.rule("CORE.SEQ.1", "R.ORDER")
def test_outside_a_turn_the_players_come_first_and_then_the_hordes_chance(battle: Any, marines: Make) -> None:
    orders = set()
    for seed in range(12):
        asked, came = battle(
            [squad(marines, "hurt", "harm")],
            HURT,
            HARM,
            CARD,
            CURSE,
            turn=None,
            turned=True,
            seed=seed,
            active=("test/card", "test/curse"),
        )
        assert len(asked) == 1
        assert len(asked[0]) == 2
        assert came[:2] == ["TEST.harm", "TEST.hurt"]
        orders.add(tuple(came[2:]))
    assert orders == {("TEST.card", "TEST.curse"), ("TEST.curse", "TEST.card")}


@pytest.mark.rule("CORE.SEQ.1", "R.ORDER")
@pytest.mark.parametrize(("dice", "players"), [([5, 2], True), ([3, 3, 5, 2], True), ([2, 5], False)])
def test_outside_a_turn_the_sides_may_roll_off_for_the_order(
    battle: Any, marines: Make, dice: list[int], players: bool
) -> None:
    """The side that rolls higher orders the rules of both sides; equal dice are rolled again."""
    orders = set()
    for seed in range(1 if players else 12):
        asked, came = battle(
            [squad(marines, "hurt")],
            HURT,
            CARD,
            turn=None,
            turned=True,
            seed=seed,
            active=("test/card",),
            dice={"roll-off": dice},
            rulings={"order.outside_turn": "roll_off"},
        )
        assert len(asked) == players
        orders.add(tuple(came))
    both = {("TEST.hurt", "TEST.card"), ("TEST.card", "TEST.hurt")}
    assert orders < both if players else orders == both


@pytest.mark.rule("CORE.SEQ.1", "R.ORDER")
def test_one_side_s_rules_need_no_roll_off(battle: Any, marines: Make) -> None:
    asked, came = battle(
        [squad(marines, "hurt", "harm")],
        HURT,
        HARM,
        turn=None,
        turned=True,
        dice={"roll-off": [1, 6]},
        rulings={"order.outside_turn": "roll_off"},
    )
    assert asked == [["0", "1"]]
    assert came == ["TEST.harm", "TEST.hurt"]


@pytest.mark.rule("CORE.SEQ.1")
@pytest.mark.parametrize("names", [("pay", "earn"), ("note", "jot"), ("hurt",), ("pay", "hurt")])
def test_nobody_is_asked_where_the_order_cannot_matter(
    battle: Any, marines: Make, names: tuple[str, ...]
) -> None:
    """What only adds up, or writes different marks, or is alone."""
    asked, came = battle([squad(marines, *names)], PAY, EARN, NOTE, JOT, HURT)
    assert asked == []
    assert came == [f"TEST.{name}" for name in names]


@pytest.mark.rule("CORE.SEQ.1")
def test_a_rule_that_does_not_apply_is_not_ordered(battle: Any, marines: Make) -> None:
    idle = rule("idle", condition="phase == 'shooting' and round == 9")
    asked, came = battle([squad(marines, "hurt", "idle")], HURT, idle)
    assert asked == []
    assert came == ["TEST.hurt"]


@pytest.mark.rule("CORE.SEQ.1")
def test_one_rule_in_the_same_hands_is_not_ordered_against_itself(battle: Any, marines: Make) -> None:
    stands = [squad(marines, "hurt"), squad(marines, "hurt", name="others", at=[(40.0, 8.0)])]
    assert battle(stands, HURT)[0] == []


@pytest.mark.rule("CORE.SEQ.1")
@pytest.mark.parametrize(
    ("one", "other", "matters"),
    [
        (HURT, SHOCK, True),
        (HURT, PAY, False),
        (
            HURT,
            rule("spoils", do="gain('p1', 'sp', 1)", each="", condition="some('unit where horde(unit)')"),
            True,
        ),
        (NOTE, JOT, False),
        (rule("here", do="mark(here, 'x')"), rule("there", do="mark(here, 'x')"), False),
        (NOTE, rule("wipe", do="clear(unit, 'note')"), True),
        (NOTE, rule("ask", each="unit where marked(unit, 'note')", do="gain('p1', 'sp', 1)"), True),
        (JOT, rule("ask", each="unit where marked(unit, 'note')", do="gain('p1', 'sp', 1)"), False),
    ],
)
def test_when_the_order_can_matter(one: Rule, other: Rule, matters: bool) -> None:
    a, b = (matter_of(Compiled(each, LANGUAGE).checked().reactions, LANGUAGE) for each in (one, other))
    assert may_matter(a, b) is matters
    assert may_matter(b, a) is matters


@pytest.mark.rule("CORE.SEQ.1", "R.ORDER")
@pytest.mark.parametrize("turned", [False, True])
def test_the_players_order_the_missions_that_are_counted_up(play: Callable[..., Game], turned: bool) -> None:
    """Of three they say the order once, as the round ends."""
    cards = tuple(
        f"secondary/{name}"
        for name in ("7-decapitation-strike", "11-use-it-or-lose-it", "12-control-the-battlefield")
    )
    asked: list[int] = []

    def order(ids: tuple[str, ...]) -> tuple[str, ...]:
        asked.append(len(ids))
        return ids[::-1] if turned else ids

    def put(game: Game) -> Steps[bool]:
        for card in cards:
            game.log(ev.CardRevealed(deck="secondary", card=card))
        return False
        yield

    steps = (Step("put", "x", put), Step("count", "end-of-round", mission.resolve_missions))
    game = play([], *steps, decks={"secondary": cards}, order=order)
    came = [e.card for e in game.events if isinstance(e, ev.MissionResolved)]
    assert asked == [3]
    assert came == list(cards[::-1] if turned else cards)


def test_agents_order_rules_as_they_come() -> None:
    request = Order(
        seats=("p1",),
        rule="CORE.SEQ.1",
        decision="order",
        prompt="",
        items=(Option(id="1", label="b"), Option(id="0", label="a")),
    )
    assert allocate(None, request) == Ordered(ids=("1", "0"))  # type: ignore[arg-type]
