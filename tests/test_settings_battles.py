"""Whether the battles of all settings hold every pair, and what is added to them."""

from __future__ import annotations

from itertools import combinations, product

import settings_battles

SETTINGS = settings_battles.SETTINGS


def test_every_pair_of_settings_occurs_in_the_first_battles() -> None:
    found = settings_battles.jobs(100, 1, False)
    assert len({job.seed for job in found}) == 100
    for one, other in combinations(SETTINGS, 2):
        pairs = {(getattr(job, one), getattr(job, other)) for job in found}
        assert pairs == set(product(SETTINGS[one], SETTINGS[other]))


def test_what_never_acted_gets_a_battle_in_which_it_may() -> None:
    missing = settings_battles.never([])
    jobs = dict(zip((name for name, _ in missing), settings_battles.jobs_for(missing, 7, True), strict=True))
    assert jobs["faction/orks"].horde == "orks"
    assert jobs["buy/minefield"].wish == "buy/minefield"
    assert jobs["misery/3-rip-and-tear"].players == 8
    assert len({job.key for job in jobs.values()}) == len(jobs)
    row = {"acted": ["FACTION.orks", "buy/minefield"]}
    assert {name for name, _ in settings_battles.never([row])} == set(jobs) - {
        "faction/orks",
        "buy/minefield",
    }


def test_a_battle_of_two_ends_without_fault_and_tells_no_secret() -> None:
    job = settings_battles.jobs(1, 1, True)[0]._replace(players=2, points=1000, rounds=5)
    row = settings_battles.played(job)
    assert not any(row.get(key) for key in settings_battles.FAULTS)
    assert row["rounds_played"] <= 5
    assert {"SPAWN.2", "SPAWN.6"} & set(row["acted"]), row["acted"]
