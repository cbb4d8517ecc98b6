"""What `horde --version` prints: the version of the program, and how its core runs."""

from __future__ import annotations

import sys
from importlib.metadata import version

from geometry.core import RUN


def tell_version() -> None:
    """Print the version, and how the core runs in this process and why."""
    sys.stdout.write(f"Horde {version('horde')}. {RUN.sentence}\n")
