"""The battles of abilities: which armies meet, and what counts."""

from __future__ import annotations

import ability_battles


def test_both_first_factions_meet_each_army_at_both_sizes() -> None:
    found = ability_battles.jobs(64, 1, ("orks",))
    met = {(job.horde, job.army, job.points) for job in found[:-1]}
    assert len(met) == len(ability_battles.HORDES) * len(set(ability_battles.ARMIES)) * 2
    assert found[-1].horde == "orks"
    assert {job.shipped for job in found if job.army == "space-marines"} == {True, False}


def test_an_ability_that_was_borne_counts_also_where_it_never_acted() -> None:
    rows = [
        {"borne": ["datasheet/vicious-insight", "datasheet/foul-spores-aura"], "acted": []},
        {"borne": ["datasheet/vicious-insight"], "acted": ["DATASHEET.vicious-insight"]},
    ]
    borne, active = ability_battles.counted(rows)
    assert (borne["datasheet/vicious-insight"], active["datasheet/vicious-insight"]) == (2, 1)
    assert (borne["datasheet/foul-spores-aura"], active["datasheet/foul-spores-aura"]) == (1, 0)
    assert "datasheet/foul-spores-aura" not in ability_battles.unborne(rows)
