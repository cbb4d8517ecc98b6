"""A fault of the window: a sentence, a report, and on from the last answer.

Owns when a fault is met and when it closes the window. What is written down is `viewer.input.fault_bundle`'s;
how the battle is made anew is the screen's that shows it.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn, Protocol, runtime_checkable

import pygame

from viewer.input.closing import ClosedByFault
from viewer.input.fault_bundle import Part, signature, write_bundle
from viewer.input.machine import machine

MOST_REPORTS = 20
"""The most reports that one window writes."""
UNSAVED = "no report could be saved"


class Recovery(Protocol):
    """How a screen goes on after a fault."""

    def recover(self) -> str:
        """Let go of all that may be at fault; return in a sentence what goes on."""
        ...

    def tell(self, words: str, more: str) -> None:
        """Show what happened, in a sentence and a second line."""
        ...

    @property
    def given(self) -> int:
        """Return how many answers the battle has."""
        ...

    def evidence(self) -> Mapping[str, Part]:
        """Return what a report holds of the screen, by the names of its files."""
        ...


@runtime_checkable
class Recovering(Protocol):
    """A screen that goes on after a fault."""

    recovery: Recovery


class FaultGuard:
    """Stands round each frame of the window's loop."""

    def __init__(self) -> None:
        """Have met no fault yet."""
        self._whole = 1
        """How many frames were whole since the last fault."""
        self._met: tuple[object, ...] = ()
        """The last fault, and how many answers the battle had then."""
        self._report: Path | None = None
        self._reports = 0

    @contextmanager
    def over(self, screen: object) -> Iterator[None]:
        """Meet what fails in a frame of a screen. Raises ClosedByFault where it failed just before."""
        try:
            yield
        except Exception as fault:
            self._meet(fault, screen)
        else:
            self._whole += 1

    def _meet(self, fault: Exception, screen: object) -> None:
        """Write the report and go on, or close the window."""
        self._write(fault, screen)
        if not isinstance(screen, Recovering):
            self._close(fault, "Something failed")
        recovery = screen.recovery
        now = (*signature(fault), recovery.given, _step(fault))
        if not self._whole or (now == self._met and now[-1] == "tick"):
            self._close(fault)
        self._whole, self._met = 0, now
        try:
            goes_on = recovery.recover()
            saved = f"report saved: {self._report.name}" if self._report is not None else UNSAVED
            more = f"in {self._report.parent}" if self._report is not None else ""
            recovery.tell(f"{goes_on}; {saved}", more)
        except Exception as other:
            self._close(other)

    def _write(self, fault: Exception, screen: object) -> None:
        """Write a report; where there is no room for one, do without."""
        if self._reports >= MOST_REPORTS:
            return
        self._report = None
        with suppress(OSError):
            self._report = write_bundle(fault, {**_common(), **_own(fault, screen)})
            self._reports += 1

    def _close(self, fault: Exception, what: str = "Something failed, and failed again") -> NoReturn:
        """Say that the window closes, and why; the battle stays in its journal."""
        where = f"report saved: {self._report}" if self._report is not None else UNSAVED
        sys.stderr.write(f"{what}, so the window closes; {where}.\n")
        raise ClosedByFault from fault


def _step(fault: Exception) -> str:
    """Return what the loop did as a fault arose: "handle", "tick", "draw"; "" if not known."""
    trace = fault.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_name
        if name in ("handle", "tick", "draw"):
            return name
        trace = trace.tb_next
    return ""


def _common() -> dict[str, Part]:
    """Return what every report holds, by the names of its files."""
    return {"doctor.txt": lambda: machine({"display": _driver()}).encode(), "picture.png": _picture}


def _own(fault: Exception, screen: object) -> dict[str, Part]:
    """Return what a report holds of a screen, and what the screen did just then."""
    found = dict(screen.recovery.evidence()) if isinstance(screen, Recovering) else {}
    doing = f"screen: {type(screen).__name__}\nstep: {_step(fault) or 'unknown'}\n".encode()
    return {"loop.txt": lambda: doing, **found}


def _driver() -> str:
    return pygame.display.get_driver() if pygame.display.get_init() else "none"


def _picture() -> bytes:
    """Return what is on the screen as a PNG, be it half drawn."""
    surface = pygame.display.get_surface()
    if surface is None:
        raise RuntimeError("There is no window.")
    target = io.BytesIO()
    pygame.image.save(surface, target, "picture.png")
    return target.getvalue()
