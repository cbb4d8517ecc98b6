"""A film as a GIF: one table of colours for all pictures, and of each only what changed.

Knows pictures and their seconds alone; what they show is the film's business. The same pictures give the
same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import BinaryIO

import numpy as np
import pygame
from numpy.typing import NDArray
from PIL import GifImagePlugin, Image

from viewer.window.palette import Colour

COLOURS = 255
"""The colours of a film; one number more stands for what stays as it was."""
SAME = 255
"""The number of a pixel that stays as it was."""
TICK = 0.01
"""The unit of a GIF's times, in seconds."""
LONGEST_TICKS = 65_535
"""The longest time that one picture of a GIF stands."""
Plane = NDArray[np.uint8]


def shared_palette(
    samples: Sequence[pygame.Surface], exact: Iterable[Colour], colours: int = COLOURS
) -> Image.Image:
    """Return a picture that holds the colours of a film: some exactly, others from samples."""
    found = list(dict.fromkeys(exact))[:colours]
    left = colours - len(found)
    if samples and left:
        tall = Image.fromarray(np.concatenate([_pixels(each) for each in samples]))
        mean = tall.quantize(left, Image.Quantize.MEDIANCUT).getpalette() or []
        found += [(mean[i], mean[i + 1], mean[i + 2]) for i in range(0, len(mean) - 2, 3)]
    found = found[:colours]
    found += [found[0]] * (COLOURS + 1 - len(found))
    holder = Image.new("P", (1, 1))
    holder.putpalette([part for colour in found for part in colour])
    return holder


def quantised(surface: pygame.Surface, palette: Image.Image) -> Image.Image:
    """Return what a surface shows in the colours of a palette, without dots that mix them."""
    return Image.fromarray(_pixels(surface)).quantize(palette=palette, dither=Image.Dither.NONE)


def _pixels(surface: pygame.Surface) -> Plane:
    wide, high = surface.get_size()
    return np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8).reshape(high, wide, 3)


class GifWriter:
    """A GIF that grows picture by picture; what does not change is written once."""

    def __init__(self, target: BinaryIO, size: tuple[int, int], palette: Image.Image) -> None:
        """Write what stands before the pictures: the size, the colours, and that it plays again."""
        self._target, self._palette = target, palette
        self._shown: Plane | None = None
        self._next: Plane | None = None
        self._ticks = 0
        self.pictures = 0
        """How many pictures were written."""
        wide, high = (side.to_bytes(2, "little") for side in size)
        colours = bytes(palette.getpalette() or ())
        target.write(b"GIF89a" + wide + high + b"\xf7\x00\x00" + colours)
        target.write(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")

    def add(self, surface: pygame.Surface, seconds: float) -> None:
        """Show a surface for some seconds, after what was added before."""
        plane = np.asarray(quantised(surface, self._palette))
        if self._next is None or not np.array_equal(plane, self._next):
            self._flush()
            self._next = plane
        self._ticks += round(seconds / TICK)

    def stay(self, seconds: float) -> None:
        """Let the last picture stand for some seconds more."""
        self._ticks += round(seconds / TICK)

    def close(self) -> None:
        """Write the last picture, and the end."""
        self._flush()
        self._target.write(b";")

    def _flush(self) -> None:
        """Write the picture that waits, or the part of it that is new."""
        if self._next is None:
            return
        whole, box = self._next, (0, 0)
        part = whole
        if self._shown is not None:
            new = whole != self._shown
            rows, columns = (np.flatnonzero(new.any(axis=axis)) for axis in (1, 0))
            box = int(columns[0]), int(rows[0])
            cut = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
            part = np.where(new[cut], whole[cut], np.uint8(SAME))
        picture = Image.fromarray(part, "L")
        ticks = min(max(self._ticks, 1), LONGEST_TICKS)
        chunks = GifImagePlugin.getdata(picture, box, duration=ticks * 10, disposal=1, transparency=SAME)
        self._target.write(b"".join(chunks))
        self.pictures += 1
        self._shown, self._next, self._ticks = whole, None, 0
