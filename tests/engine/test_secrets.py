"""Secret objectives: dealt and kept, revealed early or at the end, and the winners."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from datasheets.library import Library
from datasheets.rule import Rule
from engine.core import event as ev
from engine.core.game import Game
from engine.core.request import Choose, Chosen, Steps
from engine.core.ruleset import Step
from engine.horde.language import LANGUAGE
from engine.horde.steps import secret
from engine.records.compiled import Compiled
from engine.records.rulebook import Rulebook, compiled_rules
from engine.scenario.situation import Stand
from engine.w40k.attack import damage
from engine.w40k.view import View
from engine.w40k.words import measures

Play = Callable[..., Game]
Make = Callable[..., Stand]
DEAL = Step("setup.secrets", "setup", secret.deal_secrets)
REVEAL = Step("secrets", "end-of-round", secret.reveal_secrets)
END = Step("battle", "end-of-round", secret.end_battle)
FIVE = tuple(
    f"secret/{name}"
    for name in ("11-show-off", "16-hold-the-line", "1-forward-extraction", "9-vip", "14-hand-of-fate")
)


def hold(card: str, seat: str = "p1") -> Step:
    """Return a step that gives a player a secret objective."""

    def run(game: Game) -> Steps[bool]:
        game.log(ev.CardRevealed(deck="secret", card=card, player=seat))
        return False
        yield

    return Step("hold", "before", run)


def doing(act: Callable[[Game], Any], phase: str = "do", turn: Any = None) -> Step:
    """Return a step that does something."""

    def run(game: Game) -> Steps[bool]:
        steps = act(game)
        if hasattr(steps, "send"):
            yield from steps
        return False

    return Step("do", phase, run, turn)


def gain(amount: int, seat: str = "p1") -> Step:
    """Return a step that gives a player SP."""
    return doing(lambda game: game.log(ev.Gained(player=seat, what="sp", amount=amount, total=amount)))


def kill(name: str, credit: str = "p1", phase: str = "do") -> Step:
    """Return a step that destroys a unit."""
    return doing(
        lambda game: damage.destroy_unit(game, game.state.position.units[name], credit=credit, cause="test"),
        phase,
        "players",
    )


def ended(play: Play, stands: list[Stand], card: str, *steps: Step, **more: Any) -> Game:
    """Return a battle whose fifth round ends with p1 holding this secret objective."""
    more = {"round_number": 5, "decks": {"secret": (card,)}, **more}
    return play(stands, hold(card), *steps, REVEAL, END, **more)


def won(game: Game) -> bool:
    """Return whether p1 has won."""
    return "p1" in game.state.winners


@pytest.mark.rule("SETUP.8")
def test_each_player_keeps_one_of_two_and_the_rest_go_back(play: Play, marines: Make) -> None:
    """Each is asked in turn for their own; the deck has the others."""
    asked: list[tuple[str, ...]] = []

    def answer(game: Game) -> Chosen:
        assert isinstance(game.pending, Choose)
        asked.append(game.pending.seats)
        return Chosen(ids=(game.pending.options[0].id,))

    game = play(
        [marines()], DEAL, players=("p1", "p2"), decks={"secret": FIVE}, answers={"keep-secret": answer}
    )
    kept = [player.secrets for player in game.state.players.values()]
    assert asked == [("p1",), ("p2",)]
    assert [len(hand) for hand in kept] == [1, 1]
    assert sorted((*kept[0], *kept[1], *game.state.decks["secret"].draw)) == sorted(FIVE)


@pytest.mark.rule("SETUP.8")
def test_where_too_few_are_left_each_gets_one(play: Play, marines: Make) -> None:
    """Three cards for two players: nobody chooses."""
    game = play([marines()], DEAL, players=("p1", "p2"), decks={"secret": FIVE[:3]})
    assert [len(player.secrets) for player in game.state.players.values()] == [1, 1]


@pytest.mark.rule("SETUP.8")
def test_what_cannot_be_completed_is_said_and_offered_last(play: Play, marines: Make) -> None:
    """A player is not lured into an objective that is not simulated."""
    labels: list[str] = []

    def answer(game: Game) -> Chosen:
        assert isinstance(game.pending, Choose)
        labels.extend(option.label for option in game.pending.options)
        return Chosen(ids=(game.pending.options[0].id,))

    later = Rule(
        id="secret/later",
        clause="TEST.later",
        name="Later",
        source="",
        summary="",
        tags=("secret",),
        reason="not yet",
    )
    book = Rulebook((*compiled_rules(Library(), LANGUAGE), Compiled(later, LANGUAGE).checked()))
    deck = {"secret": ("secret/later", "secret/11-show-off")}
    play([marines()], DEAL, answers={"keep-secret": answer}, decks=deck, rulebook=book)
    assert labels[0] == "Show Off"
    assert labels[1].startswith("Later (not simulated")


@pytest.mark.rule("SETUP.8")
@pytest.mark.parametrize(("ruling", "cards"), [("several", ["secret/11-show-off"]), ("any", None)])
def test_a_single_player_gets_no_objective_for_several(
    play: Play, marines: Make, ruling: str, cards: list[str] | None
) -> None:
    """Team Player would be won by breathing; the ruling may be changed."""
    deck = ("secret/7-team-player", "secret/11-show-off")
    more = {"decks": {"secret": deck}, "rulings": {"secret.multiplayer": ruling}}
    game = play([marines()], DEAL, answers={"keep-secret": "secret/7-team-player"}, **more)
    assert list(game.state.players["p1"].secrets) == (cards or ["secret/7-team-player"])


@pytest.mark.rule("SECRET.11", "WIN.1")
@pytest.mark.parametrize(("amount", "wins"), [(11, False), (12, True)])
def test_show_off(play: Play, marines: Make, amount: int, wins: bool) -> None:
    """12 SP at the end."""
    game = ended(play, [marines()], "secret/11-show-off", gain(amount))
    assert won(game) == wins
    assert game.is_over


@pytest.mark.rule("WIN.1")
def test_the_battle_goes_on_before_the_last_round(play: Play, marines: Make) -> None:
    """Nothing is revealed in round 4."""
    game = ended(play, [marines()], "secret/11-show-off", gain(20), round_number=4)
    assert game.state.over == "the situation is played"
    assert not any(isinstance(e, ev.SecretRevealed) for e in game.events)


@pytest.mark.rule("WIN.3")
def test_a_knocked_out_player_reveals_nothing_of_the_end(play: Play, marines: Make) -> None:
    """Enough SP, but no unit."""
    stands = [marines(), marines("other", at=[(10.0, 8.0)], player="p2")]
    card = "secret/11-show-off"
    game = ended(play, stands, card, gain(20), kill("marines", ""), players=("p1", "p2"))
    assert not won(game)
    assert not any(isinstance(e, ev.SecretRevealed) for e in game.events)


@pytest.mark.rule("SECRET.1")
@pytest.mark.parametrize(("at", "wins"), [((15.0, 36.0), True), ((15.0, 34.5), False), ((29.8, 36.0), False)])
def test_forward_extraction_is_wholly_within_one_zone(
    play: Play, marines: Make, at: tuple[float, float], wins: bool
) -> None:
    """Neither over the front nor over two zones."""
    assert won(ended(play, [marines(at=[at])], "secret/1-forward-extraction")) == wins


@pytest.mark.rule("SECRET.1")
@pytest.mark.parametrize(
    ("at", "kind", "holds"), [(36.0, "horde", True), (36.0, "defender", False), (34.5, "horde", False)]
)
def test_a_unit_is_wholly_within_a_zone_of_a_kind(
    play: Play, marines: Make, at: float, kind: str, holds: bool
) -> None:
    """The Horde's zone begins 34" up the board; a base of 32 mm at 34.5" juts out of it."""
    game = play([marines(at=[(15.0, at)])])
    assert measures.wholly_in_zone(game, game.state.position.units["marines"], kind) == holds


@pytest.mark.rule("SECRET.16")
@pytest.mark.parametrize(("y", "wins"), [(9.0, False), (12.0, True)])
def test_hold_the_line(play: Play, marines: Make, foes: Make, y: float, wins: bool) -> None:
    """No Horde unit within the Defender's zone."""
    assert won(ended(play, [marines(), foes(at=[(50.0, y)])], "secret/16-hold-the-line")) == wins


@pytest.mark.rule("SECRET.3")
@pytest.mark.parametrize(("second", "wins"), [((5.0, 5.0), True), ((11.5, 20.0), False)])
def test_cleanse_sacred_ground(play: Play, marines: Make, second: tuple[float, float], wins: bool) -> None:
    """Alone within range of a marker that the players control: no other player's unit."""
    stands = [marines(at=[(10.0, 20.0)]), marines("friend", at=[second], player="p2")]
    assert won(ended(play, stands, "secret/3-cleanse-sacred-ground", players=("p1", "p2"))) == wins


@pytest.mark.rule("SECRET.10")
@pytest.mark.parametrize("where", ["home", "away", "reserves"])
def test_rear_extraction(play: Play, marines: Make, where: str) -> None:
    """Every unit at home, none elsewhere or still to come."""
    at = (20.0, 5.0) if where != "away" else (20.0, 15.0)
    other = marines("other", at=[at], where="reserves" if where == "reserves" else "table")
    assert won(ended(play, [marines(), other], "secret/10-rear-extraction")) == (where == "home")


@pytest.mark.rule("SECRET.7", "SECRET.8")
def test_majority_and_team(play: Play, marines: Make) -> None:
    """More units than any other; everyone alive."""
    mine = [marines("a"), marines("b", at=[(20.0, 8.0)])]
    theirs = [marines("c", at=[(10.0, 8.0)], player="p2"), marines("d", at=[(5.0, 8.0)], player="p2")]
    two = {"players": ("p1", "p2")}
    assert won(ended(play, [*mine, theirs[0]], "secret/8-majority-rules", **two))
    assert not won(ended(play, [*mine, *theirs], "secret/8-majority-rules", **two))
    assert won(ended(play, [*mine, theirs[0]], "secret/7-team-player", **two))
    assert not won(ended(play, [*mine, theirs[0]], "secret/7-team-player", kill("c", ""), **two))


@pytest.mark.rule("SECRET.4", "WIN.2")
@pytest.mark.parametrize(
    ("y", "phase", "credit", "wins"),
    [
        (9.0, "fight", "p1", True),
        (12.0, "fight", "p1", False),
        (9.0, "shooting", "p1", False),
        (9.0, "fight", "", False),
    ],
)
def test_take_research_subjects(
    play: Play, marines: Make, foes: Make, y: float, phase: str, credit: str, wins: bool
) -> None:
    """Destroyed in the Fight phase, in the Defender's zone, by this player."""
    stands = [marines(), foes(at=[(50.0, y)])]
    game = ended(play, stands, "secret/4-take-research-subjects", kill("foes", credit, phase))
    assert won(game) == wins
    shown = [e for e in game.events if isinstance(e, ev.SecretRevealed)]
    assert [e.completed for e in shown] == [wins]


@pytest.mark.rule("SECRET.12")
@pytest.mark.parametrize(("gap", "wins"), [(1.0, True), (1.1, False)])
def test_kill_confirmed(play: Play, marines: Make, foes: Make, gap: float, wins: bool) -> None:
    """A Horde Character falls within engagement range of one's own Character."""
    x = 30.0 + 32 / 25.4 + gap
    stands = [
        marines(keywords=("INFANTRY", "CHARACTER")),
        foes(at=[(x, 8.0)], keywords=("INFANTRY", "CHARACTER")),
    ]
    assert won(ended(play, stands, "secret/12-kill-confirmed", kill("foes", ""))) == wins


@pytest.mark.rule("SECRET.27")
@pytest.mark.parametrize(
    ("keywords", "wounds", "count", "wins"),
    [
        (("VEHICLE",), 9, 3, False),
        (("VEHICLE",), 9, 4, True),
        (("MONSTER",), 10, 2, True),
        (("TITANIC", "VEHICLE"), 20, 1, False),
        (("TITANIC", "VEHICLE"), 20, 2, True),
        (("INFANTRY",), 10, 5, False),
    ],
)
def test_lancelot_counts_big_game(
    play: Play, marines: Make, foes: Make, keywords: tuple[str, ...], wounds: int, count: int, wins: bool
) -> None:
    """Four, where ten wounds count twice and TITANIC three times."""
    prey = [
        foes(f"f{i}", at=[(5.0 + 10 * i, 30.0)], keywords=keywords, characteristics=(("W", wounds),))
        for i in range(count)
    ]
    kills = [kill(stand.id) for stand in prey]
    assert won(ended(play, [marines(), *prey], "secret/27-lancelot", *kills)) == wins


@pytest.mark.rule("SECRET.22", "WIN.2")
@pytest.mark.parametrize("survives", [True, False])
def test_survival_is_required_where_the_card_says_so(play: Play, marines: Make, survives: bool) -> None:
    """Revealed and completed, but the player must live."""

    def fortify(game: Game) -> None:
        game.log(ev.Marked(on="player:p1", key="fortified", value=3))

    stands = [marines(), marines("other", at=[(10.0, 8.0)], player="p2")]
    steps = [doing(fortify)] + ([] if survives else [kill("marines", "")])
    game = ended(play, stands, "secret/22-adornable", *steps, players=("p1", "p2"))
    assert [e.completed for e in game.events if isinstance(e, ev.SecretRevealed)] == [True]
    assert won(game) == survives


@pytest.mark.rule("SECRET.2", "WIN.2", "WIN.3")
def test_an_early_reveal_outlives_its_player(play: Play, marines: Make) -> None:
    """A Noble Sacrifice: revealed at the end of a turn, won even when the player is gone."""
    stands = [marines(at=[(30.0, 37.0)]), marines("other", at=[(10.0, 8.0)], player="p2")]
    turn = doing(lambda game: None, "end-of-turn", "players")
    game = ended(play, stands, "secret/2-a-noble-sacrifice", turn, kill("marines", ""), players=("p1", "p2"))
    assert won(game)


@pytest.mark.rule("SECRET.14")
@pytest.mark.parametrize(("count", "wins"), [(6, False), (7, True)])
def test_hand_of_fate(play: Play, marines: Make, count: int, wins: bool) -> None:
    """Seven missions that succeeded."""
    mark = doing(lambda game: game.log(ev.Marked(on="battle", key="missions-success", value=count)))
    assert won(ended(play, [marines()], "secret/14-hand-of-fate", mark)) == wins


@pytest.mark.rule("SECRET.19", "SECRET.13")
@pytest.mark.parametrize(("count", "wins"), [(4, False), (5, True)])
def test_tallies_of_purchases(play: Play, marines: Make, count: int, wins: bool) -> None:
    """Five uses by this player; others' do not count."""

    def buy(game: Game) -> Steps[None]:
        for buyer in ["p1"] * count + ["p2"]:
            yield from game.happen(
                ev.Purchased(player=buyer, rule="buy/air-strike", price=3, tags=("Strike",))
            )

    stands = [marines(), marines("other", at=[(10.0, 8.0)], player="p2")]
    assert won(ended(play, stands, "secret/13-master-sculptor", doing(buy), players=("p1", "p2"))) == wins


@pytest.mark.rule("WIN.1")
def test_each_wins_for_themselves(play: Play, marines: Make) -> None:
    """One has 12 SP, the other not."""
    stands = [marines(), marines("other", at=[(10.0, 8.0)], player="p2")]
    cards = {"secret": ("secret/11-show-off", "secret/16-hold-the-line")}
    game = play(
        stands,
        hold("secret/11-show-off"),
        hold("secret/16-hold-the-line", "p2"),
        REVEAL,
        END,
        players=("p1", "p2"),
        decks=cards,
        round_number=5,
    )
    assert game.state.winners == ("p2",)
    assert game.state.over == "round 5 was the last"


@pytest.mark.rule("BUY.change-of-plans")
def test_a_change_of_plans_draws_two_and_keeps_one(play: Play, marines: Make) -> None:
    """Of three in hand one stays; the deck has the others."""

    def run(game: Game) -> Steps[None]:
        yield from secret.change(game, "p1", 2, False, "BUY.change-of-plans")

    game = play(
        [marines()],
        hold(FIVE[0]),
        doing(run),
        decks={"secret": FIVE},
        answers={"keep-secret": FIVE[2]},
    )
    assert game.state.players["p1"].secrets == (FIVE[2],)
    assert sorted(game.state.decks["secret"].draw) == sorted(set(FIVE) - {FIVE[2]})


@pytest.mark.rule("PLAY.9", "S.B10")
def test_a_secret_is_seen_by_its_own_seat_alone_until_it_is_revealed(play: Play, marines: Make) -> None:
    """The other player's view and the Horde's lack the card, its completion and its tally."""

    def complete(game: Game) -> None:
        game.log(ev.Marked(on="player:p1", key=FIVE[1], value=3))
        game.log(ev.SecretRevealed(player="p1", card=FIVE[0], completed=True))

    steps = hold(FIVE[0]), hold(FIVE[1]), hold(FIVE[2], "p2"), doing(complete)
    stands, cards = [marines(), marines("other", player="p2")], {"secret": FIVE}
    game = play(stands, *steps, players=("p1", "p2"), decks=cards)
    own, other, horde = (View(game, seat).players for seat in ("p1", "p2", "horde"))
    assert own["p1"].secrets == FIVE[:2]
    assert own["p1"].marks.count(FIVE[1]) == 3
    for seen in (other, horde):
        assert seen["p1"].secrets == seen["p1"].revealed == FIVE[:1]
        assert FIVE[1] not in seen["p1"].marks
    assert own["p2"].secrets == horde["p2"].secrets == ()
    assert other["p2"].secrets == FIVE[2:3]
