"""The build of the core: the choice of a compiler, requirements, failures."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import build_core
import pytest
from build_core import CYTHON, ZIG, build, requirements

from geometry.core import ENDING, RECORD, read_record, sources_digest

ROOT = Path(__file__).parent.parent
Program = Callable[..., Path]
SMALL = '''"""Made up."""

import cython


def twice(number: cython.double) -> cython.double:
    return number + number
'''


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """Return a function that writes shell scripts into a folder and returns the folder."""

    def write(*names: str, text: str = "exit 1") -> Path:
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        for name in names:
            (folder / name).write_text(f"#!/bin/sh\n{text}\n")
            (folder / name).chmod(0o755)
        return folder

    return write


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for what was compiled once, in any of these tests."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture
def core(tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a core of one small module, in a project of its own; HORDE_CC is not set."""
    folder = tmp_path / "project" / "geometry" / "core"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("")
    (folder / "__init__.py").write_text("")
    (folder / "small.py").write_text(SMALL)
    (folder / "small.pxd").write_text("cpdef double twice(double number) noexcept\n")
    monkeypatch.setattr(build_core, "ROOT", tmp_path / "project")
    monkeypatch.setattr(build_core, "CORE", folder)
    monkeypatch.setattr(build_core, "KEPT", kept)
    monkeypatch.delenv("HORDE_CC", raising=False)
    return folder


needs_compiler = pytest.mark.skipif(
    not build_core._on_path(build_core.NAMES, os.environ) or bool(build_core.reason_against({})),
    reason="there is no compiler on the PATH",
)


def is_to_be_had(monkeypatch: pytest.MonkeyPatch, answer: bool) -> None:
    monkeypatch.setattr(build_core, "_is_to_be_had", lambda package: answer)
    monkeypatch.setattr(build_core, "reason_against", lambda environ: "")


@pytest.mark.parametrize("name", ["cc", "gcc", "clang"])
def test_zig_is_not_asked_for_where_there_is_a_compiler(
    name: str, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_to_be_had(monkeypatch, True)
    assert requirements({"PATH": str(program(name))}) == [CYTHON]


def test_zig_is_asked_for_where_there_is_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    is_to_be_had(monkeypatch, True)
    assert requirements({"PATH": "/nonexistent"}) == [CYTHON, ZIG]
    assert requirements({}) == [CYTHON, ZIG]


def test_zig_that_is_not_to_be_had_is_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    is_to_be_had(monkeypatch, False)
    assert requirements({"PATH": "/nonexistent"}) == [CYTHON]


@pytest.mark.parametrize(("chosen", "asked"), [("cc", [CYTHON]), ("zig", [CYTHON, ZIG])])
def test_a_setting_forbids_zig_or_wants_it(
    chosen: str, asked: list[str], program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_to_be_had(monkeypatch, True)
    assert requirements({"PATH": "/nonexistent", "HORDE_CC": chosen}) == asked
    assert requirements({"PATH": str(program("cc")), "HORDE_CC": chosen}) == asked


def test_nothing_is_asked_for_where_nothing_is_to_be_compiled() -> None:
    assert requirements({"PATH": "/nonexistent", "HORDE_CC": "none"}) == []


def test_pip_finds_no_package_whose_name_cannot_be() -> None:
    assert build_core._is_to_be_had("-") is False


def test_the_core_is_compiled_by_the_cython_that_it_runs_with() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert CYTHON in project["project"]["dependencies"]
    assert project["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]["path"] == (
        "scripts/build_hook.py"
    )


@needs_compiler
def test_a_core_is_compiled_with_its_record(core: Path, tmp_path: Path) -> None:
    made = tmp_path / "made"
    record = build(made)
    assert not record.failure
    assert record.compiler
    assert record == read_record(made)
    assert record.sources == sources_digest(core)
    code = (
        f"import sys; sys.path.insert(0, {str(made)!r}); import small; print(small.twice(4), small.__file__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["8.0", str(made / f"small{ENDING}")]


@needs_compiler
def test_what_is_kept_is_not_compiled_again(
    core: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tmp_path / "made"
    build(made)
    first = (made / f"small{ENDING}").read_bytes()
    monkeypatch.setattr(build_core, "_succeed", lambda words: pytest.fail(f"{words} was run"))
    (made / f"small{ENDING}").unlink()
    assert not build(made).failure
    assert (made / f"small{ENDING}").read_bytes() == first


@needs_compiler
def test_a_module_that_is_gone_is_taken_out(core: Path, tmp_path: Path) -> None:
    made = tmp_path / "made"
    made.mkdir()
    (made / f"gone{ENDING}").write_bytes(b"")
    build(made)
    assert not (made / f"gone{ENDING}").exists()


@needs_compiler
def test_a_source_that_cython_refuses_is_named(core: Path, tmp_path: Path) -> None:
    (core / "small.py").write_text("def twice(number: cython.double) -> cython.double:\n    return (\n")
    record = build(tmp_path / "made")
    assert record.failure.startswith("Cython failed (")
    assert "small.py" in record.failure


@pytest.mark.parametrize("chosen", ["", "cc"])
def test_a_broken_compiler_is_named_and_nothing_is_left(
    chosen: str, core: Path, program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tmp_path / "made"
    made.mkdir()
    (made / f"small{ENDING}").write_bytes(b"of an earlier build")
    folder = program("cc", text="echo 'cc: fatal error: no room' >&2; exit 1")
    monkeypatch.setenv("HORDE_CC", chosen)
    monkeypatch.setenv("PATH", str(folder))
    record = build(made)
    assert record.failure == f"{folder / 'cc'} failed (cc: fatal error: no room)"
    assert [path.name for path in made.iterdir()] == [RECORD]


@needs_compiler
def test_the_next_compiler_is_taken_where_the_first_is_broken(
    core: Path, program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = build_core._on_path(build_core.NAMES, os.environ)[0]
    program("cc")
    folder = program("gcc", text=f'exec {found} "$@"')
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    assert not build(tmp_path / "made").failure


def test_a_compiler_whose_work_does_not_load_is_not_trusted(
    core: Path, program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = 'while [ "$1" != "-o" ]; do shift; done; echo junk > "$2"'
    monkeypatch.setenv("PATH", str(program("cc", text=text)))
    assert build(tmp_path / "made").failure.startswith("what was compiled does not load (")


@pytest.mark.parametrize(
    ("chosen", "told"),
    [("none", "it was installed with HORDE_CC=none"), ("no-such-cc", "there is no C compiler no-such-cc")],
)
def test_without_a_compiler_the_reason_is_recorded(
    chosen: str, told: str, core: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HORDE_CC", chosen)
    assert build(tmp_path / "made").failure == told
    found = read_record(tmp_path / "made")
    assert found is not None
    assert found.failure == told


def test_a_folder_that_cannot_be_written_is_a_reason_and_no_error(core: Path, tmp_path: Path) -> None:
    (tmp_path / "made").write_text("a file, not a folder")
    assert "could not be written" in build(tmp_path / "made").failure
