"""A screen that nobody sees, with a real mouse and keyboard: an X server for the program.

The mouse and keys are the X server's own (its XTEST extension, by xdotool): the program cannot tell them
from a person's. Pictures are of the whole screen.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image, ImageGrab, features

ROOT = Path(__file__).parent.parent.parent
SIZE = (1600, 900)
TOOLS = ("Xvfb", "xdotool")
PATIENCE = 20.0
"""The most seconds that something may take to appear."""
GLANCE = 0.02


class NotSeen(AssertionError):  # noqa: N818 - it reads as what happened
    """What had to appear did not."""


def missing() -> str:
    """Return what keeps a screen from being opened here, "" where nothing does."""
    lacks = [tool for tool in TOOLS if shutil.which(tool) is None]
    if lacks:
        return f"{' and '.join(lacks)} is not on this machine (Debian: apt-get install xvfb xdotool)"
    return "" if features.check("xcb") else "Pillow takes no pictures of an X screen here"


class Display:
    """An X server with one screen."""

    def __init__(self, name: str) -> None:
        self.name = name

    def xdo(self, *words: str | int) -> None:
        """Let the mouse and the keyboard do these things, one after the other."""
        environ = {**os.environ, "DISPLAY": self.name}
        subprocess.run(
            ["xdotool", *map(str, words)], env=environ, check=True, timeout=10, capture_output=True
        )

    def key(self, *names: str) -> None:
        """Press keys, as xdotool names them."""
        self.xdo("key", "--delay", 25, *names)

    def type(self, words: str) -> None:
        """Type words and Enter."""
        self.xdo("type", "--delay", 15, words)
        self.key("Return")

    def click(self, x: float, y: float, button: int = 1) -> None:
        """Move to a place and click."""
        self.xdo("mousemove", round(x), round(y), "sleep", 0.05, "click", button)

    def hover(self, x: float, y: float) -> None:
        """Move the mouse to a place."""
        self.xdo("mousemove", round(x), round(y))

    def drag(self, start: Sequence[float], end: Sequence[float], steps: int = 6) -> None:
        """Press at a place, move to another and let go there."""
        words: list[str | int] = ["mousemove", round(start[0]), round(start[1]), "mousedown", 1]
        for step in range(1, steps + 1):
            x, y = (round(a + (b - a) * step / steps) for a, b in zip(start, end, strict=True))
            words += ["mousemove", x, y, "sleep", "0.03"]
        self.xdo(*words, "sleep", "0.15", "mouseup", 1)

    def picture(self) -> Image.Image:
        """Return what is on the whole screen."""
        return ImageGrab.grab(xdisplay=self.name).convert("RGB")


@contextmanager
def display() -> Iterator[Display]:
    """Start an X server, and end it afterwards."""
    into, out = os.pipe()
    screen = f"{SIZE[0]}x{SIZE[1]}x24"
    command = ["Xvfb", "-displayfd", str(out), "-screen", "0", screen, "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(command, pass_fds=[out], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(out)
    try:
        with os.fdopen(into) as told:
            number = told.readline().strip()
        if not number:
            raise NotSeen("the X server did not start")
        yield Display(f":{number}")
    finally:
        server.terminate()
        server.wait(10)


class Program:
    """The program on a screen, and what can be read there."""

    def __init__(self, screen: Display, folder: Path, *words: str | Path, more: Mapping[str, str]) -> None:
        self.screen, self.folder = screen, folder
        self.notes = folder / "notes.json"
        self.notes.unlink(missing_ok=True)
        environ = {key: value for key, value in os.environ.items() if key != "WAYLAND_DISPLAY"}
        environ |= {"DISPLAY": screen.name, "SDL_VIDEODRIVER": "x11", "PYTHONPATH": str(ROOT), **more}
        command = [sys.executable, "-m", "tests.viewer.onlooker", str(self.notes), *map(str, words)]
        self.out, self.err = folder / "out.txt", folder / "err.txt"
        with self.out.open("w") as out, self.err.open("w") as err:
            self.process = subprocess.Popen(command, cwd=folder, env=environ, stdout=out, stderr=err)

    def see(self) -> dict[str, Any]:
        """Return what is on the screen now."""
        try:
            return json.loads(self.notes.read_text())
        except FileNotFoundError:
            return {"pictures": 0, "words": []}

    def until(
        self, what: str, holds: Callable[[dict[str, Any]], Any], patience: float = PATIENCE
    ) -> dict[str, Any]:
        """Wait until something holds of what is on the screen, and return that."""
        end = time.monotonic() + patience
        while True:
            seen = self.see()
            if holds(seen):
                return seen
            if time.monotonic() > end or self.process.poll() is not None:
                self.screen.picture().save(self.folder / "not-seen.png")
                brief = {key: value for key, value in seen.items() if key not in ("words", "units")}
                words = [each for each, _ in seen["words"]]
                raise NotSeen(f"{what}: not seen. {brief} {words}\n{self.err.read_text()[-2000:]}")
            time.sleep(GLANCE)

    def box_of(self, *words: str) -> tuple[int, int, int, int]:
        """Return where words are written, as soon as they are; the first of those that are given."""

        def places(seen: dict[str, Any]) -> list[list[int]]:
            told = [(each.lower(), box) for each, box in seen["words"]]
            exact = [box for word in words for each, box in told if word.lower() == each]
            return exact + [box for word in words for each, box in told if word.lower() in each]

        left, top, wide, high = places(self.until(" or ".join(words), places))[0]
        return left, top, wide, high

    def click_words(self, *words: str) -> None:
        """Click on words that are written on the screen."""
        left, top, wide, high = self.box_of(*words)
        self.screen.click(left + wide / 2, top + high / 2)

    def end(self, patience: float = PATIENCE) -> tuple[int, str, str]:
        """Wait for the program's end; return its exit code and what it printed."""
        try:
            code = self.process.wait(patience)
        except subprocess.TimeoutExpired:
            self.screen.picture().save(self.folder / "not-ended.png")
            raise NotSeen("the window did not close") from None
        return code, self.out.read_text(), self.err.read_text()

    def kill(self) -> None:
        """End the program at once, as a crash or a power cut would."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)
