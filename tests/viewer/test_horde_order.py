"""The Horde in its order: units as the log selects them, what they did, which is next."""

from __future__ import annotations

from engine.core import event as ev
from tests.viewer.seeded import played
from viewer.story.horde_order import acting_order, deeds, in_order, place_words
from viewer.story.roster import Section, roster
from viewer.story.source import Reason
from viewer.window.playback import Playback


def sections(playback: Playback) -> tuple[Section, ...]:
    chronicle, state = playback.chronicle, playback.state
    index = playback.decision
    entry = chronicle.entries[index] if index is not None else None
    acting = entry if isinstance(entry, Reason) else None
    return in_order(roster(state), chronicle, playback.cursor, state, acting, {})


def at(playback: Playback, where: str, further: int = 0) -> Playback:
    playback.jump(where)
    for _ in range(further):
        playback.to_decision(1)
    return playback


def test_units_stand_as_they_are_selected_and_each_once() -> None:
    playback = at(played(), "round:3:horde:shooting", 2)
    horde, *others = sections(playback)
    order = [unit for _, unit in acting_order(playback.chronicle, playback.cursor, playback.state)]
    assert (horde.title, horde.note, horde.side) == ("Horde, in its order", "shooting", "horde")
    shown = [row.unit for row in horde.rows]
    assert shown[: len(order)] == order
    known = {unit.id for unit in playback.state.position.on_table("horde")}
    assert sorted(shown) == sorted(known)
    assert not any(row.side == "horde" for each in others for row in each.rows if "eserves" not in each.title)


def test_one_is_now_one_is_next_and_those_before_are_done() -> None:
    playback = at(played(), "round:3:horde:shooting")
    tags = set()
    while playback.state.phase == "shooting":
        horde = sections(playback)[0]
        marks = [row.tag or row.badge for row in horde.rows]
        assert marks.count("now") <= 1
        assert marks.count("next") <= 1
        done = [place for place, mark in enumerate(marks) if mark == "done"]
        assert done == list(range(len(done))), "those that are done come first"
        tags |= set(marks)
        playback.forward()
    assert {"now", "next", "done"} <= tags


def test_a_unit_s_deeds_are_those_of_its_events() -> None:
    playback = played()
    chronicle = playback.chronicle
    checked = 0
    for place, stop in enumerate(chronicle.phases[:-1]):
        if (stop.turn, stop.phase) not in (("horde", "shooting"), ("horde", "fight")):
            continue
        end = chronicle.phases[place + 1].cursor
        playback.seek(end)
        for unit in playback.state.position.units.values():
            some = chronicle.entries[stop.cursor : end]
            aimed = [e for e in some if isinstance(e, ev.Targeted) and e.unit == unit.id and e.shots]
            if not aimed:
                continue
            wounds = sum(e.amount for e in some if isinstance(e, ev.Damaged) and e.by == unit.id)
            words = deeds(chronicle, stop.cursor, end, unit.id, playback.state)
            assert words.startswith("struck" if aimed[-1].melee else "shot")
            assert words.endswith(f"{wounds} wound" + ("" if wounds == 1 else "s"))
            checked += 1
    assert checked > 5


def test_in_the_players_turn_the_roster_is_as_always() -> None:
    playback = at(played(), "round:2:players:shooting")
    assert sections(playback) == roster(playback.state)
    unit = playback.state.position.on_table("horde")[0]
    assert place_words(playback.chronicle, playback.cursor, playback.state, unit.id) == ""


def test_the_place_of_a_unit_in_the_order_is_told() -> None:
    playback = at(played(), "round:3:horde:shooting", 2)
    order = [unit for _, unit in acting_order(playback.chronicle, playback.cursor, playback.state)]
    words = [place_words(playback.chronicle, playback.cursor, playback.state, unit) for unit in order]
    assert [word.split()[0] for word in words] == ["1st", "2nd", "3rd"][: len(order)]
    assert all(
        word.endswith(f"of {len(playback.state.position.on_table('horde'))} Horde units") for word in words
    )
