"""What holds for all tests: no overrides and no settings of the user are in force."""

from __future__ import annotations

import os

from datasheets.overrides import VARIABLE

# Before any test's module is imported, since some open the library as they are.
os.environ[VARIABLE] = ""
os.environ["HORDE_SETTINGS"] = ""
