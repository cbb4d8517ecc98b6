"""The moment shown: stepping, jumping and playing on give the same state as folding the log."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

import pytest

from datasheets.errors import HordeError
from engine.core import event as ev
from engine.core.apply import digest, fold
from engine.core.request import Because
from viewer.story import chronicle
from viewer.story.source import Entry, Reason, Recording
from viewer.window.playback import SPEEDS, Playback


def folded(entries: Sequence[Entry], cursor: int) -> str:
    return digest(fold(e for e in entries[:cursor] if not isinstance(e, Reason)))


@pytest.fixture
def playback(recording: Recording, monkeypatch: pytest.MonkeyPatch) -> Playback:
    monkeypatch.setattr(chronicle, "KEYFRAME_EVERY", 40)
    return Playback(recording)


def test_stepping_forward_and_back_gives_the_states_of_the_log(
    playback: Playback, entries: list[Entry]
) -> None:
    for cursor in range(1, len(entries) + 1, 1):
        playback.forward()
        if cursor % 23 == 0:
            assert digest(playback.state) == folded(entries, cursor)
    playback.forward()
    assert playback.cursor == len(entries)
    for cursor in range(len(entries) - 1, -1, -1):
        playback.back()
        assert playback.cursor == cursor
        if cursor % 29 == 0:
            assert digest(playback.state) == folded(entries, cursor)
    playback.back()
    assert playback.cursor == 0


@pytest.mark.rule("S.DET4")
def test_jumping_anywhere_gives_the_state_of_the_log(playback: Playback, entries: list[Entry]) -> None:
    chance = random.Random(4)
    for _ in range(40):
        cursor = chance.randint(-5, len(entries) + 5)
        playback.seek(cursor)
        assert playback.cursor == min(max(cursor, 0), len(entries))
        assert digest(playback.state) == folded(entries, playback.cursor)


def test_playing_shows_everything_and_stops(playback: Playback, entries: list[Entry]) -> None:
    playback.toggle()
    playback.faster(2)
    for _ in range(5000):
        playback.tick(0.05)
        if not playback.playing:
            break
    assert playback.at_end
    assert not playback.playing
    assert digest(playback.state) == folded(entries, len(entries))
    playback.toggle()
    assert playback.cursor == 0, "playing again begins at the start"


def test_models_move_along_their_paths_while_a_move_is_shown(playback: Playback) -> None:
    index = next(i for i, e in enumerate(playback.chronicle.entries) if isinstance(e, ev.Moved))
    playback.seek(index)
    event = playback.chronicle.entries[index]
    assert isinstance(event, ev.Moved)
    row = min(event.poses)
    start = tuple(playback.state.position.table.xy[row])
    playback.forward()
    assert playback.places()[row] == pytest.approx(start)
    playback.tick(0.2)
    between = playback.places()[row]
    assert between != pytest.approx(start)
    assert between != pytest.approx(event.poses[row][:2])
    playback.tick(60)
    assert playback.places() == {}


def test_rounds_and_phases_can_be_jumped_to(playback: Playback) -> None:
    playback.to_round(1)
    assert playback.state.round == 1
    playback.to_round(1)
    assert playback.state.round == 2
    playback.to_phase(1)
    assert (playback.state.round, playback.state.phase) == (2, "spawn")
    playback.to_phase(1)
    assert (playback.state.turn, playback.state.phase) == ("horde", "command")
    playback.to_phase(-1)
    assert playback.state.phase == "spawn"
    playback.to_round(-1)
    playback.to_round(-1)
    assert playback.state.round == 1
    playback.to_round(-1)
    assert playback.cursor == 0
    playback.to_decision(1)
    assert isinstance(playback.chronicle.entries[playback.cursor - 1], Reason)


@pytest.mark.parametrize(
    ("where", "round_", "turn", "phase"),
    [
        ("round:2", 2, "", ""),
        ("round:2:players", 2, "players", "command"),
        ("round:3:horde:shooting", 3, "horde", "shooting"),
        ("Round:1:Charge", 1, "horde", "charge"),
        ("phase:3:fight", 3, "horde", "fight"),
    ],
)
def test_moments_have_names(playback: Playback, where: str, round_: int, turn: str, phase: str) -> None:
    playback.jump(where)
    assert (playback.state.round, playback.state.turn, playback.state.phase) == (round_, turn, phase)


def test_an_event_is_jumped_to_by_its_number(playback: Playback) -> None:
    for where in (50, "50", "event:50"):
        playback.jump(where)
        entry = playback.chronicle.entries[playback.cursor - 1]
        assert not isinstance(entry, Reason)
        assert entry.n == 50
    playback.jump("end")
    assert playback.at_end
    playback.jump("start")
    assert playback.cursor == 0


@pytest.mark.parametrize("where", ["round:9", "nowhere", "round:", "-3", "", "event:x", "999999"])
def test_a_moment_that_is_not_there_is_one_sentence(playback: Playback, where: str) -> None:
    with pytest.raises(HordeError, match="moment of the battle"):
        playback.jump(where)


def test_speed_stays_within_its_bounds(playback: Playback) -> None:
    for _ in range(20):
        playback.faster(1)
    assert playback.speed == SPEEDS[-1]
    for _ in range(20):
        playback.faster(-1)
    assert playback.speed == SPEEDS[0]


def test_the_last_decision_of_a_unit_is_known_with_what_it_did(playback: Playback) -> None:
    playback.jump("round:1:horde:shooting")
    index = playback.chronicle.decision_of("poxwalkers-1-S1", playback.cursor)
    assert index is not None
    reason = playback.chronicle.entries[index]
    assert isinstance(reason, Reason)
    assert (reason.unit, reason.decision) == ("poxwalkers-1-S1", "normal")
    done = playback.chronicle.consequence(index, playback.cursor)
    assert done is not None
    assert isinstance(playback.chronicle.entries[done], ev.Moved)
    assert playback.chronicle.decision_of("poxwalkers-1-S1", index) is None
    assert playback.chronicle.decision_of("p1.rhino", playback.cursor) is None


def test_reasons_of_one_act_are_joined_and_told_once() -> None:
    first = Because(clause="AI.MOVE.1", reason="the closest")
    second = Because(clause="AI.ADV.2", reason="it may still charge")
    order = Because(clause="AI.0", reason="it is the nearest")
    log: list[Entry] = [
        Reason(1, "horde", "pox", "next-unit", (order,)),
        Reason(2, "horde", "pox", "move", (first, second)),
        Reason(3, "horde", "pox", "path", (first,)),
        Reason(4, "horde", "drone", "move", (first,)),
    ]
    playback = Playback(Recording(log))
    told = [(line.index, line.clause, line.tone) for line in playback.chronicle.lines]
    assert told == [
        (0, "AI.0", "faint"),
        (1, "AI.MOVE.1", "reason"),
        (1, "AI.ADV.2", "reason"),
        (3, "AI.MOVE.1", "reason"),
    ]
    assert playback.chronicle.decisions == [1, 2, 3]
    joined = playback.chronicle.entries[2]
    assert isinstance(joined, Reason)
    assert joined.because == (first, second)
    assert playback.chronicle.decision_of("pox", 4) == 2
    assert playback.chronicle.decision_of("pox", 1) is None


class Live:
    """A battle that yields three entries at each poll."""

    title = "live"

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.left = list(entries)

    @property
    def ended(self) -> bool:
        return not self.left

    def poll(self) -> Sequence[Entry]:
        got, self.left = self.left[:3], self.left[3:]
        return got


def test_a_growing_battle_is_followed_to_its_end(entries: list[Entry]) -> None:
    playback = Playback(Live(entries))
    assert len(playback.chronicle) == 3
    playback.toggle()
    for _ in range(6000):
        playback.tick(0.5)
        if not playback.playing:
            break
    assert digest(playback.state) == folded(entries, len(entries))


def test_a_jump_follows_a_growing_battle_as_far_as_needed(entries: list[Entry]) -> None:
    playback = Playback(Live(entries))
    playback.jump("round:2:horde:movement")
    assert (playback.state.round, playback.state.phase) == (2, "movement")
    assert len(playback.chronicle) < len(entries)


def test_a_later_line_replaces_the_shorter_one_before_it(playback: Playback) -> None:
    lines = playback.chronicle.lines
    for before, line in pairwise(lines):
        if line.replaces:
            assert line.tone == before.tone
            assert line.index > before.index
    assert [line.index for line in lines] == sorted(line.index for line in lines)


def test_the_state_at_any_moment_is_told_without_going_there(recording: Recording) -> None:
    playback = Playback(recording)
    playback.jump("end")
    far = playback.cursor
    early = playback.at(far // 3)
    assert playback.cursor == far
    playback.seek(far // 3)
    assert early.position.table.xy.tolist() == playback.state.position.table.xy.tolist()
    assert list(early.position.units) == list(playback.state.position.units)
