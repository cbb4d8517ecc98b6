"""Work beside the window: the newest wish counts, those between are dropped."""

from __future__ import annotations

from threading import Event

import pytest

from viewer.input.newest import Newest


def test_of_what_is_asked_meanwhile_only_the_last_is_worked_out() -> None:
    may_go, done = Event(), []

    def work(key: int) -> str:
        assert may_go.wait(30)
        done.append(key)
        return f"worked out {key}"

    newest = Newest(work)
    for key in (1, 2, 3):
        newest.ask(key)
    assert newest.latest is None
    assert newest.is_late
    may_go.set()
    assert newest.now(3) == "worked out 3"
    assert done == [1, 3]
    assert not newest.is_late
    newest.stop()


def test_what_is_known_is_not_worked_out_again() -> None:
    done = []
    newest = Newest(done.append)
    newest.now(1)
    newest.ask(1)
    assert not newest.look()
    newest.now(1)
    assert done == [1]
    newest.stop()


def test_a_fault_comes_to_whoever_waits() -> None:
    def work(key: int) -> int:
        raise ValueError(key)

    newest = Newest(work)
    with pytest.raises(ValueError, match="7"):
        newest.now(7)
    newest.stop()
