"""`horde scenario explain` and `horde replay explain`: each decision, its clauses and what was passed over.

Tells what the answers themselves say; it works nothing out again.
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
from engine.apply import apply
from engine.game import Line
from engine.replay import read_replay
from engine.request import Because, Candidate
from engine.scenario.trial import try_scenario
from engine.state import State
from viewer.name import inches, plain, thing_name, unit_name
from viewer.reasoning import reason_sentence
from viewer.scenario_command import CAST
from viewer.source import Reason
from viewer.watch_command import entries


@dataclass(frozen=True, slots=True)
class Explained:
    """A decision: its answer's number, the moment, whose it is, and why it was taken."""

    n: int
    round: int
    phase: str
    seat: str
    unit: str
    decision: str
    because: tuple[Because, ...]


def explain_scenario(path: Path, as_json: bool) -> None:
    """Play a scenario and print why each decision was taken. Raises BadData."""
    report = try_scenario(load_scenario(path), Library(), str(path), CAST)
    _print(report.outcome.stage.game.lines, "", None, as_json, str(path))


def explain_replay(file: Path, unit: str, round_number: int | None, as_json: bool) -> None:
    """Print why decisions of a replay were taken: all, or those of a unit or a round. Raises HordeError."""
    _print(read_replay(file).lines, unit, round_number, as_json, str(file))


def _print(log: Sequence[Line], unit: str, round_number: int | None, as_json: bool, path: str) -> None:
    state, found = explained(log)
    units = dict.fromkeys(each.unit for each in found if each.unit)
    names = {unit_name(state, id_).lower(): id_ for id_ in units}
    wanted = names.get(unit.lower(), unit)
    if unit and wanted not in units:
        raise unknown(unit, units, "unit that decides anything")
    some = [e for e in found if wanted in ("", e.unit) and round_number in (None, e.round)]
    if not some and (unit or round_number is not None):
        when = ", ".join(str(n) for n in dict.fromkeys(e.round for e in found if wanted in ("", e.unit)))
        raise BadData(path, f"round {round_number}", f"nothing is decided in it; choose one of {when}")
    if as_json:
        sys.stdout.write(json.dumps([_plain(each) for each in some], indent=1) + "\n")
        return
    for each in some:
        sys.stdout.write("\n".join(lines(each, state)) + "\n")
    if not some:
        sys.stdout.write("Nothing is decided.\n")


def explained(log: Sequence[Line]) -> tuple[State, list[Explained]]:
    """Return the state at the end of a log, by which things are named, and the decisions with reasons."""
    state = State()
    found: list[Explained] = []
    for entry in entries(log):
        if isinstance(entry, Reason):
            moment = (state.round, state.phase, entry.seat, entry.unit, entry.decision)
            found.append(Explained(entry.n, *moment, entry.because))
        else:
            apply(state, entry)
    return state, found


def lines(each: Explained, state: State) -> Iterator[str]:
    """Yield a decision, its reasons in order, and under each its candidates with the first that failed."""
    who = unit_name(state, each.unit) if each.unit else each.seat
    named = f" ({each.unit})" if each.unit and each.unit != who else ""
    yield f"{each.n}. Round {each.round}, {plain(each.phase)}: {who}{named}, {plain(each.decision)}"
    for because in each.because:
        ruling = f" (ruling {because.ruling})" if because.ruling else ""
        yield f"   {because.clause}{ruling}: {reason_sentence(because, state, each.unit)}"
        for candidate in because.candidates:
            yield f"     {_candidate(candidate, because, state)}"


def _candidate(candidate: Candidate, because: Because, state: State) -> str:
    far = "" if candidate.distance is None else f", {inches(candidate.distance)}"
    chosen = "chosen" if candidate.id == because.target else "not rejected"
    return f"{thing_name(state, candidate.id)}{far}: {plain(candidate.failed) or chosen}"


def _plain(each: Explained) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(each)
    return told
