"""Commits as trees that can be measured: each a worktree with an environment of its own.

Holds git, pip and the process of a battle; what is measured there is `benchmarks/one_battle.py`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from datasheets.errors import HordeError

ROOT = Path(__file__).resolve().parent.parent
ONE_BATTLE = Path(__file__).resolve().with_name("one_battle.py")
SHORT = 12
"""The number of digits of a commit in the names of files."""
SETTINGS = {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
FIRST_BATTLE = ("--points", "1000", "--seed", "1")
"""The battle that compiles a tree's modules and lists them. It is not measured."""


@dataclass(frozen=True, slots=True)
class Run:
    """One battle in a fresh process; times are processor seconds."""

    events: int
    seconds: float
    start: float
    dearest: float | None
    log: str

    @property
    def cost(self) -> float:
        """Return the seconds per event, without the start."""
        return self.seconds / self.events


@dataclass(frozen=True, slots=True)
class Tree:
    """A commit, and the folder that holds its worktree and its environment."""

    commit: str
    folder: Path

    @property
    def code(self) -> Path:
        """Return the folder of the worktree."""
        return self.folder / "tree"

    @property
    def python(self) -> Path:
        """Return the environment's python."""
        return self.folder / "environment" / "bin" / "python"

    def make(self) -> None:
        """Make what is not there yet: the worktree, the environment and the list of modules.

        Raises HordeError where one cannot be made, or where the worktree was edited.
        """
        if not self.code.exists():
            # Forced, as git refuses a folder that it still knows but that was deleted.
            _git("worktree", "add", "--force", "--detach", str(self.code), self.commit)
        edited = _git("status", "--porcelain", folder=self.code)
        if edited or _git("rev-parse", "HEAD", folder=self.code) != self.commit:
            raise HordeError(f"{self.code} is no longer commit {self.commit[:SHORT]}; remove {self.folder}.")
        # The script is the last that pip installs.
        if not self.python.with_name("horde").exists():
            output_of([sys.executable, "-m", "venv", str(self.folder / "environment")])
            output_of([str(self.python), "-m", "pip", "install", "--quiet", "-e", str(self.code)])
        if not self._modules.exists():
            self.play(*FIRST_BATTLE)

    def play(self, *options: str) -> Run:
        """Return what `horde battle` takes with these options, in a process of its own."""
        return Run(**self.figures(ONE_BATTLE, str(self._modules), *options))

    def figures(self, script: Path, *words: str) -> dict[str, Any]:
        """Return what a script prints as JSON, run by the tree's python in a process of its own."""
        # Without -P the folder of benchmarks would stand before the tree's packages.
        found: dict[str, Any] = json.loads(output_of([str(self.python), "-P", str(script), *words]))
        return found

    def remove(self) -> None:
        """Remove the worktree, as git knows it."""
        if self.code.exists():
            _git("worktree", "remove", "--force", str(self.code))

    @property
    def _modules(self) -> Path:
        return self.folder / "modules.txt"


def commit_of(revision: str) -> str:
    """Return the full id of a commit. Raises HordeError where there is none of this name."""
    try:
        return _git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    except HordeError:
        raise HordeError(f"There is no commit '{revision}' in {ROOT}.") from None


def _git(*words: str, folder: Path = ROOT) -> str:
    return output_of(["git", "-C", str(folder), *words])


def output_of(command: list[str]) -> str:
    """Return what a program prints. Raises HordeError with the last line of its complaint."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "GIT_"))}
    done = subprocess.run(command, capture_output=True, text=True, env=own | SETTINGS)
    if done.returncode:
        complaint = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise HordeError(f"{complaint[-1]} (from: {' '.join(command)})")
    return done.stdout.strip()
