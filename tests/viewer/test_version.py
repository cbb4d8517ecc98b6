"""`horde --version`: the version, and how the core runs."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from engine.core.format import PROGRAM
from geometry.core import RUN
from viewer import cli
from viewer.commands import version_command

HORDE = (sys.executable, "-c", "from viewer.cli import main; main()", "--version")


def test_the_version_and_the_run_of_the_core_are_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["horde", "--version"])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert not end.value.code
    assert capsys.readouterr().out == f"Horde {PROGRAM}. {RUN.sentence}\n"


def test_a_core_that_was_not_compiled_is_told_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(version_command, "RUN", RUN._replace(sentence="The core runs uncompiled, because …"))
    version_command.tell_version()
    assert capsys.readouterr().out.endswith(". The core runs uncompiled, because …\n")


def test_the_setting_that_takes_the_sources_is_named() -> None:
    environ = {**os.environ, "HORDE_CORE_PLAIN": "1"}
    done = subprocess.run(HORDE, env=environ, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert "The core runs uncompiled, because HORDE_CORE_PLAIN asks for it" in done.stdout
    assert done.stderr == ""
