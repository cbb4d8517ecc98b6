"""What scripts that work through a long series share: processes, and the file of a run.

Owns the workers, which never outlive the process that started them, and one JSON line for each piece of work.
A run goes on from the lines that the file holds. What is done in a piece of work and what it shows is the
scripts' own business.
"""

from __future__ import annotations

import json
import os
import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import Any, Protocol, TypeVar

from rich.console import Console

Row = dict[str, Any]
J = TypeVar("J")


class Job(Protocol):
    """A piece of work."""

    @property
    def key(self) -> str:
        """Return the name under which it is found again."""
        ...


def workers_of(count: int) -> ProcessPoolExecutor:
    """Return this many processes, each of which starts afresh.

    No work sees what other work left behind.
    """
    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    return ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=_end_with_parent)


def _end_with_parent() -> None:
    """Have this process end when the one that started it does, be it killed."""
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    Thread(target=watch, daemon=True).start()


def row_of(job: J, about: Row, shown: Callable[[J], Row]) -> Row:
    """Return what a piece of work shows, beside what it is about and the seconds that it took.

    One that raises says so under "error": that is a finding of the script, and the others go on.
    """
    began = time.perf_counter()
    row = dict(about)
    try:
        row |= shown(job)
    except Exception:
        row["error"] = traceback.format_exc(limit=-4)
    return {**row, "seconds": round(time.perf_counter() - began, 2)}


def told(console: Console) -> Callable[[str, Row], None]:
    """Return what prints a line for each piece of work as it ends."""

    def tell(count: str, row: Row) -> None:
        console.print(f"{count}: {row['key']}, {row['seconds']} s", highlight=False)

    return tell


def with_faults(rows: Sequence[Row], faults: Sequence[str], console: Console) -> list[Row]:
    """Return the rows that hold something under one of these keys, after printing what it is."""
    bad = [row for row in rows if any(row.get(key) for key in faults)]
    for row in bad:
        for key in faults:
            if row.get(key):
                console.print(f"{row['key']}: {key}: {str(row[key])[:600]}", highlight=False, markup=False)
    return bad


def read(out: Path) -> dict[str, Row]:
    """Return the rows that a file already holds, by their keys.

    Work that raised or was cut short is not among them: it is to be done again.
    """
    rows = {}
    for line in out.read_text().splitlines() if out.exists() else []:
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            continue
        if "error" not in row:
            rows[row["key"]] = row
    return rows


def play_all(
    played: Callable[[Any], Row],
    wanted: Sequence[Job],
    workers: int,
    out: Path,
    tell: Callable[[str, Row], None],
) -> list[Row]:
    """Play what the file does not hold yet; return all rows wanted.

    The file gets a line as each battle ends, and `tell` gets the row, with how many of how many are done.
    """
    rows = read(out)
    left = [job for job in wanted if job.key not in rows]
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("a") as file, workers_of(workers) as pool:
        for done, future in enumerate(as_completed([pool.submit(played, job) for job in left]), start=1):
            row = future.result()
            rows[row["key"]] = row
            file.write(json.dumps(row) + "\n")
            file.flush()
            tell(f"{done} of {len(left)}", row)
    return [rows[job.key] for job in wanted]
