"""`horde replay film`, `horde replay picture`: a replay for those without the program.

Owns what is refused before anything is drawn; what is drawn is the window's.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from datasheets.errors import HordeError
from viewer.commands.battle_command import check_writable
from viewer.commands.drawing import drawing
from viewer.commands.options import whole_number
from viewer.commands.recorded import recording

LEAST, MOST = (480, 320), (3840, 2160)
"""The smallest and the largest picture, in pixels."""


def size_of(text: str) -> tuple[int, int]:
    """Return a width and a height in pixels, from 960x540. Raises HordeError."""
    found = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text.strip().lower(), re.ASCII)
    if found is None:
        raise HordeError(f"'{text}' is no size; write width and height in pixels: 960x540.")
    wide, high = int(found[1]), int(found[2])
    if not (LEAST[0] <= wide <= MOST[0] and LEAST[1] <= high <= MOST[1]):
        raise HordeError(
            f"{wide}x{high} is no size of a picture: {LEAST[0]}x{LEAST[1]} to {MOST[0]}x{MOST[1]}."
        )
    return wide, high


def speed_of(text: str) -> float:
    """Return a speed from the command line. Raises HordeError for what is no number."""
    try:
        return float(text)
    except ValueError:
        raise HordeError(f"'{text}' is no speed; give a number such as 2.") from None


def check_new(out: Path, what: str) -> None:
    """Refuse to write over a file, or where nothing can be written."""
    if out.exists():
        raise HordeError(f"{out}: there is a file already; name another.")
    check_writable(out, what)


def film(
    file: Path,
    out: Path,
    *,
    round: str,
    phase: str,
    turn: str,
    size: str,
    speed: str,
    palette: str,
    text: int,
) -> None:
    """Write a film of a part of a replay, and say how long it is."""
    pixels, fast = size_of(size), speed_of(speed)
    number = whole_number(round, "round") if round else None
    check_new(out, "the film")
    with drawing():
        from viewer.window.film import Wanted, film
        from viewer.window.look import Look
    wanted, look = Wanted(number, phase.lower(), turn.lower()), Look(palette, text)
    source = recording(file)
    beside = out.with_name(f".{out.name}.new")
    try:
        with beside.open("wb") as target:
            made = film(source, wanted, target, pixels, fast, look)
        beside.replace(out)
    finally:
        beside.unlink(missing_ok=True)
    weight = out.stat().st_size / 1e6
    sys.stdout.write(f"{out}: {made.seconds:.0f} s, {made.pictures} pictures, {weight:.1f} MB.\n")


def picture(file: Path, out: Path, *, at: str, unit: str, size: str, palette: str, text: int) -> None:
    """Write one moment of a replay as a picture."""
    pixels = size_of(size)
    check_new(out, "the picture")
    with drawing():
        from viewer.window.look import Look
        from viewer.window.watching import watch
    look = Look(palette, text)
    watch(recording(file), size=pixels, screenshot=out, jump=at, unit=unit, look=look)
    sys.stdout.write(f"{out}: {at}.\n")
