"""Every ability of every datasheet is counted once, and the Horde's without army rules."""

from __future__ import annotations

from typing import get_args

import pytest
from msgspec.structs import replace

from datasheets.census import current, spawned, tally
from datasheets.library import Library
from datasheets.schema import Ability, Datasheet, Status


@pytest.fixture
def sheet(library: Library) -> Datasheet:
    """Return a datasheet with an army rule and an ability of each status."""
    own = [
        Ability(
            name=each,
            kind="datasheet",
            status=each,
            reason="for now" if each in ("unmodelled", "waiting") else None,
            needs="army rule" if each == "waiting" else "",
        )
        for each in get_args(Status)
    ]
    army = Ability(name="Synapse", kind="faction", status="unmodelled", reason="only a name")
    return replace(library.datasheet("tyranids/lictor"), abilities=(army, *own))


@pytest.mark.rule("PLAY.6")
def test_the_army_rule_is_counted_but_for_the_horde(sheet: Datasheet) -> None:
    every, horde = tally([sheet, sheet]), tally([sheet, sheet], fielded_by_horde=True)
    assert (every.datasheets, every.abilities) == (2, 12)
    assert (every.modelled, every.hooked, every.unmodelled) == (2, 2, 4)
    assert (every.waiting, every.without_effect) == (2, 2)
    assert every.reasons == {"only a name": 2, "for now": 4}
    assert (horde.modelled, horde.hooked, horde.unmodelled) == (2, 2, 2)
    # What needs an army rule is none of the Horde's.
    assert (horde.waiting, horde.without_effect) == (0, 2)
    assert horde.reasons == {"for now": 2}


def test_current_datasheets_are_no_legends_and_tables_bring_both(library: Library) -> None:
    assert not any(sheet.legends for sheet in current(library, "death-guard"))
    assert {sheet.legends for sheet in spawned(library, "death-guard")} == {True, False}


def test_each_record_of_a_datasheet_names_an_ability_of_it(library: Library) -> None:
    borne = [(rule, each) for rule in library.rules() for each in rule.datasheets]
    for rule, each in borne:
        named = {ability.name.casefold() for ability in library.datasheet(each).abilities}
        assert rule.name.casefold() in named, f"{rule.id} is no ability of {each}"
