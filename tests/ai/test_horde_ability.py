"""On what the Horde uses an ability whose text leaves it open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from ai.horde.ability import use


def chosen(battle: Any, ids: Sequence[str], minimum: int = 1, maximum: int = 1) -> tuple[str, ...]:
    """Return what a Horde unit "boyz" chooses, which is a legal answer."""
    request = battle.choose("target", ids, unit="boyz", rule="TEST.1", minimum=minimum, maximum=maximum)
    answer = use(battle.view(), request)
    assert battle.faults(request, answer) == []
    return answer.ids


def ruled(battle: Any, ids: Sequence[str]) -> str:
    """Return the ruling that such a choice cites."""
    request = battle.choose("target", ids, unit="boyz", rule="TEST.1", minimum=0)
    (because,) = use(battle.view(), request).because
    return because.ruling


@pytest.mark.rule("R.A120")
def test_an_ability_is_never_declined(situation):
    battle = situation()
    battle.horde("boyz", [(30, 24)])
    battle.players("p", [(30, 18)])
    assert chosen(battle, ["boyz"], minimum=0) == ("boyz",)
    assert chosen(battle, ["p"], minimum=0) == ("p",)
    assert chosen(battle, ["swords", "shields"], minimum=0) != ()
    assert ruled(battle, ["boyz"]) == "R.A120"


@pytest.mark.rule("R.A121")
def test_the_closest_enemy_is_chosen_that_is_not_under_it_yet(situation):
    battle = situation()
    battle.horde("boyz", [(30, 24)])
    battle.players("far", [(30, 12)])
    battle.players("near", [(30, 18)])
    battle.players("under", [(30, 21)])
    battle.rulebook.is_bestowed = lambda unit, rule: unit.id == "under" and rule == "TEST.1"
    assert chosen(battle, ["far", "near", "under"]) == ("near",)
    # Where all are under it, it is the closest of them.
    assert chosen(battle, ["under"]) == ("under",)
    assert ruled(battle, ["far", "near"]) == "R.A121"


@pytest.mark.rule("R.A121")
def test_of_enemies_equally_close_one_is_drawn(situation):
    found = set()
    for seed in range(12):
        battle = situation(seed=seed)
        battle.horde("boyz", [(30, 24)])
        battle.players("left", [(24, 24)])
        battle.players("right", [(36, 24)])
        found.add(chosen(battle, ["left", "right"]))
    assert found == {("left",), ("right",)}


@pytest.mark.rule("R.A122")
def test_as_many_are_chosen_as_may_be_the_closest_first(situation):
    battle = situation()
    battle.horde("boyz", [(30, 24)])
    for name, y in (("far", 6), ("near", 18), ("middle", 12)):
        battle.players(name, [(30, y)])
    assert chosen(battle, ["far", "near", "middle"], minimum=0, maximum=2) == ("near", "middle")
    assert set(chosen(battle, ["far", "near", "middle"], minimum=0, maximum=3)) == {"far", "near", "middle"}
    assert len(chosen(battle, ["one", "two", "three"], minimum=1, maximum=2)) == 2


@pytest.mark.rule("R.A123")
def test_the_friend_that_has_lost_the_most_wounds_is_chosen(situation):
    battle = situation()
    battle.horde("boyz", [(30, 24)])
    battle.horde("whole", [(30, 22)], W=4)
    far, near = battle.horde("far", [(30, 34)], W=4), battle.horde("near", [(30, 28)], W=4)
    models = battle.state.position.models
    models[near.rows[0]].wounds = 3
    models[far.rows[0]].wounds = 1
    assert chosen(battle, ["whole", "far", "near"]) == ("far",)
    models[far.rows[0]].wounds = 3
    assert chosen(battle, ["whole", "far", "near"]) == ("near",)
    assert ruled(battle, ["whole", "far", "near"]) == "R.A123"


@pytest.mark.rule("R.A124")
@pytest.mark.parametrize(
    ("phase", "y", "used"),
    [
        ("fight", 22.7, True),
        ("fight", 10, False),
        ("shooting", 10, True),
        ("command", 10, True),
        ("movement", 10, False),
    ],
)
def test_what_comes_once_a_battle_is_saved_for_a_phase_in_which_it_can_matter(situation, phase, y, used):
    battle = situation(phase=phase)
    battle.horde("boyz", [(30, 24)])
    battle.players("p", [(30, y)])
    battle.rulebook.limit = lambda rule: "battle"
    assert chosen(battle, ["boyz"], minimum=0) == (("boyz",) if used else ())
    # What must be, or comes each turn, is not saved.
    assert chosen(battle, ["boyz"]) == ("boyz",)
    battle.rulebook.limit = lambda rule: "turn"
    assert chosen(battle, ["boyz"], minimum=0) == ("boyz",)


@pytest.mark.rule("R.A125")
def test_the_closest_objective_marker_is_chosen(situation):
    battle = situation(objectives={"A": (30, 4), "B": (30, 18), "C": (50, 24)})
    battle.horde("boyz", [(30, 24)])
    assert chosen(battle, ["A", "B", "C"]) == ("B",)
    assert ruled(battle, ["A", "B", "C"]) == "R.A125"


@pytest.mark.rule("R.A87")
def test_what_is_neither_unit_nor_marker_is_drawn(situation):
    found = set()
    for seed in range(12):
        battle = situation(seed=seed)
        battle.horde("boyz", [(30, 24)])
        found.add(chosen(battle, ["swords", "shields"]))
    assert found == {("swords",), ("shields",)}
    assert ruled(battle, ["swords", "shields"]) == "R.A87"
