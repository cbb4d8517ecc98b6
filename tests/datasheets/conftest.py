"""The packaged library, opened once for all tests of datasheets."""

from __future__ import annotations

import pytest

from datasheets.library import Library


@pytest.fixture(scope="session")
def library() -> Library:
    """Return the packaged library."""
    return Library()
