"""Commands as a person runs them: in this process, or in one of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

HORDE = (sys.executable, "-c", "from viewer.cli import main; main()")


class Done(NamedTuple):
    """What a command left: its exit code and what it printed."""

    code: int
    out: str
    err: str


Horde = Callable[..., Done]


def check_refused(done: Done, *told: str) -> None:
    """Check that a command said one sentence on stderr that tells these things, and stopped."""
    assert done.code == 2
    assert done.out == ""
    assert len(done.err.strip().splitlines()) == 1, done.err
    assert done.err.strip().endswith((".", "?"))
    assert "Traceback" not in done.err
    for text in told:
        assert text in done.err


def changed(replay: Path, folder: Path, change: Callable[[list[str]], list[str]]) -> Path:
    """Return a copy of a replay with its lines changed."""
    path = folder / "changed.replay"
    path.write_text("".join(line + "\n" for line in change(replay.read_text().splitlines())))
    return path


def alone(
    words: Sequence[str | Path],
    typed: str = "",
    *,
    before: str = "",
    folder: Path | None = None,
    without: Sequence[str] = (),
    more: Mapping[str, str] | None = None,
    wrapped: Sequence[str] = (),
    prepare: Callable[[], None] | None = None,
) -> Done:
    """Run a command in a process of its own, after a line of Python or within another command.

    `without` are the variables that its environment lacks, `more` those that it has.
    """
    environ = {key: value for key, value in os.environ.items() if key not in without}
    start = f"{before}; {HORDE[2]}" if before else HORDE[2]
    done = subprocess.run(
        [*wrapped, sys.executable, "-c", start, *map(str, words)],
        input=typed,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=300,
        cwd=folder,
        env=environ | dict(more or {}),
        preexec_fn=prepare,
    )
    return Done(done.returncode, done.stdout, done.stderr)
