"""The misery deck: its draws, what cards do at once, and what replaces a roll."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from engine.core import event as ev
from engine.core.facts import BoardFacts
from engine.core.game import Game
from engine.core.request import Steps
from engine.core.ruleset import Step
from engine.horde.steps import card, mission
from engine.scenario.situation import Stand
from engine.w40k.phase import command
from engine.w40k.phase.charge import charge_roll
from engine.w40k.phase.movement import advance_roll

Play = Callable[..., Game]
Make = Callable[..., Stand]
MISERY = Step("misery", "start-of-round", card.reveal_misery)
RIP, GRUDGE, LUCK = "misery/3-rip-and-tear", "misery/2-grudge-match", "misery/20-lamentable-luck"
EASY = ("misery/1-unnatural-stamina", GRUDGE, RIP, "misery/5-untouchable", "misery/9-terrifying-shockwave")


def revealed(game: Game, deck: str = "misery") -> list[str]:
    """Return the cards revealed, in order."""
    return [e.card for e in game.events if isinstance(e, ev.CardRevealed) and e.deck == deck]


def dealt(game: Game) -> dict[str, int]:
    """Return the wounds that each unit has lost."""
    lost: dict[str, int] = {}
    for event in game.events:
        if isinstance(event, ev.Damaged):
            lost[event.unit] = lost.get(event.unit, 0) + event.amount
    return lost


@pytest.mark.rule("ROUND.2")
@pytest.mark.parametrize(("number", "count"), [(1, 0), (2, 1), (3, 1), (4, 2), (5, 3), (6, 3)])
def test_rounds_draw_their_cards(play: Play, marines: Make, number: int, count: int) -> None:
    """S.S09: 0, 1, 1, 2, 3, and 3 from then on."""
    game = play([marines()], MISERY, decks={"misery": EASY}, round_number=number)
    assert revealed(game) == list(EASY[:count])


@pytest.mark.rule("ROUND.2", "ROUND.3")
@pytest.mark.parametrize(("number", "modifier"), [(1, 0), (2, 0), (3, 1), (4, 1), (5, 2), (7, 2)])
def test_rounds_have_their_spawn_modifier(play: Play, marines: Make, number: int, modifier: int) -> None:
    """S.S09: 0, 0, +1, +1, +2."""
    game = play([marines()], round_number=number)
    assert mission.spawn_modifier(game, "s1", first=True).value == modifier


@pytest.mark.rule("ROUND.3", "R.A82", "R.A72")
def test_what_missions_brought_counts_for_the_next_round_only(play: Play, marines: Make) -> None:
    """Cards, spawn modifiers, and what only the first spawn roll gets."""

    def carried(game: Game) -> Steps[bool]:
        for key, amount in (("misery", 2), ("spawn", -1), ("first-spawn", 12)):
            game.log(ev.Marked(on="battle", key=f"next:{key}", value=amount))
        return False
        yield

    again = Step("again", "start-of-round", card.reveal_misery)
    next_round = replace(MISERY, opens_round=True)
    game = play([marines()], Step("carry", "end", carried), next_round, decks={"misery": EASY})
    # The third round adds 1 to spawn rolls.
    assert len(revealed(game)) == 3
    assert mission.spawn_modifier(game, "s1", first=True).value == 12
    assert mission.spawn_modifier(game, "s2", first=False).value == 0
    game.log(ev.RoundEnded(number=3))
    assert mission.spawn_modifier(game, "s1", first=True).value == 1
    nothing_more = play([marines()], MISERY, again, decks={"misery": EASY})
    assert len(revealed(nothing_more)) == 2


@pytest.mark.rule("ROUND.1", "R.A82")
def test_last_rounds_cards_are_discarded_and_out_of_force(play: Play, marines: Make, foes: Make) -> None:
    """Rip and Tear lasts until the next round begins."""
    game = play([marines(), foes()], MISERY, decks={"misery": (RIP, GRUDGE)})
    foe = game.state.position.units["foes"]
    assert game.query.number("weapon.ap", 0, attacker=foe).value == -1
    game.log(ev.CardDiscarded(deck="misery", card=RIP))
    assert game.query.number("weapon.ap", 0, attacker=foe).value == 0
    assert game.state.decks["misery"].discard == (RIP,)


@pytest.mark.rule("MISERY.20", "R.A81")
def test_lamentable_luck_reveals_two_more(play: Play, marines: Make) -> None:
    """One draw becomes three cards."""
    game = play([marines()], MISERY, decks={"misery": (LUCK, RIP, GRUDGE, EASY[0])})
    assert revealed(game) == [LUCK, RIP, GRUDGE]


@pytest.mark.rule("MISERY.20", "R.A81", "PLAY.10")
def test_a_deck_of_one_does_not_loop(play: Play, marines: Make) -> None:
    """The card in play is not reshuffled."""
    game = play([marines()], MISERY, decks={"misery": (LUCK,)}, round_number=5)
    assert revealed(game) == [LUCK]


@pytest.mark.rule("PLAY.10")
def test_an_empty_deck_is_reshuffled_from_its_discards(play: Play, marines: Make) -> None:
    """Two draws of a deck of one card that was discarded in between."""

    def discard(game: Game) -> Steps[bool]:
        game.log(ev.CardDiscarded(deck="misery", card=RIP))
        return False
        yield

    steps = (MISERY, Step("discard", "end", discard), Step("again", "start-of-round", card.reveal_misery))
    game = play([marines()], *steps, decks={"misery": (RIP,)})
    assert revealed(game) == [RIP, RIP]
    assert any(isinstance(e, ev.Rolled) and e.roll == "misery-reshuffle" for e in game.events)


@pytest.mark.rule("MISERY.4", "S.D14")
def test_blistering_speed_takes_no_dice(play: Play, marines: Make, foes: Make) -> None:
    """S.D14: charge 12, advance 6 for the Horde, without a number drawn; players roll."""

    def run(game: Game) -> Steps[bool]:
        foe, own = game.state.position.units["foes"], game.state.position.units["marines"]
        assert (yield from advance_roll(game, foe)) == 6
        assert (yield from charge_roll(game, foe)) == 12
        assert game.dice.draws.get("dice", 0) == 0
        yield from advance_roll(game, own)
        assert game.dice.draws["dice"] == 1
        return False

    game = play([marines(), foes()], Step("run", "movement", run), active=["MISERY.4"])
    rolls = [e for e in game.events if isinstance(e, ev.Rolled)]
    assert [(e.roll, e.cause) for e in rolls[:2]] == [("advance", "MISERY.4"), ("charge", "MISERY.4")]


@pytest.mark.rule("MISERY.7")
def test_unlucky_night_keeps_the_higher_of_two(play: Play, marines: Make) -> None:
    """Natural 1 and 4: 4 is used."""

    def spawn(game: Game) -> Steps[bool]:
        kept = game.roll("spawn-bracket", 1, 12, stream="spawn", unit="s1")
        assert kept == (4,)
        return False
        yield

    game = play(
        [marines()], Step("spawn", "spawn", spawn), active=["MISERY.7"], dice={"spawn-bracket": [1, 4]}
    )
    rolled = next(e for e in game.events if isinstance(e, ev.Rolled))
    assert (rolled.dice, rolled.total) == ((1, 4), 4)


@pytest.mark.rule("MISERY.9")
def test_shockwave_fails_tests_without_dice(play: Play, marines: Make, foes: Make) -> None:
    """Below Half-strength player units become Battle-shocked, with no roll."""
    stands = [marines(starting_models=3), foes(starting_models=3)]

    def test_all(game: Game) -> Steps[bool]:
        for unit in game.state.position.on_table():
            yield from command.take_test(game, unit)
        return False

    dice = {"battle-shock": [6, 6]}
    game = play(stands, Step("test", "command", test_all), active=["MISERY.9"], dice=dice)
    assert "battle-shocked" in game.state.position.units["marines"].marks
    assert "battle-shocked" not in game.state.position.units["foes"].marks


@pytest.mark.rule("MISERY.6")
def test_stray_bombardment_hits_one_sixth(play: Play, marines: Make, foes: Make) -> None:
    """Each unit with any part in the sixth drawn, of both sides, 2D3 each; others none.

    Sixths are 20 by 22 inches: the second of the lower row reaches from x 20 to 40.
    """
    tough = (("W", 9),)
    stands = [
        marines("in", at=[(30.0, 8.0)], characteristics=tough),
        marines("edge", at=[(19.8, 8.0)], characteristics=tough),
        marines("out", at=[(10.0, 8.0)], characteristics=tough),
        foes("foe", at=[(39.0, 21.0)], characteristics=tough),
        foes("above", at=[(30.0, 30.0)], characteristics=tough),
    ]
    dice = {"area": [2], "mortal-wounds": [3, 3] * 3}
    game = play(stands, MISERY, decks={"misery": ("misery/6-stray-orbital-bombardment",)}, dice=dice)
    assert dealt(game) == {"in": 6, "edge": 6, "foe": 6}


@pytest.mark.rule("MISERY.10")
def test_planetquake_destroys_terrain_and_hurts_who_is_in_it(
    play: Play, marines: Make, foes: Make, board: BoardFacts
) -> None:
    """The only piece is drawn; the unit that stands in it suffers."""
    stands = [foes("in", at=[(20.0, 18.0)], characteristics=(("W", 9),)), marines("out")]
    dice = {"mortal-wounds": [2, 1]}
    game = play(stands, MISERY, decks={"misery": ("misery/10-planetquake",)}, dice=dice)
    assert dealt(game) == {"in": 3}
    assert game.state.position.terrain == {}


@pytest.mark.rule("MISERY.11", "S.B09")
def test_errant_explosion_destroys_a_marker_of_no_mans_land(play: Play, marines: Make) -> None:
    """One of the three, by chance."""
    game = play([marines()], MISERY, decks={"misery": ("misery/11-errant-explosion",)})
    assert len(game.state.position.objectives) == 4
    assert {"home", "far"} <= set(game.state.position.objectives)


@pytest.mark.rule("MISERY.12", "S.B09")
def test_nowhere_is_safe_destroys_the_defenders_markers(play: Play, marines: Make) -> None:
    """All of theirs, and no other."""
    game = play([marines()], MISERY, decks={"misery": ("misery/12-nowhere-is-safe",)})
    assert set(game.state.position.objectives) == {"west", "centre", "east", "far"}


@pytest.mark.rule("MISERY.14", "MISERY.15", "SP.3")
def test_cards_that_take_sp_never_go_below_0(play: Play, marines: Make) -> None:
    """Bad Investment takes five from each, or what there is."""

    def rich(game: Game) -> Steps[bool]:
        game.log(ev.Gained(player="p1", what="sp", amount=8, total=8))
        game.log(ev.Gained(player="p2", what="sp", amount=3, total=3))
        return False
        yield

    stands = [marines(), marines("other", at=[(20.0, 8.0)], player="p2")]
    steps = (Step("rich", "before", rich), MISERY)
    bad = play(stands, *steps, players=("p1", "p2"), decks={"misery": ("misery/15-bad-investment",)})
    assert [player.sp for player in bad.state.players.values()] == [3, 0]
    hard = play(
        stands, *steps, players=("p1", "p2"), decks={"misery": ("misery/14-no-hard-feelings", RIP, GRUDGE)}
    )
    assert sorted(player.sp for player in hard.state.players.values()) in ([0, 3], [0, 8])
    assert revealed(hard) == ["misery/14-no-hard-feelings"]


@pytest.mark.rule("MISERY.14")
def test_no_hard_feelings_alone_reveals_two_more(play: Play, marines: Make) -> None:
    """A single player keeps the SP and gets more misery."""

    def rich(game: Game) -> Steps[bool]:
        game.log(ev.Gained(player="p1", what="sp", amount=8, total=8))
        return False
        yield

    deck = ("misery/14-no-hard-feelings", RIP, GRUDGE)
    game = play([marines()], Step("rich", "before", rich), MISERY, decks={"misery": deck})
    assert revealed(game) == list(deck)
    assert game.state.players["p1"].sp == 8


@pytest.mark.rule("MISERY.21")
def test_bunkers_busted_removes_fortified_markers(play: Play, marines: Make) -> None:
    """All of them."""

    def fortify(game: Game) -> Steps[bool]:
        for name in ("west", "east"):
            game.log(ev.Marked(on=f"objective:{name}", key="fortified", value="buy/ammo-supplies"))
        return False
        yield

    game = play(
        [marines()],
        Step("fortify", "before", fortify),
        MISERY,
        decks={"misery": ("misery/21-bunkers-busted",)},
    )
    assert not any(objective.fortified for objective in game.state.position.objectives.values())


@pytest.mark.rule("FACTION.thousand-sons", "R.A92")
def test_psychic_storms_strike_each_player_unit_once(play: Play, marines: Make, foes: Make) -> None:
    """R.A92: two sources near, one D3; as the Horde's Shooting phase begins."""

    def shooting(game: Game) -> Steps[bool]:
        return False
        yield

    sons = ("INFANTRY", "THOUSAND SONS")
    stands = [
        marines("near", at=[(30.0, 20.0)], characteristics=(("W", 5),)),
        marines("far", at=[(30.0, 2.0)], characteristics=(("W", 5),)),
        foes("a", at=[(28.0, 25.0)], keywords=sons),
        foes("b", at=[(32.0, 25.0)], keywords=sons),
    ]
    step = Step("horde.shooting", "shooting", shooting, "horde")
    game = play(stands, step, factions=("thousand-sons",), dice={"mortal-wounds": [2]})
    assert dealt(game) == {"near": 2}


@pytest.mark.rule("FACTION.orks", "R.A91")
@pytest.mark.parametrize(("number", "draws", "move"), [(2, 1, 6), (3, 2, 9), (4, 2, 6)])
def test_orks_have_their_third_round(
    play: Play, marines: Make, foes: Make, number: int, draws: int, move: int
) -> None:
    """One card more, +1 to spawn rolls and 3 inches, in that round only."""
    stands = [marines(), foes(keywords=("INFANTRY", "ORKS"))]
    game = play(stands, round_number=number, factions=("orks",))
    assert game.query.number("misery.draws", 0).value == draws
    unit = game.state.position.units["foes"]
    model = game.state.position.models[unit.rows[0]]
    assert game.query.number("unit.move", 6, unit=unit, model=model).value == move
