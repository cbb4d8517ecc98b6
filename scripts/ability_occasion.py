"""The rarer battles in which an ability is tried: options to pick, Stratagems, flights.

Owns what the bearer's player answers in them. The places of units are `ability_situation`'s.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ability_situation import (
    ENGAGED,
    FLIGHT,
    MIDDLE,
    NEAR,
    PHASES,
    RARE_SEEDS,
    SEEDS,
    TOUGH,
    Needs,
    Table,
    needs,
    texts,
)
from msgspec import to_builtins

from datasheets.library import Library
from datasheets.rule import Pick, Rule
from datasheets.scenario import Scenario
from datasheets.schema import Datasheet
from engine.core.facts import HORDE

STRATAGEM = re.compile(r"'(stratagem/[a-z-]+)'")
OPENING = "step == 'start-of-round.scouts'"
OVER = "moved_over("
FRIEND = re.compile(r"\bown\(unit|horde\(unit\) == horde\(bearer\)")
RETREAT = "fall-back"
ALREADY = "may_already("
GIVEN = ("advance-and-shoot", "advance-and-charge")
"""The abilities that let a unit already do what a record lets it do."""
Answers = list[dict[str, Any]]


def occasions(rules: Sequence[Rule], sheet: Datasheet, library: Library) -> Iterator[Scenario]:
    """Yield the rarer situations for records of a datasheet that go together."""
    wanted = needs(rules, library)
    text = "\n".join(texts([to_builtins(rule) for rule in rules]))
    options = list(_options(rules))
    if OPENING in text:
        yield from _openings(wanted, options, sheet, library)
    if any(when.moment == "round-began" for rule in rules for when in rule.when):
        yield from _beginnings(wanted, options, sheet, library)
    if RETREAT in text:
        yield from _retreats(wanted, sheet, library)
    if wanted.led and sheet.leads:
        for word in wanted.keywords:
            given = replace(wanted, keywords=(word,))
            yield Table(given, sheet, library, HORDE, NEAR, TOUGH).scenario(("shooting",), HORDE, 1)
    if ALREADY in text:
        given = replace(wanted, abilities=GIVEN)
        for phase in ("movement", "charge"):
            yield Table(given, sheet, library, HORDE, NEAR, TOUGH).scenario((phase,), HORDE, 1)
    if OVER in text:
        yield from _flights(wanted, options, sheet, library)
    called = [rule for rule in library.rules() if rule.id in STRATAGEM.findall(text)]
    yield from _stratagems(wanted, called, sheet, library)
    for answers in options:
        for phases in _lasting(wanted.phases):
            for turn in ("players", HORDE):
                table = Table(wanted, sheet, library, "p1", ENGAGED if "fight" in phases else NEAR, TOUGH)
                yield table.scenario(phases, turn, 1, answers)


def _lasting(phases: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the phases of an answer: each, and the Command phase with one after it."""
    yield from ((phase,) for phase in phases)
    if "command" in phases:
        yield from (("command", phase) for phase in PHASES if phase != "command")


def _options(rules: Sequence[Rule]) -> Iterator[Answers]:
    """Yield each answer of the bearer's player that picks an option, or a thing."""
    for rule in rules:
        for pick in (pick for when in rule.when for pick in when.pick):
            for option in pick.among or (_thing(pick),):
                yield [{"player": "p1", "rule": rule.clause, "choose": {pick.name: option}}]


def _thing(pick: Pick) -> str:
    """Return the thing that is picked: a marker, the bearer, a friend or an enemy."""
    if pick.of.startswith("objective"):
        return "marker"
    if "unit == bearer" in pick.of:
        return "own"
    return "friend" if FRIEND.search(pick.of) else "foe"


def _openings(
    wanted: Needs, options: Sequence[Answers], sheet: Datasheet, library: Library
) -> Iterator[Scenario]:
    """Yield situations that begin as the battle does."""
    for phases, gap in ((("scouts", "shooting"), NEAR), (("scouts", "fight"), ENGAGED)):
        for answers in options:
            table = Table(wanted, sheet, library, "p1", gap, TOUGH)
            yield table.scenario(phases, "players", 1, answers, number=1)
        for seed in range(1, 1 + RARE_SEEDS):
            yield Table(wanted, sheet, library, HORDE, gap, TOUGH).scenario(phases, HORDE, seed, number=1)


def _beginnings(
    wanted: Needs, options: Sequence[Answers], sheet: Datasheet, library: Library
) -> Iterator[Scenario]:
    """Yield situations in which the first round begins once the armies stand there."""
    for answers in (*options, []):
        table = Table(wanted, sheet, library, "p1", ENGAGED, TOUGH)
        yield table.scenario(("deployed", "shooting"), "players", 1, answers, number=1)


def _retreats(wanted: Needs, sheet: Datasheet, library: Library) -> Iterator[Scenario]:
    """Yield situations in which an enemy that the bearer engages falls back."""
    answers = [{"unit": "foe", "decision": RETREAT}]
    for seed in range(1, 1 + SEEDS):
        table = Table(wanted, sheet, library, HORDE, ENGAGED, TOUGH)
        yield table.scenario(("movement",), "players", seed, answers)


def _flights(
    wanted: Needs, options: Sequence[Answers], sheet: Datasheet, library: Library
) -> Iterator[Scenario]:
    """Yield situations in which the bearer flies over an enemy."""
    x, y = MIDDLE
    flight = {"unit": "own", "decision": "normal-move", "to": [(x, y + FLIGHT)]}
    for answers in (*options, []):
        table = Table(wanted, sheet, library, "p1", NEAR, TOUGH)
        yield table.scenario(("movement",), "players", 1, [flight, *answers])


def _stratagems(
    wanted: Needs, called: Sequence[Rule], sheet: Datasheet, library: Library
) -> Iterator[Scenario]:
    """Yield situations in which a Stratagem is used on the bearer, from reserves too."""
    for rule in called:
        answers = [{"player": "p1", "rule": rule.clause, "choose": {"unit": "own"}}]
        for waiting in ("", "own"):
            for phase in PHASES:
                for turn in (HORDE, "players"):
                    table = Table(wanted, sheet, library, "p1", NEAR, TOUGH, waiting=waiting)
                    yield table.scenario((phase,), turn, 1, answers)
        # A friend is charged, and no other Stratagem is used before.
        table = Table(wanted, sheet, library, "p1", NEAR, TOUGH, screened=True)
        yield table.scenario(("charge",), HORDE, 1, answers, players="decline")
