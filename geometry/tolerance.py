"""The tolerances of geometry: below which lengths what counts as a rounding error, and why.

A module of `geometry/core` gets a tolerance as a number. A bound of one module alone stands in that module.
"""

from __future__ import annotations

TOLERANCE = 1e-6
"""Two lengths closer than this, in inches, are equal everywhere in the program.

Rounding errors of what is computed are smaller. The smallest difference that a file with four decimals can
mean is larger.
"""

TOUCHING_DEPTH_INCHES = 1e-5
"""A base that begins no deeper than this inside an obstacle is taken to touch it.

This is more than TOLERANCE, as several errors of that size may add up.
"""
