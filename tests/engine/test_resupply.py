"""The Resupply step: what may be bought, by whom and how often, and what each purchase does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine import event as ev
from engine.facts import BoardFacts
from engine.game import Game, IllegalAnswer
from engine.request import Choose, Chosen, Place, Places
from engine.ruleset import Step, Steps
from engine.situation import Stand
from engine.steps import damage, mission, resupply

Play = Callable[..., Game]
Make = Callable[..., Stand]
RESUPPLY = Step("players.command.resupply", "command", resupply.resupply, "players")
MARKER = 20 / 25.4


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


def buying(*wanted: str) -> Callable[[Game], Chosen]:
    """Return answers that buy these purchases in turn, and then nothing."""
    left = list(wanted)

    def answer(game: Game) -> Chosen:
        return Chosen(ids=(left.pop(0) if left else "done",))

    return answer


def offers(game: Game, seat: str = "p1") -> set[str]:
    """Return what a player may buy."""
    return {way.id.removeprefix("buy/") for way in resupply.offered(game, seat)}


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


@pytest.mark.rule("SP.4", "BUY.basic-tactics")
def test_a_purchase_is_paid_and_carried_out(play: Play, marines: Make) -> None:
    """2 SP for 1 CP, as often as wanted, until done."""
    buy = buying("buy/basic-tactics", "buy/basic-tactics")
    game = play([marines()], RICH, RESUPPLY, answers={"purchase": buy})
    player = game.state.players["p1"]
    assert (player.sp, player.cp) == (26, 4)
    bought = [e for e in game.events if isinstance(e, ev.Purchased)]
    assert [(e.player, e.rule, e.price, e.cause) for e in bought] == [
        ("p1", "buy/basic-tactics", 2, "BUY.basic-tactics")
    ] * 2


@pytest.mark.rule("SP.4")
def test_nothing_is_offered_that_cannot_be_paid(play: Play, marines: Make) -> None:
    """With 2 SP only what costs 2; with none there is no question at all."""
    poor = doing(lambda game: purse(game, 2))
    game = play([marines()], poor)
    assert offers(game) == {"basic-tactics"}
    assert play([marines()], RESUPPLY, answers={}).state.players["p1"].sp == 0


@pytest.mark.rule("WIN.3")
def test_a_knocked_out_player_buys_nothing(play: Play, marines: Make) -> None:
    """Only seats with a unit left are asked."""
    asked: list[str] = []

    def answer(game: Game) -> Chosen:
        assert isinstance(game.pending, Choose)
        asked.append(game.pending.seats[0])
        return Chosen(ids=("done",))

    stands = [marines(), marines("out", at=[(10.0, 8.0)], player="p2")]
    kill = doing(lambda game: damage.destroy_unit(game, game.state.units["out"], cause="test"))
    play(stands, RICH, kill, RESUPPLY, players=("p1", "p2"), answers={"purchase": answer})
    assert asked == ["p1"]


@pytest.mark.rule("R.A96", "BUY.tempt-fate")
def test_team_limits_are_shared(play: Play, marines: Make) -> None:
    """R.A96: a second Tempt Fate is refused, to the other player too."""
    stands = [marines(), marines("other", at=[(10.0, 8.0)], player="p2")]
    deck = {"secondary": ("secondary/3-show-no-fear", "secondary/2-back-to-basics")}
    tried: list[bool] = []

    def answer(game: Game) -> Chosen:
        assert isinstance(game.pending, Choose)
        ids = [option.id for option in game.pending.options]
        tried.append("buy/tempt-fate" in ids)
        return Chosen(ids=("buy/tempt-fate" if tried == [True] else "done",))

    more = {"players": ("p1", "p2"), "decks": deck, "answers": {"purchase": answer}}
    game = play(stands, RICH, RESUPPLY, **more)
    assert tried == [True, False, False]
    assert len(game.state.decks["secondary"].active) == 1


@pytest.mark.rule("BUY.tempt-fate")
def test_no_third_mission_is_tempted(play: Play, marines: Make) -> None:
    """No more than two are active in any round."""
    reveal = Step("reveal", "start-of-round", mission.reveal_mission)
    deck = {
        "secondary": tuple(
            f"secondary/{n}" for n in ("3-show-no-fear", "2-back-to-basics", "7-decapitation-strike")
        )
    }
    one = play([marines()], RICH, reveal, decks=deck)
    again = Step("again", "start-of-round", mission.reveal_mission)
    two = play([marines()], RICH, reveal, again, decks=deck)
    assert "tempt-fate" in offers(one)
    assert "tempt-fate" not in offers(two)


@pytest.mark.rule("BUY.advanced-tactics")
def test_advanced_tactics_changes_the_mission(play: Play, marines: Make) -> None:
    """One is removed, the next is revealed."""
    reveal = Step("reveal", "start-of-round", mission.reveal_mission)
    deck = {"secondary": ("secondary/3-show-no-fear", "secondary/2-back-to-basics")}
    answers = {"purchase": buying("buy/advanced-tactics"), "target": "secondary/3-show-no-fear"}
    game = play([marines()], RICH, reveal, RESUPPLY, decks=deck, answers=answers)
    assert game.state.decks["secondary"].active == ("secondary/2-back-to-basics",)
    assert game.state.players["p1"].sp == 25


@pytest.mark.rule("MISERY.24", "S.B06", "R.A79")
def test_a_saved_card_pays_even_when_prices_are_doubled(play: Play, marines: Make) -> None:
    """Free stays free, is no SP spent, and counts as a purchase with its tags."""
    card = "secondary/1-secure-drop-zones"
    give = doing(lambda game: game.log(ev.CardDiscarded(deck="secondary", card=card, to="p1")))
    answers = {"purchase": buying(f"{card}+buy/basic-tactics")}
    game = play(
        [marines()],
        doing(lambda game: purse(game, 3)),
        give,
        RESUPPLY,
        decks={"secondary": ()},
        answers=answers,
        active=["MISERY.24"],
    )
    player = game.state.players["p1"]
    assert (player.sp, player.cp, player.saved) == (3, 3, ())
    assert game.state.marks.count("bought:Tactics") == 1
    assert game.state.marks.count("sp-spent") == 0


@pytest.mark.rule("BUY.air-strike", "R.A76", "SP.2")
def test_air_strike_clears_area_terrain(play: Play, marines: Make, foes: Make) -> None:
    """Units within suffer 2D3, the terrain goes, and the kill is the buyer's."""
    stands = [marines(), foes(at=[(20.0, 18.0)], characteristics=(("W", 4),)), foes("out", at=[(30.0, 18.0)])]
    answers = {"purchase": buying("buy/air-strike"), "target": "ruin"}
    game = play(stands, RICH, RESUPPLY, answers=answers, dice={"mortal-wounds": [2, 3]})
    assert lost(game) == {"foes": 4}
    assert game.state.terrain == {}
    assert game.state.players["p1"].sp == 30 - 3 + 1


@pytest.mark.rule("BUY.pizza-party")
def test_pizza_party_ends_battle_shock(play: Play, marines: Make) -> None:
    """Offered only while a player's unit is Battle-shocked."""
    stands = [marines(), marines("afraid", at=[(10.0, 8.0)], marks=(("battle-shocked", True),))]
    answers = {"purchase": buying("buy/pizza-party"), "target": "afraid"}
    game = play(stands, RICH, RESUPPLY, answers=answers)
    assert "battle-shocked" not in game.state.units["afraid"].marks
    assert "pizza-party" not in offers(game)


@pytest.mark.rule("BUY.fortified")
def test_fortifying_takes_an_unfortified_marker_and_one_of_a_kind(play: Play, marines: Make) -> None:
    """A marker bears one, and there is one of each kind."""
    answers = {"purchase": buying("buy/jamming-station"), "target": "west"}
    game = play([marines()], RICH, RESUPPLY, answers=answers)
    assert game.state.objectives["west"].fortified == "buy/jamming-station"
    assert "jamming-station" not in offers(game)
    assert "ammo-supplies" in offers(game)


@pytest.mark.rule("BUY.fortified")
def test_the_horde_destroys_what_it_gains(play: Play, marines: Make) -> None:
    """A Fortified marker goes when the Horde gains control of its objective, not when a player does."""

    def change(by: str) -> Callable[[Game], Any]:
        return lambda game: game.happen(ev.Controlled(objective="west", by=by))

    answers = {"purchase": buying("buy/jamming-station"), "target": "west"}
    for by in ("players", "horde"):
        game = play([marines()], RICH, RESUPPLY, doing(change(by)), answers=dict(answers))
        assert bool(game.state.objectives["west"].fortified) == (by == "players")
        answers = {"purchase": buying("buy/jamming-station"), "target": "west"}


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
    unit, digger = game.state.units["marines"], game.state.units["c"]
    assert ("sustained hits 1" in game.query.weapon_keywords(unit, unit.rows[0], 0)) == whole
    assert game.query.weapon_keywords(unit, unit.rows[0], 1) == ()
    about = {"attacker": digger, "target": None, "weapon": digger.weapon(1), "melee": True}
    assert game.query.number("weapon.strength", 4, **about).value == (5 if whole else 4)
    assert game.query.number("weapon.ap", -1, **about).value == (-2 if whole else -1)
    assert game.query.number("weapon.strength", 4, **{**about, "melee": False}).value == 4


@pytest.mark.rule("BUY.shield-generator")
def test_the_shield_helps_against_shots_from_outside(play: Play, marines: Make, foes: Make) -> None:
    """Feel No Pain 4+ from afar; none in melee, nor from within range of it, nor where it is worse."""
    fortify = doing(
        lambda game: game.log(ev.Marked(on="objective:west", key="fortified", value="buy/shield-generator"))
    )
    stands = [marines(at=[(10.0, 20.0)]), foes(at=[(10.0, 32.0)]), foes("in", at=[(10.0, 24.0)])]
    game = play(stands, fortify)
    unit = game.state.units["marines"]

    def need(by: str, melee: bool = False, base: int = 7) -> float:
        about = {"unit": unit, "attacker": game.state.units.get(by), "mortal": False, "melee": melee}
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
    game = play([marines(), foes(at=[(42.0, 28.0)])], RICH, answers={})
    pending = play_until_place(play, [marines(), foes(at=[(42.0, 28.0)])], "buy/minefield")
    assert isinstance(pending.pending, Place)
    if legal:
        pending.submit(spot(*at))
        assert [marker.kind for marker in pending.state.markers.values()] == ["minefield"]
        assert pending.state.players["p1"].sp == 24
    else:
        with pytest.raises(IllegalAnswer):
            pending.submit(spot(*at))
    assert game.state.markers == {}


def play_until_place(play: Play, stands: list[Stand], purchase: str) -> Game:
    """Return a battle in which a purchase asks for its marker's place."""
    from engine.rulesets.horde import HORDE_1_1
    from engine.situation import situation

    game = situation(stands, (RICH, RESUPPLY), HORDE_1_1, board=_board(play))
    game.submit(Chosen(ids=(purchase,)))
    return game


def _board(play: Play) -> BoardFacts:
    return play([]).state.board


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
        assert len(game.state.markers) == left


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
    near, far = game.state.units["foes"], game.state.units["far"]
    assert game.query.number("unit.move", 6, unit=near).value == 5
    assert game.query.number("roll.charge-modifier", 0, unit=near).value == -2
    assert game.query.number("roll.advance-modifier", 0, unit=near).value == -2
    assert game.query.number("unit.move", 6, unit=far).value == 6


@pytest.mark.rule("BUY.artillery-strike")
def test_artillery_falls_at_the_end_of_the_fight_phase(play: Play, marines: Make, foes: Make) -> None:
    """A die for each model within 9 inches, 5+ is 1 mortal wound, 3 for a Vehicle; the marker goes."""
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
    assert game.state.markers == {}


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
    assert len(game.state.objectives) == 6
    assert game.state.objectives["supply-drop#1"].facts.zone == "no-mans-land"
    assert isinstance(game.pending, Choose)
    assert "buy/supply-drop" not in {option.id for option in game.pending.options}


@pytest.mark.rule("BUY.field-hospital")
def test_the_field_hospital_heals_then_returns_models(play: Play, marines: Make, foes: Make) -> None:
    """Three wounds: one mends the wounded model, one brings a model back, one mends that."""
    fortify = doing(
        lambda game: game.log(ev.Marked(on="objective:west", key="fortified", value="buy/field-hospital"))
    )

    def hurt(game: Game) -> Steps[bool]:
        unit = game.state.units["marines"]
        for _ in range(5):
            yield from damage.mortal_wounds(game, unit, 1, cause="test")
        return False

    stands = [
        marines(at=[(9.0, 20.0), (10.5, 20.0), (9.0, 23.5), (10.5, 23.5)], characteristics=(("W", 2),)),
        foes(),
    ]
    heal = doing(lambda game: None, "players.movement.reinforcements", "movement", "players")
    game = play(stands, fortify, doing(hurt), heal)
    unit = game.state.units["marines"]
    assert [model.wounds for model in game.state.alive(unit)] == [2, 2, 2]
    back = [e for e in game.events if isinstance(e, ev.Returned)]
    assert [(e.wounds, e.cause) for e in back] == [(1, "BUY.field-hospital")]


@pytest.mark.rule("MISERY.8", "R.A85")
def test_death_denied_restores_horde_units_but_no_lost_leader(play: Play, marines: Make, foes: Make) -> None:
    """Full strength and full wounds; the leader that fell stays away."""
    from engine.steps import card

    def hurt(game: Game) -> Steps[bool]:
        unit = game.state.units["foes"]
        for row in (unit.rows[-1], unit.rows[0]):
            yield from damage.destroy_model(game, unit, game.state.models[row], cause="test")
        yield from damage.mortal_wounds(game, unit, 1, cause="test")
        return False

    at = [(30.0, 30.0), (31.5, 30.0), (33.0, 30.0), (34.5, 30.0)]
    stands = [marines(), foes(at=at, leaders=1, characteristics=(("W", 2),))]
    misery = Step("misery", "start-of-round", card.reveal_misery)
    game = play(stands, doing(hurt), misery, decks={"misery": ("misery/8-death-denied",)})
    unit = game.state.units["foes"]
    assert len(unit.rows) == 3
    assert all(model.wounds == 2 for model in game.state.alive(unit))
