"""Enhancements: purchases, possible bearers, effects, and how they are lost."""

from __future__ import annotations

from typing import Any

import pytest

from ai.agents import agent
from engine.core import event as ev
from engine.core.event import Shot
from engine.core.facts import WeaponFacts
from engine.core.game import Game
from engine.core.play import step
from engine.core.request import Choose, Chosen, Said, YesNo
from engine.horde.steps.resupply import offered
from engine.records.clauses import DEFENDS
from engine.w40k.attack.volley import group
from engine.w40k.phase.movement import advance_roll
from engine.w40k.view import View
from engine.w40k.words.circumstance import may_bear
from tests.engine import offering
from tests.engine.offering import GUN, ours, theirs

BLADE = WeaponFacts(name="blade", attacks="2", skill=3, strength=4, damage="1")
MARINES = ("INFANTRY", "ADEPTUS ASTARTES")
BUY = "BUY.name-earned"
AT = [(30.0, 10.2), (31.4, 10.2)]
RESUPPLY, COMMAND = "players.command.resupply", "players.command"


def battle(*steps: str, enhancement: str = "", leaders: int = 1, **more: Any) -> Game:
    """Return a battle of two marines against one enemy.

    The second marine is their leader and may bear an enhancement.
    """
    marks = [(f"enhancement:{len(AT) - 1}", f"gladius/{enhancement}")] if enhancement else []
    marks += more.pop("marks", [])
    own = {"keywords": MARINES, "weapons": (GUN, BLADE), **more.pop("own", {})}
    stands = [ours(at=AT, leaders=leaders, marks=tuple(marks), **own), theirs(at=[(30.0, 11.6)])]
    army = {"player_faction": "space-marines", "detachment": "Gladius Task Force"}
    game: Game = offering.battle(stands, *steps, **{**army, **more})
    return game


def purchases(game: Game) -> list[str]:
    """Return what the player may buy with 20 SP."""
    game.log(ev.Gained(player="p1", what="sp", amount=20, total=20))
    return [way.rule.clause for way in offered(game, "p1")]


def played(game: Game, *wanted: str) -> list[tuple[str, list[str]]]:
    """Play on, choosing what is wanted where it is offered; return what was offered.

    That is each choice of a target or of a purchase, with its rule.
    """
    agents = {"horde": agent("horde"), "p1": agent("steady")}
    views = {seat: View(game, seat) for seat in agents}
    asked = []
    while game.pending is not None:
        request = game.pending
        if isinstance(request, Choose) and request.decision in ("target", "purchase"):
            ids = [option.id for option in request.options]
            asked.append((request.rule, ids))
            last = ids[-1:] if request.minimum else []
            game.submit(Chosen(ids=tuple([each for each in wanted if each in ids][:1] or last)))
        elif isinstance(request, Choose) and request.decision == "stratagem":
            game.submit(Chosen(ids=()))
        else:
            step(game, agents, views)
    return asked


@pytest.mark.rule("BUY.name-earned")
def test_a_character_without_an_enhancement_gets_one_for_one_sp() -> None:
    game = battle(RESUPPLY)
    game.log(ev.Gained(player="p1", what="sp", amount=1, total=1))
    asked = played(game, "buy/name-earned", "gladius/fire-discipline")
    assert [ids for rule, ids in asked if rule == BUY] == [
        ["ours:1"],
        ["gladius/artificer-armour", "gladius/the-honour-vehement", "gladius/fire-discipline"],
    ]
    assert game.state.position.units["ours"].marks.get("enhancement:1") == "gladius/fire-discipline"
    assert game.state.players["p1"].sp == 0
    # It has one now.
    assert BUY not in purchases(game)


@pytest.mark.rule("BUY.name-earned")
@pytest.mark.parametrize(
    ("keywords", "detachment", "may"),
    [
        (MARINES, "Gladius Task Force", True),
        (MARINES, "Vanguard Spearhead", True),
        (MARINES, "No Such Force", False),
        ((*MARINES, "EPIC HERO"), "Gladius Task Force", False),
        (("INFANTRY",), "Gladius Task Force", False),
    ],
)
def test_who_may_get_an_enhancement(keywords: tuple[str, ...], detachment: str, may: bool) -> None:
    game = battle(RESUPPLY, own={"keywords": keywords}, detachment=detachment)
    assert (BUY in purchases(game)) == may


@pytest.mark.rule("BUY.name-earned")
def test_of_each_enhancement_a_player_has_one_copy_at_once() -> None:
    both = {"keywords": (*MARINES, "CHARACTER", "CAPTAIN")}
    game = battle(RESUPPLY, leaders=0, own=both, enhancement="artificer-armour")
    game.log(ev.Gained(player="p1", what="sp", amount=2, total=2))
    asked = played(game, "buy/name-earned")
    assert [ids for rule, ids in asked if rule == BUY][1] == [
        "gladius/the-honour-vehement",
        "gladius/adept-of-the-codex",
        "gladius/fire-discipline",
    ]


@pytest.mark.rule("ARMY.10.artificer-armour")
def test_artificer_armour_shelters_its_bearer_alone() -> None:
    game = battle(COMMAND, enhancement="artificer-armour")
    unit, models = game.state.position.units["ours"], game.state.position.models
    for row, save, ignored in ((0, 3, 7), (1, 2, 5)):
        about = {"unit": unit, "target": unit, "model": models[row]}
        assert game.query.number("model.save", 3, **about).value == save
        assert game.query.number("model.feel-no-pain", 7, **about).value == ignored
    numbers = ("model.save", "model.feel-no-pain")
    assert game.query.in_force.singled_out(numbers, unit, DEFENDS) == {1}


@pytest.mark.rule("ARMY.10.the-honour-vehement")
@pytest.mark.parametrize(
    ("marks", "attacks", "strength"),
    [([], 3, 5), ([("doctrine", "assault")], 4, 6), ([("doctrine", "x")], 3, 5)],
)
def test_the_bearer_strikes_more_often_and_harder(
    marks: list[tuple[str, str]], attacks: int, strength: int
) -> None:
    dice = {"hit": [1] * (2 + attacks)}
    game = battle("players.fight.remaining", enhancement="the-honour-vehement", marks=marks, dice=dice)
    blows = group(
        game,
        game.state.position.units["ours"],
        tuple(Shot(model=r, weapon=1, target="theirs") for r in (0, 1)),
        True,
    )
    found = [int(game.query.number("weapon.strength", 4, **blow.context).value) for blow in blows]
    assert found == [4, strength]
    shot = group(game, game.state.position.units["ours"], (Shot(model=1, weapon=0, target="theirs"),), False)[
        0
    ]
    assert game.query.number("weapon.strength", 4, **shot.context).value == 4
    played(game)
    struck = [e.attacks for e in game.events if isinstance(e, ev.Attacked)]
    assert sorted(struck) == [2, attacks]


@pytest.mark.rule("ARMY.10.adept-of-the-codex")
@pytest.mark.parametrize(("army", "asked"), [("", 1), ("assault", 0)])
def test_the_captain_s_unit_alone_may_be_under_the_tactical_doctrine(army: str, asked: int) -> None:
    game = battle(COMMAND, enhancement="adept-of-the-codex", own={"keywords": (*MARINES, "CAPTAIN")})
    game.log(ev.Marked(on="player:p1", key="doctrines", value=("tactical",)))
    told = played(game, army, "tactical")
    assert sum(rule == "ARMY.10.adept-of-the-codex" for rule, _ in told) == asked
    unit = game.state.position.units["ours"]
    assert game.query.may("charge-after-fall-back", unit=unit) == bool(asked)
    assert "doctrine" not in game.state.players["p1"].marks or army


@pytest.mark.rule("ARMY.10.adept-of-the-codex")
@pytest.mark.parametrize("keyword", ["CAPTAIN", "LIEUTENANT"])
def test_only_a_captain_is_an_adept(keyword: str) -> None:
    game = battle(RESUPPLY, own={"keywords": (*MARINES, keyword)})
    state = game.state
    rule = game.rulebook.rule("gladius/adept-of-the-codex")
    assert may_bear(game, state.position.models[1], rule, "p1") == (keyword == "CAPTAIN")


@pytest.mark.rule("ARMY.10.fire-discipline")
@pytest.mark.parametrize(("leaders", "has"), [(1, True), (0, False)])
def test_the_unit_that_is_led_has_sustained_hits(leaders: int, has: bool) -> None:
    game = battle(COMMAND, enhancement="fire-discipline", leaders=leaders)
    unit = game.state.position.units["ours"]
    found = [game.query.weapon_keywords(unit, 0, weapon) for weapon in (0, 1)]
    assert found == [("sustained hits 1",) if has else (), ()]


@pytest.mark.rule("ARMY.10.fire-discipline")
@pytest.mark.parametrize(("doctrine", "asked"), [("devastator", 1), ("assault", 0)])
def test_an_advance_may_be_rolled_again(doctrine: str, asked: int) -> None:
    dice = {"advance": [2], "advance-reroll": [5]}
    game = battle(COMMAND, enhancement="fire-discipline", marks=[("doctrine", doctrine)], dice=dice)
    unit = game.state.position.units["ours"]
    assert game.query.may("reroll-advance", unit=unit) == bool(asked)
    flow = advance_roll(game, unit)
    questions, rolled = [], 0

    def whole() -> Any:
        nonlocal rolled
        rolled = yield from flow

    steps = whole()
    request = next(steps, None)
    while request is not None:
        questions.append(request)
        try:
            request = steps.send(Said(yes=True) if isinstance(request, YesNo) else Chosen(ids=()))
        except StopIteration:
            request = None
    assert rolled == (5 if asked else 2)
    assert sum(isinstance(each, YesNo) for each in questions) == asked


@pytest.mark.rule("MISERY.23")
def test_the_mind_killer_takes_enhancements() -> None:
    decks = {"misery": ("misery/23-the-mind-killer",)}
    game = battle("start-of-round.misery", enhancement="artificer-armour", decks=decks)
    played(game)
    assert "enhancement:1" not in game.state.position.units["ours"].marks
    hero = game.state.position.models[1]
    assert game.query.number("model.save", 3, unit=game.state.position.units["ours"], model=hero).value == 3
