"""The lowest versions that are declared: each dependency has one, and a script prints them."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from lowest import declared, lowest, main

PROJECT = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["project"]

WORKING = {"typer": (0, 12, 4), "pydantic": (2, 9)}
"""Below these versions the program does not run."""


@pytest.mark.parametrize(
    ("text", "pin"),
    [
        ("numpy>=2.0,<3", ("numpy", "2.0")),
        ("pygame-ce >=2.5,<3 ; python_version < '4'", ("pygame-ce", "2.5")),
        ("pyvisgraph==0.2.1", ("pyvisgraph", "0.2.1")),
        ("typer[all]<1,>=0.15.4", ("typer", "0.15.4")),
        ("rich<16", ("rich", "")),
        ("tqdm", ("tqdm", "")),
    ],
)
def test_the_lowest_version_of_a_declaration(text: str, pin: tuple[str, str]) -> None:
    assert list(lowest([text])) == [pin]


def test_the_project_s_own_extras_are_no_dependency() -> None:
    assert list(lowest(["horde[viewer]"])) == []


def test_every_dependency_declares_its_lowest_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main() == 0
    told = capsys.readouterr().out.splitlines()
    assert len(told) == len(list(declared(PROJECT))) - 1
    assert all("==" in line for line in told)


@pytest.mark.parametrize("name", WORKING)
def test_no_version_is_declared_that_does_not_work(name: str) -> None:
    version = dict(lowest(declared(PROJECT)))[name]
    assert tuple(map(int, version.split("."))) >= WORKING[name]


def test_ci_plays_on_the_lowest_versions_and_on_other_pythons() -> None:
    script = (Path(__file__).parent.parent / ".ci" / "run").read_text()
    for told in (
        "scripts/lowest.py",
        "python3.12",
        "python3.13",
        "NPY_DISABLE_CPU_FEATURES",
        "portable.py --sample",
    ):
        assert told in script
