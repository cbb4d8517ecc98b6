"""The Resupply step: what may be bought, by whom and how often, and what each purchase does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.core import event as ev
from engine.core.game import Game
from engine.core.request import Choose, Chosen, Steps
from engine.core.ruleset import Step
from engine.horde.steps import mission, resupply
from engine.scenario.situation import Stand
from engine.w40k.attack import damage

Play = Callable[..., Game]
Make = Callable[..., Stand]
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


def buying(*wanted: str) -> Callable[[Game], Chosen]:
    """Return answers that buy these purchases in turn, and then nothing."""
    left = list(wanted)

    def answer(game: Game) -> Chosen:
        return Chosen(ids=(left.pop(0) if left else "done",))

    return answer


def offers(game: Game, seat: str = "p1") -> set[str]:
    """Return what a player may buy."""
    return {way.id.removeprefix("buy/") for way in resupply.offered(game, seat)}


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
    assert (player.sp, player.cp) == (26, 2)
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
    kill = doing(lambda game: damage.destroy_unit(game, game.state.position.units["out"], cause="test"))
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
    assert (player.sp, player.cp, player.saved) == (3, 1, ())
    assert game.state.marks.count("bought:Tactics") == 1
    assert game.state.marks.count("sp-spent") == 0


@pytest.mark.rule("SP.4", "BUY.share-supplies")
def test_a_player_that_is_done_and_is_then_given_sp_may_buy_again(play: Play, marines: Make) -> None:
    says = {"p1": ["done", "buy/basic-tactics", "done"], "p2": ["buy/share-supplies", "done", "done"]}

    def answer(game: Game) -> Chosen:
        assert game.pending is not None
        return Chosen(ids=(says[game.pending.seats[0]].pop(0),))

    stands = [marines(), marines("others", at=[(40.0, 8.0)], player="p2")]
    game = play(
        stands,
        doing(lambda game: purse(game, 3)),
        RESUPPLY,
        players=("p1", "p2"),
        answers={"purchase": answer, "target": "p1"},
    )
    bought = [(event.player, event.rule) for event in game.events if isinstance(event, ev.Purchased)]
    assert bought == [("p2", "buy/share-supplies"), ("p1", "buy/basic-tactics")]


@pytest.mark.rule("SEC.1", "SEC.5", "SEC.12", "SEC.19", "SEC.20", "S.B06")
@pytest.mark.parametrize(
    ("card", "free", "paid"),
    [
        ("secondary/1-secure-drop-zones", {"buy/basic-tactics": 0}, "buy/supply-drop"),
        ("secondary/5-search-for-supplies", {"buy/supply-drop": 0}, "buy/jamming-station"),
        ("secondary/12-control-the-battlefield", {"buy/advanced-tactics": 0}, "buy/supply-drop"),
        ("secondary/19-dive-into-hell", {"buy/air-strike": 0}, "buy/jamming-station"),
        ("secondary/20-insane-gambit", {"buy/jamming-station": 0}, "buy/basic-tactics"),
    ],
)
def test_a_saved_card_pays_for_what_its_mission_names(
    play: Play, marines: Make, card: str, free: dict[str, int], paid: str
) -> None:
    give = doing(lambda game: game.log(ev.CardDiscarded(deck="secondary", card=card, to="p1")))
    reveal = Step("reveal", "start-of-round", mission.reveal_mission)
    deck = {"secondary": ("secondary/2-back-to-basics", "secondary/3-show-no-fear")}
    ways: list[resupply.Way] = []
    look = doing(lambda game: ways.extend(resupply.offered(game, "p1")))
    play([marines()], RICH, reveal, give, look, decks=deck)
    by_card = {way.rule.id: way.price for way in ways if way.card == card}
    assert by_card.items() >= free.items()
    assert paid not in by_card
    assert paid in {way.rule.id for way in ways}


@pytest.mark.rule("BUY.air-strike", "R.A76", "SP.2")
def test_air_strike_clears_area_terrain(play: Play, marines: Make, foes: Make) -> None:
    """Units within suffer 2D3, the terrain goes, and the kill is the buyer's."""
    stands = [marines(), foes(at=[(20.0, 18.0)], characteristics=(("W", 4),)), foes("out", at=[(30.0, 18.0)])]
    answers = {"purchase": buying("buy/air-strike"), "target": "ruin"}
    game = play(stands, RICH, RESUPPLY, answers=answers, dice={"mortal-wounds": [2, 3]})
    assert lost(game) == {"foes": 4}
    assert game.state.position.terrain == {}
    assert game.state.players["p1"].sp == 30 - 3 + 1


@pytest.mark.rule("BUY.pizza-party")
def test_pizza_party_ends_battle_shock(play: Play, marines: Make) -> None:
    """Offered only while a player's unit is Battle-shocked."""
    stands = [marines(), marines("afraid", at=[(10.0, 8.0)], marks=(("battle-shocked", True),))]
    answers = {"purchase": buying("buy/pizza-party"), "target": "afraid"}
    game = play(stands, RICH, RESUPPLY, answers=answers)
    assert "battle-shocked" not in game.state.position.units["afraid"].marks
    assert "pizza-party" not in offers(game)


@pytest.mark.rule("BUY.fortified")
def test_fortifying_takes_an_unfortified_marker_and_one_of_a_kind(play: Play, marines: Make) -> None:
    """A marker bears one, and there is one of each kind."""
    answers = {"purchase": buying("buy/jamming-station"), "target": "west"}
    game = play([marines()], RICH, RESUPPLY, answers=answers)
    assert game.state.position.objectives["west"].fortified == "buy/jamming-station"
    assert "jamming-station" not in offers(game)
    assert "ammo-supplies" in offers(game)


@pytest.mark.rule("BUY.fortified")
def test_the_horde_destroys_what_it_gains(play: Play, marines: Make) -> None:
    """A Fortified marker goes when the Horde gains its objective, not when a player does."""

    def change(by: str) -> Callable[[Game], Any]:
        return lambda game: game.happen(ev.Controlled(objective="west", by=by))

    answers = {"purchase": buying("buy/jamming-station"), "target": "west"}
    for by in ("players", "horde"):
        game = play([marines()], RICH, RESUPPLY, doing(change(by)), answers=dict(answers))
        assert bool(game.state.position.objectives["west"].fortified) == (by == "players")
        answers = {"purchase": buying("buy/jamming-station"), "target": "west"}
