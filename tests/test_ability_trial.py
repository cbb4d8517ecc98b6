"""Abilities are switched off in battles made for them, and one that does nothing is found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ability_trial import Trial, Trials, main, report
from msgspec.structs import replace

from datasheets.library import Library
from datasheets.rule import Rule

ASKED = "datasheet/the-destroyer-hive"
"""A record of which attacks on its bearer are asked, while a leader leads it."""
ACTING = "datasheet/tainted-narthecium"
"""A record that does something at a moment."""
BESTOWED = "state/pestilent-fallout-psychic"
"""A record that another puts on an enemy."""


@pytest.fixture(scope="module")
def library() -> Library:
    return Library()


def named(library: Library, name: str) -> Rule:
    return next(rule for rule in library.rules() if rule.id == name)


def trial(library: Library, name: str) -> Trial:
    return Trials(library).tried(named(library, name))


@pytest.mark.parametrize(
    ("name", "clause", "change"),
    [
        (ASKED, "modify[0]", "attack.hit-modifier of foe:foe with blade at own: 0 -> -1 (-1)"),
        (ACTING, "when[0]", "Returned +1"),
        (BESTOWED, "modify[0]", "unit.move of foe:foe: 6 -> 4 (-2)"),
    ],
)
def test_a_record_left_out_changes_something_by_so_much(
    library: Library, name: str, clause: str, change: str
) -> None:
    found = trial(library, name)
    assert found.survivors == ()
    assert found.found[clause][0] == change


def test_a_record_that_does_nothing_survives(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted record with a condition that never holds is named, and the script fails."""
    monkeypatch.setattr("ability_trial.MOST_SITUATIONS", 4)
    record = named(library, ASKED)
    idle = replace(record, modify=(replace(record.modify[0], condition="target == bearer and round > 9"),))
    found = Trials(library, [idle]).tried(idle)
    assert found.survivors == ("modify[0]",)
    assert report([found]) == 1


def test_one_idle_clause_of_a_record_survives_alone(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other clauses of the record do not hide it."""
    monkeypatch.setattr("ability_trial.MOST_SITUATIONS", 4)
    record = named(library, "datasheet/deluge-of-nurgle-aura")
    first, second = record.modify
    idle = replace(record, modify=(first, replace(second, add=0)))
    assert Trials(library, [idle]).tried(idle).survivors == ("modify[1]",)


def test_the_script_writes_a_line_for_each_record(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert main(["death-guard"], "DATASHEET.unclean-icon", out, 1) == 0
    (row,) = (json.loads(line) for line in out.read_text(encoding="utf-8").splitlines())
    assert (row["rule"], row["survives"]) == ("datasheet/unclean-icon", [])


def test_every_record_of_a_faction_is_listed_with_the_states_that_it_gives(library: Library) -> None:
    trials = Trials(library)
    names = [rule.id for rule in trials.records(["death-guard"])]
    assert {ASKED, ACTING, BESTOWED} <= {*names}
    assert "datasheet/signum" not in names
    assert [rule.id for rule in trials.together(named(library, BESTOWED))][1:] == [
        "datasheet/pestilent-fallout-psychic"
    ]
