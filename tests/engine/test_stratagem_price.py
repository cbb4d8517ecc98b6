"""What a Stratagem costs where an ability makes it cheaper."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core import event as ev
from engine.w40k.activation.stratagem import may_target, price_of

STRATEGIST = "datasheet/fevered-strategist"
DEATH_GUARD = ("INFANTRY", "DEATH GUARD")


@pytest.mark.rule("R.A103", "DATASHEET.fevered-strategist")
def test_the_first_stratagem_of_a_round_that_fits_is_cheaper(play: Any, marines: Any) -> None:
    stands = [
        marines("lord", at=[(30.0, 10.0)], rules=(STRATEGIST,), keywords=DEATH_GUARD),
        marines("near", at=[(36.0, 10.0)], keywords=DEATH_GUARD),
        marines("other", at=[(30.0, 14.0)]),
        marines("far", at=[(50.0, 10.0)], keywords=DEATH_GUARD),
    ]
    game = play(stands)
    units = game.state.position.units

    def price(name: str) -> float:
        return game.query.number("stratagem.price", 1, seat="p1", unit=units[name], rule="any").value

    assert [price(name) for name in ("lord", "near", "other", "far")] == [0, 0, 1, 1]
    for name in ("far", "other", "near"):
        assert price("lord") == 0
        for _ in game.fire("stratagem-used", None, seat="p1", unit=units[name], rule="any"):
            raise AssertionError("nobody is asked")
    assert price("lord") == 1


def worth(game: Any, name: str, base: int) -> int:
    """Return the price of a Stratagem of p1's on a unit, as it is paid."""
    proposal = next(
        each for each in game.rulebook.offers("move-ended") if each.rule.id == "stratagem/heroic-intervention"
    )
    assert proposal.price == base
    return price_of(game, proposal, "p1", game.state.position.units[name])


SURCHARGES = ("datasheet/unorthodox-strategist-aura", "datasheet/guile-of-the-wolf-aura")


@pytest.mark.rule("DATASHEET.unorthodox-strategist-aura", "DATASHEET.guile-of-the-wolf-aura")
def test_what_enemies_add_comes_to_what_is_free_and_never_adds_up(play: Any, marines: Any, foes: Any) -> None:
    stands = [
        marines("free", at=[(30.0, 10.0)], rules=("datasheet/honour-or-death",)),
        marines("far", at=[(50.0, 10.0)], rules=("datasheet/honour-or-death",)),
        marines("plain", at=[(34.0, 10.0)]),
        foes("one", at=[(30.0, 18.0)], rules=SURCHARGES[:1]),
        foes("two", at=[(33.0, 18.0)], rules=SURCHARGES),
    ]
    game = play(stands)
    assert [worth(game, name, 1) for name in ("free", "far", "plain")] == [1, 0, 2]


@pytest.mark.rule("R.A103", "DATASHEET.pheromone-trail")
def test_one_unit_of_the_army_has_its_free_stratagem_in_a_round(play: Any, marines: Any) -> None:
    trail = ("datasheet/pheromone-trail",)
    game = play([marines("one", rules=trail), marines("two", at=[(36.0, 8.0)], rules=trail)])
    units = game.state.position.units

    def price(name: str, rule: str) -> float:
        return game.query.number("stratagem.price", 1, seat="p1", unit=units[name], rule=rule).value

    ingress = "stratagem/rapid-ingress"
    assert [price(name, ingress) for name in units] == [0, 0]
    assert price("one", "stratagem/fire-overwatch") == 1
    for _ in game.fire("stratagem-used", None, seat="p1", unit=units["two"], rule=ingress):
        raise AssertionError("nobody is asked")
    assert [price(name, ingress) for name in units] == [1, 1]


@pytest.mark.rule("DATASHEET.hypersensory-array", "DATASHEET.honour-or-death")
def test_a_stratagem_is_used_again_on_another_unit_and_never_twice_on_one(play: Any, marines: Any) -> None:
    stands = [
        marines("plain"),
        marines("cato", at=[(34.0, 8.0)], rules=("datasheet/honour-or-death",)),
        marines("ravener", at=[(38.0, 8.0)], rules=("datasheet/hypersensory-array",)),
    ]
    game = play(stands)
    units, rule = game.state.position.units, "stratagem/heroic-intervention"
    proposal = game.rulebook.compiled(rule).offers[0]

    def may() -> list[str]:
        return [name for name, unit in units.items() if may_target(game, proposal, "p1", unit)]

    def used(*on: str) -> None:
        game.log(ev.Marked(on="player:p1", key=f"used:{rule}", value=on, until="phase"))

    assert may() == ["plain", "cato", "ravener"]
    used("plain")
    assert may() == ["cato", "ravener"]
    used("plain", "cato")
    assert may() == ["ravener"]
    for _ in game.fire("stratagem-used", None, seat="p1", unit=units["ravener"], rule=rule):
        raise AssertionError("nobody is asked")
    used("plain")
    assert may() == ["cato"]


CHOSEN = "datasheet/supreme-strategist"


@pytest.mark.rule("DATASHEET.supreme-strategist", "DATASHEET.primarch-of-the-xiii-aura")
def test_abilities_that_are_picked_act_while_they_are(play: Any, marines: Any) -> None:
    stands = [
        marines("primarch", rules=(CHOSEN, "datasheet/primarch-of-the-xiii-aura")),
        marines("near", at=[(34.0, 8.0)]),
        marines("far", at=[(50.0, 8.0)]),
    ]
    game = play(stands)
    units = game.state.position.units

    def price(name: str) -> float:
        return game.query.number("stratagem.price", 1, seat="p1", unit=units[name], rule="any").value

    def tests_again(name: str) -> tuple[bool, bool, float]:
        may = [game.query.may(f"reroll-{kind}", unit=units[name]) for kind in ("battle-shock", "leadership")]
        return may[0], may[1], game.query.number("model.oc", 1, unit=units[name]).value

    def pick(first: str, second: str) -> None:
        game.log(ev.Marked(on="unit:primarch", key="primarch", value=first))
        game.log(ev.Marked(on="unit:primarch", key="primarch-too", value=second))

    assert (price("near"), tests_again("near")) == (1, (False, False, 1))
    pick("master", "primarch")
    assert (price("near"), tests_again("near"), tests_again("far")) == (1, (True, True, 2), (False, False, 1))
    pick("strategist", "master")
    assert (price("near"), price("far"), tests_again("near")) == (0, 1, (False, False, 1))
