"""A film of a stretch of a battle: which stretch, and its pictures one after the other.

The window draws each picture, as it does where a person watches; no window opens.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import BinaryIO

import pygame

from datasheets.errors import HordeError, unknown
from viewer.story.chronicle import Chronicle, Stop
from viewer.story.motion import seconds
from viewer.story.source import Source
from viewer.window.gif import GifWriter, shared_palette
from viewer.window.look import Look
from viewer.window.palette import Colour, Palette
from viewer.window.playback import SPEEDS, Playback
from viewer.window.screen import open_screen
from viewer.window.window import Window

FRAME = 0.1
"""How long a picture stands, in seconds."""
LAST = 2.0
"""How long the last picture stands, in seconds."""
MOST_SECONDS = 180.0
SAMPLES = 16
"""The moments whose colours the film has."""
Stretch = tuple[int, int]
"""The numbers of entries at which a part of a battle begins and ends."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is filmed: a round, a phase, a turn, or any of what is not named."""

    round: int | None = None
    phase: str = ""
    turn: str = ""

    def has(self, stop: Stop) -> bool:
        """Return whether what begins at a stop is filmed."""
        named = self.phase in ("", stop.phase) and self.turn in ("", stop.turn)
        return named and self.round in (None, stop.round)


@dataclass(frozen=True, slots=True)
class Filmed:
    """What became of a film: its length in seconds, and how many pictures it has."""

    seconds: float
    pictures: int


def stretches(chronicle: Chronicle, wanted: Wanted) -> list[Stretch]:
    """Return the parts of a battle that are filmed. Raises HordeError where it has none."""
    stops = chronicle.phases
    _check_known(stops, wanted)
    bounds = pairwise([*(stop.cursor for stop in stops), len(chronicle)])
    found: list[Stretch] = []
    for stop, (start, end) in zip(stops, bounds, strict=True):
        if not wanted.has(stop):
            continue
        begins = found.pop()[0] if found and found[-1][1] == start else start
        found.append((begins, end))
    if not found:
        words = [f"in round {wanted.round}"] if wanted.round is not None else []
        words += [f"in the {wanted.phase} phase"] if wanted.phase else []
        words += [f"in the turn of the {wanted.turn}"] if wanted.turn else []
        where = " ".join(words) or "in the battle"
        raise HordeError(f"Nothing happens {where}: there is nothing to film.")
    return found


def _check_known(stops: list[Stop], wanted: Wanted) -> None:
    """Raise HordeError for a round, phase or turn that the battle has not."""
    last = max((stop.round for stop in stops), default=0)
    if wanted.round is not None and not 0 <= wanted.round <= last:
        raise HordeError(f"The battle has no round {wanted.round}; its last one is {last}.")
    phases = {stop.phase for stop in stops}
    if wanted.phase and wanted.phase not in phases:
        raise unknown(wanted.phase, phases, "phase of the battle")
    turns = {stop.turn for stop in stops} - {""}
    if wanted.turn and wanted.turn not in turns:
        raise unknown(wanted.turn, turns, "side whose turn it is")


def length(chronicle: Chronicle, parts: list[Stretch], speed: float) -> float:
    """Return how many seconds these parts of a battle last at a speed."""
    places = (place for start, end in parts for place in range(start, end))
    return sum(seconds(chronicle.entries[i], chronicle.starts.get(i, {})) for i in places) / speed


def film(
    source: Source, wanted: Wanted, target: BinaryIO, size: tuple[int, int], speed: float, look: Look
) -> Filmed:
    """Write the film of a part of a battle as a GIF.

    Raises HordeError where there is no such part or speed, or where the film would last too long.
    """
    if speed not in SPEEDS:
        *others, last = (f"{each:g}" for each in SPEEDS)
        raise HordeError(f"{speed:g} is no speed of a film; it is {', '.join(others)} or {last}.")
    surface = open_screen(size, source.title, exactly=True)
    try:
        window = Window(surface, source, look)
        _read_whole(window.playback)
        parts = stretches(window.playback.chronicle, wanted)
        lasts = length(window.playback.chronicle, parts, speed)
        if lasts > MOST_SECONDS:
            raise HordeError(
                f"The film would last {lasts:.0f} s, and {MOST_SECONDS:.0f} at most; "
                "name a phase, a turn or a higher speed."
            )
        return _write(window, parts, target, speed, look)
    finally:
        pygame.quit()


def _read_whole(playback: Playback) -> None:
    """Read a battle to its end, or up to where it stands still."""
    before = -1
    while not playback.source.ended and len(playback.chronicle) != before:
        before = len(playback.chronicle)
        playback.pull()


def _write(window: Window, parts: list[Stretch], target: BinaryIO, speed: float, look: Look) -> Filmed:
    """Write all pictures; a moment at which nothing changes makes the picture before it last."""
    window.playback.at_speed(speed)
    exact = [*plain_colours(look.colours), (255, 255, 255), (0, 0, 0)]
    palette = shared_palette(list(_samples(window, parts)), exact)
    writer = GifWriter(target, window.surface.get_size(), palette)
    lasts = LAST
    for start, end in parts:
        for is_new in _moments(window, start, end):
            if is_new:
                window.draw()
                writer.add(window.surface, FRAME)
            else:
                writer.stay(FRAME)
            lasts += FRAME
    writer.stay(LAST)
    writer.close()
    return Filmed(lasts, writer.pictures)


def _samples(window: Window, parts: list[Stretch]) -> Iterator[pygame.Surface]:
    """Yield some moments of these parts, evenly far from one another."""
    places = [place for start, end in parts for place in range(start, end + 1)]
    for number in range(SAMPLES):
        window.playback.seek(places[number * (len(places) - 1) // (SAMPLES - 1)])
        window.draw()
        yield window.surface.copy()


def _moments(window: Window, start: int, end: int) -> Iterator[bool]:
    """Show a part of a battle moment by moment; yield whether each differs from the one before."""
    playback = window.playback
    playback.seek(start)
    playback.playing = True
    yield True
    while playback.cursor < end or (playback.effect is not None and playback.effect.index < end):
        window.tick(FRAME)
        yield window.changed


def plain_colours(palette: Palette) -> list[Colour]:
    """Return the colours that a palette names, in its order."""
    values = (getattr(palette, name) for name in palette.__dataclass_fields__)
    return [each for each in values if isinstance(each, tuple) and all(isinstance(n, int) for n in each)]
