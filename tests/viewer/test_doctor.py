"""`horde doctor`: what matters of a machine, and its pinned battle."""

from __future__ import annotations

import json

import pytest

from datasheets.errors import HordeError
from viewer.commands import doctor_command
from viewer.commands.doctor_command import CHECKS, DIFFERS, SAME, doctor


def test_this_machine_plays_the_pinned_battle(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    doctor(as_json=True)
    found = json.loads(capsys.readouterr().out)
    assert list(found) == list(CHECKS)
    assert found["pinned battle"] == SAME, "a changed battle: python scripts/pinned.py --write"
    assert found["libraries"]["numpy"]


def test_another_battle_is_a_fault(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor_command, "pinned_digest", lambda: "another")
    with pytest.raises(HordeError):
        doctor(as_json=False)
    assert DIFFERS in capsys.readouterr().out
