"""`horde scenario explain` and `horde replay explain`: decisions and their clauses.

Tells what the answers themselves say; of what a unit does not see it tells what hides it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from datasheets.errors import BadData, unknown
from datasheets.library import Library
from datasheets.scenario import load_scenario
from engine.core import event as ev
from engine.core.apply import apply
from engine.core.log import LogLine
from engine.core.request import Because
from engine.core.state import State
from engine.scenario.trial import try_scenario
from viewer.commands.cast import CAST
from viewer.commands.keeping import log_of
from viewer.story.account import account, nothing_known, option_name
from viewer.story.live import entries
from viewer.story.name import listed, plain, unit_meant, unit_name
from viewer.story.source import Reason
from viewer.story.vantage import Vantage
from viewer.story.why_not import candidates_of, concerns, never_asked, on_record, phase_of, thing_of, why_not


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which decisions are to be explained, and what is to be said of them."""

    unit: str = ""
    round: int | None = None
    why_not: str = ""
    """Not everything, but why they did not fall on this."""

    def fits(self, reason: Reason, state: State) -> bool:
        """Return whether it is one of the decisions."""
        return self.unit in ("", reason.unit) and self.round in (None, state.round)


def explain_scenario(path: Path, as_json: bool, instead: str = "") -> None:
    """Play a scenario and print the reasons of each decision. Raises HordeError."""
    outcome = try_scenario(load_scenario(path), Library(), str(path), CAST).outcome
    idle = [
        Reason(-1, made.seat, made.unit, made.name, made.because, made.passed)
        for made in outcome.decisions
        if made.unasked and made.because
    ]
    _print(outcome.stage.game.lines, Wanted(why_not=instead), as_json, str(path), idle)


def explain_replay(file: Path, unit: str, round_number: int | None, as_json: bool, instead: str = "") -> None:
    """Print the reasons of a replay's decisions, of a unit's or a round's. Raises HordeError."""
    _print(log_of(file, Library()).lines, Wanted(unit, round_number, instead), as_json, str(file))


def _print(
    log: Sequence[LogLine], wanted: Wanted, as_json: bool, path: str, idle: Sequence[Reason] = ()
) -> None:
    """Print the decisions of a log, and after them why those were idle whom nothing asked."""
    end, made = _decisions(log)
    wanted = _found(wanted, end, made, path)
    parts = _answered(log, wanted, end) if wanted.why_not else list(_told(log, wanted, end))
    if not wanted.why_not:
        parts += [(_facts(reason, end), _idle_lines(reason, end)) for reason in idle]
    if as_json:
        sys.stdout.write(json.dumps([each for each, _ in parts], indent=1) + "\n")
    else:
        text = "\n".join(line for _, lines in parts for line in lines)
        sys.stdout.write((text or "Nothing is decided.") + "\n")


def _decisions(log: Sequence[LogLine]) -> tuple[State, list[tuple[int, Reason]]]:
    """Return the state at the end of a log, and the decisions, each with its round.

    That state gives the names of units and other things.
    """
    state, made = State(), []
    for entry in entries(log):
        if isinstance(entry, Reason):
            made.append((state.round, entry))
        else:
            apply(state, entry)
    return state, made


def _found(wanted: Wanted, end: State, made: list[tuple[int, Reason]], path: str) -> Wanted:
    """Return what is wanted with ids for names. Raises HordeError where nothing of it is there."""
    units = dict.fromkeys(reason.unit for _, reason in made if reason.unit)
    unit = unit_meant(end, units, wanted.unit)
    if unit and unit not in units:
        raise unknown(unit, units, "unit that decides anything")
    rounds = dict.fromkeys(number for number, reason in made if unit in ("", reason.unit))
    if wanted.round is not None and wanted.round not in rounds:
        when = ", ".join(map(str, rounds))
        raise BadData(path, f"round {wanted.round}", f"nothing is decided in it; choose one of {when}")
    options = candidates_of(b for _, reason in made for b in (*reason.because, *reason.passed))
    thing = thing_of(end, wanted.why_not, options) if wanted.why_not else ""
    return Wanted(unit, wanted.round, thing)


def _told(log: Sequence[LogLine], wanted: Wanted, end: State) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Yield each decision that is wanted, as plain data and in lines."""
    state = State()
    before: Reason | None = None
    for entry in entries(log):
        if not isinstance(entry, Reason):
            apply(state, entry)
        elif wanted.fits(entry, state):
            yield _facts(entry, state), _lines(entry, before, state, end)
            before = entry


def _answered(log: Sequence[LogLine], wanted: Wanted, end: State) -> list[tuple[dict[str, Any], list[str]]]:
    """Return why the decisions did not fall on a thing.

    Decisions whose record names the thing come alone. Failing those, the decisions of its kind; failing
    those, why none of its kind was made; else all decisions.
    """
    state = State()
    found: list[tuple[int, tuple[dict[str, Any], list[str]]]] = []
    for entry in entries(log):
        if not isinstance(entry, Reason):
            apply(state, entry)
            if isinstance(entry, ev.PhaseBegan):
                found += [(2, told) for told in _unasked(wanted, state)]
        elif wanted.fits(entry, state) and entry.decision != "path" and _is_own(entry, state):
            answer = why_not(entry, wanted.why_not, state)
            lines = [_heading(entry, state, end), *(f"   {line}" for line in answer)]
            facts = {**_facts(entry, state), "why_not": wanted.why_not, "answer": answer}
            kin = concerns(entry, wanted.why_not, state)
            rank = 0 if on_record(entry, wanted.why_not, state) else 1 if kin else 3
            found.append((rank, (facts, lines)))
    best = min((rank for rank, _ in found), default=0)
    return [told for rank, told in found if rank == best]


def _unasked(wanted: Wanted, state: State) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Yield why the unit is not asked about an option in a phase of its turn that begins."""
    unit = state.position.units.get(wanted.unit)
    if unit is None or unit.side != state.turn or wanted.round not in (None, state.round):
        return
    if unit.where != "destroyed" and phase_of(wanted.why_not) == state.phase:
        told = never_asked(unit, wanted.why_not, state)
        facts = {"unit": unit.id, "round": state.round, "phase": state.phase}
        head = f"Round {state.round}, {plain(state.phase)}: {unit_name(state, unit.id)}"
        yield {**facts, "why_not": wanted.why_not, "answer": [told]}, [head, f"   {told}"]


def _is_own(reason: Reason, state: State) -> bool:
    """Return whether its unit's owner decides: others may decide about it, too."""
    unit = state.position.units.get(reason.unit)
    return unit is None or unit.player == reason.seat


def _facts(reason: Reason, state: State) -> dict[str, Any]:
    plain_reason: dict[str, Any] = msgspec.to_builtins(reason)
    return {**plain_reason, "round": state.round, "phase": state.phase}


def _heading(reason: Reason, state: State, end: State) -> str:
    who = unit_name(end, reason.unit) if reason.unit else reason.seat
    named = f" ({reason.unit})" if reason.unit and reason.unit != who else ""
    took = "" if reason.decision == "next-unit" else listed([option_name(end, id_) for id_ in reason.chosen])
    what = f"{plain(reason.decision)}: {took}" if took else plain(reason.decision)
    return f"{reason.n}. Round {state.round}, {plain(state.phase)}: {who}{named}, {what}"


def _lines(reason: Reason, before: Reason | None, state: State, end: State) -> list[str]:
    """Return a decision, its reasons in order, and under each its candidates."""
    because, passed = _fresh(reason, before)
    unit = state.position.units.get(reason.unit)
    hidden = Vantage(state, unit).hidden_by if unit is not None else nothing_known
    told = [f"   {line}" for line in account(because, passed, end, reason.unit, hidden)]
    return [_heading(reason, state, end), *(told or ["   As it decided just before."])]


def _idle_lines(reason: Reason, end: State) -> list[str]:
    _, *told = _lines(reason, None, end, end)
    return [f"Never asked: {unit_name(end, reason.unit)}, {plain(reason.decision)}", *told]


def _fresh(reason: Reason, before: Reason | None) -> tuple[tuple[Because, ...], tuple[Because, ...]]:
    """Return the reasons of a path without those that the unit gave for going at all."""
    if reason.decision != "path" or before is None or before.unit != reason.unit:
        return reason.because, reason.passed
    known = {*before.because, *before.passed}
    return tuple(b for b in reason.because if b not in known), ()
