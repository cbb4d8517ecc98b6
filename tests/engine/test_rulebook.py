"""The shipped rules: all there, numbered as printed, simulated whole or with a reason."""

from __future__ import annotations

from collections import Counter

import pytest

from datasheets.library import Library
from datasheets.rule import Rule
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.records.rulebook import Rulebook

MISSING_SECRETS = (6, 17, 23, 26)


@pytest.fixture(scope="module")
def rulebook() -> Rulebook:
    """Return the rulebook of a battle against the Death Guard."""
    return Rulebook.load(Library(), HORDE_1_1.language, ("death-guard",))


@pytest.mark.parametrize(
    ("deck", "prefix", "numbers"),
    [
        ("misery", "MISERY", range(1, 33)),
        ("secondary", "SEC", range(1, 21)),
        ("secret", "SECRET", [n for n in range(1, 31) if n not in MISSING_SECRETS]),
    ],
)
def test_every_card_is_there_as_numbered(
    rulebook: Rulebook, deck: str, prefix: str, numbers: list[int]
) -> None:
    """Ids and clauses carry the printed numbers.

    There are 32 misery cards, 20 missions and 26 secret objectives.
    """
    cards = [rulebook.rule(card) for card in rulebook.decks[deck]]
    assert [card.clause for card in cards] == [f"{prefix}.{n}" for n in numbers]
    assert [card.id.split("-")[0] for card in cards] == [f"{deck}/{n}" for n in numbers]


def test_the_resupply_table_and_the_factions_are_whole(rulebook: Rulebook) -> None:
    """25 purchases, at least 22 factions, each clause once, states apart."""
    tags = Counter(rule.tags[0] for rule in rulebook.rules)
    assert tags["buy"] == 25
    assert tags["faction"] >= 22
    clauses = Counter(rule.clause for rule in rulebook.rules if "state" not in rule.tags)
    assert {clause: n for clause, n in clauses.items() if n > 1} == {}


def test_what_is_in_force_from_the_start(rulebook: Rulebook) -> None:
    """The mode's own rules, and those of the Horde's faction alone."""
    assert "faction/death-guard" in rulebook.standing
    assert "faction/tyranids" not in rulebook.standing
    assert all(name.startswith(("core/", "faction/")) for name in rulebook.standing)


def test_each_kind_of_clause_is_used(rulebook: Rulebook) -> None:
    """No kind of clause is there for show."""
    kinds = ("modify", "grant", "forbid", "permit", "when", "instead", "offer", "call")
    assert [kind for kind in kinds if not any(getattr(rule, kind) for rule in rulebook.rules)] == []


def test_a_rule_is_found_by_id_and_by_clause(rulebook: Rulebook) -> None:
    """Both name the same record, and its summary is a sentence."""
    assert rulebook.rule("MISERY.3") is rulebook.rule("misery/3-rip-and-tear")
    assert rulebook.summary("MISERY.3") == "Horde attacks have their AP improved by 1."
    assert rulebook.summary("CORE.MOVE.1") == ""


def test_summaries_are_short_and_reasons_too(rulebook: Rulebook) -> None:
    """One line each, ending as a sentence does."""
    for rule in rulebook.rules:
        assert rule.summary.endswith((".", ".)")), rule.id
        assert len(rule.summary) < 230, rule.id
        assert "\n" not in rule.summary + rule.reason, rule.id


def test_removed_rules_are_gone() -> None:
    """A rule that is taken out of the battle is in no deck and not in force."""
    rulebook = Rulebook.load(
        Library(), HORDE_1_1.language, ("death-guard",), ("faction/death-guard", "misery/3-rip-and-tear")
    )
    assert "MISERY.3" not in rulebook
    assert "faction/death-guard" not in rulebook.standing
    assert len(rulebook.decks["misery"]) == 31, "a card more or less? change the number"


def test_statuses_follow_from_the_record(rulebook: Rulebook) -> None:
    """Modelled with clauses, hooked where a function is called, unmodelled with a reason."""
    found: dict[str, list[Rule]] = {}
    for rule in rulebook.rules:
        found.setdefault(rule.status, []).append(rule)
    hooked = [rule.clause for rule in found["hooked"] if not rule.clause.startswith("DATASHEET.")]
    assert hooked == ["PLAY.7"]
    assert all(rule.reason and not rule.has_clauses for rule in found["unmodelled"])
    assert all(rule.has_clauses and not rule.reason for rule in found["modelled"])
