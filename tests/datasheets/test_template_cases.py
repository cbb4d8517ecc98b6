"""Scenario files that prove each template of abilities: it acts, and does no more.

A file pins the template of the record whose clause it names, and its name says which case it shows: the
clause alone for "acts", else the clause and a few words, of which the last are in `ENDINGS`. A file with
other last words shows something besides and counts for no case.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from datasheets.ability_template import Template
from datasheets.library import Library
from datasheets.rule import Rule
from datasheets.scenario import load_scenario

SCENARIOS = Path(__file__).parents[1] / "scenarios"
ENDINGS: dict[str, tuple[str, ...]] = {
    "acts": ("",),
    "fails": (
        *("too-far", "afar", "far", "farther", "near", "apart", "beside", "past", "out-of-range", "no-room"),
        *("alone", "not-led", "unseen", "missed", "mortals"),
        *(
            "melee",
            "shots",
            "moved",
            "fell-back",
            "advanced",
            "no-charge",
            "no-marker",
            "engaged",
            "enemy-near",
        ),
        *(
            "own-turn",
            "enemy-turn",
            "enemys-turn",
            "enemy-phase",
            "other-phase",
            "fought",
            "whole",
            "without",
        ),
        *("stranger", "monster", "infantry", "vehicle", "shocked", "other-roll"),
    ),
    "ends": ("ends", "lost", "destroyed", "outlived"),
    "others": ("another", "others", "other-enemy", "friend", "enemy", "bodyguard", "stranger", "gargoyles"),
    "twice": ("twice",),
}
"""By case, the last words of the names of the files that show it.

It does not act when its condition fails; it ends, or does not come, with its bearer or its phase; it does
not go to the wrong models; two bearers of it are one.
"""
OWN = "it is the bearer's own, lies on nobody else and lasts as long as the bearer does"
NO_CASE: dict[tuple[str, str], str] = {
    ("rerolls-at-markers", "ends"): OWN,
    ("rolls-again", "ends"): OWN,
    ("moves-in-reply", "ends"): OWN,
    ("back-to-reserves", "ends"): OWN,
    ("engaged-mortals", "ends"): OWN,
    ("bursts", "ends"): OWN,
    ("moves-through-terrain", "ends"): OWN,
    ("overwatch-hits", "ends"): OWN,
    ("bombs", "ends"): OWN,
    ("stands-up", "ends"): "it comes as the bearer falls, once a battle, and nothing of it lasts",
    ("drops-passengers", "ends"): "it comes as the bearer arrives, and nothing of it lasts",
    ("set-up-anew", "ends"): "it comes once, before the battle, and nothing of it lasts",
    ("charge-after-transport-moved", "ends"): "nobody who has got out of a wreck charges",
}
"""The cases that a template cannot have, and why."""


def shows(stem: str, clause: str) -> tuple[str, ...]:
    """Return the cases that a scenario file of this name shows of a clause."""
    if stem == clause:
        return ("acts",)
    words = stem.removeprefix(f"{clause}-")
    return tuple(
        case
        for case, endings in ENDINGS.items()
        if any(words == each or words.endswith(f"-{each}") for each in endings if each)
    )


def can_be_twice(template: Template) -> bool:
    """Return whether two bearers may do the same: an aura, a state, a bounded test."""
    told = repr(template)
    bounded = any("each" in when and "once" in when for when in template.clauses.get("when", ()))
    return "aura" in template.clauses or bounded or "bestow(" in told or template.id.startswith("state-")


def must_end(template: Template, records: list[Rule]) -> bool:
    """Return whether what it brings lasts a while, or hangs on another unit or part."""
    led = any("is_led(" in repr(record.values) for record in records)
    told = repr(template)
    return led or "aura" in template.clauses or any(verb in told for verb in ("bestow(", "mark(", "is_led("))


def needed(template: Template) -> Iterator[str]:
    """Yield the cases that a template must have."""
    for case in ENDINGS:
        excused = (template.id, case) in NO_CASE
        if not excused and (case != "twice" or can_be_twice(template)):
            yield case


@pytest.fixture(scope="module")
def library() -> Library:
    return Library()


@pytest.fixture(scope="module")
def records(library: Library) -> dict[str, list[Rule]]:
    """Return the records that are like each template.

    What a state says is the case of the templates of states; that it is given, of the template of its giver.
    """
    found: dict[str, list[Rule]] = {name: [] for name in library.templates()}
    for rule in library.rules():
        if rule.like and ("state" not in rule.tags or rule.like.startswith("state-")):
            found[rule.like].append(rule)
    return found


@pytest.fixture(scope="module")
def shown(records: dict[str, list[Rule]]) -> dict[str, dict[str, list[str]]]:
    """Return, by template and case, the scenario files that show it."""
    like = {rule.clause: rule.like for found in records.values() for rule in found}
    by: dict[str, dict[str, list[str]]] = {name: {} for name in records}
    clauses = {name: {rule.clause for rule in found} for name, found in records.items()}
    stems = {path.stem: path for path in SCENARIOS.rglob("DATASHEET.*.toml")}
    for stem, path in stems.items():
        for clause in load_scenario(path).rules:
            if clause not in like or (stem != clause and not stem.startswith(f"{clause}-")):
                continue
            if clause not in stems:
                continue
            for name, own in clauses.items():
                if clause in own:
                    for case in shows(stem, clause):
                        by[name].setdefault(case, []).append(stem)
    return by


def test_each_template_has_a_scenario_for_every_case_that_it_can_have(
    library: Library, shown: dict[str, dict[str, list[str]]]
) -> None:
    """A file counts where its clause also has the file that shows it act."""
    missing = [
        f"{name}: {case}"
        for name, template in library.templates().items()
        for case in needed(template)
        if case not in shown[name]
    ]
    assert not missing, "\n".join(missing)


def test_a_case_that_is_excused_is_neither_shown_nor_one_that_the_template_has(
    library: Library, records: dict[str, list[Rule]], shown: dict[str, dict[str, list[str]]]
) -> None:
    templates = library.templates()
    for (name, case), why in NO_CASE.items():
        assert why
        assert case in ("fails", "ends", "others")
        assert case not in shown[name], (name, case)
        assert case != "ends" or not must_end(templates[name], records[name]), name


@pytest.mark.parametrize(
    ("stem", "cases"),
    [
        ("DATASHEET.a-gun", ("acts",)),
        ("DATASHEET.a-gun-two-are-too-far", ("fails",)),
        ("DATASHEET.a-gun-stranger", ("fails", "others")),
        ("DATASHEET.a-gun-leader-lost", ("ends",)),
        ("DATASHEET.a-gun-unlost", ()),
    ],
)
def test_a_file_says_its_case_by_its_last_words(stem: str, cases: tuple[str, ...]) -> None:
    assert shows(stem, "DATASHEET.a-gun") == cases
