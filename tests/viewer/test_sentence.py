"""Causes, dice, reasons and their order, each against sentences that a person would expect."""

from __future__ import annotations

import pytest

from engine.core import event as ev
from engine.core.request import Because
from engine.core.state import State
from viewer.story.cause import end_words, income_words, loss_words, rule_title
from viewer.story.order import Order
from viewer.story.reasoning import reason_sentence, sentences
from viewer.story.roll import roll_sentence, spawn_words
from viewer.story.source import Reason

ATTACK = ev.Attacked(
    unit="a",
    target="b",
    weapon="Gun",
    models=(0,),
    attacks=1,
    hits=1,
    critical_hits=0,
    wounds=1,
    critical_wounds=0,
    unsaved=1,
)


def rolled(roll: str, *dice: int, need: int = 0, target: str = "") -> ev.Rolled:
    """Return a roll of a unit that the state does not know."""
    return ev.Rolled(
        roll=roll, dice=dice, total=sum(dice), stream="dice", draws=1, unit="pox", target=target, need=need
    )


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        ("SPAWN.2", "as its spawning zone was cleared"),
        ("CORE.WPN.HAZ", "to its own hazardous weapons"),
        ("BUY.teleporter", "to Short Range Teleporter"),
        ("CORE.SHOOT.1", ""),
        ("", ""),
    ],
)
def test_what_wounds_were_lost_to(cause: str, words: str) -> None:
    assert loss_words(State(), cause) == words


def test_what_supply_was_gained_for() -> None:
    assert income_words(State(), "SP.1") == "for objectives"
    assert income_words(State(), "BUY.name-earned") == "for A Name Earned"
    assert income_words(State(), "X.9") == ""


def test_a_card_that_is_not_in_the_battle_has_no_title() -> None:
    assert rule_title(State(), "MISERY.3") == ""


def test_who_wiped_a_unit_out() -> None:
    assert end_words(State(), ev.UnitDestroyed(unit="b", by="pox")) == "by Pox"
    own = ev.UnitDestroyed(unit="b", by="b", cause="CORE.WPN.HAZ")
    assert end_words(State(), own) == "to its own hazardous weapons"
    blast = ev.UnitDestroyed(unit="b", by="pox", cause="CORE.ABL.DD")
    assert end_words(State(), blast) == "by Pox (Deadly Demise)"


def test_dice_in_words() -> None:
    assert roll_sentence(rolled("advance", 4), State()) == "Pox rolled 4 to advance"
    charge = rolled("charge", 3, 4, need=6, target="foe")
    assert roll_sentence(charge, State()) == "Pox rolled 7 (3+4) to charge Foe, needed 6"
    hazard = rolled("hazardous", 1, 5, need=2)
    assert roll_sentence(hazard, State()) == "Pox rolled 1, 5 for hazardous weapons, needed 2+"
    assert roll_sentence(rolled("wound", 4), State()) is None


def spawn(natural: int, total: int, *steps: tuple[str, float]) -> ev.SpawnRolled:
    """Return a spawn roll with what changed it."""
    trail = ev.NumberTrail(number="spawn", base=natural, value=total, steps=steps)
    return ev.SpawnRolled(zone="S1", natural=(natural,), total=total, bracket=2, trail=trail)


def test_how_a_spawn_roll_came_about() -> None:
    assert spawn_words(State(), spawn(5, 5)) == "5"
    changed = spawn(5, 6, ("ROUND.2", 7), ("SPAWN.2", 6))
    assert spawn_words(State(), changed) == "5 + 2 (the round) − 1 (zone cleared) = 6"


def test_a_reason_speaks_of_one_model_and_of_all() -> None:
    one = Because(clause="AI.MOVE.1", reason='1 of 1 models are 3.00" away')
    assert reason_sentence(one, State()) == "Its model is 3″ away"
    every = Because(clause="AI.MOVE.1", reason="5 of 5 models fight")
    assert reason_sentence(every, State()) == "All 5 models fight"


def test_a_unit_is_not_its_own_target() -> None:
    own = Because(clause="AI.MOVE.1", reason="it stays", target="pox")
    assert reason_sentence(own, State(), "pox") == "It stays"
    assert reason_sentence(own, State()) == "It stays → Pox"


def test_reasons_that_differ_in_distance_only_are_told_once() -> None:
    near, far = (Because(clause="A.1", reason=f"the closest, {n}″ away") for n in (3, 9))
    other = Because(clause="A.2", reason="in sight")
    assert sentences((near, far, other), State()) == [
        ("A.1", "The closest, 3″ away (2 times)"),
        ("A.2", "In sight"),
    ]


def test_an_attack_is_told_before_its_wounds() -> None:
    order = Order()
    roll, loss = rolled("hit", 4), ev.Damaged(unit="b", model=0, amount=1, wounds=0)
    assert order.take(roll) == [roll]
    assert order.take(loss) == []
    assert order.take(ATTACK) == [ATTACK, loss]
    assert order.rest() == []


def test_an_attack_is_told_before_the_end_that_it_brought() -> None:
    order = Order()
    loss, end = ev.Destroyed(unit="b", model=0), ev.BattleEnded(winners=(), reason="no player is left")
    order.take(rolled("save", 1))
    assert order.take(loss) == order.take(end) == []
    assert order.take(ATTACK) == [ATTACK, loss, end]


def test_wounds_without_an_attack_are_told_at_once() -> None:
    order = Order()
    loss = ev.Damaged(unit="b", model=0, amount=1, wounds=0, mortal=True)
    assert order.take(loss) == [loss]


def test_nothing_is_held_back_over_the_end_of_a_phase_or_a_decision() -> None:
    order = Order()
    loss, ended = (
        ev.Damaged(unit="b", model=0, amount=1, wounds=0),
        ev.PhaseEnded(name="shooting", step="shooting", cursor=0),
    )
    order.take(rolled("save", 1))
    order.take(loss)
    assert order.take(ended) == [loss, ended]
    order.take(rolled("save", 1))
    order.take(loss)
    reason = Reason(1, "horde", "b", "move", (Because(clause="A.1", reason=""),))
    assert order.take(reason) == [loss, reason]
