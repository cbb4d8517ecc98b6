"""The summary of a turn: its numbers are those of the events, for any stretch of a battle."""

from __future__ import annotations

import io
import random

import pytest

from ai.agents import agent
from engine.core import event as ev
from engine.core.play import play
from engine.w40k.view import View
from tests.viewer.seeded import BATTLES, begun, played
from viewer.story.live import entries
from viewer.story.source import Recording
from viewer.story.turn_summary import TurnSummary, Unasked, summarize, summary_lines
from viewer.terminal.terminal import Person, Teller
from viewer.window.playback import Playback


def told(playback: Playback, first: int, last: int) -> TurnSummary:
    return summarize(playback.at(first), playback.chronicle.entries[first:last])


def losses(playback: Playback, first: int, last: int, side: str) -> tuple[int, int]:
    """Return the wounds and models that a side loses in a stretch, by its events alone."""
    units = playback.chronicle.head.position.units
    some = playback.chronicle.entries[first:last]
    wounds = sum(e.amount for e in some if isinstance(e, ev.Damaged) and units[e.unit].side == side)
    return wounds, sum(isinstance(e, ev.Destroyed) and units[e.unit].side == side for e in some)


@pytest.mark.parametrize(("seed", "faction"), BATTLES)
def test_every_turn_s_totals_are_the_losses_of_its_events(seed: int, faction: str) -> None:
    playback = played(seed, faction)
    turns = playback.chronicle.turns.known
    assert {turn.whose for turn in turns} == {"horde", "players"}
    for turn in turns:
        end = turn.end or len(playback.chronicle)
        summary = told(playback, turn.first, end)
        assert summary.whose == turn.whose
        for place, side in enumerate(("players", "horde")):
            assert (summary.wounds[place], summary.models[place]) == losses(playback, turn.first, end, side)
        for lines in (summary.lost, summary.it_lost):
            assert all(line.wounds or line.models for line in lines)


@pytest.mark.parametrize(("seed", "faction"), BATTLES)
def test_any_stretch_can_be_summed_up(seed: int, faction: str) -> None:
    playback = played(seed, faction)
    chance, whole = random.Random(1), len(playback.chronicle)
    for _ in range(25):
        first, last = sorted(chance.randint(0, whole) for _ in range(2))
        summary = told(playback, first, last)
        assert (summary.wounds[0], summary.models[0]) == losses(playback, first, last, "players")
        assert (summary.wounds[1], summary.models[1]) == losses(playback, first, last, "horde")
        assert all(summary_lines(summary))


def test_a_line_tells_how_the_unit_stands_and_who_did_it() -> None:
    playback = played()
    for turn in playback.chronicle.turns.known:
        end = turn.end or len(playback.chronicle)
        summary, after = told(playback, turn.first, end), playback.at(end)
        stretch = playback.chronicle.entries[turn.first : end]
        for line in (*summary.lost, *summary.it_lost):
            unit = after.position.units[line.unit]
            gone = unit.where == "destroyed" or not unit.rows
            assert line.head.endswith("wiped out") == gone
            dealers = {e.by for e in stretch if isinstance(e, ev.Damaged) and e.unit == line.unit and e.by}
            if len(dealers) == 1 and dealers != {line.unit}:
                assert line.by.startswith("by ")
            assert line.by


def test_markers_that_change_hands_are_told_once_with_their_levels() -> None:
    playback = played()
    for turn in playback.chronicle.turns.known:
        end = turn.end or len(playback.chronicle)
        before, after = playback.at(turn.first), playback.at(end)
        changed = {
            id_: each.by
            for id_, each in after.position.objectives.items()
            if id_ in before.position.objectives and each.by != before.position.objectives[id_].by
        }
        lines = told(playback, turn.first, end).table
        found = {line.thing: line.side for line in lines if line.thing in before.position.objectives}
        assert found == changed


def test_the_weapon_is_the_one_that_did_it_in_either_order_of_the_log() -> None:
    playback = played()
    for turn in playback.chronicle.turns.known:
        end = turn.end or len(playback.chronicle)
        told_order = playback.chronicle.entries[turn.first : end]
        events = [entry for entry in told_order if isinstance(entry, ev.Event)]
        as_logged = sorted(events, key=lambda event: event.n)
        before = playback.at(turn.first)
        assert summarize(before, told_order).lost == summarize(before, as_logged).lost


def test_what_was_answered_unasked_is_counted_by_kind() -> None:
    answered = [
        Unasked("allocation", "As suggested: one"),
        Unasked("allocation", "As suggested: two"),
        Unasked("overwatch", "Skipped: Fire Overwatch, worth 3.0 of 24"),
        Unasked("fight", "As suggested: three"),
    ]
    playback = played()
    summary = summarize(playback.at(0), [], answered, stops=2)
    assert summary.answered_words == (
        "Answered for you: 2 allocations, 1 fight. Offers skipped: Fire Overwatch."
    )
    assert summary_lines(summary)[-1].strip() == summary.answered_words
    assert summarize(playback.at(0), []).short() == "you lost nothing; the Horde lost nothing"


def test_the_log_ends_each_turn_with_its_short_form() -> None:
    playback = played()
    lines = playback.chronicle.lines
    for turn in playback.chronicle.turns.known:
        if turn.end is None:
            continue
        summary = told(playback, turn.first, turn.end)
        line = next(line for line in lines if line.index == turn.end - 1)
        assert line.text == f"{summary.title}: {summary.short('the players')}"


def test_the_terminal_sums_up_the_horde_s_turn_where_a_person_plays(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = begun()
    monkeypatch.setattr("sys.stdin", io.StringIO("\n" * 30 + "auto\n"))
    play(game, {"horde": agent("horde"), "p1": Person(agent("steady"))}, View, watch=Teller("p1"))
    out = capsys.readouterr().out
    ended = [e for e in game.events if isinstance(e, ev.TurnEnded) and e.whose == "horde"]
    assert out.count("The Horde's turn is over, round ") == len(ended) > 2
    assert "The players' turn is over" not in out
    playback = Playback(Recording(entries(game.lines)))
    for turn in playback.chronicle.turns.known:
        if turn.whose == "horde" and turn.end is not None:
            for line in summary_lines(told(playback, turn.first, turn.end)):
                assert line.strip() in out
