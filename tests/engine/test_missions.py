"""Secondary missions: when they may be drawn, how they succeed, what they bring.

The supply of SP is here, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from datasheets.library import Library
from datasheets.rule import Ask, Rule
from engine.core import event as ev
from engine.core.facts import BoardFacts
from engine.core.game import Game
from engine.core.request import Steps
from engine.core.ruleset import Step
from engine.horde.language import LANGUAGE
from engine.horde.steps import card, mission
from engine.records.compiled import Compiled
from engine.records.rulebook import Rulebook, compiled_rules
from engine.scenario.situation import Stand
from engine.w40k.attack import damage
from engine.w40k.phase import action

Play = Callable[..., Game]
Make = Callable[..., Stand]
REVEAL = Step("mission", "start-of-round", mission.reveal_mission)
RESOLVE = Step("missions", "end-of-round", mission.resolve_missions)
TURN = Step("players.movement", "movement", lambda game: _nothing(), "players")
SEC = "secondary/"
SECURE, BASICS, FEAR = SEC + "1-secure-drop-zones", SEC + "2-back-to-basics", SEC + "3-show-no-fear"
EVAC, HEAD = SEC + "6-clear-the-evac-zone", SEC + "7-decapitation-strike"
LOSE, NAPALM, GAMBIT = SEC + "11-use-it-or-lose-it", SEC + "13-the-smell-of-napalm", SEC + "20-insane-gambit"
TRAP = SEC + "15-baiting-the-trap"


def _nothing() -> Steps[bool]:
    return False
    yield


def doing(*acts: Callable[[Game], Any], name: str = "between", phase: str = "between") -> Step:
    """Return a step that does these things; what is a generator is carried out."""

    def run(game: Game) -> Steps[bool]:
        for act in acts:
            steps = act(game)
            if hasattr(steps, "send"):
                yield from steps
        return False

    return Step(name, phase, run)


def kill(name: str, credit: str = "p1") -> Callable[[Game], Any]:
    """Return the destruction of a unit, credited to a player."""
    return lambda game: damage.destroy_unit(
        game, game.state.position.units[name], credit=credit, cause="test"
    )


def tally(key: str, count: int) -> Callable[[Game], Any]:
    """Return the setting of a tally of the battle."""
    return lambda game: game.log(ev.Marked(on="battle", key=key, value=count, until="round"))


def outcome(game: Game) -> bool | None:
    """Return whether the mission succeeded; None where none was counted up."""
    found = [e for e in game.events if isinstance(e, ev.MissionResolved)]
    return found[-1].success if found else None


def carried(game: Game) -> dict[str, object]:
    """Return what the next round begins with."""
    marks = game.state.marks.values
    return {k.removeprefix("next:"): v for k, (v, _) in marks.items() if k.startswith("next:")}


def sp(game: Game) -> list[int]:
    """Return the players' SP."""
    return [player.sp for player in game.state.players.values()]


@pytest.mark.rule("S.B02", "SEC.11", "SEC.13", "SEC.14", "SEC.17", "SEC.19")
@pytest.mark.parametrize("number", [11, 13, 14, 17, 19])
def test_some_missions_are_not_for_the_first_round(play: Play, marines: Make, number: int) -> None:
    """S.B02: redrawn and shuffled back in round 1, drawn in round 2."""
    game = play([marines()])
    name = next(c for c in game.rulebook.decks["secondary"] if c.startswith(f"secondary/{number}-"))
    deck = {"secondary": (name, FEAR, BASICS)}
    first = play([marines()], REVEAL, decks=deck, round_number=1)
    assert first.state.decks["secondary"].active == (FEAR,)
    assert sorted(first.state.decks["secondary"].draw) == sorted((name, BASICS))
    second = play([marines()], REVEAL, decks=deck, round_number=2)
    assert second.state.decks["secondary"].active == (name,)


@pytest.mark.rule("S.B02", "SEC.18")
def test_calling_shots_comes_before_the_hordes_movement_is_over(play: Play, marines: Make) -> None:
    """At the start of the round it may be drawn, in the players' turn not."""
    deck = {"secondary": (SEC + "18-calling-shots", FEAR)}
    early = play([marines()], REVEAL, decks=deck)
    assert early.state.decks["secondary"].active == (SEC + "18-calling-shots",)
    late_step = Step("late", "command", mission.reveal_mission, "players")
    late = play([marines()], late_step, decks=deck)
    assert late.state.decks["secondary"].active == (FEAR,)


@pytest.mark.rule("SEC.3")
@pytest.mark.parametrize("shocked", [False, True])
def test_show_no_fear(play: Play, marines: Make, shocked: bool) -> None:
    """Success: 3 SP each, -1 to spawn rolls; failure: two cards more, +1."""
    marks = (("battle-shocked", True),) if shocked else ()
    game = play([marines(marks=marks)], REVEAL, RESOLVE, decks={"secondary": (FEAR,)})
    assert outcome(game) == (not shocked)
    assert sp(game) == ([0] if shocked else [3])
    assert carried(game) == ({"misery": 2, "spawn": 1} if shocked else {"spawn": -1})
    assert game.state.decks["secondary"].discard == (FEAR,)


@pytest.mark.rule("SEC.1")
@pytest.mark.parametrize("held", [1, 2])
def test_secure_drop_zones(play: Play, marines: Make, board: BoardFacts, held: int) -> None:
    """Both of two markers: 3 SP and the card is kept for a free Tactics purchase."""
    two = msgspec.structs.replace(
        board, objectives=tuple(o for o in board.objectives if o.id in ("west", "east"))
    )
    stands = [marines("w", at=[(10.0, 20.0)]), marines("e", at=[(50.0, 20.0)])][:held]
    game = play(stands, REVEAL, RESOLVE, decks={"secondary": (SECURE,)}, board=two)
    assert outcome(game) == (held == 2)
    assert game.state.players["p1"].saved == ((SECURE,) if held == 2 else ())
    assert carried(game) == ({} if held == 2 else {"misery": 1})


@pytest.mark.rule("SEC.2", "SP.2")
@pytest.mark.parametrize("killed", [0, 1, 2])
def test_back_to_basics_pays_by_units_destroyed(play: Play, marines: Make, foes: Make, killed: int) -> None:
    """X + 1 SP for X units, on top of 1 SP for each kill; none: two cards more."""
    stands = [marines(), foes("a"), foes("b", at=[(20.0, 30.0)]), foes("c", at=[(10.0, 30.0)])]
    kills = doing(*(kill(name) for name in "ab"[:killed]))
    game = play(stands, REVEAL, kills, RESOLVE, decks={"secondary": (BASICS,)})
    assert outcome(game) == (killed > 0)
    assert sp(game) == [killed + killed + 1 if killed else 0]
    assert carried(game) == ({} if killed else {"misery": 2})


@pytest.mark.rule("SEC.6")
@pytest.mark.parametrize("y", [9.0, 10.6, 10.7])
def test_clear_the_evac_zone_counts_any_part_of_a_base(
    play: Play, marines: Make, foes: Make, y: float
) -> None:
    """A 32 mm base (0.63) whose edge is over the zone's border is within it."""
    game = play([marines(), foes(at=[(45.0, y)])], REVEAL, RESOLVE, decks={"secondary": (EVAC,)})
    assert outcome(game) == (y > 10.65)


@pytest.mark.rule("SEC.7")
@pytest.mark.parametrize(
    ("characters", "killed", "success"), [(0, False, True), (1, False, False), (2, True, True)]
)
def test_decapitation_strike(
    play: Play, marines: Make, foes: Make, characters: int, killed: bool, success: bool
) -> None:
    """None there, or one destroyed by a player: 2 SP and 2 CP."""
    captains = [
        foes(f"c{i}", at=[(10.0 + 5 * i, 30.0)], keywords=("CHARACTER", "DEATH GUARD"))
        for i in range(characters)
    ]
    act = doing(kill("c0")) if killed else doing()
    game = play([marines(), foes(), *captains], REVEAL, act, RESOLVE, decks={"secondary": (HEAD,)})
    assert outcome(game) == success
    assert game.state.players["p1"].cp == (2 if success else 0)
    assert sp(game) == [(3 if killed else 2) if success else 0]


@pytest.mark.rule("SEC.11")
@pytest.mark.parametrize("spent", [6, 7])
def test_use_it_or_lose_it_needs_more_than_six(play: Play, marines: Make, spent: int) -> None:
    """10 SP to one player, or 3 SP off each and a card more."""
    rich = lambda game: game.log(ev.Gained(player="p1", what="sp", amount=2, total=2))  # noqa: E731

    def spend(game: Game) -> Any:
        yield from game.happen(ev.Spent(player="p1", what="sp", amount=spent, total=0))
        yield from game.happen(ev.Spent(player="p1", what="cp", amount=5, total=0))

    steps = (doing(spend), REVEAL, doing(spend), doing(rich), RESOLVE)
    game = play([marines()], *steps, decks={"secondary": (LOSE,)})
    assert sp(game) == ([12] if spent == 7 else [0])
    assert carried(game) == ({} if spent == 7 else {"misery": 1})


@pytest.mark.rule("SEC.13", "SEC.14", "R.A79")
@pytest.mark.parametrize(("name", "tag"), [(NAPALM, "Strike"), (SEC + "14-marching-on-stomachs", "Supply")])
@pytest.mark.parametrize("bought", [1, 2])
def test_missions_of_purchases_need_two(play: Play, marines: Make, name: str, tag: str, bought: int) -> None:
    """Two purchases with the tag in the round."""
    game = play(
        [marines()], REVEAL, doing(tally(f"bought:{tag}", bought)), RESOLVE, decks={"secondary": (name,)}
    )
    assert outcome(game) == (bought == 2)


@pytest.mark.rule("SEC.12")
@pytest.mark.parametrize(("x", "success"), [(25.0, True), (29.6, False)])
def test_control_the_battlefield(play: Play, marines: Make, x: float, success: bool) -> None:
    """Each quarter has a unit; the last one reaches over the middle, or stands clear of it."""
    spots = [(10.0, 10.0), (50.0, 10.0), (50.0, 33.0), (x, 33.0)]
    stands = [marines(f"m{i}", at=[at]) for i, at in enumerate(spots)]
    game = play(stands, REVEAL, RESOLVE, decks={"secondary": (SEC + "12-control-the-battlefield",)})
    assert outcome(game) == success


@pytest.mark.rule("SEC.15", "ACTION.1", "ACTION.2", "CORE.ACT.5")
@pytest.mark.parametrize("distance", [6.0, 6.1])
def test_baiting_the_trap_is_an_action_near_the_centre(play: Play, marines: Make, distance: float) -> None:
    """The action begins within 6 inches of (30, 22), base edge to point; it ends with the turn."""
    at = (30.0 + distance + 16 / 25.4, 22.0)

    def act(game: Game) -> Steps[bool]:
        unit = game.state.position.units["marines"]
        rules = action.actions_for(game, unit)
        assert [rule.id for rule in rules] == ([TRAP] if distance == 6.0 else [])
        for rule in rules:
            yield from action.begin_action(game, unit, rule)
            assert not action.actions_for(game, unit)
        return False

    steps = (
        REVEAL,
        Step("act", "shooting", act, "players"),
        Step("other", "command", action.command_actions, "players"),
        Step("end", "end-of-turn", action.turn_actions, "players"),
        RESOLVE,
    )
    game = play([marines(at=[at])], *steps, decks={"secondary": (TRAP,)})
    ended = [event.phase for event in game.events if isinstance(event, ev.ActionEnded)]
    assert ended == (["end-of-turn"] if distance == 6.0 else [])
    assert outcome(game) == (distance == 6.0)
    assert sp(game) == ([4] if distance == 6.0 else [0])
    assert carried(game) == ({"first-spawn": 12} if distance == 6.0 else {"misery": 2, "spawn": 2})


@pytest.mark.rule("ACTION.1", "CORE.ACT.1")
@pytest.mark.parametrize(
    "unfit",
    [
        {"marks": (("advanced", True),)},
        {"marks": (("fell-back", True),)},
        {"marks": (("battle-shocked", True),)},
        {"marks": (("shot", True),)},
        {"characteristics": (("OC", 0),)},
        {"keywords": ("AIRCRAFT", "VEHICLE")},
    ],
)
def test_units_that_may_not_act(play: Play, marines: Make, unfit: dict[str, Any]) -> None:
    """Each of the reasons by itself."""
    seen: list[int] = []

    def look(game: Game) -> Steps[bool]:
        seen.append(len(action.actions_for(game, game.state.position.units["marines"])))
        return False
        yield

    step = Step("look", "shooting", look, "players")
    play([marines(at=[(30.0, 20.0)])], REVEAL, step, decks={"secondary": (TRAP,)})
    play([marines(at=[(30.0, 20.0)], **unfit)], REVEAL, step, decks={"secondary": (TRAP,)})
    assert seen == [1, 0]


@pytest.mark.rule("ACTION.1", "CORE.ACT.1")
@pytest.mark.parametrize(
    ("mark", "question"), [("advanced", "shoot-after-advance"), ("fell-back", "shoot-after-fall-back")]
)
def test_who_may_shoot_all_the_same_after_such_a_move_may_still_not_act(
    play: Play, marines: Make, mark: str, question: str
) -> None:
    seen: list[int] = []

    def look(game: Game) -> Steps[bool]:
        seen.append(len(action.actions_for(game, game.state.position.units["marines"])))
        return False
        yield

    step = Step("look", "shooting", look, "players")
    lenient = Rule(
        id="test/swift",
        clause="TEST.swift",
        name="swift",
        source="",
        summary="",
        permit=(Ask(question=question),),
    )
    book = Rulebook((*compiled_rules(Library(), LANGUAGE), Compiled(lenient, LANGUAGE).checked()))
    for marks in ((), ((mark, True),)):
        unit = marines(at=[(30.0, 20.0)], marks=marks)
        play([unit], REVEAL, step, decks={"secondary": (TRAP,)}, rulebook=book, active=["test/swift"])
    assert seen == [1, 0]


@pytest.mark.rule("ACTION.1", "CORE.ACT.1")
def test_a_unit_in_engagement_range_may_not_act_but_a_titanic_character_may(
    play: Play, marines: Make, foes: Make
) -> None:
    """The one exception that the rules make."""
    seen: list[int] = []

    def look(game: Game) -> Steps[bool]:
        seen.append(len(action.actions_for(game, game.state.position.units["marines"])))
        return False
        yield

    step = Step("look", "shooting", look, "players")
    for keywords in (("INFANTRY",), ("TITANIC", "CHARACTER", "VEHICLE")):
        stands = [marines(at=[(30.0, 20.0)], keywords=keywords), foes(at=[(30.0, 22.0)])]
        play(stands, REVEAL, step, decks={"secondary": (TRAP,)})
    assert seen == [0, 1]


@pytest.mark.rule("ACTION.2", "CORE.ACT.3")
@pytest.mark.parametrize(
    ("event", "broken"),
    [
        (ev.Moved(unit="marines", kind_of_move="normal", poses={}, paths={}), True),
        (ev.Moved(unit="marines", kind_of_move="pile-in", poses={}, paths={}), False),
        (ev.Moved(unit="marines", kind_of_move="consolidate", poses={}, paths={}), False),
        (ev.Shocked(unit="marines"), True),
    ],
)
def test_what_breaks_an_action(play: Play, marines: Make, event: ev.Event, broken: bool) -> None:
    """A move does, piling in does not."""

    def act(game: Game) -> Steps[bool]:
        unit = game.state.position.units["marines"]
        yield from action.begin_action(game, unit, game.rulebook.rule(TRAP))
        yield from game.happen(event)
        return False

    steps = (
        REVEAL,
        Step("act", "shooting", act, "players"),
        Step("end", "end-of-turn", action.turn_actions, "players"),
        RESOLVE,
    )
    game = play([marines(at=[(30.0, 20.0)])], *steps, decks={"secondary": (TRAP,)})
    assert outcome(game) == (not broken)


@pytest.mark.rule("SEC.20", "S.B09")
def test_insane_gambit_destroys_the_marker(play: Play, marines: Make) -> None:
    """The marker that the unit stands at goes; the card is kept for a Fortify purchase."""

    def act(game: Game) -> Steps[bool]:
        unit = game.state.position.units["marines"]
        yield from action.begin_action(game, unit, action.actions_for(game, unit)[0])
        return False

    steps = (
        REVEAL,
        Step("act", "shooting", act, "players"),
        Step("end", "end-of-turn", action.turn_actions, "players"),
        RESOLVE,
    )
    game = play([marines(at=[(10.0, 20.0)])], *steps, decks={"secondary": (GAMBIT,)})
    assert "west" not in game.state.position.objectives
    assert len(game.state.position.objectives) == 4
    assert sp(game) == [4]
    assert game.state.players["p1"].saved == (GAMBIT,)


@pytest.mark.rule("SEC.10", "SEC.17")
@pytest.mark.parametrize("answer", [FEAR, "no"])
def test_a_saved_card_undoes_a_misery_card(play: Play, marines: Make, answer: str) -> None:
    """The misery card is discarded before it does anything; or the card is kept."""
    saved = SEC + "17-spruce-this-place-up"
    give = doing(lambda game: game.log(ev.CardDiscarded(deck="secondary", card=saved, to="p1")))
    misery = Step("misery", "start-of-round", card.reveal_misery)
    decks = {"misery": ("misery/12-nowhere-is-safe",), "secondary": (FEAR,)}
    chosen = saved if answer != "no" else "no"
    game = play([marines()], give, misery, decks=decks, answers={"nullify": chosen})
    assert ("home" in game.state.position.objectives) == (answer != "no")
    assert game.state.players["p1"].saved == (() if answer != "no" else (saved,))


@pytest.mark.rule("SP.1", "R.A78", "BUY.forward-operating-base")
@pytest.mark.parametrize("base", [False, True])
def test_supply_counts_markers_for_every_player(play: Play, marines: Make, base: bool) -> None:
    """Each player gets 1 SP for each marker that any of them controls.

    A controlled forward operating base gives 1 SP more.
    """

    def fortify(game: Game) -> Any:
        if base:
            game.log(ev.Marked(on="objective:west", key="fortified", value="buy/forward-operating-base"))

    stands = [
        marines("one", at=[(10.0, 20.0)]),
        marines("two", at=[(50.0, 20.0)]),
        marines("three", at=[(55.0, 3.0)], player="p2"),
    ]
    supply = Step("supply", "command", mission.supply, "players")
    game = play(stands, doing(fortify), supply, players=("p1", "p2"))
    assert sp(game) == ([3, 3] if base else [2, 2])


@pytest.mark.rule("SP.1", "R.A78", "S.B08")
def test_a_battle_shocked_unit_controls_nothing(play: Play, marines: Make) -> None:
    """R.A78: alone on a marker and shocked, 0 SP."""
    stand = marines(at=[(10.0, 20.0)], marks=(("battle-shocked", True),))
    game = play([stand], Step("supply", "command", mission.supply, "players"))
    assert sp(game) == [0]


@pytest.mark.rule("WIN.3")
def test_the_battle_ends_with_the_last_player(play: Play, marines: Make, foes: Make) -> None:
    """No model in play or in reserve is left."""
    game = play([marines(), foes()], doing(kill("marines", "")))
    assert game.is_over
    assert game.state.over == "no player is left"
    reserve = marines("late", at=[(1.0, 1.0)], where="reserves")
    on = play([marines(), reserve, foes()], doing(kill("marines", "")))
    assert on.state.over == "the situation is played"
