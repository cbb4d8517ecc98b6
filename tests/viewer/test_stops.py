"""Which questions are put to a person: the kinds, what matters, and what is settled."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ai.agents import agent
from ai.autopilot.stratagem import Weighed
from ai.horde.game_master import TIE
from engine.core import event as ev
from engine.core.facts import BoardFacts, ObjectiveFacts, WeaponFacts
from engine.core.game import Game
from engine.core.play import play
from engine.core.request import AnyRequest, Choose, Chosen, Option, Order, Ordered, Said, Steps, YesNo
from engine.core.ruleset import Step
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.scenario.situation import Stand, situation
from engine.w40k.activation.champion import GRENADIER
from engine.w40k.flight import HOVER
from engine.w40k.phase.movement import SCOUT
from engine.w40k.phase.surge import SURGE
from engine.w40k.view import View
from viewer.input import stops
from viewer.input.gate import Gate
from viewer.input.settings import Rules
from viewer.input.stops import ASKINGS, NAMED, OF_DECISIONS, OFFER, kind_of

ENGINE = Path(__file__).parents[2] / "engine"
REQUESTS = {"Choose", "Move", "Place", "Split", "Order", "YesNo", "Asking", "move_up_to", "single_out"}
"""What the engine calls to ask something, and functions that are given the decision."""
PLACES = {"Asking": 1, "single_out": 3}
"""The place of the decision among the arguments, where it has no name."""
BY_NAME: dict[str, tuple[str, ...]] = {
    "RETURN": ("return",),
    "HOVER": (HOVER,),
    "SCOUT": (SCOUT,),
    "SURGE": (SURGE,),
    "champion.GRENADIER": (GRENADIER,),
    "kind": ("pile-in", "consolidate"),
    "key": (),
    "asking.decision": (),
    "decision": (),
}
"""The decisions that a name stands for; none for one that is passed on."""
GUN = WeaponFacts(name="rifle", range=24.0, attacks="2", skill=3)
BOARD = BoardFacts(objectives=(ObjectiveFacts(id="home", at=(30.0, 5.0)),))


def decisions() -> Iterator[str]:
    """Yield every decision that the engine asks somebody for."""
    for path in sorted(ENGINE.rglob("*.py")):
        if "scenario" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                yield from decisions_of(node)


def decisions_of(call: ast.Call) -> Iterator[str]:
    """Yield the decisions that a call asks for; a name that is not known here fails the test."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name not in REQUESTS:
        return
    given = [word.value for word in call.keywords if word.arg == "decision"]
    given += [call.args[PLACES[name]]] if not given and name in PLACES else []
    for value in given:
        if isinstance(value, ast.Constant):
            yield str(value.value)
        else:
            yield from BY_NAME[ast.unparse(value)]


def test_every_decision_of_the_engine_has_a_kind_and_no_other_has() -> None:
    found = set(decisions())
    assert len(found) > 40
    assert found - {OFFER} == set(OF_DECISIONS) - {TIE}
    assert set(OF_DECISIONS.values()) <= set(NAMED)


def test_what_is_weighed_says_when_it_matters_and_the_rest_is_put_or_not() -> None:
    for kind in NAMED.values():
        assert kind.asking in ASKINGS
        assert bool(kind.weigh) == bool(kind.when) == (kind.asking == "matters"), kind.name
        assert (kind.threshold is not None) == kind.declines, kind.name


def asking(*requests: AnyRequest) -> Step:
    """Return a step that asks these questions."""

    def ask(game: Game) -> Steps[bool]:
        for request in requests:
            answers.append((yield request))
        return False

    answers: list[object] = []

    return Step("asking", "shooting", ask)


def table(
    *requests: AnyRequest,
    at: tuple[tuple[float, float], ...] = ((28.0, 15.0), (30.0, 15.0)),
    foe: tuple[float, float] = (30.0, 30.0),
) -> Game:
    """Return a battle of some marines that are asked these questions."""
    marines = Stand("marines", "players", list(at), weapons=(GUN,))
    foes = Stand("foes", "horde", [foe], weapons=(GUN,))
    return situation([marines, foes], [asking(*requests)], HORDE_1_1, board=BOARD)


def choice(*ids: str, **more: Any) -> Choose:
    options = tuple(Option(id=one, label=one.capitalize()) for one in ids)
    words = {
        "seats": ("p1",),
        "rule": "MISERY.1",
        "decision": "target",
        "prompt": "Which?",
        "options": options,
    }
    return Choose(**{**words, **more})


def offer(rule: str = "CORE.STR.1", **more: Any) -> Choose:
    return choice("marines", rule=rule, decision=OFFER, minimum=0, unit="marines", **more)


def asked(gate: Gate, game: Game) -> object:
    """Return the answer to what is pending that is given unasked, None where it is put."""
    request = game.pending
    assert request is not None
    view = View(game, "p1")
    return gate.unasked(view, request, agent("steady").answer(view, request))


@pytest.fixture
def worth(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the worth and the price of the next offer, to be set."""
    numbers = [0.0, 24.0]
    monkeypatch.setattr(stops, "weighed", lambda view, request: Weighed("marines", numbers[0], numbers[1]))
    return numbers


@pytest.mark.parametrize(
    ("value", "price", "threshold", "is_put"),
    [
        (23.9, 24.0, 1.0, False),
        (24.0, 24.0, 1.0, True),
        (24.0, 24.0, 1.5, False),
        (36.0, 24.0, 1.5, True),
        (12.0, 24.0, 0.5, True),
        (0.0, 0.0, 1.0, False),
        (0.1, 0.0, 1.0, True),
    ],
)
def test_an_offer_is_put_from_its_threshold_on(
    worth: list[float], value: float, price: float, threshold: float, is_put: bool
) -> None:
    worth[:] = [value, price]
    gate = Gate(Rules().changed("command-re-roll", [str(threshold)]))
    answer = asked(gate, table(offer()))
    assert (answer is None) == is_put
    if not is_put:
        assert isinstance(answer, Chosen)
        assert answer.ids == ()


def test_what_is_skipped_is_told_with_its_worth_and_counted(worth: list[float]) -> None:
    worth[:] = [14.72, 24.0]
    gate = Gate(Rules())
    asked(gate, table(offer("ARMY.10.storm-of-fire")))
    asked(gate, table(offer()))
    assert gate.take_told() == [
        "Skipped: Storm of Fire, worth 14.7 of 24",
        "Skipped: Command Re-roll, worth 14.7 of 24",
    ]
    assert gate.take_told() == []
    assert gate.counts.told == "1 detachment-stratagem, 1 command-re-roll"
    assert not gate.counts.stops


def test_an_offer_that_cannot_be_weighed_is_put() -> None:
    assert asked(Gate(Rules()), table(offer("ARMY.10.nobody-knows-it"))) is None


def test_rules_put_an_offer_always_or_never_and_without_rules_all_is_put(worth: list[float]) -> None:
    worth[:] = [1.0, 24.0]
    assert asked(Gate(Rules().changed("stratagem", ["always"])), table(offer())) is None
    assert asked(Gate(), table(offer())) is None
    worth[:] = [99.0, 24.0]
    never = asked(Gate(Rules().changed("stratagem", ["never"])), table(offer()))
    assert isinstance(never, Chosen)
    assert never.ids == ()


def test_a_moment_that_was_kept_is_put_again_only_where_it_is_worth_more(worth: list[float]) -> None:
    game, gate = table(offer(), offer(), offer()), Gate(Rules())
    given = []
    for value in (30.0, 29.0, 31.0):
        worth[0] = value
        given.append(asked(gate, game))
        request = game.pending
        assert request is not None
        if given[-1] is None:
            gate.answered(View(game, "p1"), request, Chosen(ids=()))
        game.submit(Chosen(ids=()), "p1")
    assert [each is None for each in given] == [True, False, True]


def test_a_question_with_one_answer_is_settled_and_one_with_two_is_put() -> None:
    assert asked(Gate(Rules()), table(choice("foes"))) == agent("steady").answer(
        View(table(choice("foes")), "p1"), choice("foes")
    )
    assert asked(Gate(Rules()), table(choice("foes", "marines"))) is None
    assert asked(Gate(), table(choice("foes"))) is None
    assert asked(Gate(Rules()), table(choice("foes", minimum=0))) is None


def order(*rows: int) -> Order:
    items = tuple(Option(id=str(row), label="Marine") for row in rows)
    words: dict[str, Any] = {
        "rule": "CORE.ATK.2",
        "decision": "allocation",
        "prompt": "Who?",
        "unit": "marines",
    }
    return Order(seats=("p1",), items=items, **words)


NEAR, FAR = (30.0, 8.0), (30.0, 15.0)


@pytest.mark.rule("CORE.ATK.2")
@pytest.mark.parametrize(
    ("at", "foe", "wounded", "is_put"),
    [
        ((NEAR, FAR), (30.0, 3.0), False, True),
        ((NEAR, FAR), (30.0, 30.0), False, False),
        ((FAR, (28.0, 15.0)), (30.0, 3.0), False, False),
        ((NEAR, FAR), (30.0, 3.0), True, False),
    ],
)
def test_the_order_of_wounds_is_put_where_models_hold_other_contested_markers(
    at: tuple[tuple[float, float], ...], foe: tuple[float, float], wounded: bool, is_put: bool
) -> None:
    marines = Stand("marines", "players", list(at), weapons=(GUN,), characteristics=(("W", 2),))
    foes = Stand("foes", "horde", [foe], weapons=(GUN,))
    game = situation([marines, foes], [asking(order(0, 1))], HORDE_1_1, board=BOARD)
    if wounded:
        game.log(ev.Damaged(unit="marines", model=1, amount=1, wounds=1, by="foes"))
    assert (asked(Gate(Rules()), game) is None) == is_put


def test_the_order_that_a_person_gave_stands_for_the_phase() -> None:
    both = order(0, 1, 2), order(0, 1)
    game, gate = table(*both, at=(NEAR, FAR, (28.0, 15.0)), foe=(30.0, 3.0)), Gate(Rules())
    assert asked(gate, game) is None
    request = game.pending
    assert request is not None
    gate.answered(View(game, "p1"), request, Ordered(ids=("2", "1", "0")))
    game.submit(Ordered(ids=("2", "1", "0")), "p1")
    assert asked(gate, game) == Ordered(ids=("1", "0"))


def test_a_free_roll_is_put_where_it_has_no_need() -> None:
    words: dict[str, Any] = {
        "seats": ("p1",),
        "rule": "CORE.DICE.1",
        "decision": "reroll",
        "prompt": "Again?",
    }
    assert asked(Gate(Rules()), table(YesNo(rolled=2, **words))) is None
    again = asked(Gate(Rules()), table(YesNo(rolled=2, need=4, **words)))
    assert isinstance(again, Said)
    assert again.yes


def test_an_adviser_that_errs_is_seen_by_its_person() -> None:
    game = table(choice("foes", "marines", rule="ARMY.10.oath-of-moment"))
    request = game.pending
    assert request is not None
    view, gate = View(game, "p1"), Gate(Rules())
    assert kind_of(view, request).asking == "never"
    assert gate.unasked(view, request, Chosen(ids=("nobody",))) is None
    assert gate.unasked(view, request, Chosen(ids=("foes",))) == Chosen(ids=("foes",))


def test_the_first_unit_of_a_phase_is_a_stop_and_what_follows_is_called_up() -> None:
    words = {"decision": "next-unit", "rule": "CORE.MOVE.1"}
    move = {"decision": "move", "rule": "CORE.MOVE.1"}
    both = ("marines", "foes")
    game = table(choice(*both, **words), choice(*both, **move), choice(*both, **words), choice(*both))
    gate = Gate(Rules())
    marines = Chosen(ids=("marines",))
    while game.pending is not None:
        assert gate.unasked(View(game, "p1"), game.pending, marines) is None
        game.submit(marines, "p1")
    assert {kind: many for (kind, _), many in gate.counts.stops.items()} == {"phase": 1, "card": 1}
    assert gate.counts.called_up == {"act": 1, "phase": 1}


def test_an_act_that_nobody_called_up_is_a_stop() -> None:
    game, gate = table(choice("marines", "foes", decision="shoot", rule="CORE.SHOOT.2")), Gate(Rules())
    assert asked(gate, game) is None
    assert [kind for kind, _ in gate.counts.stops] == ["act"]


def test_behind_the_default_rules_the_autopilot_s_suggestions_give_its_own_battle() -> None:
    from tests.viewer.test_terminal import FIGHT, MOVEMENT, SHOOTING
    from tests.viewer.test_terminal import table as battle

    class Person:
        name = "person"

        def answer(self, view: View, request: AnyRequest) -> Any:
            advice = agent("steady").answer(view, request)
            return gate.unasked(view, request, advice) or advice

    near, gate = [(28.0, 9.5), (30.0, 9.5), (32.0, 9.5)], Gate(Rules())
    asked_all, by_rules = (battle(MOVEMENT, SHOOTING, FIGHT, foes=near) for _ in range(2))
    play(asked_all, {"horde": agent("horde"), "p1": agent("steady")}, View)
    play(by_rules, {"horde": agent("horde"), "p1": Person()}, View)
    assert by_rules.events == asked_all.events
    assert gate.counts.settled
