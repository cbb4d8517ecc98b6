"""The agents in real battles: legal answers, the same each time, the Horde's with reasons."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from ai.agents import agent
from ai.reasons.clause import carried_out
from datasheets.library import Library
from engine.audit.referee.reading import read
from engine.core.log import AnswerLine, BecauseLine
from engine.core.play import play
from engine.core.request import BROKEN_OFF
from engine.horde.all_settings import SETTINGS
from engine.horde.setup import Options
from engine.systems import new_game
from engine.w40k.view import View
from viewer.story.report import lines as report_lines
from viewer.story.report import report

LIBRARY = Library()


def fought(seed: int, players: str, faction: str = "tyranids", rounds: int = 2, **rulings: str):
    """Return a battle after its first rounds."""
    army = LIBRARY.army("space-marines-1000")
    said = tuple(rulings.items())
    game = new_game(Options(armies=(army,), factions=(faction,), seed=seed, rulings=said), LIBRARY)
    seats = {"horde": agent("horde"), "p1": agent(players)}
    play(game, seats, View, until=lambda g: g.state.round > rounds)
    return game


@pytest.mark.parametrize(("players", "faction"), [("steady", "tyranids"), ("fuzz", "death-guard")])
def test_every_horde_answer_says_why(players, faction):
    game = fought(5, players, faction)
    said = {line.because for line in game.lines if isinstance(line, BecauseLine) and line.seat == "horde"}
    given = {line.answer for line in game.lines if isinstance(line, AnswerLine) and line.seat == "horde"}
    assert given
    assert given == said


def test_no_clause_of_the_horde_s_is_a_player_s_reason():
    """The autopilot moves, fights and disembarks by functions that the Horde uses, too."""
    lines = [line for line in fought(5, "steady").lines if isinstance(line, BecauseLine)]
    own = {why.clause for line in lines if line.seat == "p1" for why in line.reasons}
    assert {"CORE.MOVE.1", "CORE.SHOOT.2", "CORE.FGT.6"} <= own
    assert [clause for clause in own if clause.startswith("AI.")] == []
    assert any(why.clause.startswith("AI.") for line in lines if line.seat == "horde" for why in line.reasons)


def test_a_seed_gives_the_same_answers_again():
    one, two = ([msgspec.json.encode(line.value) for line in fought(6, "steady").answers] for _ in range(2))
    assert one == two


def test_a_battle_by_every_other_reading_is_legal_and_the_referee_follows_it():
    """Models that block sight aside, which make sight slow."""
    other = {each.key: each.values[-1] for each in SETTINGS if each.key != "sight.models_block"}
    assert len(other) > 30
    game = fought(4, "steady", **other)
    found = read(game.lines, game.ruleset, game.rulebook, game.rulings)
    assert [str(each) for each in found.disagreements] == []


def searched(most: int):
    """Return a battle after two rounds; a search for a move may look at `most` spots."""
    game = new_game(Options((LIBRARY.army("space-marines-1000"),), ("tyranids",), seed=6), LIBRARY)
    game.ruleset = replace(game.ruleset, parameters=replace(game.ruleset.parameters, search=most))
    seats = {"horde": agent("horde"), "p1": agent("steady")}
    play(game, seats, View, until=lambda g: g.state.round > 2)
    return game


def test_a_search_with_too_little_to_look_at_ends_in_a_legal_action_and_says_so():
    """R.BUDGET: an answer whose search was cut says so; the game refuses illegal answers."""
    game, again = searched(10), searched(10)
    assert game.state.round == 3
    lines = [line for line in game.lines if isinstance(line, BecauseLine)]
    cut = [line for line in lines if any(why.ruling == BROKEN_OFF for why in line.reasons)]
    assert {line.decision for line in cut} >= {"move", "path"}
    assert all("broken off after 10 spots" in line.reasons[-1].reason for line in cut)
    assert report(game.lines).broken_off == len(cut)
    assert f"broken off for {len(cut)} answers" in "\n".join(report_lines(report(game.lines)))
    assert msgspec.json.encode(game.lines) == msgspec.json.encode(again.lines)


def test_no_search_of_a_battle_is_broken_off_as_a_rule():
    """R.BUDGET"""
    assert report(fought(6, "steady").lines).broken_off == 0


def test_the_clauses_of_the_horde_are_carried_out_by_named_functions():
    clauses = carried_out()
    wanted = [
        *(f"AI.MOVE.{i}" for i in (1, 2, 3)),
        *(f"AI.STAY.{i}" for i in (1, 2, 4, 5)),
        *(f"AI.ADV.{i}" for i in (1, 2, 3, 4)),
        *(f"AI.SHOOT.{i}" for i in (1, 2, 3, 4)),
        "AI.0",
        "AI.CHARGE.1",
        "AI.FALLBACK.1",
        "AI.FIGHT.1",
        "AI.FIGHT.2",
        "AI.SIDEARM",
        "SPAWN.6",
        "SPAWN.7",
    ]
    assert [clause for clause in wanted if clause not in clauses] == []
    assert all(name.startswith("ai.") for names in clauses.values() for name in names)
