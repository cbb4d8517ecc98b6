"""Which of the two runs: compiled modules, or the sources."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from geometry.core import FOLDER, HERE, RECORD, Record, choose, sources_digest

MADE_UP = "cc 12.2.0"
TELL = "import geometry.core.numeric as n, geometry.core as c; print(n.__file__); print(c.RUN.sentence)"


@pytest.fixture
def core(tmp_path: Path) -> Path:
    """Return a core of one source without compiled modules."""
    (tmp_path / "arc.py").write_text("length = 1.0\n")
    (tmp_path / "arc.pxd").write_text("cdef double length\n")
    return tmp_path


def recorded(core: Path, failure: str = "") -> None:
    """Write what a build would record of the sources as they stand."""
    (core / FOLDER).mkdir(parents=True, exist_ok=True)
    record = Record(sources_digest(core), "" if failure else MADE_UP, failure)
    (core / FOLDER / RECORD).write_text(json.dumps(record._asdict()))


def test_what_was_made_of_the_sources_is_taken(core: Path) -> None:
    recorded(core)
    run = choose(core, is_plain=False)
    assert run.folder == core / FOLDER
    assert run.sentence == "The core is compiled, by cc 12.2.0."
    assert not run.is_stale


def test_the_sources_are_taken_where_they_are_asked_for(core: Path) -> None:
    recorded(core)
    run = choose(core, is_plain=True)
    assert (run.folder, run.is_stale) == (None, False)
    assert "because HORDE_CORE_PLAIN asks for it" in run.sentence


@pytest.mark.parametrize("name", ["arc.py", "arc.pxd"])
def test_what_was_made_of_other_sources_is_not_taken(core: Path, name: str) -> None:
    recorded(core)
    (core / name).write_text((core / name).read_text().replace("length", "radius"))
    run = choose(core, is_plain=False)
    assert (run.folder, run.is_stale) == (None, True)
    assert "`python scripts/build_core.py` compiles it again" in run.sentence


def test_a_source_that_is_new_makes_what_was_compiled_out_of_date(core: Path) -> None:
    recorded(core)
    (core / "line.py").write_text("")
    assert choose(core, is_plain=False).is_stale


def test_the_package_s_own_file_is_not_compiled_and_makes_nothing_out_of_date(core: Path) -> None:
    recorded(core)
    (core / "__init__.py").write_text("")
    assert choose(core, is_plain=False).folder


def test_the_reason_of_a_build_that_failed_is_told(core: Path) -> None:
    recorded(core, failure="there is no C compiler")
    run = choose(core, is_plain=False)
    assert (run.folder, run.is_stale) == (None, False)
    assert run.sentence.startswith("The core runs uncompiled, because there is no C compiler. ")


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"sources": "", "compiler": "", "failure": "", "x": 1}'])
def test_a_record_that_cannot_be_read_counts_as_none(core: Path, text: str) -> None:
    recorded(core)
    (core / FOLDER / RECORD).write_text(text)
    run = choose(core, is_plain=False)
    assert (run.folder, run.is_stale) == (None, False)
    assert "because it was not compiled for this Python" in run.sentence


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """Return a folder with a copy of this package, as it was compiled; skip where it was not."""
    if not (HERE / FOLDER / f"{RECORD}").exists() or choose(HERE, is_plain=False).folder is None:
        pytest.skip("the core is not compiled here")
    shutil.copytree(HERE.parent, tmp_path / "geometry")
    return tmp_path


def told(folder: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """Return what a process tells that imports the core from a folder."""
    clean = {name: value for name, value in os.environ.items() if name != "HORDE_CORE_PLAIN"}
    environ = {**clean, "PYTHONPATH": str(folder), **environ}
    return subprocess.run(
        [sys.executable, "-c", TELL], cwd=folder, env=environ, capture_output=True, text=True, check=True
    )


def test_an_import_takes_the_compiled_modules(copied: Path) -> None:
    done = told(copied)
    assert done.stdout.startswith(str(copied / "geometry" / "core" / FOLDER))
    assert "The core is compiled, by " in done.stdout
    assert done.stderr == ""


def test_an_import_takes_the_sources_where_they_are_asked_for(copied: Path) -> None:
    done = told(copied, HORDE_CORE_PLAIN="1")
    assert done.stdout.startswith(str(copied / "geometry" / "core" / "numeric.py"))
    assert done.stderr == ""


def test_an_import_takes_sources_that_were_changed_and_warns_once(copied: Path) -> None:
    with (copied / "geometry" / "core" / "numeric.py").open("a") as file:
        file.write("# changed\n")
    done = told(copied)
    assert done.stdout.startswith(str(copied / "geometry" / "core" / "numeric.py"))
    assert done.stderr.count("its sources were changed after it was compiled") == 1
