"""Measures geometry against the obvious alternatives, all in the same run.

    python benchmarks/geometry.py [--json] [--boards 24] [--cases 60] [--restarts 200] [--out FILE]

Prints a table, or with `--json` each figure by name; `--doc docs/geometry.md` writes the table there.
The libraries come with `pip install -e '.[bench]'`; without them their figures are empty.
"""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    # This file is called like the package it measures: started by its path, it must not stand before it.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)
    from benchmarks.run import main

    main()
