"""A sample of damaged files: nothing but our own errors comes of reading them."""

from __future__ import annotations

import pytest
from fuzz import READERS, fault_of

CASES = 12
"""The number of cases of each reader; `scripts/fuzz.py` tries more."""


@pytest.mark.parametrize("reader", READERS)
def test_damaged_files_raise_only_our_own_errors(reader: str) -> None:
    faults = {case: fault for case in range(CASES) if (fault := fault_of(reader, f"ci/{reader}/{case}"))}
    assert faults == {}


def test_an_error_that_is_not_ours_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise KeyError("unit")

    monkeypatch.setitem(READERS, "army", broken)
    assert "KeyError" in fault_of("army", "ci/army/0")
