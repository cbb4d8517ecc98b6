"""Switches clauses off, one at a time, and tells for which of them no pinning test fails.

    python scripts/switch_off.py --clauses "CORE.TRN.*" --workers 2 --out out/switches.jsonl

How each clause is switched off, and each ruling (R.*), stands in `tests/switches`: an expression of a
function that is replaced by another, or a value of a data file. It is replaced in a copy of the project in
which the tests that pin the clause are run. A clause survives if they all pass, or if nothing says how it
is switched off. `--out` gets one JSON line a switch, and a switch whose module and tests have not changed
since is not tried again. Exit 1 if a clause survives, 2 if a switch does not fit the project. `--list-
unfit` tries none and prints all that do not fit.

    python scripts/switch_off.py --abilities --factions death-guard,tyranids

`--abilities` switches the clauses of the records of datasheets off instead, each in battles made for it, and
tells what changes without it: `ability_trial` says how.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from pathlib import Path
from queue import SimpleQueue
from typing import Annotated, Any

import ability_trial
import typer
from rich.console import Console
from rich.table import Table
from switch import Switch, judged, switches
from switch_hint import PACKAGES, ROOT
from switch_play import DATA, first_noticing

from datasheets.errors import BadData
from datasheets.library import Library
from viewer.commands.pin import pins

COPIED = (*PACKAGES, "scripts", "tests", "pyproject.toml")
CORE = "CORE.*"
LONGEST = 600
"""How many seconds the tests of a switch may take.

Where they take longer, the switch made something hang: it is found.
"""
FAILED, PASSED = 1, 0


def key_of(switch: Switch, pinned: Sequence[str]) -> str:
    """Return a hash of the clause, the change, and the present text of the module and the tests."""
    files = [ROOT / switch.file, *sorted({ROOT / "tests" / each.partition("::")[0] for each in pinned})]
    text = [path.read_text(encoding="utf-8") for path in files]
    return hashlib.sha256("\0".join((repr(switch), *text)).encode()).hexdigest()[:16]


def runnable(pinned: Sequence[str]) -> list[str]:
    """Return what pytest is asked for: the tests, scenarios and tables that pin a clause.

    Scenarios come first: they are short, and the first failure is enough.
    """
    return [_asked(each) for each in sorted(pinned, key=lambda each: not each.startswith("scenarios"))]


def _asked(pin: str) -> str:
    if not pin.endswith(".toml"):
        return f"tests/{pin}"
    path = Path("tests") / pin
    if path.parts[1] == "scenarios":
        return f"tests/test_scenarios.py::test_a_scenario_holds_wherever_its_board_lies[{path.stem}]"
    if path.parts[1] == "golden":
        return "tests/golden/test_golden.py"
    return f"{path.parent.as_posix()}/test_{path.stem}.py"


def copied(folder: Path) -> Path:
    """Return a copy of the project in a folder."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, folder / name)
    return folder


def tried(switch: Switch, pinned: Sequence[str], copy: Path) -> dict[str, Any]:
    """Return what came of a switch: whether one of its tests failed, and which.

    Where data change, scenarios are played in this process first.
    """
    tests = runnable(pinned)
    scenarios = [each for each in pinned if each.startswith("scenarios")]
    module = copy / switch.file
    whole = module.read_text(encoding="utf-8")
    module.write_text(switch.changed(whole), encoding="utf-8")
    try:
        played = first_noticing(copy, scenarios) if _is_read(switch) else ""
        code, told = (FAILED, f"FAILED {played}") if played else _run(tests, copy)
    finally:
        module.write_text(whole, encoding="utf-8")
    failed = [line.split()[1] for line in told.splitlines() if line.startswith(("FAILED", "ERROR"))]
    outcome = {FAILED: "noticed", PASSED: "survives"}.get(code, f"not run ({code})")
    change = switch.key or f"{switch.at} {switch.expr}"
    return {
        "clause": switch.clause,
        "change": change,
        "outcome": outcome,
        "by": failed[:3],
        "tests": len(tests),
    }


def _is_read(switch: Switch) -> bool:
    """Return whether the file that changes is one that a library of other folders reads."""
    return switch.file.startswith(DATA)


def _run(tests: list[str], copy: Path) -> tuple[int, str]:
    # Modules are run from text: a changed one may be as old and as long as what is compiled of it.
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    environment["HORDE_ALL_SCENARIOS"] = "1"
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-n", "0", *tests]
    try:
        done = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, text=True, timeout=LONGEST, check=False
        )
    except subprocess.TimeoutExpired:
        return FAILED, "FAILED (too long)"
    return done.returncode, done.stdout


def known(path: Path | None) -> dict[str, dict[str, Any]]:
    """Return what earlier runs found, by key."""
    if path is None or not path.exists():
        return {}
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return {row["key"]: row for row in rows}


def outcomes(todo: list[Switch], found: dict[str, tuple[str, ...]], workers: int) -> Iterator[dict[str, Any]]:
    """Yield what comes of each switch, each worker with a copy of its own."""
    copies: SimpleQueue[Path] = SimpleQueue()

    def one(switch: Switch) -> dict[str, Any]:
        copy = copies.get()
        try:
            pinned = found[switch.clause]
            return {"key": key_of(switch, pinned), **tried(switch, pinned, copy)}
        finally:
            copies.put(copy)

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(workers) as pool:
        for i in range(workers):
            copies.put(copied(Path(folder) / str(i)))
        yield from pool.map(one, todo)


def main(
    clauses: Annotated[str, typer.Option(help="Which clauses or rulings: a pattern.")] = CORE,
    workers: Annotated[int, typer.Option(min=1, help="How many at a time.")] = 1,
    out: Annotated[Path | None, typer.Option(help="Where outcomes are kept.")] = None,
    folder: Annotated[Path, typer.Option(help="Where the switches stand.")] = ROOT / "tests" / "switches",
    list_unfit: Annotated[bool, typer.Option("--list-unfit", help="Only list misfits.")] = False,
    abilities: Annotated[bool, typer.Option("--abilities", help="Try abilities in battles.")] = False,
    factions: Annotated[str, typer.Option(help="Of which factions, with commas between; all.")] = "",
) -> None:
    """Tell which clauses may be left out without a test failing."""
    if abilities:
        asked = "DATASHEET.*" if clauses == CORE else clauses
        sys.exit(ability_trial.main([each for each in factions.split(",") if each], asked, out, workers))
    if list_unfit:
        sys.exit(_list_unfit(folder))
    lines = {line.id: line for line in Library().checklist() if fnmatch(line.id, clauses)}
    found = pins(ROOT / "tests")
    try:
        listed = [switch for switch in switches(folder) if fnmatch(switch.clause, clauses)]
    except BadData as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(2)
    listed = [switch for switch in listed if switch.clause in found]
    done = known(out)
    keys = [key_of(switch, found[switch.clause]) for switch in listed]
    rows = [done[key] for key in keys if key in done]
    todo = [switch for switch, key in zip(listed, keys, strict=True) if key not in done]
    for row in outcomes(todo, found, workers):
        rows.append(row)
        if out is not None:
            out.parent.mkdir(parents=True, exist_ok=True)
            with out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
    sys.exit(_report(rows, [line.id for line in lines.values() if not line.unmodelled]))


def _list_unfit(folder: Path) -> int:
    """Print every switch that does not fit the project, and return the exit code."""
    found = list(judged(folder))
    unfit = [each for each in found if not isinstance(each, Switch)]
    for error in unfit:
        sys.stderr.write(f"{error}\n")
    print(f"{len(found) - len(unfit)} switches fit, {len(unfit)} do not.")
    return 2 if unfit else 0


def _report(rows: list[dict[str, Any]], modelled: list[str]) -> int:
    table = Table("clause", "outcome", "noticed by")
    for row in sorted(rows, key=lambda row: str(row["clause"])):
        table.add_row(row["clause"], row["outcome"], ", ".join(row["by"]))
    console = Console()
    console.print(table)
    for row in rows:
        if row["outcome"] != "noticed":
            console.print(f"{row['outcome']}: {row['clause']}, {row['change']}")
    noticed = {row["clause"] for row in rows if row["outcome"] == "noticed"}
    survivors = sorted({row["clause"] for row in rows if row["outcome"] != "noticed"})
    missing = [clause for clause in modelled if clause not in {row["clause"] for row in rows}]
    told = f"{len(noticed - set(survivors))} clauses noticed, {len(survivors)} survive"
    console.print(f"{told}, {len(missing)} without a switch.")
    for name, some in (("Survive", survivors), ("Without a switch or a test", missing)):
        if some:
            console.print(f"{name}: {', '.join(some)}")
    return 1 if survivors or missing else 0


if __name__ == "__main__":
    typer.run(main)
