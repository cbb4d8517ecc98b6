"""A scenario tried as a whole: played and judged, over seeds, and again on a moved board."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from datasheets.errors import BadData, HordeError
from datasheets.library import Library
from datasheets.scenario import Expect, Scenario
from engine.scenario.frame import Transform
from engine.scenario.judge import ExpectationVerdict, judge, said, verdict
from engine.scenario.run import Cast, Outcome, play
from engine.scenario.stage import Builder

SAME = 0.01
"""Measures on a moved board may differ by this, in inches."""


@dataclass(frozen=True, slots=True)
class Report:
    """What came of trying a scenario: a verdict for each expectation, and all other faults."""

    path: str
    title: str
    rules: tuple[str, ...]
    verdicts: tuple[ExpectationVerdict, ...]
    faults: tuple[str, ...]
    notes: tuple[str, ...]
    transforms: tuple[Transform, ...]
    outcome: Outcome

    @property
    def holds(self) -> bool:
        """Return whether everything is as expected."""
        return not self.faults and all(each.holds for each in self.verdicts)


def try_scenario(
    scenario: Scenario, library: Library, path: str, cast: Cast, transforms: Sequence[Transform] = ()
) -> Report:
    """Return what comes of a scenario, plain and then on the board moved in each of these ways.

    Raises BadData where the file is bad.
    """
    try:
        return _tried(Builder(scenario, library, path), cast, transforms)
    except BadData as error:
        if error.path == path:
            raise
        raise BadData(path, "", str(error)) from None
    except HordeError as error:
        raise BadData(path, "", str(error)) from None


def _tried(builder: Builder, cast: Cast, transforms: Sequence[Transform]) -> Report:
    scenario = builder.scenario
    outcome = play(builder.stage(), cast)
    verdicts = (*judge(outcome), *_over_seeds(builder, scenario, cast))
    faults = [*outcome.faults, *_unexpected(outcome)]
    for transform in transforms:
        faults += [f"{transform}: {fault}" for fault in _moved(builder, outcome, cast, transform)]
    return Report(
        path=builder.path,
        title=scenario.title,
        rules=scenario.rules,
        verdicts=tuple(sorted(verdicts, key=lambda each: each.place)),
        faults=tuple(faults),
        notes=outcome.notes,
        transforms=tuple(transforms),
        outcome=outcome,
    )


def _unexpected(outcome: Outcome) -> Iterator[str]:
    """Name each refusal of an answer in a file that expects none."""
    if any(expect.illegal is not None for expect in outcome.stage.scenario.expect):
        return
    for refused in outcome.refusals:
        yield f"The scripted answer of {refused.who} was refused: {'; '.join(refused.faults)}."


# over seeds


def _over_seeds(builder: Builder, scenario: Scenario, cast: Cast) -> list[ExpectationVerdict]:
    """Return the verdicts on what must hold so and so often, all counted over the same runs."""
    asked = [(i, each) for i, each in enumerate(scenario.expect) if each.over is not None]
    counts = {i: 0 for i, _ in asked}
    for number in range(max((each.over.seeds for _, each in asked if each.over), default=0)):
        outcome = play(builder.stage(seed=scenario.seed + number), cast)
        for i, each in asked:
            if each.over and number < each.over.seeds:
                counts[i] += verdict(outcome, i, each).holds
    return [_counted(i, each, counts[i]) for i, each in asked]


def _counted(place: int, expect: Expect, count: int) -> ExpectationVerdict:
    assert expect.over is not None
    low, high = expect.over.between
    holds = low <= count <= high
    return ExpectationVerdict(
        place, said(expect), holds, "" if holds else f"{count} of {expect.over.seeds} seeds"
    )


# on a moved board


def _moved(builder: Builder, plain: Outcome, cast: Cast, transform: Transform) -> Iterator[str]:
    """Name everything that comes out otherwise on the moved board. Rule: S.INV."""
    moved = play(builder.stage(transform), cast)
    for before, after in zip(judge(plain), judge(moved), strict=True):
        close = len(before.measures) == len(after.measures) and all(
            a == b or math.fabs(a - b) <= SAME for a, b in zip(before.measures, after.measures, strict=True)
        )
        if not close:
            yield f"'{before.says}' measures {_listed(after.measures)}, not {_listed(before.measures)}."
        elif before.holds != after.holds and not before.measures:
            found = after.found or before.found
            yield f"'{before.says}' comes out otherwise: {found}."
    yield from _decided(plain, moved)
    if plain.refusals != moved.refusals and [r.clauses for r in plain.refusals] != [
        r.clauses for r in moved.refusals
    ]:
        yield "other answers are refused, or for other clauses."
    for fault in moved.faults:
        if fault not in plain.faults:
            yield fault


def _decided(plain: Outcome, moved: Outcome) -> Iterator[str]:
    before = [(d.name, d.unit, d.toward, d.clauses) for d in plain.decisions]
    after = [(d.name, d.unit, d.toward, d.clauses) for d in moved.decisions]
    for was, now in zip(before, after, strict=False):
        if was != now:
            yield f"{was[1]} decides {_words(now)}, not {_words(was)}."
            return
    if len(before) != len(after):
        yield f"{len(after)} decisions are made, not {len(before)}."


def _words(made: tuple[str, str, tuple[str, ...], tuple[str, ...]]) -> str:
    name, unit, toward, clauses = made
    aim = f" toward {', '.join(toward)}" if toward else ""
    return f"{unit} {name}{aim} ({', '.join(clauses)})"


def _listed(numbers: Sequence[float]) -> str:
    return ", ".join(f"{number:.4f}" for number in numbers)
