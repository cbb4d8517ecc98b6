"""A person in the terminal: scripted lines in, questions out, and never a traceback."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import msgspec
import numpy as np
import pytest

from ai.agents import agent
from datasheets.library import Library
from engine.core import event as ev
from engine.core.facts import BoardFacts, ObjectiveFacts, WeaponFacts, ZoneFacts
from engine.core.game import Game
from engine.core.play import play
from engine.core.request import Choose, Chosen, Move, Moves, Option, Order, Ordered, Said, Steps, YesNo
from engine.core.ruleset import Step
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.horde.setup import Options
from engine.horde.steps import resupply
from engine.scenario.situation import Stand, situation
from engine.systems import new_game
from engine.w40k.phase import fight, movement, shooting
from engine.w40k.view import View
from viewer.story.name import title
from viewer.terminal.terminal import Left, Person, Teller

GUN = WeaponFacts(name="rifle", range=24.0, attacks="2", skill=3)
PISTOL = WeaponFacts(name="pistol", range=12.0, attacks="1", skill=3, keywords=("pistol",))
BLADE = WeaponFacts(name="blade", attacks="2", skill=3)
FIST = WeaponFacts(name="fist", attacks="1", skill=4, strength=8)
DEFENDER = ZoneFacts(
    id="defender", kind="defender", polygon=((0.0, 0.0), (60.0, 0.0), (60.0, 10.0), (0.0, 10.0))
)
BOARD = BoardFacts(objectives=(ObjectiveFacts(id="home", at=(30.0, 5.0)),), zones=(DEFENDER,))
MARINES = [(28.0, 8.0), (30.0, 8.0), (32.0, 8.0)]
Type = Callable[..., str]


@pytest.fixture
def type_in(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Type:
    """Return a function that types lines and lets a person answer all that is asked for p1."""

    def typed(game: Game, *lines: str, name: str = "steady") -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(line + "\n" for line in lines)))
        play(game, {"horde": agent("horde"), "p1": Person(agent(name))}, View)
        return capsys.readouterr().out

    return typed


def table(*steps: Step, foes: Sequence[tuple[float, float]] = ((30.0, 20.0),), **more: Any) -> Game:
    """Return a battle of three marines against a few foes."""
    marines = Stand(
        "marines", "players", MARINES, weapons=more.pop("weapons", (GUN, PISTOL, BLADE, FIST)), **more
    )
    return situation(
        [marines, Stand("foes", "horde", foes, weapons=(BLADE,)), Stand("far", "horde", [(50.0, 30.0)])],
        steps,
        HORDE_1_1,
        board=BOARD,
    )


MOVEMENT = Step("players.movement", "movement", movement.movement, "players")
SHOOTING = Step("players.shooting", "shooting", shooting.shooting, "players")
FIGHT = Step("players.fight", "fight", fight.remaining_combats, "players")


def asking(*requests: Any) -> Step:
    """Return a step that asks these questions and marks the answers on the battle."""

    def ask(game: Game) -> Steps[bool]:
        for request in requests:
            answers.append((yield request))
        return False

    answers: list[Any] = []
    ask.answers = answers  # type: ignore[attr-defined]
    return Step("asking", "asking", ask)


def answers_of(step: Step) -> list[Any]:
    """Return what was answered in such a step."""
    return list(step.run.answers)  # type: ignore[attr-defined]


OPTIONS = (Option(id="a", label="Alpha"), Option(id="b", label="Beta"), Option(id="c", label="Gamma"))


def choose(**more: Any) -> Choose:
    return Choose(seats=("p1",), rule="SP.4", decision="anything", prompt="Which?", options=OPTIONS, **more)


@pytest.mark.parametrize(
    ("lines", "ids"),
    [
        (["2"], ("b",)),
        (["beta"], ("b",)),
        (["c"], ("c",)),
        (["GAM"], ("c",)),
        (["7", "-1", "x", "1 2", "٣", "2"], ("b",)),
    ],
)
def test_one_option_is_chosen(type_in: Type, lines: list[str], ids: tuple[str, ...]) -> None:
    step = asking(choose())
    out = type_in(table(step), *lines)
    assert answers_of(step) == [Chosen(ids=ids)]
    assert "1 Alpha" in out
    assert "Suggested: Alpha" in out


def test_what_a_few_rules_do_is_told_as_they_are_offered_and_all_of_it_when_asked(type_in: Type) -> None:
    cards = tuple(Option(id=f"SECRET.{i}", label=f"Card {i}") for i in (7, 19, 18, 20, 21))
    few = msgspec.structs.replace(choose(), rule="SETUP.8", options=cards[:2])
    out = type_in(table(asking(few, msgspec.structs.replace(few, options=cards))), "1", "?", "1")
    first, second, help_ = out.split("number > ")[:3]
    assert "  Card 7: End the game with every player surviving." in first
    assert "  Card 7: " not in second
    assert "  SETUP.8: Each player is dealt two secret objectives" in help_
    assert "  Card 7: End" in help_


def test_several_options_none_and_a_fault_of_the_rules(type_in: Type) -> None:
    step = asking(choose(minimum=2, maximum=3), choose(minimum=0, maximum=2))
    out = type_in(table(step), "1", "3 1", "none")
    assert answers_of(step) == [Chosen(ids=("c", "a")), Chosen(ids=())]
    assert "2 to 3 options must be chosen" in out


def test_yes_no_and_order(type_in: Type) -> None:
    common: dict[str, Any] = {"seats": ("p1",), "rule": "X", "decision": "d", "prompt": "Well?"}
    step = asking(YesNo(**common), Order(items=OPTIONS, **common), YesNo(**common))
    type_in(table(step), "perhaps", "n", "2", "")
    assert answers_of(step) == [Said(yes=False), Ordered(ids=("b", "a", "c")), Said(yes=True)]


def test_a_unit_moves_toward_a_place_a_unit_and_away(type_in: Type) -> None:
    game = table(MOVEMENT)
    out = type_in(game, "marines", "normal", "toward 30 40 by 2")
    # A foe stands on the straight line: the way round it leads off at a slant.
    gone = game.state.position.table.xy[:3] - MARINES
    assert "Up to 6" in out
    assert np.allclose(np.hypot(*gone.T), 2.0, atol=0.01)
    assert (gone[:, 1] > 1.9).all()

    game = table(MOVEMENT)
    type_in(game, "1", "2", "toward foes")
    assert (
        game.field.gap(game.state.position.units["marines"], game.state.position.units["foes"]) < 12.0 - 5.9
    )

    game = table(MOVEMENT)
    type_in(game, "1", "2", "away")
    assert game.field.gap(game.state.position.units["marines"], game.state.position.units["foes"]) > 12.0

    game = table(MOVEMENT)
    type_in(game, "1", "2", "stay")
    assert game.state.position.table.xy[:3].tolist() == [list(at) for at in MARINES]


def test_nonsense_about_a_move_is_asked_again(type_in: Type) -> None:
    odd = "toward|toward nobody|toward 1 2 3|toward nan nan|toward 1e9 5|by 3|toward f|toward home by x"
    more = "fly to the moon|?|why|\x00|toward home by -3|stay"
    game = table(MOVEMENT)
    out = type_in(game, "1", "2", *odd.split("|"), *more.split("|"))
    assert "Nothing on the table is called 'nobody'" in out
    assert "give one of these ids" in out
    assert 'foes [foes] (1 wound) at 30.0 20.0, 10.7" away, visible' in out
    assert 'home at 30 5, 1.6" away' in out
    assert game.is_over


def test_shooting_at_one_target_weapon_by_weapon_and_not_at_all(type_in: Type) -> None:
    near = [(30.0, 16.0)]
    game = table(SHOOTING, foes=near)
    type_in(game, "1", "each", "9", "none", "foes")
    assert shots(game) == [(0, 1, "foes"), (1, 1, "foes"), (2, 1, "foes")]

    game = table(SHOOTING, foes=near)
    out = type_in(game, "1", "foes")
    assert [(weapon, target) for _, weapon, target in shots(game)] == [(0, "foes")] * 3
    assert '1 foes [foes] (1 wound), 6.7" away' in out

    game = table(SHOOTING, foes=near)
    type_in(game, "1", "none")
    assert shots(game) == []


def test_a_model_strikes_with_one_weapon(type_in: Type) -> None:
    game = table(FIGHT, foes=[(28.0, 9.5), (30.0, 9.5), (32.0, 9.5)])
    type_in(game, *([""] * 2), "each", "1", *([""] * 20))
    struck = [event for event in game.events if event.kind == "targeted" and event.unit == "marines"]
    assert [shot.weapon for shot in struck[0].shots] == [2, 2, 2]


def shots(game: Game) -> list[tuple[int, int, str]]:
    return [
        (shot.model, shot.weapon, shot.target)
        for event in game.events
        if event.kind == "targeted"
        for shot in event.shots
    ]


def test_the_adviser_s_move_is_taken_by_an_empty_line(type_in: Type) -> None:
    by_hand, by_itself = table(MOVEMENT), table(MOVEMENT)
    type_in(by_hand, "", "", "")
    play(by_itself, {"horde": agent("horde"), "p1": agent("steady")}, View)
    assert by_hand.events == by_itself.events


def test_auto_hands_over_for_good(type_in: Type) -> None:
    game = table(MOVEMENT, SHOOTING)
    out = type_in(game, "auto")
    assert out.count("Suggested") == 1
    assert game.is_over


@pytest.mark.parametrize("lines", [[], ["quit"], ["1", "EXIT"], ["1", "2", "each", "quit"]])
def test_leaving_says_where(type_in: Type, lines: list[str]) -> None:
    with pytest.raises(Left, match=r"left in round 2, the players' movement phase, before its end\.$"):
        type_in(table(MOVEMENT), *lines)


def test_a_move_that_the_rules_refuse_is_told_and_asked_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = table(MOVEMENT)
    game.submit(Chosen(ids=("marines",)))
    game.submit(Chosen(ids=("normal-move",)))
    request = game.pending
    assert isinstance(request, Move)
    too_far = Moves(paths={0: ((28.0, 18.0),)})

    class Reckless:
        name = "reckless"

        def answer(self, view: View, request: Any) -> Moves:
            return too_far

    monkeypatch.setattr("sys.stdin", io.StringIO("\nstay\n"))
    answer = Person(Reckless()).answer(View(game, "p1"), request)
    assert answer == Moves()
    assert "That may not be: model 0: the path is 10.0000 inches long" in capsys.readouterr().out


def test_setting_up_around_a_place(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    library = Library()
    game = new_game(Options((library.army("space-marines-1000"),), ("death-guard",), seed=3), library)
    lines = ["1", "1", "at", "at the moon", "at 1 2 3", "over there", "at A", ""]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))
    seats = {"horde": agent("horde"), "p1": Person(agent("steady"))}
    with pytest.raises(Left, match="in the set-up"):
        play(game, seats, View, watch=Teller())
    out = capsys.readouterr().out
    assert 'Say "at X Y" or "at NAME".' in out
    assert out.count(" set up (") == 1
    placed = next(event for event in game.events if event.kind == "placed")
    assert placed.unit == game.mustered[0].id


def test_a_person_who_types_anything_never_sees_a_traceback(type_in: Type) -> None:
    words = ["", "1", "2", "3", "toward 30 22", "each", "none", "?", "why", "at 30 5", "toward home", "9 9"]
    lines = [words[(7 * i * i + 3 * i) % len(words)] for i in range(400)]
    library = Library()
    game = new_game(Options((library.army("space-marines-1000"),), ("tyranids",), seed=5), library)
    with suppress(Left):
        type_in(game, *lines)
    assert len(game.answers) > 50


def test_why_not_is_answered_for_the_suggestion_and_for_the_horde(type_in: Type) -> None:
    told = type_in(table(MOVEMENT), "1", "why not far", "why not fat", "why not advance?", "1", name="horde")
    # The Horde's AI advises here, so that there is a record to ask.
    assert "  What is suggested: " in told
    assert "There is no unit, objective or option 'fat'; did you mean 'far'" in told
    assert "Advance: it might neither shoot nor charge afterwards" in told


@pytest.mark.rule("PLAY.9")
def test_another_players_secret_is_not_told(capsys: pytest.CaptureFixture[str]) -> None:
    """A person in one seat reads that a card was drawn, not which; its own is named."""
    library = Library()
    armies = (library.army("space-marines-1000"),) * 2
    game = new_game(Options(armies, ("death-guard",), 2000, seed=3), library)
    mine, theirs = (player.secrets for player in game.state.players.values())
    Teller("p1")(game)
    out = capsys.readouterr().out
    assert all(f"drew the secret objective {title(card)}" in out for card in mine)
    assert not [card for card in theirs if title(card) in out]
    assert out.count("drew a secret objective") == len(theirs) == 2


@pytest.mark.rule("BUY.defensive-positions")
def test_terrain_is_set_up_and_faced_as_a_person_says(type_in: Type) -> None:
    def supplied(game: Game) -> Steps[bool]:
        if not game.state.players["p1"].sp and "seen" not in game.state.marks:
            game.log(ev.Marked(on="battle", key="seen", value=True))
            game.log(ev.Gained(player="p1", what="sp", amount=4, total=4))
        return (yield from resupply.resupply(game))  # type: ignore[arg-type]

    game = table(Step("players.command.resupply", "command", supplied, "players"))
    number = next(
        i
        for i, option in enumerate(game.pending.options, start=1)  # type: ignore[union-attr]
        if option.id == "buy/defensive-positions"
    )
    out = type_in(game, str(number), "2", "at 12 30 facing sideways", "at 12 30 facing 90", "done")
    assert "at X Y facing DEGREES" in out
    ruin = game.state.position.terrain["defensive-positions#1"]
    assert ruin.walls is not None
    assert np.allclose(ruin.walls[0], [(16.5, 32.0), (7.5, 32.0)]), "its wall stands in front"
