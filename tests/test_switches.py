"""How clauses are switched off: each switch fits its module, and a sample of them is noticed by the tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "scripts" / "switch_off.py"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


@pytest.mark.parametrize(("clauses", "code"), [("CORE.TRN.4", 0), ("ARMY.8", 0)])
def test_a_clause_that_is_left_out_is_noticed(clauses: str, code: int) -> None:
    done = run("--clauses", clauses)
    assert done.returncode == code, done.stdout + done.stderr
    assert " 0 survive, 0 without a switch" in done.stdout


def test_a_switch_that_fits_nowhere_is_told(tmp_path: Path) -> None:
    file = tmp_path / "some.toml"
    file.write_text(
        '[[switch]]\nclause = "CORE.TRN.4"\nfile = "engine/core/apply.py"\nold = "nowhere"\nnew = ""\n'
    )
    done = run("--folder", str(tmp_path))
    assert done.returncode == 2
    assert "some.toml: switch.0.old: stands 0 times in engine/core/apply.py" in done.stderr
