"""Spots that a model may take, as a table.

Owns the table alone. What it tells of each spot is worked out by `geometry.single.model_move`.
"""

from __future__ import annotations

import msgspec
import numpy as np

from geometry.shape.base import Bools, Floats, Ints


class Options(msgspec.Struct, frozen=True):
    """Spots (n, 2) that a mover may take, how far it goes to each and how far is left from there.

    `along` says how far along its trail a spot lies, NaN beside it.
    """

    xy: Floats
    length: Floats
    left: Floats
    along: Floats

    def take(self, rows: Bools | Ints) -> Options:
        """Return these rows."""
        return Options(self.xy[rows], self.length[rows], self.left[rows], self.along[rows])

    def joined(self, other: Options) -> Options:
        """Return the options of both."""
        return Options(
            np.vstack([self.xy, other.xy]),
            np.concatenate([self.length, other.length]),
            np.concatenate([self.left, other.left]),
            np.concatenate([self.along, other.along]),
        )
