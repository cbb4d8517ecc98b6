"""What purchases leave on the table: Fortified markers, mines, wire, strikes, hospitals."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, sin, tau
from typing import Any

import pytest

from engine.core import event as ev
from engine.core.facts import BoardFacts
from engine.core.game import Game, IllegalAnswer
from engine.core.request import Choose, Chosen, Place, Places, Steps
from engine.core.ruleset import Step
from engine.horde.steps import mission, resupply
from engine.scenario.situation import Stand
from engine.w40k.attack import damage

Play = Callable[..., Game]
Make = Callable[..., Stand]
RADIUS = 20 / 25.4
RESUPPLY = Step("players.command.resupply", "command", resupply.resupply, "players")


def purse(game: Game, amount: int = 30) -> Steps[bool]:
    """Give every player SP."""
    for seat in game.state.players:
        game.log(ev.Gained(player=seat, what="sp", amount=amount, total=amount))
    return False
    yield


RICH = Step("rich", "before", purse)


def doing(act: Callable[[Game], Any], name: str = "do", phase: str = "do", turn: Any = None) -> Step:
    """Return a step that does something."""

    def run(game: Game) -> Steps[bool]:
        steps = act(game)
        if hasattr(steps, "send"):
            yield from steps
        return False

    return Step(name, phase, run, turn)


def spot(x: float, y: float) -> Places:
    """Return a place for a marker."""
    return Places(poses={-1: (x, y, 0.0, 0.0)})


def lost(game: Game) -> dict[str, int]:
    """Return the wounds that each unit has lost."""
    found: dict[str, int] = {}
    for event in game.events:
        if isinstance(event, ev.Damaged):
            found[event.unit] = found.get(event.unit, 0) + event.amount
    return found


@pytest.mark.rule("BUY.ammo-supplies", "BUY.shovel-stash")
@pytest.mark.parametrize(("second", "whole"), [((10.0, 25.0), True), ((10.0, 25.3), False)])
def test_stashes_serve_units_wholly_within_3(
    play: Play, marines: Make, second: tuple[float, float], whole: bool
) -> None:
    """The far rim of every base within 3 inches of the marker's edge: centres up to 3.157 away."""
    fortify = [
        doing(
            lambda game: game.log(ev.Marked(on="objective:west", key="fortified", value="buy/ammo-supplies"))
        ),
        doing(
            lambda game: game.log(ev.Marked(on="objective:centre", key="fortified", value="buy/shovel-stash"))
        ),
    ]
    game = play(
        [
            marines(at=[(10.0, 23.5), second]),
            marines("c", at=[(30.0, 23.5), (second[0] + 20.0, second[1])]),
        ],
        *fortify,
    )
    unit, digger = game.state.position.units["marines"], game.state.position.units["c"]
    assert ("sustained hits 1" in game.query.weapon_keywords(unit, unit.rows[0], 0)) == whole
    assert game.query.weapon_keywords(unit, unit.rows[0], 1) == ()
    about = {"attacker": digger, "target": None, "weapon": digger.weapon(1), "melee": True}
    assert game.query.number("weapon.strength", 4, **about).value == (5 if whole else 4)
    assert game.query.number("weapon.ap", -1, **about).value == (-2 if whole else -1)
    assert game.query.number("weapon.strength", 4, **{**about, "melee": False}).value == 4


@pytest.mark.rule("BUY.shield-generator")
def test_the_shield_helps_against_shots_from_outside(play: Play, marines: Make, foes: Make) -> None:
    """Feel No Pain is 4+ against shots from afar.

    There is none in melee, nor against shots from within range of the marker, and a better one stays.
    """
    fortify = doing(
        lambda game: game.log(ev.Marked(on="objective:west", key="fortified", value="buy/shield-generator"))
    )
    stands = [marines(at=[(10.0, 20.0)]), foes(at=[(10.0, 32.0)]), foes("in", at=[(10.0, 24.0)])]
    game = play(stands, fortify)
    unit = game.state.position.units["marines"]

    def need(by: str, melee: bool = False, base: int = 7) -> float:
        attacker = game.state.position.units.get(by)
        about = {"unit": unit, "attacker": attacker, "attack": attacker is not None, "melee": melee}
        return game.query.number("model.feel-no-pain", base, **about).value

    assert need("foes") == 4
    assert need("foes", base=3) == 3
    assert need("foes", melee=True) == 7
    assert need("in") == 7
    assert need("nobody") == 7


@pytest.mark.rule("BUY.minefield")
@pytest.mark.parametrize(
    ("at", "legal"),
    [
        ((20.0, 22.0), True),
        ((17.57, 22.0), False),
        ((17.58, 22.0), True),
        ((20.0, 10.7), False),
        ((20.0, 10.8), True),
        ((40.0, 26.0), False),
    ],
)
def test_where_a_minefield_may_be_laid(
    play: Play, marines: Make, foes: Make, at: tuple[float, float], legal: bool
) -> None:
    """Wholly within No Man's Land, more than 6 inches from enemy models and objective markers.

    Edge to edge: 7.575 from the centre of another 40 mm marker, 0.787 from the zone's border.
    """
    game = play_until_place(play, [marines(), foes(at=[(42.0, 28.0)])], "buy/minefield")
    assert isinstance(game.pending, Place)
    if legal:
        game.submit(spot(*at))
        assert [marker.kind for marker in game.state.position.markers.values()] == ["minefield"]
        assert game.state.players["p1"].sp == 24
    else:
        with pytest.raises(IllegalAnswer):
            game.submit(spot(*at))
        assert game.state.position.markers == {}


def play_until_place(play: Play, stands: list[Stand], purchase: str) -> Game:
    """Return a battle in which a purchase asks for its marker's place."""
    from engine.horde.ruleset_1_1 import HORDE_1_1
    from engine.scenario.situation import situation

    game = situation(stands, (RICH, RESUPPLY), HORDE_1_1, board=_board(play))
    game.submit(Chosen(ids=(purchase,)))
    return game


def _board(play: Play) -> BoardFacts:
    return play([]).state.position.board


@pytest.mark.rule("BUY.minefield")
def test_a_marker_that_is_declined_costs_nothing_and_is_not_asked_again(play: Play, marines: Make) -> None:
    """The purchase is off for the rest of the step."""
    game = play_until_place(play, [marines()], "buy/minefield")
    game.submit(Places())
    assert isinstance(game.pending, Choose)
    assert "buy/minefield" not in {option.id for option in game.pending.options}
    assert game.state.players["p1"].sp == 30


@pytest.mark.rule("BUY.minefield", "R.A76")
def test_a_minefield_hurts_who_moves_near_it_once_a_phase(play: Play, marines: Make, foes: Make) -> None:
    """D6 each, to friend and foe; after 10 damage it is gone at the end of the round."""

    def march(game: Game) -> Steps[bool]:
        for unit in ("foes", "foes", "far", "marines"):
            yield from game.happen(ev.Moved(unit=unit, kind_of_move="normal", poses={}, paths={}))
        return False

    tough = (("W", 9),)
    stands = [
        marines(at=[(20.0, 26.0)], characteristics=tough),
        foes(at=[(20.0, 18.0)], characteristics=tough),
        foes("far", at=[(20.0, 33.0)], characteristics=tough),
    ]
    lay = doing(
        lambda game: game.happen(
            ev.Placed(thing="minefield", marker="minefield#1", owner="p1", at=(20.0, 22.0))
        )
    )
    close = Step("end", "end-of-round", mission.resolve_missions)
    for dice, left in (([6, 4], 0), ([6, 3], 1)):
        game = play(
            stands, lay, doing(march, "m", "movement", "horde"), close, dice={"mortal-wounds": list(dice)}
        )
        assert lost(game) == {"foes": dice[0], "marines": dice[1]}
        assert len(game.state.position.markers) == left


@pytest.mark.rule("BUY.razor-wire")
def test_razor_wire_slows_once_and_cuts(play: Play, marines: Make, foes: Make) -> None:
    """Two wires beside a unit slow it as one; beginning or ending a move near either hurts."""
    lay = [
        doing(
            lambda game, i=i, x=x: game.happen(
                ev.Placed(thing="razor-wire", marker=f"razor-wire#{i}", owner="p1", at=(x, 22.0))
            )
        )
        for i, x in ((1, 20.0), (2, 22.0))
    ]
    stands = [marines(), foes(at=[(21.0, 23.5)]), foes("far", at=[(21.0, 28.0)])]
    game = play(stands, *lay)
    near, far = game.state.position.units["foes"], game.state.position.units["far"]
    assert game.query.number("unit.move", 6, unit=near).value == 5
    assert game.query.number("roll.charge-modifier", 0, unit=near).value == -2
    assert game.query.number("roll.advance-modifier", 0, unit=near).value == -2
    assert game.query.number("unit.move", 6, unit=far).value == 6


@pytest.mark.rule("BUY.artillery-strike")
def test_artillery_falls_at_the_end_of_the_fight_phase(play: Play, marines: Make, foes: Make) -> None:
    """Each model within 9 inches rolls a die: 5+ is 1 mortal wound, 3 for a VEHICLE.

    The marker goes.
    """
    stands = [
        foes(at=[(20.0, 30.0), (21.5, 30.0)], characteristics=(("W", 3),)),
        foes("tank", at=[(20.0, 26.0)], keywords=("VEHICLE",), characteristics=(("W", 9),)),
        foes("far", at=[(40.0, 30.0)]),
        marines(),
    ]
    lay = doing(
        lambda game: game.happen(
            ev.Placed(thing="artillery-strike", marker="artillery-strike#1", owner="p1", at=(20.0, 22.0))
        )
    )
    dice = {"mortal-wounds": [5, 4, 6]}
    game = play(stands, lay, doing(lambda game: None, "f", "fight", "players"), dice=dice)
    assert lost(game) == {"foes": 1, "tank": 3}
    assert game.state.position.markers == {}


@pytest.mark.rule("BUY.experimental-defenses")
def test_experimental_defenses_strike_as_the_players_fight(play: Play, marines: Make, foes: Make) -> None:
    """3 for Horde units within 9 inches, 1 for player units engaged with them."""
    tough = (("W", 9),)
    stands = [
        marines(at=[(10.0, 26.0)], characteristics=tough),
        foes(at=[(10.0, 28.0)], characteristics=tough),
        foes("far", at=[(40.0, 30.0)], characteristics=tough),
        marines("free", at=[(14.0, 22.0)], characteristics=tough),
    ]
    fortify = doing(
        lambda game: game.log(
            ev.Marked(on="objective:west", key="fortified", value="buy/experimental-defenses")
        )
    )
    game = play(stands, fortify, doing(lambda game: None, "f", "fight", "players"))
    assert lost(game) == {"marines": 1, "foes": 3}


@pytest.mark.rule("BUY.supply-drop")
def test_supply_drop_sets_up_a_sixth_marker_at_most(play: Play, marines: Make) -> None:
    """Five are there, a sixth may come, a seventh not."""
    game = play_until_place(play, [marines()], "buy/supply-drop")
    game.submit(spot(20.0, 15.0))
    assert len(game.state.position.objectives) == 6
    assert game.state.position.objectives["supply-drop#1"].facts.zone == "no-mans-land"
    assert isinstance(game.pending, Choose)
    assert "buy/supply-drop" not in {option.id for option in game.pending.options}


@pytest.mark.rule("BUY.supply-drop")
@pytest.mark.parametrize(
    ("at", "legal"),
    [
        ((6.0 + RADIUS, 31.0), True),
        ((6.0 + RADIUS - 0.001, 31.0), False),
        ((20.0, 10.0 + RADIUS), True),
        ((30.0 - 6.0 - 2 * RADIUS, 22.0), True),
        ((30.0 - 6.0 - 2 * RADIUS + 0.001, 22.0), False),
    ],
)
def test_where_supplies_may_be_dropped(
    play: Play, marines: Make, at: tuple[float, float], legal: bool
) -> None:
    """At least 6 inches from the board's edges and from other markers: exactly 6 is allowed."""
    game = play_until_place(play, [marines()], "buy/supply-drop")
    if legal:
        game.submit(spot(*at))
        assert len(game.state.position.objectives) == 6
    else:
        with pytest.raises(IllegalAnswer):
            game.submit(spot(*at))


def back_at(*at: float) -> Callable[[Game], Places]:
    """Return the answer that sets a returning model up at a place.

    Without a place the answer declines.
    """

    def answer(game: Game) -> Places:
        assert isinstance(game.pending, Place)
        return Places(poses={game.pending.rows[0]: (at[0], at[1], 0.0, 0.0)} if at else {})

    return answer


@pytest.mark.rule("BUY.field-hospital")
def test_the_field_hospital_heals_then_returns_models(play: Play, marines: Make, foes: Make) -> None:
    """Three wounds: one mends the wounded model, one brings a model back, one mends that."""
    fortify = doing(
        lambda game: game.log(ev.Marked(on="objective:west", key="fortified", value="buy/field-hospital"))
    )

    def hurt(game: Game) -> Steps[bool]:
        unit = game.state.position.units["marines"]
        for _ in range(5):
            yield from damage.mortal_wounds(game, unit, 1, cause="test")
        return False

    stands = [
        marines(at=[(9.0, 20.0), (10.5, 20.0), (9.0, 23.5), (10.5, 23.5)], characteristics=(("W", 2),)),
        foes(),
    ]
    heal = doing(lambda game: None, "players.movement.reinforcements", "movement", "players")
    game = play(stands, fortify, doing(hurt), heal, answers={"return": back_at(9.75, 21.75)})
    unit = game.state.position.units["marines"]
    assert [model.wounds for model in game.state.position.alive(unit)] == [2, 2, 2]
    back = [e for e in game.events if isinstance(e, ev.Returned)]
    assert [(e.wounds, e.cause) for e in back] == [(1, "BUY.field-hospital")]


@pytest.mark.rule("MISERY.8", "R.A85")
def test_death_denied_restores_horde_units_but_no_lost_leader(play: Play, marines: Make, foes: Make) -> None:
    """Full strength and full wounds; the leader that fell stays away."""
    from engine.horde.steps import card

    def hurt(game: Game) -> Steps[bool]:
        unit = game.state.position.units["foes"]
        for row in (unit.rows[-1], unit.rows[0]):
            yield from damage.destroy_model(game, unit, game.state.position.models[row], cause="test")
        yield from damage.mortal_wounds(game, unit, 1, cause="test")
        return False

    at = [(30.0, 30.0), (31.5, 30.0), (33.0, 30.0), (34.5, 30.0)]
    stands = [marines(), foes(at=at, leaders=1, characteristics=(("W", 2),))]
    misery = Step("misery", "start-of-round", card.reveal_misery)
    answers, decks = {"return": back_at(30.0, 30.0)}, {"misery": ("misery/8-death-denied",)}
    game = play(stands, doing(hurt), misery, answers=answers, decks=decks)
    unit = game.state.position.units["foes"]
    assert len(unit.rows) == 3
    assert all(model.wounds == 2 for model in game.state.position.alive(unit))


@pytest.mark.rule("MISERY.8", "CORE.RES.8")
@pytest.mark.parametrize(
    ("at", "fault"),
    [
        ((31.0, 31.5), ""),
        ((), "could be set up, too"),
        ((30.0, 34.6), "coherent"),
        ((30.5, 30.0), "overlap"),
        ((30.0, 27.8), "too near"),
        ((32.0, 28.0), ""),
    ],
)
def test_a_model_returns_beside_its_unit_and_engages_nobody_anew(
    play: Play, marines: Make, foes: Make, at: tuple[float, ...], fault: str
) -> None:
    """The Marines stand more than 2" below the Horde's models: no unit is in combat."""
    from engine.w40k.attack import returning

    def fall(game: Game) -> Steps[bool]:
        unit = game.state.position.units["foes"]
        yield from damage.destroy_model(game, unit, game.state.position.models[unit.rows[1]], cause="test")
        yield from returning.restore(game, unit, "MISERY.8")
        return False

    stands = [marines(at=[(30.0, 26.0)]), foes(at=[(30.0, 30.0), (32.0, 30.0)])]

    def battle() -> Game:
        return play(stands, doing(fall), answers={"return": back_at(*at)})

    if fault:
        with pytest.raises(IllegalAnswer, match=fault):
            battle()
        return
    game = battle()
    assert [(e.model, e.pose[:2]) for e in game.events if isinstance(e, ev.Returned)] == [(2, at)]


@pytest.mark.rule("MISERY.8", "CORE.RES.8")
def test_a_model_for_which_there_is_no_free_spot_does_not_return(
    play: Play, marines: Make, foes: Make
) -> None:
    """Players' models round the unit's last model leave no spot out of their range.

    Spots within 2" of the last model count, as the unit stays coherent.
    """
    from engine.w40k.attack import returning

    def fall(game: Game) -> Steps[bool]:
        unit = game.state.position.units["foes"]
        yield from damage.destroy_model(game, unit, game.state.position.models[unit.rows[1]], cause="test")
        yield from returning.restore(game, unit, "MISERY.8")
        return False

    ring = [(30.0 + 3.0 * cos(tau * k / 10), 30.0 + 3.0 * sin(tau * k / 10)) for k in range(10)]
    stands = [marines(at=ring), foes(at=[(30.0, 30.0), (50.0, 30.0)])]
    game = play(stands, doing(fall), answers={"return": back_at()})
    assert game.state.position.units["foes"].rows == (10,)
