"""What holds for all tests: they know of no overrides, whatever the user who runs them has."""

from __future__ import annotations

import os

from datasheets.overrides import VARIABLE

# Before any test's module is imported, since some open the library as they are.
os.environ[VARIABLE] = ""
