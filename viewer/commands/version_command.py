"""What `horde --version` prints: the version of the program, and how its core runs."""

from __future__ import annotations

import sys

from engine.core.format import PROGRAM
from geometry.core import RUN


def tell_version() -> None:
    """Print the version, and how the core runs in this process and why."""
    sys.stdout.write(f"Horde {PROGRAM}. {RUN.sentence}\n")
