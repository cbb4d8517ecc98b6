"""Several people at one terminal, a Game Master among them, and what each of them may know."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from ai.agents import agent
from ai.horde.game_master import SEAT, GameMaster
from datasheets.errors import HordeError
from datasheets.library import Library
from engine.core import event as ev
from engine.core.facts import HORDE, PLAYERS
from engine.core.play import play
from engine.core.replay import encode, read_replay, write_replay
from engine.core.request import AnyAnswer, AnyRequest, Choose, Chosen
from engine.core.ruleset import Step
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.horde.setup import Options
from engine.scenario.situation import Stand, situation
from engine.systems import new_game
from engine.w40k.battle import Battle
from engine.w40k.phase import movement
from engine.w40k.view import View
from viewer.commands.replay_command import export, tell_all, verify_file
from viewer.commands.seating import check_seats, seat_agents, seats_of
from viewer.input.seat import Seated
from viewer.story.name import title
from viewer.story.source import Entry
from viewer.terminal.terminal import Person, Teller

LIBRARY = Library()
STAYING = {"next-unit": "done"}
"""What a player answers that moves nobody."""
SECRET = re.compile(r"secret/[0-9]+[a-z0-9-]*")


def battle(players: int = 2, *, game_master: bool = False, rounds: int = 1, seed: int = 3) -> Battle:
    """Return a battle of this many players at its first question."""
    armies = (LIBRARY.army(f"space-marines-{1000 // players}"),) * players
    return new_game(
        Options(armies, ("death-guard",), 1000, rounds=rounds, seed=seed, game_master=game_master), LIBRARY
    )


class Alternating:
    """A player that acts with one unit, lets the other act, and is done after some acts."""

    name = "alternating"

    def __init__(self, acts: int) -> None:
        """Act so often in each step."""
        self._steady, self._acts = agent("steady"), acts
        self._done: dict[tuple[int, str, str], int] = {}
        self.asked: list[str] = []

    def answer(self, view: View, request: AnyRequest) -> AnyAnswer:
        """Answer as the autopilot does, but for the choice of the next unit."""
        if not isinstance(request, Choose) or request.decision != "next-unit":
            return self._steady.answer(view, request)
        self.asked.append(view.phase)
        key = (view.round, view.turn, view.phase)
        offered = {option.id for option in request.options}
        acted = self._done.get(key, 0)
        if acted >= self._acts and "done" in offered:
            return Chosen(ids=("done",))
        if acted and acted % 2 and "pass" in offered:
            self._done[key] = acted + 1
            return Chosen(ids=("pass",))
        self._done[key] = acted + 1
        return self._steady.answer(view, request)


@pytest.mark.rule("PLAY.1")
def test_players_act_in_turn_and_a_phase_ends_when_all_are_done() -> None:
    game = battle()
    seats = {HORDE: agent("horde"), "p1": Alternating(3), "p2": Alternating(99)}
    play(game, seats, View)
    moved = [line.seat for line in game.answers if line.decision == "next-unit" and line.seat != HORDE]
    # Each acts both before the other is done and after.
    order = "".join("1" if seat == "p1" else "2" for seat in moved)
    assert "12" in order
    assert "21" in order
    units = game.state.position.units.values()
    able = [unit for unit in units if unit.player == "p2" and unit.where == "table"]
    assert able
    assert all("selected:movement" in _marks_ever(game, unit.id) for unit in able)


def _marks_ever(game: Battle, unit: str) -> set[str]:
    return {getattr(event, "key", "") for event in game.events if getattr(event, "on", "") == f"unit:{unit}"}


def typed(
    game: Battle, ask: Sequence[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> str:
    """Play a battle with persons that take all suggestions; return what was shown."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n" * 4000))
    teller = Teller(*(ask if len(ask) == 1 else ()))

    def person(adviser: object) -> Person:
        return Person(adviser, shares_screen=len(ask) > 1)  # type: ignore[arg-type]

    teller(game)
    play(game, seat_agents(tuple(game.state.players), "steady", ask, person), View, watch=teller)
    return capsys.readouterr().out


@pytest.mark.rule("PLAY.1", "PLAY.9")
def test_two_people_play_a_round_at_one_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = battle()
    shown = typed(game, ("p1", "p2"), monkeypatch, capsys)
    assert game.is_over
    for seat in ("p1", "p2"):
        for phase in ("movement", "shooting"):
            assert f"[{seat}: Round 1, the players' {phase}]" in shown
    # A secret is named while its player is alone with the screen, and when it is shown.
    private = re.compile(r"Only p\d may see what comes.*?Others may look again", re.DOTALL)
    assert len(private.findall(shown)) == 2
    open_ = "\n".join(line for line in private.sub("", shown).splitlines() if "showed the secret" not in line)
    open_ = open_.partition("Secret objective of")[0]
    secrets = [rule.id for rule in LIBRARY.rules() if rule.tags[:1] == ("secret",)]
    assert secrets
    assert not [name for name in secrets if title(name) in open_]


@pytest.mark.rule("PLAY.9")
def test_the_log_of_each_names_the_secret_of_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = battle()
    play(game, seat_agents(("p1", "p2"), "steady"), View, until=lambda game: game.state.phase == "shooting")
    path = tmp_path / "a.replay"
    write_replay(path, game.header, game.lines)
    kept = {seat: game.state.players[seat].secrets for seat in ("p1", "p2")}
    shown = {}
    for seat in ("p1", "p2", "all", ""):
        tell_all(path, seat)
        shown[seat] = capsys.readouterr().out
    for mine, other in (("p1", "p2"), ("p2", "p1")):
        assert any(title(card) in shown[mine] for card in kept[mine])
        assert not any(title(card) in shown[mine] for card in kept[other])
        assert all(title(card) in shown["all"] for card in kept[mine])
        assert not any(title(card) in shown[""] for card in kept[mine])


@pytest.mark.rule("PLAY.9")
def test_a_sealed_replay_tells_no_seed_and_no_secret_and_is_not_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = battle()
    play(game, seat_agents(("p1", "p2"), "steady"), View, until=lambda game: game.state.phase == "shooting")
    path, sealed = tmp_path / "a.replay", tmp_path / "sealed.replay"
    write_replay(path, game.header, game.lines)
    export(path, sealed, "", sealed=True)
    replay = read_replay(sealed)
    assert "seed" not in replay.header
    rows = "\n".join(encode(line).decode() for line in replay.lines[1:])
    assert "secret/hidden-1" in rows
    assert not SECRET.findall(rows)
    with pytest.raises(HordeError, match="sealed"):
        verify_file(sealed, as_json=False)
    with pytest.raises(HordeError, match="there is a file already"):
        export(path, sealed, "", sealed=True)
    tell_all(sealed, "all")
    assert "drew a secret objective" in capsys.readouterr().out


# the Game Master


class Decider:
    """A person that takes the last option of each question, and keeps what was asked."""

    name = "decider"

    def __init__(self) -> None:
        """Begin with nothing asked."""
        self.asked: list[AnyRequest] = []

    def answer(self, view: View, request: AnyRequest) -> AnyAnswer:
        """Return the last option."""
        self.asked.append(request)
        assert isinstance(request, Choose)
        return Chosen(ids=(request.options[-1].id,))


@pytest.fixture
def equal() -> Callable[[], Battle]:
    """Return what sets up a Horde model with two enemies that are equally far."""

    def made() -> Battle:
        return situation(
            [
                Stand("foe", "horde", [(30.0, 22.0)]),
                Stand("left", "players", [(20.0, 22.0)]),
                Stand("right", "players", [(40.0, 22.0)]),
            ],
            [Step("horde.movement", "movement", movement.movement, HORDE)],
            HORDE_1_1,
        )

    return made


@pytest.mark.rule("ARMY.8", "R.A06")
@pytest.mark.parametrize("wanted", ["left", "right"])
def test_a_game_master_decides_between_equals(equal: Callable[[], Battle], wanted: str) -> None:
    class Wanting(Decider):
        def answer(self, view: View, request: AnyRequest) -> AnyAnswer:
            self.asked.append(request)
            return Chosen(ids=(wanted,))

    game, person = equal(), Wanting()
    play(game, {HORDE: GameMaster(person), "p1": agent("steady")}, View)
    ties = [each for each in person.asked if each.decision == "tie"]
    assert [option.id for option in ties[0].options] == ["left", "right"]  # type: ignore[union-attr]
    x = float(game.state.position.table.xy[game.state.position.units["foe"].rows[0]][0])
    assert (x < 30.0) == (wanted == "left")


@pytest.mark.rule("ARMY.8")
def test_the_window_asks_the_game_master_and_goes_on(equal: Callable[[], Battle]) -> None:
    source = Seated(equal(), {HORDE: agent("horde"), "p1": agent("steady")}, (SEAT,))
    while source.question is None:
        source.poll()
    assert source.question.request.decision == "tie"
    source.answer(Chosen(ids=("right",)))
    while not source.ended:
        source.poll()
    assert float(source.game.state.position.table.xy[0][0]) > 30.0


@pytest.mark.rule("ARMY.8")
def test_what_a_game_master_decided_is_asked_again_after_undoing() -> None:
    """The battle comes to the same moment with the same equals."""
    game = situation(
        [
            Stand("foe", "horde", [(30.0, 22.0)]),
            Stand("left", "players", [(20.0, 22.0)]),
            Stand("right", "players", [(40.0, 22.0)]),
        ],
        [
            Step("players.movement", "movement", movement.movement, PLAYERS),
            Step("horde.movement", "movement", movement.movement, HORDE),
        ],
        HORDE_1_1,
    )
    seats = {HORDE: agent("horde"), "p1": agent("steady")}
    source = Seated(game, seats, (SEAT, "p1"), reach="free")

    def decide(wanted: str) -> tuple[list[str], float]:
        """Take one of the equals; return the decisions asked for, and the x to which the foe moves."""
        asked = []
        while not source.ended:
            source.poll()
            if source.question is None:
                continue
            request = source.question.request
            asked.append(request.decision)
            source.answer(Chosen(ids=(STAYING.get(request.decision, wanted),)))
        return asked, float(game.state.position.table.xy[0][0])

    asked, x = decide("left")
    assert asked.count("tie") == 1
    assert x < 30.0
    assert source.undo()
    again, x = decide("right")
    assert again == [asked[-2], "tie"]
    assert x > 30.0


@pytest.mark.rule("ARMY.8")
def test_a_game_master_needs_a_battle_with_one() -> None:
    with pytest.raises(HordeError, match="gm"):
        check_seats((SEAT,), battle())
    check_seats((SEAT, "p1"), battle(game_master=True))


def test_seats_are_told_one_by_one_or_in_a_list() -> None:
    assert seats_of(["p1,p2", "gm", "p1"]) == ("p1", "p2", "gm")


@pytest.mark.rule("ARMY.8", "SPAWN.1", "SPAWN.4")
def test_a_game_master_chooses_zones_and_splits_units() -> None:
    class Splitting(Decider):
        def answer(self, view: View, request: AnyRequest) -> AnyAnswer:
            if isinstance(request, Choose):
                return Chosen(ids=(request.options[-1].id,))
            return agent(HORDE).answer(view, request)

    game = battle(game_master=True, seed=8)
    seats = {HORDE: GameMaster(Splitting()), "p1": agent("steady"), "p2": agent("steady")}
    play(game, seats, View, until=lambda game: game.state.turn == HORDE)
    rolls = [event for event in game.events if isinstance(event, ev.SpawnRolled)]
    zones = [zone.id for zone in game.state.position.zones.values() if zone.kind == "spawn"]
    assert [event.zone for event in rolls] == zones[::-1]
    assert max(event.bracket for event in rolls) > 1
    # All were split down to the lowest bracket.
    spawned = [unit for unit in game.state.position.units.values() if unit.side == HORDE]
    assert {unit.facts.bracket for unit in spawned} == {1}


# one window


@pytest.mark.rule("PLAY.9")
@pytest.mark.parametrize(("asked", "shown"), [(("p1", "p2"), 0), (("p1",), 2)])
def test_a_window_shows_the_secrets_of_a_person_that_is_alone_there(
    asked: tuple[str, ...], shown: int
) -> None:
    seats = {HORDE: agent("horde"), "p1": agent("steady"), "p2": agent("steady")}
    source = Seated(battle(), seats, asked)
    told: list[Entry] = []
    while source.question is None or source.question.request.decision not in ("keep-secret", "alone"):
        told += source.poll()
    drawn = [entry.card for entry in told if isinstance(entry, ev.CardRevealed) and entry.deck == "secret"]
    assert len(drawn) == 4
    assert sum(bool(SECRET.fullmatch(card)) for card in drawn) == shown


@pytest.mark.rule("PLAY.9")
def test_who_shares_a_window_is_asked_alone_for_a_secret() -> None:
    seats = {HORDE: agent("horde"), "p1": agent("steady"), "p2": agent("steady")}
    source = Seated(battle(), seats, ("p1", "p2"))
    asked: list[tuple[str, str]] = []
    while len(asked) < 4:
        source.poll()
        if source.question is not None:
            asked.append((source.question.view.seat, source.question.request.decision))
            source.answer(source.question.advice)
    secret = ["alone", "keep-secret"]
    assert asked == [("p1", each) for each in secret] + [("p2", each) for each in secret]
