"""What holds for all tests: nothing of the user is in force, and a sample is run.

Where the whole suite is collected, one case in SAMPLED of each parametrized test is run, chosen by a hash of
its name, and its first one always. With HORDE_ALL_TESTS=1 (or HORDE_ALL_SCENARIOS=1) every case is run.
"""

from __future__ import annotations

import os
from hashlib import sha256

import pytest

from datasheets.overrides import VARIABLE

# Before any test's module is imported, since some open the library as they are.
os.environ[VARIABLE] = ""
os.environ["HORDE_SETTINGS"] = ""
SAMPLED = 2
"""One case in this number is run of the whole suite."""
WHOLE = 5000
"""With this number of tests or more the whole suite is collected, not a part of it."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the cases of the whole suite that are not in the sample."""
    every = "1" in (os.environ.get("HORDE_ALL_TESTS"), os.environ.get("HORDE_ALL_SCENARIOS"))
    if every or len(items) < WHOLE:
        return
    kept, left, known = list[pytest.Item](), list[pytest.Item](), set[str]()
    for item in items:
        function, case, _ = item.nodeid.partition("[")
        drawn = sha256(item.nodeid.encode()).digest()[0] % SAMPLED == 0
        (kept if not case or function not in known or drawn else left).append(item)
        known.add(function)
    config.hook.pytest_deselected(items=left)
    items[:] = kept
