"""`horde replay`: checking a replay, and summing it up."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from datasheets.errors import HordeError
from datasheets.library import Library
from engine.audit.referee.reading import Reading, read
from engine.core.format import played_elsewhere
from engine.core.log import LogLine
from engine.core.replay import Replay, read_replay, write_replay
from engine.core.verify import verify
from engine.systems import begin, rulebook_of
from engine.w40k.seat_log import SeatLog
from viewer.commands.battle_command import check_writable
from viewer.commands.keeping import log_of
from viewer.commands.options import horde_of
from viewer.story.live import entries
from viewer.story.report import lines, report, undone_lines
from viewer.story.transcript import transcript

EVERYTHING = "all"
"""Told in the place of a seat: with all that is hidden from anyone."""


def verify_file(file: Path, as_json: bool, referee: bool = False) -> None:
    """Play a replay again and say that it holds, after the referee's reading; a fault raises."""
    replay, library = read_replay(file), Library()
    reading = _refereed(file, replay, library, as_json) if referee else None
    done = verify(replay, library, begin)
    if as_json:
        told: dict[str, object] = {"verified": True, "answers": done.answers, "events": done.events}
        if reading is not None:
            told["referee"] = _as_dict(reading)
        sys.stdout.write(json.dumps(told) + "\n")
    else:
        sys.stdout.write(
            f"{file}: verified; {done.answers} answers lead to the same {done.events} events, "
            f"and the battle ends as it says.\n"
        )


def _refereed(file: Path, replay: Replay, library: Library, as_json: bool) -> Reading:
    """Return what the referee found, and tell it. Raises HordeError where it disagrees."""
    reading = read(replay.lines, *rulebook_of(replay.header, library), replay.header.get("rulings"))
    if not reading.disagreements:
        if not as_json:
            sys.stdout.write(f"{file}: the referee agrees; measured anew: {_measured(reading)}.\n")
        return reading
    if as_json:
        sys.stdout.write(json.dumps({"verified": False, "referee": _as_dict(reading)}) + "\n")
    else:
        sys.stdout.writelines(f"{each}\n" for each in reading.disagreements)
    count = len(reading.disagreements)
    times = "once" if count == 1 else f"{count} times"
    raise HordeError(f"{file}: the referee disagrees {times}; measured anew: {_measured(reading)}.")


def _measured(reading: Reading) -> str:
    return ", ".join(f"{count} {what}" for what, count in reading.checked.items())


def _as_dict(reading: Reading) -> dict[str, object]:
    found = [{**asdict(each), "line": str(each)} for each in reading.disagreements]
    return {"disagreements": found, "checked": reading.checked}


def tell(file: Path, as_json: bool) -> None:
    """Print what a replay holds."""
    replay = log_of(file, Library())
    found = report(replay.lines)
    header = {key: value for key, value in replay.header.items() if key != "setup"}
    setup = dict(replay.header["setup"])
    names = [army["name"] for army in setup.pop("armies")]
    if as_json:
        told = {**header, "setup": setup, "armies": names, "events": len(replay.events), **found.as_dict()}
        sys.stdout.write(json.dumps(told, indent=1) + "\n")
        return
    seed = "sealed" if header.get("sealed") else f"seed {header['seed']}"
    sys.stdout.write(
        f"{' and '.join(names)} against {horde_of(setup)}: {setup['points']} points, "
        f"{setup['deployment']}, {setup['layout']}, {header['ruleset']}, {seed}\n"
        f"{len(replay.events)} events, {len(replay.answers)} answers, {len(replay.reasons)} with reasons\n"
    )
    sys.stdout.write("\n".join([*lines(found), *undone_lines(header)]) + "\n")


def tell_all(file: Path, seat: str) -> None:
    """Print a replay line by line, as the window's log tells it, with all dice.

    It tells what the seat may know: of several players, without a seat, what everyone may. Rule: PLAY.9
    """
    replay = log_of(file, Library())
    alone = len(replay.header["setup"]["armies"]) == 1
    lines = replay.lines if seat == EVERYTHING else shown_to(replay, seat or ("p1" if alone else ""), file)
    shown = [*transcript(entries(lines)), *undone_lines(replay.header)]
    sys.stdout.writelines(f"{line}\n" for line in shown)


def export(file: Path, out: Path, seat: str, *, sealed: bool) -> None:
    """Write a replay once more; sealed, without its seed and what others may not know."""
    replay = read_replay(file)
    header, shown = replay.header, list(replay.lines)
    elsewhere = played_elsewhere(header)
    if elsewhere:
        raise HordeError(f"{file}: {elsewhere}.")
    if sealed:
        header = {**{key: value for key, value in header.items() if key != "seed"}, "sealed": True}
        shown = list(shown_to(replay, seat, file))
    elif seat:
        raise HordeError("A replay is written for one seat only if it is sealed; say --sealed.")
    if out.exists():
        raise HordeError(f"{out}: there is a file already; name another.")
    check_writable(out, "the replay")
    write_replay(out, header, shown)
    how = "a sealed replay: it can be watched, not verified" if sealed else "the replay"
    sys.stdout.write(f"{out}: {how}, {len(shown)} lines.\n")


def shown_to(replay: Replay, seat: str, file: Path) -> Sequence[LogLine]:
    """Return a replay's lines as a seat, or without one everyone, may read them. Rule: PLAY.9"""
    seats = [f"p{number}" for number in range(1, len(replay.header["setup"]["armies"]) + 1)]
    if seat and seat not in seats:
        raise HordeError(f"{file}: there is no seat '{seat}' in it; there is {', '.join(seats)}.")
    return SeatLog(*([seat] if seat else [])).of(replay.lines)
