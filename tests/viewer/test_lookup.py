"""What a person looks up while a question waits: cards, odds, the secret, the mission."""

from __future__ import annotations

import io
import re

import pytest

from ai.agents import agent
from ai.reckoning.expectation import expected_damage
from datasheets.library import Library
from engine.core import event as ev
from engine.core.facts import WeaponFacts
from engine.core.game import Game
from engine.core.play import play
from engine.core.request import Chosen
from engine.horde.setup import Options
from engine.systems import new_game
from engine.w40k.battle import Battle
from engine.w40k.view import View
from tests.viewer.test_terminal import MOVEMENT, SHOOTING, table
from viewer.input.gate import Gate
from viewer.input.lookup import looked_up
from viewer.story.knowledge import Knowledge
from viewer.terminal.terminal import HELP, SCREEN_LINES, Person

LIBRARY = Library()
GUN = WeaponFacts(name="Bolt rifle", range=24.0, attacks="2", skill=3, strength=4, ap=-1, keywords=("heavy",))


def at(game: Game, text: str, seat: str = "p1") -> str:
    """Return what a person at a seat looks up at what is pending."""
    assert game.pending is not None
    assert isinstance(game, Battle)
    return looked_up(View(game, seat), game.pending, text, Knowledge(LIBRARY, game))


def battle(seed: int = 3) -> Battle:
    """Return a battle of two players whose secrets are chosen."""
    armies = (LIBRARY.army("space-marines-500"),) * 2
    game = new_game(Options(armies, ("death-guard",), 1000, rounds=2, seed=seed), LIBRARY)
    agents = {seat: agent("steady") for seat in ("p1", "p2")}
    play(game, {"horde": agent("horde"), **agents}, View, until=lambda now: now.state.round == 2)
    return game


@pytest.fixture(scope="module")
def begun() -> Battle:
    return battle()


def test_a_card_tells_profiles_weapons_wounds_and_what_is_in_force() -> None:
    game = table(MOVEMENT, weapons=(GUN,), characteristics=(("W", 2), ("M", 6), ("Sv", 3)))
    game.log(ev.Damaged(unit="marines", model=1, amount=1, wounds=1, by="foes"))
    told = at(game, "card marines")
    assert "marines [marines], 3 of 3 models · 100 points" in told
    assert re.search(r"3 × \w+: M 6″, T 4, Sv 3\+, W 2", told)
    assert "3 × Bolt rifle: 24″, A 2, BS 3+, S 4, AP −1, D 1 [heavy]" in told
    assert "Wounds left: 2, 1, 2" in told
    assert "Acting on it now: nothing" in told
    game.log(ev.Shocked(unit="marines"))
    assert "Acting on it now: − Battle-shocked: OC 0" in at(game, "card marines")


def test_a_card_tells_abilities_with_what_they_do_and_those_that_are_not_simulated(begun: Battle) -> None:
    unit = next(unit for unit in begun.state.position.on_table("players") if unit.facts.parts[0].rules)
    told, view = at(begun, f"card {unit.id}"), View(begun, "p1")
    assert view.rule_summary(unit.facts.parts[0].rules[0]) in told
    other = next(u for u in begun.state.position.units.values() if u.rows and u.facts.parts[0].unmodelled)
    assert "  Not simulated: " in at(begun, f"card {other.id}")


def test_a_unit_that_is_not_set_up_yet_has_a_card() -> None:
    options = Options((LIBRARY.army("space-marines-500"),), ("death-guard",), 1000, rounds=1, seed=3)
    game = new_game(options, LIBRARY)
    unit = game.mustered[-1]
    assert unit.id not in game.state.position.units
    assert f"[{unit.id}]" in at(game, f"card {unit.id}")
    assert "to place" in at(game, f"card {unit.id}")


def test_a_name_that_is_known_to_nobody_is_one_sentence(begun: Battle) -> None:
    assert at(begun, "card nobody-at-all").strip().startswith("There is no unit 'nobody-at-all'")
    assert at(begun, "cardigan") == ""
    assert at(begun, "secret of p2") == ""


def test_odds_are_those_of_the_autopilot_s_reckoning() -> None:
    game = table(SHOOTING, weapons=(GUN,))
    assert game.pending is not None
    game.submit(Chosen(ids=("marines",)), "p1")
    view = View(game, "p1")
    own, foe = view.unit("marines"), view.unit("foes")
    one = expected_damage(view, own, own.rows[0], 0, foe)
    told = at(game, "odds foes")
    assert f"Bolt rifle: {min(3 * one, 1.0):.1f} wounds" in told
    assert 'foes: 10.7" away' in told
    assert at(game, "odds").count("wound left") == 2
    assert "far: " in at(game, "odds")
    assert "is no enemy on the battlefield" in at(game, "odds marines")


def test_odds_need_a_unit_that_is_asked_about() -> None:
    assert "No unit on the battlefield is asked about" in at(table(MOVEMENT), "odds")


@pytest.mark.rule("PLAY.9")
def test_a_seat_reads_its_own_secret_alone(begun: Battle) -> None:
    hidden = {seat: begun.state.players[seat].secrets for seat in ("p1", "p2")}
    told = {seat: at(begun, "secret", seat) for seat in ("p1", "p2")}
    assert told["p1"] != told["p2"]
    for seat, other in (("p1", "p2"), ("p2", "p1")):
        view = View(begun, seat)
        assert all(view.rule_summary(card) in told[seat] for card in hidden[seat])
        assert not any(view.rule_summary(card) in told[seat] for card in hidden[other])
    assert "You have no secret objective." in at(begun, "secret", "horde")


def test_the_mission_tells_cards_in_play_markers_and_points(begun: Battle) -> None:
    told, view = at(begun, "mission"), View(begun, "p1")
    for card in (*view.active("secondary"), *view.active("misery")):
        assert view.rule_summary(card) in told
    assert all(name in told for name in view.objectives)
    assert f"{view.players['p2'].cp} CP, {view.players['p2'].sp} SP" in told


def test_every_word_stands_in_the_help_and_is_obeyed_in_the_terminal(
    begun: Battle, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for word in ("rest", "unit", "end", "card X", "odds", "secret", "mission"):
        assert f"{word}" in HELP
    game = battle()
    agents = {"horde": agent("horde"), "p1": agent("steady"), "p2": agent("steady")}
    play(game, agents, View, until=lambda now: now.pending is not None and now.pending.seats == ("p1",))
    lines = ["card", "mission", "secret", "", "", "auto"]
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    known = Knowledge(LIBRARY, game)
    person = Person(agent("steady"), shares_screen=True, gate=Gate(), knowledge=known)
    play(game, {**agents, "p1": person}, View)
    out = capsys.readouterr().out
    assert "Only p1 may see what comes now. Enter, when alone > " in out
    assert "\n" * SCREEN_LINES in out
    assert "Mission: " in out
