"""What lies at hand for the start menu: battles that are not over, replays, scenarios.

Owns where these are looked for, and what is said of a battle that is not over.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from datasheets.errors import HordeError
from datasheets.library import Library
from engine.core import event as ev
from engine.core.journal import is_in_use, is_journal, read_journal
from engine.core.log import AnswerLine
from engine.core.replay import read_lines
from viewer.commands.keeping import JOURNAL, SAVE
from viewer.menu.desk import LeftOver
from viewer.story.name import listed, phase_name

REPLAY = ".replay"
SCENARIOS = ("scenarios", "tests/scenarios")
"""The folders of scenarios below the present one."""
MOST = 400
"""The most files of a list."""


def folders() -> list[Path]:
    """Return the folders that are looked through: the present one, and the user's own."""
    # Seldom needed: only where a menu is opened.
    from platformdirs import user_data_path

    own = user_data_path("horde") / "saves"
    return [Path(), own] if own.is_dir() else [Path()]


def kept() -> list[Path]:
    """Return the saves and journals of battles that nobody plays just now, the newest first."""
    found = [path for path in _of((SAVE, JOURNAL)) if not _is_played(path)]
    return _newest(found)


def _is_played(path: Path) -> bool:
    """Return whether a running program writes a journal, or another file is called like one."""
    if path.suffix != JOURNAL:
        return False
    with suppress(OSError):
        return not is_journal(path) or is_in_use(path)
    return True


def replays() -> list[Path]:
    """Return the replays that are at hand, the newest first."""
    return _newest(_of((REPLAY,)))


def scenarios() -> list[Path]:
    """Return the scenarios that are at hand, in the order of their names."""
    found: list[Path] = []
    for folder in SCENARIOS:
        with suppress(OSError):
            found += sorted(Path(folder).rglob("*.toml"))
    return found[:MOST]


def _of(suffixes: tuple[str, ...]) -> list[Path]:
    found: list[Path] = []
    for folder in folders():
        with suppress(OSError):
            found += [path for path in folder.iterdir() if path.suffix in suffixes and path.is_file()]
    return found


def _newest(paths: Iterable[Path]) -> list[Path]:
    def age(path: Path) -> float:
        try:
            return -path.stat().st_mtime
        except OSError:
            return 0.0

    return sorted(paths, key=lambda path: (age(path), path.name))[:MOST]


def left_over_battle(path: Path, library: Library) -> LeftOver | None:
    """Return what is said of a battle that is not over; None where the file is no such battle."""
    try:
        if is_journal(path):
            header, lines = read_journal(path)
            answers = sum(isinstance(line, AnswerLine) for line in lines)
            words = f"{answers} answers"
            rounds = (0, 0)
        else:
            header, log, tail = read_lines(path)
            if "save" not in tail:
                return None
            last = next((line for line in reversed(log) if isinstance(line, ev.Event)), None)
            words, rounds = _moment(last, header)
        return LeftOver(path, _title(header, library), f"{words} · {_told(header, path)}", rounds)
    except (HordeError, KeyError, TypeError, ValueError, OSError):
        # What is wrong with a file is said where it is opened.
        return None


def _moment(last: ev.Event | None, header: dict[str, Any]) -> tuple[str, tuple[int, int]]:
    """Return where a battle stands, in words, and its round with the number of all."""
    of = header["setup"]["rounds"] or 0
    if last is None or not last.round:
        return "Set-up", (0, of)
    whose = {"horde": "the Horde's ", "players": "your "}.get(last.turn, "")
    number = f"Round {last.round} of {of}" if of else f"Round {last.round}"
    return f"{number} · {whose}{phase_name(last.phase).lower()}", (last.round, of)


def _title(header: dict[str, Any], library: Library) -> str:
    armies = [str(army["name"]) for army in header["setup"]["armies"]]
    hordes = [library.faction(each).name for each in header["setup"]["factions"]]
    return f"{listed(armies)} against {listed(hordes)}"


def _told(header: dict[str, Any], path: Path) -> str:
    return f"seed {header['seed']} · {_age(time.time() - path.stat().st_mtime)}"


def _age(seconds: float) -> str:
    """Return how long ago something was."""
    if seconds < 60:
        return "just now"
    for most, unit, word in ((3600, 60, "min"), (48 * 3600, 3600, "h")):
        if seconds < most:
            return f"{int(seconds // unit)} {word} ago"
    return f"{int(seconds // 86400)} days ago"
