"""Sentences: each event has words or is left out on purpose; units go by their names."""

from __future__ import annotations

import re

import pytest

from datasheets.library import Library
from engine.core import event as ev
from engine.core.apply import apply
from engine.core.facts import BoardFacts
from engine.core.request import Because, Candidate
from engine.core.state import State
from viewer.story.name import title, unit_name
from viewer.story.reasoning import reason_sentence, rejected_sentence
from viewer.story.source import Entry, Reason
from viewer.story.words import sentence


@pytest.fixture
def state(entries: list[Entry]) -> State:
    """Return the state before the first round's end."""
    state = State()
    for entry in entries:
        if isinstance(entry, ev.RoundEnded):
            break
        if not isinstance(entry, Reason):
            apply(state, entry)
    return state


INTERCESSORS = "p1.intercessors"
POX = "poxwalkers-1-S1"
TRAIL = ev.NumberTrail(number="spawn", base=5, value=5)

EVENTS: list[tuple[ev.Event, str | None]] = [
    (ev.Setup(ruleset="horde-1.1", board=BoardFacts(deployment="dawn-of-war")), "Dawn of War"),
    (
        ev.Unmodelled(rule="x/oath-of-moment", reason="later", unit=INTERCESSORS),
        "Oath of Moment of Intercessor",
    ),
    (ev.RoundBegan(number=4), "Battle round 4"),
    (ev.RoundEnded(number=4), None),
    (ev.TurnBegan(whose="players"), "The players' turn"),
    (ev.TurnBegan(whose="horde"), "The Horde's turn"),
    (ev.TurnEnded(whose="horde"), None),
    (ev.PhaseBegan(name="movement", step="move", cursor=3), "Movement"),
    (ev.PhaseEnded(name="movement", step="move", cursor=3), None),
    (ev.CardRevealed(deck="misery", card="misery/3-rip-and-tear"), "Rip and Tear"),
    (ev.CardRevealed(deck="secret", card="secret/1-a", player="p1"), "Ultramarines drew"),
    (ev.CardDiscarded(deck="misery", card="misery/3-rip-and-tear"), "Rip and Tear was discarded"),
    (ev.CardDiscarded(deck="misery", card="misery/3-rip-and-tear", to="p1"), "Ultramarines"),
    (ev.CardDiscarded(deck="secret", card="secret/1-hunt", to="deck"), "Hunt went back into the deck"),
    (ev.MissionResolved(card="mission/1-hold", success=True, tally=3), "Hold: success (3 counted)"),
    (ev.SecretRevealed(player="p1", card="secret/1-hunt", completed=False), "Hunt: not completed"),
    (
        ev.SpawnRolled(zone="S1", natural=(4,), total=5, bracket=2, trail=TRAIL, units=(POX,)),
        "Spawn zone S1 rolled 4 = 5: bracket 2, Poxwalkers",
    ),
    (ev.SpawnRolled(zone="S1", natural=(1,), total=1, bracket=0, trail=TRAIL), "nothing came"),
    (ev.Placed(thing="minefield", marker="m9", owner="p1", at=(1, 2)), "Ultramarines set up minefield"),
    (ev.Placed(unit=INTERCESSORS, poses={0: (1, 1, 0, 0)}), "Intercessor Squad set up (1 model)"),
    (ev.Decided(seat="horde", decision="move", unit=POX, choice=("advance",)), None),
    (
        ev.Decided(seat="horde", decision="move", unit=POX, choice=("remain-stationary",)),
        "Poxwalkers remained stationary",
    ),
    (
        ev.Decided(seat="horde", decision="charge", unit=POX, choice=(INTERCESSORS,)),
        "Poxwalkers declared a charge against Intercessor Squad",
    ),
    (ev.Decided(seat="p1", decision="next-unit"), None),
    (ev.Decided(seat="", decision="drawn", choice=(POX,), cause="SEC.10"), "SEC.10: Poxwalkers, at random"),
    (
        ev.Decided(seat="p1", decision="stratagem", unit=INTERCESSORS, choice=("stratagem/fire-overwatch",)),
        "Ultramarines used Fire Overwatch on Intercessor Squad",
    ),
    (ev.Moved(unit=POX, kind_of_move="advance", poses={}, paths={}), "Poxwalkers advanced"),
    (ev.Moved(unit=POX, kind_of_move="flicker", poses={}, paths={}), "Poxwalkers moved (flicker)"),
    (ev.Reserved(unit=POX), "Poxwalkers went into reserves"),
    (ev.Arrived(unit=POX, poses={}), "Poxwalkers arrived"),
    (ev.Embarked(unit=INTERCESSORS, transport="p1.rhino"), "Intercessor Squad embarked in Rhino"),
    (ev.Disembarked(unit=INTERCESSORS, transport="p1.rhino", poses={}), "disembarked from Rhino"),
    (
        ev.Rolled(
            roll="charge", dice=(3, 4), total=7, stream="dice", draws=1, unit=POX, target=INTERCESSORS, need=6
        ),
        "Poxwalkers rolled 7 (3+4) to charge Intercessor Squad, needed 6",
    ),
    (ev.Rolled(roll="hit", dice=(3, 4), total=1, stream="dice", draws=1, unit=POX), None),
    (
        ev.Targeted(unit=POX, shots=(ev.Shot(model=0, weapon=0, target=INTERCESSORS),)),
        "Poxwalkers shot at Intercessor Squad",
    ),
    (ev.Targeted(unit=POX, shots=()), None),
    (
        ev.Attacked(
            unit=POX,
            target=INTERCESSORS,
            weapon="Blight gun",
            models=(0,),
            attacks=4,
            hits=3,
            critical_hits=1,
            wounds=2,
            critical_wounds=0,
            unsaved=1,
        ),
        "Blight gun on Intercessor Squad: 4 attacks, 3 hits (1 critical), 2 wounds, 1 unsaved",
    ),
    (ev.Damaged(unit=POX, model=0, amount=2, wounds=0, mortal=True), "Poxwalkers lost 2 mortal wounds"),
    (ev.Healed(unit=POX, model=0, amount=1, wounds=1), "Poxwalkers regained 1 wound"),
    (
        ev.Returned(unit=INTERCESSORS, model=0, wounds=1, pose=(0, 0, 0, 0)),
        "champion of Intercessor Squad came back",
    ),
    (ev.Destroyed(unit=INTERCESSORS, model=1), "Intercessor Squad destroyed"),
    (ev.UnitDestroyed(unit=POX, by=INTERCESSORS), "Poxwalkers wiped out by Intercessor Squad"),
    (ev.UnitDestroyed(unit=POX, part=0), None),
    (ev.Shocked(unit=POX), "Poxwalkers became Battle-shocked"),
    (ev.Recovered(unit=POX), "Poxwalkers recovered"),
    (
        ev.Controlled(objective="obj1", by="horde", levels=(9, 2)),
        "The Horde took objective 1 (9 to 2)",
    ),
    (ev.Gained(player="p1", what="sp", amount=2, total=5), "Ultramarines gained 2 SP (now 5)"),
    (ev.Spent(player="p1", what="cp", amount=1, total=0), "Ultramarines spent 1 CP (0 left)"),
    (
        ev.Spent(player="p1", what="sp", amount=4, total=0, cause="MISERY.29"),
        "Ultramarines lost 4 SP to MISERY.29 (0 left)",
    ),
    (
        ev.Purchased(player="p1", rule="purchase/2-mine-field", price=3),
        "Ultramarines bought Mine Field for 3 SP",
    ),
    (ev.ActionBegan(unit=POX, rule="x/scan"), "Poxwalkers began an action: Scan"),
    (ev.ActionEnded(unit=POX, rule="x/scan", completed=False), "Poxwalkers failed its action: Scan"),
    (ev.Marked(on="unit:" + POX, key="advanced", value=True), None),
    (ev.Removed(what="unit:" + POX), "Poxwalkers removed"),
    (ev.BattleEnded(winners=("players",), reason="time is up."), "won by the players: time is up"),
]


def test_every_kind_of_event_is_here() -> None:
    assert {type(event) for event, _ in EVENTS} == set(ev.Event.__subclasses__())


@pytest.mark.parametrize(("event", "words"), EVENTS, ids=lambda v: v.kind if isinstance(v, ev.Event) else "")
def test_an_event_in_words(state: State, event: ev.Event, words: str | None) -> None:
    said = sentence(event, state)
    if words is None:
        assert said is None
    else:
        assert said is not None
        assert words in said


@pytest.mark.parametrize(("event", "words"), EVENTS, ids=lambda v: v.kind if isinstance(v, ev.Event) else "")
def test_no_event_raises_where_nothing_is_known(event: ev.Event, words: str | None) -> None:
    assert (sentence(event, State()) is None) == (words is None) or isinstance(event, ev.UnitDestroyed)


def test_a_whole_log_names_units_and_never_their_ids(entries: list[Entry]) -> None:
    state = State()
    for entry in entries:
        if isinstance(entry, Reason):
            words: str | None = " ".join(reason_sentence(b, state) for b in entry.because)
        else:
            words = sentence(entry, state)
            apply(state, entry)
        for id_ in state.position.units:
            assert not re.search(rf"(?<![\w.-]){re.escape(id_)}(?![\w-])", words or ""), (id_, words)


def test_the_length_of_a_move_is_that_of_its_longest_path(state: State) -> None:
    row = state.position.units[INTERCESSORS].rows[0]
    x, y = map(float, state.position.table.xy[row])
    event = ev.Moved(
        unit=INTERCESSORS,
        kind_of_move="normal",
        poses={row: (x + 3, y + 4, 0, 0)},
        paths={row: ((x + 3, y), (x + 3, y + 4))},
    )
    assert sentence(event, state) == "Intercessor Squad moved 7″"
    apply(state, event)
    assert sentence(event, state) == "Intercessor Squad moved"


def test_a_second_unit_of_a_name_has_a_number(state: State) -> None:
    log_units = [unit for unit in state.position.units.values() if unit.name == "Poxwalkers"]
    assert [unit_name(state, unit.id) for unit in log_units] == ["Poxwalkers"]
    state.position.units["again"] = log_units[0].__class__(log_units[0].facts, ())
    assert unit_name(state, "again") == "Poxwalkers 2"


def test_a_reason_names_its_target_once(state: State) -> None:
    plain = Because(clause="AI.MOVE.1", reason="the closest visible enemy", target=INTERCESSORS)
    assert reason_sentence(plain, state) == "The closest visible enemy → Intercessor Squad"
    named = Because(clause="AI.MOVE.1", reason="Intercessor Squad is the closest", target=INTERCESSORS)
    assert reason_sentence(named, state) == "Intercessor Squad is the closest"
    edge = Because(clause="AI.MOVE.4", reason="no enemy to be seen", target="defender-edge")
    assert reason_sentence(edge, state) == "No enemy to be seen → the Defender's edge"


def test_rejected_candidates_are_named_with_why(state: State) -> None:
    candidates = (
        Candidate(id=INTERCESSORS, distance=5.0),
        Candidate(id="p1.rhino", failed="not-visible"),
        Candidate(id="obj1", failed="behind-it"),
    )
    because = Because(clause="AI.MOVE.1", reason="", target=INTERCESSORS, candidates=candidates)
    assert rejected_sentence(because, state) == "Passed over: Rhino (not visible), objective 1 (behind it)"
    assert rejected_sentence(because, state, most=1).endswith("and 1 other")
    assert rejected_sentence(Because(clause="AI.MOVE.1", reason=""), state) == ""


@pytest.mark.parametrize(
    ("id_", "heading"),
    [
        ("misery/3-rip-and-tear", "Rip and Tear"),
        ("death-guard", "Death Guard"),
        ("AI.MOVE.1", "AI.MOVE.1"),
        ("12", "12"),
        ("", ""),
    ],
)
def test_ids_as_headings(id_: str, heading: str) -> None:
    assert title(id_) == heading


def test_cards_and_purchases_have_the_names_of_their_records() -> None:
    cards = [r for r in Library().rules() if r.id.split("/")[0] in ("misery", "secondary", "secret", "buy")]
    assert len(cards) > 80
    assert {rule.id: title(rule.id) for rule in cards} == {rule.id: rule.name for rule in cards}
