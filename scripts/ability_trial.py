"""The trials of abilities: without any one clause of a record its battle goes otherwise.

A clause that changes a number, a permission or a gift is asked about wherever a battle asks for a decision,
with it and without it, in the same position. One that acts at a moment is played with and without: the
events part. A record survives if one of its clauses changes nothing in any of its situations.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from functools import cache
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

from ability_occasion import occasions
from ability_question import Answers, answers
from ability_situation import situations
from msgspec import structs
from rich.console import Console
from rich.table import Table

from ai.autopilot.autopilot import SteadyAgent
from ai.horde.horde_ai import HordeAgent
from datasheets.errors import BadData, HordeError
from datasheets.library import Library
from datasheets.rule import Clause, Rule
from datasheets.scenario import Scenario
from engine.core import event as ev
from engine.core.play import Agent
from engine.core.request import AnyAnswer, AnyRequest
from engine.records.compiled import Compiled
from engine.records.rulebook import Rulebook
from engine.scenario.run import Cast, play
from engine.scenario.stage import Builder
from engine.w40k.battle import Battle
from engine.w40k.view import View

KINDS = ("modify", "grant", "permit", "forbid", "when", "instead", "offer", "call")
ASKED = ("modify", "grant", "permit", "forbid")
"""The kinds of clauses that answer a question; the others act."""
STATE = "state"
READS = re.compile(r"mark(?:ed|_of)\(bearer, '([^']+)'\)")
WRITES = re.compile(r"mark\(bearer, '([^']+)'")
MOST_SITUATIONS = 400
"""The number of situations in which a record is tried at most."""
OPENING = (ev.Setup, ev.Placed, ev.Reserved, ev.Embarked)
"""Events that carry the records that a unit brings, which is no change by itself."""

Told = tuple[str, dict[str, Any]]
"""An event by its name, with its fields."""


@dataclass(frozen=True, slots=True, eq=False)
class Switched:
    """A clause of a record, by its kind and its place, and the record without it."""

    rule: Rule
    kind: str
    place: int

    @property
    def clause(self) -> Clause:
        """Return the clause that is left out."""
        found: Clause = getattr(self.rule, self.kind)[self.place]
        return found

    @property
    def without(self) -> Rule:
        """Return the record without the clause."""
        left = list(getattr(self.rule, self.kind))
        del left[self.place]
        others = sum(len(getattr(self.rule, kind)) for kind in KINDS) - 1
        changed: Rule = structs.replace(self.rule, **{self.kind: tuple(left)}, no_effect=not others)
        return changed

    def __str__(self) -> str:
        """Return what the clause is called."""
        return f"{self.kind}[{self.place}]"


@dataclass(frozen=True, slots=True)
class Trial:
    """The changes that a record's clauses make, each with its situation; none if it survives."""

    rule: str
    clause: str
    like: str
    found: dict[str, tuple[str, str]]
    """By the clause: what changed without it, and the situation in which it did."""
    reason: str = ""

    @property
    def survivors(self) -> tuple[str, ...]:
        """Return the clauses that changed nothing."""
        return tuple(name for name, (what, _) in self.found.items() if not what)


class Watching:
    """An agent that asks about clauses before it answers as another would."""

    def __init__(self, agent: Agent[View], watch: Watch) -> None:
        """Take the agent that answers, and what asks."""
        self.agent = agent
        self.watch = watch
        self.name = agent.name

    def answer(self, view: View, request: AnyRequest) -> AnyAnswer:
        """Return the other's answer."""
        self.watch.look()
        return self.agent.answer(view, request)


class Watch:
    """The clauses of a battle that are asked about, each with the rulebook that lacks it."""

    def __init__(self, battle: Battle, books: dict[Switched, Rulebook]) -> None:
        """Take the battle and, by clause, the rulebook without it."""
        self.battle = battle
        self.books = books
        self.found: dict[Switched, str] = {}

    def look(self) -> None:
        """Ask with and without each clause of which no change was seen yet."""
        for switched, book in self.books.items():
            if switched not in self.found:
                change = _changed(*self._both(switched.clause, book))
                if change:
                    self.found[switched] = change

    def _both(self, clause: Clause, book: Rulebook) -> tuple[Answers, Answers]:
        """Return the answers in this position with the clause, and without it."""
        battle, own = self.battle, self.battle.rulebook
        held = answers(battle, clause)
        known = battle.query.__dict__.pop("in_force", None)
        battle.rulebook = book
        try:
            lacking = answers(battle, clause)
        finally:
            battle.rulebook = own
            battle.query.__dict__.pop("in_force", None)
            if known is not None:
                battle.query.__dict__["in_force"] = known
        return held, lacking


def _changed(held: Answers, lacking: Answers) -> str:
    """Return the first answer that differs, from without to with the clause, and by how much."""
    for name, value in held.items():
        before = lacking.get(name, 0.0)
        if value != before:
            return f"{name}: {before:g} -> {value:g} ({value - before:+g})"
    return ""


class Trials:
    """The trials of the records of one library."""

    def __init__(self, library: Library, changed: Sequence[Rule] = ()) -> None:
        """Take the library, and records that stand in the place of its own with their ids."""
        self.library = library
        self.changed = {rule.id: rule for rule in changed}
        self.rules = tuple(self.changed.get(rule.id, rule) for rule in library.rules())

    def records(self, factions: Sequence[str] = (), clauses: str = "DATASHEET.*") -> list[Rule]:
        """Return the simulated records of abilities of some factions, or of all."""
        listed = (rule for rule in self.rules if fnmatch(rule.clause, clauses) and rule.has_clauses)
        return [rule for rule in listed if not factions or self._factions(rule) & {*factions}]

    def _factions(self, rule: Rule) -> set[str]:
        return {sheet.partition("/")[0] for each in self.together(rule) for sheet in each.datasheets}

    def together(self, rule: Rule) -> tuple[Rule, ...]:
        """Return a record with those that bestow it or write its marks, and those that it bestows."""
        others = [other for other in self.rules if other is not rule]
        named = [other for other in others if _bestows(other, rule) or _marks(other, rule)]
        given = [other for other in others if _bestows(rule, other)]
        return (rule, *named, *given)

    def tried(self, rule: Rule) -> Trial:
        """Return what came of a record."""
        switches = [Switched(rule, kind, i) for kind in KINDS for i in range(len(getattr(rule, kind)))]
        found: dict[str, tuple[str, str]] = {str(each): ("", "") for each in switches}
        faults: list[str] = []
        for scenario in islice(self._situations(rule), MOST_SITUATIONS):
            left = [each for each in switches if not found[str(each)][0]]
            if not left:
                break
            try:
                for each, change in self._played(scenario, left):
                    found[str(each)] = change, scenario.title
            except HordeError as fault:
                faults.append(str(fault))
        reason = "" if all(what for what, _ in found.values()) else "; ".join(dict.fromkeys(faults))
        return Trial(rule.id, rule.clause, rule.like, found, reason)

    def _situations(self, rule: Rule) -> Iterator[Scenario]:
        near = self.together(rule)
        for sheet in dict.fromkeys(sheet for each in near for sheet in each.datasheets):
            yield from occasions(near, self.library.datasheet(sheet), self.library)
            yield from situations(near, self.library.datasheet(sheet), self.library)

    def _played(self, scenario: Scenario, left: list[Switched]) -> Iterator[tuple[Switched, str]]:
        """Yield the clauses without which something changes in a situation, and what."""
        asked = {each: each.without for each in left if each.kind in ASKED}
        whole, watch = self._run(scenario, None, asked)
        yield from watch.found.items()
        for each in left:
            if each.kind not in ASKED:
                events, _ = self._run(scenario, each.without, {})
                parted = _parted(each.rule.clause, whole, events)
                if parted:
                    yield each, parted

    def _run(
        self, scenario: Scenario, without: Rule | None, asked: dict[Switched, Rule]
    ) -> tuple[list[ev.Event], Watch]:
        """Return the events of a situation, and what was asked in it."""
        builder = Builder(scenario, self.library, "a situation")
        for changed in self.changed.values():
            builder.rulebook = _with(builder.rulebook, changed, builder)
        own = builder.rulebook
        if without is not None:
            builder.rulebook = _with(own, without, builder)
        stage = builder.stage()
        watch = Watch(stage.game, {each: _with(own, rule, builder) for each, rule in asked.items()})
        cast = Cast(lambda: Watching(HordeAgent(), watch), lambda: Watching(SteadyAgent(), watch))
        outcome = play(stage, cast)
        if stage.game.pending is not None:
            # A battle that ends at a refused answer parts from another without any rule's doing.
            raise BadData(
                scenario.title,
                "answer",
                "; ".join(fault for each in outcome.refusals for fault in each.faults),
            )
        watch.look()
        return list(outcome.events), watch


def _with(book: Rulebook, changed: Rule, builder: Builder) -> Rulebook:
    """Return a rulebook in which one record is another."""
    other = Compiled(changed, builder.ruleset.language)
    rules = (other if rule.id == changed.id else book.compiled(rule.id) for rule in book.rules)
    return Rulebook(tuple(rules), book.factions)


def _bestows(rule: Rule, state: Rule) -> bool:
    """Return whether a record puts units under a state."""
    if STATE not in state.tags:
        return False
    verbs = [verb for when in rule.when for verb in (*when.do, *(v for row in when.table for v in row.do))]
    return any(f"'{state.id}'" in verb for verb in verbs)


def _marks(rule: Rule, reader: Rule) -> bool:
    """Return whether a record writes a mark that another one of its datasheet only reads."""
    if not {*rule.datasheets} & {*reader.datasheets}:
        return False
    read = {*READS.findall(repr(reader))} - {*WRITES.findall(repr(reader))}
    return not read.isdisjoint(WRITES.findall(repr(rule)))


def _parted(clause: str, held: Sequence[ev.Event], lacking: Sequence[ev.Event]) -> str:
    """Return what the battle with a clause has that the one without it has not.

    Nothing where all agree. What the record itself caused is counted, else the first difference counts.
    """
    one, other = _told(held), _told(lacking)
    if one == other:
        return ""
    caused = _caused(clause, one) - _caused(clause, other)
    if caused:
        return ", ".join(f"{name} +{count}" for name, count in caused.items())
    mine, theirs = next((a, b) for a, b in zip_longest(one, other) if a != b)
    return f"{_words(mine)}, without it {_words(theirs)}"


def _caused(clause: str, events: Sequence[Told]) -> Counter[str]:
    """Return how many events of each kind a record caused, and how much they came to."""
    found: Counter[str] = Counter()
    for name, fields in events:
        if fields.get("cause") == clause:
            key, amount = fields.get("key", ""), fields.get("amount", 0)
            found[f"{name} {key}".strip()] += 1
            found[f"{name} amount"] += amount if isinstance(amount, int) else 0
    return +found


def _told(events: Sequence[ev.Event]) -> list[Told]:
    """Return events as plain names and fields, without the opening and their places in the log."""
    kept = (each for each in events if not isinstance(each, OPENING) and not _counts_only(each))
    return [(type(each).__name__, structs.asdict(each) | {"n": 0}) for each in kept]


def _counts_only(event: ev.Event) -> bool:
    """Return whether an event only notes that a clause has had its one time, whatever it did."""
    return isinstance(event, ev.Marked) and event.key.startswith("once:")


def _words(event: Told | None) -> str:
    """Return an event in a few words."""
    if event is None:
        return "nothing"
    name, fields = event
    said = (f"{key} {value}" for key, value in fields.items() if isinstance(value, (str, int)) and value)
    return f"{name} ({', '.join(list(said)[:5])})"


def main(factions: Sequence[str], clauses: str, out: Path | None, workers: int) -> int:
    """Return the exit code of the trials of the records of some factions, or of all.

    `out` gets one JSON line for each as it comes.
    """
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text("", encoding="utf-8")
    names = [rule.id for rule in Trials(Library()).records(factions, clauses)]
    found: list[Trial] = []
    with ProcessPoolExecutor(workers) as pool:
        for trial in pool.map(_trial, names):
            found.append(trial)
            if out is not None:
                with out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({**asdict(trial), "survives": trial.survivors}) + "\n")
    return report(found)


@cache
def _trials() -> Trials:
    return Trials(Library())


def _trial(name: str) -> Trial:
    """Return what came of the record with an id, in a process of its own."""
    trials = _trials()
    return trials.tried(next(rule for rule in trials.rules if rule.id == name))


def report(trials: Sequence[Trial]) -> int:
    """Return 1 where a record survives, else 0, and print what came of the trials."""
    table = Table("record", "clause", "changed", "where")
    for trial in trials:
        for name, (what, where) in trial.found.items():
            table.add_row(trial.rule, name, what or f"SURVIVES {trial.reason}", where)
    console = Console()
    console.print(table)
    left = [trial.rule for trial in trials if trial.survivors]
    console.print(f"{len(trials) - len(left)} records noticed, {len(left)} survive.")
    if left:
        console.print(f"Survive: {', '.join(left)}")
    return 1 if left else 0
