"""The rarer battles in which an ability is tried: options to pick, Stratagems, flights.

Owns what the bearer's player answers in them. Who stands where is `ability_situation`'s.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ability_situation import ENGAGED, MIDDLE, NEAR, PHASES, RARE_SEEDS, TOUGH, Needs, Table, needs, texts
from msgspec import to_builtins

from datasheets.library import Library
from datasheets.rule import Rule
from datasheets.scenario import Scenario
from datasheets.schema import Datasheet
from engine.core.facts import HORDE

STRATAGEM = re.compile(r"'(stratagem/[a-z-]+)'")
OPENING = "step == 'start-of-round.scouts'"
OVER = "moved_over("
FLIGHT = 20
"""The inches of a flight, over an enemy that stands near; AIRCRAFT fly no fewer."""
Answers = list[dict[str, Any]]


def occasions(rules: Sequence[Rule], sheet: Datasheet, library: Library) -> Iterator[Scenario]:
    """Yield the rarer situations for records of a datasheet that go together."""
    wanted = needs(rules, library)
    text = "\n".join(texts([to_builtins(rule) for rule in rules]))
    options = list(_options(rules))
    if OPENING in text:
        yield from _openings(wanted, options, sheet, library)
    if OVER in text:
        yield from _flights(wanted, options, sheet, library)
    called = [rule for rule in library.rules() if rule.id in STRATAGEM.findall(text)]
    yield from _stratagems(wanted, called, sheet, library)
    for answers in options:
        for phase in wanted.phases:
            for turn in ("players", HORDE):
                table = Table(wanted, sheet, library, "p1", ENGAGED if phase == "fight" else NEAR, TOUGH)
                yield table.scenario((phase,), turn, 1, answers)


def _options(rules: Sequence[Rule]) -> Iterator[Answers]:
    """Yield the answer of the bearer's player that picks an option, for each that a record names."""
    for rule in rules:
        for pick in (pick for when in rule.when for pick in when.pick):
            yield from (
                [{"player": "p1", "rule": rule.clause, "choose": {pick.name: option}}]
                for option in pick.among
            )


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
    """Yield situations in which one of these Stratagems is used on the bearer, from reserves too."""
    for rule in called:
        answers = [{"player": "p1", "rule": rule.clause, "choose": {"unit": "own"}}]
        for waiting in ("", "own"):
            for phase in PHASES:
                for turn in (HORDE, "players"):
                    table = Table(wanted, sheet, library, "p1", NEAR, TOUGH, waiting=waiting)
                    yield table.scenario((phase,), turn, 1, answers)
