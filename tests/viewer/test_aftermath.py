"""Fallen models, losses and trails: right at every moment, in both directions."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.core import event as ev
from engine.core.apply import apply
from engine.core.state import State
from tests.viewer.seeded import BATTLES, played
from viewer.story.aftermath import Fallen, toll_at, trails
from viewer.story.motion import length, polyline
from viewer.story.source import Reason
from viewer.window.afterglow import Afterglow, number_words
from viewer.window.playback import Playback


def marked(playback: Playback, cursor: int) -> dict[int, tuple[float, float]]:
    """Return where models fell since the players' last turn ended, by folding the log anew."""
    state, found = State(), dict[int, tuple[float, float]]()
    for entry in playback.chronicle.entries[:cursor]:
        if isinstance(entry, Reason):
            continue
        if isinstance(entry, ev.Destroyed) and state.position.table.on[entry.model]:
            x, y = map(float, state.position.table.xy[entry.model])
            found[entry.model] = (x, y)
        apply(state, entry)
        if isinstance(entry, ev.Returned):
            found.pop(entry.model, None)
        elif isinstance(entry, ev.TurnEnded) and entry.whose == "players":
            found = {}
    return found


@pytest.mark.parametrize(("seed", "faction"), BATTLES)
def test_marks_are_right_after_every_jump(seed: int, faction: str) -> None:
    playback = played(seed, faction)
    chance = random.Random(3)
    whole = len(playback.chronicle)
    places = [chance.randint(0, whole) for _ in range(40)]
    for cursor in places:
        playback.seek(cursor)
        shown = {fall.row: fall.at for fall in playback.chronicle.fallen.at(playback.cursor)}
        assert shown == marked(playback, cursor)
    for cursor in range(places[-1], max(places[-1] - 60, 0), -1):
        playback.back()
        shown = {fall.row: fall.at for fall in playback.chronicle.fallen.at(playback.cursor)}
        assert shown == marked(playback, cursor - 1)
    assert any(marked(playback, cursor) for cursor in places)


def test_marks_go_as_the_players_turn_ends_and_not_before() -> None:
    playback = played()
    chronicle = playback.chronicle
    entries = chronicle.entries
    ends = [i for i, e in enumerate(entries) if isinstance(e, ev.TurnEnded) and e.whose == "players"]
    horde = [i for i, e in enumerate(entries) if isinstance(e, ev.TurnEnded) and e.whose == "horde"]
    assert any(chronicle.fallen.at(index) for index in ends)
    assert all(chronicle.fallen.at(index + 1) == [] for index in ends)
    assert all(chronicle.fallen.at(index) == chronicle.fallen.at(index + 1) for index in horde)


def test_a_model_that_comes_back_has_no_mark() -> None:
    playback = played()
    chronicle = playback.chronicle
    fall = chronicle.fallen.falls[0]
    fallen = Fallen([fall], [(fall.index + 5, fall.row)], [])
    assert fallen.at(fall.index + 5) == [fall]
    assert fallen.at(fall.index + 6) == []
    kept = fallen.kept()
    kept.returns.clear()
    assert fallen.at(fall.index + 6) == []


@pytest.mark.parametrize(("seed", "faction"), BATTLES)
def test_the_tolls_of_all_acts_are_the_losses_of_the_battle(seed: int, faction: str) -> None:
    entries = played(seed, faction).chronicle.entries
    wounds, models = Counter[str](), Counter[str]()
    before = toll_at(entries, 0)
    for cursor in range(1, len(entries) + 1):
        now = toll_at(entries, cursor)
        for unit, toll in now.items():
            known = before.get(unit)
            wounds[unit] += toll.wounds - (known.wounds if known else 0)
            models[unit] += toll.models - (known.models if known else 0)
        before = now
    told = Counter[str]()
    fallen = Counter[str]()
    for entry in entries:
        if isinstance(entry, ev.Damaged):
            told[entry.unit] += entry.amount
        elif isinstance(entry, ev.Destroyed):
            fallen[entry.unit] += 1
    assert wounds == told
    assert models == fallen


def test_a_trail_is_as_long_as_the_farthest_way() -> None:
    playback = played()
    chronicle = playback.chronicle
    ways = trails(chronicle.entries, chronicle.starts, 0, len(chronicle))
    assert len(ways) > 20
    assert all(way.inches == pytest.approx(length(way.points)) for way in ways)
    index = next(i for i, e in enumerate(chronicle.entries) if isinstance(e, ev.Moved) and len(e.poses) > 3)
    moved = chronicle.entries[index]
    assert isinstance(moved, ev.Moved)
    (one,) = trails(chronicle.entries, chronicle.starts, index, index + 1)
    starts = chronicle.starts[index]
    assert one.inches == max(length(polyline(starts[row], moved.paths[row])) for row in moved.poses)
    assert trails(chronicle.entries, chronicle.starts, index, index) == []


def test_what_falls_fades_and_what_is_lost_rises_only_as_it_is_played() -> None:
    playback, glow = played(), Afterglow()
    fall = playback.chronicle.fallen.falls[0]
    playback.seek(fall.index - 3)
    glow.tick(0.0, playback)
    for _ in range(4):
        playback.forward()
    assert glow.tick(0.1, playback)
    assert glow.fading[fall.row] == 255
    unit = fall.unit
    assert glow.risen(unit) == 0.0
    glow.tick(0.2, playback)
    assert 0 < glow.fading[fall.row] < 255
    assert 0 < glow.risen(unit) < 1
    assert not glow.tick(1.0, playback)
    assert (glow.fading, glow.risen(unit)) == ({}, 1.0)
    assert number_words(glow.tolls(playback)[unit]).startswith("−")
    playback.back()
    glow.tick(0.1, playback)
    assert not glow.fading
    playback.less_motion = True
    playback.forward()
    assert not glow.tick(0.1, playback), "less motion shows it as it ends"
